//! Polynomials on [0, 1] as `sum c_i t^i (1-t)^(d-i)` with integers c_i: Bernstein coefficients,
//! each times its binomial.
//!
//! In `x = t / (1-t)`, which increases from 0 to infinity with t, this is `sum c_i x^i` times the
//! positive `(1-t)^d`: an ordinary polynomial on the positive numbers. A zero coefficient at the
//! front or the back is a root at t = 0 or t = 1 that can be dropped, and Descartes' rule bounds
//! the number of roots by the sign variations of the coefficients.
//!
//! Coefficients are a slice of d + 1, d at most 3. Their width follows from [`COORDINATE_BITS`]: a
//! difference of coordinates has 120 bits; a coefficient of degree 2 sums at most 8 products of two
//! differences, 243 bits; one of degree 3 at most 18 products of three, 365 bits. Times have at
//! most [`MAX_EXPONENT`] binary places, so a value at a time has 60 more bits per degree.

use super::wide::Wide;

/// Maximum number of bits of a coordinate, as an integer.
pub(crate) const COORDINATE_BITS: u32 = 119;

/// A quadratic whose sign is needed at roots: 256-bit coefficients.
pub(crate) type Quadratic = [Wide<4>; 3];

/// A coefficient of a polynomial whose roots are isolated: 384 bits.
pub(crate) type Coefficient = Wide<6>;

/// Maximum number of binary places of a time.
pub(crate) const MAX_EXPONENT: u32 = 60;

/// The interval of times from `lo / 2^exponent` to `hi / 2^exponent`, in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) lo: u64,
    pub(crate) hi: u64,
    pub(crate) exponent: u32,
}

impl Interval {
    pub(crate) const STEP: Interval = Interval { lo: 0, hi: 1, exponent: 0 };

    #[inline(always)]
    pub(crate) fn is_point(&self) -> bool {
        self.lo == self.hi
    }

    /// The same interval with one more binary place, and its midpoint; `None` at [`MAX_EXPONENT`].
    #[inline(always)]
    pub(crate) fn finer(&self) -> Option<(Interval, u64)> {
        let finer = Interval { lo: 2 * self.lo, hi: 2 * self.hi, exponent: self.exponent + 1 };
        (self.exponent < MAX_EXPONENT).then_some((finer, self.lo + self.hi))
    }

    /// The ends, exactly, for up to 53 binary places.
    #[inline(always)]
    pub(crate) fn to_f64(self) -> (f64, f64) {
        let unit = f64::from_bits(u64::from(1023 - self.exponent) << 52);
        (self.lo as f64 * unit, self.hi as f64 * unit)
    }

    /// The same interval with this many binary places, at least as many as now.
    pub(crate) fn over(&self, exponent: u32) -> Interval {
        let more = exponent - self.exponent;
        Interval { lo: self.lo << more, hi: self.hi << more, exponent }
    }
}

/// The coefficients without zeros at the front and at the back: the polynomial without its roots at
/// 0 and 1, with the same signs in between.
#[inline(always)]
pub(crate) fn strip<const N: usize>(c: &[Wide<N>]) -> &[Wide<N>] {
    let Some(first) = c.iter().position(|c| !c.is_zero()) else { return &[] };
    let last = c.iter().rposition(|c| !c.is_zero()).unwrap_or(first);
    &c[first..=last]
}

/// The number of sign changes between consecutive coefficients, zeros skipped. This is the number
/// of roots in (0, 1), counted with multiplicity, or more by an even number (Descartes); equal if
/// all roots are real.
#[inline(always)]
pub(crate) fn variations<const N: usize>(c: &[Wide<N>]) -> usize {
    let mut signs = [0; 4];
    signs.iter_mut().zip(c).for_each(|(sign, c)| *sign = c.sign());
    changes(&signs)
}

/// The same from the signs of the coefficients.
#[inline(always)]
pub(crate) fn changes(signs: &[i8; 4]) -> usize {
    let mut last = 0;
    let mut n = 0;
    for &sign in signs {
        n += usize::from(sign * last < 0);
        last = if sign == 0 { last } else { sign };
    }
    n
}

