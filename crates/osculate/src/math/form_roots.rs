//! Exact roots in [0, 1] of a [form](super::form), and the signs of quadratic forms at them.
//!
//! Root intervals are cut at the same times as in [`sturm`](super::sturm), so that both give the
//! same brackets; the decisions at a cut are cheaper. Descartes' rule counts the roots in an
//! interval, and the discriminant where that is ambiguous. On which side of a time a root lies is a
//! sign of the form there or, at a double root, where that sign does not change, of the linear form
//! that vanishes at it. Signs are tried in f64 first.
//!
//! Decisions that need times of more than [`MAX_EXPONENT`](super::form::MAX_EXPONENT) binary places
//! are left to big integers.

use super::bernstein::{Bernstein, U};
use super::form::{
    Coefficient, Discriminant, Interval, Quadratic, changes, restrict, restrict_quadratic, shares_root,
    sign_at, strip, variations,
};
use super::wide::Wide;
use std::cell::Cell;

/// Maximum depth of cuts that separate roots: deeper cuts leave no room to bisect intervals later.
const MAX_CUT: u32 = 36;

/// Binary places of an interval that is considered close to its root.
const CLOSE: u32 = 46;

/// The location of a root: a point, or the only root in an open interval.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    interval: Interval,
    /// The shortest known interval around the root.
    close: Cell<Interval>,
    /// Whether the multiplicity is even.
    is_double: bool,
    /// The sign just below the root, of the form that changes sign there.
    below: i8,
}

impl Root {
    fn at(point: Interval) -> Root {
        Root { interval: point, close: Cell::new(point), is_double: false, below: 0 }
    }
}

/// The distinct roots in [0, 1] of a nonzero form.
pub(crate) struct Roots {
    /// The form without its roots at 0 and 1; the first `n_coefficients` count.
    f: [Coefficient; 4],
    n_coefficients: usize,
    approximate: [f64; 4],
    discriminant: Option<Discriminant>,
    /// Ascending.
    roots: Few<Root>,
}

/// Up to three items, as many as a cubic has roots.
struct Few<T> {
    items: [Option<T>; 3],
}

impl<T> Few<T> {
    fn new() -> Few<T> {
        Few { items: [None, None, None] }
    }

    fn push(&mut self, item: T) {
        if let Some(place) = self.items.iter_mut().find(|place| place.is_none()) {
            *place = Some(item);
        }
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().flatten()
    }
}

impl Roots {
    /// Isolates the roots of the form with these coefficients, not all zero. `None` if that needs
    /// too many cuts.
    pub(crate) fn of(c: &[Coefficient]) -> Option<Roots> {
        let stripped = strip(c);
        let mut f = [Wide::ZERO; 4];
        f[..stripped.len()].copy_from_slice(stripped);
        let mut roots = Roots {
            f,
            n_coefficients: stripped.len(),
            approximate: f.map(Wide::to_f64),
            discriminant: None,
            roots: Few::new(),
        };
        if c.first().is_some_and(Wide::is_zero) {
            roots.roots.push(Root::at(Interval { lo: 0, hi: 0, exponent: 0 }));
        }
        let v = variations(stripped);
        if 2 <= v {
            roots.discriminant = Some(Discriminant::new(stripped));
        }
        match roots.distinct(v) {
            0 => {}
            1 => roots.roots.push(roots.root_in(Interval::STEP)),
            _ => roots.isolate()?,
        }
        if c.last().is_some_and(Wide::is_zero) {
            roots.roots.push(Root::at(Interval { lo: 1, hi: 1, exponent: 0 }));
        }
        Some(roots)
    }

