//! The contour test: whether the projection of a patch's contour along an axis is a simple curve
//! throughout the step.
//!
//! A loop that keeps turning the same way around a kernel point, with winding number one, is
//! simple. The kernel point moves linearly, so for an edge from b to c the turn is a quadratic,
//! with `B = b - o` and `C = c - o` in the plane perpendicular to the axis:
//!
//! ```text
//! side(t) = B x C = (1-t)^2 B0 x C0 + 2t(1-t) (B0 x C1 + B1 x C0)/2 + t^2 B1 x C1
//! ```
//!
//! If all sides are positive the loop never meets the kernel point, so its winding number is the
//! same at every t, and is counted at t = 0.
//!
//! Contours follow triangle edges and are jagged, so that often some edge points toward the kernel
//! point, or away from it. Then an **ear** is added to the patch: for two edges from a over b to c
//! that turn outward at b, the triangle a c b closes the notch if it faces the axis throughout the
//! step, and the edge from a to c replaces them. The patch with its ears is a surface like any
//! other, to which the theorem applies; if it does not self-collide, neither does the patch. Holes
//! are closed likewise, each by a fan of triangles around a point. See docs/methods/normal-cone.md.
//!
//! A loop of two [`monotone`] chains is simple, too.

mod monotone;
mod ring;

use self::monotone::Chains;
use self::ring::{is_star, is_star_with_ears};
use super::ears::Ring;
use super::simple::{is_counterclockwise, stays_simple};
use crate::math::bernstein::{U, UNDERFLOW};
use crate::math::dispatch::dispatch;
use crate::math::vector::{cross, dot};
use crate::motion::Line;
use fearless_simd::Level;

/// A point in the plane perpendicular to the axis, at both ends of the step: `[x0, y0, x1, y1]`.
pub(crate) type Point = [f64; 4];

/// How a contour was proven to be simple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// As it is.
    Star,
    /// With ears or caps.
    Filled,
    /// Around another kernel point, with or without ears or caps.
    SecondKernel,
    /// As two monotone chains, with or without ears or caps.
    Monotone,
}

/// The contour of a patch under test; kept to avoid allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contour {
    /// The vertices of all loops relative to the first one of their loop:
    /// `[x0, y0, z0, 0, x1, y1, z1, 0]`.
    offsets: Vec<[f64; 8]>,
    loops: Vec<Loop>,
    /// Twice the area vector in the middle of the step, times four.
    area: [f64; 3],
    points: Vec<Point>,
    ring: Ring,
    chains: Chains,
    /// Upper bound of the length of all offsets.
    reach: f64,
}

#[derive(Clone, Copy, Debug)]
struct Loop {
    /// Its end in `offsets`.
    end: usize,
    /// The mean of its offsets.
    mean: [f64; 8],
}

/// Error of point coordinates, as a multiple of the reach. An offset rounds once, its projection on
/// a unit vector three times more, and the vector is at most 2^-50 too long; subtracting the kernel
/// point, which may be any point, rounds once, and doubles the reach; moving it does so once more.
const POINT_ERROR: f64 = 12.0 * U;

impl Contour {
    /// Restarts without loops.
    pub(crate) fn clear(&mut self) {
        self.offsets.clear();
        self.loops.clear();
        self.area = [0.0; 3];
        self.reach = 0.0;
    }

    /// Adds a loop. `lines` are the vertices of the body, with coordinates in the range of the
    /// filters.
    pub(crate) fn push(&mut self, lines: &[Line], vertices: &[u32]) {
        dispatch!(Level::new(), _simd => self.push_in_vectors(lines, vertices));
    }

