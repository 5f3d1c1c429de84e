//! Whether a polygon in a plane stays simple while its vertices move: all pairs of edges, each
//! proven apart by quadratics in t (the continuous contour test of ICCD; methods 2.8).
//!
//! In a fixed plane two edges can only come together by an endpoint reaching the other edge, so
//! quadratics are enough. The time is that of all pairs; the walk over a hierarchy asks for
//! contours of some dozens of edges.

use super::bilinear::{Moving, Quadratic, det, dot, error_of_product, magnitude};
use crate::math::bernstein::{FILTER_RANGE, U};

/// How often the time is halved for a pair of edges that cannot be proven apart.
const DEPTH: u32 = 6;

/// An edge that moves: its two ends, `[end][t][axis]`.
type Edge = [Moving; 2];

/// Returns whether it is proven that a closed polygon is simple at every t in [0, 1]: two edges
/// have no point in common but those that follow each other, which have their common vertex alone.
/// No edge has length zero then.
///
/// Vertex i moves on a straight line from `(x0, y0)` at t = 0 to `(x1, y1)` at t = 1, given as
/// `[x0, y0, x1, y1]`; each of these numbers is within `error` of the true one. False if anything
/// is left open, for fewer than three vertices, for coordinates beyond the range of the f64
/// filters, and for an error that is not a number.
///
/// A pair of edges is proven apart if an axis has all of one before all of the other at both ends
/// of the time, or if both ends of one are strictly on the same side of the line of the other for
/// all of the time, which is a matter of two quadratics with certified signs. A pair that shares a
/// vertex b does not fold if the turn `det(b - a, c - b)` never is zero, or `(a - b) . (c - b)` is
/// always negative. If neither is proven the time is halved.
///
/// The orientation is not looked at. The theorem (methods 7.1) needs a contour that runs
/// counterclockwise around what it bounds: see [`is_counterclockwise`].
///
/// Errors: a halving takes the mean of two numbers, which adds `u M` at most to the error, with M
/// the largest magnitude. So all numbers are within `error + 6 u M` (and some underflow) of the
/// true ones; `error + 8 u M`, rounded, is more. Differences are uncertain by twice that, and their
/// own rounding; for their products see [`error_of_product`]. Comparisons of rounded differences
/// with a threshold are exact, as rounding is monotone.
pub(crate) fn stays_simple(points: &[[f64; 4]], error: f64) -> bool {
    let Some(error) = error_after_halving(points, error) else { return false };
    let n = points.len();
    let point = |i: usize| -> Moving {
        let [x0, y0, x1, y1] = points[i % n];
        [[x0, y0], [x1, y1]]
    };
    let e = 2.0 * error;
    let turns = (0..n).all(|i| never_folds([&point(i), &point(i + 1), &point(i + 2)], e, DEPTH));
    if n < 3 || !turns {
        return false;
    }
    let edges: Vec<Edge> = (0..n).map(|i| [point(i), point(i + 1)]).collect();
    let bounds: Vec<Bounds> = edges.iter().map(Bounds::of).collect();
    (0..n).all(|i| {
        // The last edge is followed by the first.
        let end = if i == 0 { n - 1 } else { n };
        (i + 2..end).all(|j| bounds[i].are_apart(&bounds[j], e) || stay_apart(&edges[i], &edges[j], e, DEPTH))
    })
}

/// Returns whether it is proven that the polygon at t = 0 has a positive area: for one that is
/// simple then, that it runs counterclockwise. Arguments are those of [`stays_simple`].
///
/// Twice the area is the sum of `det(v_i - v_0, v_(i+1) - v_0)`. To the errors of the products
/// ([`error_of_product`]) the summation of n of them adds at most `n u` of the sum of their
/// magnitudes.
pub(crate) fn is_counterclockwise(points: &[[f64; 4]], error: f64) -> bool {
    let Some(error) = error_after_halving(points, error) else { return false };
    let from_first = |p: &[f64; 4]| [p[0] - points[0][0], p[1] - points[0][1]];
    let (mut area, mut magnitudes, mut errors) = (0.0, 0.0, 0.0);
    for pair in points.windows(2) {
        let (v, w) = (from_first(&pair[0]), from_first(&pair[1]));
        let term = det(v, w);
        area += term;
        magnitudes += term.abs();
        errors += error_of_product(magnitude(v), magnitude(w), 2.0 * error);
    }
    // A factor of 1.01 for the rounding of the bound itself, as long as n u is small.
    points.len() < 1 << 40 && 1.01 * (errors + points.len() as f64 * U * magnitudes) < area
}

