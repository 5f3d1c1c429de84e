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
///   component of the relative motion perpendicular to the longest edge, reversed; then the reversed
///   motion itself; at rest, any direction perpendicular to that edge; and zero if there is no edge.
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
/// are close in comparison with their size or motion, or degenerate. Distances below 2^-90 of their size count
/// as zero.
#[must_use]
pub fn contact_point(kind: Kind, points: &[MovingPoint; 4], t: f64) -> ContactPoint {
    let scale = scale_to_one(points);
    let ends = points.map(|p| [p.t0.map(|x| x * scale), p.t1.map(|x| x * scale)]);
    let here = ends.map(|p| [0, 1, 2].map(|i| (1.0 - t) * p[0][i] + t * p[1][i]));
    let relative: Relative<f64> = [1, 2, 3].map(|k| {
        [0, 1, 2].map(|i| (1.0 - t) * (ends[k][0][i] - ends[0][0][i]) + t * (ends[k][1][i] - ends[0][1][i]))
    });
    let in_f64 = closest(kind, &relative);
    let is_slow = {
        let of_ends = |k: usize, i: usize| [0, 1].map(|end| (ends[k][end][i] - ends[0][end][i]).abs());
        let spread = (1..4).flat_map(|k| (0..3).flat_map(move |i| of_ends(k, i))).fold(0.0, f64::max);
        spread <= 8.0 * relative.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()))
    };
    let (weights, distance, direction) = if is_slow && is_precise(kind, &relative, &in_f64) {
        (in_f64.weights, in_f64.squared.sqrt(), Some(in_f64.normal))
    } else {
        in_double(kind, &ends, t)
    };
    let n_first = kind.n_first();
    let combine = |of: [[f64; 3]; 4], range: std::ops::Range<usize>| {
        [0, 1, 2].map(|i| range.clone().map(|k| weights[k] * of[k][i]).sum::<f64>())
    };
    let (on_first, on_second) = (combine(here, 0..n_first), combine(here, n_first..4));
    let normal = direction.and_then(unit).unwrap_or_else(|| {
        let motion = ends.map(|p| minus(p[1], p[0]));
        touching_normal(kind, &relative, minus(combine(motion, 0..n_first), combine(motion, n_first..4)))
    });
    let point = [0, 1, 2].map(|i| 0.5 * (on_first[i] + on_second[i]) / scale);
    ContactPoint { point, normal, weights, distance: distance / scale }
}

/// Whether closest points in f64 have a direction within 2^-32 of the true one: their distance
/// exceeds the error of positions as far, or the direction is that of a normal which does not depend
/// on it. In both cases the features must not be nearly degenerate.
fn is_precise(kind: Kind, relative: &Relative<f64>, found: &Closest<f64>) -> bool {
    let (e, f) = match kind {
        Kind::VertexFace => (minus(relative[1], relative[0]), minus(relative[2], relative[0])),
        Kind::EdgeEdge => (relative[0], minus(relative[2], relative[1])),
    };
    let n = cross(e, f);
    let is_degenerate = dot(n, n) < dot(e, e) * dot(f, f) * (1.0 / 4096.0);
    let size_squared = relative.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x * x));
    let least: f64 = if 1e-6 < found.inside { 1e-24 } else { 1e-8 };
    !is_degenerate && size_squared * least < found.squared
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
