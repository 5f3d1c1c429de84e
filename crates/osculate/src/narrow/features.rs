//! The two kinds of feature pairs as tables of point indices, and their polynomials in t.
//!
//! The filters and the exact stage use four functions of a query's four moving points; the two
//! kinds differ only in the assignment of the points:
//!
//! * gaps, linear: coordinate differences between one feature and the other;
//! * the coplanarity cubic `f = D . (E x F)`, zero whenever the features touch;
//! * the plane normal `n = E x F`, quadratic in each component;
//! * sides, quadratic: 2-D orientations in the projection along an axis, which locate a touching
//!   point.

use super::Kind;
use crate::math::bernstein::{Bernstein, Sign, U, UNDERFLOW};
use crate::math::real::{Mask, Real};
use crate::math::vector::{cross, dot};

/// Two points `(from, to)`: the vector `to - from`.
pub(super) type Span = (usize, usize);

/// The point indices of a kind.
pub(super) struct Features {
    /// Pairs `(of a, of b)`: the features are separated on an axis if these differences all have
    /// one strict sign.
    pub(super) gaps: &'static [(usize, usize)],
    /// `D`, `E`, `F` of the coplanarity cubic; the plane normal is `E x F`.
    pub(super) frame: [Span; 3],
    /// Corners of the four orientations `o(x, y, z)` whose signs locate a coplanar contact; see
    /// [`Kind::relation`].
    pub(super) sides: [(usize, usize, usize); 4],
    /// `(p, a, b)`: the ways to touch when the normal vanishes, each "p lies on the segment ab".
    pub(super) on_segment: &'static [(usize, usize, usize)],
}

static VERTEX_FACE: Features = Features {
    gaps: &[(0, 1), (0, 2), (0, 3)],
    frame: [(1, 0), (1, 2), (1, 3)],
    sides: [(1, 2, 0), (2, 3, 0), (3, 1, 0), (1, 2, 3)],
    on_segment: &[(0, 1, 2), (0, 2, 3), (0, 3, 1)],
};

static EDGE_EDGE: Features = Features {
    gaps: &[(0, 2), (0, 3), (1, 2), (1, 3)],
    frame: [(0, 2), (0, 1), (2, 3)],
    sides: [(0, 1, 2), (0, 1, 3), (2, 3, 0), (2, 3, 1)],
    on_segment: &[(0, 2, 3), (1, 2, 3), (2, 0, 1), (3, 0, 1)],
};

/// What the certified signs of the four sides prove about coplanar features in a projection along
/// an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relation<M> {
    pub(super) apart: M,
    pub(super) meet: M,
}

impl Kind {
    #[inline(always)]
    pub(super) const fn features(self) -> &'static Features {
        match self {
            Kind::VertexFace => &VERTEX_FACE,
            Kind::EdgeEdge => &EDGE_EDGE,
        }
    }

    /// Vertex-face: apart if the point is strictly outside an edge line of the triangle, whose own
    /// orientation is known; they meet if it is strictly inside all three. Edge-edge: apart if both
    /// ends of one edge are strictly on one side of the other's line; they meet if each edge's ends
    /// are strictly on different sides of the other.
    #[inline(always)]
    pub(super) fn relation<M: Mask>(self, [a, b, c, d]: [Sign<M>; 4]) -> Relation<M> {
        match self {
            Kind::VertexFace => Relation {
                apart: a.opposes(d) | b.opposes(d) | c.opposes(d),
                meet: (a.plus & b.plus & c.plus) | (a.minus & b.minus & c.minus),
            },
            Kind::EdgeEdge => {
                Relation { apart: a.agrees(b) | c.agrees(d), meet: a.opposes(b) & c.opposes(d) }
            }
        }
    }

    /// Whether closed coplanar features touch, from exact signs (`0` is zero) in a projection along
    /// an axis on which the normal does not vanish. Evaluates sides only as needed; `None` if one
    /// cannot be decided.
    pub(super) fn touches(self, side: impl Fn(usize) -> Option<i8>) -> Option<bool> {
        let (a, b) = (side(0)?, side(1)?);
        Some(match self {
            Kind::VertexFace => {
                0 <= a * b && {
                    let c = side(2)?;
                    0 <= a * c && 0 <= b * c
                }
            }
            Kind::EdgeEdge => a * b <= 0 && side(2)? * side(3)? <= 0,
        })
    }
}

