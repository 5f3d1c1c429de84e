//! Segments as observers: each point of a triangle is seen from the nearest point of the segment
//! (paper 000, section 6).
//!
//! For a segment from q0 to q1, `d = q1 - q0`, a corner p of the triangle and its normal n:
//! `A0 = n . (p - q0)` and `A1 = n . (p - q1)` are the same for all corners. With
//! `N = (p - q0) . d` and `D = d . d`, the nearest point of the segment is at `s = N / D`, clamped
//! to [0, 1], and `psi = (1 - s) A0 + s A1` has the sign of A0 where `N <= 0`, of A1 where
//! `N >= D`, and of the quintic `Q = (D - N) A0 + N A1` in between. If psi is positive at all
//! corners, it is positive on the whole triangle. One corner does not suffice, contrary to the
//! paper.

use super::classes::seen_from;
use crate::feature::{Code, MINUS, PLUS, UNCERTAIN};
use crate::math::bernstein::{Bernstein, U, UNDERFLOW};
use crate::math::vector::{dot, minus};

/// Maximum bisection depth of the step.
const DEPTH: u32 = 8;

/// A position at both ends of the step, `[t][axis]`.
type Ends = [[f64; 3]; 2];

/// A triangle seen from a segment.
pub(super) struct Seen {
    /// A0 and A1.
    ends: [Bernstein<4>; 2],
    corners: [Corner; 3],
}

/// The position of a corner along the segment.
struct Corner {
    /// N.
    from: Bernstein<3>,
    /// D - N.
    to: Bernstein<3>,
    /// Q.
    between: Bernstein<6>,
}

impl Seen {
    /// Coordinates must be in the range of the filters.
    pub(super) fn new(segment: &[Ends; 2], corners: &[Ends; 3]) -> Seen {
        let ends = [0, 1].map(|i| seen_from(&segment[i], corners));
        let [q0, q1] = segment;
        let along = difference(q1, q0);
        let corners = corners.each_ref().map(|p| {
            let (from, to) = (product(&difference(p, q0), &along), product(&difference(q1, p), &along));
            let between = sum(&times(&to, &ends[0]), &times(&from, &ends[1]));
            Corner { from, to, between }
        });
        Seen { ends, corners }
    }

    pub(super) fn class(&self) -> Code {
        if self.is_positive(false, 0.0, 1.0, DEPTH) {
            PLUS
        } else if self.is_positive(true, 0.0, 1.0, DEPTH) {
            MINUS
        } else {
            UNCERTAIN
        }
    }

    /// Whether psi is proven to be positive (or negative) at all corners for every t from `lo` to
    /// `hi`.
    fn is_positive(&self, negative: bool, lo: f64, hi: f64, depth: u32) -> bool {
        let wanted = |plus: bool, minus: bool| if negative { minus } else { plus };
        let signs = self.ends.map(|a| a.on(lo, hi).sign());
        let [first, last] = signs.map(|sign| wanted(sign.plus, sign.minus));
        let [not_first, not_last] = signs.map(|sign| wanted(sign.minus, sign.plus));
        if first && last {
            return true;
        }
        if not_first && not_last {
            return false;
        }
        let is_proven = self.corners.iter().all(|corner| {
            let (from, to) = (corner.from.on(lo, hi).sign(), corner.to.on(lo, hi).sign());
            let between = corner.between.on(lo, hi).sign();
            (from.minus && first)
                || (to.minus && last)
                || (wanted(between.plus, between.minus) && (from.plus || first) && (to.plus || last))
        });
        let middle = 0.5 * (lo + hi);
        is_proven
            || depth != 0
                && self.is_positive(negative, lo, middle, depth - 1)
                && self.is_positive(negative, middle, hi, depth - 1)
    }
}

fn difference(a: &Ends, b: &Ends) -> Ends {
    [minus(a[0], b[0]), minus(a[1], b[1])]
}

/// The quadratic `v . w` of rounded differences. Each monomial passes at most 6 roundings, so
/// `11 u` times the sum of the magnitudes bounds the error.
fn product(v: &Ends, w: &Ends) -> Bernstein<3> {
    let c = [dot(v[0], w[0]), 0.5 * (dot(v[0], w[1]) + dot(v[1], w[0])), dot(v[1], w[1])];
    let larger = |v: &Ends| [0, 1, 2].map(|i| v[0][i].abs().max(v[1][i].abs()));
    Bernstein { c, error: 11.0 * U * dot(larger(v), larger(w)) + UNDERFLOW }
}

/// The product of a quadratic and a cubic:
/// `c_k = sum_(i + j = k) C(2, i) C(3, j) / C(5, k) a_i b_j`.
///
/// With the largest magnitudes A and B of the coefficients, the result is off by at most
/// `A e_b + B e_a + e_a e_b`, as the factors sum to 1, and is rounded in at most 6 steps.
fn times(a: &Bernstein<3>, b: &Bernstein<4>) -> Bernstein<6> {
    const CHOOSE: [&[f64]; 3] = [&[1.0, 2.0, 1.0], &[1.0, 3.0, 3.0, 1.0], &[1.0, 5.0, 10.0, 10.0, 5.0, 1.0]];
    let mut c = [0.0; 6];
    for (i, x) in a.c.iter().enumerate() {
        for (j, y) in b.c.iter().enumerate() {
            c[i + j] += CHOOSE[0][i] * CHOOSE[1][j] * (x * y);
        }
    }
    for (c, n) in c.iter_mut().zip(CHOOSE[2]) {
        *c /= n;
    }
    let (largest_a, largest_b) = (largest(&a.c), largest(&b.c));
    let error = 16.0 * U * largest_a * largest_b
        + 1.01 * (largest_a * b.error + largest_b * a.error + a.error * b.error)
        + UNDERFLOW;
    Bernstein { c, error }
}

/// The sum of two polynomials. It rounds once.
fn sum(a: &Bernstein<6>, b: &Bernstein<6>) -> Bernstein<6> {
    let c = [0, 1, 2, 3, 4, 5].map(|i| a.c[i] + b.c[i]);
    Bernstein { c, error: 1.01 * (a.error + b.error) + 2.0 * U * largest(&c) }
}

fn largest(c: &[f64]) -> f64 {
    c.iter().fold(0.0, |largest, c| c.abs().max(largest))
}
