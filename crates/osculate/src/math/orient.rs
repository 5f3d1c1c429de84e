//! Exact orientation signs for any finite f64: the side of a plane, or of a line in a projection,
//! on which a point lies.
//!
//! Each sign is first evaluated in f64 with a forward error bound; only if that cannot decide are
//! the coordinates converted to integers. The bound of a sum of products has two parts. The
//! rounding part is a multiple of u = 2^-53 and of the permanent (the same sum with every product
//! taken positive). The underflow part covers products too small to be rounded relatively: each of
//! these is off by at most 2^-1075, whatever it is multiplied with later. If a coordinate is so
//! large that something overflows (or is not finite), the permanent is infinite or NaN, so no
//! comparison with it succeeds and nothing is certified. There is therefore no range to guard.

use std::array::from_fn;
use std::ops::Neg as _;

use num_traits::{RefNum, Signed};

use super::form::COORDINATE_BITS;
use super::integer::{IntegerPoints, fraction};
use super::real::Real;
use super::wide::Wide;

/// A point in space.
pub(crate) type Point = [f64; 3];

/// Half the distance from 1 to the next f64.
const U: f64 = f64::EPSILON / 2.0;

/// Rounding error of [`Plane::evaluate`] in units of the permanent. A product of the determinant
/// passes through 8 roundings: its three differences, a multiplication, a subtraction, a
/// multiplication and two additions. The permanent itself may be 9 roundings too small. So
/// `8u (1 + 20u)` is enough; the rest is margin.
const ERROR_3D: f64 = 10.0 * U;

/// The same for [`orient2d`]: two differences, a multiplication and a subtraction, so
/// `4u (1 + 12u)` is enough.
const ERROR_2D: f64 = 5.0 * U;

/// Added twice to cover underflow, once within the permanent (times 10u and a distance it is then
/// at least `2^-1010` per unit of distance, where `2^-1074` is needed) and once outside it
/// (`2^-960`, where `3 * 2^-1075` is needed). A normal number on purpose: sums with subnormal ones
/// are slow.
const UNDERFLOW: f64 = f64::from_bits((1023 - 960) << 52);

/// Integers of at most this many bits go through i128: their differences have 41, a product of
/// three 123 bits, and a sum of six such products stays below 2^126.
const SMALL_BITS: u32 = 40;

/// The plane through three points, for testing many points against it; or eight planes, one per
/// lane.
pub(crate) struct Plane<R> {
    origin: [R; 3],
    /// `(p1 - p0) x (p2 - p0)`.
    normal: [R; 3],
    /// The permanents of the three components of the normal.
    permanent: [R; 3],
}

impl<R: Real> Plane<R> {
    /// Returns the plane through the three points; collinear points are allowed, but certify
    /// nothing.
    #[inline(always)]
    pub(crate) fn new([p0, p1, p2]: &[[R; 3]; 3]) -> Plane<R> {
        let (e, f) = (difference(p1, p0), difference(p2, p0));
        let mut plane = Plane { origin: *p0, normal: *p0, permanent: *p0 };
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let (left, right) = (e[i] * f[j], e[j] * f[i]);
            plane.normal[k] = left - right;
            plane.permanent[k] = left.abs() + right.abs() + left.constant(UNDERFLOW);
        }
        plane
    }

    /// Returns `normal . (point - p0)` in f64 and an error bound, which is NaN or infinite if the
    /// value may be meaningless.
    #[inline(always)]
    pub(crate) fn evaluate(&self, point: &[R; 3]) -> (R, R) {
        let d = difference(point, &self.origin);
        let (n, m) = (&self.normal, &self.permanent);
        let value = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
        let permanent = m[0] * d[0].abs() + m[1] * d[1].abs() + m[2] * d[2].abs();
        (value, permanent * ERROR_3D + value.constant(UNDERFLOW))
    }

    /// Returns whether the point is certified to be on the side of the normal, and whether on the
    /// other side. Neither, if f64 cannot decide or a coordinate is not finite.
    #[inline(always)]
    pub(crate) fn certified_side(&self, point: &[R; 3]) -> (R::Mask, R::Mask) {
        let (value, error) = self.evaluate(point);
        (error.lt(value), value.lt(-error))
    }
}

impl Plane<f64> {
    /// Returns the sides of three points as far as f64 certifies them.
    #[inline(always)]
    pub(crate) fn certified_sides(&self, points: &[Point; 3]) -> Sides {
        let mut sides = Sides { above: 0, below: 0 };
        for (i, point) in points.iter().enumerate() {
            let (above, below) = self.certified_side(point);
            sides.above |= u8::from(above) << i;
            sides.below |= u8::from(below) << i;
        }
        sides
    }
}

