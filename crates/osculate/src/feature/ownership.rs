//! Representative triangles: each vertex and each edge is represented by one of its triangles.
//!
//! A feature pair is tested at the pair of its representatives, so each is tested once. Two
//! triangles that share a vertex or an edge are met like any others, and own the non-adjacent
//! feature pairs between them: a fold of two neighbors onto each other is found. Two features with
//! the same representative are always adjacent, so none is missed. (If adjacent triangles were
//! skipped, the feature pairs that only they host would need a separate list, the orphan set.)
//!
//! Valid only if a pair of triangles is culled because these two triangles are proven apart.

use crate::Mesh;
use crate::math::dispatch::dispatch;
use fearless_simd::{Level, SimdBase as _, SimdMask as _, u32x4};

/// A triangle with its features in one place: enumerating them takes one cache miss, not three.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct TriangleFeatures {
    pub(super) corners: [u32; 3],
    pub(super) edges: [u32; 3],
    /// The features that the triangle represents: bit k for corner k, bit 3 + k for the edge from
    /// corner k to the next.
    represents: u8,
}

/// The triangles of a mesh, with the features that each represents.
#[derive(Clone, Debug)]
pub(crate) struct Representatives(Vec<TriangleFeatures>);

impl Representatives {
    /// The triangle with the smallest index represents a feature.
    pub(crate) fn new(mesh: &Mesh) -> Representatives {
        let owner = |(t, (&corners, &edges)): (usize, (&[u32; 3], &[u32; 3]))| {
            let represents = (0..3).fold(0, |bits, k| {
                let corner = mesh.triangles_of_vertex(corners[k])[0] as usize == t;
                let edge = mesh.triangles_of_edge(edges[k])[0] as usize == t;
                bits | u8::from(corner) << k | u8::from(edge) << (3 + k)
            });
            TriangleFeatures { corners, edges, represents }
        };
        Representatives(mesh.triangles().iter().zip(mesh.triangle_edges()).enumerate().map(owner).collect())
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.0.as_slice())
    }

    #[inline(always)]
    pub(crate) fn of(&self, triangle: u32) -> &TriangleFeatures {
        &self.0[triangle as usize]
    }
}

/// The pairs of features of two triangles as a set of bits: k for corner k of the first and the
/// second triangle, 3 + k for corner k of the second and the first triangle, 6 + 3 i + j for edge i
/// of the first and edge j of the second.
pub(crate) type Pairs = u16;

/// The plug that decides which pair of triangles tests a pair of features. Without one, it is the
/// pair of their representatives.
pub(crate) trait Owner: Sync {
    /// Appends, for each of the given candidate pairs of triangles, the pairs of features that it
    /// tests; or, of an owner that [decides late](Owner::decides_late), all that it may test. Of
    /// the candidate pairs of a pass, exactly one must test a pair of features that may touch,
    /// unless the method hands that pair to the sinks itself.
    fn owned(&self, triangles: &[[u32; 2]], owned: &mut Vec<Pairs>);

    /// Whether it takes long to find the owner: if so, [`disown`](Owner::disown) is called with the
    /// pairs of features that are not far apart, which are few.
    fn decides_late(&self) -> bool {
        false
    }

    /// Takes out of the set of each pair of triangles what it does not test.
    fn disown(&self, _triangles: &[[u32; 2]], _pairs: &mut [Pairs]) {}
}

impl TriangleFeatures {
    /// All pairs of features of two triangles of one body that share no vertex, whoever represents
    /// them.
    pub(super) fn apart_from(&self, other: &TriangleFeatures) -> Pairs {
        NOT_ADJACENT[equal_corners(self.corners, other.corners)]
    }

    /// Whether two triangles of one body share a vertex.
    #[inline(always)]
    pub(super) fn meets(&self, other: &TriangleFeatures) -> bool {
        equal_corners(self.corners, other.corners) != 0
    }

    /// Whether it represents a corner, 0 to 2, or the edge from a corner to the next, 3 to 5.
    #[inline(always)]
    pub(super) fn represents(&self, feature: usize) -> bool {
        self.represents >> feature & 1 != 0
    }

    /// The same triangle, representing other features.
    pub(super) fn representing(&self, represents: u8) -> TriangleFeatures {
        TriangleFeatures { represents, ..*self }
    }
}

/// The bits of the corners.
const CORNERS: Pairs = 7;

/// The feature pairs of which each triangle represents its own. Features of one body (`same`) that
/// share a vertex are not a pair.
#[inline(always)]
pub(super) fn represented(a: &TriangleFeatures, b: &TriangleFeatures, same: bool) -> Pairs {
    let [edges_a, edges_b] = [a, b].map(|owner| Pairs::from(owner.represents) >> 3);
    let spread = edges_a & 1 | (edges_a & 2) << 2 | (edges_a & 4) << 4;
    let corners = Pairs::from(a.represents) & CORNERS | (Pairs::from(b.represents) & CORNERS) << 3;
    // One product makes all nine: each edge of the first triangle copies the set of the second's.
    let pairs = corners | (spread * edges_b) << 6;
    let equal = if same { equal_corners(a.corners, b.corners) } else { 0 };
    pairs & NOT_ADJACENT[equal]
}

/// Which corners of two triangles are the same vertex: bit i + 3 j for corner i of the first and
/// corner j of the second.
#[inline(always)]
fn equal_corners([a, b, c]: [u32; 3], others: [u32; 3]) -> usize {
    dispatch!(Level::baseline(), simd => {
        let corners = u32x4::from_slice(simd, &[a, b, c, c]);
        let [first, second, third] = others.map(
            #[inline(always)]
            |v| corners.simd_eq(u32x4::splat(simd, v)).to_bitmask() as usize & 7,
        );
        first | second << 3 | third << 6
    })
}

/// For each set of [`equal_corners`], the feature pairs that share no vertex.
static NOT_ADJACENT: [Pairs; 512] = {
    let mut table = [0; 512];
    let mut equal = 0;
    while equal < 512 {
        let mut k = 0;
        while k < 15 {
            // The corners of the two features; a face has all three.
            let (a, b) = match k {
                0..3 => (1 << k, 7),
                3..6 => (7, 1 << (k - 3)),
                _ => (EDGE[(k - 6) / 3], EDGE[(k - 6) % 3]),
            };
            if !meets(equal, a, b) {
                table[equal] |= 1 << k;
            }
            k += 1;
        }
        equal += 1;
    }
    table
};

/// The corners of the edge from each corner to the next, as bits.
const EDGE: [usize; 3] = [0b011, 0b110, 0b101];

/// Whether a corner in the set `a` of the first triangle is the same as one in the set `b` of the
/// second.
const fn meets(equal: usize, a: usize, b: usize) -> bool {
    let mut k = 0;
    while k < 9 {
        if equal >> k & 1 != 0 && a >> (k % 3) & 1 != 0 && b >> (k / 3) & 1 != 0 {
            return true;
        }
        k += 1;
    }
    false
}
