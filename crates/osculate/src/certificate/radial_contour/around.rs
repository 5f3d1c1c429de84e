//! The winding of a loop around an axis through the observer. All points are relative to it:
//! differences of coordinates, rounded once.

use super::DEPTH;
use crate::math::vector::{cross, dot, plus, scale};
use crate::narrow::{Ends, triple, triple_at};

/// The unit axis of a loop at both ends of the step: the sum of `u_i x u_(i+1)` over its edges, for
/// the directions u of its vertices.
///
/// This approximates the integral of all directions on the left of the loop, even if these are more
/// than half of the sphere; so it points to their middle. Any axis is safe; this one is likely to
/// pass. Its f64 numbers are taken as exact. `None` if a vertex is at the observer, or the sum is
/// zero.
pub(super) fn axis_of(seen: &[Ends<f64>]) -> Option<Ends<f64>> {
    let axis_at = |t: usize| {
        let last = unit(seen.last()?[t])?;
        let (mut sum, mut u) = ([0.0; 3], last);
        for p in seen {
            let w = unit(p[t])?;
            sum = plus(sum, cross(u, w));
            u = w;
        }
        unit(sum)
    };
    Some([axis_at(0)?, axis_at(1)?])
}

fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(v, v).sqrt();
    (1e-145 < length && length.is_finite()).then(|| scale(1.0 / length, v))
}

/// Returns whether an edge is proven to turn around the axis throughout the step:
/// `det(a, v, w) > 0`. The bound of [`triple`] holds for vectors that are exact or rounded
/// differences.
#[inline(always)]
pub(super) fn turns(axis: &Ends<f64>, v: &Ends<f64>, w: &Ends<f64>) -> bool {
    triple(axis, v, w).is_positive(DEPTH)
}

/// Returns whether it is proven that the ray of condition 3 does not meet a triangle, given by its
/// corners at t = 0 in the order of the patch.
///
/// The ray along `-a` is in the closed cone over a triangle that is seen from the inside iff
/// `det(-a, v, w) >= 0` for its three edges; so it is not if `det(a, v, w) > 0` for one. For a
/// triangle that is seen from the outside, both the ray and the edges are reversed, and the
/// condition is the same.
#[inline(always)]
pub(super) fn is_off_ray(corners: [&[f64; 3]; 3], axis: &[f64; 3]) -> bool {
    let [a, b, c] = corners;
    [(a, b), (b, c), (c, a)].iter().any(|(v, w)| triple_at(*axis, **v, **w).sign().plus)
}

/// Directions across the axis, chosen so that no vertex is in the plane of one of them and the
/// axis.
const ACROSS: [[f64; 3]; 4] = [
    [0.8125, 0.546875, -0.203125],
    [-0.390625, 0.296875, 0.859375],
    [0.140625, -0.953125, 0.265625],
    [1.0, 0.0, 0.0],
];

/// Returns whether it is proven that a loop, all edges of which turn around the axis, winds once
/// around it at t = 0.
///
/// Each edge turns by more than 0 and less than 180 degrees. So it goes from the right of a
/// half-plane at the axis, angles from 180 to 360 degrees, to its left whenever a full turn is
/// completed, and at no other time. The sides of all vertices must be certain: `det(a, r, v)`
/// positive on the left.
pub(super) fn winds_once(seen: impl Iterator<Item = [f64; 3]> + Clone, axis: &[f64; 3]) -> bool {
    let n_turns = |across: [f64; 3]| {
        let is_left = |v: [f64; 3]| {
            let sign = triple_at(*axis, across, v).sign();
            sign.is_known().then_some(sign.plus)
        };
        let mut was_left = is_left(seen.clone().last()?)?;
        let mut n = 0;
        for v in seen.clone() {
            let left = is_left(v)?;
            n += usize::from(left && !was_left);
            was_left = left;
        }
        Some(n)
    };
    ACROSS.into_iter().find_map(n_turns) == Some(1)
}
