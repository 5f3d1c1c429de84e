//! The default method: for each body, bounding volume hierarchies or normal cones, whichever is
//! expected to be faster; for crowds that are posed by parameters, sphere trees.
//!
//! Normal cones cull most of a step, but need a tree of patches, which takes longer to build than
//! the hierarchy of a model, and that takes longer than a tree along a space-filling curve. A mesh
//! whose crossings at one pose are wanted waits for neither: bodies are traversed by the tree that
//! is quickest to build for crossings at their first pose, and by their tree of patches from the
//! next pose or the first step on. Small bodies never gain from proofs. If proofs clear little of a
//! body, they are skipped for some queries, and for more the longer they do not pay, as in
//! [`NormalCone`](super::NormalCone).
//!
//! If bodies are posed by parameters, and none is tested against itself, no proof needs the
//! vertices of a whole body. Then sphere trees place vertices only where bodies are close.
//!
//! The choice depends on the calls made so far only, never on time.
//!
//! Guarantee: complete.

use super::MethodFacts;
use super::patches::{self, PatchState, PatchTree, Proving};
use crate::body::{Body, Keep};
use crate::bounds::{Reach, Sweep, Volume};
use crate::certificate::{self, Certificate, Surface};
use crate::engine::{Culling, Stage, is_allowed, may_touch};
use crate::model::ModelTree;
use crate::options::{Method, NormalCone, SphereTree};
use crate::scene::Sinks;
use crate::stats::AutoStats;
use crate::threads;

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "auto",
    line: "for each body, normal-cone where proofs pay, else bvh; sphere-tree for posed crowds",
    method: Method::Auto,
    own_options: &[],
    has_volume: false,
    gains_from: None,
    is_baseline: false,
};

/// Triangle count below which proofs never pay: patches of so few triangles are seldom flat enough.
/// Too low, and small bodies get a tree that they hardly use; too high, and bodies of medium size
/// miss the speed-up. The constant comes from the tables in `docs/auto.md`.
const LEAST_TRIANGLES: usize = 2000;

/// The method.
pub(super) struct Auto;

/// How a body was first seen.
struct FirstPose {
    /// The version of its pose.
    version: u64,
    /// Whether its model had no hierarchy then.
    is_bare: bool,
}

impl Keep for FirstPose {}

/// Whether the current pass is that of sphere trees.
#[derive(Default)]
struct IsCrowd(bool);

impl Keep for IsCrowd {}

impl Culling for Auto {
    fn prepare(&self, stage: &mut Stage) {
        let is_crowd = is_crowd(stage);
        stage.parts.memory.get_or(IsCrowd::default).0 = is_crowd;
        if is_crowd {
            SphereTree::new().prepare(stage);
            let of_bodies = stage.parts.bodies.iter().filter(|body| !body.is_removed);
            stage.stats.auto.crowd += of_bodies.count() as u64;
            return;
        }
        for body in &mut *stage.parts.bodies {
            // Whoever prepares bodies ahead will ask for more than one pose.
            let version = if stage.is_ahead { u64::MAX } else { body.version };
            let is_bare = body.model.known::<ModelTree>().is_none();
            body.kept.get_or(|| FirstPose { version, is_bare });
        }
        patches::prepare(self, stage);
        let of_bodies = stage.parts.bodies.iter().filter(|body| !body.is_removed);
        of_bodies.for_each(|body| count(body, stage.reach, &mut stage.stats.auto));
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        if was_crowd(stage) {
            SphereTree::new().stream(stage, sinks);
        } else {
            patches::stream(self, stage, sinks);
        }
    }

    fn n_workers(&self, stage: &Stage) -> usize {
        if was_crowd(stage) { SphereTree::new().n_workers(stage) } else { threads::count() }
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

    fn suits(&self, body: &Body, sweep: Sweep) -> bool {
        !(is_small(body) || sweep == Sweep::Start && is_at_first_pose(body))
    }

    fn is_seen_once(&self, body: &Body, sweep: Sweep) -> bool {
        let is_bare = body.kept.get::<FirstPose>().is_some_and(|first| first.is_bare);
        is_bare && sweep == Sweep::Start && !is_small(body) && is_at_first_pose(body)
    }

    fn prove(&self, state: &mut PatchState, surface: Surface, is_instant: bool) -> certificate::Stats {
        NormalCone::new().prove(state, surface, is_instant)
    }

    fn certificate<'a>(&self, state: &'a PatchState, surface: Surface<'a>) -> Box<dyn Certificate + 'a> {
        NormalCone::new().certificate(state, surface)
    }
}

/// Whether bodies are posed by parameters, and none is tested against itself.
fn is_crowd(stage: &Stage) -> bool {
    let (bodies, query) = (&*stage.parts.bodies, stage.query);
    let n_posed = bodies.iter().filter(|body| body.placement.is_some()).count();
    2 <= n_posed && (0..bodies.len()).all(|i| !may_touch(bodies, i, i) || !is_allowed(query, [i, i]))
}

/// Whether the pass was prepared by sphere trees.
fn was_crowd(stage: &Stage) -> bool {
    stage.parts.memory.get::<IsCrowd>().is_some_and(|is_crowd| is_crowd.0)
}

fn is_small(body: &Body) -> bool {
    body.model.mesh().triangles().len() < LEAST_TRIANGLES
}

/// Whether the body is at the pose at which it was first seen, and its model has no tree of patches
/// yet.
fn is_at_first_pose(body: &Body) -> bool {
    let is_first = body.kept.get::<FirstPose>().is_some_and(|first| first.version == body.version);
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
