//! The point of a surface that is closest to a given one.

use super::Segments;
use crate::bounds::Wide;
use crate::hierarchy::{Child, WIDTH};
use crate::narrow::closest_on_triangle;

/// A point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SurfacePoint {
    /// The triangle.
    pub triangle: u32,
    /// The weights of its corners, which sum to one.
    pub weights: [f64; 3],
    /// The position.
    pub point: [f64; 3],
    /// Its distance from the given point, within 2^-46 of the largest difference of coordinates
    /// between the given point and a corner of the triangle.
    pub distance: f64,
}

impl Segments<'_> {
    /// Returns the point of the surface that is closest to the given one, if that is at most
    /// `within` away, and the surface has triangles. Of several triangles that are equally close,
    /// as at a common edge, it is on the one with the smallest number.
    ///
    /// Guarantee: no other triangle is closer, up to the error of the distances. `None` for a point
    /// that is not finite.
    #[must_use]
    pub fn closest_point(&self, point: [f64; 3], within: f64) -> Option<SurfacePoint> {
        if !point.iter().all(|x| x.is_finite()) || self.hierarchy.n_nodes() == 0 {
            return None;
        }
        let mut best: Option<SurfacePoint> = None;
        let mut limit = within * within;
        let mut stack = vec![(0.0, 0)];
        while let Some((least, node)) = stack.pop() {
            if limit < least {
                continue;
            }
            let least = distances_squared(self.posed.bounds.node(node), point);
            let first = stack.len();
            for (lane, least) in least.into_iter().enumerate() {
                if limit < least {
                    continue;
                }
                match self.hierarchy.child(node, lane) {
                    Child::None => {}
                    Child::Node(child) => stack.push((least, child)),
                    Child::Triangle(triangle) => {
                        let (weights, distance) = closest_on_triangle(point, self.corners(triangle));
                        let is_closer =
                            best.is_none_or(|best| (distance, triangle) < (best.distance, best.triangle));
                        if distance <= within && is_closer {
                            let [a, b, c] = self.corners(triangle);
                            let [u, v, w] = weights;
                            let point = [0, 1, 2].map(|i| u * a[i] + v * b[i] + w * c[i]);
                            best = Some(SurfacePoint { triangle, weights, point, distance });
                            limit = distance * distance;
                        }
                    }
                }
            }
            // The closest child is taken first.
            stack[first..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        }
        best
    }
}

/// The squares of the distances of a point from the bounds of the children of a node, rounded down.
///
/// Bounds are rounded to the nearest f32, so that a coordinate may be off by 2^-24 of its
/// magnitude; the squares, and their sum, are off by a few 2^-53.
#[inline(always)]
fn distances_squared(wide: &Wide<3>, point: [f64; 3]) -> [f64; WIDTH] {
    let mut squared = [0.0; WIDTH];
    for (i, x) in point.into_iter().enumerate() {
        for (lane, sum) in squared.iter_mut().enumerate() {
            let (lo, hi) = (f64::from(wide.lo[i][lane]), f64::from(wide.hi[i][lane]));
            let slack = f64::from(f32::EPSILON) * lo.abs().max(hi.abs()) + f64::from(f32::MIN_POSITIVE);
            let outside = (lo - x).max(x - hi) - slack;
            let outside = if 0.0 < outside { outside } else { 0.0 };
            *sum += outside * outside;
        }
    }
    squared.map(|sum| sum * (1.0 - 8.0 * f64::EPSILON))
}
