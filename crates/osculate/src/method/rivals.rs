//! Culling tests of other papers, for comparison: the same traversal with another certificate
//! (methods 2.8 to 2.10).
//!
//! Guarantee: `hsc` and `cbc` are complete, `sct` is complete for crossings at an instant; `mcd`
//! and `hsc:no-contour` are heuristics that miss contacts.

use super::patches::{self, PatchState, Proving};
use super::{MethodFacts, MethodOption};
use crate::bounds::Volume;
use crate::certificate::{self, CbcTest, Certificate, HscTest, Instants, McdTest, Proofs, SctTest, Surface};
use crate::engine::{Culling, Stage};
use crate::options::{Method, Rival};
use crate::scene::Sinks;

pub(super) const HSC: MethodFacts = MethodFacts {
    // The boxes of `normal-cone`, with which it is compared.
    method: Method::Rival(Rival::Hsc { contour: true }, Volume::MovingAabb),
    own_options: &[MethodOption::new(
        "no-contour",
        "no contour test, as in the paper: may miss contacts",
        |method| {
            if let Method::Rival(Rival::Hsc { contour }, _) = method {
                *contour = false;
            }
        },
    )],
    ..facts(
        "hsc",
        "culls patches with a common direction of normals, by bit masks, and a contour test",
        Rival::Hsc { contour: true },
    )
};
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
        if let Rival::Hsc { contour } = self.0 {
            if contour {
                masks.refit_proven(hierarchy, lines, is_instant);
            } else {
                masks.refit(hierarchy, lines, if is_instant { Instants::Start } else { Instants::Ends });
            }
            return cleared.refit(surface, &HscTest { masks, contour });
        }
        cones.refit(hierarchy, lines);
        match self.0 {
            Rival::Sct => cleared.refit(surface, &SctTest(cones)),
            Rival::Cbc => cleared.refit(surface, &CbcTest(cones)),
            Rival::Mcd | Rival::Hsc { .. } => cleared.refit(surface, &McdTest(cones)),
        }
    }

    fn certificate<'a>(&self, state: &'a PatchState, surface: Surface<'a>) -> Box<dyn Certificate + 'a> {
        let PatchState { cleared, cones, masks, .. } = state;
        match self.0 {
            Rival::Hsc { contour } => {
                Box::new(Proofs { cleared, surface, test: Some(HscTest { masks, contour }) })
            }
            Rival::Sct => Box::new(Proofs { cleared, surface, test: Some(SctTest(cones)) }),
            Rival::Cbc => Box::new(Proofs { cleared, surface, test: Some(CbcTest(cones)) }),
            Rival::Mcd => Box::new(Proofs { cleared, surface, test: Some(McdTest(cones)) }),
        }
    }
}
