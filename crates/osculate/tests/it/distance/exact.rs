//! Distances between features at an instant in exact arithmetic: a referee that shares no code with
//! the library.
//!
//! The closest points are inside of a part of each feature, a vertex, an edge or the face. For each
//! pair of parts the square of the distance is a fraction of integers, as are the conditions under
//! which the foot points are inside; the least fraction is the answer.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use osculate::MovingPoint;
use osculate::narrow::Kind;

type Vector = [BigInt; 3];

fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &a[i] * &b[j] - &a[j] * &b[i])
}

/// The unit of all integers here is 2^-SHIFT; f64 of ordinary size have no finer digits.
const SHIFT: u32 = 1200;

/// A number times 2^SHIFT.
fn integer(x: f64) -> BigInt {
    if x == 0.0 {
        return BigInt::zero();
    }
    let bits = x.abs().to_bits();
    let (field, fraction) = ((bits >> 52) as u32, bits & ((1 << 52) - 1));
    let mantissa = if field == 0 { fraction } else { fraction | (1 << 52) };
    let value = BigInt::from(mantissa) << (SHIFT - 1075 + field.max(1)) as usize;
    if x < 0.0 { -value } else { value }
}

/// The distance of two features: its square is `numerator / denominator`, in units of 2^(-2
/// SHIFT').
pub(crate) struct Distance {
    numerator: BigInt,
    denominator: BigInt,
    /// A vector from the second feature to the first, of any length.
    direction: Vector,
    /// Twice the exponent of the unit of lengths.
    unit: i64,
}