/// The exact sign at the time `at / 2^exponent`. W words must hold the coefficients plus `exponent`
/// bits per degree, and 2 more bits.
pub(crate) fn sign_at<const N: usize, const W: usize>(c: &[Wide<N>], at: u64, exponent: u32) -> i8 {
    let Some((last, rest)) = c.split_last() else { return 0 };
    // Horner's rule for the form: value = value n + c_i m^(d-i), with m = 2^exponent - n.
    let m = (1u64 << exponent) - at;
    let mut value: Wide<W> = last.resize();
    for (k, c) in rest.iter().rev().enumerate() {
        let mut term: Wide<W> = c.resize();
        for _ in 0..=k {
            term = term.times(m);
        }
        value = value.times(at) + term;
    }
    value.sign()
}

/// The polynomial re-parametrized from `interval` to [0, 1], times a positive number. Width as for
/// [`sign_at`], and 3 more bits.
pub(crate) fn restrict<const N: usize, const W: usize>(c: &[Wide<N>], interval: &Interval) -> Restricted<W> {
    let mut restricted = Restricted { c: [Wide::ZERO; 4], len: c.len() };
    let Some((last, rest)) = c.split_last() else { return restricted };
    // t = lo (1-s) + hi s, and 1 - t likewise from 1 - lo and 1 - hi: Horner's rule with factors of
    // degree 1.
    let t = [interval.lo, interval.hi];
    let one = 1u64 << interval.exponent;
    let m = t.map(|t| one - t);
    let value = &mut restricted.c;
    value[0] = last.resize();
    for (k, c) in rest.iter().rev().enumerate() {
        multiply(value, k, t);
        let mut term = [Wide::ZERO; 4];
        term[0] = c.resize();
        for degree in 0..=k {
            multiply(&mut term, degree, m);
        }
        for (value, term) in value.iter_mut().zip(term) {
            *value = *value + term;
        }
    }
    restricted
}

/// The same for degree 2: `c0 m m + c1 m n + c2 n n`, with n the numerators of the ends and m their
/// complements to one. A product of two of these has 120 bits.
pub(crate) fn restrict_quadratic(c: &Quadratic, interval: &Interval) -> [Wide<6>; 3] {
    let one = 1u64 << interval.exponent;
    let times = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let [(n0, m0), (n1, m1)] = [interval.lo, interval.hi].map(|t| (t, one - t));
    let sum = |factors: [u128; 3]| {
        let [x, y, z]: [Wide<6>; 3] =
            std::array::from_fn(|i| Wide::product(&c[i], &Wide::from(factors[i].cast_signed())));
        x + y + z
    };
    [
        sum([times(m0, m0), times(m0, n0), times(n0, n0)]),
        sum([2 * times(m0, m1), times(m0, n1) + times(m1, n0), 2 * times(n0, n1)]),
        sum([times(m1, m1), times(m1, n1), times(n1, n1)]),
    ]
}

/// Coefficients of [`restrict`].
pub(crate) struct Restricted<const W: usize> {
    c: [Wide<W>; 4],
    len: usize,
}

impl<const W: usize> Restricted<W> {
    pub(crate) fn coefficients(&self) -> &[Wide<W>] {
        &self.c[..self.len]
    }
}

/// Multiplies a form of this degree by the linear form with coefficients `by`.
fn multiply<const W: usize>(c: &mut [Wide<W>; 4], degree: usize, by: [u64; 2]) {
    c[degree + 1] = c[degree].times(by[1]);
    for i in (1..=degree).rev() {
        c[i] = c[i].times(by[0]) + c[i - 1].times(by[1]);
    }
    c[0] = c[0].times(by[0]);
}

/// The discriminant of a polynomial of degree 2 or 3.
pub(crate) struct Discriminant {
    /// Positive if all roots are real and distinct, zero if two coincide, negative if two are not
    /// real.
    pub(crate) sign: i8,
    /// If two roots coincide, the linear form that vanishes there; zero if three do.
    pub(crate) double: [Wide<12>; 2],
}

