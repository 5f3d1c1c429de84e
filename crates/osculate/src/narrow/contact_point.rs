//! The contact point: point, normal, weights and distance at a time of impact.

use super::Kind;
use super::closest::{Closest, Relative, closest};
use super::features::Ends;
use crate::MovingPoint;
use crate::math::double::Double;
use crate::math::real::Real;
use crate::math::vector::{cross, dot, minus, plus, scale};

/// The closest points of two features at a given time, in f64: an approximation of the contact, as
/// the time is.
///
/// Its normal tells how to push the features apart. It comes from their positions at that time as
/// long as these are apart, and from their motion only if they touch:
///
/// - *apart*: the direction from the closest point of the second feature to that of the first. The
///   orientation of a face and the motion of the features do not matter: behind a face, the normal
///   points backward; beside the rim of a face or the end of an edge, away from it.
/// - *touching*: perpendicular to the face, or to both edges; of the two directions, the one that
///   the first feature comes from, relative to the second. If the features are degenerate, the
///   component of the relative motion perpendicular to the longest edge, reversed; then the
///   reversed motion itself; at rest, any direction perpendicular to that edge; and zero if there
///   is no edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// The contact point in the coordinates of the input: half-way between the closest points of
    /// the two features.
    pub point: [f64; 3],
    /// Unit normal of the contact, pointing from the second feature (face, or edge 2-3) to the
    /// first. Zero if the features touch and are so degenerate that no direction is defined.
    pub normal: [f64; 3],
    /// Weight of each of the query's four points. The first feature's closest point is the weighted
    /// sum of its points, with weights that sum to one, and the same holds of the second feature.
    /// Vertex-face: `[1, a, b, c]`; edge-edge: `[1 - u, u, 1 - v, v]`.
    pub weights: [f64; 4],
    /// The distance of the two features, within 2^-46 of the largest difference of coordinates
    /// between point 0 and the others at that time, and the smallest positive f64.
    pub distance: f64,
}

impl ContactPoint {
    /// The closest points, of the first and of the second feature: half of the distance from the
    /// contact point along the normal, and against it.
    #[must_use]
    pub fn closest_points(&self) -> [[f64; 3]; 2] {
        [0.5, -0.5].map(|side| [0, 1, 2].map(|i| self.point[i] + side * self.distance * self.normal[i]))
    }
}

/// Returns the closest points of a query's features at time `t`, usually the `lo` of a hit.
///
/// They are computed in f64 if that is precise, and else with twice the precision: if the features
/// are close in comparison with their size or motion, or degenerate. Distances below 2^-90 of their
/// size count as zero.
#[must_use]
pub fn contact_point(kind: Kind, points: &[MovingPoint; 4], t: f64) -> ContactPoint {
    let ends = points.map(|p| [p.t0, p.t1]);
    let scale = scale_to_one(largest(&ends));
    let found = in_f64(kind, &ends, t, scale);
    if found.is_precise { found.contact() } else { in_double(kind, &ends, t, scale) }
}

/// Closest points in f64, over numbers or lanes; see [`ContactPoint`].
pub(super) struct InF64<R: Real> {
    pub(super) point: [R; 3],
    pub(super) normal: [R; 3],
    pub(super) weights: [R; 4],
    pub(super) distance: R,
    /// Whether the direction is within 1e-9 of the true one. If not, nothing here is used.
    pub(super) is_precise: R::Mask,
}

impl InF64<f64> {
    fn contact(&self) -> ContactPoint {
        let InF64 { point, normal, weights, distance, .. } = *self;
        ContactPoint { point, normal, weights, distance }
    }
}

/// Returns the closest points at time t, computed with coordinates that are scaled by a power of
/// two, such that the largest is about one. With one end, nothing moves, and t is zero:
/// `(1 - t) a + t a` is a, and not computed.
#[inline(always)]
pub(super) fn in_f64<const ENDS: usize, R: Real>(
    kind: Kind,
    ends: &[[[R; 3]; ENDS]; 4],
    t: R,
    factor: R,
) -> InF64<R> {
    let last = ENDS - 1;
    let at = |a: [R; 3], b: [R; 3]| if ENDS == 1 { a } else { at(t, a, b) };
    let (zero, one) = (t.constant(0.0), t.constant(1.0));
    let [a, b, c, d] = ends;
    let ends = [scaled(a, factor), scaled(b, factor), scaled(c, factor), scaled(d, factor)];
    let [a, b, c, d] = &ends;
    let at_start = [minus(b[0], a[0]), minus(c[0], a[0]), minus(d[0], a[0])];
    let at_end = [minus(b[last], a[last]), minus(c[last], a[last]), minus(d[last], a[last])];
    let relative = [at(at_start[0], at_end[0]), at(at_start[1], at_end[1]), at(at_start[2], at_end[2])];
    let found = closest(kind, &relative);
    let size = size(&relative);
    // Fast motion is more rounded than what is left of it at this time.
    let is_fast = (size * 8.0).lt(self::size(&at_start).max(self::size(&at_end)));
    let squared = if ENDS == 1 { found.squared } else { R::select(is_fast, zero, found.squared) };
    let [x, y, z] = found.normal;
    let longest = x.abs().max(y.abs()).max(z.abs());
    let is_precise = is_precise(kind, &relative, size, &found, squared) & zero.lt(longest);
    let longest = R::select(is_precise, longest, one);
    let normal = [x / longest, y / longest, z / longest];
    let length = dot(normal, normal).sqrt();
    let now = [at(a[0], a[last]), at(b[0], b[last]), at(c[0], c[last]), at(d[0], d[last])];
    let point = half_way(kind, found.weights, &now);
    InF64 {
        point: [point[0] / factor, point[1] / factor, point[2] / factor],
        normal: [normal[0] / length, normal[1] / length, normal[2] / length],
        weights: found.weights,
        distance: found.squared.sqrt() / factor,
        is_precise,
    }
}

