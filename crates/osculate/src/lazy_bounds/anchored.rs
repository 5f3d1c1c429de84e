//! Parts whose joints are points without a linear map, such as the control points of a subdivision
//! surface.
//!
//! A vertex at rest is `v = Σ w_k x_k`, with anchors x_k, and at a pose `p = Σ w_k y_k`. For any
//! linear map A and any point c,
//!
//! `p = A (v - c) + Σ w_k r_k`, with the residuals `r_k = y_k - A (x_k - c)`.
//!
//! The best A is that of a least squares fit, which makes the residuals small where the surface
//! bends little: `A = Σ (y_k - y_0) g_kᵀ`, with vectors g_k that depend on the anchors alone. The
//! weighted mean of residuals is bounded on each axis as for a spread (see `parts.rs`), and by the
//! least and the greatest residual. Any A gives a valid bound, so its rounding does not matter, and
//! zero will do where it is out of range.

use super::maps::{Maps, UNIT};

/// Entries of A beyond this are not used: products with coordinates would leave the range of f32.
const LARGEST_ENTRY: f32 = 1e15;

/// A fraction of the trace that is added to the matrix of the fit, so that flat patches have one.
/// Too small, and the fit is lost in rounding; too large, and it is not the best one.
const REGULAR: f64 = 1e-7;

/// Where the vertices of a part are: at `A (v - c) + r`, with r in the box `residual`, and also in
/// the box `hull`. Boxes are lower and upper sides.
pub(super) struct Anchored {
    pub(super) linear: [[f32; 3]; 3],
    pub(super) residual: [[f32; 3]; 2],
    pub(super) hull: [[f32; 3]; 2],
}

/// For each anchor, its position relative to the center c of the part, and the vector g of the fit,
/// given the middle weights.
pub(super) fn fit(anchors: &[[f64; 3]], middle: &[f32], center: [f32; 3]) -> Vec<[[f32; 3]; 2]> {
    let weights = || middle.iter().map(|&weight| f64::from(weight)).zip(anchors);
    let mut mean = [0.0; 3];
    for (weight, x) in weights() {
        (0..3).for_each(|i| mean[i] += weight * x[i]);
    }
    // In f32, the weights do not quite sum to one; far from the origin, that would shift the mean.
    let total: f64 = weights().map(|(weight, _)| weight).sum();
    mean.iter_mut().for_each(|x| *x /= total);
    // S = Σ m (x - mean)(x - mean)ᵀ
    let mut s = [[0.0; 3]; 3];
    for (weight, x) in weights() {
        for i in 0..3 {
            (0..3).for_each(|j| s[i][j] += weight * (x[i] - mean[i]) * (x[j] - mean[j]));
        }
    }
    let more = REGULAR * (s[0][0] + s[1][1] + s[2][2]);
    (0..3).for_each(|i| s[i][i] += more);
    // Its adjugate and determinant.
    let minor = |i: usize, j: usize| {
        let ([a, b], [c, d]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        s[a][c] * s[b][d] - s[a][d] * s[b][c]
    };
    let determinant = (0..3).map(|j| s[0][j] * minor(0, j)).sum::<f64>();
    let of_anchor = |(weight, x): (f64, &[f64; 3])| {
        let apart: [f64; 3] = std::array::from_fn(|i| x[i] - mean[i]);
        let g = [0, 1, 2].map(|i| {
            let along: f64 = (0..3).map(|j| minor(i, j) * apart[j]).sum();
            (weight * along / determinant) as f32
        });
        [std::array::from_fn(|i| (x[i] - f64::from(center[i])) as f32), g]
    };
    weights().map(of_anchor).collect()
}

/// Where the vertices of a part are, which has these joints, this fit, and half extents at rest;
/// `middle` are the middle weights, and `share` is half of the largest sum of absolute differences
/// of the weights of a vertex from them.
///
/// Rounding, with u = 2^-24, on an axis on which Y is the largest |y_k|, and T the largest
/// `Σ |A_j| (|x_k - c|_j + half_j)`:
///
/// - y in f32: u Y; x - c in f32, its products with A and their sums: 6 u T; their difference:
///   u (Y + T); so residuals have an error of at most 7 u (Y + T);
/// - the sums over n joints, with weights in f32: (n + 1) u (Y + T); what is added to it, the
///   middle of two sides, and `A (v - c)`: at most 12 u (Y + T);
/// - rest positions, whose weights sum to 1 + d, and are summed in f64: (d + n 2^-52) times the
///   largest coordinate X of an anchor, times `Σ |A_j|`; positions at the pose: likewise with Y.
///
/// Together less than `(2 (n + 12) u + d) (Y + T) + (d + n 2^-50) X Σ |A_j|`.
#[inline(always)]
pub(super) fn anchored(
    joints: &[u32],
    middle: &[f32],
    share: f32,
    fit: &[[[f32; 3]; 2]],
    half: [f32; 3],
    maps: &Maps,
) -> Anchored {
    let point = |joint: u32| maps.of(joint).offset;
    let first = joints.first().map_or([0.0; 4], |&joint| point(joint));
    let mut linear = [[0.0_f32; 3]; 3];
    for (&joint, [_, g]) in joints.iter().zip(fit) {
        let y = point(joint);
        for i in 0..3 {
            (0..3).for_each(|j| linear[i][j] += (y[i] - first[i]) * g[j]);
        }
    }
    if !linear.as_flattened().iter().all(|entry| entry.abs() < LARGEST_ENTRY) {
        linear = [[0.0; 3]; 3];
    }
    let mut mean = [0.0; 3];
    let (mut least, mut most) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    let (mut lowest, mut highest, mut extent) = (least, most, [0.0_f32; 3]);
    for ((&joint, [d, _]), weight) in joints.iter().zip(fit).zip(middle) {
        let y = point(joint);
        for i in 0..3 {
            let r = y[i] - (linear[i][0] * d[0] + linear[i][1] * d[1] + linear[i][2] * d[2]);
            mean[i] += weight * r;
            least[i] = if r < least[i] { r } else { least[i] };
            most[i] = if most[i] < r { r } else { most[i] };
            lowest[i] = if y[i] < lowest[i] { y[i] } else { lowest[i] };
            highest[i] = if highest[i] < y[i] { y[i] } else { highest[i] };
            extent[i] = if extent[i] < d[i].abs() { d[i].abs() } else { extent[i] };
        }
    }
    let n = joints.len() as f32;
    let deviation = maps.deviation as f32 * (1.0 + UNIT);
    let relative = UNIT * (n + 12.0) + deviation;
    let of_rest = (deviation + n * 1e-15) * maps.largest_anchor;
    let mut found = Anchored { linear, residual: [[0.0; 3]; 2], hull: [[0.0; 3]; 2] };
    for i in 0..3 {
        let largest = lowest[i].abs().max(highest[i].abs());
        let (mut turned, mut entries) = (0.0, 0.0);
        for j in 0..3 {
            turned += linear[i][j].abs() * (extent[j] + half[j]);
            entries += linear[i][j].abs();
        }
        let slack = relative * (largest + turned) + of_rest * entries;
        let range = share * (most[i] - least[i]);
        let (lo, hi) = (mean[i] - range, mean[i] + range);
        found.residual[0][i] = (if lo < least[i] { least[i] } else { lo }) - slack;
        found.residual[1][i] = (if most[i] < hi { most[i] } else { hi }) + slack;
        found.hull[0][i] = lowest[i] - relative * largest;
        found.hull[1][i] = highest[i] + relative * largest;
    }
    found
}