/// A position, or a difference, at both ends of the step: `[t][axis]`.
pub(crate) type Ends<R> = [[R; 3]; 2];

#[inline(always)]
pub(super) fn span<R: Real>(points: &[Ends<R>; 4], (from, to): Span) -> Ends<R> {
    let (a, b) = (&points[from], &points[to]);
    [
        [b[0][0] - a[0][0], b[0][1] - a[0][1], b[0][2] - a[0][2]],
        [b[1][0] - a[1][0], b[1][1] - a[1][1], b[1][2] - a[1][2]],
    ]
}

/// The larger magnitude of the two ends, for each axis.
#[inline(always)]
fn magnitude<R: Real>(a: &Ends<R>) -> [R; 3] {
    [a[0][0].abs().max(a[1][0].abs()), a[0][1].abs().max(a[1][1].abs()), a[0][2].abs().max(a[1][2].abs())]
}

/// The coplanarity cubic `D . (E x F)`.
#[inline(always)]
pub(crate) fn cubic<R: Real>(kind: Kind, points: &[Ends<R>; 4]) -> Bernstein<4, R> {
    let [d, e, f] = kind.features().frame;
    triple(&span(points, d), &span(points, e), &span(points, f))
}

/// The cubic `D . (E x F)` of three vectors that change linearly, with its inner coefficients and
/// their errors in the scale of the outer ones.
///
/// With `n_ij = E_i x F_j`: `c0 = D0.n00`, `3 c1 = D1.n00 + D0.(n01 + n10)`,
/// `3 c2 = D0.n11 + D1.(n01 + n10)`, `c3 = D1.n11`. The components of the vectors are exact, or
/// rounded differences of coordinates. Each monomial passes at most 12 roundings, so the error is
/// below `13 u perm` with `perm = sum |D|_i |E|_j |F|_k` over the six monomials of the determinant;
/// 24 is used, plus [`UNDERFLOW`].
#[inline(always)]
pub(crate) fn triple<R: Real>(d: &Ends<R>, e: &Ends<R>, f: &Ends<R>) -> Bernstein<4, R> {
    let (n00, n11) = (cross(e[0], f[0]), cross(e[1], f[1]));
    let (n01, n10) = (cross(e[0], f[1]), cross(e[1], f[0]));
    let m = [n01[0] + n10[0], n01[1] + n10[1], n01[2] + n10[2]];
    let c1 = (dot(d[1], n00) + dot(d[0], m)) * (1.0 / 3.0);
    let c2 = (dot(d[0], n11) + dot(d[1], m)) * (1.0 / 3.0);
    let c = [dot(d[0], n00), c1, c2, dot(d[1], n11)];
    let perm = permanent(magnitude(d), magnitude(e), magnitude(f));
    Bernstein { c, error: perm * (24.0 * U) + perm.constant(UNDERFLOW) }
}

/// The same of three constant vectors: a number with an error bound.
#[inline(always)]
pub(crate) fn triple_at<R: Real>(d: [R; 3], e: [R; 3], f: [R; 3]) -> Bernstein<1, R> {
    let absolute = |v: [R; 3]| [v[0].abs(), v[1].abs(), v[2].abs()];
    let perm = permanent(absolute(d), absolute(e), absolute(f));
    Bernstein { c: [dot(d, cross(e, f))], error: perm * (24.0 * U) + perm.constant(UNDERFLOW) }
}

#[inline(always)]
fn permanent<R: Real>(d: [R; 3], e: [R; 3], f: [R; 3]) -> R {
    d[0] * (e[1] * f[2] + e[2] * f[1])
        + d[1] * (e[2] * f[0] + e[0] * f[2])
        + d[2] * (e[0] * f[1] + e[1] * f[0])
}

/// A position, or a difference, in a projection: `[t][axis]`.
pub(super) type Ends2<R> = [[R; 2]; 2];

/// The projection of `point` along `axis`: the coordinates on the two axes after it.
#[inline(always)]
pub(super) fn project<R: Real>(point: &Ends<R>, axis: usize) -> Ends2<R> {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    [[point[0][i], point[0][j]], [point[1][i], point[1][j]]]
}

