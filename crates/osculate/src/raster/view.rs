//! From points in space to footprints in an image.
//!
//! A view along an axis maps a point to pixel coordinates `X`, `Y` and a depth `Z`, all relative to
//! the corner of the scene and scaled by a power of two. A point belongs to the pixel
//! `(floor X, floor Y)`; two primitives with a common point have a common pixel.
//!
//! Bounds are linear functions whose least and greatest values over a primitive are taken at its
//! points, as a primitive is contained in their convex hull (so is the volume that a triangle
//! sweeps in a step, in the hull of its corners at both ends). For integers `gx` and `gy`, and with
//! `m` the least of `Z - gx (X - x0) - gy (Y - y0)` over the points, a point of the primitive in
//! pixel `(x0 + dx, y0 + dy)` has
//!
//! ```text
//! Z >= m + gx (X - x0) + gy (Y - y0) >= gx dx + gy dy + m + min(gx, 0) + min(gy, 0),
//! ```
//!
//! as `X - x0 - dx` and `Y - y0 - dy` are in [0, 1]. So any integers are slopes of a valid bound,
//! and those of the plane of the triangle are the best. Half-planes through the edges of the
//! triangle are shifted outward in the same way.
//!
//! Rounding. Coordinates are at most 2^12 pixels and are rounded twice, so `X` and `Y` have an
//! error of at most 2^-40, and depths, in 1/256 of a pixel, of at most 2^-32. Coefficients of
//! bounds are at most 2^18, and a bound is a sum of three terms of at most 2^30, with these errors
//! times 2^18, and is rounded a few times at 2^32: its error is below 2^-18. [`SLACK`], 2^-16,
//! covers it.

use super::Footprint;

/// More than the rounding errors of bounds, before they are rounded to integers.
const SLACK: f64 = 1.0 / 65536.0;

/// Units of depth per pixel.
const DEPTHS: f64 = 256.0;

/// Scale of the coefficients of edges.
const EDGES: f64 = 64.0;

/// The largest image, in pixels.
const MAX_PIXELS: f64 = 2048.0;

/// The steepest slope of a bound, in units of depth per pixel.
const STEEPEST: f64 = 16384.0;

/// A view along an axis, with square pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// The axes of columns, rows and depth.
    axes: [usize; 3],
    origin: [f64; 3],
    /// Pixels per unit of length: a power of two.
    scale: f64,
    /// By how much primitives are enlarged, in units of length.
    margin: f64,
}

impl View {
    /// A view along `axis` of the box from `lo` to `hi`, in which primitives are enlarged by
    /// `margin`. Pixels are larger than the given size by a factor of up to 2, or larger still if
    /// the image would be too large. `None` if the box is too large or too small for coordinates
    /// in pixels.
    pub(crate) fn new(axis: usize, [lo, hi]: [[f64; 3]; 2], pixel: f64, margin: f64) -> Option<View> {
        let origin = lo.map(|x| x - margin);
        let extent = (0..3).fold(0.0, |extent: f64, k| extent.max(hi[k] + margin - origin[k]));
        let size = pixel.max(extent / MAX_PIXELS);
        if !(1e-280..1e280).contains(&size) {
            return None;
        }
        // The greatest power of two that is at most 1 / size.
        let scale = f64::from_bits((1.0 / size).to_bits() & !((1 << 52) - 1));
        let axes = [(axis + 1) % 3, (axis + 2) % 3, axis];
        Some(View { axes, origin, scale, margin })
    }

    /// The coordinates of a point: in pixels, and in units of depth.
    #[cfg(test)]
    pub(super) fn place(&self, p: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = self.map(p);
        [x, y, DEPTHS * z]
    }

    /// The coordinates of a point, in pixels. One pixel is left free, so that no coordinate is
    /// negative, whichever way it is rounded.
    #[inline(always)]
    fn map(&self, p: [f64; 3]) -> [f64; 3] {
        self.axes.map(|k| (p[k] - self.origin[k]) * self.scale + 1.0)
    }

    /// The footprint of the convex hull of `points`, which must be in the box of the view.
    /// `triangle` has the plane that bounds its depth, and `edges` the directions that bound its
    /// outline: any three points, and any three pairs of points, are valid.
    pub(crate) fn footprint(
        &self,
        points: &[[f64; 3]],
        triangle: [[f64; 3]; 3],
        edges: [[[f64; 3]; 2]; 3],
    ) -> Footprint {
        let map = |p: [f64; 3]| self.map(p);
        let margin = self.margin * self.scale;
        let mut lo = [f64::INFINITY; 3];
        let mut hi = [f64::NEG_INFINITY; 3];
        for p in points.iter().map(|&p| map(p)) {
            for k in 0..3 {
                lo[k] = lo[k].min(p[k]);
                hi[k] = hi[k].max(p[k]);
            }
        }
        let lo = lo.map(|x| x - margin - SLACK);
        let hi = hi.map(|x| x + margin + SLACK);
        let first = lo.map(f64::floor);
        let [x0, y0, _] = first;
        // Least and greatest value of `z Z + x (X - x0) + y (Y - y0)` over the primitive.
        let range = |x: f64, y: f64, z: f64| {
            let mut range = [f64::INFINITY, f64::NEG_INFINITY];
            for p in points.iter().map(|&p| map(p)) {
                let value = z * p[2] + x * (p[0] - x0) + y * (p[1] - y0);
                range = [range[0].min(value), range[1].max(value)];
            }
            let around = margin * (x.abs() + y.abs() + z.abs()) + SLACK;
            [(range[0] - around).floor() as i32, (range[1] + around).ceil() as i32]
        };
        let [gx, gy] = slopes(triangle.map(map));
        let [least, greatest] = range(-gx, -gy, DEPTHS);
        let (gx, gy) = (gx as i32, gy as i32);
        let edges = edges.map(|[p, q]| {
            let ([p, q], middle) = ([map(p), map(q)], triangle.map(map));
            let (mut a, mut b) = ((EDGES * (p[1] - q[1])).round(), (EDGES * (q[0] - p[0])).round());
            // Most of the primitive is on the side of the triangle.
            let side: f64 = middle.iter().map(|r| a * (r[0] - p[0]) + b * (r[1] - p[1])).sum();
            if side < 0.0 {
                (a, b) = (-a, -b);
            }
            let [least, _] = range(a, b, 0.0);
            let (a, b) = (a as i32, b as i32);
            [a, b, a.max(0) + b.max(0) - least]
        });
        Footprint {
            x0: x0 as i32,
            x1: hi[0].floor() as i32,
            y0: y0 as i32,
            y1: hi[1].floor() as i32,
            edges,
            gx,
            gy,
            c_min: least + gx.min(0) + gy.min(0),
            c_max: greatest + gx.max(0) + gy.max(0),
            z_min: (DEPTHS * lo[2]).floor() as i32,
            z_max: (DEPTHS * hi[2]).ceil() as i32,
        }
    }
}

/// The slopes of the plane of three points, rounded to integers; zero if it is too steep.
fn slopes([p, q, r]: [[f64; 3]; 3]) -> [f64; 2] {
    let [u, v] = [q, r].map(|x| [x[0] - p[0], x[1] - p[1], x[2] - p[2]]);
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let slopes = [n[0], n[1]].map(|x| (-DEPTHS * x / n[2]).round());
    // Not a number, if the triangle is seen as a line.
    if slopes.iter().all(|x| x.abs() <= STEEPEST) { slopes } else { [0.0; 2] }
}