    /// The roots, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Root> {
        self.roots.iter()
    }

    /// The root in a shorter interval, on which most other polynomials have one sign.
    pub(crate) fn shortened(&self, root: &Root) -> Option<Root> {
        let mut root = root.clone();
        for _ in 0..16 {
            self.halve(&mut root)?;
        }
        root.close.set(root.interval);
        Some(root)
    }

    /// The sign of `h` at a root of this form.
    pub(crate) fn sign(&self, root: &Root, h: &Quadratic) -> Option<i8> {
        if root.interval.is_point() {
            return Some(sign_at_point(h, &root.interval));
        }
        let stripped = strip(h);
        let Some(first) = stripped.first() else { return Some(0) };
        if variations(stripped) == 0 {
            return Some(first.sign());
        }
        if let Some(sign) = approximate_sign_on(h, &root.close.get()) {
            return Some(sign);
        }
        // Close to the root, every sign is simple except those that vanish there.
        let mut close = Root { interval: root.close.get(), ..root.clone() };
        while close.interval.exponent < CLOSE && !close.interval.is_point() {
            self.halve(&mut close)?;
        }
        root.close.set(close.interval);
        let mut may_vanish = true;
        loop {
            if close.interval.is_point() {
                return Some(sign_at_point(h, &close.interval));
            }
            let restricted = restrict_quadratic(h, &close.interval);
            let c = strip(&restricted);
            if variations(c) == 0 {
                return Some(c.first().map_or(0, Wide::sign));
            }
            if may_vanish && shares_root(self.form(), stripped, &close.interval) {
                return Some(0);
            }
            // Not zero at the root, so not zero near it.
            may_vanish = false;
            self.halve(&mut close)?;
        }
    }

    /// The same root in an interval no wider than `width`, from 2^-52 to 1, as f64 rounded outward.
    pub(crate) fn bracket(&self, root: &Root, width: f64) -> Option<(f64, f64)> {
        let mut root = root.clone();
        loop {
            let Interval { lo, hi, exponent } = root.interval;
            let (lo, hi) = (on_grid(lo, exponent, false), on_grid(hi, exponent, true));
            if hi - lo <= width {
                return Some((lo, hi));
            }
            self.halve(&mut root)?;
        }
    }

    fn form(&self) -> &[Coefficient] {
        &self.f[..self.n_coefficients]
    }

    /// Bisects the interval of a root, unless it is a point.
    fn halve(&self, root: &mut Root) -> Option<()> {
        if !root.interval.is_point() {
            let (mut finer, middle) = root.interval.finer()?;
            let sign = self.sign_beside(root.is_double, middle, finer.exponent);
            if sign != root.below {
                finer.hi = middle;
            }
            if sign == 0 || sign == root.below {
                finer.lo = middle;
            }
            root.interval = finer;
        }
        Some(())
    }

    /// The sign at a time of the form that changes sign at a root: the form itself, or the linear
    /// form of its double root.
    fn sign_beside(&self, is_double: bool, at: u64, exponent: u32) -> i8 {
        match &self.discriminant {
            Some(discriminant) if is_double => sign_at::<12, 13>(&discriminant.double, at, exponent),
            _ => approximate_sign_at(&self.approximate[..self.n_coefficients], at, exponent)
                .unwrap_or_else(|| sign_at::<6, 9>(self.form(), at, exponent)),
        }
    }

    /// The number of distinct roots in an interval in which the form has this many variations.
    ///
    /// Descartes' rule is exact if all roots are real. If two are not, there is one root for an odd
    /// number of variations, and none for an even one. If two or three coincide, the interval
    /// contains all of them and possibly the other root: 2 variations are a double root alone.
    fn distinct(&self, variations: usize) -> usize {
        match &self.discriminant {
            Some(discriminant) if 2 <= variations => match discriminant.sign {
                1 => variations,
                0 if variations == 3 && !discriminant.double.iter().all(Wide::is_zero) => 2,
                0 => 1,
                _ => variations % 2,
            },
            _ => variations,
        }
    }

    /// The number of distinct roots strictly inside an interval.
    fn count(&self, interval: &Interval) -> usize {
        self.distinct(changes(&self.signs_on(interval)))
    }

    /// The only root in an interval.
    fn root_in(&self, interval: Interval) -> Root {
        let signs = self.signs_on(&interval);
        let is_double = changes(&signs).is_multiple_of(2);
        let below = if is_double {
            self.sign_beside(true, interval.lo, interval.exponent)
        } else {
            signs.into_iter().find(|&sign| sign != 0).unwrap_or(0)
        };
        Root { interval, close: Cell::new(interval), is_double, below }
    }

    /// The signs of the coefficients of the form re-parametrized from an interval to [0, 1].
    fn signs_on(&self, interval: &Interval) -> [i8; 4] {
        let mut signs = [0; 4];
        if *interval == Interval::STEP {
            signs.iter_mut().zip(self.form()).for_each(|(sign, c)| *sign = c.sign());
        } else if let Some(certified) = self.approximate_signs_on(interval) {
            signs = certified;
        } else {
            let restricted = restrict::<6, 9>(self.form(), interval);
            signs.iter_mut().zip(restricted.coefficients()).for_each(|(sign, c)| *sign = c.sign());
        }
        signs
    }

    /// The same for a cubic, if f64 certifies all four and none is zero.
    fn approximate_signs_on(&self, interval: &Interval) -> Option<[i8; 4]> {
        if self.n_coefficients != 4 || 52 < interval.exponent {
            return None;
        }
        let [c0, c1, c2, c3] = self.approximate;
        let c = [c0, c1 * (1.0 / 3.0), c2 * (1.0 / 3.0), c3];
        let largest = c.iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
        let (lo, hi) = interval.to_f64();
        // One rounding each of the coefficient, of one third, and of their product.
        let part = Bernstein { c, error: 3.1 * U * largest }.on(lo, hi);
        let mut signs = [0; 4];
        for (i, sign) in signs.iter_mut().enumerate() {
            let certified = part.sign_of(i);
            *sign = if certified.plus { 1 } else { certified.minus.then_some(-1)? };
        }
        Some(signs)
    }

    /// Separates several roots: bisects the step until each interval has one. A cut that hits a
    /// root makes it a point, and bisection restarts for the others without it.
    fn isolate(&mut self) -> Option<()> {
        let mut points: Few<Interval> = Few::new();
        let mut intervals = 'again: loop {
            let mut intervals = Few::new();
            // At most one of each length, and one more.
            let mut pending = vec![Interval::STEP];
            while let Some(interval) = pending.pop() {
                let known = points.iter().filter(|point| is_inside(point, &interval)).count();
                match self.count(&interval) - known {
                    0 => {}
                    1 => intervals.push(interval),
                    _ => {
                        let (finer, middle) =
                            interval.finer().filter(|(finer, _)| finer.exponent <= MAX_CUT)?;
                        let cut = Interval { lo: middle, hi: middle, ..finer };
                        let is_known = points.iter().any(|point| is_same(point, &cut));
                        if !is_known && self.sign_beside(false, middle, finer.exponent) == 0 {
                            points.push(cut);
                            continue 'again;
                        }
                        pending.push(Interval { lo: middle, ..finer });
                        pending.push(Interval { hi: middle, ..finer });
                    }
                }
            }
            break intervals;
        };
        // Shorten the intervals until no point lies inside one, so that the roots can be ordered.
        for interval in intervals.items.iter_mut().flatten() {
            for point in points.iter() {
                if is_inside(point, interval) {
                    let exponent = interval.exponent.max(point.exponent);
                    let (whole, point) = (interval.over(exponent), point.over(exponent));
                    let (below, above) =
                        (Interval { hi: point.lo, ..whole }, Interval { lo: point.lo, ..whole });
                    *interval = if self.count(&below) == 0 { above } else { below };
                }
            }
        }
        let mut all: Vec<Root> = points.iter().map(|point| Root::at(*point)).collect();
        all.extend(intervals.iter().map(|interval| self.root_in(*interval)));
        all.sort_by_key(|root| {
            let Interval { lo, hi, .. } = root.interval.over(super::form::MAX_EXPONENT);
            (lo, hi)
        });
        all.into_iter().for_each(|root| self.roots.push(root));
        Some(())
    }
}

