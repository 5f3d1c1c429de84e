//! Normal cones with a contour test: a walk that leaves out patches, and pairs of adjacent patches,
//! which are proven not to touch themselves throughout the step (paper 004; methods 7).
//!
//! Guarantee: complete, for any surface. The proofs speak of surfaces without thickness: with a
//! minimum separation this is a plain walk.

use super::patches::{self, PatchState, Proving};
use crate::bounds::Volume;
use crate::certificate::{self, Certificate, ConeTest, Proofs, Surface};
use crate::engine::{Culling, Stage};
use crate::query::NormalCone;
use crate::scene::Sinks;

impl Culling for NormalCone {
    fn prepare(&self, stage: &mut Stage) {
        patches::prepare(self, stage);
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        patches::stream(self, stage, sinks);
    }
}

impl Proving for NormalCone {
    fn volume(&self) -> Volume {
        self.volume
    }

    fn may_rest(&self) -> bool {
        true
    }

    /// What a front holds is about proofs for pairs.
    fn keeps_front(&self) -> bool {
        self.front && self.pairs
    }

    fn prove(&self, state: &mut PatchState, surface: Surface, is_instant: bool) -> certificate::Stats {
        if self.front {
            state.front.begin(surface.hierarchy.n_nodes());
        }
        state.normals.refit(surface.hierarchy, surface.lines, is_instant);
        let PatchState { cleared, normals, .. } = state;
        cleared.refit(surface, &self.test(normals))
    }

    fn certificate<'a>(&self, state: &'a PatchState, surface: Surface<'a>) -> Box<dyn Certificate + 'a> {
        Box::new(self.proofs(state, surface))
    }
}

impl NormalCone {
    /// The test of a patch.
    fn test<'a>(&self, normals: &'a certificate::Normals) -> ConeTest<'a> {
        let NormalCone { second_kernel, simple, radial, .. } = *self;
        ConeTest { normals, second_kernel, simple, radial }
    }

    /// What has been proven of a body.
    pub(super) fn proofs<'a>(&self, state: &'a PatchState, surface: Surface<'a>) -> Proofs<'a, ConeTest<'a>> {
        let test = self.pairs.then(|| self.test(&state.normals));
        Proofs { cleared: &state.cleared, surface, test }
    }
}
