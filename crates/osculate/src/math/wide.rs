//! Fixed-width integers of a few machine words, on the stack: enough for exact signs unless
//! coordinates differ wildly in magnitude.
//!
//! Nothing here checks for overflow. Callers know the bit lengths of the arguments and choose
//! widths that hold every result; the reason is given where the width is chosen.

use super::double::Double;
use std::array::from_fn;
use std::ops::{Add, Neg, Sub};

/// A signed integer of `64 N` bits, in two's complement, lowest word first. All arithmetic is
/// modulo 2^(64 N).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Wide<N> {
    pub(crate) const ZERO: Wide<N> = Wide([0; N]);

    #[inline(always)]
    pub(crate) fn is_negative(&self) -> bool {
        self.0[N - 1] >> 63 == 1
    }

    #[inline(always)]
    pub(crate) fn is_zero(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns 1, -1 or 0.
    #[inline(always)]
    pub(crate) fn sign(&self) -> i8 {
        if self.is_negative() { -1 } else { i8::from(!self.is_zero()) }
    }

    /// Returns the same number in M words, which must suffice.
    #[inline(always)]
    pub(crate) fn resize<const M: usize>(&self) -> Wide<M> {
        let fill = if self.is_negative() { u64::MAX } else { 0 };
        Wide(from_fn(|i| if i < N { self.0[i] } else { fill }))
    }

    /// Returns the product with an unsigned number.
    #[inline(always)]
    pub(crate) fn times(&self, factor: u64) -> Wide<N> {
        let mut product = self.0;
        let mut carry = 0;
        for word in &mut product {
            (*word, carry) = multiply_add(*word, factor, 0, carry);
        }
        Wide(product)
    }

    /// Returns `a b`.
    #[inline(always)]
    pub(crate) fn product<const A: usize, const B: usize>(a: &Wide<A>, b: &Wide<B>) -> Wide<N> {
        const { assert!(N <= A + B) }
        let mut product = [0; N];
        for i in 0..A {
            let mut carry = 0;
            for j in 0..B {
                if i + j < N {
                    (product[i + j], carry) = multiply_add(a.0[i], b.0[j], product[i + j], carry);
                }
            }
            if i + B < N {
                product[i + B] = carry;
            }
        }
        // The words of a negative a represent a + 2^(64 A), which added 2^(64 A) b too much;
        // likewise for b.
        if a.is_negative() {
            subtract_at(&mut product, &b.0, A);
        }
        if b.is_negative() {
            subtract_at(&mut product, &a.0, B);
        }
        Wide(product)
    }

    /// Returns an f64 with a relative error below `1.01 u`. For up to 960 bits.
    #[inline(always)]
    pub(crate) fn to_f64(self) -> f64 {
        let magnitude = if self.is_negative() { -self } else { self };
        let top = (1..N).rev().find(|&i| magnitude.0[i] != 0).unwrap_or(1);
        // At least 65 bits, or all of them: the dropped part is less than 2^-64 of the number.
        let two_words = u128::from(magnitude.0[top]) << 64 | u128::from(magnitude.0[top - 1]);
        let value = two_words as f64 * f64::from_bits((1023 + 64 * (top as u64 - 1)) << 52);
        if self.is_negative() { -value } else { value }
    }

    /// Returns the number, divided by a power of two that depends on N alone, with a relative error
    /// below 2^-63, in a range in which products do not overflow.
    #[inline(always)]
    pub(crate) fn to_double(self) -> Double {
        let magnitude = if self.is_negative() { -self } else { self };
        let top = (1..N).rev().find(|&i| magnitude.0[i] != 0).unwrap_or(1);
        let two_words = u128::from(magnitude.0[top]) << 64 | u128::from(magnitude.0[top - 1]);
        // What rounding leaves has at most 75 bits and a sign; f64 holds the first 53 of them.
        let hi = two_words as f64;
        let lo = two_words.wrapping_sub(hi as u128).cast_signed() as f64;
        let unit = f64::from_bits((1023 + 64 * (top as u64) - 32 * N as u64) << 52);
        let value = Double { hi: hi * unit, lo: lo * unit };
        if self.is_negative() { -value } else { value }
    }
}

impl From<i128> for Wide<2> {
    #[inline(always)]
    fn from(x: i128) -> Self {
        Wide([x as u64, (x >> 64) as u64])
    }
}

/// Returns `a b + c + d`, low word first. It never overflows.
#[inline(always)]
fn multiply_add(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let sum = u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d);
    (sum as u64, (sum >> 64) as u64)
}

/// Subtracts `b 2^(64 shift)` from `a`.
#[inline(always)]
fn subtract_at<const N: usize, const B: usize>(a: &mut [u64; N], b: &[u64; B], shift: usize) {
    let mut borrow = false;
    for i in shift..N {
        let word = if i - shift < B { b[i - shift] } else { 0 };
        (a[i], borrow) = subtract_with_borrow(a[i], word, borrow);
    }
}

