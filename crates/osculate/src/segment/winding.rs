//! The winding number of a surface just outside one of its triangles (see
//! docs/methods/radial-view.md, suspects).

use super::{Passage, Segments};
use crate::math::orient::Point;
use crate::math::vector::{cross, dot, minus, plus, scale};
use std::ops::ControlFlow;

/// Maximum number of offsets from the triangle that are tried; each is 16 times smaller, from the
/// size of the triangle down to the limit of f64.
const MAX_CLOSER: u32 = 12;

/// Maximum number of segments that are tried.
const MAX_WAYS: u32 = 24;

impl Segments<'_> {
    /// Returns the winding number of the points just outside a triangle, on the side of its normal,
    /// around the triangles for which `only` holds: a closed, consistently oriented surface that
    /// contains the triangle.
    ///
    /// The number is 0 outside everything and 1 inside a simple body. If other triangles intersect
    /// the triangle, the number is that of the points near its center.
    ///
    /// Method: find two points near the center of the triangle, one on each side, such that the
    /// segment between them passes this triangle, outward, and no other. So nothing lies between
    /// the outer point and the triangle. From there a segment leads out of the bounds of the model,
    /// where the number is 0. Along it, the number decreases by one at each triangle passed
    /// outward, and increases by one at each passed inward.
    ///
    /// Guarantee: the number is exact. `None` if it was not found: the triangle has no area, or
    /// coincides with another one, or every segment that was tried touches an edge.
    ///
    /// # Panics
    ///
    /// If there is no such triangle.
    #[must_use]
    pub fn winding_outside(&self, triangle: u32, only: impl Fn(u32) -> bool) -> Option<i32> {
        let third = 1.0 / 3.0;
        self.winding_outside_at(triangle, [third; 3], only)
    }

    /// The same near any interior point of the triangle, given by the weights of its corners.
    ///
    /// # Panics
    ///
    /// If there is no such triangle.
    #[must_use]
    pub fn winding_outside_at(
        &self,
        triangle: u32,
        weights: [f64; 3],
        only: impl Fn(u32) -> bool,
    ) -> Option<i32> {
        let start = self.just_outside(triangle, weights, &only)?;
        self.winding_at(start, only)
    }

    /// Returns the winding number of a point around the triangles for which `only` holds: a closed,
    /// consistently oriented surface. It is 0 outside everything and 1 inside a simple body.
    ///
    /// Guarantee: the number is exact. `None` if it was not found: the point is on the surface, or
    /// every segment that was tried touches an edge.
    #[must_use]
    pub fn winding_at(&self, start: [f64; 3], only: impl Fn(u32) -> bool) -> Option<i32> {
        let [lo, hi] = self.posed.extent;
        let size = [0, 1, 2].map(|i| hi[i] - lo[i]).into_iter().fold(0.0, f64::max);
        if (0..3).any(|i| !(lo[i] <= start[i] && start[i] <= hi[i])) {
            // Outside of the bounds of the model.
            return start.iter().all(|x| x.is_finite()).then_some(0);
        }
        // The shortest way out first: it passes the fewest triangles.
        let mut ways = [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)];
        let distance = |&(axis, is_up): &(usize, bool)| {
            if is_up { hi[axis] - start[axis] } else { start[axis] - lo[axis] }
        };
        ways.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        (0..MAX_WAYS).find_map(|attempt| {
            let (axis, is_up) = ways[attempt as usize % ways.len()];
            let mut end = start;
            for (i, x) in end.iter_mut().enumerate() {
                // Irrational fractions that no grid contains, different for each attempt.
                let slant = ((f64::from(3 * attempt) + i as f64 + 1.0) * 0.618_033_988_749_895).fract();
                *x += 0.1 * (slant - 0.5) * size;
            }
            end[axis] = if is_up { hi[axis] + 0.25 * size } else { lo[axis] - 0.25 * size };
            let is_out = if is_up { hi[axis] < end[axis] } else { end[axis] < lo[axis] };
            if is_out && end.iter().all(|x| x.is_finite()) { self.count(start, end, &only) } else { None }
        })
    }

    /// Whether a point that is not on the surface is inside of it, where the winding number is not
    /// zero. If no segment from the point misses all edges, the number is that of the solid angles
    /// of all triangles in f64.
    pub(crate) fn is_inside(&self, point: Point) -> bool {
        let [lo, hi] = self.posed.extent;
        let by_angles = || {
            let size = (0..3).fold(f64::MIN_POSITIVE, |m: f64, i| m.max(hi[i] - lo[i]));
            let angle = |triangle: u32| {
                let [a, b, c] = self.corners(triangle).map(|x| scale(1.0 / size, minus(x, point)));
                let [la, lb, lc] = [a, b, c].map(|v| dot(v, v).sqrt());
                let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
                2.0 * dot(a, cross(b, c)).atan2(below)
            };
            let sum: f64 = (0..self.mesh.triangles().len() as u32).map(angle).sum();
            (sum / (4.0 * std::f64::consts::PI)).round() as i32
        };
        self.winding_at(point, |_| true).unwrap_or_else(by_angles) != 0
    }

    /// Returns a point on the outer side of the triangle with nothing between them.
    fn just_outside(&self, triangle: u32, weights: [f64; 3], only: &impl Fn(u32) -> bool) -> Option<Point> {
        let corners = self.corners(triangle);
        let [a, b, c] = corners;
        let normal = cross(minus(b, a), minus(c, a));
        let length = dot(normal, normal).sqrt();
        if !(0.0 < length && length.is_finite()) {
            return None;
        }
        let middle = plus(plus(scale(weights[0], a), scale(weights[1], b)), scale(weights[2], c));
        // Of the length of the square root of the area.
        let mut offset = scale(length.sqrt() / length, normal);
        for _ in 0..MAX_CLOSER {
            let (below, above) = (minus(middle, offset), plus(middle, offset));
            let mut passes = false;
            let met = self.crossings_of(below, above, only, |other, passage| {
                let is_own = other == triangle && passage == Passage::Outward;
                passes |= is_own;
                if is_own { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if passes && met.is_continue() {
                return Some(above);
            }
            offset = scale(0.0625, offset);
        }
        None
    }

    /// Returns the number of triangles passed outward minus that of those passed inward, or `None`
    /// if one is touched.
    fn count(&self, from: Point, to: Point, only: &impl Fn(u32) -> bool) -> Option<i32> {
        let mut sum = 0;
        let touched = self.crossings_of(from, to, only, |_, passage| {
            match passage {
                Passage::Outward => sum += 1,
                Passage::Inward => sum -= 1,
                Passage::Touching => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        touched.is_continue().then_some(sum)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Mesh, Model};

    /// From the center of an octahedron outward: a segment through a corner or an edge is rejected,
    /// any other one leaves the body once.
    #[test]
    fn a_way_that_touches_an_edge_is_not_counted() {
        let mut points = vec![[0.0; 3]; 6];
        for (i, p) in points.iter_mut().enumerate() {
            p[i / 2] = if i % 2 == 0 { 1.0 } else { -1.0 };
        }
        let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        let model = Model::new(Mesh::new(faces.to_vec(), 6).unwrap(), &points).unwrap();
        let segments = model.segments(&points).unwrap();
        for code in 1..27 {
            // Each coordinate is -2, 0 or 2; a zero is on an edge, two are a corner.
            let to = [code % 3, code / 3 % 3, code / 9].map(|digit| [0.0, 2.0, -2.0][digit]);
            let is_clear = to.iter().all(|&x| x != 0.0);
            assert_eq!(segments.count([0.0; 3], to, &|_| true), is_clear.then_some(1), "{to:?}");
        }
    }
}
