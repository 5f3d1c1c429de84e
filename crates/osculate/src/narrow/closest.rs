//! Closest points of two features at an instant, over numbers or lanes.
//!
//! Several pairs of points are compared, one for each way in which the closest points can lie on
//! the features: inside of both, or at an end of one. A formula that is unreliable, as that of two
//! lines which are nearly parallel, can therefore lose to another one, but cannot do harm: each
//! candidate is a pair of points of the two features.

use super::Kind;
use crate::math::dispatch::dispatch;
use crate::math::real::{Lanes, Real};
use crate::math::vector::{cross, dot, minus, scale};
use fearless_simd::{Level, Simd, SimdBase as _, f64x8};

/// Queries in lanes.
const WIDTH: usize = 8;

/// The positions of points 1, 2 and 3 of a query relative to point 0.
pub(super) type Relative<R> = [[R; 3]; 3];

/// A point of each feature, such that no other two are closer, up to rounding.
#[derive(Clone, Copy)]
pub(super) struct Closest<R> {
    /// The weights of the four points of the query; see
    /// [`ContactPoint::weights`](super::ContactPoint::weights). None is negative or above one.
    pub(super) weights: [R; 4],
    /// The vector from the point of the second feature to that of the first.
    pub(super) gap: [R; 3],
    /// The square of its length.
    pub(super) squared: R,
    /// A vector in the direction of the gap, more precise than the gap if that is short: the normal
    /// of the face or of two edges if the points are inside of them, perpendicular to the edge if
    /// one is inside of an edge.
    pub(super) normal: [R; 3],
    /// If the points are inside of the face, or of both edges, the smallest weight there: zero at a
    /// rim.
    pub(super) inside: R,
}

impl<R: Real> Closest<R> {
    /// The closer of two pairs of points; of two equally close ones, the first.
    #[inline(always)]
    fn closer(self, other: Closest<R>) -> Closest<R> {
        let is_other = other.squared.lt(self.squared);
        let [a, b, c, d] = self.weights;
        let [e, f, g, h] = other.weights;
        Closest {
            weights: [
                R::select(is_other, e, a),
                R::select(is_other, f, b),
                R::select(is_other, g, c),
                R::select(is_other, h, d),
            ],
            gap: select(is_other, other.gap, self.gap),
            squared: R::select(is_other, other.squared, self.squared),
            normal: select(is_other, other.normal, self.normal),
            inside: R::select(is_other, other.inside, self.inside),
        }
    }
}

#[inline(always)]
fn select<R: Real>(mask: R::Mask, yes: [R; 3], no: [R; 3]) -> [R; 3] {
    [R::select(mask, yes[0], no[0]), R::select(mask, yes[1], no[1]), R::select(mask, yes[2], no[2])]
}

/// Squares of lengths, and products of two of them, below this are not divided by: the quotient
/// could overflow. Features as small as that are represented by one of their ends, which is as good
/// as any of their points.
const TINY: f64 = 1e-290;

/// The quotient by a positive number; 0 if that is zero or [`TINY`].
#[inline(always)]
fn over<R: Real>(numerator: R, denominator: R) -> R {
    let zero = numerator.constant(0.0);
    let is_safe = numerator.constant(TINY).lt(denominator);
    R::select(is_safe, numerator, zero) / R::select(is_safe, denominator, zero.constant(1.0))
}

/// The nearest number in [0, 1].
#[inline(always)]
fn clamped<R: Real>(x: R) -> R {
    x.max(x.constant(0.0)).min(x.constant(1.0))
}

/// Below this many units of rounding, for the square of the sine of the angle of two edges, their
/// cross product is not used: its rounding, relative to its length, would exceed the angle. Closest
/// points are then compared with ends of edges only, which are nearly as close.
const PARALLEL: f64 = 128.0;

/// The part of a vector that is perpendicular to an edge, if the foot at parameter `s` is inside of
/// the edge.
#[inline(always)]
fn across<R: Real>(v: [R; 3], edge: [R; 3], s: R) -> [R; 3] {
    let is_inside = s.constant(0.0).lt(s) & s.lt(s.constant(1.0));
    let along = R::select(is_inside, over(dot(v, edge), dot(edge, edge)), s.constant(0.0));
    minus(v, scale(along, edge))
}

/// The vector, or its opposite, that forms no obtuse angle with another.
#[inline(always)]
fn toward<R: Real>(v: [R; 3], other: [R; 3]) -> [R; 3] {
    select(dot(v, other).lt(v[0].constant(0.0)), [-v[0], -v[1], -v[2]], v)
}

/// Returns the closest points of the two features of a query.
#[inline(always)]
pub(super) fn closest<R: Real>(kind: Kind, points: &Relative<R>) -> Closest<R> {
    match kind {
        Kind::VertexFace => of_vertex_and_face(points),
        Kind::EdgeEdge => of_edges(points),
    }
}

