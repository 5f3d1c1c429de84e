//! The measurement: methods take turns on the same steps.

use std::ops::RangeInclusive;
use std::sync::LazyLock;
use std::time::Instant;

use anyhow::Result;
use osculate::{Query, Stats};
use osculate_io::Clip;
use osculate_io::write::Guarantee;

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
    pub(super) guarantee: Guarantee,
    /// Milliseconds per frame of the stages, of the median repetition: refit, proofs, culling, narrow phase. The narrow phase is that of all
    /// workers, divided by their number; culling is what is left.
    pub(super) stages: [f64; 4],
    /// Sums over all frames.
    pub(super) stats: Stats,
    pub(super) found: u64,
    /// How many of the first complete method's answers are missing, and how many are there that it does not have.
    pub(super) missed: usize,
    pub(super) extra: usize,
    pub(super) memory_bytes: usize,
}

/// A method at work: a world of its own, so that what it keeps from step to step is its own.
struct Runner {
    name: MethodName,
    parts: Parts,
    /// For each repetition, nanoseconds and counts of all frames.
    runs: Vec<(u64, Stats)>,
    missed: usize,
    extra: usize,
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
        runners.push(Runner { name, parts, runs: Vec::new(), missed: 0, extra: 0, found: 0 });
    }
    let is_complete = |runner: &Runner| runner.name.guarantee() == Guarantee::Complete;
    let referee = runners.iter().position(is_complete).unwrap_or(0);
    for repetition in 0..plan.repeat {
        for runner in &mut runners {
            runner.runs.push((0, Stats::default()));
            runner.found = 0;
        }
        for (k, poses) in poses.0.iter().enumerate() {
            // Another one begins each time.
            let n = runners.len();
            let mut answers: Vec<Answer> = (0..n).map(|_| Answer::default()).collect();
            for turn in 0..n {
                let i = (turn + k + repetition) % n;
                answers[i] = runners[i].run(poses, is_discrete)?;
            }
            for (i, answer) in answers.iter().enumerate() {
                let [missed, extra] = answers[referee].difference(answer);
                runners[i].missed += missed;
                runners[i].extra += extra;
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

/// What two methods must agree on; one of the lists is empty.
#[derive(Default)]
struct Answer {
    contacts: Vec<osculate::Contact>,
    crossings: Vec<osculate::Crossing>,
}

impl Answer {
    /// How many results the other answer lacks, and how many it has that this one does not.
    fn difference(&self, other: &Answer) -> [usize; 2] {
        if self.contacts == other.contacts && self.crossings == other.crossings {
            return [0, 0];
        }
        // Both are sorted.
        let lacking = |here: &Answer, there: &Answer| {
            let has_contact = |c: &osculate::Contact| {
                let place = there.contacts.binary_search_by_key(&c.key, |other| other.key);
                place.is_ok_and(|i| there.contacts[i] == *c)
            };
            let has_crossing = |c: &osculate::Crossing| {
                let key = |c: &osculate::Crossing| (c.bodies, c.triangles);
                let place = there.crossings.binary_search_by_key(&key(c), key);
                place.is_ok_and(|i| there.crossings[i] == *c)
            };
            let contacts = here.contacts.iter().filter(|c| !has_contact(c)).count();
            contacts + here.crossings.iter().filter(|c| !has_crossing(c)).count()
        };
        [lacking(self, other), lacking(other, self)]
    }
}

impl Row {
    /// Whether the answers are those of the first complete method.
    pub(super) fn agrees(&self) -> bool {
        self.missed == 0 && self.extra == 0
    }

    /// Whether the answers are what the method promises.
    pub(super) fn keeps_its_word(&self) -> bool {
        self.extra == 0 && (self.missed == 0 || self.guarantee == Guarantee::Nothing)
    }
}

impl Runner {
    fn run(&mut self, poses: &[Vec<[f64; 3]>], is_discrete: bool) -> Result<Answer> {
        let query = Query { method: self.name.method(), clock: Some(now), ..Query::all() };
        self.parts.set_next(&poses[0]);
        self.parts.advance()?;
        let start = now();
        let (answer, stats, found) = if is_discrete {
            let report = self.parts.world.crossings(&query)?;
            (Answer { crossings: report.found, ..Answer::default() }, report.stats, report.count)
        } else {
            self.parts.set_next(&poses[1]);
            let (world, next) = self.parts.step();
            let report = world.contacts(&next, &query)?;
            (Answer { contacts: report.found, ..Answer::default() }, report.stats, report.count)
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
        let proofs = per_frame(stats.times.certify as f64);
        let narrow = per_frame(stats.times.narrow as f64 / rayon::current_num_threads() as f64);
        Row {
            method: self.name.name(),
            ms: [total, per_frame(runs[0].0 as f64), per_frame(runs[runs.len() - 1].0 as f64)],
            guarantee: self.name.guarantee(),
            stages: [refit, proofs, (total - refit - proofs - narrow).max(0.0), narrow],
            stats: *stats,
            found: self.found,
            missed: self.missed,
            extra: self.extra,
            memory_bytes: self.parts.world.memory_bytes(),
        }
    }
}

/// Nanoseconds since the first call.
fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}
