//! The contact point: point, normal and weights at a time of impact.

use super::Kind;
use crate::MovingPoint;
use crate::math::vector::{cross, dot};

/// The closest points of two features at a given time, in f64: an approximation of the contact, as
/// the time is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// The contact point in the coordinates of the input: half-way between the closest points of
    /// the two features.
    pub point: [f64; 3],
    /// Unit normal of the contact, pointing from the second feature (face, or edge 2-3) to the
    /// first: at this time, the first feature moves against it or along the contact plane, relative
    /// to the second, whenever the motion determines it. Zero if the features are so degenerate
    /// that no direction is defined.
    pub normal: [f64; 3],
    /// Weight of each of the query's four points. The first feature's closest point is the weighted
    /// sum of its points, with weights that sum to one, and the same holds of the second feature.
    /// Vertex-face: `[1, a, b, c]`; edge-edge: `[1 - u, u, 1 - v, v]`.
    pub weights: [f64; 4],
}

/// Returns the closest points of a query's features at time `t`, usually the `lo` of a hit.
///
/// Vertex-face: the point of the face closest to the vertex, and the face's normal. Edge-edge: the
/// closest points of the two edges, and the cross product of their directions. If that vanishes (a
/// face without area, parallel edges), the normal is the component of the relative motion
/// perpendicular to the feature, then the relative motion, then any direction perpendicular to the
/// edge.
#[must_use]
pub fn contact_point(kind: Kind, points: &[MovingPoint; 4], t: f64) -> ContactPoint {
    let scale = scale_to_one(points);
    let points = points.map(|p| MovingPoint { t0: p.t0.map(|x| x * scale), t1: p.t1.map(|x| x * scale) });
    let [p, q, r, s] = points.map(|p| [0, 1, 2].map(|i| (1.0 - t) * p.t0[i] + t * p.t1[i]));
    let (weights, geometric_normal, along) = match kind {
        Kind::VertexFace => {
            let [a, b, c] = closest_on_triangle(p, [q, r, s]);
            let longest = longest_edge([q, r, s]);
            ([1.0, a, b, c], cross(sub(r, q), sub(s, q)), longest)
        }
        Kind::EdgeEdge => {
            let (u, v) = closest_on_edges([p, q], [r, s]);
            let (ea, eb) = (sub(q, p), sub(s, r));
            let along = if dot(ea, ea) < dot(eb, eb) { eb } else { ea };
            ([1.0 - u, u, 1.0 - v, v], cross(ea, eb), along)
        }
    };
    let n_first = kind.n_first();
    let combine = |of: [[f64; 3]; 4], range: std::ops::Range<usize>| {
        [0, 1, 2].map(|i| range.clone().map(|k| weights[k] * of[k][i]).sum::<f64>())
    };
    let here = [p, q, r, s];
    let (on_first, on_second) = (combine(here, 0..n_first), combine(here, n_first..4));
    let motion = points.map(|p| sub(p.t1, p.t0));
    let relative = sub(combine(motion, 0..n_first), combine(motion, n_first..4));
    let across = |v: [f64; 3]| match dot(along, along) {
        length_squared if 0.0 < length_squared => sub(v, along.map(|x| x * (dot(v, along) / length_squared))),
        _ => v,
    };
    let candidates = [geometric_normal, across(relative), relative, any_perpendicular(along)];
    let normal = candidates.into_iter().find_map(unit).unwrap_or([0.0; 3]);
    let normal = if 0.0 < dot(normal, relative) { normal.map(|x| 0.0 - x) } else { normal };
    let point = [0, 1, 2].map(|i| 0.5 * (on_first[i] + on_second[i]) / scale);
    ContactPoint { point, normal, weights }
}