#[inline(always)]
fn add_with_carry(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, above) = a.overflowing_add(b);
    let (sum, above_again) = sum.overflowing_add(u64::from(carry));
    (sum, above | above_again)
}

#[inline(always)]
fn subtract_with_borrow(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, below) = a.overflowing_sub(b);
    let (difference, below_again) = difference.overflowing_sub(u64::from(borrow));
    (difference, below | below_again)
}

impl<const N: usize> Add for Wide<N> {
    type Output = Wide<N>;
    #[inline(always)]
    fn add(self, other: Wide<N>) -> Wide<N> {
        let mut sum = self.0;
        let mut carry = false;
        for (word, other) in sum.iter_mut().zip(other.0) {
            (*word, carry) = add_with_carry(*word, other, carry);
        }
        Wide(sum)
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Wide<N>;
    #[inline(always)]
    fn sub(mut self, other: Wide<N>) -> Wide<N> {
        subtract_at(&mut self.0, &other.0, 0);
        self
    }
}

impl<const N: usize> Neg for Wide<N> {
    type Output = Wide<N>;
    #[inline(always)]
    fn neg(self) -> Wide<N> {
        Wide::ZERO - self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_traits::{FromPrimitive as _, Signed as _};

    impl<const N: usize> Wide<N> {
        pub(crate) fn to_big(self) -> BigInt {
            let bytes: Vec<u8> = self.0.iter().flat_map(|word| word.to_le_bytes()).collect();
            BigInt::from_signed_bytes_le(&bytes)
        }
    }

    /// Both parts of quotients are compared: the second one is what f64 alone does not have.
    #[test]
    fn quotients_in_twice_the_precision_are_those_of_big_integers() {
        let mut next = words(3);
        for _ in 0..20_000 {
            let (a, b) = (any::<6>(&mut next), any::<6>(&mut next));
            if a.is_zero() || b.is_zero() {
                continue;
            }
            let found = a.to_double() / b.to_double();
            let shift = 200 + b.to_big().bits().saturating_sub(a.to_big().bits());
            let quotient = (a.to_big() << shift) / b.to_big();
            let scaled = |x: f64| BigInt::from_f64(x * 2f64.powi(500)).unwrap() << shift;
            let error: BigInt = scaled(found.hi) + scaled(found.lo) - (&quotient << 500);
            let (error, expected) = (error.abs(), quotient.abs() << 500);
            assert!(error << 60 <= expected, "{a:?} / {b:?}");
        }
    }

    fn big<const N: usize>(x: &Wide<N>) -> BigInt {
        x.to_big()
    }

    fn words(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        }
    }

    /// Numbers of any length, with long runs of equal bits, where carries can fail; with room for a
    /// sum.
    fn any<const N: usize>(next: &mut impl FnMut() -> u64) -> Wide<N> {
        let mut x: Wide<N> = Wide(from_fn(|_| match next() >> 62 {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << (next() >> 58),
            _ => next(),
        }));
        x.0[N - 1] = (x.0[N - 1].cast_signed() >> (next() >> 58).max(2)).cast_unsigned();
        x
    }

    #[test]
    fn agrees_with_big_integers() {
        let mut next = words(1);
        for _ in 0..20_000 {
            let (a, b, c): (Wide<3>, Wide<3>, Wide<2>) = (any(&mut next), any(&mut next), any(&mut next));
            assert_eq!(big(&(a + b)), big(&a) + big(&b));
            assert_eq!(big(&(a - b)), big(&a) - big(&b));
            assert_eq!(big(&-a), -big(&a));
            assert_eq!(big(&Wide::<5>::product(&a, &c)), big(&a) * big(&c));
            assert_eq!(big(&Wide::<6>::product(&a, &b)), big(&a) * big(&b));
            let factor = next();
            assert_eq!(big(&a.resize::<4>().times(factor)), big(&a) * factor);
            assert_eq!(
                i32::from(a.sign()),
                if a.is_zero() { 0 } else { big(&a).signum().try_into().unwrap() }
            );
            // In fewer words than the factors have, which is enough for small ones.
            let small = Wide::<2>::from(i128::from(next() as i32));
            assert_eq!(big(&Wide::<3>::product(&small.resize::<3>(), &c)), big(&small) * big(&c));
        }
    }

    #[test]
    fn nearly_the_nearest_f64() {
        let mut next = words(2);
        for _ in 0..20_000 {
            let x: Wide<6> = any(&mut next);
            let value = x.to_f64();
            let error = (BigInt::from_f64(value).unwrap() - big(&x)).abs();
            // |value - x| 2^53 <= 1.01 |x|
            assert!((error << 53) * 100 <= big(&x).abs() * 101, "{x:?}: {value}");
        }
    }
}
