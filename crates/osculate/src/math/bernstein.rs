//! Polynomials in Bernstein form with an error bound, and their certified signs.
//!
//! `p(t) = sum c_i B_i(t)` with `B_i(t) = C(d,i) t^i (1-t)^(d-i)`. The basis is non-negative and
//! sums to one on [0, 1], so `min c_i <= p(t) <= max c_i` there, with `p(0) = c_0` and
//! `p(1) = c_d`.

use super::real::{Mask, Real};

/// Unit roundoff of f64, `u = 2^-53`.
pub(crate) const U: f64 = f64::EPSILON / 2.0;

/// Covers every underflow in a product of up to three differences of coordinates of magnitude at
/// most [`FILTER_RANGE`]. A cubic coefficient sums at most 18 products whose first factor pair may
/// have lost 2^-1075 and is then scaled by at most 2^100, and 9 more roundings of 2^-1075: below
/// 6e-293.
pub(crate) const UNDERFLOW: f64 = 1e-290;

/// Largest coordinate magnitude for which the f64 filters are valid: differences stay below 2^100,
/// triple products far from overflow, and lost underflows below [`UNDERFLOW`]. Larger coordinates
/// are decided by exact arithmetic.
pub(crate) const FILTER_RANGE: f64 = (1u128 << 99) as f64;

/// A certified sign: neither holds if the error bound does not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sign<M> {
    pub(crate) plus: M,
    pub(crate) minus: M,
}

impl<M: Mask> Sign<M> {
    /// Whether both are known and opposite.
    #[inline(always)]
    pub(crate) fn opposes(self, other: Sign<M>) -> M {
        (self.plus & other.minus) | (self.minus & other.plus)
    }

    /// Whether both are known and equal.
    #[inline(always)]
    pub(crate) fn agrees(self, other: Sign<M>) -> M {
        (self.plus & other.plus) | (self.minus & other.minus)
    }

    #[inline(always)]
    pub(crate) fn is_known(self) -> M {
        self.plus | self.minus
    }
}

/// A polynomial of degree `N - 1` on [0, 1]: each true coefficient is within `error` of the stored
/// one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bernstein<const N: usize, R = f64> {
    pub(crate) c: [R; N],
    pub(crate) error: R,
}

impl<const N: usize, R: Real> Bernstein<N, R> {
    /// The sign of `p` on all of [0, 1], if the coefficients prove one.
    #[inline(always)]
    pub(crate) fn sign(&self) -> Sign<R::Mask> {
        let (mut least, mut most) = (self.c[0], self.c[0]);
        for i in 1..N {
            least = least.min(self.c[i]);
            most = most.max(self.c[i]);
        }
        Sign { plus: self.error.lt(least), minus: most.lt(-self.error) }
    }

    /// The sign of coefficient `i`.
    #[inline(always)]
    pub(crate) fn sign_of(&self, i: usize) -> Sign<R::Mask> {
        Sign { plus: self.error.lt(self.c[i]), minus: self.c[i].lt(-self.error) }
    }

    /// The same polynomial, re-parametrized so that [lo, hi] becomes [0, 1].
    ///
    /// Coefficient j is the blossom with `d - j` arguments `lo` and `j` arguments `hi`: d rounds of
    /// `(1-t) a + t b`. Each round adds at most `2.01 u max|c|` of error; `2 (d + 1) u max|c|` is
    /// added in all. `lo` and `hi` are multiples of 2^-52, so that `1 - t` is exact. Restriction is
    /// always done from the whole step, so errors do not build up along a subdivision.
    #[inline(always)]
    pub(crate) fn on(&self, lo: R, hi: R) -> Self {
        let mut c = self.c;
        for (j, c) in c.iter_mut().enumerate() {
            let mut w = self.c;
            for round in 1..N {
                let t = if round + j < N { lo } else { hi };
                lerp_once(&mut w, round, t);
            }
            *c = w[0];
        }
        Bernstein { c, error: self.restricted_error() }
    }

    /// The sign of `p(t)`; `t` is a multiple of 2^-52 in [0, 1].
    #[inline(always)]
    pub(crate) fn sign_at(&self, t: R) -> Sign<R::Mask> {
        let mut w = self.c;
        for round in 1..N {
            lerp_once(&mut w, round, t);
        }
        Bernstein { c: [w[0]], error: self.restricted_error() }.sign_of(0)
    }

    #[inline(always)]
    fn restricted_error(&self) -> R {
        let mut largest = self.c[0].abs();
        for i in 1..N {
            largest = largest.max(self.c[i].abs());
        }
        self.error + largest * ((2 * N) as f64 * U)
    }
}

impl<const N: usize> Bernstein<N> {
    /// Returns whether p is proven to be positive on [0, 1], by its coefficients or, after at most
    /// `depth` bisections, by those of its parts. `false` proves nothing.
    pub(crate) fn is_positive(&self, depth: u32) -> bool {
        self.is_positive_on(0.0, 1.0, depth)
    }

