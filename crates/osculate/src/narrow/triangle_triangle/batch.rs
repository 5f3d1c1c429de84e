//! Separates many pairs of triangles at an instant by their planes, eight at a time.

use super::TriangleStats;
use crate::Step;
use crate::math::dispatch::dispatch;
use crate::math::orient::{Plane, Sides};
use crate::math::real::Lanes;
use crate::motion::Line;
use fearless_simd::{Level, Simd, SimdBase, SimdMask, f64x8, u32x8};

/// Pairs of triangles of a step, at its start.
#[derive(Clone, Debug)]
pub(crate) struct TrianglePairs {
    /// For each corner, of the first and then of the second triangle, the vertices of all pairs;
    /// the first `len` are valid.
    vertices: [Vec<u32>; 6],
    len: usize,
}

impl TrianglePairs {
    /// Capacity for this many pairs.
    pub(crate) fn new(capacity: usize) -> TrianglePairs {
        TrianglePairs { vertices: [(); 6].map(|()| vec![0; capacity]), len: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, a: [u32; 3], b: [u32; 3]) {
        for k in 0..3 {
            self.vertices[k][self.len] = a[k];
            self.vertices[3 + k][self.len] = b[k];
        }
        self.len += 1;
    }

    /// The vertices of the two triangles of a pair.
    pub(crate) fn get(&self, i: usize) -> [[u32; 3]; 2] {
        let at = |corner: usize| self.vertices[corner][i];
        [[at(0), at(1), at(2)], [at(3), at(4), at(5)]]
    }
}

/// Pairs per vector.
const LANES: usize = 8;

/// Calls `open(i, sides)` for the pairs that the planes of the two triangles do not prove
/// [separate](super::Relation::Separate), in ascending order: those that
/// [`triangle_triangle`](super::triangle_triangle) decides beyond its first stage, from the same
/// sides.
pub(crate) fn separate_by_planes(
    step: &Step,
    pairs: &TrianglePairs,
    stats: &mut TriangleStats,
    mut open: impl FnMut(usize, [Sides; 2]),
) {
    // Not a type parameter: the loop is compiled once per instruction set.
    let open: &mut dyn FnMut(usize, [Sides; 2]) = &mut open;
    dispatch!(Level::new(), simd => run(simd, step.lines(), pairs, stats, open));
}

#[inline(always)]
fn run<S: Simd>(
    simd: S,
    lines: &[Line],
    pairs: &TrianglePairs,
    stats: &mut TriangleStats,
    open: &mut dyn FnMut(usize, [Sides; 2]),
) {
    for first in (0..pairs.len).step_by(LANES) {
        let n = LANES.min(pairs.len - first);
        // Lanes past the end repeat the first pair.
        let mut vertices = [[0; LANES]; 6];
        for (lanes, all) in vertices.iter_mut().zip(&pairs.vertices) {
            *lanes = [all[first]; LANES];
            lanes[..n].copy_from_slice(&all[first..first + n]);
        }
        let [a0, a1, a2, b0, b1, b2] = &vertices;
        let (a, b) = (gather(simd, lines, [a0, a1, a2]), gather(simd, lines, [b0, b1, b2]));
        let (shared_a, shared_b) = shared(simd, [a0, a1, a2], [b0, b1, b2]);
        let sides_a = LaneSides::new(&Plane::new(&b), &a);
        let sides_b = LaneSides::new(&Plane::new(&a), &b);
        let separate = sides_a.one_sided(shared_a) | sides_b.one_sided(shared_b);
        let mut lanes = !separate & ((1 << n) - 1);
        let n_separate = n as u64 - u64::from(lanes.count_ones());
        stats.pairs += n_separate;
        stats.plane_misses += n_separate;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            open(first + lane, [sides_a.lane(lane), sides_b.lane(lane)]);
            lanes &= lanes - 1;
        }
    }
}

/// For each corner of the first and of the second triangle, the set of lanes in which it is shared.
#[inline(always)]
fn shared<S: Simd>(simd: S, a: [&[u32; LANES]; 3], b: [&[u32; LANES]; 3]) -> ([u64; 3], [u64; 3]) {
    let (mut shared_a, mut shared_b) = ([0; 3], [0; 3]);
    for i in 0..3 {
        let corner = u32x8::from_slice(simd, a[i]);
        for j in 0..3 {
            let equal = corner.simd_eq(u32x8::from_slice(simd, b[j])).to_bitmask();
            shared_a[i] |= equal;
            shared_b[j] |= equal;
        }
    }
    (shared_a, shared_b)
}

/// The certified sides of three corners relative to a plane, each a set of lanes.
struct LaneSides {
    above: [u64; 3],
    below: [u64; 3],
}

impl LaneSides {
    #[inline(always)]
    fn new<S: Simd>(plane: &Plane<Lanes<S>>, corners: &[[Lanes<S>; 3]; 3]) -> LaneSides {
        let mut sides = LaneSides { above: [0; 3], below: [0; 3] };
        for (k, corner) in corners.iter().enumerate() {
            let (above, below) = plane.certified_side(corner);
            sides.above[k] = above.to_bitmask();
            sides.below[k] = below.to_bitmask();
        }
        sides
    }

    /// The lanes in which the corners that are not shared are strictly on one side; not those in
    /// which all are shared.
    #[inline(always)]
    fn one_sided(&self, shared: [u64; 3]) -> u64 {
        let all = |side: &[u64; 3]| (side[0] | shared[0]) & (side[1] | shared[1]) & (side[2] | shared[2]);
        all(&self.above) ^ all(&self.below)
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> Sides {
        let set = |side: &[u64; 3]| (0..3).fold(0, |set, k| set | ((side[k] >> lane & 1) as u8) << k);
        Sides::new(set(&self.above), set(&self.below))
    }
}

/// The corners of a triangle of each pair, one pair per lane.
#[inline(always)]
fn gather<S: Simd>(simd: S, lines: &[Line], vertices: [&[u32; LANES]; 3]) -> [[Lanes<S>; 3]; 3] {
    let mut corners = [[Lanes(f64x8::<S>::splat(simd, 0.0)); 3]; 3];
    let mut rows = [&lines[0].0; LANES];
    for (corner, vertices) in corners.iter_mut().zip(vertices) {
        for (row, &v) in rows.iter_mut().zip(vertices) {
            *row = &lines[v as usize].0;
        }
        for (axis, values) in corner.iter_mut().enumerate() {
            *values = Lanes(f64x8::<S>::from_fn(simd, |lane| rows[lane][axis]));
        }
    }
    corners
}
