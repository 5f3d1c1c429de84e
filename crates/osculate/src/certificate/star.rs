//! Whether a planar polygon is star-shaped, and therefore simple, at an instant: a kernel point is
//! sought on a line (Schvartzman and others 2010).

use super::bilinear::{det, error_of_product, magnitude};
use crate::math::bernstein::{FILTER_RANGE, U};

/// Normals of the half-plane borders by which the turns of a polygon are counted, tried until one
/// decides. The contours of regular grids have vertices level with their mean in the first few.
const ACROSS: [[f64; 2]; 6] = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [1.0, -1.0], [2.0, 1.0], [1.0, -2.0]];

/// Returns whether it is proven that a closed polygon winds once counterclockwise around a kernel
/// point that sees all of it, so that it is simple. Each coordinate is within `error` of the true
/// one.
///
/// The point is sought on the horizontal and on the vertical line through the mean of the vertices:
/// there the half-planes to the left of the edges cut out intervals, and the middle of their
/// intersection is taken. The point is then verified with certified signs (see [`sees_all`] and
/// [`winds_once`]), so `true` is a proof; `false` is returned for polygons that are not
/// star-shaped, clockwise, whose kernel misses both lines, or that are too near to any of that, for
/// fewer than three vertices, and for coordinates beyond the range of the f64 filters. Takes time
/// proportional to the number of vertices.
pub(crate) fn is_star(points: &[[f64; 2]], error: f64) -> bool {
    let is_in_range = |x: f64| x.abs() <= FILTER_RANGE;
    let all = points.as_flattened();
    if points.len() < 3 || !all.iter().all(|&x| is_in_range(x)) || !is_in_range(error) || error < 0.0 {
        return false;
    }
    let mean = [0, 1].map(|k: usize| points.iter().map(|p| p[k] / points.len() as f64).sum::<f64>());
    let is_kernel = |o: [f64; 2]| sees_all(points, o, error) && winds_once(points, o, error);
    [0, 1].into_iter().any(|axis| kernel_on_line(points, mean, axis).is_some_and(is_kernel))
}

/// Returns a point on the line through `through` along an axis that is approximately to the left of
/// all edges; `None` if there seems to be none.
///
/// With `v` and `w` the ends of an edge relative to `through`, the point at the signed distance s
/// along x is on the left if `det(v - (s, 0), w - (s, 0)) = det(v, w) + s (v_y - w_y) > 0`; along y
/// the factor of s is `w_x - v_x`.
fn kernel_on_line(points: &[[f64; 2]], through: [f64; 2], axis: usize) -> Option<[f64; 2]> {
    let (mut lo, mut hi) = (f64::NEG_INFINITY, f64::INFINITY);
    for (v, w) in edges_from(points, through) {
        let constant = det(v, w);
        let slope = if axis == 0 { v[1] - w[1] } else { w[0] - v[0] };
        let root = -constant / slope;
        if 0.0 < slope {
            lo = lo.max(root);
        } else if slope < 0.0 {
            hi = hi.min(root);
        } else if constant <= 0.0 {
            return None;
        }
    }
    let mut point = through;
    point[axis] += 0.5 * (lo + hi);
    // Not finite if one side is unbounded.
    (lo < hi && point[axis].is_finite()).then_some(point)
}

/// Returns whether `o` is proven to be strictly to the left of all edges:
/// `det(v_i - o, v_(i+1) - o) > 0`, beyond the error of differences that are off by `error`, as o
/// is exact ([`error_of_product`]).
fn sees_all(points: &[[f64; 2]], o: [f64; 2], error: f64) -> bool {
    edges_from(points, o).all(|(v, w)| error_of_product(magnitude(v), magnitude(w), error) < det(v, w))
}

/// Returns whether it is proven that a polygon, all edges of which have `o` strictly on their left,
/// winds around `o` once.
///
/// Seen from o each edge turns by an angle above 0 and below 180 degrees. So it goes from the lower
/// half-plane (angles from 180 up to 360 degrees) to the upper one (from 0 up to 180) whenever a
/// full turn is completed, and at no other time: the number of such edges is the number of turns.
/// Half-planes are distinguished by `n . (v - o)` for a normal n of their border. A vertex too near
/// to the border may count for either if its neighbors are known and different; otherwise another
/// direction is tried.
fn winds_once(points: &[[f64; 2]], o: [f64; 2], error: f64) -> bool {
    ACROSS.into_iter().find_map(|across| turns(points, o, across, error)) == Some(1)
}

/// Returns the number of edges that cross the border between the half-planes upward, if that is
/// certain.
///
/// The differences are within `error` and a rounding u of the true ones, the products and their sum
/// add two more: `n . (v - o)` is off by at most
/// `(|n_x| + |n_y|) error + 3.01 u (|n_x d_x| + |n_y d_y|)`, which is at most `3 (error + 4u |d|)`.
fn turns(points: &[[f64; 2]], o: [f64; 2], across: [f64; 2], error: f64) -> Option<usize> {
    // 1 above, -1 below, 0 unknown.
    let side = |i: usize| {
        let p = points[i % points.len()];
        let d = [p[0] - o[0], p[1] - o[1]];
        let value = across[0] * d[0] + across[1] * d[1];
        let bound = 3.03 * (error + 4.0 * U * magnitude(d)) + f64::MIN_POSITIVE;
        i8::from(bound < value) - i8::from(value < -bound)
    };
    let mut n_turns = 0;
    let [mut last, mut here] = [side(points.len() - 1), side(0)];
    for i in 0..points.len() {
        let next = side(i + 1);
        if here == 0 && last * next != -1 {
            return None;
        }
        // An unknown vertex between two different sides is assigned to the first of these.
        let from = if here == 0 { last } else { here };
        n_turns += usize::from(from == -1 && next == 1);
        (last, here) = (here, next);
    }
    Some(n_turns)
}

/// The ends of all edges of the closed polygon, relative to `o`.
fn edges_from(points: &[[f64; 2]], o: [f64; 2]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
    let from_o = move |p: &[f64; 2]| [p[0] - o[0], p[1] - o[1]];
    points.iter().zip(points.iter().cycle().skip(1)).map(move |(v, w)| (from_o(v), from_o(w)))
}

#[cfg(test)]
mod tests;
