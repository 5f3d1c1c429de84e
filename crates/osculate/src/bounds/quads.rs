//! Rows of bounds in vectors of four, for passes over all nodes: the bounds of one child are a few
//! vectors of axes, and those of a node four lanes for each axis.

use super::slabs::MOVING;
use super::{Row, Slabs, Wide};
use crate::hierarchy::WIDTH;
use fearless_simd::{Simd, SimdBase, f32x4};

/// Values on up to four axes.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Quad(pub(super) [f32; 4]);

impl Quad {
    pub(super) const ZERO: Quad = Quad([0.0; 4]);
}

/// The number of axes in a quad: three for moving boxes, so that each end is a quad of its own.
const fn per_quad(n_axes: usize) -> usize {
    if n_axes == MOVING { 3 } else { 4 }
}

/// The number of quads for this number of axes.
pub(super) const fn n_quads(n_axes: usize) -> usize {
    n_axes.div_ceil(per_quad(n_axes))
}

/// The largest number of quads.
pub(super) const MOST: usize = 3;

/// Writes a row as quads; the values beyond the last axis are left as they are.
#[inline(always)]
pub(super) fn pack<const N: usize>(row: &Row<N>, quads: &mut [Quad]) {
    for (i, &x) in row.0.iter().enumerate() {
        quads[i / per_quad(N)].0[i % per_quad(N)] = x;
    }
}

/// The lower and upper bounds of a patch; the quads beyond the last axis are unused.
#[derive(Clone, Copy)]
pub(super) struct Sides<S: Simd> {
    lo: [f32x4<S>; MOST],
    hi: [f32x4<S>; MOST],
}

impl<S: Simd> Sides<S> {
    /// The empty set.
    #[inline(always)]
    pub(super) fn empty(simd: S) -> Self {
        let [lo, hi] = [f32::INFINITY, f32::NEG_INFINITY].map(|x| f32x4::splat(simd, x));
        Sides { lo: [lo; MOST], hi: [hi; MOST] }
    }

    /// The bounds in the quads of the lower and of the upper sides.
    #[inline(always)]
    pub(super) fn load<const N: usize>(simd: S, lo: &[Quad], hi: &[Quad]) -> Self {
        let mut sides = Sides::empty(simd);
        for q in 0..n_quads(N) {
            sides.lo[q] = f32x4::from_slice(simd, &lo[q].0);
            sides.hi[q] = f32x4::from_slice(simd, &hi[q].0);
        }
        sides
    }

    /// The reverse of [`load`](Sides::load).
    #[inline(always)]
    pub(super) fn store<const N: usize>(&self, lo: &mut [Quad], hi: &mut [Quad]) {
        for q in 0..n_quads(N) {
            self.lo[q].store_slice(&mut lo[q].0);
            self.hi[q].store_slice(&mut hi[q].0);
        }
    }

    /// The bounds of both.
    #[inline(always)]
    pub(super) fn join<const N: usize>(mut self, other: &Self) -> Self {
        for q in 0..n_quads(N) {
            self.lo[q] = other.lo[q].min(self.lo[q]);
            self.hi[q] = other.hi[q].max(self.hi[q]);
        }
        self
    }

    /// Bounds that are wider on both sides.
    #[inline(always)]
    pub(super) fn widen<const N: usize>(mut self, simd: S, by: &[Quad; MOST]) -> Self {
        for q in 0..n_quads(N) {
            let by = f32x4::from_slice(simd, &by[q].0);
            self.lo[q] -= by;
            self.hi[q] += by;
        }
        self
    }
}

/// Sets the bounds of the four children of a node. Returns half of the surface area of each box on
/// the first three axes, at the start for a moving box; meaningless for empty bounds.
#[inline(always)]
pub(super) fn set_lanes<const N: usize, S: Simd>(
    simd: S,
    children: &[Sides<S>; WIDTH],
    wide: &mut Wide<N>,
) -> [f32; WIDTH] {
    let mut extents = [f32x4::splat(simd, 0.0); 3];
    for q in 0..n_quads(N) {
        let lo = transposed(children.map(|child| child.lo[q]));
        let hi = transposed(children.map(|child| child.hi[q]));
        for i in 0..per_quad(N) {
            let axis = per_quad(N) * q + i;
            if axis < N {
                lo[i].store_slice(&mut wide.lo[axis]);
                hi[i].store_slice(&mut wide.hi[axis]);
            }
            if axis < 3 {
                extents[axis] = hi[i] - lo[i];
            }
        }
    }
    let [x, y, z] = extents;
    let mut areas = [0.0; WIDTH];
    (x * y + y * z + z * x).store_slice(&mut areas);
    areas
}

/// The columns of four rows.
#[inline(always)]
fn transposed<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (ac, bd) = (a.interleave(c), b.interleave(d));
    let (first, last) = (ac.0.interleave(bd.0), ac.1.interleave(bd.1));
    [first.0, first.1, last.0, last.1]
}

/// The bounds in quads.
pub(super) fn unpack<const N: usize>(lo: &[Quad], hi: &[Quad]) -> Slabs<N> {
    let mut slabs = Slabs::EMPTY;
    for i in 0..N {
        slabs.lo[i] = lo[i / per_quad(N)].0[i % per_quad(N)];
        slabs.hi[i] = hi[i / per_quad(N)].0[i % per_quad(N)];
    }
    slabs
}

#[cfg(test)]
mod tests;
