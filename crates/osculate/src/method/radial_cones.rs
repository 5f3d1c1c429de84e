//! Radial view culling and normal cones in one traversal: pairs of triangles that the observers of
//! a body leave are culled too if they are below a patch of a cluster, or between two, that normal
//! cones prove free of self-collisions (papers 000 and 004).
//!
//! Guarantee: that of radial view culling. A pair of triangles culled by a proof does not touch, so
//! neither do the features that it owns.

use super::radial::walked_state;
use crate::Model;
use crate::body::{Body, Keep};
use crate::bounds::Sweep;
use crate::certificate::{self, Cleared, Normals, Surface};
use crate::engine::{Culling, Met, Stage};
use crate::hierarchy::Patches;
use crate::model::Derive;
use crate::motion::Line;
use crate::options::{NormalCone, Radial};
use crate::radial::ClusterTree;
use crate::scene::Sinks;
use crate::threads;

/// The options of radial view culling.
pub(super) struct RadialCones(pub(super) Radial);

impl Culling for RadialCones {
    fn prepare(&self, stage: &mut Stage) {
        self.0.prepare(stage);
        if stage.reach.sweep == Sweep::Start {
            return;
        }
        let (start, step) = (stage.now(), &*stage.parts.step);
        let prove = |body: &mut Body| prove(body, &step.lines()[body.vertices.clone()]);
        let of_bodies = threads::map(&mut *stage.parts.bodies, prove);
        of_bodies.into_iter().for_each(|of_body| stage.stats.certificates += of_body);
        stage.stats.times.certify += stage.since(start);
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        self.0.stream_with(stage, sinks, |body, lines| {
            let proofs = body.kept.get::<ClusterProofs>().filter(|proofs| proofs.is_walked)?;
            let surface = surface(&body.model, lines);
            Some(Box::new(NormalCone::new().proofs(&proofs.cleared, &proofs.normals, surface)))
        });
    }

    fn learns_from_contacts(&self) -> bool {
        self.0.learns_from_contacts()
    }

    fn looks_again(&self, stage: &mut Stage, met: &[Met], n_known: usize) -> bool {
        self.0.looks_again(stage, met, n_known)
    }

    fn finish(&self, stage: &mut Stage, met: Option<&[Met]>) {
        self.0.finish(stage, met);
    }
}

/// Finds patches of the clusters of a body that do not self-collide, if the current pass traverses
/// them.
fn prove(body: &mut Body, lines: &[Line]) -> certificate::Stats {
    let is_walked = walked_state(body).is_some();
    let Body { model, kept, .. } = body;
    let proofs = kept.get_or(ClusterProofs::default);
    proofs.is_walked = is_walked;
    if !is_walked {
        return certificate::Stats::default();
    }
    let surface = surface(model, lines);
    proofs.normals.refit(surface.hierarchy, lines, false);
    proofs.cleared.refit(surface, &NormalCone::new().test(&proofs.normals))
}

fn surface<'a>(model: &'a Model, lines: &'a [Line]) -> Surface<'a> {
    let (tree, patches) = (model.derived::<ClusterTree>(), model.derived::<ClusterPatches>());
    Surface { hierarchy: &tree.hierarchy, patches: &patches.0, lines }
}

/// The proofs about the clusters of a body.
#[derive(Default)]
struct ClusterProofs {
    normals: Normals,
    cleared: Cleared,
    is_walked: bool,
}

impl Keep for ClusterProofs {
    fn memory_bytes(&self, _: &Model) -> usize {
        self.normals.memory_bytes() + self.cleared.memory_bytes()
    }
}

/// The contours of the patches of clusters.
#[derive(Debug)]
struct ClusterPatches(Patches);

impl Derive for ClusterPatches {
    fn derive(model: &Model) -> ClusterPatches {
        ClusterPatches(Patches::of(model.mesh(), &model.derived::<ClusterTree>().hierarchy))
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        self.0.memory_bytes()
    }
}
