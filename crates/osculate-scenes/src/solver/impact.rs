//! How two features meet: which way they move, and with which weights.
//!
//! The normal of a contact in the library points from one feature to the other where they are
//! apart. Here it is that of the face, or of both edges, whatever lies between them: the solver
//! keeps features on the sides of that plane on which they were. Frames of scenes depend on every
//! digit of it.

use crate::vector::{Vector, cross, dot, sub};
use osculate::narrow::Kind;

/// Normal and weights of two features that meet.
pub(super) struct Impact {
    /// The unit normal of the face, or of both edges, against which the first feature moves,
    /// relative to the second; zero if there is none.
    pub(super) normal: Vector,
    /// Weights of the four points, as in [`osculate::narrow::ContactPoint`].
    pub(super) weights: [f64; 4],
}

/// Returns how features meet at time `t` whose points move between two ends each.
pub(super) fn impact(kind: Kind, ends: [[Vector; 2]; 4], t: f64) -> Impact {
    let scale = scale_to_one(&ends);
    let ends = ends.map(|p| p.map(|end| end.map(|x| x * scale)));
    let [p, q, r, s] = ends.map(|p| [0, 1, 2].map(|i| (1.0 - t) * p[0][i] + t * p[1][i]));
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
    let n_first = if kind == Kind::VertexFace { 1 } else { 2 };
    let combine = |of: [Vector; 4], range: std::ops::Range<usize>| {
        [0, 1, 2].map(|i| range.clone().map(|k| weights[k] * of[k][i]).sum::<f64>())
    };
    let motion = ends.map(|p| sub(p[1], p[0]));
    let relative = sub(combine(motion, 0..n_first), combine(motion, n_first..4));
    let across = |v: Vector| match dot(along, along) {
        length_squared if 0.0 < length_squared => sub(v, along.map(|x| x * (dot(v, along) / length_squared))),
        _ => v,
    };
    let candidates = [geometric_normal, across(relative), relative, any_perpendicular(along)];
    let normal = candidates.into_iter().find_map(unit).unwrap_or([0.0; 3]);
    let normal = if 0.0 < dot(normal, relative) { normal.map(|x| 0.0 - x) } else { normal };
    Impact { normal, weights }
}

/// The power of two that scales the largest coordinate to about one, so that products stay in
/// range.
fn scale_to_one(ends: &[[Vector; 2]; 4]) -> f64 {
    let coordinates = ends.as_flattened().as_flattened();
    let largest = coordinates.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let exponent = (largest.to_bits() >> 52).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}

/// The normalized vector; `None` if it is zero or not finite. It is scaled first, so that squares
/// neither overflow nor underflow.
fn unit(v: Vector) -> Option<Vector> {
    let largest = v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if !(0.0 < largest && largest.is_finite()) {
        return None;
    }
    let v = v.map(|x| x / largest);
    let length = dot(v, v).sqrt();
    Some(v.map(|x| x / length))
}

fn longest_edge([a, b, c]: [Vector; 3]) -> Vector {
    let edges = [sub(b, a), sub(c, b), sub(a, c)];
    edges.into_iter().fold([0.0; 3], |longest, e| if dot(longest, longest) < dot(e, e) { e } else { longest })
}

/// Some vector perpendicular to `v`: its cross product with the axis of its smallest component.
fn any_perpendicular(v: Vector) -> Vector {
    let least = [1, 2].into_iter().fold(0, |k, i| if v[i].abs() < v[k].abs() { i } else { k });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    cross(v, axis)
}

/// Parameter in [0, 1] of the point of the segment ab closest to p; 0 if a = b.
fn closest_on_segment(p: Vector, a: Vector, b: Vector) -> f64 {
    let e = sub(b, a);
    let length_squared = dot(e, e);
    if 0.0 < length_squared { (dot(sub(p, a), e) / length_squared).clamp(0.0, 1.0) } else { 0.0 }
}

/// Barycentric weights of the point of a triangle closest to p: the projection if it falls inside,
/// otherwise a point on the nearest edge.
///
/// All candidates are compared, since the projection is unreliable for nearly degenerate triangles.
fn closest_on_triangle(p: Vector, corners: [Vector; 3]) -> Vector {
    let [a, b, c] = corners;
    let n = cross(sub(b, a), sub(c, a));
    let area = |x: Vector, y: Vector| dot(n, cross(sub(x, p), sub(y, p)));
    let areas = [area(b, c), area(c, a), area(a, b)];
    let sum = areas[0] + areas[1] + areas[2];
    let (ab, bc, ca) =
        (closest_on_segment(p, a, b), closest_on_segment(p, b, c), closest_on_segment(p, c, a));
    let candidates = [areas.map(|w| w / sum), [1.0 - ab, ab, 0.0], [0.0, 1.0 - bc, bc], [ca, 0.0, 1.0 - ca]];
    let gap_squared = |w: Vector| {
        let gap = [0, 1, 2].map(|i| w[0] * a[i] + w[1] * b[i] + w[2] * c[i] - p[i]);
        dot(gap, gap)
    };
    let is_inside = |w: &Vector| w.iter().all(|w| (0.0..=1.0).contains(w));
    let closer = |best, next| if gap_squared(next) < gap_squared(best) { next } else { best };
    candidates.into_iter().filter(is_inside).reduce(closer).unwrap_or([1.0, 0.0, 0.0])
}

/// Parameters of the closest points of two segments: those of the lines if they fall on both,
/// otherwise with an end of one of them.
///
/// All candidates are compared, since the solution for the lines is unreliable for nearly parallel
/// edges.
fn closest_on_edges([a, b]: [Vector; 2], [c, d]: [Vector; 2]) -> (f64, f64) {
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
