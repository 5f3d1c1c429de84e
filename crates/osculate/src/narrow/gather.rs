//! Gathers queries into vector lanes.

use crate::math::real::Lanes;
use crate::motion::Line;
use fearless_simd::{Simd, SimdBase as _, SimdCombine as _, f64x4, f64x8};

/// Queries per vector.
pub(super) const LANES: usize = 8;

/// The whole step, its beginning, or its start alone, as nothing moves.
pub(super) const WHOLE: u8 = 0;
pub(super) const CUT: u8 = 1;
pub(super) const REST: u8 = 2;

/// Up to [`LANES`] queries, one per lane; lanes past the end repeat the last one.
#[inline(always)]
pub(super) fn one_per_lane<const N: usize>(queries: &[[u32; N]]) -> [&[u32; N]; LANES] {
    match queries.first_chunk() {
        Some(all) => all.each_ref(),
        None => {
            let mut all = [&queries[queries.len() - 1]; LANES];
            all.iter_mut().zip(queries).for_each(|(lane, query)| *lane = query);
            all
        }
    }
}

/// The points of queries at both ends of the step, or with one of `ENDS`, at its start.
#[inline(always)]
pub(super) fn gather<const N: usize, const ENDS: usize, S: Simd>(
    simd: S,
    lines: &[Line],
    queries: &[&[u32; N]; LANES],
) -> [[[Lanes<S>; 3]; ENDS]; N] {
    // All of it is written below. Zeros would be written by a call of memset.
    let any = Lanes(f64x8::<S>::splat(simd, 1.0));
    let mut points = [[[any; 3]; ENDS]; N];
    for (k, ends) in points.iter_mut().enumerate() {
        let row = |lane: usize| &lines[queries[lane][k] as usize].0;
        let (low, high) = ([row(0), row(1), row(2), row(3)], [row(4), row(5), row(6), row(7)]);
        ends[0] = by_axis::<0, S>(simd, low, high);
        if 1 < ENDS {
            ends[1] = by_axis::<4, S>(simd, low, high);
        }
    }
    points
}

/// Entries `FIRST`, `FIRST + 1` and `FIRST + 2` of eight rows, one row per lane: transposed in
/// registers, as a vector that is read right after its lanes were written would wait for them.
#[inline(always)]
pub(super) fn by_axis<const FIRST: usize, S: Simd>(
    simd: S,
    low: [&[f64; 8]; 4],
    high: [&[f64; 8]; 4],
) -> [Lanes<S>; 3] {
    let half = |rows: [&[f64; 8]; 4]| {
        let row = |lane: usize| f64x4::from_slice(simd, &rows[lane][FIRST..FIRST + 4]);
        let [a, b, c, d] = [row(0), row(1), row(2), row(3)];
        // x0 x2 y0 y2 and x1 x3 y1 y3, then x0 x1 x2 x3; z likewise.
        let (low, other_low) = (a.zip_low(c), b.zip_low(d));
        let (high, other_high) = (a.zip_high(c), b.zip_high(d));
        [low.zip_low(other_low), low.zip_high(other_low), high.zip_low(other_high)]
    };
    let ([x, y, z], [u, v, w]) = (half(low), half(high));
    [Lanes(x.combine(u)), Lanes(y.combine(v)), Lanes(z.combine(w))]
}
