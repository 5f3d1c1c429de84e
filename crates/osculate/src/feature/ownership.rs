//! Representative triangles: each vertex and each edge is looked after by one of its triangles (methods 0.4, 2.5).
//!
//! A pair of features is tested where the pair of their representatives is met, so each is tested once. Two triangles that
//! share a vertex or an edge are met like any others, and own the non-adjacent feature pairs between them: a fold of
//! two neighbors onto each other is found. Two features with the same representative are always adjacent, so nothing is
//! left over. (Were adjacent triangles skipped, the pairs of features that only adjacent triangles host would need a list of their
//! own, the orphan set.)
//!
//! Valid only where a pair of triangles is dropped because these two triangles are proven apart.

use crate::Mesh;
use crate::narrow::Kind;

/// A pair of features that share no vertex, of one body or of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeaturePair {
    pub(crate) kind: Kind,
    /// Vertex and triangle, or edge and edge.
    pub(crate) ids: [u32; 2],
    /// Their vertices, in the order of a query.
    pub(crate) vertices: [u32; 4],
    /// Whether the first feature belongs to the second triangle.
    pub(crate) swapped: bool,
}

/// A triangle with its features, in one place: it takes one cache miss to enumerate them, not three.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Owner {
    corners: [u32; 3],
    edges: [u32; 3],
    /// Which of them the triangle represents: bit k for corner k, bit 3 + k for the edge from corner k to the next.
    represents: u8,
}

/// The triangles of a mesh, with what each represents.
#[derive(Clone, Debug)]
pub(crate) struct Representatives(Vec<Owner>);

impl Representatives {
    /// The triangle with the smallest index represents.
    pub(crate) fn new(mesh: &Mesh) -> Representatives {
        let owner = |(t, (&corners, &edges)): (usize, (&[u32; 3], &[u32; 3]))| {
            let represents = (0..3).fold(0, |bits, k| {
                let corner = mesh.triangles_of_vertex(corners[k])[0] as usize == t;
                let edge = mesh.triangles_of_edge(edges[k])[0] as usize == t;
                bits | u8::from(corner) << k | u8::from(edge) << (3 + k)
            });
            Owner { corners, edges, represents }
        };
        Representatives(mesh.triangles().iter().zip(mesh.triangle_edges()).enumerate().map(owner).collect())
    }

    #[inline(always)]
    pub(crate) fn owner(&self, triangle: u32) -> &Owner {
        &self.0[triangle as usize]
    }
}

/// Calls `visit` for each pair of features that the pair of triangles represents. Features of one body (`same`) that share a vertex
/// are no pair.
#[inline(always)]
pub(crate) fn for_each_pair(
    (number_a, a): (u32, &Owner),
    (number_b, b): (u32, &Owner),
    same: bool,
    mut visit: impl FnMut(FeaturePair),
) {
    let (ta, tb) = (a.corners, b.corners);
    let shares = |v: u32, t: &[u32; 3]| same & ((t[0] == v) | (t[1] == v) | (t[2] == v));
    for k in bits(a.represents & CORNERS) {
        if !shares(ta[k], &tb) {
            let vertices = [ta[k], tb[0], tb[1], tb[2]];
            visit(FeaturePair { kind: Kind::VertexFace, ids: [ta[k], number_b], vertices, swapped: false });
        }
    }
    for k in bits(b.represents & CORNERS) {
        if !shares(tb[k], &ta) {
            let vertices = [tb[k], ta[0], ta[1], ta[2]];
            visit(FeaturePair { kind: Kind::VertexFace, ids: [tb[k], number_a], vertices, swapped: true });
        }
    }
    for i in bits(a.represents >> 3) {
        let (ea, [a0, a1]) = (a.edges[i], ascending(ta[i], ta[(i + 1) % 3]));
        for j in bits(b.represents >> 3) {
            let (eb, [b0, b1]) = (b.edges[j], ascending(tb[j], tb[(j + 1) % 3]));
            if same & ((a0 == b0) | (a0 == b1) | (a1 == b0) | (a1 == b1)) {
                continue;
            }
            // Edges of one body in ascending order, so that a pair is the same query wherever it is met.
            let swapped = same & (eb < ea);
            let (ids, vertices) =
                if swapped { ([eb, ea], [b0, b1, a0, a1]) } else { ([ea, eb], [a0, a1, b0, b1]) };
            visit(FeaturePair { kind: Kind::EdgeEdge, ids, vertices, swapped });
        }
    }
}

/// The bits of the corners.
const CORNERS: u8 = 7;

/// The numbers of the bits that are set.
#[inline(always)]
fn bits(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        let is_left = set != 0;
        set &= set.wrapping_sub(1);
        is_left.then_some(bit)
    })
}

/// The ends of an edge in the order of [`Mesh::edges`].
#[inline(always)]
fn ascending(a: u32, b: u32) -> [u32; 2] {
    if a < b { [a, b] } else { [b, a] }
}
