//! Polynomials in time with exact integer coefficients.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// The polynomial `sum c[i] t^i (1-t)^(d-i)` of degree at most `d = c.len() - 1`.
///
/// A coordinate that moves from x0 to x1 is `[x0, x1]`; products are plain convolutions. With
/// `x = t / (1-t)` the same numbers are the coefficients of an ordinary polynomial in x whose roots
/// in (0, inf) are the roots in (0, 1): Descartes' rule of signs and greatest common divisors work
/// on them as they stand. `c[i] / binomial(d, i)` are the Bernstein coefficients.
#[derive(Clone, Debug)]
pub(crate) struct Poly(pub(crate) Vec<BigInt>);

impl Poly {
    pub(crate) fn degree(&self) -> usize {
        self.0.len() - 1
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.iter().all(Zero::is_zero)
    }

    /// Sum of two polynomials of the same degree.
    pub(crate) fn add(&self, other: &Poly) -> Poly {
        assert_eq!(self.degree(), other.degree());
        Poly(self.0.iter().zip(&other.0).map(|(a, b)| a + b).collect())
    }

    /// Difference of two polynomials of the same degree.
    pub(crate) fn sub(&self, other: &Poly) -> Poly {
        assert_eq!(self.degree(), other.degree());
        Poly(self.0.iter().zip(&other.0).map(|(a, b)| a - b).collect())
    }

    pub(crate) fn mul(&self, other: &Poly) -> Poly {
        let mut product = vec![BigInt::zero(); self.degree() + other.degree() + 1];
        for (i, a) in self.0.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            for (j, b) in other.0.iter().enumerate().filter(|(_, b)| !b.is_zero()) {
                product[i + j] += a * b;
            }
        }
        Poly(product)
    }

    /// `scale^d` times the value at `t = num / scale`: the value's sign, for a positive scale.
    pub(crate) fn sign_at(&self, num: &BigInt, scale: &BigInt) -> Sign {
        let rest = scale - num;
        let mut value = BigInt::zero();
        let mut rest_power = BigInt::one();
        for c in self.0.iter().rev() {
            value = value * num + c * &rest_power;
            rest_power *= &rest;
        }
        value.sign()
    }

    /// The same polynomial, times a positive number, in the local time of the interval
    /// `[k, k+1] / 2^m`.
    pub(crate) fn restrict(&self, k: &BigInt, m: u64) -> Poly {
        if m == 0 {
            return self.clone();
        }
        // 2^m t = k (1-s) + (k+1) s, and 2^m (1-t) is 2^m minus that.
        let scale = BigInt::one() << m;
        let end = k + 1u32;
        let rest = Poly(vec![&scale - k, &scale - &end]);
        let time = Poly(vec![k.clone(), end]);
        let mut result = Poly(vec![self.0[self.degree()].clone()]);
        let mut rest_power = rest.clone();
        for c in self.0.iter().rev().skip(1) {
            let term = Poly(rest_power.0.iter().map(|r| r * c).collect());
            result = result.mul(&time).add(&term);
            rest_power = rest_power.mul(&rest);
        }
        result
    }

    /// Number of sign changes in the coefficients, zeros skipped: the number of roots in (0, 1), or
    /// more by an even number.
    pub(crate) fn sign_changes(&self) -> usize {
        sign_changes(&self.0)
    }

    /// A polynomial with the same roots in (0, 1), every one simple.
    pub(crate) fn square_free(&self) -> Poly {
        let p = trim(&self.0);
        let derivative: Vec<BigInt> = p.iter().enumerate().skip(1).map(|(i, c)| c * i).collect();
        let common = gcd_in_x(&p, &derivative);
        if common.len() <= 1 { Poly(p) } else { Poly(primitive(divide(&p, &common).0)) }
    }

    /// A polynomial whose roots in (0, 1) are the common roots there, with the smaller
    /// multiplicity.
    pub(crate) fn gcd(&self, other: &Poly) -> Poly {
        Poly(gcd_in_x(&trim(&self.0), &trim(&other.0)))
    }
}

/// Bernstein coefficients, times a common positive number, on some interval.
#[derive(Clone, Debug)]
pub(crate) struct Bernstein(Vec<BigInt>);

impl Bernstein {
    pub(crate) fn new(poly: &Poly) -> Bernstein {
        let d = poly.degree();
        let binomials: Vec<u32> = (0..=d).map(|i| num_integer::binomial(d as u32, i as u32)).collect();
        let common = binomials.iter().fold(1, |l, b| l.lcm(b));
        Bernstein(poly.0.iter().zip(binomials).map(|(c, b)| c * (common / b)).collect())
    }

    pub(crate) fn sign_changes(&self) -> usize {
        sign_changes(&self.0)
    }