/// The sides of three points relative to a plane: strictly above (on the side of the normal),
/// strictly below, or neither. As bit sets, bit i for point i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    above: u8,
    below: u8,
}

impl Sides {
    /// The sides of three points; no point may be in both sets.
    #[inline(always)]
    pub(crate) fn new(above: u8, below: u8) -> Sides {
        Sides { above, below }
    }

    /// Replaces uncertified sides by exact ones. Points in the set `in_plane` are known to be in
    /// the plane. Adds the number of sides that needed integers to `exact`.
    pub(crate) fn complete(
        &mut self,
        plane: &[Point; 3],
        points: &[Point; 3],
        in_plane: u8,
        exact: &mut u64,
    ) {
        for (i, point) in points.iter().enumerate() {
            if (self.above | self.below | in_plane) >> i & 1 == 0 {
                let side = exact_orient3d(&plane[0], &plane[1], &plane[2], point, exact);
                self.above |= u8::from(side > 0) << i;
                self.below |= u8::from(side < 0) << i;
            }
        }
    }

    /// Returns whether the points outside the set `exempt` are strictly on one side; `exempt` must
    /// leave out at least one point.
    #[inline]
    pub(crate) fn all_on_one_side_but(self, exempt: u8) -> bool {
        (self.above | exempt == 7) != (self.below | exempt == 7)
    }

    /// Returns whether no point is known to be strictly on a side.
    pub(crate) fn all_zero(self) -> bool {
        self.above | self.below == 0
    }

    /// Returns whether there are points strictly above and points strictly below.
    pub(crate) fn straddle(self) -> bool {
        self.above != 0 && self.below != 0
    }

    /// Returns the side of point i: 1, -1 or 0.
    pub(crate) fn at(self, i: usize) -> i8 {
        (self.above >> i & 1).cast_signed() - (self.below >> i & 1).cast_signed()
    }

    /// Returns the only point strictly above, or else the only one strictly below, or else the only
    /// one in the plane.
    pub(crate) fn alone(self) -> Option<usize> {
        let sets = [self.above, self.below, 7 & !(self.above | self.below)];
        sets.into_iter().find(|set| set.count_ones() == 1).map(|set| set.trailing_zeros() as usize)
    }
}

/// Returns the sign of `det(q - p, r - p, s - p)`, exactly for finite points: 1 if s is on the side
/// of the plane p, q, r to which `(q - p) x (r - p)` points, 0 if the four points are coplanar (or
/// fewer than three of them span anything). Adds one to `exact` if integers were needed.
pub(crate) fn orient3d(p: &Point, q: &Point, r: &Point, s: &Point, exact: &mut u64) -> i8 {
    match Plane::new(&[*p, *q, *r]).certified_side(s) {
        (true, _) => 1,
        (_, true) => -1,
        _ => exact_orient3d(p, q, r, s, exact),
    }
}

/// [`orient3d`] after the filter has failed.
#[cold]
fn exact_orient3d(p: &Point, q: &Point, r: &Point, s: &Point, exact: &mut u64) -> i8 {
    // Two equal points, or four points with equal coordinates on an axis, span no volume: the
    // common zeros of meshes.
    let level = |k: usize| p[k] == q[k] && p[k] == r[k] && p[k] == s[k];
    if p == q || p == r || p == s || q == r || q == s || r == s || level(0) || level(1) || level(2) {
        return 0;
    }
    *exact += 1;
    let integers = IntegerPoints::new([p, q, r, s]);
    if integers.bits <= SMALL_BITS {
        sign(&determinant(&integers.small().each_ref()))
    } else if integers.bits <= COORDINATE_BITS {
        wide_determinant(&integers.small()).sign()
    } else {
        sign(&determinant(&integers.big().each_ref()))
    }
}

/// Returns the sign of `(q - p)_i (r - p)_j - (q - p)_j (r - p)_i` with i, j the axes after `axis`,
/// exactly for finite points: the turn p, q, r makes in the projection along `axis`, and component
/// `axis` of `(q - p) x (r - p)`. Adds one to `exact` if integers were needed.
pub(crate) fn orient2d(axis: usize, p: &Point, q: &Point, r: &Point, exact: &mut u64) -> i8 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (left, right) = ((q[i] - p[i]) * (r[j] - p[j]), (q[j] - p[j]) * (r[i] - p[i]));
    let value = left - right;
    let error = ERROR_2D * (left.abs() + right.abs()) + UNDERFLOW;
    if value.abs() > error {
        return if value > 0.0 { 1 } else { -1 };
    }
    let level = |k: usize| p[k] == q[k] && p[k] == r[k];
    if p == q || p == r || q == r || level(i) || level(j) {
        return 0;
    }
    *exact += 1;
    let [p, q, r] = [p, q, r].map(|point| [point[i], point[j], 0.0]);
    let integers = IntegerPoints::new([&p, &q, &r]);
    if integers.bits <= SMALL_BITS {
        sign(&turn(&integers.small()))
    } else if integers.bits <= COORDINATE_BITS {
        wide_turn(&integers.small()).sign()
    } else {
        sign(&turn(&integers.big()))
    }
}

