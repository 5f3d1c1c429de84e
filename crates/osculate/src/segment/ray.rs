//! Ray casts: where a segment first meets a surface.

use super::nearest::put;
use super::passage::meet;
use super::{Passage, Segments};
use crate::bounds::Wide;
use crate::hierarchy::{Child, WIDTH};
use crate::math::dispatch::dispatch;
use crate::math::vector::{cross, dot, minus};
use fearless_simd::{Level, Simd, SimdBase as _, SimdMask as _, f64x4};

/// The first intersection of a segment with a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The triangle.
    pub triangle: u32,
    /// How the segment passes it.
    pub passage: Passage,
    /// The part of the segment before the intersection, from 0 to 1.
    pub fraction: f64,
    /// The position.
    pub point: [f64; 3],
}

impl Segments<'_> {
    /// Returns the first intersection of the closed segment with the surface; of several triangles
    /// that it meets at once, as at a common edge, the one with the smallest number.
    ///
    /// Guarantee: whether it meets a triangle is decided by exact signs, so it never slips through
    /// between two; where it meets the triangle is computed in f64. A segment with a non-finite end
    /// intersects nothing.
    #[must_use]
    pub fn ray_cast(&self, from: [f64; 3], to: [f64; 3]) -> Option<RayHit> {
        if !from.iter().chain(&to).all(|x| x.is_finite()) || self.hierarchy.n_nodes() == 0 {
            return None;
        }
        dispatch!(Level::new(), simd => self.first_hit(simd, from, to))
    }

    #[inline(always)]
    fn first_hit<S: Simd>(&self, simd: S, from: [f64; 3], to: [f64; 3]) -> Option<RayHit> {
        let direction = minus(to, from);
        let slopes = Slopes::new(from, direction);
        let planes = Planes::new(from, direction, self.posed.slack(from));
        let mut best: Option<RayHit> = None;
        // The part of the segment before the best hit.
        let mut limit = f64::INFINITY;
        let mut stack = Vec::with_capacity(64);
        stack.push((0.0, Child::Node(0)));
        while let Some((least, child)) = stack.pop() {
            if limit < least {
                continue;
            }
            match child {
                Child::Node(node) => {
                    let (entries, met) = planes.entries(simd, self.posed.bounds.node(node));
                    let first = stack.len();
                    for lane in bits(met) {
                        if entries[lane] <= limit {
                            put(&mut stack, first, (entries[lane], self.hierarchy.child(node, lane)));
                        }
                    }
                }
                Child::Triangle(triangle) => {
                    let corners = self.corners(triangle);
                    if slopes.is_beside(&corners) {
                        continue;
                    }
                    let Some(passage) = Passage::of(&from, &to, &corners) else { continue };
                    let fraction = fraction(from, to, corners);
                    if best.is_none_or(|best| (fraction, triangle) < (best.fraction, best.triangle)) {
                        let at = |i: usize| from[i] + fraction * direction[i];
                        best = Some(RayHit { triangle, passage, fraction, point: [at(0), at(1), at(2)] });
                        limit = fraction;
                    }
                }
                Child::None => {}
            }
        }
        best
    }
}

/// The bits of a set, ascending.
#[inline(always)]
fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (set != 0).then_some(set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lane
    })
}

/// A segment, prepared for comparison with boxes: where it crosses the planes of their sides.
struct Planes {
    /// For each axis, the inverse of the component of the direction.
    inverse: [f64; 3],
    /// For each axis, where the segment starts, moved by the slack away from the side by which it
    /// enters a box, and by which it leaves it.
    enter: [f64; 3],
    leave: [f64; 3],
    /// Whether bounds tell anything.
    is_bounded: bool,
}

/// The direction is rounded, and so are its inverse, a difference, and their product, by 2^-53 of
/// their magnitude each. Computed parts beyond 2 and below -1 are truly behind the end and before
/// the start; others are off by less than this.
const PART_ERROR: f64 = 8.0 * f64::EPSILON;

/// Inverses are limited to this, also where the direction has no component. A box that is ahead is
/// then entered too early, and the end of one that is not behind, which is ahead by nearly the
/// slack, at least 2^-126, is still beyond the end of the segment.
const LARGEST_INVERSE: f64 = f64::from_bits((1023 + 200) << 52);

impl Planes {
    /// `slack` is that of [`Posed::slack`](super::Posed::slack).
    #[inline(always)]
    fn new(from: [f64; 3], direction: [f64; 3], slack: f64) -> Planes {
        let mut planes =
            Planes { inverse: [0.0; 3], enter: from, leave: from, is_bounded: slack < f64::INFINITY };
        for (i, component) in direction.into_iter().enumerate() {
            let inverse = (1.0 / component).clamp(-LARGEST_INVERSE, LARGEST_INVERSE);
            let slack = slack.copysign(inverse);
            planes.inverse[i] = inverse;
            planes.enter[i] += slack;
            planes.leave[i] -= slack;
        }
        planes
    }

