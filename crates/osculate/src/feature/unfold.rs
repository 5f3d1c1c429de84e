//! Unfolding: from a block of triangle pairs to the feature pairs that they own, in rounds.
//!
//! A triangle pair owns 0 to 15 feature pairs, three on average, and the number is unpredictable
//! for a branch predictor. So there is no loop over the features of a pair. Each round takes one
//! feature pair from every triangle pair of the block and drops those that have none left, without
//! branches.

use super::ownership::{Owner, Pairs, Representatives, TriangleFeatures, represented};
use crate::narrow::Kind;

/// Two features that share no vertex, of one body or of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeaturePair {
    /// Vertex and triangle, or edge and edge.
    pub(crate) ids: [u32; 2],
    /// Their vertices, in the order of a query.
    pub(crate) vertices: [u32; 4],
    /// Whether the first feature belongs to the second triangle.
    pub(crate) swapped: bool,
}

/// A triangle pair, and its remaining feature pairs.
#[derive(Clone, Copy, Default)]
struct Rest {
    pairs: Pairs,
    a: u32,
    b: u32,
}

/// A block of triangle pairs being unfolded.
#[derive(Default)]
pub(crate) struct Unfolding {
    /// For each kind of query.
    rests: [Vec<Rest>; 2],
    /// The pairs of triangles that test anything; it may be longer, and so may the corners.
    kept: Vec<[u32; 2]>,
    /// For each of them, what it tests.
    pairs: Vec<Pairs>,
    /// The corners of each, by their numbers in the world.
    corners: Vec<[u32; 6]>,
}

/// The bits of vertex-face pairs; the others are edge-edge.
const VERTEX_FACE: Pairs = (1 << 6) - 1;

const NEXT: [usize; 3] = [1, 2, 0];

impl Unfolding {
    /// Begins with the given pairs of triangles, of two bodies or of one (`same`), whose vertices
    /// begin at `offsets` in the world. Each tests the pairs of features that the owner assigns to
    /// it, or without one those that it represents, of which `drop` removes those that it decides;
    /// it gets the corners and the pairs of features of each pair of triangles, and whether these
    /// are all that are tested, and no others.
    pub(crate) fn begin(
        &mut self,
        triangles: &[[u32; 2]],
        [first, second]: [&Representatives; 2],
        [offset_a, offset_b]: [u32; 2],
        owner: Option<&dyn Owner>,
        same: bool,
        drop: impl FnOnce(&[[u32; 6]], &mut [Pairs], bool),
    ) {
        let Unfolding { rests, kept, pairs, corners } = self;
        pairs.clear();
        if let Some(owner) = owner {
            owner.owned(triangles, pairs);
        }
        let len = triangles.len();
        pairs.resize(len, 0);
        corners.resize(len, [0; 6]);
        kept.resize(len, [0; 2]);
        // An owner that decides late is asked about all pairs of triangles, by their places.
        let late = owner.filter(|owner| owner.decides_late());
        let (pairs, corners, kept) = (&mut pairs[..len], &mut corners[..len], &mut kept[..len]);
        let mut n = 0;
        for (i, &[a, b]) in triangles.iter().enumerate() {
            let (of_a, of_b) = (first.of(a), second.of(b));
            let tested = if owner.is_some() { pairs[i] } else { represented(of_a, of_b, same) };
            let ([p, q, r], [s, t, u]) = (of_a.corners, of_b.corners);
            corners[n] = [p + offset_a, q + offset_a, r + offset_a, s + offset_b, t + offset_b, u + offset_b];
            pairs[n] = tested;
            kept[n] = [a, b];
            n += usize::from(tested != 0 || late.is_some());
        }
        let (pairs, corners) = (&mut pairs[..n], &corners[..n]);
        drop(corners, pairs, late.is_none());
        if let Some(owner) = late {
            owner.disown(triangles, pairs);
        }
        for rests in &mut *rests {
            rests.resize(n, Rest::default());
        }
        let [vertex_face, edge_edge] = rests;
        let (vf, ee) = (&mut vertex_face[..n], &mut edge_edge[..n]);
        let (mut n_vf, mut n_ee) = (0, 0);
        for (&[a, b], &pairs) in kept.iter().zip(&*pairs) {
            let (of_vf, of_ee) = (pairs & VERTEX_FACE, pairs >> 6);
            vf[n_vf] = Rest { pairs: of_vf, a, b };
            ee[n_ee] = Rest { pairs: of_ee, a, b };
            n_vf += usize::from(of_vf != 0);
            n_ee += usize::from(of_ee != 0);
        }
        vertex_face.truncate(n_vf);
        edge_edge.truncate(n_ee);
    }

