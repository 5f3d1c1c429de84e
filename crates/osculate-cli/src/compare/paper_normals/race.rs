//! Interleaves methods on the same steps of a scene, which is posed by its parameters.
//!
//! The measured time is that of posing the body by its parameters and of the query. Methods that
//! need all vertices move them within the query.

use std::sync::Arc;

use anyhow::Result;
use osculate::method::{BnTree, Guarantee, NormalCone, Rival, Volume};
use osculate::{BodyId, Method, Query, World};
use osculate_scenes::Scene;

use crate::agreement::Answer;
use crate::clock::now;
use crate::compare::race::{self, Racer, Run, Timed};

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
    pub(super) timed: Timed,
    /// Milliseconds of the first query, which computes data once, in addition to those of the same
    /// step later.
    pub(super) build_ms: f64,
    /// Bytes that the first query allocates: data computed once, and data kept for the body.
    pub(super) bytes: usize,
}

impl Row {
    /// Whether the method found what it guarantees.
    pub(super) fn keeps_its_word(&self) -> bool {
        let Timed { missed, extra, .. } = self.timed;
        extra == 0 && (missed == 0 || self.method.guarantee() == Guarantee::Nothing)
    }
}

/// A method with its own model and world.
struct Body<'a> {
    scene: &'a Scene,
    method: Method,
    world: World,
    body: BodyId,
    first_ms: f64,
    bytes: usize,
}

impl<'a> Body<'a> {
    /// Answers the first step.
    fn new(scene: &'a Scene, method: Method, first: usize) -> Result<Body<'a>> {
        let mut world = World::new();
        let body = world.add(Arc::new(scene.model()?), scene.model_pose(0))?;
        let before = world.memory_bytes();
        let mut racer = Body { scene, method, world, body, first_ms: 0.0, bytes: 0 };
        racer.first_ms = racer.run(&first)?.ms;
        racer.bytes = racer.world.memory_bytes().saturating_sub(before);
        Ok(racer)
    }
}

impl Racer for Body<'_> {
    type Step = usize;

    fn run(&mut self, &step: &usize) -> Result<Run> {
        let start = now();
        self.world.set_pose(self.body, self.scene.model_pose(step))?;
        let next = [(self.body, self.scene.model_pose(step + 1))];
        let report = self.world.contacts(&next, &Query::all().method(self.method))?;
        let ms = 1e-6 * (now() - start) as f64;
        Ok(Run { answer: Answer { contacts: report.found, ..Answer::default() }, stats: report.stats, ms })
    }
}

/// Returns the number of contacts of each step, and the rows in the order of [`METHODS`].
pub(super) fn race(scene: &Scene, steps: &[usize], repeat: usize) -> Result<(Vec<u64>, Vec<Row>)> {
    let racers = METHODS.iter().map(|&method| Body::new(scene, method, steps[0]));
    let mut racers = racers.collect::<Result<Vec<_>>>()?;
    let (contacts, timed) = race::race(&mut racers, REFEREE, steps, repeat, |step| step)?;
    let row = |(Body { method, first_ms, bytes, .. }, timed): (Body, Timed)| {
        let build_ms = (first_ms - timed.ms[0]).max(0.0);
        Row { method, timed, build_ms, bytes }
    };
    Ok((contacts, racers.into_iter().zip(timed).map(row).collect()))
}
