//! Continuous normal cones: they contain all normals of the triangles of a node during a step.
//!
//! A cone is an axis and a half angle a, stored as (cos a, sin a): all operations are rotations,
//! which are products, and half angles, which are square roots. Differences of angles are compared
//! by their sine, never by their cosine, which resolves a small angle only to the square root of
//! the roundoff.

mod refit;

use crate::math::bernstein::{U, UNDERFLOW};
use crate::math::real::Real;
use crate::math::vector::{cross, dot, minus, plus, scale};
#[cfg(test)]
use crate::motion::Line;
pub(crate) use refit::Cones;

/// Cones whose half angle has a smaller cosine count as the full sphere: from 89.97 degrees.
const LEAST_COS: f64 = 1.0 / (1u32 << 11) as f64;

/// Two axes that are opposite up to an angle with a smaller sine are not merged. The half angle
/// would be at least `(pi - asin(2^-10)) / 2`, whose cosine is `LEAST_COS` up to a part in a
/// million.
const LEAST_SIN: f64 = 1.0 / (1u32 << 10) as f64;

/// Half angles grow by this much (as a tangent) in each merge, to cover its rounding; derived at
/// [`Cone::merge`].
const SLACK: f64 = (1u32 << 17) as f64 * U;

/// A set of directions: those at an angle of at most a from the axis, a less than 90 degrees. Or
/// eight of them, one in each lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cone<R = f64> {
    /// Unit vector, up to rounding.
    pub(crate) axis: [R; 3],
    cos: R,
    sin: R,
}

impl Cone {
    /// All directions.
    const FULL: Cone = Cone { axis: [0.0; 3], cos: -1.0, sin: 0.0 };

    /// Returns a cone that contains the normal of a moving triangle at every t in [0, 1], or `None`
    /// if f64 cannot prove one below 90 degrees.
    ///
    /// With the edges `E = b - a` and `F = c - a`, the normal is a quadratic with the control
    /// vectors `E0 x F0`, `(E0 x F1 + E1 x F0) / 2`, `E1 x F1`, and so a combination of them with
    /// non-negative weights: a cone that contains all three contains it. It is the smallest one
    /// around the outer two if that contains the inner one too, otherwise the smallest around that
    /// cone and the inner one.
    ///
    /// A component of a control vector is a sum of products that went through at most five
    /// roundings each, so by Cauchy-Schwarz the vector is within
    /// `eta = 5.01 u sqrt(2) |E| |F| < 10 u |E| |F|` of the true one, with the longer one of each
    /// edge; its direction is off by at most `asin(eta / |c|)`. Vectors not longer than `1000 eta`
    /// (slivers, zero area) or than 1e-145 (the root of [`UNDERFLOW`], so that no relevant square
    /// has underflowed) have no certified direction: no cone.
    #[cfg(test)]
    pub(crate) fn of_triangle(corners: [&Line; 3]) -> Option<Cone> {
        Cone::around_triangle(corners.map(Line::ends)).narrow()
    }

    /// The cone, unless it is the full sphere.
    #[inline(always)]
    fn narrow(self) -> Option<Cone> {
        self.is_narrow().then_some(self)
    }
}

// Branch-free for all lanes: inapplicable results are computed and ignored. All functions return
// the full sphere where there is no cone.
impl<R: Real> Cone<R> {
    #[inline(always)]
    fn is_narrow(&self) -> R::Mask {
        self.cos.constant(LEAST_COS).lt(self.cos)
    }

    #[inline(always)]
    fn select(mask: R::Mask, yes: &Cone<R>, no: &Cone<R>) -> Cone<R> {
        let mut cone = *no;
        for k in 0..3 {
            cone.axis[k] = R::select(mask, yes.axis[k], no.axis[k]);
        }
        cone.cos = R::select(mask, yes.cos, no.cos);
        cone.sin = R::select(mask, yes.sin, no.sin);
        cone
    }

