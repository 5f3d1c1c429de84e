//! Whether a loop consists of two monotone chains throughout the step, as it is or with ears.
//!
//! Let all triangles of a patch face the axis, and let its only loop consist of two chains in the
//! projection: one along a direction d, and one against it. Then the projection of the patch is
//! injective. A line perpendicular to d meets each chain once, or only the point where they meet.
//! So the winding number of the loop about a point beside it is at most one, and no interior point
//! of the patch is a branch point. The part of the patch above such a line is then a set of arcs
//! that rise strictly along it, from one point of the loop to another; as there are only two such
//! points, it is one arc, and no two of its points have the same projection.
//!
//! This is the star test with the kernel point at infinity. An edge from b to c is along d
//! throughout the step if `(c - b) . d` is positive at both ends, since it is linear in t. A long
//! patch, or two patches side by side, seldom turn around a point, but mostly have two such chains.

use super::ring::is_ear;
use super::{POINT_ERROR, Point};
use crate::math::bernstein::{U, UNDERFLOW};

/// Error of the difference of two points along a direction, relative to the reach: four coordinates
/// with their errors, and fewer than 12 roundings of numbers no larger than three times the reach.
const ALONG_ERROR: f64 = 4.0 * POINT_ERROR + 36.0 * U;

/// Scratch memory of the test.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// The points of the loop from where the chains meet on, and that point again.
    points: Vec<Point>,
    /// Their coordinates along the direction, at both ends of the step.
    along: Vec<[f64; 2]>,
    /// The vertices that remain so far.
    kept: Vec<u32>,
}

impl Chains {
    /// Whether a loop, with ears if necessary, consists of two monotone chains throughout the step,
    /// along one of four directions: that in which the loop is longest, and those at multiples of
    /// 45 degrees from it. Coordinates of points are off by at most [`POINT_ERROR`] times `reach`,
    /// and no larger than `reach`.
    pub(super) fn are_monotone(&mut self, points: &[Point], reach: f64) -> bool {
        let [x, y] = longest(points);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let diagonals = [[half * (x - y), half * (x + y)], [-half * (x + y), half * (x - y)]];
        let directions = [[x, y], diagonals[0], [-y, x], diagonals[1]];
        directions.into_iter().any(|direction| self.are_monotone_along(points, reach, direction))
    }

    fn are_monotone_along(&mut self, points: &[Point], reach: f64, direction: [f64; 2]) -> bool {
        let [x, y] = direction;
        // The chains meet at the first and at the last vertex in the middle of the step. Any two
        // others would be as safe.
        let (mut first, mut last) = ((f64::INFINITY, 0), (f64::NEG_INFINITY, 0));
        for (i, p) in points.iter().enumerate() {
            let middle = x * (p[0] + p[2]) + y * (p[1] + p[3]);
            first = if middle < first.0 { (middle, i) } else { first };
            last = if last.0 < middle { (middle, i) } else { last };
        }
        let (n, first) = (points.len(), first.1);
        let last = if first <= last.1 { last.1 - first } else { last.1 + n - first };
        self.points.clear();
        self.points.extend_from_slice(&points[first..]);
        self.points.extend_from_slice(&points[..=first]);
        self.along.clear();
        self.along.extend(self.points.iter().map(|p| [x * p[0] + y * p[1], x * p[2] + y * p[3]]));
        self.kept.resize(n, 0);
        let (points, along, kept) = (&*self.points, &*self.along, &mut *self.kept);
        // No vertex is removed where the chains meet; so a remaining edge is part of the chain of
        // the vertex it starts at.
        let error = ALONG_ERROR * reach + UNDERFLOW;
        let is_ear =
            |a: usize, b: usize, c: usize| b != last && is_ear([points[a], points[b], points[c]], reach);
        let (mut b, mut c, mut n_kept) = (0, 1, 0);
        while c <= n {
            let ([b0, b1], [c0, c1]) = (along[b], along[c]);
            let (start, end) = if b < last { (c0 - b0, c1 - b1) } else { (b0 - c0, b1 - c1) };
            if error < start && error < end {
                kept[n_kept] = b as u32;
                n_kept += 1;
                (b, c) = (c, c + 1);
            } else if n_kept != 0 && is_ear(kept[n_kept - 1] as usize, b, c) {
                n_kept -= 1;
                b = kept[n_kept] as usize;
            } else if c < n && is_ear(b, c, c + 1) {
                c += 1;
            } else {
                return false;
            }
        }
        2 < n_kept
    }
}

/// The direction in which points spread most in the middle of the step; a unit vector up to
/// rounding.
fn longest(points: &[Point]) -> [f64; 2] {
    let (mut sum, mut difference, mut mixed) = ([0.0; 2], 0.0, 0.0);
    for p in points {
        let (x, y) = (p[0] + p[2], p[1] + p[3]);
        sum = [sum[0] + x, sum[1] + y];
        difference += x * x - y * y;
        mixed += 2.0 * x * y;
    }
    let share = 1.0 / points.len() as f64;
    difference -= share * (sum[0] * sum[0] - sum[1] * sum[1]);
    mixed -= share * 2.0 * sum[0] * sum[1];
    // The direction at half the angle of `[difference, mixed]`.
    let length = (difference * difference + mixed * mixed).sqrt();
    if !(0.0 < length && length.is_finite()) {
        return [1.0, 0.0];
    }
    let cosine = difference / length;
    let [x, y] = [1.0 + cosine, 1.0 - cosine].map(|square| (0.5 * square).max(0.0).sqrt());
    [x, if mixed < 0.0 { -y } else { y }]
}

#[cfg(test)]
mod tests;
