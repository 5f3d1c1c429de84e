//! Ray casts: where a segment first meets a surface.

use super::nearest::put;
use super::{Passage, Segments};
use crate::bounds::Wide;
use crate::hierarchy::{Child, WIDTH};
use crate::math::dispatch::dispatch;
use crate::math::vector::{cross, dot, minus};
use fearless_simd::Level;

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
        dispatch!(Level::new(), _ => self.first_hit(from, to))
    }

    #[inline(always)]
    fn first_hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<RayHit> {
        let direction = minus(to, from);
        let inverse = [1.0 / direction[0], 1.0 / direction[1], 1.0 / direction[2]];
        let slack = self.posed.slack(from);
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
                    let entries = entries(self.posed.bounds.node(node), from, direction, inverse, slack);
                    let first = stack.len();
                    for (lane, &least) in entries.iter().enumerate() {
                        if least < f64::INFINITY && least <= limit {
                            put(&mut stack, first, (least, self.hierarchy.child(node, lane)));
                        }
                    }
                }
                Child::Triangle(triangle) => {
                    let corners = self.corners(triangle);
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

/// The parts of a segment before it enters the bounds of each child of a node, rounded down;
/// infinite for those that it does not meet.
///
/// `slack` is that of [`Posed::slack`](super::Posed::slack). A part is off by a few 2^-53 of its
/// magnitude, as a difference, the inverse of a coordinate of the direction, and their product are
/// rounded.
#[inline(always)]
fn entries(
    wide: &Wide<3>,
    from: [f64; 3],
    direction: [f64; 3],
    inverse: [f64; 3],
    slack: f64,
) -> [f64; WIDTH] {
    let (mut enter, mut leave) = ([0.0_f64; WIDTH], [1.0_f64; WIDTH]);
    for i in 0..3 {
        for lane in 0..WIDTH {
            let (lo, hi) = (f64::from(wide.lo[i][lane]), f64::from(wide.hi[i][lane]));
            let (below, above) = (lo - (from[i] + slack), hi - (from[i] - slack));
            let (a, b) = (below * inverse[i], above * inverse[i]);
            let (first, last) = if a < b { (a, b) } else { (b, a) };
            let error = 8.0 * f64::EPSILON * (first.abs().max(last.abs()) + 1.0);
            // Across the direction, the segment is between the bounds or never.
            let is_across = direction[i] == 0.0 || inverse[i].is_infinite();
            let is_between = below <= 0.0 && 0.0 <= above;
            let (first, last) = match (is_across, is_between) {
                (false, _) => (first - error, last + error),
                (true, true) => (f64::NEG_INFINITY, f64::INFINITY),
                (true, false) => (f64::INFINITY, f64::NEG_INFINITY),
            };
            enter[lane] = if enter[lane] < first { first } else { enter[lane] };
            leave[lane] = if last < leave[lane] { last } else { leave[lane] };
        }
    }
    let mut entries = [f64::INFINITY; WIDTH];
    for lane in 0..WIDTH {
        if enter[lane] <= leave[lane] {
            entries[lane] = enter[lane];
        }
    }
    entries
}

/// The part of a segment before it meets a triangle that it is known to intersect.
///
/// With the normal n of the plane, `n.(a - p) / n.(q - p)`. If the segment is in the plane, or the
/// triangle has no area, the least part at which it meets an edge, or 0 if it starts inside.
fn fraction(p: [f64; 3], q: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> f64 {
    let n = cross(minus(b, a), minus(c, a));
    let (above, along) = (dot(n, minus(a, p)), dot(n, minus(q, p)));
    let fraction = above / along;
    if along != 0.0 && fraction.is_finite() {
        return fraction.clamp(0.0, 1.0);
    }
    let direction = minus(q, p);
    let ends = [(a, b), (b, c), (c, a)].map(|(x, y)| {
        let across = cross(direction, minus(y, x));
        let part = dot(cross(minus(x, p), minus(y, x)), across) / dot(across, across);
        let to_end = |x: [f64; 3]| dot(minus(x, p), direction) / dot(direction, direction);
        let part = if part.is_finite() { part } else { to_end(x).min(to_end(y)) };
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    });
    ends.into_iter().fold(1.0, f64::min)
}