/// The orientation `o(x, y, z) = (y - x)_0 (z - x)_1 - (y - x)_1 (z - x)_0` of three projected
/// points.
///
/// Each monomial passes at most 6 roundings; `11 u perm` bounds the error.
#[inline(always)]
pub(super) fn side<R: Real>(points: &[Ends2<R>; 4], (x, y, z): (usize, usize, usize)) -> Bernstein<3, R> {
    let (a, b) = (span2(&points[x], &points[y]), span2(&points[x], &points[z]));
    let inner = (a[0][0] * b[1][1] + a[1][0] * b[0][1]) - (a[0][1] * b[1][0] + a[1][1] * b[0][0]);
    let c = [a[0][0] * b[0][1] - a[0][1] * b[0][0], inner * 0.5, a[1][0] * b[1][1] - a[1][1] * b[1][0]];
    let larger = [a[0][0].abs().max(a[1][0].abs()), a[0][1].abs().max(a[1][1].abs())];
    let perm = larger[0] * b[0][1].abs().max(b[1][1].abs()) + larger[1] * b[0][0].abs().max(b[1][0].abs());
    Bernstein { c, error: perm * (11.0 * U) + perm.constant(UNDERFLOW) }
}

#[inline(always)]
fn span2<R: Real>(from: &Ends2<R>, to: &Ends2<R>) -> Ends2<R> {
    [[to[0][0] - from[0][0], to[0][1] - from[0][1]], [to[1][0] - from[1][0], to[1][1] - from[1][1]]]
}

/// A coordinate difference as a linear polynomial. A rounded difference is off by at most `u |x|`.
pub(super) fn gap(points: &[Ends<f64>; 4], (of_a, of_b): (usize, usize), axis: usize) -> Bernstein<2> {
    let c = [points[of_a][0][axis] - points[of_b][0][axis], points[of_a][1][axis] - points[of_b][1][axis]];
    Bernstein { c, error: 1.01 * U * c[0].abs().max(c[1].abs()) }
}

/// Whether the boxes of the two features are more than `separation` apart on some axis at both ends
/// of the step, on the same side; then they are at every t in between.
///
/// Exact: rounding is monotone and `separation` is an f64, so a rounded difference exceeds it only
/// if the true one does.
pub(super) fn boxes_apart(kind: Kind, points: &[Ends<f64>; 4], separation: f64) -> bool {
    (0..3).any(|axis| {
        let difference = |a: usize, b: usize, t: usize| points[a][t][axis] - points[b][t][axis];
        let is_apart = |a, b| separation < difference(a, b, 0) && separation < difference(a, b, 1);
        let gaps = kind.features().gaps;
        gaps.iter().all(|&(a, b)| is_apart(a, b)) || gaps.iter().all(|&(a, b)| is_apart(b, a))
    })
}

/// Whether the two features are apart in a direction halfway between two axes at both ends of the
/// step, on the same side; then they are at every t in between. Separates most features of one flat
/// sheet whose boxes touch.
///
/// Sound: rounding is monotone, so of two rounded sums the smaller one is truly smaller.
pub(super) fn diagonals_apart(kind: Kind, points: &[Ends<f64>; 4]) -> bool {
    [(0, 1), (1, 2), (2, 0)].into_iter().any(|(i, j)| {
        let sums = points.map(|ends| ends.map(|p| [p[i] + p[j], p[i] - p[j]]));
        (0..2).any(|k| {
            let is_below = |a: usize, b: usize| (0..2).all(|t| sums[a][t][k] < sums[b][t][k]);
            let gaps = kind.features().gaps;
            gaps.iter().all(|&(a, b)| is_below(a, b)) || gaps.iter().all(|&(a, b)| is_below(b, a))
        })
    })
}

/// Whether the boxes of the two features intersect at an end of the step. Exact.
pub(super) fn boxes_meet(kind: Kind, points: &[Ends<f64>; 4], end: usize) -> bool {
    (0..3).all(|axis| {
        let gaps = || kind.features().gaps.iter().map(|&(a, b)| (points[a][end][axis], points[b][end][axis]));
        gaps().any(|(a, b)| a <= b) && gaps().any(|(a, b)| b <= a)
    })
}

/// Whether a point of one feature equals a point of the other at the start of the step: the usual
/// contact of coincident surfaces.
pub(super) fn points_coincide(kind: Kind, points: &[Ends<f64>; 4]) -> bool {
    kind.features().gaps.iter().any(|&(a, b)| points[a][0] == points[b][0])
}
