//! Shared by methods with bounded normals: the intervals of a model, and the proofs about a body
//! that is posed by parameters.

use super::patches::PatchTree;
use crate::Model;
use crate::body::Keep;
use crate::certificate::{
    self, BoundedProofs, BoundedTest, Cleared, Facing, Governing, NormalIntervals, Pairs, Placer,
};
use crate::model::Derive;
use std::sync::OnceLock;

impl Derive for NormalIntervals {
    /// Those of the tree of patches; empty if vertices have no governors.
    fn derive(model: &Model) -> NormalIntervals {
        let PatchTree { hierarchy, patches } = model.derived();
        let of = |governors| NormalIntervals::new(hierarchy, patches, governors);
        model.governors().map_or_else(NormalIntervals::default, of)
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        NormalIntervals::memory_bytes(self)
    }
}

/// The data kept for the proofs about a body.
#[derive(Default)]
pub(super) struct BoundedState {
    cleared: Cleared,
    pairs: Pairs,
    /// The pose at the start of the step, and at its end, and bounds of normals there.
    poses: [Governing; 2],
    bounds: Vec<OnceLock<Box<Facing>>>,
    has_end: bool,
    contour: bool,
}

impl BoundedState {
    /// Finds patches of a body that do not self-collide in the step, or at its start.
    pub(super) fn prove(
        &mut self,
        model: &Model,
        placer: &mut Placer,
        is_instant: bool,
        contour: bool,
    ) -> certificate::Stats {
        let (start, end) = placer.placement.ends();
        let end = end.filter(|_| !is_instant);
        (self.has_end, self.contour) = (end.is_some(), contour);
        if let Some(governors) = model.governors() {
            for (pose, parameters) in self.poses.iter_mut().zip(std::iter::once(start).chain(end)) {
                pose.set(placer.deformer, governors, parameters);
            }
        }
        self.bounds.iter_mut().for_each(|bound| _ = bound.take());
        self.bounds.resize_with(model.derived::<NormalIntervals>().n_bounds(), OnceLock::new);
        let mut cleared = std::mem::take(&mut self.cleared);
        self.pairs.trim(model.derived::<PatchTree>().hierarchy.n_nodes());
        let stats = cleared.refit_on_demand(&self.test(model), placer);
        self.cleared = cleared;
        stats
    }

    fn test<'a>(&'a self, model: &'a Model) -> BoundedTest<'a> {
        let PatchTree { hierarchy, patches } = model.derived();
        let [start, end] = &self.poses;
        let end = self.has_end.then_some(end);
        let (intervals, bounds, contour) = (model.derived(), &*self.bounds, self.contour);
        BoundedTest { hierarchy, patches, intervals, start, end, bounds, contour }
    }

    /// The certificate of the body.
    pub(super) fn proofs<'a>(&'a self, model: &'a Model) -> BoundedProofs<'a> {
        BoundedProofs { cleared: &self.cleared, pairs: &self.pairs, test: self.test(model) }
    }
}

impl Keep for BoundedState {
    fn memory_bytes(&self, _: &Model) -> usize {
        let n_computed = self.bounds.iter().filter(|bound| bound.get().is_some()).count();
        self.cleared.memory_bytes()
            + self.pairs.memory_bytes()
            + self.poses.iter().map(Governing::memory_bytes).sum::<usize>()
            + size_of_val(self.bounds.as_slice())
            + n_computed * size_of::<Facing>()
    }
}