/// The vertex is the origin. Inside of the face, the weights are the areas of the three triangles
/// that the foot of the vertex makes with the edges: `n.(b x c)`, `n.(c x a)` and `n.(a x b)` with
/// the normal `n`, over their sum `n.n`.
#[inline(always)]
fn of_vertex_and_face<R: Real>([a, b, c]: &Relative<R>) -> Closest<R> {
    let (e, f) = (minus(*b, *a), minus(*c, *a));
    let n = cross(e, f);
    let areas = [dot(n, cross(*b, *c)), dot(n, cross(*c, *a)), dot(n, cross(*a, *b))];
    let sum = areas[0] + areas[1] + areas[2];
    let least = areas[0].min(areas[1]).min(areas[2]);
    let (zero, one) = (sum.constant(0.0), sum.constant(1.0));
    let is_inside =
        zero.lt(least) & (dot(e, e) * dot(f, f) * (PARALLEL * R::UNIT) + sum.constant(TINY)).lt(sum);
    let weights = [over(areas[0], sum), over(areas[1], sum), over(areas[2], sum)];
    let gap = [
        -(weights[0] * a[0] + weights[1] * b[0] + weights[2] * c[0]),
        -(weights[0] * a[1] + weights[1] * b[1] + weights[2] * c[1]),
        -(weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]),
    ];
    let inside = Closest {
        weights: [one, weights[0], weights[1], weights[2]],
        gap,
        squared: R::select(is_inside, dot(gap, gap), sum.constant(f64::INFINITY)),
        normal: toward(n, gap),
        inside: over(least, sum),
    };
    let ((s, mut ab), (t, mut bc), (r, mut ca)) = (on_edge(a, b), on_edge(b, c), on_edge(c, a));
    ab.weights = [one, one - s, s, zero];
    bc.weights = [one, zero, one - t, t];
    ca.weights = [one, r, zero, one - r];
    inside.closer(ab).closer(bc).closer(ca)
}

/// The point of an edge that is closest to the origin: its parameter, and all but the weights.
#[inline(always)]
fn on_edge<R: Real>(from: &[R; 3], to: &[R; 3]) -> (R, Closest<R>) {
    let (zero, one) = (from[0].constant(0.0), from[0].constant(1.0));
    let edge = minus(*to, *from);
    let s = clamped(-over(dot(*from, edge), dot(edge, edge)));
    let gap = minus(scale(-one, *from), scale(s, edge));
    let normal = across(gap, edge, s);
    (s, Closest { weights: [one; 4], gap, squared: dot(gap, gap), normal, inside: zero })
}

/// The first end of the first edge is the origin. With edges `e` and `f`, and `r` from the start of
/// the second to that of the first, `r + s e - v f` is shortest for
/// `s = ((e.f) (f.r) - (e.r) (f.f)) / ((e.e) (f.f) - (e.f)^2)`; the parameters are projected onto
/// the edges in turn.
#[inline(always)]
fn of_edges<R: Real>([e, c, d]: &Relative<R>) -> Closest<R> {
    let (zero, one) = (e[0].constant(0.0), e[0].constant(1.0));
    let (f, r) = (minus(*d, *c), scale(-one, *c));
    let (ee, ef, ff) = (dot(*e, *e), dot(*e, f), dot(f, f));
    let (er, fr) = (dot(*e, r), dot(f, r));
    let spread = ee * ff - ef * ef;
    let v = clamped(over(ef * clamped(over(ef * fr - er * ff, spread)) + fr, ff));
    let s = clamped(over(ef * v - er, ee));
    let mut inside = at(r, *e, f, (s, v), (f, zero));
    inside.inside = s.min(one - s).min(v.min(one - v));
    inside.normal = toward(cross(*e, f), inside.gap);
    let is_inside =
        zero.lt(inside.inside) & (ee * ff * (PARALLEL * R::UNIT) + zero.constant(TINY)).lt(spread);
    inside.squared = R::select(is_inside, inside.squared, zero.constant(f64::INFINITY));
    let (v0, v1) = (clamped(over(fr, ff)), clamped(over(ef + fr, ff)));
    let (s0, s1) = (clamped(over(-er, ee)), clamped(over(ef - er, ee)));
    inside
        .closer(at(r, *e, f, (zero, v0), (f, v0)))
        .closer(at(r, *e, f, (one, v1), (f, v1)))
        .closer(at(r, *e, f, (s0, zero), (*e, s0)))
        .closer(at(r, *e, f, (s1, one), (*e, s1)))
}

/// The points of two edges at parameters s and v; `foot` is the edge that one of them may be inside
/// of while the other is an end, and its parameter there.
#[inline(always)]
fn at<R: Real>(r: [R; 3], e: [R; 3], f: [R; 3], (s, v): (R, R), foot: ([R; 3], R)) -> Closest<R> {
    let one = s.constant(1.0);
    let gap = minus([r[0] + s * e[0], r[1] + s * e[1], r[2] + s * e[2]], scale(v, f));
    let normal = across(gap, foot.0, foot.1);
    Closest {
        weights: [one - s, s, one - v, v],
        gap,
        squared: dot(gap, gap),
        normal,
        inside: s.constant(0.0),
    }
}

