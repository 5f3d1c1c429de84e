//! Minimum separation: whether two features come within a distance d > 0 of each other.
//!
//! Which pairs do is defined by the pair alone, and so is the answer here. It is proven, in one of
//! three ways:
//!
//! * **Miss**: a direction, which may turn during the step, along which the features are more than
//!   d apart at every time. Along a unit vector n, they are at least as far apart as the least of
//!   `n.g` over the vectors g from a point of the second feature to a point of the first. These are
//!   linear in t. So if n is constant, both ends of an interval decide; if it is the mean
//!   `(1 - s) n0 + s n1` of two unit vectors, which is no longer than one, `n.g` is quadratic, and
//!   its three Bernstein coefficients `n0.g0`, `(n0.g1 + n1.g0) / 2` and `n1.g1` decide.
//! * **Hit**: two points of the features at most `(1 + SLACK) d` apart at a time before which the
//!   features are proven to be more than d apart.
//! * [exactly](exact), whether they come within d, where rounding leaves it open.
//!
//! Each hit is within `(1 + SLACK) d`, so bounds that are enlarged by as much ([`reach`]) lose
//! none. This is why all complete methods agree.
//!
//! The directions are those of closest points. At a time at which the features are farther apart
//! than that, the direction proves an interval that ends where they may be d apart along it, as by
//! Newton's method: conservative advancement, but features that slide past each other, or move
//! away, need no steps. Longer intervals are tried with a direction that turns. A search that takes
//! many steps, as features that rotate at a distance of about d may need, is left to exact
//! arithmetic.
//!
//! Everything is relative to the moving point 0 of the query, so that common motion does not count.

pub(super) mod exact;

use super::closest::{Relative, closest};
use super::features::Ends;
use super::filter::Proof;
use super::{Kind, Outcome};
use crate::math::bernstein::{FILTER_RANGE, U};
use crate::math::real::Real;
use crate::math::vector::{dot, minus};

/// Maximum relative excess over d of a reported distance. A smaller value reports fewer pairs just
/// out of reach, and needs more steps.
const SLACK: f64 = 1.0 / 64.0;

/// The least separation for which [`at_ends`] is valid: no square of a length that matters
/// underflows.
pub(super) const LEAST: f64 = 1e-100;

/// Maximum number of steps of the search.
const MAX_STEPS: u32 = 48;

/// The distance within which a pair may be a hit, rounded up; 0 for no separation.
#[must_use]
pub(crate) fn reach(separation: f64) -> f64 {
    if separation == 0.0 { 0.0 } else { (separation * (1.0 + SLACK)).next_up() }
}

/// What distances are compared with, and how far computed ones may be off.
#[derive(Clone, Copy)]
struct Limits<R> {
    /// Features that are farther apart than this along a unit vector are more than d apart.
    beyond: R,
    /// Points that are closer than this are at most `(1 + SLACK) d` apart.
    within: R,
}

/// The points of a query relative to point 0 at both ends of the step, each rounded once.
type Motion<R> = [Relative<R>; 2];

#[inline(always)]
fn motion<R: Real>([a, b, c, d]: &[Ends<R>; 4]) -> Motion<R> {
    [relative([a[0], b[0], c[0], d[0]]), relative([a[1], b[1], c[1], d[1]])]
}

#[inline(always)]
fn relative<R: Real>([a, b, c, d]: [[R; 3]; 4]) -> Relative<R> {
    [minus(b, a), minus(c, a), minus(d, a)]
}

/// The largest coordinate.
#[inline(always)]
fn largest<R: Real>(of: &[Relative<R>]) -> R {
    let mut largest = of[0][0][0].constant(0.0);
    for points in of {
        for point in points {
            largest = largest.max(point[0].abs().max(point[1].abs()).max(point[2].abs()));
        }
    }
    largest
}

impl<R: Real> Limits<R> {
    /// With M the largest coordinate of the relative points and u = 2^-53: a coordinate at a time t
    /// is off by at most 4 u M, as the difference rounds once, and `(1 - t) a + t b` four times. A
    /// vector g between the features is then off by 10 u M on each axis, 18 u M in length, and the
    /// product with a unit vector rounds three times, by at most 11 u M. A gap of closest points is
    /// off by at most 20 u M on each axis, 35 u M in length. 64 u M exceeds all of them. Lengths
    /// of vectors, and unit vectors, are off by a factor of at most 1 + 4 u.
    #[inline(always)]
    fn new(largest: R, separation: f64) -> Limits<R> {
        let error = largest * (64.0 * U);
        Limits {
            beyond: error + largest.constant(separation * (1.0 + 16.0 * U) + f64::MIN_POSITIVE),
            within: largest.constant(separation * ((1.0 + SLACK) * (1.0 - 16.0 * U))) - error,
        }
    }
}

