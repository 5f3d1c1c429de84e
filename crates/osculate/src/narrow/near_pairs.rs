//! Boxes of the features of two triangles: which of their fifteen pairs are not separated.
//!
//! Most feature pairs of two triangles with overlapping bounds are far apart. All of a triangle
//! pair are compared here at once, eight triangle pairs in lanes, before any is written down.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over the entries of several arrays become vector instructions"
)]

use super::Settings;
use super::gather::{CUT, LANES, REST, WHOLE, gather, one_per_lane};
use super::separation::reach;
use crate::Step;
use crate::math::dispatch::dispatch;
use crate::math::real::{Lanes, Real as _};
use crate::motion::Line;
use fearless_simd::{Level, Simd, SimdBase as _, SimdMask as _, f64x8};

/// When boxes count as separated.
#[derive(Clone, Copy)]
pub(crate) struct Near {
    /// The end of the part of the step that is tested.
    pub(super) until: f64,
    /// Boxes with a larger gap than this are separated.
    pub(super) gap: f64,
}

impl Near {
    pub(crate) fn new(step: &Step, settings: &Settings, until: f64) -> Near {
        let gap = reach(settings.min_separation);
        if 1.0 <= until {
            return Near { until: 1.0, gap };
        }
        if until == 0.0 {
            return Near { until, gap };
        }
        // A multiple of 2^-52, so that polynomials can be restricted to it.
        let until = (until / f64::EPSILON).ceil() * f64::EPSILON;
        // With u = 2^-53 and M the largest coordinate, `a + until (b - a)` is computed with an
        // error below 8 u M: the difference, of at most 2 M, is rounded once, its product once, and
        // the sum, of at most 3 M, once. A gap compares two such values, and rounds by at most 4 u
        // M.
        Near { until, gap: gap + 16.0 * f64::EPSILON * step.largest() }
    }
}

/// Number of feature pairs of two triangles.
const N_PAIRS: usize = 15;

/// Takes out of each set of feature pairs of two triangles those whose boxes are separated as in
/// [`decide_batch`](super::decide_batch), and returns their number. The corners of the triangles
/// are vertices of `step`. Bits 0 to 2 of a set are the corners of the first triangle and the
/// second triangle, 3 to 5 the corners of the second triangle and the first triangle, and 6 + 3 i +
/// j is edge i of the first triangle, from corner i to the next, and edge j of the second.
pub(crate) fn drop_far_pairs(step: &Step, near: Near, triangles: &[[u32; 6]], pairs: &mut [u16]) -> u64 {
    let lines = step.lines();
    // Where the filter is not valid, nothing is dropped.
    if !step.in_filter_range() {
        return 0;
    }
    let level = Level::new();
    if near.until == 0.0 {
        dispatch!(level, simd => run::<REST, _>(simd, lines, near, triangles, pairs))
    } else if near.until == 1.0 {
        dispatch!(level, simd => run::<WHOLE, _>(simd, lines, near, triangles, pairs))
    } else {
        dispatch!(level, simd => run::<CUT, _>(simd, lines, near, triangles, pairs))
    }
}

#[inline(always)]
fn run<const PART: u8, S: Simd>(
    simd: S,
    lines: &[Line],
    near: Near,
    triangles: &[[u32; 6]],
    pairs: &mut [u16],
) -> u64 {
    let least = Lanes(f64x8::splat(simd, f64::NEG_INFINITY));
    let (gap, until) = (f64x8::splat(simd, near.gap), Lanes(f64x8::splat(simd, near.until)));
    let mut n_dropped = 0;
    for (triangles, pairs) in triangles.chunks(LANES).zip(pairs.chunks_mut(LANES)) {
        let triangles = one_per_lane(triangles);
        let mut gaps = [least; N_PAIRS];
        if PART == REST {
            let corners = gather::<6, 1, S>(simd, lines, &triangles);
            for axis in 0..3 {
                let mut coordinates = [least; 6];
                for k in 0..6 {
                    coordinates[k] = corners[k][0][axis];
                }
                let starts = Intervals::new(&coordinates);
                for k in 0..N_PAIRS {
                    let (below, above) = starts.gaps(k);
                    gaps[k] = gaps[k].max(below.max(above));
                }
            }
        } else {
            let corners = gather::<6, 2, S>(simd, lines, &triangles);
            for axis in 0..3 {
                let mut coordinates = [[least; 6]; 2];
                for k in 0..6 {
                    let [start, end] = [corners[k][0][axis], corners[k][1][axis]];
                    coordinates[0][k] = start;
                    coordinates[1][k] = if PART == CUT { start + (end - start) * until } else { end };
                }
                let (starts, ends) = (Intervals::new(&coordinates[0]), Intervals::new(&coordinates[1]));
                for k in 0..N_PAIRS {
                    let (at_start, at_end) = (starts.gaps(k), ends.gaps(k));
                    let (below, above) = (at_start.0.min(at_end.0), at_start.1.min(at_end.1));
                    gaps[k] = gaps[k].max(below.max(above));
                }
            }
        }
        // One byte for each feature pair, with a bit for each lane; then the other way round.
        let mut far = [0_u8; 16];
        for k in 0..N_PAIRS {
            far[k] = gap.simd_lt(gaps[k].0).to_bitmask() as u8;
        }
        let [first, second] =
            [0, 8].map(|k| transposed(u64::from_le_bytes(far[k..k + 8].try_into().expect("eight bytes"))));
        for (lane, pairs) in pairs.iter_mut().enumerate() {
            let far = (first >> (8 * lane) & 0xff | (second >> (8 * lane) & 0xff) << 8) as u16;
            n_dropped += u64::from((*pairs & far).count_ones());
            *pairs &= !far;
        }
    }
    n_dropped
}

