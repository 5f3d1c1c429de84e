//! Distances between features at an instant in plain f64, for tests that compare lengths.

use osculate::MovingPoint;
use osculate::narrow::Kind;

pub(crate) fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn point_segment(p: [f64; 3], a: [f64; 3], b: [f64; 3]) -> f64 {
    let e = sub(b, a);
    let s = if dot(e, e) == 0.0 { 0.0 } else { (dot(sub(p, a), e) / dot(e, e)).clamp(0.0, 1.0) };
    length(std::array::from_fn(|i| p[i] - a[i] - s * e[i]))
}

fn point_triangle(p: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> f64 {
    let n = cross(sub(b, a), sub(c, a));
    let sides = [(a, b), (b, c), (c, a)];
    // A nearly degenerate triangle is equivalent to its sides, and its normal is noise.
    let has_area = 1e-9 * length(sub(b, a)) * length(sub(c, a)) < length(n);
    if has_area && sides.iter().all(|&(x, y)| 0.0 <= dot(n, cross(sub(y, x), sub(p, x)))) {
        return (dot(n, sub(p, a)) / length(n)).abs();
    }
    sides.iter().map(|&(x, y)| point_segment(p, x, y)).fold(f64::INFINITY, f64::min)
}

fn segment_segment(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> f64 {
    let ends =
        [point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)];
    let (e, f, g) = (sub(b, a), sub(d, c), sub(c, a));
    let n = cross(e, f);
    let (s, t) = (dot(cross(g, f), n) / dot(n, n), dot(cross(g, e), n) / dot(n, n));
    let is_crossing = 1e-9 * length(e) * length(f) < length(n);
    let inside = is_crossing && (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    let lines = if inside { (dot(n, g) / length(n)).abs() } else { f64::INFINITY };
    ends.into_iter().fold(lines, f64::min)
}

/// Positions of the points at time t.
pub(crate) fn at(points: &[MovingPoint; 4], t: f64) -> [[f64; 3]; 4] {
    points.map(|p| std::array::from_fn(|i| (1.0 - t) * p.t0[i] + t * p.t1[i]))
}

/// Distance of the two features at time t.
pub(crate) fn distance(kind: Kind, points: &[MovingPoint; 4], t: f64) -> f64 {
    let [p, q, r, s] = at(points, t);
    match kind {
        Kind::VertexFace => point_triangle(p, [q, r, s]),
        Kind::EdgeEdge => segment_segment(p, q, r, s),
    }
}

pub(crate) mod exact;
pub(crate) mod moving;