/// The power of two that scales the largest coordinate to about one, so that products stay in
/// range.
fn scale_to_one(points: &[MovingPoint; 4]) -> f64 {
    let largest = points.iter().flat_map(|p| [p.t0, p.t1]).flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    let exponent = (largest.to_bits() >> 52).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
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

fn longest_edge([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let edges = [sub(b, a), sub(c, b), sub(a, c)];
    edges.into_iter().fold([0.0; 3], |longest, e| if dot(longest, longest) < dot(e, e) { e } else { longest })
}

/// Some vector perpendicular to `v`: its cross product with the axis of its smallest component.
fn any_perpendicular(v: [f64; 3]) -> [f64; 3] {
    let least = [1, 2].into_iter().fold(0, |k, i| if v[i].abs() < v[k].abs() { i } else { k });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    cross(v, axis)
}

/// Parameter in [0, 1] of the point of the segment ab closest to p; 0 if a = b.
fn closest_on_segment(p: [f64; 3], a: [f64; 3], b: [f64; 3]) -> f64 {
    let e = sub(b, a);
    let length_squared = dot(e, e);
    if 0.0 < length_squared { (dot(sub(p, a), e) / length_squared).clamp(0.0, 1.0) } else { 0.0 }
}

/// Barycentric weights of the point of a triangle closest to p: the projection if it falls inside,
/// otherwise a point on the nearest edge.
///
/// All candidates are compared, since the projection is unreliable for nearly degenerate triangles.
fn closest_on_triangle(p: [f64; 3], corners: [[f64; 3]; 3]) -> [f64; 3] {
    let [a, b, c] = corners;
    let n = cross(sub(b, a), sub(c, a));
    let area = |x: [f64; 3], y: [f64; 3]| dot(n, cross(sub(x, p), sub(y, p)));
    let areas = [area(b, c), area(c, a), area(a, b)];
    let sum = areas[0] + areas[1] + areas[2];
    let (ab, bc, ca) =
        (closest_on_segment(p, a, b), closest_on_segment(p, b, c), closest_on_segment(p, c, a));
    let candidates = [areas.map(|w| w / sum), [1.0 - ab, ab, 0.0], [0.0, 1.0 - bc, bc], [ca, 0.0, 1.0 - ca]];
    let gap_squared = |w: [f64; 3]| {
        let gap = [0, 1, 2].map(|i| w[0] * a[i] + w[1] * b[i] + w[2] * c[i] - p[i]);
        dot(gap, gap)
    };
    let is_inside = |w: &[f64; 3]| w.iter().all(|w| (0.0..=1.0).contains(w));
    let closer = |best, next| if gap_squared(next) < gap_squared(best) { next } else { best };
    candidates.into_iter().filter(is_inside).reduce(closer).unwrap_or([1.0, 0.0, 0.0])
}

/// Parameters of the closest points of two segments: those of the lines if they fall on both,
/// otherwise with an end of one of them.
///
/// All candidates are compared, since the solution for the lines is unreliable for nearly parallel
/// edges.
fn closest_on_edges([a, b]: [[f64; 3]; 2], [c, d]: [[f64; 3]; 2]) -> (f64, f64) {
    let (ea, eb, ca) = (sub(b, a), sub(d, c), sub(a, c));
    let (aa, ab, bb) = (dot(ea, ea), dot(ea, eb), dot(eb, eb));
    let (fa, fb) = (dot(ea, ca), dot(eb, ca));
    let denominator = aa * bb - ab * ab;
    let of_lines = ((ab * fb - bb * fa) / denominator, (aa * fb - ab * fa) / denominator);
    let candidates = [
        (0.0, closest_on_segment(a, c, d)),
        (1.0, closest_on_segment(b, c, d)),
        (closest_on_segment(c, a, b), 0.0),
        (closest_on_segment(d, a, b), 1.0),
        of_lines,
    ];
    let gap_squared = |(u, v): (f64, f64)| {
        let gap = [0, 1, 2].map(|i| ca[i] + u * ea[i] - v * eb[i]);
        dot(gap, gap)
    };
    let on_both = |&(u, v): &(f64, f64)| (0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v);
    let closer = |best, next| if gap_squared(next) < gap_squared(best) { next } else { best };
    candidates.into_iter().filter(on_both).reduce(closer).unwrap_or((0.0, 0.0))
}
