//! Overlap tests of the children of a node, four at a time.
//!
//! The traversal is compiled once, for the baseline vector instructions of the target. Only the
//! comparison of all children of two nodes is worth a call of code with better ones.

use super::{MOVING, Slabs, Wide};
use crate::hierarchy::WIDTH;
use crate::math::dispatch::dispatch;
use fearless_simd::{Level, Simd, SimdBase, SimdMask, f32x4, mask32x4};
#[cfg(target_arch = "x86_64")]
use fearless_simd::{f32x16, u8x64};
#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

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
        #[cfg(target_arch = "x86_64")]
        {
            let level = *LEVEL;
            if let Some(simd) = level.as_avx512() {
                return simd.vectorize(
                    #[inline(always)]
                    || all_pairs::<START, N, _>(simd, self, other),
                );
            }
            if let Some(simd) = level.as_avx2() {
                return simd.vectorize(
                    #[inline(always)]
                    || all_pairs::<START, N, _>(simd, self, other),
                );
            }
        }
        dispatch!(Level::baseline(), simd => {
            let mut all = 0;
            for lane in 0..WIDTH {
                all |= lanes::<START, N, _>(simd, other, &self.lane(lane)) << (WIDTH * lane);
            }
            all
        })
    }
}

/// The vector instructions of this processor.
#[cfg(target_arch = "x86_64")]
static LEVEL: LazyLock<Level> = LazyLock::new(Level::new);

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

/// The pairs of a lane of `a` and one of `b` that overlap, bit `WIDTH i + j` for lanes i and j, all
/// at once; with `START`, moving boxes are compared at the start only.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn all_pairs<const START: bool, const N: usize, S: Simd>(simd: S, a: &Wide<N>, b: &Wide<N>) -> u32 {
    /// The bytes of lane i of a block of four f32, in each lane of block i.
    const SPREAD: [u8; 64] = {
        let mut bytes = [0; 64];
        let mut k = 0;
        while k < 64 {
            bytes[k] = (k / 16 * 4 + k % 4) as u8;
            k += 1;
        }
        bytes
    };
    let spread = u8x64::from_slice(simd, &SPREAD);
    let mut apart = 0;
    for i in 0..if N == MOVING { 3 } else { N } {
        let (mut below, mut above) = pairs_on_axis(simd, a, b, spread, i);
        if N == MOVING && !START {
            let at_end = pairs_on_axis(simd, a, b, spread, i + 3);
            below &= at_end.0;
            above &= at_end.1;
        }
        apart |= below | above;
    }
    !apart & ((1 << (WIDTH * WIDTH)) - 1)
}

/// The pairs of a lane of `a` and one of `b` of which the first is below the second on an axis, and
/// those of which it is above. Not a closure, which may be compiled for other vector instructions.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn pairs_on_axis<const N: usize, S: Simd>(
    simd: S,
    a: &Wide<N>,
    b: &Wide<N>,
    spread: u8x64<S>,
    i: usize,
) -> (u32, u32) {
    let lo_a = f32x16::block_splat(f32x4::from_slice(simd, &a.lo[i])).swizzle_dyn_within_blocks(spread);
    let hi_a = f32x16::block_splat(f32x4::from_slice(simd, &a.hi[i])).swizzle_dyn_within_blocks(spread);
    let lo_b = f32x16::block_splat(f32x4::from_slice(simd, &b.lo[i]));
    let hi_b = f32x16::block_splat(f32x4::from_slice(simd, &b.hi[i]));
    (hi_a.simd_lt(lo_b).to_bitmask() as u32, hi_b.simd_lt(lo_a).to_bitmask() as u32)
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
