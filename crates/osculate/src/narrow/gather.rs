//! Gathers queries into vector lanes.

use super::features::Ends;
use crate::math::real::Lanes;
use crate::motion::Line;
use fearless_simd::{Simd, SimdBase as _, SimdCombine as _, f64x4, f64x8};

/// Queries per vector.
pub(super) const LANES: usize = 8;

/// The whole step, its beginning, or its start alone, as nothing moves.
pub(super) const WHOLE: u8 = 0;
pub(super) const CUT: u8 = 1;
pub(super) const REST: u8 = 2;

/// The points of the queries `chunk` of a block, one per lane; lanes past the end repeat the last
/// query. If `PART` is [`REST`], the ends of the step are read as its start.
#[inline(always)]
pub(super) fn gather<const PART: u8, const N: usize, S: Simd>(
    simd: S,
    lines: &[Line],
    block: &[[u32; N]],
    chunk: &[u16],
) -> [Ends<Lanes<S>>; N] {
    // All of it is written below. Zeros would be written by a call of memset.
    let any = Lanes(f64x8::<S>::splat(simd, 1.0));
    let mut points: [Ends<Lanes<S>>; N] = [[[any; 3]; 2]; N];
    let mut rows = [&lines[0].0; LANES];
    for k in 0..N {
        for lane in 0..LANES {
            let query = usize::from(chunk[lane.min(chunk.len() - 1)]);
            rows[lane] = &lines[block[query][k] as usize].0;
        }
        points[k][0] = by_axis::<0, S>(simd, &rows);
        points[k][1] = if PART == REST { points[k][0] } else { by_axis::<4, S>(simd, &rows) };
    }
    points
}

/// Entries `FIRST`, `FIRST + 1` and `FIRST + 2` of eight rows, one row per lane: transposed in
/// registers, as a vector that is read right after its lanes were written would wait for them.
#[inline(always)]
pub(super) fn by_axis<const FIRST: usize, S: Simd>(simd: S, rows: &[&[f64; 8]; LANES]) -> [Lanes<S>; 3] {
    let row = |lane: usize| f64x4::from_slice(simd, &rows[lane][FIRST..FIRST + 4]);
    let half = |first: usize| {
        let [a, b, c, d] = [row(first), row(first + 1), row(first + 2), row(first + 3)];
        // x0 x2 y0 y2 and x1 x3 y1 y3, then x0 x1 x2 x3; z likewise.
        let (low, other_low) = (a.zip_low(c), b.zip_low(d));
        let (high, other_high) = (a.zip_high(c), b.zip_high(d));
        [low.zip_low(other_low), low.zip_high(other_low), high.zip_low(other_high)]
    };
    let ([x, y, z], [u, v, w]) = (half(0), half(4));
    [Lanes(x.combine(u)), Lanes(y.combine(v)), Lanes(z.combine(w))]
}
