//! The maps of bones for refitting bounds: in f32, with their norms and rounding errors; and the
//! amplitudes of modes.

use crate::Affine;
use crate::math::dispatch::dispatch;
use crate::motion::Governors;
use fearless_simd::{Level, Simd};

/// The map of a bone, applied to a ball: `[c', r'] = x c_x + y c_y + z c_z + norm r + offset`.
///
/// The fourth entry of each vector is for the radius: it is stretched by the norm of the linear
/// part, and widened by the offset for rounding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Map {
    pub(super) x: [f32; 4],
    pub(super) y: [f32; 4],
    pub(super) z: [f32; 4],
    pub(super) norm: [f32; 4],
    pub(super) offset: [f32; 4],
}

/// The maps of all bones of a body at an instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Maps {
    maps: Vec<Map>,
    /// Added to every radius, for rounding errors of weights that are not proportional to the
    /// weights.
    pub(super) widen: f32,
    /// Whether all coordinates, also at rest, and all maps are in the range of f32, and so are the
    /// squares of coordinates.
    pub(super) is_in_range: bool,
    /// The amplitudes of the modes.
    pub(super) amplitudes: Vec<f64>,
    /// An upper bound of the distance of all shapes from the origin.
    pub(super) reach: f64,
    /// Upper bounds of the distance of all weight sums from one, and of the coordinates of anchors.
    pub(super) deviation: f64,
    pub(super) largest_anchor: f32,
}

impl Map {
    /// Moves and stretches a ball, given as center and radius.
    #[inline(always)]
    pub(super) fn apply(&self, [x, y, z, r]: [f32; 4]) -> [f32; 4] {
        let mut moved = [0.0; 4];
        for i in 0..4 {
            moved[i] = (self.x[i] * x + self.y[i] * y) + (self.z[i] * z + self.norm[i] * r) + self.offset[i];
        }
        moved
    }
}

/// Beyond this coordinate, bounds are infinite: squares would leave the range of f32.
pub(super) const LARGEST: f64 = 1e15;

/// The least radius: its square is in the range of f32.
pub(super) const SMALLEST: f32 = 1e-18;

/// A unit in the last place of an f32 just above one.
pub(super) const UNIT: f32 = f32::EPSILON;

impl Maps {
    #[inline(always)]
    pub(super) fn of(&self, joint: u32) -> &Map {
        &self.maps[joint as usize]
    }

    /// Sets the maps of a pose.
    ///
    /// Let M be a bound of `|A s| + |t|` over the shapes s, which are the vertices at rest unless
    /// there are modes, and u = 2^-24. Relative to the exact position of a vertex, the errors are:
    ///
    /// - A and t in f32, the products and their sums: at most 6 u M on each axis, 11 u M in length;
    /// - with modes, the center of the shapes in f32, which is within a factor of two of the reach
    ///   of the shapes: at most u M on each axis, 2 u M in length (for the rest see `parts.rs`);
    /// - weights in f32 and sums over n joints: at most (n + 1) u M on each axis, 2 (n + 1) u M in
    ///   length;
    /// - weights that sum to 1 + d instead of one: d M; and the f64 arithmetic that computes the
    ///   vertex: far less than u M.
    ///
    /// All of these are proportional to the weights, so they are added to the radius of each bone:
    /// M times (16 + 2 (n + 1)) u + d. A weight computed as one minus the others has an error of a
    /// few u^2, however small it is; `widen` covers that for the largest M of all bones.
    pub(super) fn set(
        &mut self,
        bones: &[Affine],
        amplitudes: &[f64],
        governors: &Governors,
        most_joints: usize,
    ) {
        self.amplitudes.clear();
        self.amplitudes.extend_from_slice(amplitudes);
        self.reach = governors.reach_at(amplitudes);
        self.deviation = governors.deviation();
        self.largest_anchor = (governors.largest_anchor() as f32).next_up();
        dispatch!(Level::new(), simd => self.set_with(simd, bones, governors, most_joints));
    }

