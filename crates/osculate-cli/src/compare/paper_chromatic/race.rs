//! Interleaves methods on the same steps of a scene, each object of which is a body.
//!
//! The measured time is that of the query for all contacts of a step, which refits all bounds. The
//! vertices are given.

use std::sync::Arc;

use anyhow::Result;
use osculate::method::{Chromatic, Refit, SetTests, SphereTree, Volume};
use osculate::{BodyId, BodySettings, Mesh, Method, Model, Query, Stats, World};
use osculate_scenes::{Part, Scene};

use super::median;
use crate::agreement::Answer;
use crate::clock::now;

/// The interleaved methods; the first one is the reference.
pub(super) const METHODS: [Method; 6] = [
    Method::Bvh(Volume::Aabb),
    Method::Bvh(Volume::MovingAabb),
    Method::SphereTree(SphereTree::new().refit(Refit::BottomUp).certificates(false)),
    Method::Chromatic(Chromatic::new().sets(SetTests::Never)),
    Method::Chromatic(Chromatic::new().sets(SetTests::Always)),
    Method::Chromatic(Chromatic::new()),
];
/// Hierarchies of boxes alone.
pub(super) const BOXES: usize = 0;
pub(super) const NO_SETS: usize = 3;
pub(super) const SETS: usize = 4;
/// Chromatic decomposition with its automatic switch.
pub(super) const AUTO: usize = 5;

/// A method and its measurements.
pub(super) struct Row {
    pub(super) method: Method,
    /// For each step, the median of its milliseconds over all repetitions.
    pub(super) ms: Vec<f64>,
    /// For each step, the number of elementary tests.
    pub(super) tests: Vec<u64>,
    /// Sums over all steps of a repetition.
    pub(super) stats: Stats,
    /// Steps of a repetition in which sets were culled.
    pub(super) n_culled: usize,
    /// Mean milliseconds of a step: refit, traversal, tests of sets, elementary tests.
    pub(super) stages: [f64; 4],
    pub(super) found: u64,
    /// Contacts of the reference that are missing, and others.
    pub(super) missed: usize,
    pub(super) extra: usize,
}

impl Row {
    pub(super) fn median(&self) -> f64 {
        median(&self.ms)
    }

    pub(super) fn mean(&self) -> f64 {
        self.ms.iter().sum::<f64>() / self.ms.len() as f64
    }

    /// Whether all answers equal those of the reference, bit by bit.
    pub(super) fn agrees(&self) -> bool {
        self.missed == 0 && self.extra == 0
    }
}

/// The positions of the vertices of each object in some frames.
struct Frames {
    parts: Vec<Part>,
    rest: Vec<[f64; 3]>,
}

impl Frames {
    /// The positions of the objects in a frame.
    fn poses(&self, scene: &Scene, frame: usize) -> Vec<Vec<[f64; 3]>> {
        let mut whole = Vec::new();
        scene.pose(frame, &mut whole);
        self.parts.iter().map(|part| part.pose(&whole)).collect()
    }
}

/// A method with its own world; models are shared.
struct Racer {
    method: Method,
    world: World,
    /// The bodies that move, and their objects.
    moving: Vec<(BodyId, usize)>,
    /// For each step, its milliseconds in each repetition.
    ms: Vec<Vec<f64>>,
    /// Sums over all steps of all repetitions.
    total: Stats,
    row: Row,
}

impl Racer {
    fn new(method: Method, frames: &Frames, models: &[Arc<Model>], n_steps: usize) -> Result<Racer> {
        let (mut world, mut moving) = (World::new(), Vec::new());
        for (object, (part, model)) in frames.parts.iter().zip(models).enumerate() {
            let settings = BodySettings::default().is_static(part.is_static);
            let body = world.add_with(model.clone(), &part.pose(&frames.rest), settings)?;
            if !part.is_static {
                moving.push((body, object));
            }
        }
        let row = Row {
            method,
            ms: Vec::new(),
            tests: Vec::new(),
            stats: Stats::default(),
            n_culled: 0,
            stages: [0.0; 4],
            found: 0,
            missed: 0,
            extra: 0,
        };
        Ok(Racer { method, world, moving, ms: vec![Vec::new(); n_steps], total: Stats::default(), row })
    }