impl Distance {
    /// Compares the distance with a number.
    pub(crate) fn is_at_most(&self, other: f64) -> bool {
        // d^2 = n / (m 2^unit), and other^2 = integer^2 / 2^(2 SHIFT).
        let other = integer(other);
        let shift = i64::from(2 * SHIFT) - self.unit;
        let right = &other * &other * &self.denominator;
        if shift < 0 {
            self.numerator <= right << shift.unsigned_abs()
        } else {
            &self.numerator << shift.unsigned_abs() <= right
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The unit vector from the second feature to the first, in f64; zero if they touch.
    pub(crate) fn direction(&self) -> [f64; 3] {
        if self.is_zero() {
            return [0.0; 3];
        }
        let bits = self.direction.iter().map(BigInt::bits).max().unwrap_or(0);
        let shift = bits.saturating_sub(1000);
        let v = self.direction.each_ref().map(|x| {
            let shifted: BigInt = x >> shift as usize;
            shifted.to_string().parse::<f64>().unwrap()
        });
        let largest = v.iter().fold(f64::MIN_POSITIVE, |m: f64, x| m.max(x.abs()));
        let v = v.map(|x| x / largest);
        let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        v.map(|x| if length == 0.0 { 0.0 } else { x / length })
    }
}

/// The positions at time t, in units of `2^(-SHIFT - 60)`.
fn positions(points: &[MovingPoint; 4], t: f64) -> [Vector; 4] {
    // t on the grid of 2^-1100 has digits enough for any t here.
    let one = BigInt::from(1) << SHIFT as usize;
    let t = integer(t);
    points.map(|p| std::array::from_fn(|i| (&one - &t) * integer(p.t0[i]) + &t * integer(p.t1[i])))
}

/// The distance of two features at time t.
pub(crate) fn distance(kind: Kind, points: &[MovingPoint; 4], t: f64) -> Distance {
    let [mut p, mut q, mut r, mut s] = positions(points, t);
    // Common trailing zeros are dropped, for speed.
    let zeros = [&p, &q, &r, &s].into_iter().flatten().filter_map(BigInt::trailing_zeros).min().unwrap_or(0);
    for point in [&mut p, &mut q, &mut r, &mut s] {
        point.iter_mut().for_each(|x| *x >>= zeros as usize);
    }
    let unit = 2 * (i64::from(2 * SHIFT) - zeros as i64);
    let mut best: Option<Distance> = None;
    let mut offer = |numerator: BigInt, denominator: BigInt, direction: Vector| {
        let is_less = best.as_ref().is_none_or(|b| &numerator * &b.denominator < &b.numerator * &denominator);
        if is_less {
            best = Some(Distance { numerator, denominator, direction, unit });
        }
    };
    let negated = |v: &Vector| v.each_ref().map(|x| -x);
    // Vertices with vertices, and with the insides of edges; `sign` if the vertex is of the second
    // feature.
    let mut vertex_edge = |p: &Vector, a: &Vector, b: &Vector, is_second: bool| {
        let (w, e) = (sub(p, a), sub(b, a));
        let turned = |v: Vector| if is_second { negated(&v) } else { v };
        for end in [a, b] {
            let g = sub(p, end);
            offer(dot(&g, &g), BigInt::from(1), turned(g));
        }
        let (along, length) = (dot(&w, &e), dot(&e, &e));
        if along.is_positive() && along < length {
            let across = cross(&w, &e);
            let foot: Vector = std::array::from_fn(|i| &w[i] * &length - &e[i] * &along);
            offer(dot(&across, &across), length, turned(foot));
        }
    };
    match kind {
        Kind::VertexFace => {
            for (a, b) in [(&q, &r), (&r, &s), (&s, &q)] {
                vertex_edge(&p, a, b, false);
            }
            let n = cross(&sub(&r, &q), &sub(&s, &q));
            let inside = [(&q, &r), (&r, &s), (&s, &q)]
                .iter()
                .all(|(a, b)| dot(&n, &cross(&sub(b, a), &sub(&p, a))).is_positive());
            if inside {
                let f = dot(&n, &sub(&p, &q));
                let direction = if f.is_negative() { negated(&n) } else { n.clone() };
                offer(&f * &f, dot(&n, &n), direction);
            }
        }
        Kind::EdgeEdge => {
            vertex_edge(&p, &r, &s, false);
            vertex_edge(&q, &r, &s, false);
            vertex_edge(&r, &p, &q, true);
            vertex_edge(&s, &p, &q, true);
            let (e, f, g) = (sub(&q, &p), sub(&s, &r), sub(&r, &p));
            let n = cross(&e, &f);
            let (u, v, one) = (dot(&n, &cross(&g, &f)), dot(&n, &cross(&g, &e)), dot(&n, &n));
            if u.is_positive() && u < one && v.is_positive() && v < one {
                let h = dot(&n, &g);
                let direction = if h.is_positive() { negated(&n) } else { n.clone() };
                offer(&h * &h, one, direction);
            }
        }
    }
    best.expect("vertices are compared")
}

#[test]
fn known_distances() {
    let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let check = |p: [f64; 3], expected: f64, direction: [f64; 3]| {
        let [a, b, c] = triangle.map(MovingPoint::fixed);
        let found = distance(Kind::VertexFace, &[MovingPoint::fixed(p), a, b, c], 0.25);
        assert!(found.is_at_most(expected), "{p:?}");
        assert!(expected == 0.0 || !found.is_at_most(expected.next_down()), "{p:?}");
        assert_eq!(found.direction(), direction);
        assert_eq!(found.is_zero(), expected == 0.0);
    };
    check([1.0, 1.0, 0.5], 0.5, [0.0, 0.0, 1.0]);
    check([1.0, 1.0, -0.5], 0.5, [0.0, 0.0, -1.0]);
    check([1.0, -3.0, 4.0], 5.0, [0.0, -0.6, 0.8]);
    check([-3.0, 0.0, -4.0], 5.0, [-0.6, 0.0, -0.8]);
    check([1.0, 1.0, 0.0], 0.0, [0.0; 3]);
    let [a, b] = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]].map(MovingPoint::fixed);
    let [c, d] = [[1.0, -1.0, 3.0], [1.0, 1.0, -1.0]].map(|p| MovingPoint::new(p, [p[0], p[1], 3.0]));
    let found = distance(Kind::EdgeEdge, &[a, b, c, d], 1.0);
    assert!(found.is_at_most(3.0) && !found.is_at_most(3.0f64.next_down()));
    assert_eq!(found.direction(), [0.0, 0.0, -1.0]);
}
