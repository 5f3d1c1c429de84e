//! What can be shown of the method: the colors of a model, and how far the triangles of a body got
//! in the last query.

use super::Memory;
use super::sets::Decomposition;
use crate::Model;
use crate::body::Kept;
use crate::chromatic::{Coloring, Size};

/// How far a triangle got in the stages of chromatic decomposition; a later stage is greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SetStage {
    /// Its bounds overlap those of no triangle that is not adjacent: it was culled by stage I.
    #[default]
    NoPair,
    /// It has candidate pairs, but is proven apart from all sets: it was culled by stage II.
    Apart,
    /// It is left.
    Left,
}

impl Model {
    /// The colors of the triangles for [chromatic decomposition](crate::Method::Chromatic), in
    /// primitives of the given size; computed by the first call or query, and the same for every
    /// body of the model.
    #[must_use]
    pub fn coloring(&self, size: Size) -> &Coloring {
        &Decomposition::of(self, size).coloring
    }
}

/// Forgets what tests of sets left, at the start of a query.
pub(crate) fn forget_sets(kept: &mut Kept) {
    if let Some(memory) = kept.get_mut::<Memory>() {
        memory.outcomes.clear();
    }
}

/// For each of the `n` triangles of a body, how far it got in the last query, with any body; `None`
/// if sets of the body were not tested.
pub(crate) fn set_stages(kept: &Kept, body: usize, n: usize) -> Option<Vec<SetStage>> {
    let outcomes = &kept.get::<Memory>()?.outcomes;
    let mut stages: Option<Vec<SetStage>> = None;
    for (pair, outcome) in outcomes {
        for side in (0..2).filter(|&side| pair[side] == body) {
            let known = stages.get_or_insert_with(|| vec![SetStage::NoPair; n]);
            known
                .iter_mut()
                .zip(&outcome.stages[side])
                .for_each(|(known, &stage)| *known = stage.max(*known));
        }
    }
    stages
}
