//! Orphans: feature pairs hosted only by adjacent triangles of different clusters (paper 000,
//! section 5.2).
//!
//! Adjacent triangles of two clusters are never compared. A feature pair `(f, g)` is an orphan if
//! some triangle around f and some triangle around g are of different clusters, and any two such
//! triangles are adjacent. Orphans are tested individually in every step.

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
        let cluster = |t: u32| clusters[t as usize];
        let mut orphans = Orphans::default();
        for v in 0..mesh.n_vertices() as u32 {
            let star = mesh.triangles_of_vertex(v);
            for (i, &a) in star.iter().enumerate() {
                for &b in star[i + 1..].iter().filter(|&&b| cluster(a) != cluster(b)) {
                    let [first, second] = [a, b].map(|t| representatives.of(t));
                    let apart = first.apart_from(second);
                    for k in (0..15).filter(|k| apart >> k & 1 != 0) {
                        let (kind, pair) = feature_pair(k, (a, first), (b, second));
                        if is_orphan(mesh, cluster, kind, pair.ids) {
                            orphans.0[kind as usize].push(FeaturePair { swapped: false, ..pair });
                        }
                    }
                }
            }
        }
        for pairs in &mut orphans.0 {
            pairs.sort_unstable_by_key(|pair| pair.ids);
            pairs.dedup_by_key(|pair| pair.ids);
        }
        orphans
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

/// Whether any two triangles of different clusters around the features are adjacent.
fn is_orphan(mesh: &Mesh, cluster: impl Fn(u32) -> u32, kind: Kind, [f, g]: [u32; 2]) -> bool {
    let [first, second] = match kind {
        Kind::VertexFace => [mesh.triangles_of_vertex(f), &[g]],
        Kind::EdgeEdge => [f, g].map(|edge| mesh.triangles_of_edge(edge)),
    };
    let mut hosts = first.iter().flat_map(|&a| second.iter().map(move |&b| (a, b)));
    hosts.all(|(a, b)| cluster(a) == cluster(b) || mesh.are_adjacent(a, b))
}
