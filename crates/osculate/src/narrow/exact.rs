//! The exact decision, in integers: every case the filter cannot prove, and every degenerate one (methods 8.4).
//!
//! The 24 coordinates are scaled by one power of two to integers. The features can only touch at a root of the coplanarity cubic:
//!
//! * where the normal `n = E x F` does not vanish, projecting along an axis with `n_k != 0` is injective on the common plane, and
//!   the 2-D signs decide;
//! * where it vanishes, the triangle is the union of its edges, and two parallel (or zero-length) edges that meet have
//!   an end of one on the other: so the features touch iff some point is on some segment;
//! * if the cubic is identically zero, the features are coplanar throughout. Either they touch at t = 0, or the first contact is the first
//!   time at which some point comes to lie on some segment.

use super::features::Ends;
use super::{Kind, Outcome};
use crate::math::dyadic::Dyadic;
use crate::math::integer::IntegerPoints;
use crate::math::polynomial::Polynomial;
use crate::math::sturm::Roots;

/// A point's coordinates as polynomials in t.
type Point = [Polynomial; 3];

/// Decides a query exactly, for any finite coordinates.
pub(super) fn decide(kind: Kind, points: &[Ends<f64>; 4], time_width: f64) -> Outcome {
    let points = polynomials(points);
    let [d, e, f] = kind.features().frame.map(|(from, to)| sub(&points[to], &points[from]));
    let normal = cross(&e, &f);
    let cubic = dot(&d, &normal);
    if cubic.is_zero() {
        return decide_coplanar(kind, &points, &normal, time_width);
    }
    let roots = Roots::of(&cubic);
    for root in roots.iter() {
        if touch_at(kind, &points, &normal, |h| roots.sign(root, h)) {
            let (lo, hi) = roots.bracket(root, time_width);
            return Outcome::Hit { lo, hi };
        }
    }
    Outcome::Miss
}

/// Whether the features touch at an instant at which they are coplanar; `sign` evaluates a polynomial's sign there.
fn touch_at(kind: Kind, points: &[Point; 4], normal: &Point, sign: impl Fn(&Polynomial) -> i8) -> bool {
    match (0..3).find(|&axis| sign(&normal[axis]) != 0) {
        Some(axis) => kind.touches(kind.features().sides.map(|corners| sign(&side(points, corners, axis)))),
        None => kind.features().on_segment.iter().any(|&segment| {
            let (line, between) = on_segment(points, segment);
            line.iter().all(|w| sign(w) == 0) && sign(&between) <= 0
        }),
    }
}

/// The case of a cubic that is identically zero.
fn decide_coplanar(kind: Kind, points: &[Point; 4], normal: &Point, time_width: f64) -> Outcome {
    let start = Dyadic::zero();
    if touch_at(kind, points, normal, |h| h.sign_at(&start)) {
        return Outcome::Hit { lo: 0.0, hi: 0.0 };
    }
    // The first contact is the earliest of these times. The smallest lower end and the smallest upper end enclose it, and are
    // no farther apart than the bracket that has the smallest lower end.
    let brackets =
        kind.features().on_segment.iter().filter_map(|&s| first_time_on_segment(points, s, time_width));
    match brackets.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))) {
        Some((lo, hi)) => Outcome::Hit { lo, hi },
        None => Outcome::Miss,
    }
}

/// The first t in [0, 1] at which point p lies on the closed segment ab, given that it does not at t = 0.
fn first_time_on_segment(
    points: &[Point; 4],
    segment: (usize, usize, usize),
    width: f64,
) -> Option<(f64, f64)> {
    let (line, between) = on_segment(points, segment);
    let Some(w) = line.iter().find(|w| !w.is_zero()) else {
        // Always on the line: the first time between the ends. `between` is positive at t = 0.
        let roots = Roots::of(&between);
        return roots.iter().next().map(|root| roots.bracket(root, width));
    };
    let roots = Roots::of(w);
    let first = roots
        .iter()
        .find(|root| line.iter().all(|w| roots.sign(root, w) == 0) && roots.sign(root, &between) <= 0)?;
    Some(roots.bracket(first, width))
}

/// `w = (p - a) x (b - a)`, zero iff p is on the line ab (or a = b), and `s = (p - a).(p - b)`, which is then at most zero iff
/// p is on the closed segment. Right for a = b too: then `s = |p - a|^2`.
fn on_segment(points: &[Point; 4], (p, a, b): (usize, usize, usize)) -> (Point, Polynomial) {
    let (pa, pb, ba) =
        (sub(&points[p], &points[a]), sub(&points[p], &points[b]), sub(&points[b], &points[a]));
    (cross(&pa, &ba), dot(&pa, &pb))
}

/// The orientation of methods 1.6; see [`features::side`](super::features::side).
fn side(points: &[Point; 4], (x, y, z): (usize, usize, usize), axis: usize) -> Polynomial {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (a, b) = (sub(&points[y], &points[x]), sub(&points[z], &points[x]));
    &(&a[i] * &b[j]) - &(&a[j] * &b[i])
}

fn polynomials(points: &[Ends<f64>; 4]) -> [Point; 4] {
    let ends: [&[f64; 3]; 8] = std::array::from_fn(|i| &points[i / 2][i % 2]);
    let ends = IntegerPoints::new(ends).big();
    std::array::from_fn(|k| {
        let (t0, t1) = (&ends[2 * k], &ends[2 * k + 1]);
        std::array::from_fn(|axis| Polynomial::new(vec![t0[axis].clone(), &t1[axis] - &t0[axis]]))
    })
}

fn sub(a: &Point, b: &Point) -> Point {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn cross(a: &Point, b: &Point) -> Point {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &(&a[i] * &b[j]) - &(&a[j] * &b[i])
    })
}

fn dot(a: &Point, b: &Point) -> Polynomial {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}