    #[inline(always)]
    fn push_in_vectors(&mut self, lines: &[Line], vertices: &[u32]) {
        let first = &lines[vertices[0] as usize].0;
        let (mut sum, mut area, mut largest) = ([0.0; 8], self.area, 0.0);
        // Twice the sum of the area vectors of all triangles is the sum of `p x q` over the edges
        // of the contour, from p to q.
        let mut p = [0.0; 3];
        let start = self.offsets.len();
        self.offsets.resize(start + vertices.len(), [0.0; 8]);
        for (offset, &v) in self.offsets[start..].iter_mut().zip(vertices) {
            let line = &lines[v as usize].0;
            let mut o = [0.0; 8];
            let mut squares = [0.0; 8];
            for i in 0..8 {
                o[i] = line[i] - first[i];
                sum[i] += o[i];
                squares[i] = o[i] * o[i];
            }
            for i in [0, 4] {
                let square = squares[i] + squares[i + 1] + squares[i + 2];
                largest = if largest < square { square } else { largest };
            }
            *offset = o;
            // The first offset is zero, and so are the products with it.
            let q = [o[0] + o[4], o[1] + o[5], o[2] + o[6]];
            area[0] += p[1] * q[2] - p[2] * q[1];
            area[1] += p[2] * q[0] - p[0] * q[2];
            area[2] += p[0] * q[1] - p[1] * q[0];
            p = q;
        }
        let share = 1.0 / vertices.len() as f64;
        for x in &mut sum {
            *x *= share;
        }
        self.loops.push(Loop { end: self.offsets.len(), mean: sum });
        self.area = area;
        self.reach = self.reach.max(largest.sqrt() * (1.0 + 8.0 * U) + UNDERFLOW);
    }

    /// The direction of the patch's area vector in the middle of the step, a unit vector up to f32
    /// rounding; `None` if it has no length.
    pub(crate) fn axis(&self) -> Option<[f32; 3]> {
        let [x, y, z] = self.area;
        let length = (x * x + y * y + z * z).sqrt();
        let is_known = 1e-145 < length && length.is_finite();
        is_known.then_some([(x / length) as f32, (y / length) as f32, (z / length) as f32])
    }

    /// Proves that the patch of this contour, with additional triangles that all face the axis
    /// throughout the step, has one loop that is simple in the projection throughout the step, and
    /// counterclockwise. `None` if there is no proof. Call it once after
    /// [`project`](Contour::project).
    pub(crate) fn prove(&mut self, second_kernel: bool) -> Option<Proof> {
        let (mut proof, mut start) = (Proof::Star, 0);
        let outer = self.outer();
        let reach = 2.0 * self.reach;
        for (i, &Loop { end, .. }) in self.loops.iter().enumerate() {
            let points = &mut self.points[start..end];
            if i == outer {
                proof = if is_star(points, reach) {
                    proof
                } else if self.chains.are_monotone(points, reach) {
                    Proof::Monotone
                } else if is_star_with_ears(&mut self.ring, points, reach, 1.0) {
                    Proof::Filled
                } else if second_kernel
                    && move_kernel(points)
                    && is_star_with_ears(&mut self.ring, points, 2.0 * reach, 1.0)
                {
                    Proof::SecondKernel
                } else {
                    return None;
                };
            } else {
                if !is_star_with_ears(&mut self.ring, points, reach, -1.0) {
                    return None;
                }
                proof = Proof::Filled;
            }
            start = end;
        }
        Some(proof)
    }

    /// Whether a patch with one loop, all of whose triangles face the axis throughout the step, is
    /// proven to be injective along it by two monotone chains. The fastest proof, where the axis is
    /// known: it is the only one that needs no loops to be [pushed](Contour::push) before.
    pub(crate) fn is_monotone(&mut self, lines: &[Line], vertices: &[u32], axis: [f32; 3]) -> bool {
        let reach = dispatch!(Level::new(), _simd => self.project_lines(lines, vertices, axis));
        self.chains.are_monotone(&self.points, reach)
    }

    /// Sets the points to those of one loop, relative to its first vertex; returns their reach.
    #[inline(always)]
    fn project_lines(&mut self, lines: &[Line], vertices: &[u32], axis: [f32; 3]) -> f64 {
        let [u, w] = plane(axis);
        let first = &lines[vertices[0] as usize].0;
        let mut largest = [0.0; 8];
        self.points.clear();
        self.points.extend(vertices.iter().map(|&v| {
            let line = &lines[v as usize].0;
            let mut o = [0.0; 8];
            for i in 0..8 {
                o[i] = line[i] - first[i];
                let size = o[i].abs();
                largest[i] = if largest[i] < size { size } else { largest[i] };
            }
            projected(&o, &u, &w)
        }));
        let most = largest.iter().fold(0.0, |most: f64, &x| most.max(x));
        // Offsets are at most the root of three times as long.
        2.0 * (1.75 * most + UNDERFLOW)
    }

    /// The points of all loops, and an error bound of each coordinate.
    pub(crate) fn points(&self) -> (&[Point], f64) {
        (&self.points, 4.0 * POINT_ERROR * self.reach + UNDERFLOW)
    }

