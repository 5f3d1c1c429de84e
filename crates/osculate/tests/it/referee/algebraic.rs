//! Real roots of integer polynomials as exact numbers in [0, 1].

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use super::poly::{Bernstein, Poly};

/// Bisections that [`Algebraic::sign_of`] and [`Algebraic::compare`] try before they ask whether
/// the answer is zero.
const BISECTIONS_BEFORE_GCD: u32 = 10;

/// A number in [0, 1]: a fraction with a power of two below, or a root that an interval tells apart
/// from the others.
#[derive(Clone, Debug)]
pub(crate) enum Algebraic {
    /// `num / 2^log`.
    Dyadic { num: BigInt, log: u64 },
    /// The only root of a polynomial in an open interval.
    Root(Root),
}

/// The root of `poly` in the open interval `(k, k+1) / 2^m`: the only one there, and a simple one.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    poly: Poly,
    k: BigInt,
    m: u64,
    /// `poly` on the interval; its coefficients have exactly one sign change.
    local: Bernstein,
}

/// Where in its interval a root was found.
enum Half {
    Lower,
    Upper,
    Middle,
}

/// All roots of a polynomial other than zero in [0, 1], ascending, each once.
pub(crate) fn roots(poly: &Poly) -> Vec<Algebraic> {
    assert!(!poly.is_zero());
    let mut found = Vec::new();
    if poly.0[0].is_zero() {
        found.push(Algebraic::zero());
    }
    match poly.sign_changes() {
        0 => {}
        // One sign change is one simple root; only for more is it worth making the others simple.
        1 => isolate(poly, Bernstein::new(poly), BigInt::zero(), 0, &mut found),
        _ => {
            let simple = poly.square_free();
            isolate(&simple, Bernstein::new(&simple), BigInt::zero(), 0, &mut found);
        }
    }
    if poly.0[poly.degree()].is_zero() {
        found.push(Algebraic::Dyadic { num: BigInt::one(), log: 0 });
    }
    found
}

/// Appends the roots in the open interval `(k, k+1) / 2^m`, ascending. Halving ends because all
/// roots are simple.
fn isolate(poly: &Poly, local: Bernstein, k: BigInt, m: u64, found: &mut Vec<Algebraic>) {
    match local.sign_changes() {
        0 => {}
        1 => found.push(Algebraic::Root(Root { poly: poly.clone(), k, m, local })),
        _ => {
            let (lower, middle_is_root, upper) = local.split();
            let middle: BigInt = (&k << 1) + 1;
            isolate(poly, lower, k << 1, m + 1, found);
            if middle_is_root {
                found.push(Algebraic::Dyadic { num: middle.clone(), log: m + 1 });
            }
            isolate(poly, upper, middle, m + 1, found);
        }
    }
}

impl Algebraic {
    pub(crate) fn zero() -> Algebraic {
        Algebraic::Dyadic { num: BigInt::zero(), log: 0 }
    }

    /// The number `t` itself, which must be in [0, 1].
    pub(crate) fn from_f64(t: f64) -> Algebraic {
        let (num, log) = dyadic(t);
        Algebraic::Dyadic { num, log }
    }

    /// Sign of `h` at this number, exactly.
    ///
    /// A polynomial that is not zero at the root has Bernstein coefficients of one strict sign on
    /// every small enough interval around it. One that is zero there shares a factor with the
    /// root's own polynomial.
    pub(crate) fn sign_of(&mut self, h: &Poly) -> Sign {
        if h.is_zero() {
            return Sign::NoSign;
        }
        let mut local = match self {
            Algebraic::Dyadic { num, log } => return h.sign_at(num, &(BigInt::one() << *log)),
            Algebraic::Root(root) => Bernstein::new(&h.restrict(&root.k, root.m)),
        };
        for step in 0.. {
            if let Some(sign) = local.one_sign() {
                return sign;
            }
            if step == BISECTIONS_BEFORE_GCD && self.is_root_of(h) {
                return Sign::NoSign;
            }
            let (lower, _, upper) = local.split();
            local = match self.bisect() {
                Half::Lower => lower,
                Half::Upper => upper,
                Half::Middle => return self.sign_of(h),
            };
        }
        unreachable!("the loop has no end")
    }

    /// Exact order of this number and `t`, any number but NaN.
    pub(crate) fn compare_f64(&self, t: f64) -> Ordering {
        assert!(!t.is_nan());
        if t < 0.0 {
            return Ordering::Greater;
        }
        if 1.0 < t {
            return Ordering::Less;
        }
        let (num, log) = dyadic(t);
        self.compare_dyadic(&num, log)
    }

