//! The f64 filter: certified signs on subintervals of the step, before any exact arithmetic.
//!
//! There are three proofs of "no contact" on an interval of t: the coplanarity cubic has one strict
//! sign; the moving boxes are separated on an axis; the features are separated in a projection
//! along an axis. There is one proof of contact: the cubic changes sign across the interval while
//! the features properly intersect in some projection throughout it.
//!
//! The classical filter bisects the step until a proof applies. Here an interval on which the cubic
//! provably has a single root is not bisected: the root is found numerically and enclosed, with
//! certified signs, in a bracket as narrow as requested. By the variation-diminishing property
//! nothing outside the bracket can be a contact, and on the narrow bracket one projection nearly
//! always decides. Only intervals with more than one possible root are bisected.

use super::features::{self, Ends, Ends2};
use super::{Kind, Outcome};
use crate::math::bernstein::{Bernstein, snap};
use crate::math::real::Real;
use crate::math::vector::cross;

/// Maximum bisection depth. Deeper recursion decided nothing more in trials.
const MAX_DEPTH: u32 = 8;

/// Steps of [`find_root`] in a vector. Chosen on the cloth step of `cargo xtask peers`: with 5
/// steps, three times as many queries are left to [`split`], with 12 slightly fewer, and both are
/// slower overall.
const ROOT_STEPS: u32 = 7;

/// The result of the filter; `None` leaves the query to exact arithmetic.
pub(super) type Verdict = Option<Outcome>;

/// What is proven about a part of the step, for one query or one per lane.
#[derive(Clone, Copy)]
pub(super) struct Proof<R: Real> {
    /// No contact in this part.
    pub(super) miss: R::Mask,
    /// A contact between `lo` and `hi`, and none in this part before `lo`.
    pub(super) hit: R::Mask,
    pub(super) lo: R,
    pub(super) hi: R,
}

impl Proof<f64> {
    pub(super) fn verdict(&self) -> Verdict {
        match (self.miss, self.hit) {
            (true, _) => Some(Outcome::Miss),
            (_, true) => Some(Outcome::Hit { lo: self.lo, hi: self.hi }),
            _ => None,
        }
    }
}

/// Where [`at_roots`] cuts the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cuts {
    /// Nowhere: for a cubic with one root, the common case.
    None,
    /// Where the derivative of the cubic vanishes, which separates its roots if there are several.
    Critical,
}

/// Decides, without branches, queries whose cubic has at most one root in each piece of the step,
/// if the projection along the largest component of the normal separates the features, or proves
/// that they intersect, at each root.
#[inline(always)]
pub(super) fn at_roots<R: Real>(
    kind: Kind,
    points: &[Ends<R>; 4],
    f: &Bernstein<4, R>,
    cuts: Cuts,
    time_width: f64,
) -> Proof<R> {
    let (zero, one) = (f.error.constant(0.0), f.error.constant(1.0));
    let (ends, n_pieces) = match cuts {
        Cuts::None => ([zero, one, one, one], 1),
        Cuts::Critical => {
            let (first, second) = critical_points(f);
            ([zero, first, second, one], 3)
        }
    };
    // Initially a miss: nothing is open or found.
    let mut proof = Proof { miss: zero.lt(one), hit: one.lt(zero), lo: zero, hi: zero };
    for i in 0..n_pieces {
        proof = proof.then(on_interval(kind, points, f, (ends[i], ends[i + 1]), time_width));
    }
    proof
}

impl<R: Real> Proof<R> {
    /// Combines the proofs of an interval and of the next one.
    #[inline(always)]
    fn then(self, next: Proof<R>) -> Proof<R> {
        Proof {
            miss: self.miss & next.miss,
            hit: self.hit | (self.miss & next.hit),
            lo: R::select(self.hit, self.lo, next.lo),
            hi: R::select(self.hit, self.hi, next.hi),
        }
    }
}

/// Decides an interval on which `f` has at most one root.
#[inline(always)]
fn on_interval<R: Real>(
    kind: Kind,
    points: &[Ends<R>; 4],
    f: &Bernstein<4, R>,
    (start, end): (R, R),
    time_width: f64,
) -> Proof<R> {
    let f_here = &f.on(start, end);
    let no_root = f_here.sign().is_known();
    let one_root = has_one_root(f_here);
    if !R::any(one_root) {
        return Proof { miss: no_root, hit: one_root, lo: start, hi: end };
    }
    let root = find_root(f, start, end, ROOT_STEPS);
    let half_width = root.constant(0.25 * time_width);
    let (lo, hi) = (snap(root - half_width).max(start), snap(root + half_width).min(end));
    let enclosed = f.sign_at(lo).agrees(f_here.sign_of(0)) & f.sign_at(hi).agrees(f_here.sign_of(3));
    // Snapping to the grid can make the narrowest brackets too wide.
    let narrow = (hi - lo).lt(root.constant(time_width.next_up()));
    let flat = project_along_normal(kind, points, root);
    let [w, x, y, z] = kind.features().sides;
    let relation = kind.relation([
        features::side(&flat, w).on(lo, hi).sign(),
        features::side(&flat, x).on(lo, hi).sign(),
        features::side(&flat, y).on(lo, hi).sign(),
        features::side(&flat, z).on(lo, hi).sign(),
    ]);
    let proven = one_root & enclosed & narrow;
    Proof { miss: no_root | (proven & relation.apart), hit: proven & relation.meet, lo, hi }
}

