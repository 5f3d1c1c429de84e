//! The point of a surface that is closest to a given one.

use super::Segments;
use crate::bounds::Wide;
use crate::hierarchy::{Child, WIDTH};
use crate::math::dispatch::dispatch;
use crate::math::orient::Point;
use crate::math::vector::{dot, minus, plus, scale};
use crate::narrow::closest_on_triangles;
use fearless_simd::{Level, Simd};

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
        self.closest_point_of(point, within, -1.0, |_| true)
    }

    /// The same among the triangles for which `only` holds; any point at a distance of at most
    /// `enough` may be returned.
    pub(crate) fn closest_point_of(
        &self,
        point: [f64; 3],
        within: f64,
        enough: f64,
        only: impl Fn(u32) -> bool,
    ) -> Option<SurfacePoint> {
        if !point.iter().all(|x| x.is_finite()) || self.hierarchy.n_nodes() == 0 {
            return None;
        }
        dispatch!(Level::new(), simd => self.search(simd, point, within, enough, &only))
    }

    #[inline(always)]
    fn search<S: Simd>(
        &self,
        simd: S,
        point: [f64; 3],
        within: f64,
        enough: f64,
        only: &impl Fn(u32) -> bool,
    ) -> Option<SurfacePoint> {
        let slack = self.posed.slack(point);
        let mut best: Option<SurfacePoint> = None;
        let mut limit = within * within;
        let mut stack = Vec::with_capacity(64);
        stack.push((0.0, 0));
        while let Some((least, node)) = stack.pop() {
            if limit < least {
                continue;
            }
            let least = distances_squared(self.posed.bounds.node(node), point, slack);
            let first = stack.len();
            let (mut triangles, mut corners, mut n) = ([0; WIDTH], [[[0.0; 3]; 3]; WIDTH], 0);
            for (lane, &least) in least.iter().enumerate() {
                if limit < least {
                    continue;
                }
                match self.hierarchy.child(node, lane) {
                    Child::Node(child) => put(&mut stack, first, (least, child)),
                    Child::Triangle(triangle) if only(triangle) => {
                        (triangles[n], corners[n]) = (triangle, self.corners(triangle));
                        n += 1;
                    }
                    Child::Triangle(_) | Child::None => {}
                }
            }
            if n == 0 {
                continue;
            }
            closest_on_triangles(simd, point, &corners[..n], &mut |k, weights, distance| {
                let triangle = triangles[k];
                let is_closer = best.is_none_or(|best| (distance, triangle) < (best.distance, best.triangle));
                if distance <= within && is_closer {
                    let ([a, b, c], [u, v, w]) = (corners[k], weights);
                    let point = [0, 1, 2].map(|i| u * a[i] + v * b[i] + w * c[i]);
                    best = Some(SurfacePoint { triangle, weights, point, distance });
                    limit = distance * distance;
                }
            });
            if best.is_some_and(|best| best.distance <= enough) {
                break;
            }
        }
        best
    }
}

/// Puts an item on a stack, below those from `first` on that come before it: the least one is on
/// top.
#[inline(always)]
pub(super) fn put<T: Copy>(stack: &mut Vec<(f64, T)>, first: usize, item: (f64, T)) {
    stack.push(item);
    let mut k = stack.len() - 1;
    while first < k && stack[k - 1].0 < item.0 {
        stack[k] = stack[k - 1];
        k -= 1;
    }
    stack[k] = item;
}

/// The squares of the distances of a point from the bounds of the children of a node, rounded down;
/// `slack` is that of [`Posed::slack`]. The squares, and their sum, are off by a few 2^-53.
#[inline(always)]
fn distances_squared(wide: &Wide<3>, point: [f64; 3], slack: f64) -> [f64; WIDTH] {
    let mut squared = [0.0; WIDTH];
    for (i, x) in point.into_iter().enumerate() {
        let (below, above) = (x + slack, x - slack);
        for (lane, sum) in squared.iter_mut().enumerate() {
            let (lo, hi) = (f64::from(wide.lo[i][lane]), f64::from(wide.hi[i][lane]));
            let (lo, hi) = (lo - below, above - hi);
            let outside = if lo < hi { hi } else { lo };
            let outside = if 0.0 < outside { outside } else { 0.0 };
            *sum += outside * outside;
        }
    }
    for sum in &mut squared {
        *sum *= 1.0 - 8.0 * f64::EPSILON;
    }
    squared
}

/// Returns the closest point to `p` of a closed segment, in f64.
pub(crate) fn closest_on_segment(p: &Point, from: &Point, to: &Point) -> Point {
    let along = minus(*to, *from);
    let squared = dot(along, along);
    let t = if 0.0 < squared { (dot(minus(*p, *from), along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    plus(*from, scale(t, along))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::closest_on_triangle;
    use crate::random::random;
    use crate::{Mesh, Model};

    /// Against all triangles of a random soup.
    #[test]
    fn the_closest_triangle_is_found_among_those_asked_for() {
        let mut random = random(3);
        let points: Vec<Point> = (0..150).map(|_| [0; 3].map(|_| random() * 4.0)).collect();
        let faces: Vec<[u32; 3]> = (0..50).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let model = Model::new(Mesh::new(faces.clone(), points.len()).unwrap(), &points).unwrap();
        let segments = model.segments(&points).unwrap();
        for modulus in [1, 3] {
            for _ in 0..200 {
                let p = [0; 3].map(|_| random() * 5.0 - 0.5);
                let only = |t: u32| t.is_multiple_of(modulus);
                let all = faces.iter().zip(0..).filter(|&(_, t)| only(t));
                let all = all.map(|(face, _)| closest_on_triangle(p, face.map(|v| points[v as usize])).1);
                let least = all.fold(f64::INFINITY, f64::min);
                let found = segments.closest_point_of(p, f64::INFINITY, -1.0, only).unwrap();
                assert!(only(found.triangle) && found.distance == least);
                assert_eq!(segments.closest_point_of(p, 0.9 * least, -1.0, only), None);
                let enough = segments.closest_point_of(p, f64::INFINITY, 2.0 * least, only).unwrap();
                assert!(only(enough.triangle) && enough.distance <= 2.0 * least);
            }
        }
    }
}