/// Returns t in [0, 1] such that `(1 - t) p + t q` is in the plane, to within 2^-28, and exactly 0
/// or 1 if p or q is in the plane. p and q must not be strictly on one side of the plane, nor both
/// in it; otherwise t is arbitrary in [0, 1].
pub(crate) fn crossing_parameter(plane: &[Point; 3], p: &Point, q: &Point) -> f64 {
    let prepared = Plane::new(plane);
    let ((at_p, error_p), (at_q, error_q)) = (prepared.evaluate(p), prepared.evaluate(q));
    if let Some(t) = parameter_between([at_p, error_p], [at_q, error_q]) {
        return t;
    }
    let integers = IntegerPoints::new([&plane[0], &plane[1], &plane[2], p, q]);
    if integers.bits <= COORDINATE_BITS {
        let [a, b, c, p, q] = integers.small();
        let [at_p, at_q] = [p, q].map(|point| wide_determinant(&[a, b, c, point]));
        return match (at_p.sign(), at_q.sign()) {
            (0, _) => 0.0,
            (_, 0) => 1.0,
            (of_p, of_q) if of_p == of_q => 0.0,
            // Both have less than 363 bits, and the words hold 384.
            _ => (at_p.to_double() / (at_p - at_q).to_double()).hi,
        };
    }
    crossing_in_big_integers(&integers)
}

/// [`crossing_parameter`] from the [values](Plane::evaluate) of the plane at p and q with their
/// error bounds; `None` if these are too large.
#[inline(always)]
pub(crate) fn parameter_between([at_p, error_p]: [f64; 2], [at_q, error_q]: [f64; 2]) -> Option<f64> {
    /// Relative errors of 2^-30 are good enough, since the signs differ and nothing cancels.
    const ENOUGH: f64 = (1u64 << 30) as f64;
    // The difference of two finite values can still overflow.
    let apart = at_p - at_q;
    let is_enough = at_p.abs() > ENOUGH * error_p && at_q.abs() > ENOUGH * error_q && apart.is_finite();
    is_enough.then(|| (at_p / apart).clamp(0.0, 1.0))
}

/// [`crossing_parameter`] in big integers, of a plane through three points, and two points.
fn crossing_in_big_integers(integers: &IntegerPoints<5>) -> f64 {
    let [a, b, c, p, q] = &integers.big();
    let (at_p, at_q) = (determinant(&[a, b, c, p]), determinant(&[a, b, c, q]));
    // t = f(p) / (f(p) - f(q)), with both parts negated if necessary for a positive denominator.
    let (mut numerator, mut denominator) = (at_p.clone(), at_p - at_q);
    if denominator.is_negative() {
        (numerator, denominator) = (numerator.neg(), denominator.neg());
    }
    if numerator.is_negative() || !denominator.is_positive() || numerator > denominator {
        return 0.0;
    }
    fraction(&numerator, &denominator)
}

