//! The contact point: point, normal, weights and distance at a time of impact.

use super::Kind;
use super::closest::{Closest, Relative, closest};
use crate::MovingPoint;
use crate::math::double::Double;
use crate::math::real::Real;
use crate::math::vector::{cross, dot, minus};

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
    /// between point 0 and the others at that time.
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
    let scale = scale_to_one(points);
    let ends = points.map(|p| [p.t0.map(|x| x * scale), p.t1.map(|x| x * scale)]);
    let at = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| (1.0 - t) * a[i] + t * b[i]);
    let [at_start, at_end] = [0, 1].map(|end| [1, 2, 3].map(|k| minus(ends[k][end], ends[0][end])));
    let relative: Relative<f64> = [0, 1, 2].map(|k| at(at_start[k], at_end[k]));
    let in_f64 = closest(kind, &relative);
    // Fast motion is more rounded than what is left of it at this time.
    let is_slow = largest(&at_start).max(largest(&at_end)) <= 8.0 * largest(&relative);
    let (weights, distance, direction) = if is_slow && is_precise(kind, &relative, &in_f64) {
        (in_f64.weights, in_f64.squared.sqrt(), Some(in_f64.normal))
    } else {
        in_double(kind, &ends, t)
    };
    let [on_first, on_second] = on_features(kind, weights, ends.map(|p| at(p[0], p[1])));
    let normal = direction.and_then(unit).unwrap_or_else(|| {
        let [first, second] = on_features(kind, weights, ends.map(|p| minus(p[1], p[0])));
        touching_normal(kind, &relative, minus(first, second))
    });
    let point = [0, 1, 2].map(|i| 0.5 * (on_first[i] + on_second[i]) / scale);
    ContactPoint { point, normal, weights, distance: distance / scale }
}

/// The weighted sums of vectors at the points of each feature.
fn on_features(kind: Kind, weights: [f64; 4], of: [[f64; 3]; 4]) -> [[f64; 3]; 2] {
    let sum = |k: usize, l: usize| [0, 1, 2].map(|i| weights[k] * of[k][i] + weights[l] * of[l][i]);
    match kind {
        Kind::VertexFace => {
            let [x, y, z] = sum(1, 2);
            let [u, v, w] = of[3].map(|x| weights[3] * x);
            [of[0], [x + u, y + v, z + w]]
        }
        Kind::EdgeEdge => [sum(0, 1), sum(2, 3)],
    }
}

/// The largest magnitude of a coordinate.
fn largest(points: &Relative<f64>) -> f64 {
    points.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Part of the size of features by which weights, and distances along the normal, must exceed those
/// at which other points become the closest. Direction errors of closest points in f64 are below
/// 64 u over this, 2^-27 of a right angle.
const MARGIN: f64 = 1e-5;

/// Whether closest points in f64 have a direction within 1e-9 of the true one.
///
/// The parts of the features on which they lie must be certain. The points of the features with
/// weights are those nearest to the other feature along the normal; all others must be farther away
/// by a margin, as otherwise a small change moves the closest points toward them. The features must
/// not be nearly degenerate, and the gap must not be short, unless the normal is that of the face
/// or of both edges, and does not depend on it.
fn is_precise(kind: Kind, relative: &Relative<f64>, found: &Closest<f64>) -> bool {
    let [a, b, c] = *relative;
    let (e, f) = match kind {
        Kind::VertexFace => (minus(b, a), minus(c, a)),
        Kind::EdgeEdge => (a, minus(c, b)),
    };
    let n = cross(e, f);
    let size = largest(relative);
    if dot(n, n) < dot(e, e) * dot(f, f) * (1.0 / 4096.0) {
        return false;
    }
    if MARGIN < found.inside {
        return size * size * 1e-24 < found.squared;
    }
    let length = dot(found.normal, found.normal).sqrt();
    let heights = [0.0, dot(found.normal, a), dot(found.normal, b), dot(found.normal, c)];
    let (first, second) = heights.split_at(kind.n_first());
    let lowest = first.iter().fold(f64::INFINITY, |m: f64, &h| m.min(h));
    let highest = second.iter().fold(f64::NEG_INFINITY, |m: f64, &h| m.max(h));
    let margin = MARGIN * size * length;
    let is_certain = |k: usize| {
        let above = if k < kind.n_first() { heights[k] - lowest } else { highest - heights[k] };
        MARGIN < found.weights[k] || margin < above
    };
    size * size * 1e-8 < found.squared && (0..4).all(is_certain)
}

/// Weights, distance and direction with twice the precision of f64; no direction if the features
/// touch.
fn in_double(kind: Kind, ends: &[[[f64; 3]; 2]; 4], t: f64) -> ([f64; 4], f64, Option<[f64; 3]>) {
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
    let across = match dot(along, along) {
        squared if 0.0 < squared => minus(motion, along.map(|x| x * (dot(motion, along) / squared))),
        _ => motion,
    };
    let candidates = [normal, across, motion, any_perpendicular(along)];
    let normal = candidates.into_iter().find_map(unit).unwrap_or([0.0; 3]);
    if 0.0 < dot(normal, motion) { normal.map(|x| 0.0 - x) } else { normal }
}

/// The power of two that scales the largest coordinate to about one, so that products stay in
/// range.
fn scale_to_one(points: &[MovingPoint; 4]) -> f64 {
    let largest = points.iter().flat_map(|p| [p.t0, p.t1]).flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
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
