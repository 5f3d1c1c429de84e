//! Many pairs of triangles at an instant: those that a plane separates, eight at a time.

use super::TriangleStats;
use crate::Step;
use crate::math::orient::Plane;
use crate::math::real::Lanes;
use crate::motion::Line;
use fearless_simd::{Level, Simd, SimdBase, SimdMask, dispatch, f64x8};

/// Two triangles of a step, at its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrianglePair {
    /// The vertices of the first, then of the second triangle.
    pub(crate) vertices: [u32; 6],
    /// Which of these are shared, a bit each.
    shared: u8,
}

impl TrianglePair {
    #[inline(always)]
    pub(crate) fn new(a: [u32; 3], b: [u32; 3]) -> TrianglePair {
        let mut shared = 0;
        for (i, v) in a.iter().enumerate() {
            for (j, w) in b.iter().enumerate() {
                let equal = u8::from(v == w);
                shared |= equal << i | equal << (3 + j);
            }
        }
        TrianglePair { vertices: [a[0], a[1], a[2], b[0], b[1], b[2]], shared }
    }
}

/// Pairs that a vector holds.
const LANES: usize = 8;

/// Calls `open(i)` for the pairs that the planes of the two triangles do not prove [separate](super::Relation::Separate), in ascending
/// order: those that [`triangle_triangle`](super::triangle_triangle) decides beyond its first stage.
pub(crate) fn separate_by_planes(
    step: &Step,
    pairs: &[TrianglePair],
    stats: &mut TriangleStats,
    mut open: impl FnMut(usize),
) {
    // Not a type parameter: the loop is compiled once for each set of vector instructions.
    let open: &mut dyn FnMut(usize, u64) = &mut |first, mut lanes| {
        while lanes != 0 {
            open(first + lanes.trailing_zeros() as usize);
            lanes &= lanes - 1;
        }
    };
    dispatch!(Level::new(), simd => run(simd, step.lines(), pairs, stats, open));
}

#[inline(always)]
fn run<S: Simd>(
    simd: S,
    lines: &[Line],
    pairs: &[TrianglePair],
    stats: &mut TriangleStats,
    open: &mut dyn FnMut(usize, u64),
) {
    for (k, chunk) in pairs.chunks(LANES).enumerate() {
        let (a, b) = (gather(simd, lines, chunk, 0), gather(simd, lines, chunk, 3));
        // A byte for each corner, a bit for each pair.
        let mut shared = [0u64; 6];
        for (lane, pair) in chunk.iter().enumerate() {
            for (corner, lanes) in shared.iter_mut().enumerate() {
                *lanes |= u64::from(pair.shared >> corner & 1) << lane;
            }
        }
        let separate = on_one_side(&Plane::new(&b), &a, [shared[0], shared[1], shared[2]])
            | on_one_side(&Plane::new(&a), &b, [shared[3], shared[4], shared[5]]);
        let lanes = !separate & ((1 << chunk.len()) - 1);
        let n_separate = chunk.len() as u64 - u64::from(lanes.count_ones());
        stats.pairs += n_separate;
        stats.plane_misses += n_separate;
        open(k * LANES, lanes);
    }
}

/// The lanes in which the corners that are not shared are strictly on one side of the plane.
#[inline(always)]
fn on_one_side<S: Simd>(plane: &Plane<Lanes<S>>, corners: &[[Lanes<S>; 3]; 3], shared: [u64; 3]) -> u64 {
    let (mut above, mut below) = (!0, !0);
    for (corner, shared) in corners.iter().zip(shared) {
        let side = plane.certified_side(corner);
        above &= side.0.to_bitmask() | shared;
        below &= side.1.to_bitmask() | shared;
    }
    // Both, if all corners are shared: that proves nothing.
    above ^ below
}

/// The corners of the first or the second triangle of each pair, one pair a lane; lanes past the end repeat the last pair.
#[inline(always)]
fn gather<S: Simd>(simd: S, lines: &[Line], chunk: &[TrianglePair], first: usize) -> [[Lanes<S>; 3]; 3] {
    let mut corners = [[Lanes(f64x8::<S>::splat(simd, 0.0)); 3]; 3];
    let mut rows = [&lines[0].0; LANES];
    for k in 0..3 {
        for lane in 0..LANES {
            let pair = &chunk[lane.min(chunk.len() - 1)];
            rows[lane] = &lines[pair.vertices[first + k] as usize].0;
        }
        for axis in 0..3 {
            corners[k][axis] = Lanes(f64x8::<S>::from_fn(simd, |lane| rows[lane][axis]));
        }
    }
    corners
}