#[inline(always)]
fn difference<R: Real>(p: &[R; 3], q: &[R; 3]) -> [R; 3] {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

/// Returns `det(q - p, r - p, s - p)`.
fn determinant<T: Signed>([p, q, r, s]: &[&[T; 3]; 4]) -> T
where
    for<'x> &'x T: RefNum<T>,
{
    let from_p = |point: &[T; 3]| [&point[0] - &p[0], &point[1] - &p[1], &point[2] - &p[2]];
    let (e, f, g) = (from_p(q), from_p(r), from_p(s));
    let normal = |i: usize, j: usize| &e[i] * &f[j] - &e[j] * &f[i];
    &normal(1, 2) * &g[0] + &normal(2, 0) * &g[1] + &normal(0, 1) * &g[2]
}

/// Returns `det(q - p, r - p)` of the first two coordinates.
fn turn<T: Signed>([p, q, r]: &[[T; 3]; 3]) -> T
where
    for<'x> &'x T: RefNum<T>,
{
    (&q[0] - &p[0]) * (&r[1] - &p[1]) - (&q[1] - &p[1]) * (&r[0] - &p[0])
}

/// [`determinant`] of integers of at most [`COORDINATE_BITS`] bits.
fn wide_determinant([p, q, r, s]: &[[i128; 3]; 4]) -> Wide<6> {
    let from_p = |point: &[i128; 3]| -> [Wide<2>; 3] { from_fn(|k| (point[k] - p[k]).into()) };
    let (e, f, g) = (from_p(q), from_p(r), from_p(s));
    let normal =
        |i: usize, j: usize| -> Wide<4> { Wide::product(&e[i], &f[j]) - Wide::product(&e[j], &f[i]) };
    Wide::product(&normal(1, 2), &g[0])
        + Wide::product(&normal(2, 0), &g[1])
        + Wide::product(&normal(0, 1), &g[2])
}

/// [`turn`] of integers of at most [`COORDINATE_BITS`] bits.
fn wide_turn([p, q, r]: &[[i128; 3]; 3]) -> Wide<4> {
    let product = |a: i128, b: i128| Wide::product(&Wide::from(a), &Wide::from(b));
    product(q[0] - p[0], r[1] - p[1]) - product(q[1] - p[1], r[0] - p[0])
}

fn sign<T: Signed>(x: &T) -> i8 {
    i8::from(x.is_positive()) - i8::from(x.is_negative())
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    /// Points of up to 119 bits, in general position, in a plane, and nearly so.
    #[test]
    fn words_agree_with_big_integers() {
        let mut state = 5_u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
        for _ in 0..20_000 {
            let bits = 1 + next() % u64::from(COORDINATE_BITS);
            let mut number = || {
                let x = (u128::from(next()) << 64 | u128::from(next())) >> (128 - bits);
                if next() & 1 == 0 { x.cast_signed() } else { -x.cast_signed() }
            };
            let mut points: [[i128; 3]; 4] = from_fn(|_| from_fn(|_| number() / 4));
            if next() & 1 == 0 {
                // The fourth corner of a parallelogram, or one beside it.
                let off = i128::from(next() % 3 == 0);
                points[3] = from_fn(|k| points[1][k] + points[2][k] - points[0][k] + off);
            }
            let big: [[BigInt; 3]; 4] = points.map(|p| p.map(BigInt::from));
            assert_eq!(wide_determinant(&points).sign(), sign(&determinant(&big.each_ref())), "{points:?}");
            let [p, q, r, _] = points;
            let [p_big, q_big, r_big, _] = big;
            assert_eq!(wide_turn(&[p, q, r]).sign(), sign(&turn(&[p_big, q_big, r_big])), "{points:?}");
        }
    }

    /// Small integers, far from the origin or not, moved by an ulp or not.
    #[test]
    fn crossings_in_words_are_those_in_big_integers() {
        let mut state = 9_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % n
        };
        let mut n_inside = 0;
        for _ in 0..20_000 {
            let offset = [0.0, 0.1, 1e6 / 3.0][below(3) as usize];
            let mut points: [Point; 5] = from_fn(|_| from_fn(|_| below(3) as f64 + offset));
            if below(2) == 0 {
                let x = &mut points[below(5) as usize][below(3) as usize];
                *x = x.next_up();
            }
            let [a, b, c, p, q] = points;
            let t = crossing_parameter(&[a, b, c], &p, &q);
            let expected = crossing_in_big_integers(&IntegerPoints::new([&a, &b, &c, &p, &q]));
            let sides = [p, q].map(|point| orient3d(&a, &b, &c, &point, &mut 0));
            // On one side of the plane, t is arbitrary.
            if sides[0] * sides[1] < 0 {
                assert!((t - expected).abs() < 2f64.powi(-27), "{points:?}: {t}, {expected}");
            } else if sides[0] * sides[1] == 0 {
                assert_eq!(t.to_bits(), expected.to_bits(), "{points:?}");
                n_inside += 1;
            }
        }
        assert!(5_000 < n_inside);
    }

    /// Values whose difference overflows while both are finite used to give the wrong end of the
    /// edge.
    #[test]
    fn a_crossing_near_the_largest_f64() {
        for exponent in 330..345 {
            let place = |p: [f64; 3]| p.map(|x| x * 2f64.powi(exponent));
            let plane = [[0.0, -2.0, 1.0], [1.0, 0.0, 2.0], [0.0, 1.0, 0.0]].map(place);
            let (p, q) = (place([-1.0, -1.0, 2.0]), place([1.0, -1.0, 0.0]));
            let t = crossing_parameter(&plane, &p, &q);
            let expected = crossing_parameter(
                &plane.map(|p| p.map(|x| x * 2f64.powi(-exponent))),
                &[-1.0, -1.0, 2.0],
                &[1.0, -1.0, 0.0],
            );
            assert!((t - expected).abs() < 2f64.powi(-26), "2^{exponent}: {t}, {expected}");
        }
    }
}
