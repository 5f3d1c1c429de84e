//! Whether a moving planar polygon stays simple: all pairs of edges, each proven apart by
//! quadratics in t (the continuous contour test of Tang and others 2009).
//!
//! In a fixed plane two edges can only meet by an endpoint reaching the other edge, so quadratics
//! suffice. The time is quadratic in the number of edges; contours in a traversal have some dozens.

use super::bilinear::{Moving, Quadratic, det, dot, error_of_product, magnitude};
use crate::math::bernstein::{FILTER_RANGE, U};

/// Maximum bisection depth for a pair of edges that cannot be proven apart.
const DEPTH: u32 = 6;

/// A moving edge: its two ends, `[end][t][axis]`.
type Edge = [Moving; 2];

/// Returns whether it is proven that a closed polygon is simple at every t in [0, 1]: edges
/// intersect only if consecutive, and then only in their common vertex. No edge has length zero
/// then.
///
/// Vertex i moves on a straight line from `(x0, y0)` at t = 0 to `(x1, y1)` at t = 1, given as
/// `[x0, y0, x1, y1]`; each of these numbers is within `error` of the true one. False if anything
/// is undecided, for fewer than three vertices, for coordinates beyond the range of the f64
/// filters, and for a NaN error.
///
/// A pair of edges is proven apart if it is separated on an axis at both ends of the interval, or
/// if both ends of one are strictly on the same side of the line of the other throughout it, by two
/// quadratics with certified signs. A pair that shares a vertex b does not fold if the turn
/// `det(b - a, c - b)` is never zero, or `(a - b) . (c - b)` is always negative. If neither is
/// proven, the interval is bisected.
///
/// The orientation is not tested. The theorem needs a counterclockwise contour: see
/// [`is_counterclockwise`].
///
/// Errors: a bisection takes the mean of two numbers, which adds at most `u M` to the error, with M
/// the largest magnitude. So all numbers are within `error + 6 u M` (and some underflow) of the
/// true ones; `error + 8 u M`, rounded, is more. Differences have twice that error, plus their own
/// rounding; for their products see [`error_of_product`]. Comparisons of rounded differences with a
/// threshold are exact, as rounding is monotone.
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

/// Returns whether it is proven that the polygon at t = 0 has a positive area: a simple polygon is
/// then counterclockwise. Arguments as for [`stays_simple`].
///
/// Twice the area is the sum of `det(v_i - v_0, v_(i+1) - v_0)`. The summation of n products adds
/// at most `n u` of the sum of their magnitudes to their errors ([`error_of_product`]).
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

/// Returns the error of coordinates after all bisections; `None` if something is out of range.
fn error_after_halving(points: &[[f64; 4]], error: f64) -> Option<f64> {
    let is_in_range = |x: f64| x.abs() <= FILTER_RANGE;
    if !points.as_flattened().iter().all(|&x| is_in_range(x)) || !is_in_range(error) || error < 0.0 {
        return None;
    }
    let largest = points.as_flattened().iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    Some(error + 8.0 * U * largest + f64::MIN_POSITIVE)
}

/// Returns whether it is proven that the edges from a to b and from b to c share only b.
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

/// Returns whether it is proven that two edges do not intersect.
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

/// The extent of an edge on both axes at both ends of the interval, `[t][axis]`.
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

    /// Returns whether an axis separates the two at both ends, in the same order, by more than `e`.
    /// Then it does in between: a difference of two coordinates is linear in t.
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