    /// The cone where the mask holds and it is below 90 degrees, otherwise the full sphere.
    #[inline(always)]
    fn only_if(&self, mask: R::Mask) -> Cone<R> {
        let full = |x: f64| self.cos.constant(x);
        let all = Cone { axis: [full(0.0); 3], cos: full(Cone::FULL.cos), sin: full(Cone::FULL.sin) };
        Cone::select(mask & self.is_narrow(), self, &all)
    }

    /// See [`of_triangle`](Cone::of_triangle). Corners are `[corner][t][axis]`.
    #[inline(always)]
    fn around_triangle([[a0, a1], [b0, b1], [c0, c1]]: [[[R; 3]; 2]; 3]) -> Cone<R> {
        let (e0, e1, f0, f1) = (minus(b0, a0), minus(b1, a1), minus(c0, a0), minus(c1, a1));
        let (n0, n1) = (cross(e0, f0), cross(e1, f1));
        // Twice the inner control vector has twice the error; a half of it is exact.
        let m = scale(a0[0].constant(0.5), plus(cross(e0, f1), cross(e1, f0)));
        let constant = |value: f64| a0[0].constant(value);
        let underflow = constant(UNDERFLOW);
        let (e, f) = (dot(e0, e0).max(dot(e1, e1)) + underflow, dot(f0, f0).max(dot(f1, f1)) + underflow);
        let eta_squared = e * f * (10.0 * U * (10.0 * U));

        let squares = [dot(n0, n0), dot(m, m), dot(n1, n1)];
        let shortest = squares[0].min(squares[1]).min(squares[2]);
        let longest = squares[0].max(squares[1]).max(squares[2]);
        // Neither holds for NaN: if a product overflows, so does the error, here e * f.
        let is_certain = (eta_squared * 1e6 + underflow).lt(shortest) & longest.lt(constant(f64::INFINITY));
        let [n0, m, n1] = [unit(n0, squares[0]), unit(m, squares[1]), unit(n1, squares[2])];
        let inner = Cone { axis: m, cos: constant(1.0), sin: constant(0.0) };
        let error = (eta_squared / shortest).sqrt() * 1.1;
        Cone::between(n0, n1).merge(&inner).widened(error).only_if(is_certain)
    }

    /// Returns the smallest cone around two unit vectors: its axis is along their sum, and
    /// `2 cos a = |p + q|`, `2 sin a = |p - q|`.
    ///
    /// The sum is off by 7u, and its direction by that over its length, at least [`LEAST_SIN`].
    #[inline(always)]
    fn between(p: [R; 3], q: [R; 3]) -> Cone<R> {
        let (sum, difference) = (plus(p, q), minus(p, q));
        let square = dot(sum, sum);
        let (cos, sin) = (square.sqrt() * 0.5, dot(difference, difference).sqrt() * 0.5);
        Cone { axis: unit(sum, square), cos, sin }.widened(cos.constant(SLACK))
    }

    /// Adds `atan(angle)` to the half angle, for an angle up to 0.002.
    #[inline(always)]
    fn widened(&self, angle: R) -> Cone<R> {
        // 1 / sqrt(1 + x), to within x^3 / 3 < 3e-17: merging needs cosine and sine on the unit
        // circle.
        let x = angle * angle;
        let factor = x.constant(1.0) - x * (x.constant(0.5) - x * 0.375);
        let (cos, sin) = (factor * (self.cos - angle * self.sin), factor * (self.sin + angle * self.cos));
        let cone = Cone { axis: self.axis, cos, sin };
        cone.only_if(self.is_narrow())
    }

