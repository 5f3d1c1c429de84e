//! Lower bounds of the products of an axis with all control normals of a patch.
//!
//! Let gradients be `J = C + E` with entries of E within a radius R, and unit normals n at rest be
//! within an angle of an axis a. A deformed normal is `cof(J) n`, a quadratic form in J. For an
//! axis l, with the rows `K_b` of `l x C`:
//!
//! ```text
//! l . cof(C + E) n = n . m + Σ_b E_b . (n x K_b) + l . cof(E) n      m = 1/2 Σ_b K_b x C_b
//! ```
//!
//! The first term is least at the rim of the cone of n; the second is linear in E; the third is at
//! most `|E|^2 / 2` in the Frobenius norm. The control normal in the middle of a step is the
//! symmetric bilinear form of the same quadratic one, for the gradients at both ends.
//!
//! The paper multiplies boxes of all entries instead, which loses what terms have in common.

use super::gradient::Gradient;
use super::intervals::Cone;
use crate::math::vector::{cross, dot, minus, scale};

/// The gradients of a patch at the start, and at the end of the step; equal at an instant.
#[derive(Clone, Debug)]
pub(crate) struct Facing {
    /// The cone of the normals at rest.
    cone: Cone,
    ends: [Gradient; 2],
    is_instant: bool,
    /// The norms of the radii at both ends.
    norms: [f64; 2],
    /// What products must exceed to be positive for certain.
    least: f64,
}

/// The products are off by at most this multiple of the squared norms, also for an axis that is off
/// by 2^-40: some 200 roundings.
const ROUNDING: f64 = 1.0 / 274_877_906_944.0; // 2^-38

/// The greatest of `l . cof(E) n`, as a multiple of the squared norm of E, for an axis that is
/// longer than one by at most 2^-20.
const QUADRATIC: f64 = 0.5 + 1.0 / 1_048_576.0;

/// Smaller products may have lost digits to underflow.
const UNDERFLOW: f64 = 1e-200;

impl Facing {
    pub(super) fn new(cone: Cone, start: Gradient, end: Option<Gradient>) -> Facing {
        let ends = [start, end.unwrap_or(start)];
        let norms = [0, 1].map(|k: usize| norm(&ends[k].radius));
        let size = norms[0] + norms[1] + norm(&ends[0].middle) + norm(&ends[1].middle);
        let least = ROUNDING * size * size + UNDERFLOW;
        Facing { cone, ends, is_instant: end.is_none(), norms, least }
    }

    /// Bounds of the step from the end of this one on.
    pub(super) fn go_on(&mut self, end: Gradient) {
        *self = Facing::new(self.cone, self.ends[1], Some(end));
    }

    /// The direction of the axis of the normals in the middle of the step: a unit vector up to f32
    /// rounding, or `None` if it has no direction.
    pub(super) fn axis(&self) -> Option<[f32; 3]> {
        let mut rows = [[0.0; 3]; 3];
        for (i, row) in rows.iter_mut().enumerate() {
            (0..3).for_each(|j| row[j] = 0.5 * (self.ends[0].middle[i][j] + self.ends[1].middle[i][j]));
        }
        let cofactors = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])];
        let normal = cofactors.map(|row| dot(row, self.cone.axis));
        let length = dot(normal, normal).sqrt();
        let is_known = 1e-145 < length && length.is_finite();
        is_known.then(|| normal.map(|x| (x / length) as f32))
    }

    /// Whether all control normals of all triangles have a positive product with an axis, also with
    /// one that is off by 2^-40.
    pub(super) fn faces(&self, axis: [f32; 3]) -> bool {
        self.products(axis).iter().all(|&product| self.least < product)
    }

    /// Lower bounds of the products of an axis, of unit length up to f32 rounding, with the control
    /// normals at the start, in the middle and at the end, where triangles have unit normals at
    /// rest; up to rounding.
    #[inline(always)]
    pub(super) fn products(&self, axis: [f32; 3]) -> [f64; 3] {
        let l = axis.map(f64::from);
        let [start, end] = &self.ends;
        let first = turned(l, &start.middle);
        let one = self.lowest(&first, &start.middle)
            - self.loosest(&first, &start.radius)
            - QUADRATIC * self.norms[0] * self.norms[0];
        if self.is_instant {
            return [one; 3];
        }
        let second = turned(l, &end.middle);
        let three = self.lowest(&second, &end.middle)
            - self.loosest(&second, &end.radius)
            - QUADRATIC * self.norms[1] * self.norms[1];
        let two = self.lowest(&first, &end.middle)
            - 0.5 * (self.loosest(&first, &end.radius) + self.loosest(&second, &start.radius))
            - QUADRATIC * self.norms[0] * self.norms[1];
        [one, two, three]
    }

    /// What [`products`](Self::products) must exceed to be positive for certain.
    #[cfg(test)]
    pub(super) fn least(&self) -> f64 {
        self.least
    }

    /// The least of `n . m` over the cone of unit normals n, with `m = 1/2 Σ_b K_b x C_b`.
    #[inline(always)]
    fn lowest(&self, turned: &[[f64; 3]; 3], middle: &[[f64; 3]; 3]) -> f64 {
        let mut m = [0.0; 3];
        for b in 0..3 {
            let c = cross(turned[b], middle[b]);
            (0..3).for_each(|i| m[i] += 0.5 * c[i]);
        }
        let Cone { axis, cos, sin } = self.cone;
        let along = dot(m, axis);
        if along < 0.0 {
            // The cone may contain the opposite of m.
            return -dot(m, m).sqrt();
        }
        let across = minus(m, scale(along, axis));
        along * cos - dot(across, across).sqrt() * sin
    }

    /// The greatest of `Σ_b E_b . (n x K_b)` over the cone, for entries of E within a radius.
    #[inline(always)]
    fn loosest(&self, turned: &[[f64; 3]; 3], radius: &[[f64; 3]; 3]) -> f64 {
        let mut sum = 0.0;
        for b in 0..3 {
            let length = dot(turned[b], turned[b]).sqrt();
            let across = cross(self.cone.axis, turned[b]);
            for d in 0..3 {
                let most = across[d].abs() + self.cone.sin * length;
                sum += radius[b][d] * if most < length { most } else { length };
            }
        }
        sum
    }
}

/// The rows of `l x C`.
#[inline(always)]
fn turned(l: [f64; 3], c: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let row = |i: usize, j: usize| minus(scale(l[i], c[j]), scale(l[j], c[i]));
    [row(1, 2), row(2, 0), row(0, 1)]
}

/// The Frobenius norm.
#[inline(always)]
fn norm(matrix: &[[f64; 3]; 3]) -> f64 {
    matrix.as_flattened().iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests;
