//! Bounds of the gradients of all triangles of a patch at a pose, from its maps alone.
//!
//! With the mean map `[A | t]` of the patch, any matrix and vector, and `dA_k = A_k - A`,
//! `dt_k = A_k x0 + t_k - t`, the gradient of a triangle is
//!
//! ```text
//! J = (A + Σ_k c_k dA_k) (I + Σ_i q_i D_i) + Σ_k [dA_k | dt_k] J_k + Σ_ik q_i dA_k H_ik + (drift)
//! ```
//!
//! The mean has the middles of the weights, so that `Σ_k c_k dA_k` is at most `Σ_k r_k |dA_k|` for
//! weights within r_k of their middles. (The paper bounds it by sorting the maps for each entry;
//! for two maps this is the same.) The drift is due to weights that do not sum to one: `Σ_v (Σ_k
//! w_vk - 1) (A (d_v + Σ_i q_i m_vi) + t) g_v'`.

use super::fit::fitted;
use super::intervals::{NormalIntervals, Rest};
use crate::Affine;
use crate::motion::{Deformer, Governors};

/// The maps and amplitudes of a body at a pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Governing {
    maps: Vec<Affine>,
    /// Of each map, the sum of the magnitudes of its linear entries, and an upper bound of the
    /// coordinates that it gives.
    sizes: Vec<[f64; 2]>,
    amplitudes: Vec<f64>,
    /// Upper bound of the distance of all shapes from the origin.
    reach: f64,
    /// The points that the maps move, if they have no linear part.
    anchors: Vec<[f64; 3]>,
}

impl Governing {
    /// Sets the pose.
    pub(crate) fn set(&mut self, deformer: &dyn Deformer, governors: &Governors, parameters: &[f64]) {
        self.maps.clear();
        self.maps.extend_from_slice(&deformer.maps(parameters));
        self.amplitudes.clear();
        self.amplitudes.extend_from_slice(deformer.amplitudes(parameters));
        self.reach = governors.reach_at(&self.amplitudes);
        self.sizes.clear();
        self.sizes.extend(self.maps.iter().map(|map| {
            let linear: f64 = map.iter().flat_map(|row| &row[..3]).map(|x| x.abs()).sum();
            let translation: f64 = map.iter().map(|row| row[3].abs()).sum();
            [linear, linear * self.reach + translation]
        }));
        if let Some(anchors) = governors.anchors() {
            self.anchors.clear();
            self.anchors.extend_from_slice(anchors);
        }
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.maps.as_slice())
            + size_of_val(self.sizes.as_slice())
            + size_of_val(self.amplitudes.as_slice())
            + size_of_val(self.anchors.as_slice())
    }
}

/// The gradients of a patch: each entry is within a radius of its middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gradient {
    pub(super) middle: [[f64; 3]; 3],
    pub(super) radius: [[f64; 3]; 3],
}

/// Upper bound of the rounding errors of positions and gradients, as a multiple of the sum of the
/// magnitudes of all terms: there are at most 4000 maps and modes, and so fewer than 2^13 roundings
/// of 2^-53 each.
const ROUNDING: f64 = 1.0 / 1_099_511_627_776.0; // 2^-40

