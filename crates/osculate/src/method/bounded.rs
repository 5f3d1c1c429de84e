//! Shared by methods with bounded normals: the intervals of a model, and the proofs about a body
//! that is posed by parameters.

use super::patches::PatchTree;
use crate::Model;
use crate::body::Keep;
use crate::certificate::{
    self, BoundedProofs, BoundedTest, Cleared, Facing, Governing, NormalIntervals, Patience, Placer,
};
use crate::model::Derive;
use crate::threads;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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

/// The share of vertices below which bounded normals are faster than normal cones; measured on
/// bodies of 6,000 to 250,000 triangles.
const PAYING_SHARE: f64 = 0.2;

/// Bounds that a worker computes at a time.
const GRAIN: usize = 64;

/// The data kept for the proofs about a body.
#[derive(Default)]
pub(super) struct BoundedState {
    pub(super) cleared: Cleared,
    /// The pose at the start of the step, and at its end, and bounds of normals there.
    poses: [Governing; 2],
    bounds: Vec<OnceLock<Box<Facing>>>,
    /// Which of the bounds are used in this step, and which ones were in the last.
    used: Vec<AtomicBool>,
    expected: Vec<u32>,
    has_end: bool,
    contour: bool,
    patience: Patience,
    /// Whether the body was proven in the last step.
    is_proven: bool,
}

impl BoundedState {
    /// Whether bounded normals are worth a try: they pay as long as few vertices are placed, here
    /// given as the share in the last step. Otherwise they are tried again after some steps.
    pub(super) fn is_due(&mut self, share: f64) -> bool {
        if std::mem::take(&mut self.is_proven) {
            self.patience.remember(share < PAYING_SHARE);
        }
        self.patience.is_due()
    }

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
        let last_end = self.has_end.then(|| std::mem::take(&mut self.poses[1]));
        (self.has_end, self.contour) = (end.is_some(), contour);
        if let Some(governors) = model.governors() {
            for (pose, parameters) in self.poses.iter_mut().zip(std::iter::once(start).chain(end)) {
                pose.set(placer.deformer, governors, parameters);
            }
        }
        self.is_proven = true;
        let goes_on = last_end.is_some_and(|last_end| last_end == self.poses[0]);
        self.compute_expected(model, goes_on);
        let mut cleared = std::mem::take(&mut self.cleared);
        let stats = cleared.refit_on_demand(&self.test(model), placer);
        self.cleared = cleared;
        stats
    }

    /// Computes the bounds that were used in the last step, and forgets all others. Most of them
    /// will be used again; all at once, in the order of memory, they take less time. If the step
    /// goes on where the last one ended, so do the gradients.
    fn compute_expected(&mut self, model: &Model, goes_on: bool) {
        let n_bounds = model.derived::<NormalIntervals>().n_bounds();
        if self.bounds.len() != n_bounds {
            (self.bounds, self.used, self.expected) = Default::default();
            self.bounds.resize_with(n_bounds, OnceLock::new);
            self.used.resize_with(n_bounds, AtomicBool::default);
        }
        for at in self.expected.drain(..).filter(|&at| !self.used[at as usize].load(Relaxed)) {
            self.bounds[at as usize].take();
        }
        let mut last = Vec::new();
        for ((used, bound), at) in self.used.iter_mut().zip(&mut self.bounds).zip(0..) {
            if std::mem::take(used.get_mut()) {
                last.push((at, bound.take().filter(|_| goes_on)));
                self.expected.push(at);
            }
        }
        let test = self.test(model);
        threads::for_each(last.chunks_mut(GRAIN), |bounds| {
            bounds.iter_mut().for_each(|(at, last)| test.go_on(*at, last.take()));
        });
    }

    fn test<'a>(&'a self, model: &'a Model) -> BoundedTest<'a> {
        let PatchTree { hierarchy, patches } = model.derived();
        let [start, end] = &self.poses;
        let end = self.has_end.then_some(end);
        let (bounds, used, contour) = (&*self.bounds, &*self.used, self.contour);
        BoundedTest { hierarchy, patches, intervals: model.derived(), start, end, bounds, used, contour }
    }

    /// The certificate of the body.
    pub(super) fn proofs<'a>(&'a self, model: &'a Model) -> BoundedProofs<'a> {
        BoundedProofs { cleared: &self.cleared, test: self.test(model) }
    }
}

impl Keep for BoundedState {
    fn memory_bytes(&self, _: &Model) -> usize {
        let n_computed = self.bounds.iter().filter(|bound| bound.get().is_some()).count();
        self.cleared.memory_bytes()
            + self.poses.iter().map(Governing::memory_bytes).sum::<usize>()
            + size_of_val(self.bounds.as_slice())
            + size_of_val(self.used.as_slice())
            + size_of_val(self.expected.as_slice())
            + n_computed * size_of::<Facing>()
    }
}
