//! Finite f64 numbers as integers: every f64 is an integer times a power of two, so several of them
//! become integers over their smallest power of two, exactly.

use std::array::from_fn;

use num_bigint::BigInt;

/// Points with integer coordinates over one common power of two: coordinate k of point i is
/// `mantissas[i][k] * 2^(shifts[i][k] + e)`, with the same e for all. The sign of a homogeneous
/// polynomial, or the ratio of two values of one, does not depend on e.
pub(crate) struct IntegerPoints<const N: usize> {
    mantissas: [[i64; 3]; N],
    shifts: [[u32; 3]; N],
    /// Every integer is smaller than `2^bits` in magnitude.
    pub(crate) bits: u32,
}

impl<const N: usize> IntegerPoints<N> {
    /// Returns the points over the largest power of two that divides all coordinates. Exact for
    /// every finite f64, including subnormals; `bits` is at most 2098. NaN and infinity give
    /// meaningless integers, without a panic.
    pub(crate) fn new(points: [&[f64; 3]; N]) -> Self {
        let parts = points.map(|point| point.map(odd_part));
        let lowest = parts.as_flattened().iter().filter(|(m, _)| *m != 0).map(|(_, e)| *e).min().unwrap_or(0);
        let shift = |(m, e): (i64, i32)| if m == 0 { 0 } else { (e - lowest).cast_unsigned() };
        let bits = |part: &(i64, i32)| shift(*part) + (64 - part.0.unsigned_abs().leading_zeros());
        IntegerPoints {
            mantissas: parts.map(|point| point.map(|(m, _)| m)),
            shifts: parts.map(|point| point.map(shift)),
            bits: parts.as_flattened().iter().map(bits).max().unwrap_or(0),
        }
    }

    /// Returns the integers as machine words, for `bits` up to 126.
    pub(crate) fn small(&self) -> [[i128; 3]; N] {
        self.map(|m, shift| i128::from(m) << shift)
    }

    /// Returns the integers, of any size.
    pub(crate) fn big(&self) -> [[BigInt; 3]; N] {
        self.map(|m, shift| BigInt::from(m) << shift)
    }

    fn map<T>(&self, integer: impl Fn(i64, u32) -> T) -> [[T; 3]; N] {
        from_fn(|i| from_fn(|k| integer(self.mantissas[i][k], self.shifts[i][k])))
    }
}

/// Returns (m, e) with `x = m * 2^e` and m odd, or m = 0 for zero.
fn odd_part(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let fraction = (bits & ((1 << 52) - 1)).cast_signed();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let (m, e) = if field == 0 { (fraction, -1074) } else { (fraction | (1 << 52), field - 1075) };
    let zeros = if m == 0 { 0 } else { m.trailing_zeros() };
    let m = m >> zeros;
    (if x < 0.0 { -m } else { m }, e + zeros.cast_signed())
}

/// Returns numerator / denominator as f64, within a relative error of 2^-52 (or 2^-1073 if the
/// result is subnormal), for a positive denominator and a numerator from 0 to the denominator. Both
/// may be far beyond the range of f64.
pub(crate) fn fraction(numerator: &BigInt, denominator: &BigInt) -> f64 {
    // The quotient of (numerator * 2^shift) has 64 or 65 bits; flooring it loses less than 2^-63 of
    // it.
    let shift = 64 + denominator.bits().saturating_sub(numerator.bits());
    let quotient: BigInt = (numerator << shift) / denominator;
    let quotient = u128::try_from(quotient).unwrap_or(0) as f64;
    // 2^-shift in two factors, so that neither underflows before the result does.
    let half = i32::try_from(shift / 2).unwrap_or(i32::MAX);
    let rest = i32::try_from(shift - shift / 2).unwrap_or(i32::MAX);
    quotient * 2f64.powi(-half) * 2f64.powi(-rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(point: [f64; 3], expected: [i128; 3], bits: u32) {
        let integers = IntegerPoints::new([&point]);
        assert_eq!(integers.small(), [expected], "{point:?}");
        assert_eq!(integers.big(), [expected.map(BigInt::from)], "{point:?}");
        assert_eq!(integers.bits, bits, "{point:?}");
    }

    #[test]
    fn values_share_the_smallest_power_of_two() {
        check([0.0, -0.0, 0.0], [0, 0, 0], 0);
        check([1.0, -3.0, 0.25], [4, -12, 1], 4);
        check([f64::MAX, 0.0, -f64::MAX], [(1 << 53) - 1, 0, 1 - (1 << 53)], 53);
        check([f64::from_bits(3), f64::from_bits(8), 0.0], [3, 8, 0], 4);
        check([f64::MIN_POSITIVE, f64::from_bits(1), 0.0], [1 << 52, 1, 0], 53);
    }

    #[test]
    fn the_widest_spread_has_2098_bits() {
        let integers = IntegerPoints::new([&[f64::MAX, 0.0, 0.0], &[0.0, f64::from_bits(1), 0.0]]);
        assert_eq!(integers.bits, 2098);
        assert_eq!(integers.big()[1], [0, 1, 0].map(BigInt::from));
    }

    #[test]
    fn fractions_of_huge_integers_are_near_correctly_rounded() {
        let big = BigInt::from(1) << 5000;
        assert_eq!(fraction(&BigInt::from(0), &big), 0.0);
        assert_eq!(fraction(&big, &big), 1.0);
        assert_eq!(fraction(&big, &(&big * 4)), 0.25);
        assert_eq!(fraction(&BigInt::from(1), &big), 0.0);
        assert_eq!(fraction(&BigInt::from(1), &BigInt::from(3)), 1.0 / 3.0);
    }
}
