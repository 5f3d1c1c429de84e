//! The cone of the normals of a patch at rest.

use super::super::facets::Facet;
use crate::math::vector::{dot, scale};

/// A unit axis, and a lower bound of the cosines of the angles between it and the normals: those of
/// nearly the smallest enclosing cone, by steps toward the farthest normal.
pub(super) fn cone(facets: &[Facet]) -> ([f64; 3], f64) {
    /// Steps toward the farthest normal.
    const STEPS: usize = 12;
    let unit = |v: [f64; 3]| scale(1.0 / dot(v, v).sqrt(), v);
    let mut sum = [0.0; 3];
    for facet in facets {
        (0..3).for_each(|i| sum[i] += facet.normal[i]);
    }
    let mut axis = unit(sum);
    let mut best = (axis, f64::NEG_INFINITY);
    for step in 0..STEPS {
        let mut farthest = (f64::INFINITY, axis);
        for facet in facets {
            let cos = dot(facet.normal, axis);
            if cos < farthest.0 {
                farthest = (cos, facet.normal);
            }
        }
        if best.1 < farthest.0 {
            best = (axis, farthest.0);
        }
        if farthest.0 < -0.5 {
            break;
        }
        let share = 1.0 / (step + 3) as f64;
        axis = unit(std::array::from_fn(|i| axis[i] + share * (farthest.1[i] - axis[i])));
    }
    // The normals are off by at most 2^-22.
    (best.0, best.1 - 1.0 / 2_097_152.0)
}
