//! Positions of governed vertices.

use super::governors::SUM_TOLERANCE;
use super::{Affine, Governors};

/// Number of parameters of an affine map.
pub(super) const PER_MAP: usize = 12;

/// The maps whose rows are the given numbers; numbers beyond the last whole map are ignored.
#[inline(always)]
pub(super) fn maps_of(parameters: &[f64]) -> &[Affine] {
    parameters.as_chunks().0.as_chunks().0
}

impl Governors {
    /// The position of a vertex, `Σ w_k (A_k s + t_k)`: the weighted maps are summed in order, and
    /// the sum is applied to the shape s.
    #[inline(always)]
    pub(super) fn position(&self, vertex: usize, shape: [f64; 3], map: impl Fn(usize) -> Affine) -> [f64; 3] {
        let mut sum = [[0.0; 4]; 3];
        for &(k, weight) in self.influences(vertex) {
            let map = map(k as usize);
            for i in 0..3 {
                for k in 0..4 {
                    sum[i][k] += weight * map[i][k];
                }
            }
        }
        let [x, y, z] = shape;
        let mut position = [0.0; 3];
        for i in 0..3 {
            position[i] = sum[i][0] * x + sum[i][1] * y + sum[i][2] * z + sum[i][3];
        }
        position
    }

    /// Returns a bound of the magnitude of all coordinates, from the maps and the largest
    /// coordinate of a shape. Fails with the first map for which positions may not be finite.
    pub(super) fn check_maps(
        maps: impl Iterator<Item = Affine>,
        largest_of_shapes: f64,
    ) -> Result<f64, usize> {
        let mut largest: f64 = 0.0;
        for (k, map) in maps.enumerate() {
            for row in map {
                let entries = row[0].abs() + row[1].abs() + row[2].abs();
                let of_row = entries * largest_of_shapes + row[3].abs();
                // Half of the range is reserved for rounding and for weight sums above one. Each
                // row is checked by itself: a NaN is in no range.
                if ![entries, of_row].iter().all(|x| (0.0..=0.5 * f64::MAX).contains(x)) {
                    return Err(k);
                }
                largest = largest.max(of_row);
            }
        }
        Ok(largest * (1.0 + 2.0 * SUM_TOLERANCE))
    }
}
