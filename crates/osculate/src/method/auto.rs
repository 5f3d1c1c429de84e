//! The default method: for each body, bounding volume hierarchies or normal cones, whichever is
//! expected to be faster.
//!
//! Normal cones cull most of a step, but need a tree of patches, which takes longer to build than
//! the hierarchy that every model has. A body is therefore traversed by the hierarchy at its first
//! pose, so that a mesh that is seen once does not wait for a tree, and by its tree of patches from
//! the next pose on. Small bodies never gain from proofs. If proofs clear little of a body, they
//! are skipped for some queries, and for more the longer they do not pay, as in
//! [`NormalCone`](super::NormalCone). The choice is made for each body on its own; it depends on
//! the calls made so far only, never on time.
//!
//! Guarantee: complete.

use super::MethodFacts;
use super::patches::{self, PatchState, PatchTree, Proving};
use crate::body::{Body, Keep};
use crate::bounds::{Reach, Volume};
use crate::certificate::{self, Certificate, Surface};
use crate::engine::{Culling, Stage};
use crate::options::{Method, NormalCone};
use crate::scene::Sinks;
use crate::stats::AutoStats;

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "auto",
    line: "for each body, bvh at its first pose, then normal-cone where proofs pay",
    method: Method::Auto,
    own_options: &[],
    has_volume: false,
    gains_from: None,
    is_baseline: false,
};

/// Triangle count below which proofs never pay: patches of so few triangles are seldom flat enough.
/// Too low, and small bodies get a tree that they hardly use; too high, and bodies of medium size
/// miss the speed-up. The constant comes from the tables in `docs/auto.md`.
const LEAST_TRIANGLES: usize = 1000;

/// The method.
pub(super) struct Auto;

/// The version of the pose at which a body was first seen.
struct FirstPose(u64);

impl Keep for FirstPose {}

impl Culling for Auto {
    fn prepare(&self, stage: &mut Stage) {
        for body in &mut *stage.parts.bodies {
            // Whoever prepares bodies ahead will ask for more than one pose.
            let version = if stage.is_ahead { u64::MAX } else { body.version };
            body.kept.get_or(|| FirstPose(version));
        }
        patches::prepare(self, stage);
        let of_bodies = stage.parts.bodies.iter().filter(|body| !body.is_removed);
        of_bodies.for_each(|body| count(body, stage.reach, &mut stage.stats.auto));
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        patches::stream(self, stage, sinks);
    }
}

impl Proving for Auto {
    fn volume(&self) -> Volume {
        NormalCone::new().volume
    }

    fn may_rest(&self) -> bool {
        true
    }

    fn keeps_front(&self) -> bool {
        false
    }

    fn suits(&self, body: &Body) -> bool {
        !is_small(body) && !is_at_first_pose(body)
    }

    fn prove(&self, state: &mut PatchState, surface: Surface, is_instant: bool) -> certificate::Stats {
        NormalCone::new().prove(state, surface, is_instant)
    }

    fn certificate<'a>(&self, state: &'a PatchState, surface: Surface<'a>) -> Box<dyn Certificate + 'a> {
        NormalCone::new().certificate(state, surface)
    }
}

fn is_small(body: &Body) -> bool {
    body.model.mesh().triangles().len() < LEAST_TRIANGLES
}

/// Whether the body is at the pose at which it was first seen, and its model has no tree of patches
/// yet.
fn is_at_first_pose(body: &Body) -> bool {
    let is_first = body.kept.get::<FirstPose>().is_some_and(|first| first.0 == body.version);
    is_first && body.model.known::<PatchTree>().is_none()
}

/// Counts how a body is traversed, and why.
fn count(body: &Body, reach: Reach, stats: &mut AutoStats) {
    let n = if !body.has_proofs(reach) {
        &mut stats.without_proofs
    } else if is_small(body) {
        &mut stats.small
    } else if PatchState::is_walked(body) {
        &mut stats.proofs
    } else if body.kept.get::<PatchState>().is_some() {
        &mut stats.resting
    } else {
        &mut stats.first
    };
    *n += 1;
}