impl Discriminant {
    /// Needs 3 or 4 coefficients.
    pub(crate) fn new(c: &[Coefficient]) -> Discriminant {
        let product = |a: &Coefficient, b: &Coefficient| -> Wide<12> { Wide::product(a, b) };
        if let [c0, c1, c2] = c {
            // c1^2 - 4 c0 c2, and the derivative 2 c2 x + c1.
            let sign = (product(c1, c1) - product(c0, c2).times(4)).sign();
            return Discriminant { sign, double: [c1.resize(), c2.resize::<12>().times(2)] };
        }
        let [d, c, b, a] = [&c[0], &c[1], &c[2], &c[3]];
        // With P = b^2 - 3 a c, Q = b c - 9 a d and R = c^2 - 3 b d, the discriminant is (4 P R -
        // Q^2) / 3, and the remainder of the polynomial modulo its derivative is a multiple of 2 P
        // x + Q. P, Q and R have at most 2 * 365 + 4 bits, so 4 P R fits into 24 words.
        let p = product(b, b) - product(a, c).times(3);
        let q = product(b, c) - product(a, d).times(9);
        let r = product(c, c) - product(b, d).times(3);
        let sign = (Wide::<24>::product(&p, &r).times(4) - Wide::product(&q, &q)).sign();
        Discriminant { sign, double: [q, p.times(2)] }
    }
}

/// Whether h vanishes at the only root of f in the open interval. Both are stripped; h has degree 1
/// or 2, f degree 1 to 3.
pub(crate) fn shares_root(f: &[Coefficient], h: &[Wide<4>], interval: &Interval) -> bool {
    match (f, h) {
        // The root of h is the root of f if it is in the interval, and if f vanishes there: 365 +
        // 3 * 243 + 2 bits.
        (_, &[h0, h1]) => has_root::<4, 6>(h, interval) && at_root_of::<6, 4, 18>(f, [h0, h1]).is_zero(),
        // 243 + 2 * 365 + 2 bits.
        (&[f0, f1], _) => at_root_of::<4, 6, 16>(h, [f0, f1]).is_zero(),
        (_, [h0, h1, h2]) => {
            let rest = remainder(f, [h0, h1, h2]);
            if rest.iter().all(Wide::is_zero) {
                // Every root of h is a root of f.
                return has_root::<4, 8>(h, interval);
            }
            // Common roots of f and h are roots of the remainder: 243 + 2 * 853 + 2 bits.
            has_root::<14, 15>(&rest, interval) && at_root_of::<4, 14, 31>(h, rest).is_zero()
        }
        _ => false,
    }
}

/// The remainder of f, of degree 2 or 3, modulo h of degree 2, times h2 or its square: at most
/// 365 + 2 * (243 + 1) bits.
fn remainder(f: &[Coefficient], [h0, h1, h2]: [&Wide<4>; 3]) -> [Wide<14>; 2] {
    let product = |f: &Coefficient, h: &Wide<4>| -> Wide<10> { Wide::product(f, h) };
    if let [f0, f1, f2] = f {
        return [product(f0, h2) - product(f2, h0), product(f1, h2) - product(f2, h1)].map(|c| c.resize());
    }
    let [f0, f1, f2, f3] = [&f[0], &f[1], &f[2], &f[3]];
    let once = [product(f0, h2), product(f1, h2) - product(f3, h0), product(f2, h2) - product(f3, h1)];
    let product = |f: &Wide<10>, h: &Wide<4>| -> Wide<14> { Wide::product(f, h) };
    [product(&once[0], h2) - product(&once[2], h0), product(&once[1], h2) - product(&once[2], h1)]
}

/// The value of `sum c_i x^i` at the root `-r0 / r1` of `r0 + r1 x`, times a power of r1.
fn at_root_of<const N: usize, const M: usize, const W: usize>(
    c: &[Wide<N>],
    [r0, r1]: [Wide<M>; 2],
) -> Wide<W> {
    let Some((last, rest)) = c.split_last() else { return Wide::ZERO };
    let minus_r0 = -r0;
    let mut value: Wide<W> = last.resize();
    for (k, c) in rest.iter().rev().enumerate() {
        let mut term: Wide<W> = c.resize();
        for _ in 0..=k {
            term = Wide::product(&term, &r1);
        }
        value = Wide::product(&value, &minus_r0) + term;
    }
    value
}

/// Whether a form of degree 1 or 2 with at most one root in the open interval has one there.
fn has_root<const N: usize, const W: usize>(c: &[Wide<N>], interval: &Interval) -> bool {
    let restricted = restrict::<N, W>(c, interval);
    match variations(restricted.coefficients()) {
        0 => false,
        1 => true,
        // A double root, or none.
        _ => {
            let [c0, c1, c2] = [0, 1, 2].map(|i| c[i].resize::<N>());
            (Wide::<W>::product(&c1.resize::<W>(), &c1) - Wide::product(&c0.resize::<W>(), &c2).times(4))
                .is_zero()
        }
    }
}
