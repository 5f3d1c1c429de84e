//! The exact decision, in integers: every query the filter cannot decide, and every degenerate
//! case.
//!
//! The 24 coordinates are scaled by one power of two to integers. The features can only touch at a
//! root of the coplanarity cubic:
//!
//! * where the normal `n = E x F` does not vanish, projecting along an axis with `n_k != 0` is
//!   injective on the common plane, and the 2-D signs decide;
//! * where it vanishes, the triangle is the union of its edges, and two parallel (or zero-length)
//!   edges that meet have an end of one on the other: so the features touch iff some point is on
//!   some segment;
//! * if the cubic is identically zero, the features are coplanar throughout. Either they touch at
//!   t = 0, or the first contact is the first time at which some point comes to lie on some
//!   segment.
//!
//! The decision is written once, for any [`Arithmetic`]. Fixed-width integers ([`wide`]) nearly
//! always suffice; big integers ([`big`]) handle coordinates of very different magnitude and roots
//! that are very close.

mod big;
mod wide;

use super::features::{self, Ends, Span};
use super::{Kind, Outcome};
use crate::math::form::variations;

/// The polynomials in t of a query, and their signs at roots of others. `None` means that this
/// arithmetic cannot decide.
trait Arithmetic: Sized {
    /// A polynomial of degree 2.
    type Quadratic;
    /// The distinct roots in [0, 1] of a polynomial.
    type Roots;
    /// A root.
    type Root;

    fn new(points: &[Ends<f64>; 4]) -> Option<Self>;

    /// Component `axis` of the cross product of two spans.
    fn cross(&self, a: Span, b: Span, axis: usize) -> Self::Quadratic;
    fn dot(&self, a: Span, b: Span) -> Self::Quadratic;

    fn is_zero(q: &Self::Quadratic) -> bool;
    /// The sign at t = 0.
    fn sign_at_start(q: &Self::Quadratic) -> i8;

    /// The roots of the cubic `d . normal`; the inner `None` if it is identically zero.
    fn roots_of_cubic(&self, d: Span, normal: &[Self::Quadratic; 3]) -> Option<Option<Self::Roots>>;
    /// The roots of a nonzero quadratic.
    fn roots(q: &Self::Quadratic) -> Option<Self::Roots>;
    /// The first root, ascending, for which the test holds.
    fn find(roots: &Self::Roots, test: impl FnMut(&Self::Root) -> Option<bool>)
    -> Option<Option<Self::Root>>;
    fn sign(roots: &Self::Roots, root: &Self::Root, h: &Self::Quadratic) -> Option<i8>;
    /// An interval no wider than `width` around the root, rounded outward.
    fn bracket(roots: &Self::Roots, root: &Self::Root, width: f64) -> Option<(f64, f64)>;
}

/// Decides a query exactly, for any finite coordinates.
pub(super) fn decide(kind: Kind, points: &[Ends<f64>; 4], time_width: f64) -> Outcome {
    decide_in_words(kind, points, time_width)
        .unwrap_or_else(|| decide_in_big_integers(kind, points, time_width))
}

/// The exact decision in fixed-width integers, if they suffice.
pub(super) fn decide_in_words(kind: Kind, points: &[Ends<f64>; 4], time_width: f64) -> Option<Outcome> {
    decide_in::<wide::Wide>(kind, points, time_width)
}

/// Returns the contact of features that touch at t = 0, or that touch at t = 1 and whose points are
/// never coplanar in between; `None` decides nothing. The result equals that of [`decide`], but is
/// cheaper.
///
/// No filter is needed before this: the cubic vanishes at the time of contact and has one sign in
/// between, so no filter could prove anything else.
pub(super) fn decide_at_ends(kind: Kind, points: &[Ends<f64>; 4]) -> Option<Outcome> {
    let meet = [0, 1].map(|end| features::boxes_meet(kind, points, end));
    if meet == [false, false] {
        return None;
    }
    let a = wide::Wide::new(points)?;
    let [d, e, f] = kind.features().frame;
    let normal = [0, 1, 2].map(|axis| a.cross(e, f, axis));
    let cubic = a.cubic(d, &normal);
    let touch_at = |end: usize| touch_at(kind, &a, &normal, |h| Some(h[2 * end].sign())) == Some(true);
    if meet[0] && cubic[0].is_zero() && touch_at(0) {
        return Some(Outcome::Hit { lo: 0.0, hi: 0.0 });
    }
    let is_plane_never_crossed = variations(&cubic) == 0 && cubic.iter().any(|c| !c.is_zero());
    (meet[1] && cubic[3].is_zero() && is_plane_never_crossed && touch_at(1))
        .then_some(Outcome::Hit { lo: 1.0, hi: 1.0 })
}