    /// Calls `visit` for one feature pair of the given kind from each triangle pair that has any
    /// left. Returns whether there were any.
    #[inline(always)]
    pub(crate) fn round(
        &mut self,
        kind: Kind,
        [first, second]: [&Representatives; 2],
        same: bool,
        mut visit: impl FnMut(FeaturePair),
    ) -> bool {
        let rests = &mut self.rests[kind as usize];
        let mut n = 0;
        for i in 0..rests.len() {
            let Rest { pairs, a, b } = rests[i];
            let k = pairs.trailing_zeros() as usize;
            let (owner_a, owner_b) = (first.of(a), second.of(b));
            visit(match kind {
                Kind::VertexFace => vertex_face(k, (a, owner_a), (b, owner_b)),
                Kind::EdgeEdge => edge_edge(k, owner_a, owner_b, same),
            });
            let left = pairs & (pairs - 1);
            rests[n] = Rest { pairs: left, a, b };
            n += usize::from(left != 0);
        }
        let any = !rests.is_empty();
        rests.truncate(n);
        any
    }
}

/// The pair of features at a bit of [`Pairs`], of two triangles of one body.
pub(super) fn feature_pair(
    k: usize,
    a: (u32, &TriangleFeatures),
    b: (u32, &TriangleFeatures),
) -> (Kind, FeaturePair) {
    match k {
        0..6 => (Kind::VertexFace, vertex_face(k, a, b)),
        _ => (Kind::EdgeEdge, edge_edge(k - 6, a.1, b.1, true)),
    }
}

/// Corner k of the first triangle and the second, or corner k - 3 of the second and the first.
#[inline(always)]
fn vertex_face(k: usize, a: (u32, &TriangleFeatures), b: (u32, &TriangleFeatures)) -> FeaturePair {
    let swapped = 3 <= k;
    let ((_, with_vertex), (face, with_face)) = if swapped { (b, a) } else { (a, b) };
    let vertex = with_vertex.corners[if swapped { k - 3 } else { k }];
    let [f0, f1, f2] = with_face.corners;
    FeaturePair { ids: [vertex, face], vertices: [vertex, f0, f1, f2], swapped }
}

/// Edge k / 3 of the first triangle and edge k % 3 of the second. Edges of one body (`same`) are in
/// ascending order, so that a pair is the same query wherever it is met.
#[inline(always)]
fn edge_edge(k: usize, a: &TriangleFeatures, b: &TriangleFeatures, same: bool) -> FeaturePair {
    let (i, j) = (k / 3, k % 3);
    let (ea, [a0, a1]) = (a.edges[i], ascending(a.corners[i], a.corners[NEXT[i]]));
    let (eb, [b0, b1]) = (b.edges[j], ascending(b.corners[j], b.corners[NEXT[j]]));
    let swapped = same & (eb < ea);
    let (ids, vertices) = if swapped { ([eb, ea], [b0, b1, a0, a1]) } else { ([ea, eb], [a0, a1, b0, b1]) };
    FeaturePair { ids, vertices, swapped }
}

/// The ends of an edge in the order of [`Mesh::edges`](crate::Mesh::edges).
#[inline(always)]
fn ascending(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
