//! Numbers of twice the precision of f64: unevaluated sums of two.
//!
//! Results are within a few 2^-104 of the true ones, relative to their operands, as long as nothing
//! overflows or underflows: numbers are expected to be scaled to about one. Nothing depends on
//! fused operations, so results are the same on every processor.

use super::real::Real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The number `hi + lo`, where `hi` is the f64 nearest to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double {
    pub(crate) hi: f64,
    pub(crate) lo: f64,
}

impl From<f64> for Double {
    fn from(hi: f64) -> Double {
        Double { hi, lo: 0.0 }
    }
}

impl Double {
    /// The sum of two f64, exactly.
    pub(crate) fn sum(a: f64, b: f64) -> Double {
        let hi = a + b;
        let of_b = hi - a;
        Double { hi, lo: (a - (hi - of_b)) + (b - of_b) }
    }

    /// The product of two f64, exactly, for magnitudes below 2^900.
    fn product(a: f64, b: f64) -> Double {
        let hi = a * b;
        let ([a1, a0], [b1, b0]) = (halves(a), halves(b));
        Double { hi, lo: ((a1 * b1 - hi) + a1 * b0 + a0 * b1) + a0 * b0 }
    }

    /// The sum of two f64 of which the first is larger in magnitude.
    fn normal(hi: f64, lo: f64) -> Double {
        let sum = hi + lo;
        Double { hi: sum, lo: lo - (sum - hi) }
    }
}

/// A number as a sum of two of 26 bits each.
fn halves(a: f64) -> [f64; 2] {
    let shifted = a * f64::from((1 << 27) + 1);
    let upper = shifted - (shifted - a);
    [upper, a - upper]
}

impl Add for Double {
    type Output = Double;
    fn add(self, other: Double) -> Double {
        let (upper, lower) = (Double::sum(self.hi, other.hi), Double::sum(self.lo, other.lo));
        let sum = Double::normal(upper.hi, upper.lo + lower.hi);
        Double::normal(sum.hi, sum.lo + lower.lo)
    }
}

impl Neg for Double {
    type Output = Double;
    fn neg(self) -> Double {
        Double { hi: -self.hi, lo: -self.lo }
    }
}

impl Sub for Double {
    type Output = Double;
    fn sub(self, other: Double) -> Double {
        self + -other
    }
}

impl Mul for Double {
    type Output = Double;
    fn mul(self, other: Double) -> Double {
        let product = Double::product(self.hi, other.hi);
        Double::normal(product.hi, product.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Mul<f64> for Double {
    type Output = Double;
    fn mul(self, factor: f64) -> Double {
        self * Double::from(factor)
    }
}

impl Div for Double {
    type Output = Double;
    fn div(self, other: Double) -> Double {
        let first = self.hi / other.hi;
        let rest = self - other * first;
        let second = rest.hi / other.hi;
        let rest = rest - other * second;
        Double::normal(first, second) + Double::from(rest.hi / other.hi)
    }
}

impl Real for Double {
    type Mask = bool;
    const UNIT: f64 = 1.0 / (1u128 << 104) as f64;

    fn constant(self, value: f64) -> Double {
        value.into()
    }
    fn abs(self) -> Double {
        if self.hi < 0.0 { -self } else { self }
    }
    fn sqrt(self) -> Double {
        let root = self.hi.sqrt();
        if 0.0 < root && root.is_finite() {
            let rest = self - Double::product(root, root);
            Double::normal(root, rest.hi / (2.0 * root))
        } else {
            root.into()
        }
    }
    fn max(self, other: Double) -> Double {
        if other.lt(self) { self } else { other }
    }
    fn min(self, other: Double) -> Double {
        if self.lt(other) { self } else { other }
    }
    fn lt(self, other: Double) -> bool {
        self.hi < other.hi || (self.hi == other.hi && self.lo < other.lo)
    }
    fn select(mask: bool, yes: Double, no: Double) -> Double {
        if mask { yes } else { no }
    }
    fn any(mask: bool) -> bool {
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;
    use num_bigint::BigInt;

    /// The number times 2^400, exactly.
    fn exact(x: Double) -> BigInt {
        let part = |x: f64| {
            let (bits, sign) = (x.abs().to_bits(), if x < 0.0 { -1 } else { 1 });
            if x == 0.0 {
                return BigInt::from(0);
            }
            let mantissa = BigInt::from((bits & ((1 << 52) - 1)) | (1 << 52)) * sign;
            mantissa << ((bits >> 52) as usize + 400 - 1075)
        };
        part(x.hi) + part(x.lo)
    }

    /// Sums, products, quotients and roots are compared with integers, to 100 bits.
    #[test]
    fn operations_have_twice_the_precision() {
        let mut next = random(17);
        let mut number = || Double::sum(next() - 0.5, (next() - 0.5) * 1e-17);
        let one = BigInt::from(1) << 400;
        let near = |found: Double, expected: BigInt, size: BigInt| {
            let error = exact(found) - &expected;
            assert!((error.magnitude() << 100u32) <= *size.magnitude(), "{found:?}");
        };
        for _ in 0..2000 {
            let (a, b) = (number(), number());
            let (x, y) = (exact(a), exact(b));
            let larger = BigInt::from(x.magnitude().max(y.magnitude()).clone());
            near(a + b, &x + &y, larger.clone());
            near(a - b, &x - &y, larger);
            near(a * b, (&x * &y) >> 400u32, (&x * &y) >> 400u32);
            near(a / b, (&x << 400u32) / &y, (&x << 400u32) / &y);
            let square: BigInt = exact(a.abs()) * &one;
            let root = BigInt::from(square.magnitude().sqrt());
            near(a.abs().sqrt(), root.clone(), root);
        }
        assert_eq!(Double::from(0.0).sqrt(), Double::from(0.0));
    }
}