    /// Returns a cone that contains both: one of them if it contains the other, otherwise the
    /// smallest one, up to the slack.
    ///
    /// Let b be the angle between the axes, the first cone the wider one, and `d = a1 - a2`. If
    /// `b <= d` the first contains the second. Otherwise the smallest has the half angle
    /// `(b + a1 + a2) / 2`, and its axis is that of the first rotated by `(b - d) / 2` toward that
    /// of the second, the direction of `sin((b + d) / 2) l1 + sin((b - d) / 2) l2`. Both weights
    /// are multiplied by `2 cos((b - d) / 2)`, or, if that is the smaller one, by
    /// `2 sin((b - d) / 2)`, to eliminate the half angles: `sin b + sin d` and `sin(b - d)`, or
    /// `cos d - cos b` and `1 - cos(b - d)`.
    ///
    /// The factor F is at least the root of 2 and the sum has the length `F sin b`. Sines and
    /// cosines are off by less than 6u, so the weights by less than 16u each, and the terms of the
    /// sum by 3 * 2u more. For b up to 90 degrees an error of a weight rotates the sum by at most
    /// that, as its component perpendicular to the sum is at most `sin b` of it. Beyond, it may be
    /// all of it, and `sin b` is at least [`LEAST_SIN`]: at most `40u * 2^10 / sqrt(2) < 2^15 u`.
    /// The half angle is off by less than 20u. [`SLACK`] is above the sum of all that, and covers
    /// axes that are not exactly of unit length, too.
    #[inline(always)]
    fn merge(&self, other: &Cone<R>) -> Cone<R> {
        let constant = |value: f64| self.cos.constant(value);
        let (zero, one) = (constant(0.0), constant(1.0));
        let swap = self.sin.lt(other.sin);
        let (wide, slim) = (Cone::select(swap, other, self), Cone::select(swap, self, other));
        let across = cross(wide.axis, slim.axis);
        let (cos_b, sin_b) = (dot(wide.axis, slim.axis), dot(across, across).sqrt());
        let (cos_cos, sin_sin) = (wide.cos * slim.cos, wide.sin * slim.sin);
        let (sin_cos, cos_sin) = (wide.sin * slim.cos, wide.cos * slim.sin);
        // d is not negative, and rounding must not make it so: the weights below would cancel.
        let (cos_d, sin_d) = (cos_cos + sin_sin, (sin_cos - cos_sin).max(zero));
        // b - d, between -90 and 180 degrees.
        let (cos_rest, sin_rest) = (cos_b * cos_d + sin_b * sin_d, sin_b * cos_d - cos_b * sin_d);
        // b + a1 + a2: from 180 degrees on its sine is not positive; it is not near 360, as b is
        // not that near to 180.
        let (cos_sum, sin_sum) = (cos_cos - sin_sin, sin_cos + cos_sin);
        let (cos_all, sin_all) = (cos_b * cos_sum - sin_b * sin_sum, sin_b * cos_sum + cos_b * sin_sum);

        // The direction of half the angle, by whichever of two formulas has no cancellation.
        let obtuse = cos_all.lt(zero);
        let half_cos = R::select(obtuse, sin_all, one + cos_all);
        let half_sin = R::select(obtuse, one - cos_all, sin_all);
        let per_half = one / (half_cos * half_cos + half_sin * half_sin).sqrt();
        let obtuse = cos_rest.lt(zero);
        let of_wide = R::select(obtuse, cos_d - cos_b, sin_b + sin_d);
        let of_slim = R::select(obtuse, one - cos_rest, sin_rest);
        let axis = plus(scale(of_wide, wide.axis), scale(of_slim, slim.axis));
        let tight =
            Cone { axis: unit(axis, dot(axis, axis)), cos: per_half * half_cos, sin: per_half * half_sin };

        // Up to u the first still contains the second within the slack, and the weights would be
        // nearly zero.
        let is_outside = constant(U).lt(sin_rest);
        let is_small = zero.lt(R::select(is_outside, sin_all, one));
        let not_opposite = zero.lt(cos_b) | constant(LEAST_SIN).lt(sin_b);
        let are_narrow = self.is_narrow() & other.is_narrow();
        let cone = Cone::select(is_outside, &tight, &wide).widened(constant(SLACK));
        cone.only_if(is_small & not_opposite & are_narrow)
    }
}

/// The unit vector, given the square of its length.
#[inline(always)]
fn unit<R: Real>(p: [R; 3], square: R) -> [R; 3] {
    scale(square.constant(1.0) / square.sqrt(), p)
}

#[cfg(test)]
mod tests;
