//! Exact roots of integer polynomials in [0, 1], and the signs that other polynomials have there (Sturm–Tarski, methods 1.7).
//!
//! No root is ever computed as a number. A root is a dyadic interval that holds exactly one, and every question about it is
//! answered by counting sign variations of a remainder sequence at the interval's ends.

use super::dyadic::Dyadic;
use super::polynomial::Polynomial;
use std::cmp::Ordering;

/// A signed remainder sequence `S_0 = f`, `S_1`, `S_{i+1} = -(S_{i-1} mod S_i)`, each up to a positive factor.
struct Chain(Vec<Polynomial>);

impl Chain {
    /// The sequence of `f` and `f' h`.
    ///
    /// For `a < b` that are not roots of `f`, variations at `a` minus variations at `b` is the number of distinct roots of `f`
    /// in (a, b) with `h > 0` minus the number with `h < 0`; with `h = 1`, the number of roots. `f` need not be
    /// square-free.
    fn new(f: &Polynomial, h: Option<&Polynomial>) -> Chain {
        let derivative = f.derivative();
        let second = match h {
            // Reducing f' h modulo f first keeps the numbers small; two sign flips restore the sign.
            Some(h) => (&derivative * h).negated_remainder(f).negated(),
            None => derivative,
        };
        let mut chain = vec![f.clone()];
        let mut next = second;
        while !next.is_zero() {
            let after = chain[chain.len() - 1].negated_remainder(&next);
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

/// Where a root is: at `lo` when `lo == hi`, else strictly between them, alone.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) lo: Dyadic,
    pub(crate) hi: Dyadic,
}

impl Root {
    /// The root at t = 0.
    pub(crate) fn at_zero() -> Root {
        Root { lo: Dyadic::zero(), hi: Dyadic::zero() }
    }

    fn at(point: Dyadic) -> Root {
        Root { lo: point.clone(), hi: point }
    }

    fn is_point(&self) -> bool {
        self.lo == self.hi
    }
}

/// The distinct roots in [0, 1] of a polynomial that is not zero.
pub(crate) struct Roots {
    /// The polynomial without the roots that were found at a point.
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
        // A cut that hits a root takes it out of the polynomial and starts over; that happens at most three times.
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
        roots.extend(points.into_iter().map(Root::at));
        // Disjoint but for shared ends: a point at an interval's lower end comes first.
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
        if root.is_point() {
            return h.sign_at(&root.lo);
        }
        if h.is_constant() {
            return h.sign_at(&root.lo);
        }
        let chain = Chain::new(&self.f, Some(h));
        match chain.variations(&root.lo).cmp(&chain.variations(&root.hi)) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }
    }

    /// The same root in an interval no wider than `width`, as f64 rounded outward.
    pub(crate) fn bracket(&self, root: &Root, width: f64) -> (f64, f64) {
        let width = Dyadic::power_of_two(width);
        let (mut lo, mut hi) = (root.lo.clone(), root.hi.clone());
        while width < hi.minus(&lo) {
            let mid = lo.midpoint(&hi);
            if self.f.sign_at(&mid) == 0 {
                (lo, hi) = (mid.clone(), mid);
            } else if self.chain.variations(&lo) == self.chain.variations(&mid) {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        (lo.to_f64_down(), hi.to_f64_up())
    }
}

/// Takes the root at `point`, if `f` has one there, out of `f` and into `points`.
fn divide_out(f: &mut Polynomial, point: Dyadic, points: &mut Vec<Dyadic>) {
    let before = points.len();
    while f.sign_at(&point) == 0 {
        *f = f.without_root(&point);
        points.truncate(before);
        points.push(point.clone());
    }
}

/// Open intervals in (0, 1), each with one root of `f`; or a root that a cut happened to hit.
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
