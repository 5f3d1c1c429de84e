//! The measurement: methods take turns on the same steps.

use std::ops::RangeInclusive;
use std::sync::LazyLock;
use std::time::Instant;

use anyhow::Result;
use osculate::{Query, Stats};
use osculate_io::Clip;

use crate::bodies::Parts;
use crate::options::{Bodies, MethodName};

/// Triangles up to which brute force is among the methods by default.
const BRUTE_LIMIT: usize = 3000;

/// What is measured.
pub(super) struct Plan<'a> {
    /// None for all.
    pub(super) methods: &'a [MethodName],
    pub(super) repeat: usize,
    pub(super) frames: RangeInclusive<usize>,
    pub(super) steps: usize,
    pub(super) is_discrete: bool,
    pub(super) bodies: Bodies,
}

/// A clip and what was measured on it.
pub(super) struct Measured {
    pub(super) input: String,
    pub(super) clip: String,
    pub(super) triangles: usize,
    pub(super) frames: usize,
    pub(super) is_discrete: bool,
    pub(super) rows: Vec<Row>,
}

/// One method.
pub(super) struct Row {
    pub(super) method: String,
    /// Milliseconds per frame: median, least and greatest over the repetitions.
    pub(super) ms: [f64; 3],
    /// Milliseconds per frame of the stages, of the median repetition: refit, culling, narrow phase. The narrow phase is that of all workers,
    /// divided by their number; culling is what is left.
    pub(super) stages: [f64; 3],
    /// Sums over all frames.
    pub(super) stats: Stats,
    pub(super) found: u64,
    pub(super) agrees: bool,
    pub(super) memory_bytes: usize,
}

/// A method at work: a world of its own, so that what it keeps from step to step is its own.
struct Runner {
    name: MethodName,
    parts: Parts,
    /// For each repetition, nanoseconds and counts of all frames.
    runs: Vec<(u64, Stats)>,
    agrees: bool,
    found: u64,
}

pub(super) fn measure(input: &str, clip: &Clip, plan: &Plan) -> Result<Measured> {
    let is_discrete = plan.is_discrete || plan.frames.start() == plan.frames.end();
    let steps = spread(plan, is_discrete);
    let poses = Poses::new(clip, is_discrete, &steps)?;
    let names = methods(plan, clip.surface.faces.len());
    let mut runners = Vec::new();
    for &name in &names {
        let parts = Parts::new(input, &clip.surface, &poses.0[0][0], plan.bodies)?;
        runners.push(Runner { name, parts, runs: Vec::new(), agrees: true, found: 0 });
    }
    for repetition in 0..plan.repeat {
        for runner in &mut runners {
            runner.runs.push((0, Stats::default()));
            runner.found = 0;
        }
        for (k, poses) in poses.0.iter().enumerate() {
            // Another one begins each time.
            let n = runners.len();
            let mut answers: Vec<Option<Answer>> = (0..n).map(|_| None).collect();
            for turn in 0..n {
                let i = (turn + k + repetition) % n;
                answers[i] = Some(runners[i].run(poses, is_discrete)?);
            }
            for (i, answer) in answers.iter().enumerate() {
                runners[i].agrees &= *answer == answers[0];
            }
        }
    }
    Ok(Measured {
        input: input.to_owned(),
        clip: clip.name.clone(),
        triangles: clip.surface.faces.len(),
        frames: poses.0.len(),
        is_discrete,
        rows: runners.iter().map(|runner| runner.row(poses.0.len())).collect(),
    })
}

fn methods(plan: &Plan, n_triangles: usize) -> Vec<MethodName> {
    if !plan.methods.is_empty() {
        let mut methods: Vec<MethodName> = plan.methods.iter().map(|method| method.resolved()).collect();
        methods.dedup();
        return methods;
    }
    MethodName::COMPLETE
        .into_iter()
        .filter(|&m| m != MethodName::Brute || n_triangles <= BRUTE_LIMIT)
        .collect()
}

/// The frames at which steps start, evenly spread over those that are asked for.
fn spread(plan: &Plan, is_discrete: bool) -> Vec<usize> {
    let first = *plan.frames.start();
    let n = plan.frames.end() - first + usize::from(is_discrete);
    let taken = plan.steps.min(n);
    (0..taken).map(|i| first + i * n / taken).collect()
}

/// For each step, the poses at its start and, unless crossings are asked for, at its end.
struct Poses(Vec<Vec<Vec<[f64; 3]>>>);

impl Poses {
    fn new(clip: &Clip, is_discrete: bool, steps: &[usize]) -> Result<Poses> {
        let pose = |frame: usize| -> Result<Vec<[f64; 3]>> {
            let mut pose = Vec::new();
            clip.pose(frame, &mut pose)?;
            Ok(pose)
        };
        let of_step = |&frame: &usize| {
            let ends = if is_discrete { frame..=frame } else { frame..=frame + 1 };
            ends.map(pose).collect()
        };
        Ok(Poses(steps.iter().map(of_step).collect::<Result<_>>()?))
    }
}

/// What two methods must agree on.
#[derive(PartialEq)]
enum Answer {
    Contacts(Vec<osculate::Contact>),
    Crossings(Vec<osculate::Crossing>),
}

impl Runner {
    fn run(&mut self, poses: &[Vec<[f64; 3]>], is_discrete: bool) -> Result<Answer> {
        let query = Query { method: self.name.method(), clock: Some(now), ..Query::all() };
        self.parts.set_next(&poses[0]);
        self.parts.advance()?;
        let start = now();
        let (answer, stats, found) = if is_discrete {
            let report = self.parts.world.crossings(&query)?;
            (Answer::Crossings(report.found), report.stats, report.count)
        } else {
            self.parts.set_next(&poses[1]);
            let (world, next) = self.parts.step();
            let report = world.contacts(&next, &query)?;
            (Answer::Contacts(report.found), report.stats, report.count)
        };
        let time = now() - start;
        self.found += found;
        if let Some((total, sum)) = self.runs.last_mut() {
            *total += time;
            *sum += stats;
        }
        Ok(answer)
    }

    fn row(&self, n_frames: usize) -> Row {
        let mut runs: Vec<&(u64, Stats)> = self.runs.iter().collect();
        runs.sort_by_key(|run| run.0);
        let per_frame = |nanoseconds: f64| nanoseconds * 1e-6 / n_frames as f64;
        let (median, stats) = runs[runs.len() / 2];
        let total = per_frame(*median as f64);
        let refit = per_frame(stats.times.refit as f64);
        let narrow = per_frame(stats.times.narrow as f64 / rayon::current_num_threads() as f64);
        Row {
            method: self.name.name(),
            ms: [total, per_frame(runs[0].0 as f64), per_frame(runs[runs.len() - 1].0 as f64)],
            stages: [refit, (total - refit - narrow).max(0.0), narrow],
            stats: *stats,
            found: self.found,
            agrees: self.agrees,
            memory_bytes: self.parts.world.memory_bytes(),
        }
    }
}

/// Nanoseconds since the first call.
fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}
