//! Exact roots of integer polynomials in [0, 1], and the signs of other polynomials at them
//! (Sturm–Tarski).
//!
//! No root is ever computed as a number. A root is a dyadic interval that contains exactly one, and
//! every sign at it is decided by counting sign variations of a remainder sequence at the
//! interval's ends.

use super::dyadic::Dyadic;
use super::polynomial::Polynomial;
use std::cmp::Ordering;

/// Sequences of more entries than this are long enough for common factors to pay for their removal:
/// each entry otherwise has more than twice the digits of the last one.
const SHORT: usize = 3;

/// A signed remainder sequence `S_0 = f`, `S_1`, `S_{i+1} = -(S_{i-1} mod S_i)`, each up to a
/// positive factor.
struct Chain(Vec<Polynomial>);

impl Chain {
    /// The sequence of `f` and `f' h`.
    ///
    /// For `a < b` that are not roots of `f`, variations at `a` minus variations at `b` is the
    /// number of distinct roots of `f` in (a, b) with `h > 0` minus the number with `h < 0`; with
    /// `h = 1`, the number of roots. `f` need not be square-free.
    fn new(f: &Polynomial, h: Option<&Polynomial>) -> Chain {
        let derivative = f.derivative();
        let second = match h {
            // Reducing f' h modulo f first keeps the numbers small; two sign flips restore the
            // sign.
            Some(h) => (&derivative * h).negated_remainder(f).negated(),
            None => derivative,
        };
        let mut chain = vec![f.clone()];
        let mut next = second;
        while !next.is_zero() {
            let mut after = chain[chain.len() - 1].negated_remainder(&next);
            if SHORT < chain.len() + 1 {
                after = after.primitive();
            }
            chain.push(next);
            next = after;
        }
        Chain(chain)
    }

    fn variations(&self, at: &Dyadic) -> i32 {
        let mut last = 0;
        let mut n = 0;
        for sign in self.0.iter().map(|p| p.sign_at(at)).filter(|&s| s != 0) {
            n += i32::from(sign == -last);
            last = sign;
        }
        n
    }
}

/// The location of a root: `lo` if `lo == hi`, otherwise the only root strictly between them.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) lo: Dyadic,
    pub(crate) hi: Dyadic,
}

impl Root {
    fn at(point: Dyadic) -> Root {
        Root { lo: point.clone(), hi: point }
    }

    fn is_point(&self) -> bool {
        self.lo == self.hi
    }
}

/// The distinct roots in [0, 1] of a nonzero polynomial.
pub(crate) struct Roots {
    /// The polynomial without the roots found at points.
    f: Polynomial,
    chain: Chain,
    roots: Vec<Root>,
}

impl Roots {
    /// Isolates the roots of `f`, which must not be zero.
    pub(crate) fn of(f: &Polynomial) -> Roots {
        let mut f = f.clone();
        let mut points = Vec::new();
        for end in [Dyadic::zero(), Dyadic::one()] {
            divide_out(&mut f, end, &mut points);
        }
        // A cut that hits a root divides it out of the polynomial and restarts; this happens at
        // most three times.
        let (chain, mut roots) = loop {
            let chain = Chain::new(&f, None);
            match isolate(&f, &chain) {
                Ok(roots) => break (chain, roots),
                Err(root) => divide_out(&mut f, root, &mut points),
            }
        };
        // Shrink intervals until no point lies inside one, so that the roots can be ordered.
        for root in &mut roots {
            for point in &points {
                if root.lo < *point && *point < root.hi {
                    if chain.variations(&root.lo) == chain.variations(point) {
                        root.lo = point.clone();
                    } else {
                        root.hi = point.clone();
                    }
                }
            }
        }
        // On a short interval most other polynomials have one sign, which is far cheaper to prove
        // than to count variations.
        for root in &mut roots {
            let halving = Halving::new(&f, &chain, root);
            for _ in 0..16 {
                halving.halve(root);
            }
        }
        roots.extend(points.into_iter().map(Root::at));
        // Disjoint except for shared ends: a point at an interval's lower end comes first.
        roots.sort_by(|a, b| a.lo.cmp(&b.lo).then_with(|| a.hi.cmp(&b.hi)));
        Roots { f, chain, roots }
    }

    /// The roots, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Root> {
        self.roots.iter()
    }

    /// The sign of `h` at a root of this polynomial.
    pub(crate) fn sign(&self, root: &Root, h: &Polynomial) -> i8 {
        if h.is_zero() {
            return 0;
        }
        if root.is_point() || h.is_constant() {
            return h.sign_at(&root.lo);
        }
        if let Some(sign) = h.sign_on(&root.lo, &root.hi) {
            return sign;
        }
        let chain = Chain::new(&self.f, Some(h));
        match chain.variations(&root.lo).cmp(&chain.variations(&root.hi)) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }
    }

    /// The same root in an interval no wider than `width`, from 2^-52 to 1, as f64 rounded outward.
    pub(crate) fn bracket(&self, root: &Root, width: f64) -> (f64, f64) {
        let mut root = root.clone();
        let halving = Halving::new(&self.f, &self.chain, &root);
        loop {
            // Ends closer than 2^-53 round to numbers at most 2^-52 apart, so this terminates.
            let (lo, hi) = (root.lo.to_f64_down(), root.hi.to_f64_up());
            if hi - lo <= width {
                return (lo, hi);
            }
            halving.halve(&mut root);
        }
    }
}

/// Shortens the interval of a root of `f`.
struct Halving<'a> {
    f: &'a Polynomial,
    chain: &'a Chain,
    /// The sign below the root, if it changes there (odd multiplicity). An even multiplicity needs
    /// the whole chain.
    sign_below: Option<i8>,
}