/// The intervals of the features of two triangles along an axis.
#[derive(Clone, Copy)]
struct Intervals<S: Simd> {
    /// The corners of the first triangle, then those of the second.
    corners: [Lanes<S>; 6],
    /// Least and largest coordinates of the edges.
    edges: [[Lanes<S>; 6]; 2],
    faces: [[Lanes<S>; 2]; 2],
}

impl<S: Simd> Intervals<S> {
    #[inline(always)]
    fn new(corners: &[Lanes<S>; 6]) -> Intervals<S> {
        let (mut edges, mut faces) = ([*corners; 2], [[corners[0]; 2]; 2]);
        for triangle in 0..2 {
            let first = 3 * triangle;
            for k in 0..3 {
                let (a, b) = (corners[first + k], corners[first + (k + 1) % 3]);
                edges[0][first + k] = a.min(b);
                edges[1][first + k] = a.max(b);
            }
            faces[0][triangle] = edges[0][first].min(corners[first + 2]);
            faces[1][triangle] = edges[1][first].max(corners[first + 2]);
        }
        Intervals { corners: *corners, edges, faces }
    }

    /// By how much one feature of pair k is below the other, and above it.
    #[inline(always)]
    fn gaps(&self, k: usize) -> (Lanes<S>, Lanes<S>) {
        if k < 6 {
            let (corner, face) = (self.corners[k], if k < 3 { 1 } else { 0 });
            (self.faces[0][face] - corner, corner - self.faces[1][face])
        } else {
            let (a, b) = ((k - 6) / 3, 3 + (k - 6) % 3);
            (self.edges[0][b] - self.edges[1][a], self.edges[0][a] - self.edges[1][b])
        }
    }
}

/// Transposes a matrix of eight rows of eight bits: bit 8 i + j becomes bit 8 j + i. Each step
/// exchanges the off-diagonal blocks of half the size.
#[inline(always)]
fn transposed(mut bits: u64) -> u64 {
    for (shift, block) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0_u64)]
    {
        let differing = (bits ^ bits >> shift) & block;
        bits ^= differing ^ differing << shift;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::{Kind, features};
    use crate::random::random;

    #[test]
    fn bits_are_transposed() {
        for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
            assert_eq!(transposed(1 << (8 * i + j)), 1 << (8 * j + i));
        }
    }

    /// The vertices of pair k of two triangles, among their six corners.
    fn query(k: usize) -> (Kind, [usize; 4]) {
        match k {
            0..3 => (Kind::VertexFace, [k, 3, 4, 5]),
            3..6 => (Kind::VertexFace, [k, 0, 1, 2]),
            _ => {
                let (i, j) = ((k - 6) / 3, (k - 6) % 3);
                (Kind::EdgeEdge, [i, (i + 1) % 3, 3 + j, 3 + (j + 1) % 3])
            }
        }
    }

    /// Small integers make many gaps that are equal to the separation.
    #[test]
    fn pairs_are_dropped_as_one_by_one() {
        let mut next = random(77);
        let settings = Settings { min_separation: 1.0, ..Settings::default() };
        let mut n = [0; 2];
        for until in [0.0, 1.0, 0.3] {
            let mut pose = || -> Vec<[f64; 3]> {
                (0..90)
                    .map(|i: usize| {
                        let p = [0; 3].map(|_| 8.0 * next() - 4.0);
                        p.map(|x: f64| if i.is_multiple_of(3) { x } else { x.round() })
                    })
                    .collect()
            };
            let start = pose();
            let end = if until == 0.0 { start.clone() } else { pose() };
            let step = Step::new(&start, &end).unwrap();
            let near = Near::new(&step, &settings, until);
            assert!((until..until + 1e-15).contains(&near.until));
            for n_triangles in (0..40).chain([500]) {
                let triangles: Vec<[u32; 6]> =
                    (0..n_triangles).map(|_| [0; 6].map(|_| (next() * 90.0) as u32)).collect();
                let sets: Vec<u16> = triangles.iter().map(|_| (next() * 32768.0) as u16).collect();
                let mut kept = sets.clone();
                let n_dropped = drop_far_pairs(&step, near, &triangles, &mut kept);
                let mut n_far = 0;
                for ((corners, &set), &kept) in triangles.iter().zip(&sets).zip(&kept) {
                    for k in 0..16 {
                        let is_kept = set >> k & 1 != 0 && {
                            let (kind, vertices) = query(k);
                            let points = vertices.map(|v| {
                                let [start, end] = step.lines()[corners[v] as usize].ends();
                                let at_end = [0, 1, 2].map(|i| start[i] + (end[i] - start[i]) * near.until);
                                [start, if until == 1.0 { end } else { at_end }]
                            });
                            let is_far = features::boxes_apart(kind, &points, near.gap);
                            n_far += u64::from(is_far);
                            n[usize::from(is_far)] += 1;
                            !is_far
                        };
                        assert_eq!(kept >> k & 1 != 0, is_kept, "{k} {until}");
                    }
                }
                assert_eq!(n_dropped, n_far);
            }
        }
        assert!(n.iter().all(|&n| 1000 < n), "{n:?}");
    }

    /// Beyond the range of the filters nothing is dropped: those queries are decided one by one.
    #[test]
    fn large_coordinates_drop_nothing() {
        let pose: Vec<[f64; 3]> = (0..6).map(|i| [f64::from(i) * 1e300; 3]).collect();
        let step = Step::new(&pose, &pose).unwrap();
        let near = Near::new(&step, &Settings::default(), 1.0);
        let mut pairs = [0x7fff];
        assert_eq!(drop_far_pairs(&step, near, &[[0, 1, 2, 3, 4, 5]], &mut pairs), 0);
        assert_eq!(pairs, [0x7fff]);
    }
}