    /// Whether the contour is a single counterclockwise loop of at most `longest` vertices that is
    /// simple throughout the step, by comparing its edges in pairs.
    pub(crate) fn is_simple(&self, longest: usize) -> bool {
        let (points, error) = self.points();
        self.loops.len() == 1
            && points.len() <= longest
            && is_counterclockwise(points, error)
            && stays_simple(points, error)
    }

    /// The loop of the largest area at t = 0; any choice is safe, but others fail.
    fn outer(&self) -> usize {
        if self.loops.len() == 1 {
            return 0;
        }
        let mut best = (f64::NEG_INFINITY, 0);
        let mut start = 0;
        for (i, &Loop { end, .. }) in self.loops.iter().enumerate() {
            let area = area(&self.points[start..end], 0);
            if best.0 < area {
                best = (area, i);
            }
            start = end;
        }
        best.1
    }

    /// Sets the points: coordinates on two unit vectors perpendicular to the axis, relative to the
    /// mean of each loop. The axis is the cross product of the vectors, up to 2^-50.
    pub(crate) fn project(&mut self, axis: [f32; 3]) {
        let [u, w] = plane(axis);
        self.points.resize(self.offsets.len(), [0.0; 4]);
        let mut start = 0;
        for &Loop { end, mean } in &self.loops {
            let kernel = projected(&mean, &u, &w);
            for (point, offset) in self.points[start..end].iter_mut().zip(&self.offsets[start..end]) {
                let p = projected(offset, &u, &w);
                for i in 0..4 {
                    point[i] = p[i] - kernel[i];
                }
            }
            start = end;
        }
    }
}

/// Two unit vectors perpendicular to an axis, whose cross product is the axis, up to 2^-50.
#[inline(always)]
fn plane(axis: [f32; 3]) -> [[f64; 3]; 2] {
    let l = axis.map(f64::from);
    let least = (1..3).fold(0, |best, i| if l[i].abs() < l[best].abs() { i } else { best });
    let mut e = [0.0; 3];
    e[least] = 1.0;
    let u = unit(cross(l, e));
    [u, unit(cross(l, u))]
}

#[inline(always)]
fn projected(o: &[f64; 8], u: &[f64; 3], w: &[f64; 3]) -> Point {
    [
        o[0] * u[0] + o[1] * u[1] + o[2] * u[2],
        o[0] * w[0] + o[1] * w[1] + o[2] * w[2],
        o[4] * u[0] + o[5] * u[1] + o[6] * u[2],
        o[4] * w[0] + o[5] * w[1] + o[6] * w[2],
    ]
}

/// Twice the signed area at one end of the step.
fn area(points: &[Point], end: usize) -> f64 {
    let mut sum = 0.0;
    let mut p = points[points.len() - 1];
    for q in points {
        sum += p[2 * end] * q[2 * end + 1] - p[2 * end + 1] * q[2 * end];
        p = *q;
    }
    sum
}

/// The centroid of the area at both ends; not finite if there is no area.
fn centroid(points: &[Point]) -> Point {
    let mut centroid = [0.0; 4];
    for end in 0..2 {
        let (x, y) = (2 * end, 2 * end + 1);
        let mut p = points[points.len() - 1];
        for q in points {
            let turn = p[x] * q[y] - p[y] * q[x];
            centroid[x] += turn * (p[x] + q[x]);
            centroid[y] += turn * (p[y] + q[y]);
            p = *q;
        }
        let area = 3.0 * area(points, end);
        centroid[x] /= area;
        centroid[y] /= area;
    }
    centroid
}

/// Moves the kernel point from the mean of the vertices to the centroid of the area, at both ends.
/// Returns whether there is one within reach.
fn move_kernel(points: &mut [Point]) -> bool {
    let kernel = centroid(points);
    for (x, y) in [(0, 1), (2, 3)] {
        // The centroid of a simple polygon is within its reach; that of another need not be.
        let farthest = points.iter().map(|p| p[x].abs().max(p[y].abs())).fold(0.0, f64::max);
        if !(kernel[x].abs() <= 0.5 * farthest && kernel[y].abs() <= 0.5 * farthest) {
            return false;
        }
    }
    for p in points {
        for i in 0..4 {
            p[i] -= kernel[i];
        }
    }
    true
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    v.map(|x| x / length)
}

#[cfg(test)]
mod tests;