/// The same as [`closest_on_triangle`] for up to eight triangles at once, with the same bits.
#[inline(always)]
pub(crate) fn closest_on_triangles<S: Simd>(
    simd: S,
    point: [f64; 3],
    corners: &[[[f64; 3]; 3]],
    each: &mut impl FnMut(usize, [f64; 3], f64),
) {
    let zero = Lanes(f64x8::splat(simd, 0.0));
    let mut relative = [[zero; 3]; 3];
    for corner in 0..3 {
        for axis in 0..3 {
            let difference = |lane: usize| match corners.get(lane) {
                Some(corners) => corners[corner][axis] - point[axis],
                None => 0.0,
            };
            relative[corner][axis] = Lanes(f64x8::from_fn(simd, difference));
        }
    }
    let found = of_vertex_and_face(&relative);
    let [_, a, b, c] = found.weights;
    for (lane, &corners) in corners.iter().enumerate() {
        let squared = found.squared.0[lane];
        if is_in_range(squared) {
            each(lane, [a.0[lane], b.0[lane], c.0[lane]], squared.sqrt());
        } else {
            let (weights, distance) = closest_on_triangle(point, corners);
            each(lane, weights, distance);
        }
    }
}

/// The distances of all points from the first triangle, then from the next one, and so on; the same
/// as of [`closest_on_triangle`], with the same bits.
pub(crate) fn distances_to_triangles(
    points: &[[f64; 3]],
    triangles: &[[[f64; 3]; 3]],
    distances: &mut [f64],
) {
    dispatch!(Level::new(), simd => distances_in_lanes(simd, points, triangles, distances));
}

#[inline(always)]
fn distances_in_lanes<S: Simd>(
    simd: S,
    points: &[[f64; 3]],
    triangles: &[[[f64; 3]; 3]],
    distances: &mut [f64],
) {
    let query = |i: usize| (points[i % points.len()], triangles[i / points.len()]);
    for (chunk, distances) in distances.chunks_mut(WIDTH).enumerate() {
        let first = chunk * WIDTH;
        // Each query is asked for once, so lanes are filled in memory.
        let mut columns = [[[0.0; WIDTH]; 3]; 3];
        for (lane, (point, corners)) in (first..first + distances.len()).map(query).enumerate() {
            for corner in 0..3 {
                for axis in 0..3 {
                    columns[corner][axis][lane] = corners[corner][axis] - point[axis];
                }
            }
        }
        let relative = columns.map(|corner| corner.map(|column| Lanes(f64x8::from_slice(simd, &column))));
        let squared = of_vertex_and_face(&relative).squared.0;
        for (lane, distance) in distances.iter_mut().enumerate() {
            *distance = if is_in_range(squared[lane]) {
                squared[lane].sqrt()
            } else {
                let (point, corners) = query(first + lane);
                closest_on_triangle(point, corners).1
            };
        }
    }
}

/// Whether no square of a length that matters has left the range of f64.
#[inline(always)]
fn is_in_range(squared: f64) -> bool {
    1e-140 < squared && squared < 1e140
}

/// The weights of the corners for the point of a triangle that is closest to a given one, and its
/// distance, for any finite coordinates. Its error is below 2^-46 of the largest difference of
/// coordinates.
pub(crate) fn closest_on_triangle(point: [f64; 3], corners: [[f64; 3]; 3]) -> ([f64; 3], f64) {
    let relative = corners.map(|corner| minus(corner, point));
    let found = of_vertex_and_face(&relative);
    let [_, a, b, c] = found.weights;
    if is_in_range(found.squared) {
        return ([a, b, c], found.squared.sqrt());
    }
    // Squares of very small and very large coordinates leave the range of f64.
    let largest = corners.as_flattened().iter().chain(&point).fold(0.0, |m: f64, x| m.max(x.abs()));
    let scale = f64::from_bits((2046 - (largest.to_bits() >> 52).clamp(1, 2045)) << 52);
    let relative = corners.map(|corner| [0, 1, 2].map(|i| corner[i] * scale - point[i] * scale));
    let found = of_vertex_and_face(&relative);
    let [_, a, b, c] = found.weights;
    ([a, b, c], found.squared.sqrt() / scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;

    #[test]
    fn distances_in_lanes_have_the_bits_of_those_one_by_one() {
        let mut random = random(7);
        for (n_points, n_triangles, size) in [(1, 1, 1.0), (3, 4, 1.0), (6, 3, 1e-100), (6, 2, 1e120)] {
            let mut point = || [0; 3].map(|_| size * random());
            let points: Vec<[f64; 3]> = (0..n_points).map(|_| point()).collect();
            let triangles: Vec<[[f64; 3]; 3]> =
                (0..n_triangles).map(|_| [point(), point(), point()]).collect();
            let mut found = vec![0.0; n_points * n_triangles];
            distances_to_triangles(&points, &triangles, &mut found);
            let all =
                triangles.iter().flat_map(|&t| points.iter().map(move |&p| closest_on_triangle(p, t).1));
            assert!(all.eq(found), "{size}");
        }
    }
}