impl Gradient {
    /// The gradients of a patch at a pose.
    #[inline(always)]
    pub(super) fn new(intervals: &NormalIntervals, rest: &Rest, pose: &Governing) -> Gradient {
        let shares = intervals.shares(rest);
        let fits = intervals.fits(rest);
        let (mut size, mut far): (f64, f64) = (0.0, 0.0);
        for share in shares {
            let [linear, reach] = pose.sizes[share.map as usize];
            size = if size < linear { linear } else { size };
            far = if far < reach { reach } else { far };
        }
        // The maps relative to the origin of the patch.
        let mut fit = [[0.0; 3]; 3];
        if !fits.is_empty() {
            let maps = shares.iter().map(|share| &pose.maps[share.map as usize]);
            fit = fitted(maps, fits, rest.normal_fit, rest.cone.axis);
            size = fit.as_flattened().iter().map(|x| x.abs()).sum();
            let length = |p: [f64; 3]| p[0].abs() + p[1].abs() + p[2].abs();
            let points = shares.iter().map(|share| length(pose.anchors[share.map as usize]));
            far += size * (points.fold(0.0, f64::max) + length(rest.origin));
        }
        let relative = |map: usize| -> Affine {
            let rows = &pose.maps[map];
            if fits.is_empty() {
                let [x, y, z] = rest.origin;
                return rows.map(|[a, b, c, t]| [a, b, c, a * x + b * y + c * z + t]);
            }
            let [x, y, z] = std::array::from_fn(|i| rest.origin[i] - pose.anchors[map][i]);
            std::array::from_fn(|i| {
                let [a, b, c] = fit[i];
                [a, b, c, a * x + b * y + c * z + rows[i][3]]
            })
        };
        let (mut mean, mut sum) = ([[0.0; 4]; 3], 0.0);
        for share in shares {
            let (map, weight) = (relative(share.map as usize), f64::from(share.weight[0]));
            sum += weight;
            for i in 0..3 {
                (0..4).for_each(|r| mean[i][r] += weight * map[i][r]);
            }
        }
        mean.as_flattened_mut().iter_mut().for_each(|x| *x /= sum);

        let (mut blended, mut spread) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        let (mut bent, mut loose) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        let mut apart: f64 = 0.0;
        for share in shares {
            let map = relative(share.map as usize);
            let weight = share.weight.map(f64::from);
            let mut magnitude = 0.0;
            for i in 0..3 {
                for r in 0..4 {
                    let d = map[i][r] - mean[i][r];
                    if r < 3 {
                        blended[i][r] += weight[0] * d;
                        spread[i][r] += weight[1] * d.abs();
                        magnitude += d.abs();
                    }
                    for j in 0..3 {
                        bent[i][j] += d * f64::from(share.middle[r][j]);
                        loose[i][j] += d.abs() * f64::from(share.radius[r][j]);
                    }
                }
            }
            apart = apart.max(magnitude);
        }
        let linear: [[f64; 3]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| mean[i][j] + blended[i][j]));
        let offset = mean[0][3].abs() + mean[1][3].abs() + mean[2][3].abs();
        let mut wider = rest.drift[0] * offset
            + (rest.drift[1] + rest.off_anchors) * size
            + ROUNDING * (size * (4.0 + 8.0 * rest.sums[0]) + far * (8.0 * rest.sums[1] + 2.0 * rest.slope));
        let modes = intervals.modes(rest);
        let (mut middle, mut radius) = (linear, spread);
        if !modes.is_empty() {
            (middle, radius) = shaped(&linear, &spread, modes, pose, size, apart, &mut wider);
        }
        for i in 0..3 {
            for j in 0..3 {
                middle[i][j] += bent[i][j];
                radius[i][j] += loose[i][j] + wider;
            }
        }
        Gradient { middle, radius }
    }
}

/// The product of the blended maps with `I + Σ_i q_i D_i`, as middle and radius; adds what else
/// modes do to `wider`.
fn shaped(
    linear: &[[f64; 3]; 3],
    spread: &[[f64; 3]; 3],
    modes: &[super::intervals::ModeShare],
    pose: &Governing,
    size: f64,
    apart: f64,
    wider: &mut f64,
) -> ([[f64; 3]; 3], [[f64; 3]; 3]) {
    let mut shape = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut loose = [[0.0; 3]; 3];
    let mut sum = 1.0;
    for mode in modes {
        let q = pose.amplitudes[mode.mode as usize];
        for i in 0..3 {
            for j in 0..3 {
                let (middle, radius) = (f64::from(mode.middle[i][j]), f64::from(mode.radius[i][j]));
                shape[i][j] += q * middle;
                loose[i][j] += q.abs() * radius;
                sum += q.abs() * (middle.abs() + radius);
            }
        }
        *wider += q.abs() * (f64::from(mode.blend) * apart + f64::from(mode.drift) * size);
    }
    *wider += 8.0 * ROUNDING * size * sum;
    let (mut middle, mut radius) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
    for i in 0..3 {
        for j in 0..3 {
            for r in 0..3 {
                middle[i][j] += linear[i][r] * shape[r][j];
                radius[i][j] +=
                    linear[i][r].abs() * loose[r][j] + spread[i][r] * (shape[r][j].abs() + loose[r][j]);
            }
        }
    }
    (middle, radius)
}
