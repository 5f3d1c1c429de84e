//! The enclosed area of a triangle that is crossed.

use crate::math::orient::Point;
use crate::math::vector::{cross, dot, minus, plus, scale};

/// Number of samples along each side of the triangle.
const SAMPLES: usize = 4;

/// Returns the area of the enclosed part of a triangle, given its intersections and a test of
/// points, which are given by weights and positions.
///
/// A triangle without intersections, or whose intersections have no length, is enclosed as its
/// center is. Otherwise it is sampled in small triangles, each of which counts as its center does.
pub(super) fn enclosed_area(
    corners: &[Point; 3],
    segments: &[[Point; 2]],
    is_enclosed: impl Fn([f64; 3], Point) -> bool,
) -> f64 {
    let [a, b, c] = *corners;
    let normal = cross(minus(b, a), minus(c, a));
    let whole = 0.5 * dot(normal, normal).sqrt();
    let is_cut = segments.iter().any(|[from, to]| from != to);
    let n = if is_cut { SAMPLES } else { 1 };
    let mut inside = 0;
    let mut sample = |i: f64, j: f64| {
        let (v, w) = (i / n as f64, j / n as f64);
        let weights = [1.0 - v - w, v, w];
        let point = plus(plus(scale(weights[0], a), scale(v, b)), scale(w, c));
        inside += usize::from(is_enclosed(weights, point));
    };
    let third = 1.0 / 3.0;
    for i in 0..n {
        for j in 0..n - i {
            sample(i as f64 + third, j as f64 + third);
            if i + j + 1 < n {
                sample(i as f64 + 2.0 * third, j as f64 + 2.0 * third);
            }
        }
    }
    whole * inside as f64 / (n * n) as f64
}