    /// Sign just after the lower end of the interval: that of the first coefficient that is not
    /// zero.
    pub(crate) fn sign_at_start(&self) -> Sign {
        self.0.iter().map(BigInt::sign).find(|s| *s != Sign::NoSign).unwrap_or(Sign::NoSign)
    }

    /// The one sign in the open interval, when the coefficients show it: none of the other sign,
    /// not all zero.
    pub(crate) fn one_sign(&self) -> Option<Sign> {
        let sign = self.sign_at_start();
        (sign != Sign::NoSign && self.sign_changes() == 0).then_some(sign)
    }

    /// The coefficients on the two halves (de Casteljau), and whether the value in the middle is
    /// zero.
    pub(crate) fn split(&self) -> (Bernstein, bool, Bernstein) {
        let d = self.0.len() - 1;
        let mut work = self.0.clone();
        let mut lower = Vec::with_capacity(d + 1);
        let mut upper = Vec::with_capacity(d + 1);
        for r in 0..=d {
            // Row r holds 2^r times the r-fold averages; all entries get the factor 2^d.
            lower.push(&work[0] << (d - r));
            upper.push(&work[d - r] << (d - r));
            for i in 0..d - r {
                let (head, tail) = work.split_at_mut(i + 1);
                head[i] += &tail[0];
            }
        }
        upper.reverse();
        let middle_is_zero = lower[d].is_zero();
        (Bernstein(reduce(lower)), middle_is_zero, Bernstein(reduce(upper)))
    }
}

fn sign_changes(coefficients: &[BigInt]) -> usize {
    let mut last = Sign::NoSign;
    let mut changes = 0;
    for sign in coefficients.iter().map(BigInt::sign).filter(|s| *s != Sign::NoSign) {
        changes += usize::from(last != Sign::NoSign && last != sign);
        last = sign;
    }
    changes
}

/// Divides out the largest common power of two.
fn reduce(mut coefficients: Vec<BigInt>) -> Vec<BigInt> {
    let shift = coefficients.iter().filter_map(BigInt::trailing_zeros).min().unwrap_or(0);
    if shift > 0 {
        coefficients.iter_mut().for_each(|c| *c >>= shift);
    }
    coefficients
}

// The rest treats the coefficients as those of an ordinary polynomial in x = t / (1-t), lowest
// first.

/// Drops zeros at both ends: roots at x = 0 (t = 0) and x = inf (t = 1).
fn trim(p: &[BigInt]) -> Vec<BigInt> {
    let start = p.iter().position(|c| !c.is_zero()).expect("a polynomial that is not zero");
    let end = p.iter().rposition(|c| !c.is_zero()).expect("a polynomial that is not zero");
    p[start..=end].to_vec()
}

/// Divides out the greatest common divisor of the coefficients.
fn primitive(mut p: Vec<BigInt>) -> Vec<BigInt> {
    let mut content = BigInt::zero();
    for c in &p {
        content = content.gcd(c);
        if content.is_one() {
            return p;
        }
    }
    if !content.is_zero() {
        p.iter_mut().for_each(|c| *c /= &content);
    }
    p
}

/// Quotient and remainder of `scale p / q` for some number `scale` other than zero.
fn divide(p: &[BigInt], q: &[BigInt]) -> (Vec<BigInt>, Vec<BigInt>) {
    let lead = q.last().expect("a divisor");
    assert!(!lead.is_zero() && p.len() >= q.len());
    let mut rest = p.to_vec();
    let mut quotient = vec![BigInt::zero(); p.len() - q.len() + 1];
    for place in (0..quotient.len()).rev() {
        let top = rest.pop().expect("one coefficient for each place");
        quotient.iter_mut().chain(&mut rest).for_each(|c| *c *= lead);
        for (i, c) in q[..q.len() - 1].iter().enumerate() {
            rest[place + i] -= &top * c;
        }
        quotient[place] = top;
    }
    while rest.last().is_some_and(Zero::is_zero) {
        rest.pop();
    }
    (quotient, rest)
}

/// Greatest common divisor by Euclid's algorithm on primitive polynomials with leading coefficients
/// other than zero.
fn gcd_in_x(p: &[BigInt], q: &[BigInt]) -> Vec<BigInt> {
    let (mut p, mut q) = if p.len() < q.len() { (q.to_vec(), p.to_vec()) } else { (p.to_vec(), q.to_vec()) };
    while q.len() > 1 {
        let rest = primitive(divide(&p, &q).1);
        p = std::mem::replace(&mut q, rest);
    }
    // An empty remainder: the last divisor divides. A constant one: nothing in common.
    if q.is_empty() { primitive(p) } else { vec![q[0].abs()] }
}
