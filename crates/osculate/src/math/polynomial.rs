//! Polynomials with big-integer coefficients.

use super::dyadic::Dyadic;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::ops::{Add, Mul, Sub};

/// A polynomial in t, lowest power first, without leading zeros; the zero polynomial has no
/// coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Polynomial(Vec<BigInt>);

impl Polynomial {
    pub(crate) fn new(mut coefficients: Vec<BigInt>) -> Polynomial {
        while coefficients.last().is_some_and(Zero::is_zero) {
            coefficients.pop();
        }
        Polynomial(coefficients)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the polynomial is constant, possibly zero.
    pub(crate) fn is_constant(&self) -> bool {
        self.0.len() <= 1
    }

    pub(crate) fn derivative(&self) -> Polynomial {
        Polynomial::new(self.0.iter().enumerate().skip(1).map(|(i, c)| c * i).collect())
    }

    /// The exact sign of its value at t = `at`.
    pub(crate) fn sign_at(&self, at: &Dyadic) -> i8 {
        // Horner's rule for 2^(e d) p(n / 2^e): each lower coefficient gets one more factor 2^e.
        let mut value = BigInt::zero();
        for (i, c) in self.0.iter().rev().enumerate() {
            value = value * &at.numerator + (c << (at.exponent as usize * i));
        }
        sign(&value)
    }

    /// The sign on all of [lo, hi], if its Bernstein coefficients there prove one.
    pub(crate) fn sign_on(&self, lo: &Dyadic, hi: &Dyadic) -> Option<i8> {
        let ends = self.sign_at(lo);
        if ends == 0 || ends != self.sign_at(hi) {
            return None;
        }
        let Some(c2) = self.0.get(2) else { return Some(ends) };
        if 3 < self.0.len() {
            return Some(ends).filter(|_| self.on(lo, hi).has_one_sign());
        }
        // The inner coefficient c0 + c1 (lo + hi) / 2 + c2 lo hi, times 2^(e + f + 1) with e, f the
        // exponents of lo and hi.
        let (e, f) = (lo.exponent, hi.exponent);
        let sum = (&lo.numerator << f) + (&hi.numerator << e);
        let inner =
            (&self.0[0] << (e + f + 1)) + &self.0[1] * sum + ((c2 * &lo.numerator * &hi.numerator) << 1);
        Some(ends).filter(|&s| s == sign(&inner))
    }

    /// The polynomial in s, times a power of two, that has the values of this one at
    /// `t = lo + s (hi - lo)`.
    fn on(&self, lo: &Dyadic, hi: &Dyadic) -> Polynomial {
        let exponent = lo.exponent.max(hi.exponent);
        let from = &lo.numerator << (exponent - lo.exponent);
        let width = (&hi.numerator << (exponent - hi.exponent)) - &from;
        // Horner's rule for t = (from + s width) / 2^exponent, as in `sign_at`.
        let t = Polynomial::new(vec![from, width]);
        let mut value = Polynomial::new(Vec::new());
        for (i, c) in self.0.iter().rev().enumerate() {
            value = &(&value * &t) + &Polynomial::new(vec![c << (exponent as usize * i)]);
        }
        value
    }

    /// Whether it is zero throughout, or the Bernstein coefficients on [0, 1] prove that it has no
    /// root there.
    pub(crate) fn has_one_sign(&self) -> bool {
        let degree = self.0.len().saturating_sub(1);
        // Coefficient j, times C(d, j), is the sum of c_i C(d - i, j - i) over i <= j.
        let signs = (0..=degree).map(|j| {
            let terms = self.0.iter().enumerate().take(j + 1);
            sign(&terms.map(|(i, c)| c * binomial(degree - i, j - i)).sum::<BigInt>())
        });
        let signs: Vec<i8> = signs.collect();
        self.is_zero() || signs.iter().all(|&s| s == 1) || signs.iter().all(|&s| s == -1)
    }

    /// The polynomial divided by the greatest common divisor of its coefficients.
    pub(crate) fn primitive(self) -> Polynomial {
        let mut divisor = BigInt::zero();
        for c in &self.0 {
            let mut other = c.abs();
            while !other.is_zero() {
                (divisor, other) = (other.clone(), divisor % &other);
            }
        }
        if divisor.is_zero() { self } else { Polynomial(self.0.into_iter().map(|c| c / &divisor).collect()) }
    }

    /// `-(self mod divisor)` times a positive number: the next entry of a signed remainder
    /// sequence.
    ///
    /// Each reduction step multiplies by `|lead(divisor)|`, so signs are kept and no fractions
    /// arise.
    pub(crate) fn negated_remainder(&self, divisor: &Polynomial) -> Polynomial {
        let mut rest = self.0.clone();
        let n = divisor.0.len();
        let lead = &divisor.0[n - 1];
        let scale = lead.abs();
        while n <= rest.len() {
            let Some(top) = rest.pop() else { break };
            if top.is_zero() {
                continue;
            }
            let factor = if lead.is_negative() { -top } else { top };
            let shift = rest.len() + 1 - n;
            for (i, c) in rest.iter_mut().enumerate() {
                *c *= &scale;
                if shift <= i {
                    *c -= &factor * &divisor.0[i - shift];
                }
            }
        }
        Polynomial::new(rest.into_iter().map(|c| -c).collect())
    }

    pub(crate) fn negated(self) -> Polynomial {
        Polynomial(self.0.into_iter().map(|c| -c).collect())
    }

    /// The quotient by the linear factor `2^e t - n` of the root `n / 2^e`, which must be a root.
    /// The factor is primitive (`n` is odd, or `e` is zero), so the quotient has integer
    /// coefficients.
    pub(crate) fn without_root(&self, root: &Dyadic) -> Polynomial {
        let mut quotient = Vec::with_capacity(self.0.len());
        let mut carry = BigInt::zero();
        for c in self.0[1..].iter().rev() {
            carry = (c + carry * &root.numerator) >> root.exponent;
            quotient.push(carry.clone());
        }
        quotient.reverse();
        Polynomial::new(quotient)
    }
}

/// The number of ways to choose k of n.
fn binomial(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |product, i| product * (n as u64 - i) / (i + 1))
}

