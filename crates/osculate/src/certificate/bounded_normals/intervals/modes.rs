//! The intervals of a mode of a patch.

use super::super::facets::Facet;
use super::ModeShare;
use super::build::Builder;
use super::hull::{Hull, up};
use super::maps::Scratch;
use crate::math::vector::dot;

impl Builder<'_> {
    /// The intervals of a mode; `None` if it does not move the patch.
    pub(super) fn mode(
        &self,
        mode: usize,
        facets: &[Facet],
        corners: impl Iterator<Item = [u32; 3]>,
        scratch: &mut Scratch,
    ) -> Option<ModeShare> {
        let mut rows = [[Hull::EMPTY; 3]; 3];
        let (mut blend, mut drift, mut is_moved): (f64, f64, bool) = (0.0, 0.0, false);
        for (facet, corners) in facets.iter().zip(corners) {
            let moved = corners.map(|v| self.governors.displacements(v as usize)[mode]);
            is_moved |= moved != [[0.0; 3]; 3];
            let lengths = facet.lengths();
            for r in 0..3 {
                let error: f64 = (0..3).map(|v| facet.error * lengths[v] * moved[v][r].abs()).sum();
                for j in 0..3 {
                    let x: f64 = (0..3).map(|v| moved[v][r] * facet.gradients[v][j]).sum();
                    rows[r][j].add(x, error);
                }
            }
            let products: [f64; 3] = std::array::from_fn(|v| lengths[v] * dot(moved[v], moved[v]).sqrt());
            self.weights(corners, &mut scratch.corners);
            let mut of_triangle = 0.0;
            for &(_, weights) in &scratch.corners {
                let mean = (weights[0] + weights[1] + weights[2]) / 3.0;
                of_triangle += (0..3).map(|v| (weights[v] - mean).abs() * products[v]).sum::<f64>();
            }
            let away = corners.into_iter().map(|v| self.deviation(v)).fold(0.0, f64::max);
            blend = blend.max(of_triangle);
            drift = drift.max(away * products.iter().sum::<f64>());
        }
        let [middle, radius] = Hull::middles(&rows);
        let over = |x: f64| up(x * (1.0 + 1e-6));
        is_moved.then(|| ModeShare {
            mode: mode as u32,
            middle,
            radius,
            blend: over(blend),
            drift: over(drift),
        })
    }
}
