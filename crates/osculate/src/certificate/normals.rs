//! The directions of the triangles of a patch throughout the step.
//!
//! The normal of a triangle whose corners move linearly is a quadratic,
//! `n(t) = (1-t)^2 n0 + 2t(1-t) m + t^2 n1` with `n0 = e0 x f0`, `m = (e0 x f1 + e1 x f0) / 2`,
//! `n1 = e1 x f1`, for its edges e and f at the start and the end. If the three control normals are
//! on the positive side of an axis, so is `n(t)` for every t in [0, 1].

use crate::hierarchy::Hierarchy;
use crate::math::bernstein::U;
use crate::math::dispatch::dispatch;
use crate::math::real::{Lanes, Real};
use crate::math::vector::{cross, dot, minus, plus, scale};
use crate::motion::{LANES, Line, gather};
use crate::threads;
use fearless_simd::{Level, Simd, SimdBase, SimdMask, f32x8, f64x8};
use std::ops::Range;

/// Blocks per task.
const PARALLEL: usize = 64;

/// A unit control normal of each of eight triangles; NaN if its direction is unknown.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Block([[f32; LANES]; 3]);

/// The control normals of all triangles of a body, in depth-first order; kept between steps to
/// avoid allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Normals {
    /// Three blocks for each eight triangles, or one at an instant.
    blocks: Vec<Block>,
    n_controls: usize,
}

/// A control normal counts as known if it is longer than this share of the product of its edges.
/// Each component of a control normal is off by at most `18 u E F` for edges of at most E and F in
/// each coordinate, the vector by less than `2^5 u E F`; so its direction is off by at most 2^-20.
const LEAST_LENGTH: f64 = 33_554_432.0 * U; // 2^25 u

/// Shorter control normals do not count as known either: for longer ones, underflow is negligible.
const LEAST_NORMAL: f64 = 1e-145;

/// The least value of `axis . normal` in f32. It is off by at most 2^-20 for the direction of the
/// normal, 2^-24 for its rounding to f32, and 2^-22 for that of the sum; the axis has unit length
/// up to 2^-20.
const FACES: f32 = 1.0 / 524_288.0; // 2^-19

impl Normals {
    /// Heap memory of the normals in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.blocks.as_slice())
    }

    /// Computes the normals of a body for a step, or for the pose at its start. `lines` are the
    /// vertices of the body, with coordinates in the range of the filters.
    pub(crate) fn refit(&mut self, hierarchy: &Hierarchy, lines: &[Line], is_instant: bool) {
        self.n_controls = if is_instant { 1 } else { 3 };
        let (vertices, corners) = (hierarchy.vertices(), hierarchy.corners());
        let n_blocks = corners.len().div_ceil(LANES);
        self.blocks.resize(n_blocks * self.n_controls, Block([[0.0; LANES]; 3]));
        let chunks = self.blocks.chunks_mut(PARALLEL * self.n_controls);
        threads::for_each(chunks.zip(corners.chunks(PARALLEL * LANES)), |(blocks, corners)| {
            dispatch!(Level::new(), simd => if is_instant {
                refit::<1, _>(simd, vertices, corners, lines, blocks);
            } else {
                refit::<3, _>(simd, vertices, corners, lines, blocks);
            });
        });
    }

    /// The unit normal of a triangle at an end of the step, up to f32 rounding; NaN if unknown.
    #[inline(always)]
    pub(super) fn unit(&self, triangle: usize, end: usize) -> [f64; 3] {
        let Block(normals) = &self.blocks[self.n_controls * (triangle / LANES) + end * (self.n_controls - 1)];
        [0, 1, 2].map(|i: usize| f64::from(normals[i][triangle % LANES]))
    }

    /// Whether it is proven that the normals of all triangles in the range, in depth-first order,
    /// are on the positive side of the axis throughout the step: `n(t) . axis > 0`, also for an
    /// axis that is off by 2^-40. The axis has unit length up to f32 rounding.
    pub(crate) fn all_face(&self, range: Range<usize>, axis: [f32; 3]) -> bool {
        dispatch!(Level::new(), simd => if self.n_controls == 1 {
            all_face::<1, _>(simd, &self.blocks, range, axis)
        } else {
            all_face::<3, _>(simd, &self.blocks, range, axis)
        })
    }
}

#[inline(always)]
fn all_face<const N: usize, S: Simd>(simd: S, blocks: &[Block], range: Range<usize>, axis: [f32; 3]) -> bool {
    let (first, last) = (range.start / LANES, (range.end - 1) / LANES);
    let [x, y, z] = axis.map(|x| f32x8::splat(simd, x));
    let limit = f32x8::splat(simd, FACES);
    for block in first..=last {
        // Lanes in the range.
        let mut wanted = 0xff_u64;
        if block == first {
            wanted &= 0xff << (range.start % LANES);
        }
        if block == last {
            wanted &= 0xff >> (LANES - 1 - (range.end - 1) % LANES);
        }
        let mut facing = wanted;
        for Block(normals) in &blocks[N * block..N * (block + 1)] {
            let [a, b, c] = [0, 1, 2].map(|i| f32x8::from_slice(simd, &normals[i]));
            facing &= limit.simd_lt(a * x + b * y + c * z).to_bitmask();
        }
        if facing != wanted {
            return false;
        }
    }
    true
}

#[inline(always)]
fn refit<const N: usize, S: Simd>(
    simd: S,
    vertices: &[u32],
    corners: &[[u32; 3]],
    lines: &[Line],
    blocks: &mut [Block],
) {
    for (block, corners) in corners.chunks(LANES).enumerate() {
        let gathered = gather(vertices, corners, lines, N == 1);
        let load = |k: usize, i: usize| Lanes(f64x8::from_slice(simd, &gathered[k][i]));
        let corner = |k: usize, end: usize| [load(k, 3 * end), load(k, 3 * end + 1), load(k, 3 * end + 2)];
        let edge = |k: usize, end: usize| minus(corner(k, end), corner(0, end));
        let (e0, f0) = (edge(1, 0), edge(2, 0));
        let (e1, f1) = if N == 3 { (edge(1, 1), edge(2, 1)) } else { (e0, f0) };
        let area = largest(e0).max(largest(e1)) * largest(f0).max(largest(f1));
        let controls = &mut blocks[N * block..N * (block + 1)];
        set(&mut controls[0], cross(e0, f0), area);
        if N == 3 {
            // Halved, although it is normalized anyway: the minimum length is for the half.
            let m = scale(area.constant(0.5), plus(cross(e0, f1), cross(e1, f0)));
            set(&mut controls[1], m, area);
            set(&mut controls[2], cross(e1, f1), area);
        }
    }
}

#[inline(always)]
fn largest<R: Real>(v: [R; 3]) -> R {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// Stores a unit control normal.
#[inline(always)]
fn set<S: Simd>(block: &mut Block, normal: [Lanes<S>; 3], area: Lanes<S>) {
    let length = dot(normal, normal).sqrt();
    let is_known = (area * LEAST_LENGTH + area.constant(LEAST_NORMAL)).lt(length);
    let inverse = Lanes::select(is_known, area.constant(1.0) / length, area.constant(f64::NAN));
    for (lanes, x) in block.0.iter_mut().zip(normal) {
        let mut unit = [0.0; LANES];
        (x * inverse).0.store_slice(&mut unit);
        for lane in 0..LANES {
            lanes[lane] = unit[lane] as f32;
        }
    }
}

#[cfg(test)]
mod tests;