/// Whether the signs of the coefficients have exactly one variation: then `f` has exactly one root
/// in (0, 1), and it is simple.
///
/// The outer coefficients have opposite certified signs `-s` and `s`; the only pattern with more
/// than one variation has `s` at 1 and `-s` at 2, so excluding either suffices.
#[inline(always)]
fn has_one_root<R: Real>(f: &Bernstein<4, R>) -> R::Mask {
    let (first, last) = (f.sign_of(0), f.sign_of(3));
    first.opposes(last) & (f.sign_of(1).agrees(first) | f.sign_of(2).agrees(last))
}

/// Coefficients `a1, a2, a3` of the powers of t; the constant term is `c0`.
#[inline(always)]
fn powers<R: Real>(f: &Bernstein<4, R>) -> [R; 3] {
    let [c0, c1, c2, c3] = f.c;
    [(c1 - c0) * 3.0, ((c2 - c1) - (c1 - c0)) * 3.0, (c3 - c0) - (c2 - c1) * 3.0]
}

/// Roots of `f'` in (0, 1), ascending, on the grid of 2^-52; 0 and 1 where there are none. A
/// heuristic: any cuts are safe.
#[inline(always)]
fn critical_points<R: Real>(f: &Bernstein<4, R>) -> (R, R) {
    let [c0, c1, c2, c3] = f.c;
    let (d0, d1, d2) = (c1 - c0, c2 - c1, c3 - c2);
    // f' / 3 = d0 (1-t)^2 + 2 d1 t (1-t) + d2 t^2, so t / (1-t) is q / d2 or d0 / q with q = -d1 -+
    // root.
    let root = (d1 * d1 - d0 * d2).sqrt();
    let (zero, one) = (c0.constant(0.0), c0.constant(1.0));
    let q = R::select(d1.lt(zero), root - d1, -(root + d1));
    let (t, s) = (q / (q + d2), d0 / (d0 + q));
    let t = R::select(zero.lt(t) & t.lt(one), t, zero);
    let s = R::select(zero.lt(s) & s.lt(one), s, one);
    (snap(t.min(s)), snap(t.max(s)))
}

/// An approximation of the root of `f` in [start, end], where `f` changes sign. It proves nothing.
///
/// Newton's method from the secant's root, with bisection whenever a step would leave the shrinking
/// bracket. The number of steps is fixed: waiting for the slowest lane costs more than it saves.
#[inline(always)]
fn find_root<R: Real>(f: &Bernstein<4, R>, start: R, end: R, steps: u32) -> R {
    let [a1, a2, a3] = powers(f);
    let c0 = f.c[0];
    let zero = c0.constant(0.0);
    let (mut lo, mut hi) = (start, end);
    let (f_start, f_end) = (c0 + lo * (a1 + lo * (a2 + lo * a3)), c0 + hi * (a1 + hi * (a2 + hi * a3)));
    let rising = zero.lt(f_end);
    let mut t = lo + (hi - lo) * (f_start / (f_start - f_end));
    for _ in 0..steps {
        let value = c0 + t * (a1 + t * (a2 + t * a3));
        let slope = a1 + t * (a2 * 2.0 + t * (a3 * 3.0));
        let upward = zero.lt(R::select(rising, value, -value));
        hi = R::select(upward, t, hi);
        lo = R::select(upward, lo, t);
        let newton = t - value / slope;
        t = R::select(newton.lt(lo) | hi.lt(newton), (lo + hi) * 0.5, newton);
    }
    t
}

/// The points in the projection along the largest component of the plane normal at time `t`, where
/// the features are least distorted. A heuristic: any axis is safe.
#[inline(always)]
fn project_along_normal<R: Real>(kind: Kind, points: &[Ends<R>; 4], t: R) -> [Ends2<R>; 4] {
    let [_, e, f] = kind.features().frame;
    let n = cross(at(&features::span(points, e), t), at(&features::span(points, f), t));
    let [x, y, z] = [n[0].abs(), n[1].abs(), n[2].abs()];
    let (x_is_longer, z_is_longest) = (y.lt(x), x.max(y).lt(z));
    let mut flat = [features::project(&points[0], 0); 4];
    for k in 0..4 {
        let along = [
            features::project(&points[k], 0),
            features::project(&points[k], 1),
            features::project(&points[k], 2),
        ];
        for end in 0..2 {
            for i in 0..2 {
                let xy = R::select(x_is_longer, along[0][end][i], along[1][end][i]);
                flat[k][end][i] = R::select(z_is_longest, along[2][end][i], xy);
            }
        }
    }
    flat
}

