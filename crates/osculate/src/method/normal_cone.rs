//! Normal cones with a contour test: patches, and pairs of adjacent patches, that are proven free
//! of self-collisions during the step are culled (paper 004).
//!
//! Guarantee: complete, for any surface. The proofs hold for surfaces without thickness: with a
//! minimum separation, only bounds cull.

use super::patches::{self, PatchState, Proving};
use super::{MethodFacts, MethodOption};
use crate::bounds::Volume;
use crate::certificate::{self, Certificate, Cleared, ConeTest, Normals, Proofs, Surface};
use crate::engine::{Culling, Stage};
use crate::options::{Method, NormalCone};
use crate::scene::Sinks;

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "normal-cone",
    line: "culls patches that normal cones and a contour test prove not to touch themselves",
    method: Method::NormalCone(NormalCone::new()),
    own_options: &[
        MethodOption::new("front", "start where the last traversal stopped", |method| {
            change(method, |how| how.front(true))
        })
        .compared(),
        MethodOption::new("radial", "test patches as seen from a point, too", |method| {
            change(method, |how| how.radial(true))
        })
        .compared(),
        MethodOption::new("no-pairs", "no tests of adjacent patches", |method| {
            change(method, |how| how.pairs(false))
        })
        .compared(),
        MethodOption::new("simple", "compare edges of short contours in pairs", |method| {
            change(method, |how| how.simple(true));
        }),
        MethodOption::new("one-kernel", "no second kernel point", |method| {
            change(method, |how| how.second_kernel(false));
        }),
    ],
    has_volume: true,
    gains_from: None,
    is_baseline: false,
};

fn change(method: &mut Method, to: impl Fn(NormalCone) -> NormalCone) {
    if let Method::NormalCone(how) = method {
        *how = to(*how);
    }
}

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

    /// A front is about proofs for pairs.
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
        Box::new(self.proofs(&state.cleared, &state.normals, surface))
    }
}

impl NormalCone {
    /// The test of patches.
    pub(super) fn test<'a>(&self, normals: &'a Normals) -> ConeTest<'a> {
        let NormalCone { second_kernel, simple, radial, .. } = *self;
        ConeTest { normals, second_kernel, simple, radial }
    }

    /// The certificate of a body.
    pub(super) fn proofs<'a>(
        &self,
        cleared: &'a Cleared,
        normals: &'a Normals,
        surface: Surface<'a>,
    ) -> Proofs<'a, ConeTest<'a>> {
        Proofs { cleared, surface, test: self.pairs.then(|| self.test(normals)) }
    }
}
