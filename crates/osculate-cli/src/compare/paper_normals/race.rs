//! Interleaves methods on the same steps of a scene, which is posed by its parameters.
//!
//! The measured time is that of posing the body by its parameters and of the query. Methods that
//! need all vertices move them within the query.

use std::sync::Arc;

use anyhow::Result;
use osculate::method::{BnTree, Guarantee, NormalCone, Rival, Volume};
use osculate::{BodyId, Method, Query, Stats, World};
use osculate_scenes::Scene;

use super::median;
use crate::agreement::Answer;
use crate::clock::now;

/// The interleaved methods; the last one is the reference.
pub(super) const METHODS: [Method; 6] = [
    Method::BnTree(BnTree::new()),
    Method::BnTree(BnTree::new().contour(false)),
    Method::Rival(Rival::Hsc { contour: true }, Volume::MovingAabb),
    Method::Rival(Rival::Hsc { contour: false }, Volume::MovingAabb),
    Method::NormalCone(NormalCone::new()),
    Method::Bvh(Volume::MovingAabb),
];
pub(super) const BN_TREE: usize = 0;
pub(super) const BN_TREE_OF_PAPER: usize = 1;
pub(super) const HSC: usize = 2;
pub(super) const HSC_OF_PAPER: usize = 3;
pub(super) const NORMAL_CONE: usize = 4;
const REFEREE: usize = METHODS.len() - 1;

/// A method and its measurements.
pub(super) struct Row {
    pub(super) method: Method,
    /// For each step, the median of its milliseconds over all repetitions.
    pub(super) ms: Vec<f64>,
    /// Milliseconds of the first query, which computes data once, in addition to those of the same
    /// step later.
    pub(super) build_ms: f64,
    /// Bytes that the first query allocates: data computed once, and data kept for the body.
    pub(super) bytes: usize,
    /// Sums over all steps of a repetition.
    pub(super) stats: Stats,
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

    /// Whether the method found what it guarantees.
    pub(super) fn keeps_its_word(&self) -> bool {
        self.extra == 0 && (self.missed == 0 || self.method.guarantee() == Guarantee::Nothing)
    }
}

/// A method with its own model and world.
struct Racer<'a> {
    scene: &'a Scene,
    method: Method,
    world: World,
    body: BodyId,
    first_ms: f64,
    bytes: usize,
    /// For each step, its milliseconds in each repetition.
    ms: Vec<Vec<f64>>,
    stats: Stats,
    found: u64,
    missed: usize,
    extra: usize,
}

impl<'a> Racer<'a> {
    /// Answers the first step.
    fn new(scene: &'a Scene, method: Method, steps: &[usize]) -> Result<Racer<'a>> {
        let mut world = World::new();
        let body = world.add(Arc::new(scene.model()?), scene.model_pose(0))?;
        let before = world.memory_bytes();
        let (ms, stats, bytes) = (vec![Vec::new(); steps.len()], Stats::default(), 0);
        let (first_ms, found, missed, extra) = (0.0, 0, 0, 0);
        let mut racer =
            Racer { scene, method, world, body, first_ms, bytes, ms, stats, found, missed, extra };
        racer.first_ms = racer.run(steps[0])?.2;
        racer.bytes = racer.world.memory_bytes().saturating_sub(before);
        Ok(racer)
    }

    /// Returns the contacts of a step, the counts, and the milliseconds.
    fn run(&mut self, step: usize) -> Result<(Answer, Stats, f64)> {
        let start = now();
        self.world.set_pose(self.body, self.scene.model_pose(step))?;
        let next = [(self.body, self.scene.model_pose(step + 1))];
        let report = self.world.contacts(&next, &Query::all().method(self.method))?;
        let ms = 1e-6 * (now() - start) as f64;
        Ok((Answer { contacts: report.found, ..Answer::default() }, report.stats, ms))
    }

    fn row(self) -> Row {
        let ms: Vec<f64> = self.ms.iter().map(|times| median(times)).collect();
        Row {
            method: self.method,
            build_ms: (self.first_ms - ms[0]).max(0.0),
            ms,
            bytes: self.bytes,
            stats: self.stats,
            found: self.found,
            missed: self.missed,
            extra: self.extra,
        }
    }
}

/// Lets every method answer every step, `repeat` times, and compares with the reference in the
/// first repetition. Returns the number of contacts of each step, and the rows in the order of
/// [`METHODS`].
pub(super) fn race(scene: &Scene, steps: &[usize], repeat: usize) -> Result<(Vec<u64>, Vec<Row>)> {
    let racers = METHODS.iter().map(|&method| Racer::new(scene, method, steps));
    let mut racers = racers.collect::<Result<Vec<_>>>()?;
    let mut contacts = Vec::new();
    for repetition in 0..repeat {
        for (k, &step) in steps.iter().enumerate() {
            let mut answers: Vec<Answer> = METHODS.iter().map(|_| Answer::default()).collect();
            for turn in 0..METHODS.len() {
                // A different method starts each time.
                let i = (turn + k + repetition) % METHODS.len();
                let (answer, stats, ms) = racers[i].run(step)?;
                racers[i].ms[k].push(ms);
                if repetition == 0 {
                    racers[i].stats += stats;
                    racers[i].found += answer.contacts.len() as u64;
                    answers[i] = answer;
                }
            }
            if repetition == 0 {
                contacts.push(answers[REFEREE].contacts.len() as u64);
                for (racer, answer) in racers.iter_mut().zip(&answers) {
                    let difference = answers[REFEREE].difference(answer);
                    racer.missed += difference.missed;
                    racer.extra += difference.extra;
                }
            }
        }
    }
    Ok((contacts, racers.into_iter().map(Racer::row).collect()))
}