pub(crate) fn sign(value: &BigInt) -> i8 {
    i8::from(value.is_positive()) - i8::from(value.is_negative())
}

impl Add for &Polynomial {
    type Output = Polynomial;
    fn add(self, other: &Polynomial) -> Polynomial {
        let (long, short) = if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        let mut sum = long.0.clone();
        for (c, s) in sum.iter_mut().zip(&short.0) {
            *c += s;
        }
        Polynomial::new(sum)
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;
    fn sub(self, other: &Polynomial) -> Polynomial {
        let mut difference = self.0.clone();
        difference.resize(self.0.len().max(other.0.len()), BigInt::zero());
        for (c, s) in difference.iter_mut().zip(&other.0) {
            *c -= s;
        }
        Polynomial::new(difference)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;
    fn mul(self, other: &Polynomial) -> Polynomial {
        if self.is_zero() || other.is_zero() {
            return Polynomial::new(Vec::new());
        }
        let mut product = vec![BigInt::zero(); self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Polynomial::new(product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|&c| BigInt::from(c)).collect())
    }

    fn quarter(n: i64) -> Dyadic {
        Dyadic { numerator: n.into(), exponent: 2 }
    }

    #[test]
    fn bernstein_coefficients_prove_signs_of_any_degree() {
        // (t - 2)^4 and (t + 1)^5 have no root in [0, 1]; (2 t - 1)^4 has one.
        assert!(polynomial(&[16, -32, 24, -8, 1]).has_one_sign());
        assert!(polynomial(&[1, 5, 10, 10, 5, 1]).has_one_sign());
        assert!(!polynomial(&[1, -8, 24, -32, 16]).has_one_sign());
        assert!(polynomial(&[]).has_one_sign() && polynomial(&[-3]).has_one_sign());
        assert!(!polynomial(&[0, 1]).has_one_sign());
        // (2 t - 1)^3 (t + 1): its root divides [0, 1].
        let p = polynomial(&[-1, 5, -6, -4, 8]);
        assert_eq!(p.sign_on(&quarter(0), &quarter(1)), Some(-1));
        assert_eq!(p.sign_on(&quarter(3), &Dyadic::one()), Some(1));
        assert_eq!(p.sign_on(&quarter(1), &quarter(3)), None);
    }

    #[test]
    fn a_primitive_polynomial_has_no_common_factor() {
        assert_eq!(polynomial(&[12, -18, 30]).primitive(), polynomial(&[2, -3, 5]));
        assert_eq!(polynomial(&[-7, 0, 3]).primitive(), polynomial(&[-7, 0, 3]));
        assert_eq!(polynomial(&[]).primitive(), polynomial(&[]));
    }
}
