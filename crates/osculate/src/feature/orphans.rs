//! Orphans: feature pairs that no candidate pair of triangles tests, because all triangles around
//! them are adjacent. They are tested individually in every step.
//!
//! In radial view culling, adjacent triangles of two clusters are never compared (paper 000,
//! section 5.2). A feature pair `(f, g)` is an orphan if some triangle around f and some triangle
//! around g are of different clusters, and any two such triangles are adjacent. Where adjacent
//! triangles are never compared at all, the same holds with each triangle a cluster of its own; the
//! [owner](super::Apart) finds these orphans when it looks for hosts.

use super::ownership::Representatives;
use super::unfold::{FeaturePair, feature_pair};
use crate::Mesh;
use crate::narrow::Kind;

/// The orphans of a mesh, by kind of query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orphans([Vec<FeaturePair>; 2]);

impl Orphans {
    /// The orphans for the given cluster of each triangle. Takes time proportional to the length of
    /// the cluster borders.
    pub(crate) fn of(mesh: &Mesh, representatives: &Representatives, clusters: &[u32]) -> Orphans {
        let is_across = |a: u32, b: u32| clusters[a as usize] != clusters[b as usize];
        let mut orphans = Orphans::default();
        for v in 0..mesh.n_vertices() as u32 {
            let star = mesh.triangles_of_vertex(v);
            for (i, &a) in star.iter().enumerate() {
                for &b in star[i + 1..].iter().filter(|&&b| is_across(a, b)) {
                    let [first, second] = [a, b].map(|t| representatives.of(t));
                    let apart = first.apart_from(second);
                    for k in (0..15).filter(|k| apart >> k & 1 != 0) {
                        let (kind, pair) = feature_pair(k, (a, first), (b, second));
                        if is_orphan(mesh, is_across, kind, pair.ids) {
                            orphans.push(kind, pair);
                        }
                    }
                }
            }
        }
        orphans.sort();
        orphans
    }

    /// Adds a feature pair of a body with itself.
    pub(super) fn push(&mut self, kind: Kind, pair: FeaturePair) {
        self.0[kind as usize].push(FeaturePair { swapped: false, ..pair });
    }

    /// Sorts the pairs, and keeps each once.
    pub(super) fn sort(&mut self) {
        for pairs in &mut self.0 {
            pairs.sort_unstable_by_key(|pair| pair.ids);
            pairs.dedup_by_key(|pair| pair.ids);
        }
    }

    /// The orphans of a kind, each once.
    pub(crate) fn pairs(&self, kind: Kind) -> &[FeaturePair] {
        &self.0[kind as usize]
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.0.iter().map(|pairs| size_of_val(pairs.as_slice())).sum()
    }
}

/// Whether all pairs of triangles around two features that are across are adjacent.
fn is_orphan(mesh: &Mesh, is_across: impl Fn(u32, u32) -> bool, kind: Kind, ids: [u32; 2]) -> bool {
    hosts(mesh, kind, ids).all(|[a, b]| !is_across(a, b) || mesh.are_adjacent(a, b))
}

/// The hosts of a feature pair: all pairs of a triangle around the first feature and one around the
/// second.
pub(super) fn hosts(mesh: &Mesh, kind: Kind, [f, g]: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
    let first = match kind {
        Kind::VertexFace => mesh.triangles_of_vertex(f),
        Kind::EdgeEdge => mesh.triangles_of_edge(f),
    };
    let face = (kind == Kind::VertexFace).then_some(g);
    let edge = if kind == Kind::EdgeEdge { mesh.triangles_of_edge(g) } else { &[] };
    first.iter().flat_map(move |&a| face.into_iter().chain(edge.iter().copied()).map(move |b| [a, b]))
}
