//! Radial view culling: walks the clusters of bodies, and leaves out pairs of triangles that face away from one observer (paper 000, section 5; methods 3.4).
//!
//! Guarantee: complete, together with the search in the wake of contacts, for which it is called again. Without that search, the earliest contact, if nothing crosses at the start.

use super::{PairSink, Scene, bvh, finished};
use crate::narrow::Kind;
use crate::query::Volume;
use crate::traverse::NoCertificate;

pub(super) fn stream<S: PairSink>(
    scene: &Scene,
    volume: Volume,
    sink: impl Fn() -> S + Sync + Send,
) -> Vec<S> {
    let sight = |i: usize| scene.bodies[i].sight();
    let mut sinks = bvh::stream_with(scene, volume, |_| NoCertificate, |_| None, sight, &sink);
    let mut orphans = sinks.pop().unwrap_or_else(sink);
    for &[i, j] in scene.pairs.iter().filter(|[i, j]| i == j) {
        if sight(i).is_some_and(|sight| sight.is_first()) {
            orphans.begin([i, j]);
            let of_body = &scene.bodies[i].model.cluster_tree().orphans;
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                orphans.stats().radial.orphans += of_body.pairs(kind).len() as u64;
                orphans.features(kind, of_body.pairs(kind));
            }
        }
    }
    sinks.push(finished(orphans));
    sinks
}
