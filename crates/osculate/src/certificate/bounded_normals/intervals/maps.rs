//! The intervals of the maps of a patch: of their weights, and of `J_k`.

use super::super::facets::Facet;
use super::Share;
use super::build::Builder;
use super::hull::Hull;
use crate::math::vector::scale;

/// The intervals of a map under construction.
#[derive(Clone, Copy)]
struct Sums {
    map: u32,
    n_triangles: usize,
    weight: Hull,
    rows: [[Hull; 3]; 4],
}

pub(super) struct Scratch {
    /// For each map, its place in `sums`.
    places: Vec<u32>,
    sums: Vec<Sums>,
    /// The maps of a triangle, with the weights of its corners.
    pub(super) corners: Vec<(u32, [f64; 3])>,
}

impl Scratch {
    pub(super) fn new(n_maps: usize) -> Scratch {
        Scratch { places: vec![u32::MAX; n_maps], sums: Vec::new(), corners: Vec::new() }
    }
}

impl Builder<'_> {
    /// Adds a triangle to the intervals of its maps.
    #[inline(always)]
    pub(super) fn add(
        &self,
        facet: &Facet,
        corners: [u32; 3],
        offsets: &[[f64; 3]; 3],
        scratch: &mut Scratch,
    ) {
        let Scratch { places, sums, corners: of_maps } = scratch;
        self.weights(corners, of_maps);
        let lengths = facet.lengths();
        // Row r of a gradient of one map is `Σ_v (w_v - c) d_vr g_v'`, off by a multiple of this.
        let mut reach = [0.0; 4];
        for v in 0..3 {
            (0..3).for_each(|r| reach[r] += facet.error * lengths[v] * offsets[v][r].abs());
            reach[3] += facet.error * lengths[v];
        }
        for &(map, weights) in &*of_maps {
            let place = &mut places[map as usize];
            if *place == u32::MAX {
                *place = sums.len() as u32;
                sums.push(Sums { map, n_triangles: 0, weight: Hull::EMPTY, rows: [[Hull::EMPTY; 3]; 4] });
            }
            let sums = &mut sums[*place as usize];
            // Any number may be the weight of the triangle.
            let mean = (weights[0] + weights[1] + weights[2]) / 3.0;
            let most = weights[0].max(weights[1]).max(weights[2]);
            sums.n_triangles += 1;
            sums.weight.add(mean, 0.0);
            let scaled: [[f64; 3]; 3] = std::array::from_fn(|v| scale(weights[v] - mean, facet.gradients[v]));
            for j in 0..3 {
                for r in 0..3 {
                    let x: f64 = (0..3).map(|v| offsets[v][r] * scaled[v][j]).sum();
                    sums.rows[r][j].add(x, reach[r] * most);
                }
                sums.rows[3][j].add(scaled[0][j] + scaled[1][j] + scaled[2][j], reach[3] * most);
            }
        }
    }

    /// Lists the maps of a triangle, with the weights of its corners.
    #[inline(always)]
    pub(super) fn weights(&self, corners: [u32; 3], of_maps: &mut Vec<(u32, [f64; 3])>) {
        of_maps.clear();
        for (k, v) in corners.into_iter().enumerate() {
            for &(map, weight) in self.governors.influences(v as usize) {
                if weight == 0.0 {
                    continue;
                }
                if let Some(known) = of_maps.iter_mut().find(|known| known.0 == map) {
                    known.1[k] += weight;
                } else {
                    let mut weights = [0.0; 3];
                    weights[k] = weight;
                    of_maps.push((map, weights));
                }
            }
        }
    }
}

/// Adds the intervals of all maps of a patch of `n` triangles, and forgets them. Returns sums of
/// magnitudes of the linear and of the translational entries.
pub(super) fn take_shares(scratch: &mut Scratch, n: usize, shares: &mut Vec<Share>) -> [f64; 2] {
    let mut magnitudes = [0.0; 2];
    for mut sums in scratch.sums.drain(..) {
        scratch.places[sums.map as usize] = u32::MAX;
        if sums.n_triangles != n {
            // The others do not follow the map.
            sums.weight.add(0.0, 0.0);
            sums.rows.as_flattened_mut().iter_mut().for_each(|hull| hull.add(0.0, 0.0));
        }
        let [middle, radius] = Hull::middles(&sums.rows);
        let magnitude = |r: usize, j: usize| f64::from(middle[r][j].abs()) + f64::from(radius[r][j]);
        let most = |r: usize| magnitude(r, 0).max(magnitude(r, 1)).max(magnitude(r, 2));
        let weight = sums.weight.middle();
        magnitudes[0] += f64::from(weight[0] + weight[1]) + most(0) + most(1) + most(2);
        magnitudes[1] += most(3);
        shares.push(Share { map: sums.map, weight, middle, radius });
    }
    magnitudes
}