impl Halving<'_> {
    fn new<'a>(f: &'a Polynomial, chain: &'a Chain, root: &Root) -> Halving<'a> {
        let sign_below = f.sign_at(&root.lo);
        Halving { f, chain, sign_below: Some(sign_below).filter(|&s| s != f.sign_at(&root.hi)) }
    }

    fn halve(&self, root: &mut Root) {
        if root.is_point() {
            return;
        }
        let mid = root.lo.midpoint(&root.hi);
        let sign_mid = self.f.sign_at(&mid);
        let is_below = || match self.sign_below {
            Some(sign) => sign_mid == sign,
            None => self.chain.variations(&root.lo) == self.chain.variations(&mid),
        };
        if sign_mid == 0 {
            *root = Root::at(mid);
        } else if is_below() {
            root.lo = mid;
        } else {
            root.hi = mid;
        }
    }
}

/// Divides the root at `point`, if there is one, out of `f` and adds it to `points`.
fn divide_out(f: &mut Polynomial, point: Dyadic, points: &mut Vec<Dyadic>) {
    let before = points.len();
    while f.sign_at(&point) == 0 {
        *f = f.without_root(&point);
        points.truncate(before);
        points.push(point.clone());
    }
}

/// Open intervals in (0, 1), each with one root of `f`; or a root hit by a cut.
fn isolate(f: &Polynomial, chain: &Chain) -> Result<Vec<Root>, Dyadic> {
    let mut roots = Vec::new();
    let mut pending = vec![(Dyadic::zero(), Dyadic::one())];
    while let Some((lo, hi)) = pending.pop() {
        match chain.variations(&lo) - chain.variations(&hi) {
            0 => {}
            1 => roots.push(Root { lo, hi }),
            _ => {
                let mid = lo.midpoint(&hi);
                if f.sign_at(&mid) == 0 {
                    return Err(mid);
                }
                pending.push((mid.clone(), hi));
                pending.push((lo, mid));
            }
        }
    }
    Ok(roots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|&c| BigInt::from(c)).collect())
    }

    /// Brackets of the roots, at a width of 2^-10.
    fn check(coefficients: &[i64], expected: &[f64]) {
        let roots = Roots::of(&polynomial(coefficients));
        let brackets: Vec<_> = roots.iter().map(|root| roots.bracket(root, 1.0 / 1024.0)).collect();
        assert_eq!(brackets.len(), expected.len(), "{coefficients:?}: {brackets:?}");
        for (&(lo, hi), &t) in brackets.iter().zip(expected) {
            assert!(
                lo <= t && t <= hi && hi - lo <= 1.0 / 1024.0,
                "{coefficients:?}: {t} not in [{lo}, {hi}]"
            );
        }
    }

    #[test]
    fn roots_in_the_unit_interval() {
        check(&[7], &[]);
        check(&[-1, 2], &[0.5]);
        check(&[-1, 3], &[1.0 / 3.0]);
        check(&[0, 1], &[0.0]);
        check(&[-1, 1], &[1.0]);
        check(&[0, -1, 1], &[0.0, 1.0]);
        check(&[1, 0, 1], &[]);
        check(&[-1, 0, 2], &[0.5f64.sqrt()]);
        // (2t - 1)^2, (3t - 1)^2 and (3t - 1)^2 (2t - 1): double roots count once.
        check(&[1, -4, 4], &[0.5]);
        check(&[1, -6, 9], &[1.0 / 3.0]);
        check(&[-1, 8, -21, 18], &[1.0 / 3.0, 0.5]);
        // t (2t - 1)(t - 1), and (4t - 1)(2t - 1)(4t - 3).
        check(&[0, 1, -3, 2], &[0.0, 0.5, 1.0]);
        check(&[-3, 22, -48, 32], &[0.25, 0.5, 0.75]);
        // Roots 1/3 and 1/3 + 1/30000: close, and not dyadic.
        check(&[10001, -3 * 20001, 90000], &[1.0 / 3.0, 10001.0 / 30000.0]);
    }

    #[test]
    fn signs_at_roots() {
        // f = (3t - 1)(5t - 4): roots 1/3 and 4/5.
        let roots = Roots::of(&polynomial(&[4, -17, 15]));
        let signs =
            |h: &[i64]| -> Vec<i8> { roots.iter().map(|root| roots.sign(root, &polynomial(h))).collect() };
        assert_eq!(signs(&[]), [0, 0]);
        assert_eq!(signs(&[-2]), [-1, -1]);
        assert_eq!(signs(&[-1, 3]), [0, 1]);
        assert_eq!(signs(&[-4, 5]), [-1, 0]);
        assert_eq!(signs(&[-1, 2]), [-1, 1]);
        assert_eq!(signs(&[1, -6, 9]), [0, 1]);
        assert_eq!(signs(&[4, -17, 15]), [0, 0]);
    }

    #[test]
    fn narrow_brackets_round_outward() {
        let roots = Roots::of(&polynomial(&[-1, 3]));
        let root = roots.iter().next().unwrap();
        let (lo, hi) = roots.bracket(root, f64::EPSILON);
        assert!(lo < hi && hi - lo <= f64::EPSILON);
        // 1/3 lies strictly between: 3 lo < 1 < 3 hi, exactly, in units of 2^-53.
        let units = |t: f64| (t * (1u64 << 53) as f64) as u64;
        assert!(3 * units(lo) < 1 << 53 && 1 << 53 < 3 * units(hi));
    }
}
