//! Culling tests of other papers, for comparison: the same traversal with another certificate
//! (methods 2.8 to 2.10).
//!
//! Guarantee: `cbc` is complete, `sct` is complete for crossings at an instant; `mcd` and `vmt94`
//! are heuristics that miss contacts.

use super::MethodFacts;
use super::patches::{self, PatchState, Proving};
use crate::bounds::Volume;
use crate::certificate::{
    self, CbcTest, Certificate, Instants, McdTest, Proofs, SctTest, Surface, Vmt94Test,
};
use crate::engine::{Culling, Stage};
use crate::options::{Method, Rival};
use crate::scene::Sinks;

pub(super) const VMT94: MethodFacts = facts(
    "vmt94",
    "culls patches with a common direction of normals, contour untested: may miss contacts",
    Rival::Vmt94,
);
pub(super) const SCT: MethodFacts =
    facts("sct", "culls patches with narrow normals and star-shaped contours; crossings only", Rival::Sct);
pub(super) const CBC: MethodFacts =
    facts("cbc", "culls patches with narrow normals, contour edges compared in pairs", Rival::Cbc);
pub(super) const MCD: MethodFacts =
    facts("mcd", "culls patches with narrow normals, contour untested: may miss contacts", Rival::Mcd);

const fn facts(name: &'static str, line: &'static str, rival: Rival) -> MethodFacts {
    MethodFacts {
        name,
        line,
        method: Method::Rival(rival, Volume::Dop16),
        own_options: &[],
        has_volume: true,
        gains_from: None,
        is_baseline: true,
    }
}

/// A test, and the bounding volume of its traversal.
pub(super) struct RivalWalk(pub(super) Rival, pub(super) Volume);

impl Culling for RivalWalk {
    fn prepare(&self, stage: &mut Stage) {
        patches::prepare(self, stage);
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        patches::stream(self, stage, sinks);
    }
}

impl Proving for RivalWalk {
    fn volume(&self) -> Volume {
        self.1
    }

    fn may_rest(&self) -> bool {
        false
    }

    fn keeps_front(&self) -> bool {
        false
    }

    fn prove(&self, state: &mut PatchState, surface: Surface, is_instant: bool) -> certificate::Stats {
        let PatchState { cleared, cones, masks, .. } = state;
        let Surface { hierarchy, lines, .. } = surface;
        if self.0 == Rival::Vmt94 {
            masks.refit(hierarchy, lines, if is_instant { Instants::Start } else { Instants::Ends });
            return cleared.refit(surface, &Vmt94Test(masks));
        }
        cones.refit(hierarchy, lines);
        match self.0 {
            Rival::Sct => cleared.refit(surface, &SctTest(cones)),
            Rival::Cbc => cleared.refit(surface, &CbcTest(cones)),
            Rival::Mcd | Rival::Vmt94 => cleared.refit(surface, &McdTest(cones)),
        }
    }

    fn certificate<'a>(&self, state: &'a PatchState, surface: Surface<'a>) -> Box<dyn Certificate + 'a> {
        let PatchState { cleared, cones, masks, .. } = state;
        match self.0 {
            Rival::Vmt94 => Box::new(Proofs { cleared, surface, test: Some(Vmt94Test(masks)) }),
            Rival::Sct => Box::new(Proofs { cleared, surface, test: Some(SctTest(cones)) }),
            Rival::Cbc => Box::new(Proofs { cleared, surface, test: Some(CbcTest(cones)) }),
            Rival::Mcd => Box::new(Proofs { cleared, surface, test: Some(McdTest(cones)) }),
        }
    }
}