#[inline(always)]
fn at<R: Real>(span: &Ends<R>, t: R) -> [R; 3] {
    let rest = t.constant(1.0) - t;
    [
        rest * span[0][0] + t * span[1][0],
        rest * span[0][1] + t * span[1][1],
        rest * span[0][2] + t * span[1][2],
    ]
}

/// Bisects the step, earlier half first, until each interval is proven free of contact or its
/// single root decides.
pub(super) fn split(kind: Kind, points: &[Ends<f64>; 4], time_width: f64) -> Verdict {
    let f = &features::cubic(kind, points);
    let flat: [[Ends2<f64>; 4]; 3] = std::array::from_fn(|axis| points.map(|p| features::project(&p, axis)));
    let sides = flat.map(|flat| kind.features().sides.map(|corners| features::side(&flat, corners)));
    // Pending intervals as (depth, index): [index / 2^depth, (index + 1) / 2^depth]. At most one
    // per depth, plus one.
    let mut pending = [(0u32, 0u32); MAX_DEPTH as usize + 2];
    let mut n_pending = 1;
    while 0 < n_pending {
        n_pending -= 1;
        let (depth, index) = pending[n_pending];
        let width = 1.0 / f64::from(1u32 << depth);
        let (lo, hi) = (f64::from(index) * width, f64::from(index + 1) * width);
        let f_here = f.on(lo, hi);
        if f_here.sign().is_known() || gaps_apart(kind, points, lo, hi) || relation(kind, &sides, lo, hi).0 {
            continue;
        }
        if has_one_root(&f_here) {
            match at_root(kind, &sides, f, (lo, hi), time_width) {
                Some(Outcome::Miss) => continue,
                verdict => return verdict,
            }
        }
        if depth == MAX_DEPTH {
            return None;
        }
        pending[n_pending] = (depth + 1, 2 * index + 1);
        pending[n_pending + 1] = (depth + 1, 2 * index);
        n_pending += 2;
    }
    Some(Outcome::Miss)
}

/// Whether the moving boxes are separated on some axis throughout the interval.
fn gaps_apart(kind: Kind, points: &[Ends<f64>; 4], lo: f64, hi: f64) -> bool {
    (0..3).any(|axis| {
        let signs =
            || kind.features().gaps.iter().map(|&pair| features::gap(points, pair, axis).on(lo, hi).sign());
        signs().all(|s| s.plus) || signs().all(|s| s.minus)
    })
}

/// Whether the features are separated, and whether they properly intersect, in some projection
/// throughout the interval.
fn relation(kind: Kind, sides: &[[Bernstein<3>; 4]; 3], lo: f64, hi: f64) -> (bool, bool) {
    let relations = sides.map(|s| kind.relation(s.map(|side| side.on(lo, hi).sign())));
    (relations.iter().any(|r| r.apart), relations.iter().any(|r| r.meet))
}

/// Decides the contact at the only root of `f` in [lo, hi], where `f` is known to have exactly one.
///
/// Opposite signs of `f` at its ends certify the bracket around the numerical root; it is at most
/// `time_width` wide, and is narrowed further if the projections do not decide there.
fn at_root(
    kind: Kind,
    sides: &[[Bernstein<3>; 4]; 3],
    f: &Bernstein<4>,
    (lo, hi): (f64, f64),
    time_width: f64,
) -> Verdict {
    let (sign_lo, sign_hi) = (f.sign_at(lo), f.sign_at(hi));
    let root = find_root(f, lo, hi, 2 * f64::MANTISSA_DIGITS);
    let mut half_width = 0.25 * time_width;
    for _ in 0..3 {
        let (lo, hi) = (snap(root - half_width).max(lo), snap(root + half_width).min(hi));
        let enclosed =
            f.sign_at(lo).agrees(sign_lo) && f.sign_at(hi).agrees(sign_hi) && sign_lo.opposes(sign_hi);
        if !enclosed || time_width < hi - lo {
            return None;
        }
        match relation(kind, sides, lo, hi) {
            (true, _) => return Some(Outcome::Miss),
            (_, true) => return Some(Outcome::Hit { lo, hi }),
            _ => half_width *= 1.0 / 1024.0,
        }
    }
    None
}