#[inline(always)]
fn scaled<const ENDS: usize, R: Real>(ends: &[[R; 3]; ENDS], factor: R) -> [[R; 3]; ENDS] {
    let mut scaled = *ends;
    for end in &mut scaled {
        *end = scale(factor, *end);
    }
    scaled
}

/// `(1 - t) a + t b`
#[inline(always)]
fn at<R: Real>(t: R, a: [R; 3], b: [R; 3]) -> [R; 3] {
    plus(scale(t.constant(1.0) - t, a), scale(t, b))
}

/// The weighted sums of vectors at the points of each feature.
#[inline(always)]
fn on_features<R: Real>(kind: Kind, weights: [R; 4], of: &[[R; 3]; 4]) -> [[R; 3]; 2] {
    let mut of = *of;
    for k in 0..4 {
        of[k] = scale(weights[k], of[k]);
    }
    match kind {
        Kind::VertexFace => [of[0], plus(plus(of[1], of[2]), of[3])],
        Kind::EdgeEdge => [plus(of[0], of[1]), plus(of[2], of[3])],
    }
}

/// The point half-way between the weighted sums of the points of each feature.
#[inline(always)]
fn half_way<R: Real>(kind: Kind, weights: [R; 4], points: &[[R; 3]; 4]) -> [R; 3] {
    let [first, second] = on_features(kind, weights, points);
    scale(weights[0].constant(0.5), plus(first, second))
}

/// The largest magnitude of a coordinate.
#[inline(always)]
fn size<R: Real>(points: &Relative<R>) -> R {
    let mut size = points[0][0].constant(0.0);
    for p in points {
        size = size.max(p[0].abs().max(p[1].abs()).max(p[2].abs()));
    }
    size
}

/// The largest magnitude of a coordinate at both ends of the step.
#[inline(always)]
pub(super) fn largest<const ENDS: usize, R: Real>(points: &[[[R; 3]; ENDS]; 4]) -> R {
    let mut largest = points[0][0][0].constant(0.0);
    for ends in points {
        for p in ends {
            largest = largest.max(p[0].abs().max(p[1].abs()).max(p[2].abs()));
        }
    }
    largest
}

/// Part of the size of features by which weights, and distances along the normal, must exceed those
/// at which other points become the closest. Direction errors of closest points in f64 are below
/// 64 u over this, 2^-27 of a right angle.
const MARGIN: f64 = 1e-5;

/// Whether closest points in f64 have a direction within 1e-9 of the true one; `squared` is the
/// square of their distance, or zero if that is not precise.
///
/// The parts of the features on which they lie must be certain. The points of the features with
/// weights are those nearest to the other feature along the normal; all others must be farther away
/// by a margin, as otherwise a small change moves the closest points toward them. The features must
/// not be nearly degenerate, and the gap must not be short, unless the normal is that of the face
/// or of both edges, and does not depend on it.
#[inline(always)]
fn is_precise<R: Real>(
    kind: Kind,
    relative: &Relative<R>,
    size: R,
    found: &Closest<R>,
    squared: R,
) -> R::Mask {
    let [a, b, c] = *relative;
    let (zero, margin) = (size.constant(0.0), size.constant(MARGIN));
    let (e, f) = match kind {
        Kind::VertexFace => (minus(b, a), minus(c, a)),
        Kind::EdgeEdge => (a, minus(c, b)),
    };
    let n = cross(e, f);
    let is_flat = dot(n, n).lt(dot(e, e) * dot(f, f) * (1.0 / 4096.0));
    let squared = R::select(is_flat, zero, squared);
    let is_inside = margin.lt(found.inside) & (size * size * 1e-24).lt(squared);
    let length = dot(found.normal, found.normal).sqrt();
    let heights = [zero, dot(found.normal, a), dot(found.normal, b), dot(found.normal, c)];
    let (lowest, highest) = match kind {
        Kind::VertexFace => (zero, heights[1].max(heights[2]).max(heights[3])),
        Kind::EdgeEdge => (zero.min(heights[1]), heights[2].max(heights[3])),
    };
    let farther = size * MARGIN * length;
    let mut are_certain = (size * size * 1e-8).lt(squared);
    for (k, &height) in heights.iter().enumerate() {
        let above = if k < kind.n_first() { height - lowest } else { highest - height };
        are_certain = are_certain & (margin.lt(found.weights[k]) | farther.lt(above));
    }
    is_inside | are_certain
}

