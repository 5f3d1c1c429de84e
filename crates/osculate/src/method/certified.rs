//! Walks that leave out patches which do not touch themselves (methods 7.6).
//!
//! Guarantee: that of the test. The one of this library is a proof, so its walk is complete.

use super::{PairSink, Scene, bvh};
use crate::body::Tree;
use crate::certificate::{
    CbcTest, Certified, ConeTest, McdTest, PatchTest, Proofs, SctTest, Surface, Vmt94Test,
};
use crate::query::{NormalCone, Rival, Volume};
use crate::temporal::Evidence;
use crate::traverse::NoMask;
use std::sync::Mutex;

pub(super) fn stream(
    scene: &Scene,
    NormalCone { volume, pairs, second_kernel, simple, radial, front }: NormalCone,
    sinks: &[&Mutex<dyn PairSink + '_>],
) {
    stream_with(
        scene,
        volume,
        // What a front holds is about proofs for pairs.
        front && pairs,
        |e| pairs.then_some(ConeTest { normals: &e.normals, second_kernel, simple, radial }),
        sinks,
    );
}

/// Rivals walk over the given volumes.
pub(super) fn stream_rival(scene: &Scene, rival: Rival, volume: Volume, sinks: &[&Mutex<dyn PairSink + '_>]) {
    match rival {
        Rival::Vmt94 => stream_with(scene, volume, false, |e| Some(Vmt94Test(&e.masks)), sinks),
        Rival::Sct => stream_with(scene, volume, false, |e| Some(SctTest(&e.cones)), sinks),
        Rival::Cbc => stream_with(scene, volume, false, |e| Some(CbcTest(&e.cones)), sinks),
        Rival::Mcd => stream_with(scene, volume, false, |e| Some(McdTest(&e.cones)), sinks),
    }
}

fn stream_with<'a, T: PatchTest>(
    scene: &'a Scene,
    volume: Volume,
    keeps_front: bool,
    test: impl Fn(&'a Evidence) -> Option<T> + Sync,
    sinks: &[&Mutex<dyn PairSink + '_>],
) {
    let has_proofs = |body: usize| scene.bodies[body].walked == Tree::Patches;
    let certificate = |i: usize| {
        let body = &scene.bodies[i];
        Certified(has_proofs(i).then(|| {
            let tree = body.model.patch_tree();
            let lines = &scene.step.lines()[body.vertices.clone()];
            let evidence = &body.temporal().evidence;
            Proofs {
                cleared: &evidence.cleared,
                surface: Surface { hierarchy: &tree.hierarchy, patches: &tree.patches, lines },
                test: test(evidence),
            }
        }))
    };
    let front = |i: usize| (keeps_front && has_proofs(i)).then(|| &scene.bodies[i].temporal().front);
    bvh::stream_with(scene, volume, certificate, front, |_| None::<NoMask>, sinks);
}
