//! Signs of products of two planar vectors with a known absolute error.

use crate::math::bernstein::{U, UNDERFLOW};

/// A planar vector that changes linearly with t, at t = 0 and t = 1. For a constant vector both
/// ends are equal.
pub(super) type Moving = [[f64; 2]; 2];

/// `det(v, w) = v_x w_y - v_y w_x`.
#[inline(always)]
pub(super) fn det(v: [f64; 2], w: [f64; 2]) -> f64 {
    v[0] * w[1] - v[1] * w[0]
}

/// `v . w`.
#[inline(always)]
pub(super) fn dot(v: [f64; 2], w: [f64; 2]) -> f64 {
    v[0] * w[0] + v[1] * w[1]
}

/// Returns an error bound of [`det`] or [`dot`] of vectors that are rounded f64 differences of
/// coordinates; `e` bounds the error of a difference due to inexact coordinates. `v` and `w` are
/// the sums of the magnitudes of their components.
///
/// A component is within `e + u |v_i|` of the true one. So each of the two products has the error
/// `e |v_i| + e |w_j| + e^2`, up to a factor of `1 + 3u`, and `2u |v_i w_j|` and two roundings, its
/// own and that of the sum: together at most `4.01 u v w + (e (v + w) + 2 e^2) (1 + 3u)`. Half the
/// sum of two such values (the middle coefficient of a quadratic, with the larger v and w of both)
/// takes one more rounding. The factors 8 and 1.01 cover that, and the rounding of the bound
/// itself.
#[inline(always)]
pub(super) fn error_of_product(v: f64, w: f64, e: f64) -> f64 {
    8.0 * U * (v * w) + 1.01 * (e * (v + w + 2.0 * e)) + UNDERFLOW
}

/// The sum of the magnitudes of the components.
#[inline(always)]
pub(super) fn magnitude(v: [f64; 2]) -> f64 {
    v[0].abs() + v[1].abs()
}

/// Returns whether a quadratic whose Bernstein coefficients are each off by at most `error` is
/// proven to be positive on [0, 1].
///
/// With coefficients `k`, lower bounds of the true ones: `k0 > 0`, `k2 > 0`, and `k1 >= 0` or
/// `k1^2 < k0 k2`. This suffices, since the true polynomial is nowhere below the one with the lower
/// bounds. The bounds are rounded once, a relative `u`, so both sides of the last comparison have a
/// relative error of at most `3u`.
#[inline(always)]
pub(super) fn is_positive(c: [f64; 3], error: f64) -> bool {
    let (k0, k1, k2) = (c[0] - error, c[1] - error, c[2] - error);
    0.0 < k0 && 0.0 < k2 && (0.0 <= k1 || k1 * k1 * (1.0 + 16.0 * U) + UNDERFLOW < k0 * k2)
}

/// The quadratic `g(v(t), w(t))` for `g` one of [`det`] and [`dot`]: its Bernstein coefficients and
/// their error bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadratic {
    c: [f64; 3],
    error: f64,
}

impl Quadratic {
    /// The components of `v` and `w` are rounded differences with an additional error of `e`.
    #[inline(always)]
    pub(super) fn new(g: impl Fn([f64; 2], [f64; 2]) -> f64, v: &Moving, w: &Moving, e: f64) -> Quadratic {
        let larger = |v: &Moving| magnitude(v[0]).max(magnitude(v[1]));
        Quadratic {
            c: [g(v[0], w[0]), 0.5 * (g(v[0], w[1]) + g(v[1], w[0])), g(v[1], w[1])],
            error: error_of_product(larger(v), larger(w), e),
        }
    }

    /// Returns whether it is proven to be positive on [0, 1].
    #[inline(always)]
    pub(super) fn is_positive(&self) -> bool {
        is_positive(self.c, self.error)
    }

    /// Returns whether it is proven to be negative on [0, 1].
    #[inline(always)]
    pub(super) fn is_negative(&self) -> bool {
        Quadratic { c: self.c.map(|c| -c), error: self.error }.is_positive()
    }
}
