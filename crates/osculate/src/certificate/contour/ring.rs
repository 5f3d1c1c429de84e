//! Whether a loop turns around a point throughout the step, as it is or with ears.

use super::super::bilinear::is_positive;
use super::super::ears::Ring;
use super::{POINT_ERROR, Point};
use crate::math::bernstein::{U, UNDERFLOW};

/// Error of the turn of an edge, relative to the square of twice the reach: 4 products of a
/// coordinate with the error of another, and three roundings.
pub(super) const SIDE_ERROR: f64 = 4.0 * POINT_ERROR + 6.0 * U;

/// The same for an ear, with differences of points: twice as long, and with twice the error and a
/// rounding.
pub(super) const EAR_ERROR: f64 = 16.0 * POINT_ERROR + 48.0 * U;

/// The three coefficients of `b(t) x c(t)`, times `sign`.
#[inline(always)]
pub(super) fn turn(b: Point, c: Point, sign: f64) -> [f64; 3] {
    let k0 = b[0] * c[1] - b[1] * c[0];
    let k1 = 0.5 * ((b[0] * c[3] - b[1] * c[2]) + (b[2] * c[1] - b[3] * c[0]));
    let k2 = b[2] * c[3] - b[3] * c[2];
    [sign * k0, sign * k1, sign * k2]
}

/// Whether the triangle a c b faces the axis throughout the step: an ear between two edges of a
/// contour from a over b to c.
#[inline(always)]
pub(super) fn is_ear([a, b, c]: [Point; 3], reach: f64) -> bool {
    let from_a = |p: Point| [p[0] - a[0], p[1] - a[1], p[2] - a[2], p[3] - a[3]];
    is_positive(turn(from_a(c), from_a(b), 1.0), EAR_ERROR * reach * reach + UNDERFLOW)
}

/// Whether a loop turns counterclockwise around the origin throughout the step, and winds once.
pub(super) fn is_star(points: &[Point], reach: f64) -> bool {
    let error = SIDE_ERROR * reach * reach + UNDERFLOW;
    let mut b = points[points.len() - 1];
    let mut all = true;
    for &c in points {
        all &= is_positive(turn(b, c, 1.0), error);
        b = c;
    }
    all && goes_around_once(points.iter().copied(), reach)
}

/// Directions of rays, of length at most 1, chosen so that no vertex is on one of them.
const RAYS: [[f64; 2]; 3] = [[0.8125, 0.546875], [-0.390625, 0.890625], [0.140625, -0.953125]];

/// Whether a loop that turns counterclockwise around the origin at t = 0 winds once: it crosses a
/// line through the origin from right to left once. `false` also if some vertex is too near to each
/// of the lines.
pub(super) fn goes_around_once(points: impl Iterator<Item = Point> + Clone, reach: f64) -> bool {
    let error = SIDE_ERROR * reach * reach + UNDERFLOW;
    RAYS.iter().any(|r| {
        let left = |p: Point| (r[0] * p[1] - r[1] * p[0]) * reach;
        let Some(last) = points.clone().last() else { return false };
        let (mut was_left, mut n_over) = (0.0 < left(last), 0);
        for p in points.clone() {
            let side = left(p);
            if side.abs() <= error {
                return false;
            }
            n_over += usize::from(0.0 < side && !was_left);
            was_left = 0.0 < side;
        }
        n_over == 1
    })
}

/// Whether a loop, with ears if necessary, turns around the origin throughout the step:
/// counterclockwise and once for sign 1, clockwise for sign -1.
pub(super) fn is_star_with_ears(ring: &mut Ring, points: &[Point], reach: f64, sign: f64) -> bool {
    let error = SIDE_ERROR * reach * reach + UNDERFLOW;
    let at = |i: u32| points[i as usize];
    let turns = |b: u32, c: u32| is_positive(turn(at(b), at(c), sign), error);
    let is_ear = |a: u32, b: u32, c: u32| is_ear([a, b, c].map(at), reach);
    ring.straighten(points.len(), turns, is_ear)
        && (sign < 0.0 || goes_around_once(ring.vertices().map(at), reach))
}