fn sign_at_point(h: &Quadratic, point: &Interval) -> i8 {
    match (point.lo, point.exponent) {
        (0, _) => h[0].sign(),
        (1, 0) => h[2].sign(),
        (at, exponent) => sign_at::<4, 7>(h, at, exponent),
    }
}

fn is_inside(point: &Interval, interval: &Interval) -> bool {
    let exponent = point.exponent.max(interval.exponent);
    let (point, interval) = (point.over(exponent), interval.over(exponent));
    interval.lo < point.lo && point.lo < interval.hi
}

fn is_same(a: &Interval, b: &Interval) -> bool {
    let exponent = a.exponent.max(b.exponent);
    a.over(exponent) == b.over(exponent)
}

/// The sign of a form at a time of up to 53 binary places, from coefficients accurate to `1.01 u`,
/// if f64 can certify it.
///
/// A term passes at most seven roundings: one of its coefficient, and three multiplications and
/// additions. Each coefficient is zero or at least 1, and the time and its complement to one are
/// exact and at least 2^-53, so nothing underflows.
#[inline(always)]
fn approximate_sign_at(c: &[f64], at: u64, exponent: u32) -> Option<i8> {
    if 53 < exponent {
        return None;
    }
    let t = at as f64 * f64::from_bits(u64::from(1023 - exponent) << 52);
    let s = 1.0 - t;
    let (last, rest) = c.split_last()?;
    let (mut value, mut size, mut power) = (*last, last.abs(), 1.0);
    for c in rest.iter().rev() {
        power *= s;
        let term = c * power;
        (value, size) = (value * t + term, size * t + term.abs());
    }
    let error = 10.0 * U * size;
    if error < value { Some(1) } else { (value < -error).then_some(-1) }
}

