//! The point whose distances from the planes of triangles are as equal as possible.
//!
//! For planes through `p_i` with unit normals `n_i`, the point q and the distance `delta` minimize
//!
//! ```text
//! sum (n_i . (p_i - q) - delta)^2 + weight m |q - g|^2
//! ```
//!
//! with g the mean of the `p_i`. The second sum matters only where the first leaves q undetermined:
//! on a tube along its axis, on a plane everywhere. Eliminating `delta` leaves three unknowns:
//! `(C + weight I) q = cov(n, n . p) + weight g`, with C the covariance of the normals. On a sphere
//! q is the center. The accuracy of q does not matter: its users prove what they need.

use crate::math::vector::{cross, dot, minus, plus, scale};

/// Weight of the distance from the mean. It moves q by less than a tenth of the radius if the
/// normals spread over a hemisphere.
const WEIGHT: f64 = 1.0 / 1024.0;

/// Normals with a smaller spread, the sum of the variances of their coordinates, are those of a
/// nearly flat patch: within 8 degrees of their mean.
const LEAST_SPREAD: f64 = 1.0 / 64.0;

/// Sums over planes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneSums {
    /// Points are relative to it.
    origin: [f64; 3],
    n: f64,
    points: [f64; 3],
    normals: [f64; 3],
    /// `n n^T`, by rows.
    squares: [[f64; 3]; 3],
    offset: f64,
    /// `(n . p) n`.
    offset_normals: [f64; 3],
}

impl PlaneSums {
    /// No planes. The origin should be near the points.
    pub(crate) fn new(origin: [f64; 3]) -> PlaneSums {
        PlaneSums {
            origin,
            n: 0.0,
            points: [0.0; 3],
            normals: [0.0; 3],
            squares: [[0.0; 3]; 3],
            offset: 0.0,
            offset_normals: [0.0; 3],
        }
    }

    /// Adds the plane through a point. A plane with a NaN normal is ignored.
    #[inline(always)]
    pub(crate) fn push(&mut self, normal: [f64; 3], point: [f64; 3]) {
        if normal[0].is_nan() {
            return;
        }
        let p = minus(point, self.origin);
        let offset = dot(normal, p);
        self.n += 1.0;
        self.points = plus(self.points, p);
        self.normals = plus(self.normals, normal);
        for (row, x) in self.squares.iter_mut().zip(normal) {
            *row = plus(*row, scale(x, normal));
        }
        self.offset += offset;
        self.offset_normals = plus(self.offset_normals, scale(offset, normal));
    }

    /// The point; `None` if it is not finite, or if the planes are nearly parallel.
    pub(crate) fn solve(&self) -> Option<[f64; 3]> {
        let share = 1.0 / self.n;
        let [g, normal, offsets] = [self.points, self.normals, self.offset_normals].map(|v| scale(share, v));
        let mut rows = self.squares.map(|row| scale(share, row));
        for (row, x) in rows.iter_mut().zip(normal) {
            *row = minus(*row, scale(x, normal));
        }
        // NaN without planes.
        let spread = rows[0][0] + rows[1][1] + rows[2][2];
        if spread.is_nan() || spread <= LEAST_SPREAD {
            return None;
        }
        for (k, row) in rows.iter_mut().enumerate() {
            row[k] += WEIGHT;
        }
        let right = plus(minus(offsets, scale(share * self.offset, normal)), scale(WEIGHT, g));
        // Cramer's rule, for a symmetric matrix: the columns of its inverse are the cross products
        // of its rows over its determinant, which is at least the cube of the weight.
        let [a, b, c] = rows;
        let [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)];
        let q = plus(plus(scale(right[0], bc), scale(right[1], ca)), scale(right[2], ab));
        let q = plus(self.origin, scale(1.0 / dot(a, bc), q));
        q.iter().all(|x| x.is_finite()).then_some(q)
    }
}
