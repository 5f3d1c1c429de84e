//! The methods that are interleaved on the same steps of a scene, and their measurements.

use anyhow::Result;
use osculate::Method;
use osculate::method::{Chromatic, Refit, SetTests, SphereTree, Volume};
use osculate_scenes::Scene;

use crate::compare::objects::{Question, race_objects};
use crate::compare::race::Timed;

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
    pub(super) timed: Timed,
}

impl Row {
    /// For each step, the number of elementary tests.
    pub(super) fn tests(&self) -> impl Iterator<Item = u64> {
        self.timed.of_steps.iter().map(|stats| stats.narrow.queries)
    }

    /// The number of steps in which sets were culled.
    pub(super) fn n_culled(&self) -> usize {
        self.timed.of_steps.iter().filter(|stats| stats.sets.marked != 0).count()
    }
}

/// Returns the number of contacts of each step, and the rows in the order of [`METHODS`].
pub(super) fn race(scene: &Scene, steps: &[usize], repeat: usize) -> Result<(Vec<u64>, Vec<Row>)> {
    let (contacts, timed) = race_objects(scene, Question::Contacts, &METHODS, BOXES, steps, repeat)?;
    let rows = METHODS.into_iter().zip(timed).map(|(method, timed)| Row { method, timed });
    Ok((contacts, rows.collect()))
}