/// Closest points with twice the precision of f64.
fn in_double(kind: Kind, points: &[Ends<f64>; 4], t: f64, factor: f64) -> ContactPoint {
    let ends = points.map(|p| scaled(&p, factor));
    let (weights, distance, direction) = closest_in_double(kind, &ends, t);
    let normal = direction.and_then(unit).unwrap_or_else(|| {
        let [first, second] = on_features(kind, weights, &ends.map(|p| minus(p[1], p[0])));
        let relative = [1, 2, 3].map(|k| {
            let [at_start, at_end] = [0, 1].map(|end: usize| minus(ends[k][end], ends[0][end]));
            at(t, at_start, at_end)
        });
        touching_normal(kind, &relative, minus(first, second))
    });
    let point = half_way(kind, weights, &ends.map(|p| at(t, p[0], p[1])));
    ContactPoint { point: point.map(|x| x / factor), normal, weights, distance: distance / factor }
}

/// Weights, distance and direction with twice the precision of f64; no direction if the features
/// touch.
fn closest_in_double(kind: Kind, ends: &[Ends<f64>; 4], t: f64) -> ([f64; 4], f64, Option<[f64; 3]>) {
    let (rest, t) = (Double::sum(1.0, -t), Double::from(t));
    let relative: Relative<Double> = [1, 2, 3].map(|k| {
        [0, 1, 2].map(|i| {
            let difference = |end: usize| Double::sum(ends[k][end][i], -ends[0][end][i]);
            rest * difference(0) + t * difference(1)
        })
    });
    let found = closest(kind, &relative);
    let distance = found.squared.sqrt().hi;
    let size = relative.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.hi.abs()));
    let is_apart = size < distance * (1u128 << 90) as f64;
    // Normalized before it is rounded, as it may be short.
    let length = dot(found.normal, found.normal).sqrt();
    let direction = found.normal.map(|x| if 0.0 < length.hi { (x / length).hi } else { x.hi });
    (found.weights.map(|w| w.hi), if is_apart { distance } else { 0.0 }, is_apart.then_some(direction))
}

/// The normal of features that touch, by the motion of the first relative to the second.
fn touching_normal(kind: Kind, relative: &Relative<f64>, motion: [f64; 3]) -> [f64; 3] {
    let [a, b, c] = *relative;
    let (normal, along) = match kind {
        Kind::VertexFace => {
            (cross(minus(b, a), minus(c, a)), longest([minus(b, a), minus(c, b), minus(a, c)]))
        }
        Kind::EdgeEdge => (cross(a, minus(c, b)), longest([a, minus(c, b), [0.0; 3]])),
    };
    // Exactly zero for motion along the edge; scaled, so that products of short edges are not zero.
    let along = scale(scale_to_one(size(&[along; 3])), along);
    let across = cross(along, cross(motion, along));
    let candidates = [normal, across, motion, any_perpendicular(along)];
    let normal = candidates.into_iter().find_map(unit).unwrap_or([0.0; 3]);
    if 0.0 < dot(normal, motion) { normal.map(|x| 0.0 - x) } else { normal }
}

/// The power of two that scales the largest coordinate to about one, so that products stay in
/// range.
pub(super) fn scale_to_one(largest: f64) -> f64 {
    let exponent = (largest.to_bits() >> 52).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}

/// The normalized vector; `None` if it is zero or not finite. It is scaled first, so that squares
/// neither overflow nor underflow.
fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let largest = v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if !(0.0 < largest && largest.is_finite()) {
        return None;
    }
    let v = v.map(|x| x / largest);
    let length = dot(v, v).sqrt();
    Some(v.map(|x| x / length))
}

fn longest(edges: [[f64; 3]; 3]) -> [f64; 3] {
    edges.into_iter().fold([0.0; 3], |longest, e| if dot(longest, longest) < dot(e, e) { e } else { longest })
}

/// Some vector perpendicular to `v`: its cross product with the axis of its smallest component.
fn any_perpendicular(v: [f64; 3]) -> [f64; 3] {
    let least = [1, 2].into_iter().fold(0, |k, i| if v[i].abs() < v[k].abs() { i } else { k });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    cross(v, axis)
}