    /// The same, compiled for the available vector instructions.
    #[inline(always)]
    fn set_with<S: Simd>(&mut self, _simd: S, bones: &[Affine], governors: &Governors, most_joints: usize) {
        let share = f64::from(UNIT) * (9.0 + most_joints as f64) + governors.deviation();
        let reach = self.reach;
        let mut largest: f64 = 0.0;
        // Displacements and amplitudes must be in range as well as their product.
        let mut is_in_range = reach < LARGEST && governors.largest_displacement() < LARGEST;
        is_in_range &= governors.largest_anchor() < LARGEST;
        is_in_range &= self.amplitudes.iter().all(|amplitude| amplitude.abs() < LARGEST);
        self.maps.resize(bones.len(), Map::default());
        for (map, bone) in self.maps.iter_mut().zip(bones) {
            let norm = norm(bone);
            let [[xx, yx, zx, tx], [xy, yy, zy, ty], [xz, yz, zz, tz]] = *bone;
            let far = norm * reach + (tx.abs() + ty.abs() + tz.abs());
            // The product of a huge and a tiny number may be in range, but both factors must be. A
            // NaN is not.
            is_in_range &= norm < LARGEST && far < LARGEST;
            largest = if largest < far { far } else { largest };
            *map = Map {
                x: [xx as f32, xy as f32, xz as f32, 0.0],
                y: [yx as f32, yy as f32, yz as f32, 0.0],
                z: [zx as f32, zy as f32, zz as f32, 0.0],
                norm: [0.0, 0.0, 0.0, norm as f32 * (1.0 + 2.0 * UNIT)],
                offset: [tx as f32, ty as f32, tz as f32, (share * far) as f32],
            };
        }
        self.is_in_range = is_in_range;
        // No radius is so small that its square underflows.
        self.widen = (largest * 4e-12) as f32 + SMALLEST;
    }
}

/// An upper bound of the operator norm of the linear part of a map, exact up to rounding for
/// rotations, uniform scales, and stretches along one axis: the largest eigenvalue of the symmetric
/// `G = AᵀA` is at most `s + sqrt(2/3) |G - s I|`, with s a third of its trace, in the Frobenius
/// norm.
#[inline(always)]
pub(super) fn norm(map: &Affine) -> f64 {
    let column = |k: usize| [map[0][k], map[1][k], map[2][k]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [a, b, c] = [column(0), column(1), column(2)];
    let [aa, bb, cc] = [dot(a, a), dot(b, b), dot(c, c)];
    let [ab, ac, bc] = [dot(a, b), dot(a, c), dot(b, c)];
    // Rotations, as nearly all maps are, need no square root: the largest eigenvalue is at most 1
    // + |G - I|, and its square root at most 1 + |G - I| / 2.
    let away = ((aa - 1.0).abs().max((bb - 1.0).abs()).max((cc - 1.0).abs()))
        .max(ab.abs().max(ac.abs()).max(bc.abs()));
    if away < 1e-6 {
        return 1.0 + 2.0 * away + 1e-15;
    }
    let third = (aa + bb + cc) * (1.0 / 3.0);
    let [da, db, dc] = [aa - third, bb - third, cc - third];
    let apart = da * da + db * db + dc * dc + 2.0 * (ab * ab + ac * ac + bc * bc);
    // Relative to the trace, the rounding errors of f64 are within this; huge and tiny entries are
    // handled separately.
    let bound = third * (1.0 + 1e-14) + (2.0 / 3.0 * apart).sqrt();
    if (1e-140..1e140).contains(&bound) { bound.sqrt() * (1.0 + 1e-14) } else { coarse_norm(map) }
}

/// A looser bound, for entries whose squares leave the range of f64.
#[cold]
fn coarse_norm(map: &Affine) -> f64 {
    map.iter().flat_map(|row| &row[..3]).map(|x| x.abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The identity plus `part` in each entry stretches the diagonal by 1 + 3 `part`: from nearly a
    /// rotation to far from one.
    #[test]
    fn norms_are_no_less_than_what_a_map_stretches() {
        for part in [1e-12, 1e-9, 4e-7, 1e-5, 0.1, 1e3, 1e200] {
            let map: Affine = std::array::from_fn(|i| {
                std::array::from_fn(|k| if k == 3 { 0.0 } else { part + if i == k { 1.0 } else { 0.0 } })
            });
            assert!((1.0 + 3.0 * part) * (1.0 - 1e-15) <= norm(&map), "{part}");
        }
    }
}