/// The sign of a quadratic form on all of an interval, if its Bernstein coefficients prove one in
/// f64.
fn approximate_sign_on(h: &Quadratic, interval: &Interval) -> Option<i8> {
    if 52 < interval.exponent {
        return None;
    }
    let [c0, c1, c2] = h.each_ref().map(|c| c.to_f64());
    let c = [c0, 0.5 * c1, c2];
    let error = 1.01 * U * c[0].abs().max(c[1].abs()).max(c[2].abs());
    let (lo, hi) = interval.to_f64();
    let sign = Bernstein { c, error }.on(lo, hi).sign();
    if sign.plus { Some(1) } else { sign.minus.then_some(-1) }
}

/// The multiple of 2^-53 nearest to the time from below, or from above if `up`; each is an f64.
fn on_grid(at: u64, exponent: u32, up: bool) -> f64 {
    const GRID: u32 = 53;
    let scaled = if exponent <= GRID {
        at << (GRID - exponent)
    } else {
        let shift = exponent - GRID;
        let floor = at >> shift;
        floor + u64::from(up && floor << shift != at)
    };
    scaled as f64 / (1u64 << GRID) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{polynomial::Polynomial, sturm};
    use num_bigint::BigInt;
    use std::array::from_fn;

    /// Random words; the same sequence each time.
    struct Words(u64);

    impl Words {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            self.0 ^ self.0 >> 29
        }

        /// An integer of at most this many bits, small or as large as can be in many cases.
        fn integer(&mut self, bits: u32) -> i128 {
            let any = (u128::from(self.next()) << 64 | u128::from(self.next())) >> (128 - bits);
            let x = match self.next() % 4 {
                0 => any % 8,
                1 => (1 << bits) - 1,
                _ => any,
            };
            if self.next() & 1 == 0 { x.cast_signed() } else { -x.cast_signed() }
        }

        /// A linear form, often with a root in (0, 1), and often one of the few in `pool`.
        fn factor(&mut self, bits: u32, pool: &[[i128; 2]]) -> [i128; 2] {
            match self.next() % 3 {
                0 => pool[(self.next() % pool.len() as u64) as usize],
                1 => [self.integer(bits), self.integer(bits)],
                _ => [self.integer(bits).abs(), -self.integer(bits).abs()],
            }
        }
    }

    fn product<const A: usize, const B: usize>(a: &[Wide<A>], [b0, b1]: [i128; 2]) -> Vec<Wide<B>> {
        let [b0, b1]: [Wide<2>; 2] = [b0.into(), b1.into()];
        let mut product = vec![Wide::ZERO; a.len() + 1];
        for (i, a) in a.iter().enumerate() {
            product[i] = product[i] + Wide::product(a, &b0);
            product[i + 1] = product[i + 1] + Wide::product(a, &b1);
        }
        product
    }

    /// The form as a polynomial in powers of t.
    fn polynomial<const N: usize>(c: &[Wide<N>]) -> Polynomial {
        let linear = |c: [i32; 2]| Polynomial::new(c.map(BigInt::from).to_vec());
        let (t, rest) = (linear([0, 1]), linear([1, -1]));
        let degree = c.len() - 1;
        let terms = c.iter().enumerate().map(|(i, c)| {
            let factors = std::iter::repeat_n(&t, i).chain(std::iter::repeat_n(&rest, degree - i));
            factors.fold(Polynomial::new(vec![c.to_big()]), |term, factor| &term * factor)
        });
        terms.fold(Polynomial::new(Vec::new()), |sum, term| &sum + &term)
    }

    /// Products of linear factors, some of them shared, with coefficients as wide as they may be:
    /// roots, brackets and signs as counting finds them.
    #[test]
    fn agrees_with_counting() {
        let mut words = Words(3);
        let one: Wide<2> = Wide::from(1);
        let (mut n_compared, mut n_zero) = (0, 0);
        for round in 0..10_000 {
            let bits = [3, 20, 60, 119, 120][round % 5];
            let pool: [[i128; 2]; 3] = [
                [1, -1],
                from_fn(|_| words.integer(bits)),
                [words.integer(bits).abs(), -words.integer(bits).abs()],
            ];
            let linear: Vec<Wide<2>> = product(&[one], words.factor(bits, &pool));
            let quadratic: Vec<Wide<4>> = product(&linear, words.factor(bits, &pool));
            let cubic: Vec<Wide<6>> = product(&quadratic, words.factor(bits, &pool));
            let f: Vec<Wide<6>> = match words.next() % 4 {
                0 => quadratic.iter().map(Wide::resize).collect(),
                1 => cubic.iter().map(|c| *c + Wide::<2>::from(words.integer(3)).resize()).collect(),
                _ => cubic,
            };
            if f.iter().all(Wide::is_zero) {
                continue;
            }
            let linear: Vec<Wide<2>> = product(&[one], words.factor(bits, &pool));
            let h: Vec<Wide<4>> = product(&linear, words.factor(bits, &pool));
            let h = [h[0], h[1], h[2]];
            let Some(roots) = Roots::of(&f) else { continue };
            let (counted, h_counted) = (sturm::Roots::of(&polynomial(&f)), polynomial(&h));
            assert_eq!(roots.iter().count(), counted.iter().count(), "{f:?}");
            for (root, counted_root) in roots.iter().zip(counted.iter()) {
                let Some(root) = roots.shortened(root) else { continue };
                for width in [1.0, 1e-6, f64::EPSILON] {
                    if let Some(bracket) = roots.bracket(&root, width) {
                        assert_eq!(bracket, counted.bracket(counted_root, width), "{f:?}");
                    }
                }
                if let Some(sign) = roots.sign(&root, &h) {
                    assert_eq!(sign, counted.sign(counted_root, &h_counted), "{f:?} {h:?}");
                    n_compared += 1;
                    n_zero += usize::from(sign == 0);
                }
            }
        }
        assert!(3_000 < n_compared && 500 < n_zero, "{n_compared}, {n_zero}");
    }
}