    fn is_positive_on(&self, lo: f64, hi: f64, depth: u32) -> bool {
        let part = if (lo, hi) == (0.0, 1.0) { *self } else { self.on(lo, hi) };
        if part.sign().plus {
            return true;
        }
        if depth == 0 || !(part.sign_of(0).plus && part.sign_of(N - 1).plus) {
            return false;
        }
        let middle = 0.5 * (lo + hi);
        self.is_positive_on(lo, middle, depth - 1) && self.is_positive_on(middle, hi, depth - 1)
    }
}

/// One round of de Casteljau's algorithm at `t`; after round r the first `N - r` entries are valid.
#[inline(always)]
fn lerp_once<const N: usize, R: Real>(w: &mut [R; N], round: usize, t: R) {
    let rest = t.constant(1.0) - t;
    for i in 0..N - round {
        w[i] = rest * w[i] + t * w[i + 1];
    }
}

/// The nearest multiple of 2^-52 to `t`, for t in [0, 1]: the grid on which `1 - t` is exact.
#[inline(always)]
pub(crate) fn snap<R: Real>(t: R) -> R {
    let one = t.constant(1.0);
    (t + one) - one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<const N: usize>(p: &Bernstein<N>, t: f64) -> f64 {
        let choose = [[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 2.0, 1.0, 0.0], [1.0, 3.0, 3.0, 1.0]];
        let d = N - 1;
        (0..N).map(|i| choose[d][i] * t.powi(i as i32) * (1.0 - t).powi((d - i) as i32) * p.c[i]).sum()
    }

    fn check_restriction<const N: usize>(c: [f64; N]) {
        let p = Bernstein { c, error: 0.0 };
        for (lo, hi) in [(0.0, 1.0), (0.0, 0.5), (0.5, 1.0), (0.25, 0.375), (0.75, 0.75)] {
            let q = p.on(lo, hi);
            for i in 0..=8 {
                let s = f64::from(i) / 8.0;
                let difference = value(&q, s) - value(&p, lo + (hi - lo) * s);
                assert!(difference.abs() <= q.error + 16.0 * U, "{c:?} on {lo}..{hi} at {s}");
            }
        }
        // Bisection is exact on dyadic coefficients with room to spare, and the halves meet.
        let (left, right) = (p.on(0.0, 0.5), p.on(0.5, 1.0));
        assert_eq!((left.c[0], right.c[N - 1]), (c[0], c[N - 1]));
        assert_eq!(left.c[N - 1], right.c[0]);
    }

    #[test]
    fn restriction_is_the_same_polynomial() {
        check_restriction([3.0, -1.0]);
        check_restriction([3.0, -1.0, 2.5]);
        check_restriction([3.0, -1.0, 2.5, -8.0]);
    }

    #[test]
    fn a_sign_is_claimed_only_beyond_the_error() {
        let sign = |c: [f64; 3], error| Bernstein { c, error }.sign();
        let (plus, minus, open) = ((true, false), (false, true), (false, false));
        for (c, error, expected) in [
            ([1.0, 2.0, 3.0], 0.5, plus),
            ([1.0, 2.0, 3.0], 1.0, open),
            ([-1.0, -2.0, -3.0], 0.5, minus),
            ([-1.0, -2.0, -3.0], 1.0, open),
            ([1.0, -2.0, 3.0], 0.0, open),
            ([0.0, 2.0, 3.0], 0.0, open),
            ([0.0, 0.0, 0.0], 0.0, open),
        ] {
            let s = sign(c, error);
            assert_eq!((s.plus, s.minus), expected, "{c:?} with error {error}");
        }
    }

    #[test]
    fn positive_by_halving() {
        // 4 (t - 1/2)^2 + h as a cubic.
        let p = |h: f64| Bernstein { c: [1.0 + h, h - 1.0 / 3.0, h - 1.0 / 3.0, 1.0 + h], error: 1e-15 };
        assert!(!p(0.01).is_positive(0) && p(0.01).is_positive(6) && p(0.5).is_positive(0));
        assert!(!p(0.0).is_positive(30) && !p(-0.01).is_positive(6));
        assert!(!Bernstein { c: [1.0, 1.0, 1.0, 0.0], error: 1e-15 }.is_positive(6));
    }

    #[test]
    fn snapped_times_have_an_exact_complement() {
        for t in [0.0, 1e-300, 0.1, 1.0 / 3.0, 0.5, 0.999_999_999_9, 1.0 - f64::EPSILON / 2.0, 1.0] {
            let s = snap(t);
            assert!((s - t).abs() <= f64::EPSILON && (0.0..=1.0).contains(&s));
            assert_eq!(1.0 - (1.0 - s), s);
        }
    }
}
