//! Overlap tests of the children of a node, four at a time.
//!
//! They use the baseline vector instructions of the target, so that the traversal is compiled once.

use super::{MOVING, Slabs, Wide};
use crate::hierarchy::WIDTH;
use crate::math::dispatch::dispatch;
use fearless_simd::{Level, Simd, SimdBase, SimdMask, f32x4, mask32x4};

impl<const N: usize> Wide<N> {
    /// Bit k is set if lane k overlaps `other`.
    #[inline(always)]
    pub(crate) fn overlaps(&self, other: &Slabs<N>) -> u32 {
        dispatch!(Level::baseline(), simd => lanes::<false, N, _>(simd, self, other))
    }

    /// Bit `WIDTH a + b` is set if lane a overlaps lane b of `other`.
    #[inline(always)]
    pub(crate) fn overlaps_each(&self, other: &Wide<N>) -> u32 {
        self.each::<false>(other)
    }

    #[inline(always)]
    fn each<const START: bool>(&self, other: &Wide<N>) -> u32 {
        dispatch!(Level::baseline(), simd => {
            let mut all = 0;
            for lane in 0..WIDTH {
                all |= lanes::<START, N, _>(simd, other, &self.lane(lane)) << (WIDTH * lane);
            }
            all
        })
    }
}

impl Wide<MOVING> {
    /// As [`overlaps`](Wide::overlaps), at the start only.
    #[inline(always)]
    pub(crate) fn overlaps_at_start(&self, other: &Slabs<MOVING>) -> u32 {
        dispatch!(Level::baseline(), simd => lanes::<true, MOVING, _>(simd, self, other))
    }

    /// As [`overlaps_each`](Wide::overlaps_each), at the start only.
    #[inline(always)]
    pub(crate) fn overlaps_each_at_start(&self, other: &Wide<MOVING>) -> u32 {
        self.each::<true>(other)
    }
}

/// The lanes of `wide` that overlap `other`, one bit each; with `START`, moving boxes are compared
/// at the start only.
#[inline(always)]
fn lanes<const START: bool, const N: usize, S: Simd>(simd: S, wide: &Wide<N>, other: &Slabs<N>) -> u32 {
    // Whether the lane is below `other` along axis i, and whether it is above.
    let sides = |i: usize| -> (mask32x4<S>, mask32x4<S>) {
        let (lo, hi) = (f32x4::from_slice(simd, &wide.lo[i]), f32x4::from_slice(simd, &wide.hi[i]));
        (hi.simd_lt(f32x4::splat(simd, other.lo[i])), f32x4::splat(simd, other.hi[i]).simd_lt(lo))
    };
    let mut apart = mask32x4::splat(simd, false);
    for i in 0..if N == MOVING { 3 } else { N } {
        let (mut below, mut above) = sides(i);
        if N == MOVING && !START {
            let at_end = sides(i + 3);
            below &= at_end.0;
            above &= at_end.1;
        }
        apart |= below | above;
    }
    !(apart.to_bitmask() as u32) & ((1 << WIDTH) - 1)
}