/// The exact decision in big integers.
#[cold]
pub(super) fn decide_in_big_integers(kind: Kind, points: &[Ends<f64>; 4], time_width: f64) -> Outcome {
    // Big integers always decide.
    decide_in::<big::Big>(kind, points, time_width).unwrap_or(Outcome::Miss)
}

fn decide_in<A: Arithmetic>(kind: Kind, points: &[Ends<f64>; 4], time_width: f64) -> Option<Outcome> {
    let a = A::new(points)?;
    let [d, e, f] = kind.features().frame;
    let normal = [0, 1, 2].map(|axis| a.cross(e, f, axis));
    let Some(roots) = a.roots_of_cubic(d, &normal)? else {
        return decide_coplanar(kind, &a, &normal, time_width);
    };
    let contact = A::find(&roots, |root| touch_at(kind, &a, &normal, |h| A::sign(&roots, root, h)))?;
    Some(match contact {
        Some(root) => {
            let (lo, hi) = A::bracket(&roots, &root, time_width)?;
            Outcome::Hit { lo, hi }
        }
        None => Outcome::Miss,
    })
}

/// Whether the features touch at an instant at which they are coplanar; `sign` evaluates the sign
/// of a polynomial there.
fn touch_at<A: Arithmetic>(
    kind: Kind,
    a: &A,
    normal: &[A::Quadratic; 3],
    sign: impl Fn(&A::Quadratic) -> Option<i8>,
) -> Option<bool> {
    for (axis, component) in normal.iter().enumerate() {
        if sign(component)? != 0 {
            return kind.touches(|i| sign(&side(a, kind.features().sides[i], axis)));
        }
    }
    for &segment in kind.features().on_segment {
        if is_on_segment(a, segment, &sign)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether point p lies on the closed segment ab at an instant.
///
/// `w = (p - a) x (b - a)` is zero iff p is on the line ab (or a = b), and `s = (p - a).(p - b)` is
/// then at most zero iff p is on the closed segment. This holds for a = b too: then
/// `s = |p - a|^2`.
fn is_on_segment<A: Arithmetic>(
    arithmetic: &A,
    (p, a, b): (usize, usize, usize),
    sign: impl Fn(&A::Quadratic) -> Option<i8>,
) -> Option<bool> {
    for axis in 0..3 {
        if sign(&arithmetic.cross((a, p), (a, b), axis))? != 0 {
            return Some(false);
        }
    }
    Some(sign(&arithmetic.dot((a, p), (b, p)))? <= 0)
}

/// The case of a cubic that is identically zero.
fn decide_coplanar<A: Arithmetic>(
    kind: Kind,
    a: &A,
    normal: &[A::Quadratic; 3],
    time_width: f64,
) -> Option<Outcome> {
    if touch_at(kind, a, normal, |h| Some(A::sign_at_start(h)))? {
        return Some(Outcome::Hit { lo: 0.0, hi: 0.0 });
    }
    // The first contact is the earliest of these times. The smallest lower end and the smallest
    // upper end enclose it, and are at most as far apart as the bracket with the smallest lower
    // end.
    let mut first: Option<(f64, f64)> = None;
    for &segment in kind.features().on_segment {
        if let Some((lo, hi)) = first_time_on_segment(a, segment, time_width)? {
            first = Some(first.map_or((lo, hi), |first| (first.0.min(lo), first.1.min(hi))));
        }
    }
    Some(first.map_or(Outcome::Miss, |(lo, hi)| Outcome::Hit { lo, hi }))
}

/// The first t in [0, 1] at which point p lies on the closed segment ab, given that it does not at
/// t = 0.
fn first_time_on_segment<A: Arithmetic>(
    arithmetic: &A,
    segment: (usize, usize, usize),
    width: f64,
) -> Option<Option<(f64, f64)>> {
    let (p, a, b) = segment;
    let lines = [0, 1, 2].map(|axis| arithmetic.cross((a, p), (a, b), axis));
    let (roots, first) = match lines.iter().find(|w| !A::is_zero(w)) {
        Some(w) => {
            let roots = A::roots(w)?;
            let first =
                A::find(&roots, |root| is_on_segment(arithmetic, segment, |h| A::sign(&roots, root, h)))?;
            (roots, first)
        }
        // Always on the line: the first time between the ends. The dot product is positive at t
        // = 0.
        None => {
            let roots = A::roots(&arithmetic.dot((a, p), (b, p)))?;
            let first = A::find(&roots, |_| Some(true))?;
            (roots, first)
        }
    };
    match first {
        Some(root) => A::bracket(&roots, &root, width).map(Some),
        None => Some(None),
    }
}

/// The 2-D orientation; see [`features::side`](super::features::side).
fn side<A: Arithmetic>(a: &A, (x, y, z): (usize, usize, usize), axis: usize) -> A::Quadratic {
    a.cross((x, y), (x, z), axis)
}