    /// Exact order of this number and another.
    pub(crate) fn compare(&mut self, other: &mut Algebraic) -> Ordering {
        for step in 0.. {
            let (a, b) = match (&*self, &*other) {
                (a, Algebraic::Dyadic { num, log }) => return a.compare_dyadic(num, *log),
                (Algebraic::Dyadic { num, log }, b) => return b.compare_dyadic(num, *log).reverse(),
                (Algebraic::Root(a), Algebraic::Root(b)) => (a, b),
            };
            let (a_end, b_end): (BigInt, BigInt) = (&a.k + 1, &b.k + 1);
            if compare_dyadics(&a_end, a.m, &b.k, b.m).is_le() {
                return Ordering::Less;
            }
            if compare_dyadics(&b_end, b.m, &a.k, a.m).is_le() {
                return Ordering::Greater;
            }
            if step == BISECTIONS_BEFORE_GCD && self.is_equal(other) {
                return Ordering::Equal;
            }
            self.bisect();
            other.bisect();
        }
        unreachable!("the loop has no end")
    }

    /// Whether two numbers are the same: this one is a root of the other's polynomial, in the
    /// other's interval.
    fn is_equal(&self, other: &Algebraic) -> bool {
        match other {
            Algebraic::Dyadic { num, log } => self.compare_dyadic(num, *log).is_eq(),
            Algebraic::Root(root) => {
                self.is_root_of(&root.poly)
                    && self.compare_dyadic(&root.k, root.m).is_gt()
                    && self.compare_dyadic(&(&root.k + 1), root.m).is_lt()
            }
        }
    }

    /// Replaces the interval of a root by the half that holds it, or the root by the middle if it
    /// is that.
    fn bisect(&mut self) -> Half {
        let Algebraic::Root(root) = self else { return Half::Middle };
        let (lower, middle_is_root, upper) = root.local.split();
        root.k <<= 1;
        root.m += 1;
        if middle_is_root {
            *self = Algebraic::Dyadic { num: &root.k + 1, log: root.m };
            return Half::Middle;
        }
        // The sign changes of the halves add up to at most those of the whole: one half has one,
        // the other none.
        let in_lower = lower.sign_changes() == 1;
        assert!(in_lower != (upper.sign_changes() == 1));
        if in_lower {
            root.local = lower;
            Half::Lower
        } else {
            root.k += 1;
            root.local = upper;
            Half::Upper
        }
    }

    /// Whether `h` is zero at this number.
    ///
    /// The common divisor's roots in the interval are roots of `poly` there, so it has this one or
    /// none: an odd number of sign changes or an even one.
    fn is_root_of(&self, h: &Poly) -> bool {
        match self {
            Algebraic::Dyadic { num, log } => h.sign_at(num, &(BigInt::one() << *log)) == Sign::NoSign,
            Algebraic::Root(root) => root.poly.gcd(h).restrict(&root.k, root.m).sign_changes() % 2 == 1,
        }
    }

    fn compare_dyadic(&self, num: &BigInt, log: u64) -> Ordering {
        let root = match self {
            Algebraic::Dyadic { num: own, log: own_log } => return compare_dyadics(own, *own_log, num, log),
            Algebraic::Root(root) => root,
        };
        if compare_dyadics(num, log, &root.k, root.m).is_le() {
            return Ordering::Greater;
        }
        if compare_dyadics(&(&root.k + 1), root.m, num, log).is_le() {
            return Ordering::Less;
        }
        // Inside the interval the polynomial changes sign at the root and nowhere else.
        match root.poly.sign_at(num, &(BigInt::one() << log)) {
            Sign::NoSign => Ordering::Equal,
            sign if sign == root.local.sign_at_start() => Ordering::Greater,
            _ => Ordering::Less,
        }
    }
}

fn compare_dyadics(a: &BigInt, a_log: u64, b: &BigInt, b_log: u64) -> Ordering {
    let log = a_log.max(b_log);
    (a << (log - a_log)).cmp(&(b << (log - b_log)))
}

/// `(num, log)` with `t = num / 2^log`, for t in [0, 1].
fn dyadic(t: f64) -> (BigInt, u64) {
    assert!((0.0..=1.0).contains(&t));
    let (mantissa, exponent) = decode(t);
    if exponent < 0 { (mantissa, exponent.unsigned_abs().into()) } else { (mantissa << exponent, 0) }
}

/// `(m, e)` with `x = m 2^e`, m odd or zero, for a finite x.
pub(crate) fn decode(x: f64) -> (BigInt, i32) {
    assert!(x.is_finite());
    let bits = x.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let field = ((bits >> 52) & 0x7ff) as i32;
    let (mantissa, exponent) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    if mantissa == 0 {
        return (BigInt::zero(), 0);
    }
    let zeros = mantissa.trailing_zeros();
    let magnitude = BigInt::from(mantissa >> zeros);
    (if x < 0.0 { -magnitude } else { magnitude }, exponent + zeros as i32)
}
