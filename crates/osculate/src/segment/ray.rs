//! Ray casts: where a segment first meets a surface.

use super::{Passage, Segments};
use crate::hierarchy::{Child, WIDTH};
use crate::math::vector::{cross, dot, minus};

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
        let direction = minus(to, from);
        // Where the segment enters and leaves the bounds of a child, as parts of its length, with
        // the rounding of bounds to f32 allowed for.
        let entry = |lo: [f32; 3], hi: [f32; 3]| {
            let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
            for i in 0..3 {
                let (lo, hi) = (f64::from(lo[i].next_down()), f64::from(hi[i].next_up()));
                if direction[i] == 0.0 {
                    if from[i] < lo || hi < from[i] {
                        return f64::INFINITY;
                    }
                } else {
                    let (a, b) = ((lo - from[i]) / direction[i], (hi - from[i]) / direction[i]);
                    let slack = 8.0 * f64::EPSILON * (a.abs().max(b.abs()) + 1.0);
                    enter = enter.max(a.min(b) - slack);
                    leave = leave.min(a.max(b) + slack);
                }
            }
            if enter <= leave { enter } else { f64::INFINITY }
        };
        let mut best: Option<RayHit> = None;
        let mut stack = vec![(0.0, 0)];
        while let Some((least, node)) = stack.pop() {
            if best.is_some_and(|best| best.fraction < least) {
                continue;
            }
            let wide = self.posed.bounds.node(node);
            let first = stack.len();
            for lane in 0..WIDTH {
                let least = entry(wide.lo.map(|axis| axis[lane]), wide.hi.map(|axis| axis[lane]));
                if least.is_infinite() || best.is_some_and(|best| best.fraction < least) {
                    continue;
                }
                match self.hierarchy.child(node, lane) {
                    Child::None => {}
                    Child::Node(child) => stack.push((least, child)),
                    Child::Triangle(triangle) => {
                        let corners = self.corners(triangle);
                        let Some(passage) = Passage::of(&from, &to, &corners) else { continue };
                        let fraction = fraction(from, to, corners);
                        let is_first =
                            best.is_none_or(|best| (fraction, triangle) < (best.fraction, best.triangle));
                        if is_first {
                            let point = [0, 1, 2].map(|i| from[i] + fraction * direction[i]);
                            best = Some(RayHit { triangle, passage, fraction, point });
                        }
                    }
                }
            }
            // What the segment enters first is taken first.
            stack[first..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        }
        best
    }
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
