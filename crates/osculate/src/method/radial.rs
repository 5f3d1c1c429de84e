//! Radial view culling: walks the clusters of bodies, and leaves out pairs of triangles that face away from one observer (paper 000, section 5; methods 3.4).
//!
//! Guarantee: complete, together with the search in the wake of contacts, for which it is called again. Without that search, the earliest contact, if nothing crosses at the start.

use super::{PairSink, Scene, bvh, locked};
use crate::feature::{Hazard, is_left_out};
use crate::narrow::Kind;
use crate::query::Volume;
use crate::traverse::NoCertificate;
use std::sync::Mutex;

pub(super) fn stream(scene: &Scene, volume: Volume, sinks: &[&Mutex<dyn PairSink + '_>]) {
    let sight = |i: usize| scene.bodies[i].sight();
    bvh::stream_with(scene, volume, |_| NoCertificate, |_| None, sight, sinks);
    let mut sink = locked(sinks[0]);
    for &[i, j] in scene.pairs.iter().filter(|[i, j]| i == j) {
        if sight(i).is_some_and(|sight| sight.is_first()) && !is_left_out(Hazard::Orphans) {
            sink.begin([i, j]);
            let orphans = &scene.bodies[i].model.cluster_tree().orphans;
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                sink.stats().radial.orphans += orphans.pairs(kind).len() as u64;
                sink.features(scene, kind, orphans.pairs(kind));
            }
        }
    }
}