    /// The parts of the segment before it enters the bounds of each child of a node, rounded down,
    /// and the set of children that it meets.
    #[inline(always)]
    fn entries<S: Simd>(&self, simd: S, wide: &Wide<3>) -> ([f64; WIDTH], u32) {
        if !self.is_bounded {
            return ([0.0; WIDTH], (1 << WIDTH) - 1);
        }
        let (mut enter, mut leave) = (f64x4::splat(simd, PART_ERROR), f64x4::splat(simd, 1.0 + PART_ERROR));
        for i in 0..3 {
            let (lo, hi) = (&wide.lo[i], &wide.hi[i]);
            let (near, far) = if self.inverse[i].is_sign_negative() { (hi, lo) } else { (lo, hi) };
            let inverse = f64x4::splat(simd, self.inverse[i]);
            let part = |side: &[f32; WIDTH], start: f64| {
                let side: [f64; WIDTH] = side.map(f64::from);
                (f64x4::from_slice(simd, &side) - f64x4::splat(simd, start)) * inverse
            };
            enter = enter.max(part(near, self.enter[i]));
            leave = leave.min(part(far, self.leave[i]));
        }
        let error = f64x4::splat(simd, PART_ERROR);
        let (enter, leave) = (enter - error, leave + error);
        let mut entries = [0.0; WIDTH];
        entries.copy_from_slice(enter.as_slice());
        (entries, enter.simd_le(leave).to_bitmask() as u32)
    }
}

/// A segment, prepared for comparison with triangles: the line through it in a projection along
/// itself.
///
/// With z the axis along which the segment is longest, `(x - a z, y - b z)` with its slopes a and b
/// is the same point for all of the line.
struct Slopes {
    from: [f64; 3],
    axes: [usize; 3],
    slopes: [f64; 2],
}

impl Slopes {
    #[inline(always)]
    fn new(from: [f64; 3], direction: [f64; 3]) -> Slopes {
        let [x, y, z] = direction.map(f64::abs);
        let axes = if x <= z && y <= z {
            [0, 1, 2]
        } else if x <= y {
            [2, 0, 1]
        } else {
            [1, 2, 0]
        };
        let [i, j, k] = axes;
        Slopes { from, axes, slopes: [direction[i] / direction[k], direction[j] / direction[k]] }
    }

    /// Whether the line is proven to pass beside a triangle: its point in the projection is
    /// strictly on different sides of two edges.
    ///
    /// With M the largest coordinate of the corners relative to the start, each rounded once, and
    /// u = 2^-53: slopes are at most one, and off by 3 u; a projected coordinate is at most 2 M,
    /// and off by 8 u M, as its difference, product and subtraction round. So a product is off by
    /// 36 u M^2, and the difference of two by 80 u M^2. If anything is not finite, no comparison
    /// succeeds. The last term of the error covers underflow.
    #[inline(always)]
    fn is_beside(&self, corners: &[[f64; 3]; 3]) -> bool {
        let ([i, j, k], [a, b]) = (self.axes, self.slopes);
        let mut projected = [[0.0; 2]; 3];
        let mut largest = 0.0;
        for (at, corner) in projected.iter_mut().zip(corners) {
            let [x, y, z] = [i, j, k].map(|axis| corner[axis] - self.from[axis]);
            *at = [x - a * z, y - b * z];
            largest = x.abs().max(y.abs()).max(z.abs()).max(largest);
        }
        let [p, q, r] = projected;
        let turn = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
        let turns = [turn(p, q), turn(q, r), turn(r, p)];
        // Infinite before a product can be.
        let error = 8.0 * largest * largest * (8.0 * f64::EPSILON) + f64::MIN_POSITIVE;
        turns.iter().any(|&turn| error < turn) && turns.iter().any(|&turn| turn < -error)
    }
}

/// The part of a segment before it meets a triangle that it is known to intersect.
///
/// With the normal n of the plane, `n.(a - p) / n.(q - p)`. If the segment is in the plane, or the
/// triangle has no area, 0 if it starts on the triangle, otherwise the least part at which it meets
/// an edge. Which edges it meets is exact; the number is rounded.
pub(super) fn fraction(p: [f64; 3], q: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> f64 {
    let n = cross(minus(b, a), minus(c, a));
    let (above, along) = (dot(n, minus(a, p)), dot(n, minus(q, p)));
    let fraction = above / along;
    if along != 0.0 && fraction.is_finite() {
        return fraction.clamp(0.0, 1.0);
    }
    if meet(&[p, p, p], &[a, b, c]) {
        return 0.0;
    }
    let direction = minus(q, p);
    let parts = [(a, b), (b, c), (c, a)].into_iter().filter(|&(x, y)| meet(&[p, q, q], &[x, y, y]));
    let parts = parts.map(|(x, y)| {
        let across = cross(direction, minus(y, x));
        let part = dot(cross(minus(x, p), minus(y, x)), across) / dot(across, across);
        let to_end = |x: [f64; 3]| dot(minus(x, p), direction) / dot(direction, direction);
        let part = if part.is_finite() { part } else { to_end(x).min(to_end(y)) };
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    });
    parts.fold(1.0, f64::min)
}