/// Returns the error of coordinates after all halvings; none if something is out of range.
fn error_after_halving(points: &[[f64; 4]], error: f64) -> Option<f64> {
    let is_in_range = |x: f64| x.abs() <= FILTER_RANGE;
    if !points.as_flattened().iter().all(|&x| is_in_range(x)) || !is_in_range(error) || error < 0.0 {
        return None;
    }
    let largest = points.as_flattened().iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    Some(error + 8.0 * U * largest + f64::MIN_POSITIVE)
}

/// Returns whether it is proven that the edges from a to b and from b to c only have b in common.
fn never_folds([a, b, c]: [&Moving; 3], e: f64, depth: u32) -> bool {
    let (to_b, to_c) = (difference(b, a), difference(c, b));
    // (a - b) . (c - b) < 0 is (b - a) . (c - b) > 0.
    let turn = Quadratic::new(det, &to_b, &to_c, e);
    if turn.is_positive() || turn.is_negative() || Quadratic::new(dot, &to_b, &to_c, e).is_positive() {
        return true;
    }
    depth != 0
        && [first_half, second_half]
            .iter()
            .all(|half| never_folds([&half(a), &half(b), &half(c)], e, depth - 1))
}

/// Returns whether it is proven that two edges have no point in common.
fn stay_apart(p: &Edge, q: &Edge, e: f64, depth: u32) -> bool {
    if Bounds::of(p).are_apart(&Bounds::of(q), e) || is_on_one_side(p, q, e) || is_on_one_side(q, p, e) {
        return true;
    }
    let halves = [first_half, second_half];
    depth != 0
        && halves
            .iter()
            .all(|half| stay_apart(&p.each_ref().map(half), &q.each_ref().map(half), e, depth - 1))
}

/// Returns whether both ends of `p` are proven to be strictly on the same side of the line of `q`.
fn is_on_one_side(p: &Edge, q: &Edge, e: f64) -> bool {
    let along = difference(&q[1], &q[0]);
    let sides = p.each_ref().map(|end| Quadratic::new(det, &along, &difference(end, &q[0]), e));
    sides.iter().all(Quadratic::is_positive) || sides.iter().all(Quadratic::is_negative)
}

/// The extent of an edge on both axes at both ends of the time, `[t][axis]`.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    lo: [[f64; 2]; 2],
    hi: [[f64; 2]; 2],
}

impl Bounds {
    #[inline(always)]
    fn of([a, b]: &Edge) -> Bounds {
        let each = |f: fn(f64, f64) -> f64| [0, 1].map(|t: usize| [0, 1].map(|k: usize| f(a[t][k], b[t][k])));
        Bounds { lo: each(f64::min), hi: each(f64::max) }
    }

    /// Returns whether an axis has all of one before all of the other at both ends, by more than
    /// `e`. Then it is so in between: a difference of two coordinates is linear in t.
    #[inline(always)]
    fn are_apart(&self, other: &Bounds, e: f64) -> bool {
        let before =
            |p: &Bounds, q: &Bounds, k: usize| e < q.lo[0][k] - p.hi[0][k] && e < q.lo[1][k] - p.hi[1][k];
        before(self, other, 0) || before(other, self, 0) || before(self, other, 1) || before(other, self, 1)
    }
}

#[inline(always)]
fn difference(p: &Moving, q: &Moving) -> Moving {
    [0, 1].map(|t: usize| [p[t][0] - q[t][0], p[t][1] - q[t][1]])
}

/// The motion from t = 0 to t = 1/2.
fn first_half(p: &Moving) -> Moving {
    [p[0], middle(p)]
}

/// The motion from t = 1/2 to t = 1.
fn second_half(p: &Moving) -> Moving {
    [middle(p), p[1]]
}

fn middle(p: &Moving) -> [f64; 2] {
    [0, 1].map(|k: usize| 0.5 * (p[0][k] + p[1][k]))
}

#[cfg(test)]
mod tests;
