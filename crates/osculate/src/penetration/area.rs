//! The enclosed area of a triangle that is crossed.

use crate::math::orient::Point;
use crate::math::vector::{cross, dot, minus, plus, scale};

/// Number of parallel lines along which a triangle is looked at. The error of the area falls with
/// the square of this number where intersections are smooth; the work grows with it.
const LINES: usize = 8;

/// Returns the area of the enclosed part of a triangle, given its intersections and a test of
/// points, which are given by weights and positions.
///
/// A triangle without intersections, or whose intersections have no length, is enclosed as its
/// center is. Otherwise the enclosed length of [`LINES`] lines is integrated by the midpoint rule:
/// each is parallel to a side, divided where it meets intersections, and a piece is enclosed as its
/// middle is. Of the three sides, the one is taken whose parallels meet the intersections most
/// often: an intersection along the lines would be missed between two of them.
pub(super) fn enclosed_area(
    corners: &[Point; 3],
    segments: &[[Point; 2]],
    is_enclosed: impl Fn([f64; 3], Point) -> bool,
) -> f64 {
    let [a, b, c] = *corners;
    let normal = cross(minus(b, a), minus(c, a));
    let squared = dot(normal, normal);
    let whole = 0.5 * squared.sqrt();
    let at = |weights: [f64; 3]| {
        let point = plus(plus(scale(weights[0], a), scale(weights[1], b)), scale(weights[2], c));
        is_enclosed(weights, point)
    };
    let cuts = segments.iter().filter(|[from, to]| from != to);
    let weights = |p: Point| {
        let v = dot(cross(minus(p, a), minus(c, a)), normal) / squared;
        let w = dot(cross(minus(b, a), minus(p, a)), normal) / squared;
        [1.0 - v - w, v, w]
    };
    let cuts: Vec<[[f64; 3]; 2]> = cuts.map(|segment| segment.map(weights)).collect();
    if cuts.is_empty() || whole == 0.0 {
        return if at([1.0 / 3.0; 3]) { whole } else { 0.0 };
    }
    let met = [0, 1, 2].map(|k| cuts.iter().map(|[from, to]| (to[k] - from[k]).abs()).sum::<f64>());
    let apex = (1..3).fold(0, |best, k| if met[best] < met[k] { k } else { best });
    let [left, right] = [(apex + 1) % 3, (apex + 2) % 3];
    let mut sum = 0.0;
    for line in 0..LINES {
        let height = (line as f64 + 0.5) / LINES as f64;
        let length = 1.0 - height;
        let mut stops = vec![0.0, 1.0];
        for [from, to] in &cuts {
            let [below, above] = [height - from[apex], height - to[apex]];
            if below * above < 0.0 {
                let part = below / (below - above);
                let across = from[right] + part * (to[right] - from[right]);
                stops.push((across / length).clamp(0.0, 1.0));
            }
        }
        stops.sort_by(f64::total_cmp);
        for piece in stops.windows(2).filter(|piece| piece[0] < piece[1]) {
            let middle = 0.5 * (piece[0] + piece[1]);
            let mut weights = [0.0; 3];
            (weights[apex], weights[left], weights[right]) =
                (height, length * (1.0 - middle), length * middle);
            if at(weights) {
                sum += length * (piece[1] - piece[0]);
            }
        }
    }
    // The lengths of all lines add up to half of their number.
    whole * sum * 2.0 / LINES as f64
}