/// The features at a time.
#[derive(Clone, Copy)]
struct Look<R> {
    /// The unit vector of the closest points, from the second feature to the first; zero if they
    /// coincide.
    direction: [R; 3],
    /// The distance of these points.
    distance: R,
    /// The vectors from each point of the second feature to each of the first; the last one is
    /// repeated if there are only three.
    gaps: [[R; 3]; 4],
}

impl<R: Real> Look<R> {
    #[inline(always)]
    fn new(kind: Kind, points: &Relative<R>) -> Look<R> {
        let closest = closest(kind, points);
        let distance = closest.squared.sqrt();
        let (zero, one) = (distance.constant(0.0), distance.constant(1.0));
        let length = dot(closest.normal, closest.normal).sqrt();
        let is_positive = zero.lt(length);
        let inverse = R::select(is_positive, one, zero) / R::select(is_positive, length, one);
        let [x, y, z] = closest.normal;
        let [a, b, c] = *points;
        let origin = [zero; 3];
        let gaps = match kind {
            Kind::VertexFace => [minus(origin, a), minus(origin, b), minus(origin, c), minus(origin, c)],
            Kind::EdgeEdge => [minus(origin, b), minus(origin, c), minus(a, b), minus(a, c)],
        };
        Look { direction: [x * inverse, y * inverse, z * inverse], distance, gaps }
    }

    /// The least distance of the features along a direction.
    #[inline(always)]
    fn along(&self, direction: [R; 3]) -> R {
        let [a, b, c, d] = self.gaps;
        dot(direction, a).min(dot(direction, b)).min(dot(direction, c).min(dot(direction, d)))
    }

    /// Whether the features are proven more than d apart at every time between two.
    #[inline(always)]
    fn is_apart_until(&self, other: &Look<R>, limits: &Limits<R>) -> R::Mask {
        let (m, n) = (self.direction, other.direction);
        let (start, end) = (limits.beyond.lt(self.along(m)), limits.beyond.lt(other.along(n)));
        let constant = start & limits.beyond.lt(other.along(m));
        let backward = end & limits.beyond.lt(self.along(n));
        let mut least = dot(m, other.gaps[0]) + dot(n, self.gaps[0]);
        for k in 1..4 {
            least = least.min(dot(m, other.gaps[k]) + dot(n, self.gaps[k]));
        }
        let least = least * 0.5;
        constant | backward | (start & end & limits.beyond.lt(least))
    }
}

/// Decides, without branches, features that are apart along a direction throughout the step, and
/// those that are within reach at its start; for coordinates in the range of the filters, and a
/// separation of at least [`LEAST`]. A pair that is a hit after `until` may count as a miss.
#[inline(always)]
pub(super) fn at_ends<R: Real>(kind: Kind, points: &[Ends<R>; 4], separation: f64, until: f64) -> Proof<R> {
    let motion = motion(points);
    let limits = Limits::new(largest(&motion), separation);
    let (start, end) = (Look::new(kind, &motion[0]), Look::new(kind, &motion[1]));
    let zero = limits.within.constant(0.0);
    let hit = start.distance.lt(limits.within);
    let mut miss = start.is_apart_until(&end, &limits);
    if until < 1.0 {
        // Out of reach until then: a hit is a time at which they are within reach, which may be
        // before they are within d. Along the direction at the start, no gap at `until` is shorter
        // than the mean of the shortest ones at the ends; three more roundings are within the error
        // bound.
        let out_of_reach = limits.beyond + zero.constant(separation * SLACK * (1.0 + 16.0 * U));
        let (here, there) = (start.along(start.direction), end.along(start.direction));
        let then = here * (1.0 - until) + there * until;
        miss = miss | (out_of_reach.lt(here) & out_of_reach.lt(then));
    }
    Proof { miss, hit, lo: zero, hi: zero }
}

/// The same for features at rest.
#[inline(always)]
pub(super) fn at_rest<R: Real>(kind: Kind, points: [[R; 3]; 4], separation: f64) -> Proof<R> {
    let relative = relative(points);
    let limits = Limits::new(largest(&[relative]), separation);
    let start = Look::new(kind, &relative);
    let zero = limits.within.constant(0.0);
    let miss = limits.beyond.lt(start.along(start.direction));
    Proof { miss, hit: start.distance.lt(limits.within), lo: zero, hi: zero }
}

