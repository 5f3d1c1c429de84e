//! The radial contour test: whether each ray from a moving point meets a patch at most once
//! throughout the step.
//!
//! This is the theorem of the normal cone with a finite center of projection. Let q(t) be a point
//! that moves linearly, and let all triangles of a connected, oriented patch with one loop be seen
//! from q from the same side throughout the step: from the inside, `phi(t) = n . (p - q) > 0`, a
//! cubic; or all from the outside. Let `a(t)` be a vector that changes linearly, such that
//!
//! 1. every edge of the loop turns around it: `det(a, v_i - q, v_(i+1) - q) > 0` for every t in [0,
//!    1], cubics again;
//! 2. the loop winds once around it at t = 0;
//! 3. at t = 0 the ray from q along `-a` (along `a`, if triangles are seen from the outside) meets
//!    no triangle of the patch.
//!
//! Then each ray from q meets the patch at most once, at every t, and no two points of the patch
//! coincide. Proof: by 1 and 2, the directions from q to the loop form a simple curve that
//! separates a from -a; as all triangles are seen from one side, each direction is met equally
//! often on one side of the curve, and once more on the other; and on the side of the ray of 3,
//! which the loop never crosses, that number is 0 at t = 0, and so always.
//!
//! It handles patches that no cone contains: tubes, fingertips, more than half of a sphere. As with
//! cones, **ears** may be added to the patch where its contour is jagged, and all loops but one are
//! closed by **caps**, fans of triangles around an apex `q - a_h` on the axis of the loop: its
//! triangles are seen from the inside iff the loop turns around `a_h`. Ears and caps are triangles
//! of the patch like others, and must satisfy 3 too.

mod around;
mod sides;

use self::around::{axis_of, is_off_ray, turns, winds_once};
use self::sides::{Side, all_are_seen, observer};
use super::cleared::Surface;
use super::ears::Ring;
use super::normals::Normals;
use crate::narrow::{Ends, triple};
use std::ops::Range;

/// Maximum bisection depth to prove that a cubic is positive.
const DEPTH: u32 = 4;

/// The contour of a patch under test; kept to avoid allocation.
#[derive(Debug, Default)]
pub(super) struct RadialContour {
    vertices: Vec<u32>,
    /// The end of each loop in `vertices`.
    ends: Vec<usize>,
    /// The vertices relative to the observer.
    seen: Vec<Ends<f64>>,
    ring: Ring,
}

impl RadialContour {
    /// Restarts without loops.
    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.ends.clear();
    }

    /// Adds a loop of the contour.
    pub(super) fn push(&mut self, vertices: &[u32]) {
        self.vertices.extend(vertices);
        self.ends.push(self.vertices.len());
    }

    /// Returns whether it is proven that the patch of these triangles, ranges in depth-first order,
    /// with the loops that were added, does not self-collide in the step. `normals` are those of
    /// the step; they only serve to choose the observer.
    ///
    /// `false` proves nothing. The patch must be connected, oriented, and have a boundary, and
    /// coordinates must be in the range of the filters.
    pub(super) fn proves(&mut self, normals: &Normals, surface: Surface, triangles: &[Range<usize>]) -> bool {
        let Some((q, side)) = observer(normals, surface, triangles) else { return false };
        self.proves_from(&q, side, surface, triangles)
    }

    /// The same from a given observer, whose coordinates are in the range of the filters.
    fn proves_from(
        &mut self,
        q: &Ends<f64>,
        side: Side,
        surface: Surface,
        triangles: &[Range<usize>],
    ) -> bool {
        self.seen.clear();
        self.seen.extend(self.vertices.iter().map(|&v| from(q, &surface.lines[v as usize].ends())));
        let outer = self.outer();
        let Some(axis) = axis_of(&self.seen[self.range(outer)]) else { return false };
        (0..self.ends.len()).all(|i| self.closes(i, i == outer, &axis, side))
            && all_are_seen(surface, triangles, q, &axis[0], side)
    }

    fn range(&self, i: usize) -> Range<usize> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        start..self.ends[i]
    }

    /// The loop that is not capped: the longest one. Any choice is safe; a long loop is harder to
    /// cap.
    fn outer(&self) -> usize {
        let longest = |best: usize, i| if self.range(best).len() < self.range(i).len() { i } else { best };
        (1..self.ends.len()).fold(0, longest)
    }

    /// Returns whether it is proven that a loop, with ears if necessary, turns around its axis
    /// throughout the step; and, for the outer loop, that it winds once around it, or, for another
    /// loop, that its cap is off the ray. `outer_axis` is the axis of the outer loop.
    fn closes(&mut self, i: usize, is_outer: bool, outer_axis: &Ends<f64>, side: Side) -> bool {
        let seen = &self.seen[self.range(i)];
        let own_axis = if is_outer { Some(*outer_axis) } else { axis_of(seen) };
        let Some(axis) = own_axis else { return false };
        let at = |i: u32| &seen[i as usize];
        let is_ear = |a: u32, b: u32, c: u32| {
            let (a, b, c) = (at(a), at(b), at(c));
            side.is_certain(&triple(a, c, b)) && is_off_ray([&a[0], &c[0], &b[0]], &outer_axis[0])
        };
        if !self.ring.straighten(seen.len(), |b, c| turns(&axis, at(b), at(c)), is_ear) {
            return false;
        }
        let around = self.ring.vertices().map(|i| at(i)[0]);
        if is_outer {
            return winds_once(around, &axis[0]);
        }
        // Triangles of the cap have the directions apex, w, v for each edge from v to w. The factor
        // is 1 or -1, and exact.
        let apex = axis[0].map(|x| -side.factor() * x);
        let next = around.clone().cycle().skip(1);
        around.zip(next).all(|(v, w)| is_off_ray([&apex, &w, &v], &outer_axis[0]))
    }
}

/// A point relative to q, at both ends of the step.
#[inline(always)]
fn from(q: &Ends<f64>, p: &Ends<f64>) -> Ends<f64> {
    [0, 1].map(|t: usize| [p[t][0] - q[t][0], p[t][1] - q[t][1], p[t][2] - q[t][2]])
}

#[cfg(test)]
mod tests;