    /// Returns the contacts of a step, the counts, and the milliseconds.
    fn run(&mut self, [from, to]: [&[Vec<[f64; 3]>]; 2]) -> Result<(Answer, Stats, f64)> {
        for &(body, object) in &self.moving {
            self.world.set_pose(body, &from[object])?;
        }
        let next: Vec<_> = self.moving.iter().map(|&(body, object)| (body, &to[object])).collect();
        let start = now();
        let report = self.world.contacts(&next, &Query::all().method(self.method).clock(now))?;
        let ms = 1e-6 * (now() - start) as f64;
        Ok((Answer { contacts: report.found, ..Answer::default() }, report.stats, ms))
    }

    fn row(mut self) -> Row {
        let n_runs: usize = self.ms.iter().map(Vec::len).sum();
        let per_run = |nanoseconds: u64| 1e-6 * nanoseconds as f64 / n_runs as f64;
        let times = self.total.times;
        let total = self.ms.iter().flatten().sum::<f64>() / n_runs as f64;
        let [refit, sets] = [times.refit, times.certify].map(per_run);
        let narrow = per_run(times.narrow) / rayon::current_num_threads() as f64;
        self.row.stages = [refit, (total - refit - sets - narrow).max(0.0), sets, narrow];
        self.row.ms = self.ms.iter().map(|times| median(times)).collect();
        self.row
    }
}

/// Lets every method answer every step, `repeat` times, and compares with the reference in the
/// first repetition. Returns the number of contacts of each step, and the rows in the order of
/// [`METHODS`].
pub(super) fn race(scene: &Scene, steps: &[usize], repeat: usize) -> Result<(Vec<u64>, Vec<Row>)> {
    let frames = Frames { parts: scene.parts(), rest: scene.rest.clone() };
    let mut models = Vec::new();
    for part in &frames.parts {
        let rest = part.pose(&scene.rest);
        models.push(Arc::new(Model::new(Mesh::new(part.faces.clone(), rest.len())?, &rest)?));
    }
    let racers = METHODS.iter().map(|&method| Racer::new(method, &frames, &models, steps.len()));
    let mut racers = racers.collect::<Result<Vec<_>>>()?;
    // Data computed once per model and per body is not measured.
    let first = [steps[0], steps[0] + 1].map(|frame| frames.poses(scene, frame));
    for racer in &mut racers {
        racer.run([&first[0], &first[1]])?;
    }
    let mut contacts = Vec::new();
    for repetition in 0..repeat {
        for (k, &step) in steps.iter().enumerate() {
            let [from, to] = [step, step + 1].map(|frame| frames.poses(scene, frame));
            let mut answers: Vec<Answer> = METHODS.iter().map(|_| Answer::default()).collect();
            for turn in 0..METHODS.len() {
                // A different method starts each time.
                let i = (turn + k + repetition) % METHODS.len();
                let (answer, stats, ms) = racers[i].run([&from, &to])?;
                racers[i].ms[k].push(ms);
                racers[i].total += stats;
                if repetition == 0 {
                    let row = &mut racers[i].row;
                    row.tests.push(stats.narrow.queries);
                    row.stats += stats;
                    row.n_culled += usize::from(stats.sets.marked != 0);
                    row.found += answer.contacts.len() as u64;
                    answers[i] = answer;
                }
            }
            if repetition == 0 {
                contacts.push(answers[BOXES].contacts.len() as u64);
                for (racer, answer) in racers.iter_mut().zip(&answers) {
                    let difference = answers[BOXES].difference(answer);
                    racer.row.missed += difference.missed;
                    racer.row.extra += difference.extra;
                }
            }
        }
    }
    Ok((contacts, racers.into_iter().map(Racer::row).collect()))
}