/// Decides whether the features come within `separation > 0` of each other, as described above, for
/// any finite coordinates. A pair that is a hit after `until` may count as a miss. `contact`
/// decides whether they touch, and when. Returns also whether exact arithmetic was needed.
pub(super) fn decide(
    kind: Kind,
    points: &[Ends<f64>; 4],
    separation: f64,
    time_width: f64,
    until: f64,
    contact: impl FnOnce() -> Outcome,
) -> (Outcome, bool) {
    match search(kind, points, separation, until) {
        Found::Proven(outcome) => (outcome, false),
        Found::Open { from } => {
            // They are more than d apart before `from`, and if they touch, they come within d.
            let outcome = match contact() {
                Outcome::Hit { hi, .. } if hi - from <= time_width => Outcome::Hit { lo: from, hi },
                _ => exact::decide(kind, points, separation, time_width),
            };
            (outcome, true)
        }
    }
}

/// What a search in f64 found.
enum Found {
    Proven(Outcome),
    /// The features are more than d apart before this time; the rest is open.
    Open {
        from: f64,
    },
}

/// The same in f64.
fn search(kind: Kind, points: &[Ends<f64>; 4], separation: f64, until: f64) -> Found {
    let Some((motion, separation)) = scaled(points, separation) else { return Found::Open { from: 0.0 } };
    let limits = Limits::new(largest(&motion), separation);
    let look = |t: f64| {
        let at = |k: usize, i: usize| (1.0 - t) * motion[0][k][i] + t * motion[1][k][i];
        Look::new(kind, &[0, 1, 2].map(|k| [0, 1, 2].map(|i| at(k, i))))
    };
    let end = look(1.0);
    let (mut t, mut here) = (0.0, look(0.0));
    let mut width = 0.5;
    for _ in 0..MAX_STEPS {
        if until < t {
            return Found::Proven(Outcome::Miss);
        }
        if here.is_apart_until(&end, &limits) {
            return Found::Proven(Outcome::Miss);
        }
        if here.distance < limits.within {
            return Found::Proven(Outcome::Hit { lo: t, hi: t });
        }
        let Some((next, there)) = advance(&here, &end, t, &limits, look) else { break };
        let far = t + width;
        let at_far = (next < far && far < 1.0).then(|| look(far));
        match at_far.filter(|at_far| here.is_apart_until(at_far, &limits)) {
            Some(at_far) => {
                (t, here) = (far, at_far);
                width *= 2.0;
            }
            None => {
                width = (0.25 * width).max(2.0 * (next - t));
                (t, here) = (next, there);
            }
        }
    }
    Found::Open { from: t }
}

/// The latest time, about, until which the direction of the features at t proves that they are more
/// than d apart, and the features then; `None` if it proves no progress.
///
/// Along the direction, each gap is linear in t; the first to reach d ends the interval. That it is
/// proven is checked at its end, and does not depend on how that was found.
fn advance(
    here: &Look<f64>,
    end: &Look<f64>,
    t: f64,
    limits: &Limits<f64>,
    look: impl Fn(f64) -> Look<f64>,
) -> Option<(f64, Look<f64>)> {
    // Slightly farther than needed, by as much as a distance may be off.
    let target = limits.beyond * (1.0 + 16.0 * U) + (limits.beyond - limits.within).abs() * (1.0 / 1024.0);
    let mut fraction = 1.0_f64;
    for k in 0..4 {
        let (from, to) = (dot(here.direction, here.gaps[k]), dot(here.direction, end.gaps[k]));
        if to < target {
            fraction = fraction.min((from - target) / (from - to));
        }
    }
    let next = t + (1.0 - t) * fraction;
    if next <= t || fraction.is_nan() {
        return None;
    }
    let there = look(next);
    let is_proven = limits.beyond < here.along(here.direction) && limits.beyond < there.along(here.direction);
    is_proven.then_some((next, there))
}

/// The relative motion and the separation, scaled by a power of two to a largest coordinate of
/// about one; `None` for coordinates of which too many digits would be lost.
fn scaled(points: &[Ends<f64>; 4], separation: f64) -> Option<(Motion<f64>, f64)> {
    let largest_given = points.as_flattened().as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    // Halves of any two numbers have a finite difference.
    let half = if largest_given <= FILTER_RANGE { 1.0 } else { 0.5 };
    let motion = motion(&points.map(|p| p.map(|end| end.map(|x| x * half))));
    let largest = largest(&motion);
    if half < 1.0 && largest < 1.0 / FILTER_RANGE {
        // Halves of subnormal numbers may not be exact.
        return None;
    }
    // 2^-e for a largest coordinate of 2^e or more, as far as both are normal numbers.
    let scale = f64::from_bits((2046 - (largest.to_bits() >> 52).clamp(1, 2045)) << 52);
    let separation = separation * half * scale;
    let motion = motion.map(|points| points.map(|p| p.map(|x| x * scale)));
    Some((motion, separation))
}

#[cfg(test)]
mod tests;
