//! Decides many pairs of triangles at an instant, eight at a time, as far as certified signs do.
//!
//! Most pairs are separated by the plane of one of the triangles. Of the others, those without a
//! corner in or near a plane are compared on the line of both planes, as in [`line`](super::line),
//! from the same signs; so their segments are the same to the bit.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over the entries of several arrays become vector instructions"
)]

use super::line::point_between;
use super::{Found, Relation, TriangleStats};
use crate::Step;
use crate::math::dispatch::dispatch;
use crate::math::orient::{Plane, Point, Sides, parameter_between};
use crate::math::real::{Lanes, Real as _};
use crate::motion::Line;
use crate::narrow::gather::by_axis;
use fearless_simd::{Level, Simd, SimdBase, SimdMask, f64x8, mask64x8, u32x8};

/// Pairs of triangles of a step, at its start.
#[derive(Clone, Debug)]
pub(crate) struct TrianglePairs {
    /// For each corner, of the first and then of the second triangle, the vertices of eight pairs.
    /// Lanes past the end repeat the first pair of the chunk.
    chunks: Vec<[[u32; LANES]; 6]>,
    len: usize,
}

impl TrianglePairs {
    /// Capacity for this many pairs.
    pub(crate) fn new(capacity: usize) -> TrianglePairs {
        TrianglePairs { chunks: Vec::with_capacity(capacity.div_ceil(LANES)), len: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.chunks.clear();
        self.len = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, a: [u32; 3], b: [u32; 3]) {
        let (lane, corners) = (self.len % LANES, [a[0], a[1], a[2], b[0], b[1], b[2]]);
        self.len += 1;
        match self.chunks.last_mut() {
            Some(chunk) if lane != 0 => {
                for (lanes, v) in chunk.iter_mut().zip(corners) {
                    lanes[lane] = v;
                }
            }
            _ => self.chunks.push(corners.map(|v| [v; LANES])),
        }
    }

    /// The vertices of the two triangles of a pair.
    pub(crate) fn get(&self, i: usize) -> [[u32; 3]; 2] {
        let chunk = &self.chunks[i / LANES];
        let at = |corner: usize| chunk[corner][i % LANES];
        [[at(0), at(1), at(2)], [at(3), at(4), at(5)]]
    }
}

/// Pairs per vector.
const LANES: usize = 8;

/// A pair that is not proven [separate](Relation::Separate).
pub(crate) enum Open {
    /// The triangles cross.
    Crossing(Found),
    /// It is not decided; the sides of the corners of each triangle relative to the plane of the
    /// other, as far as they are certified.
    Undecided([Sides; 2]),
}

/// Calls `open(i, how)` for the pairs that certified signs do not prove
/// [separate](Relation::Separate), in ascending order. Pairs that are not decided are not counted.
pub(crate) fn decide_pairs(
    step: &Step,
    pairs: &TrianglePairs,
    stats: &mut TriangleStats,
    mut open: impl FnMut(usize, Open),
) {
    // Not a type parameter: the loop is compiled once per instruction set.
    let open: &mut dyn FnMut(usize, Open) = &mut open;
    dispatch!(Level::new(), simd => run(simd, step.lines(), pairs, stats, open));
}

#[inline(always)]
fn run<S: Simd>(
    simd: S,
    lines: &[Line],
    pairs: &TrianglePairs,
    stats: &mut TriangleStats,
    open: &mut dyn FnMut(usize, Open),
) {
    for (number, chunk) in pairs.chunks.iter().enumerate() {
        let first = number * LANES;
        let n = LANES.min(pairs.len - first);
        let [a0, a1, a2, b0, b1, b2] = chunk;
        let (a, b) = (corners(simd, lines, [a0, a1, a2]), corners(simd, lines, [b0, b1, b2]));
        let (shared_a, shared_b) = shared(simd, [a0, a1, a2], [b0, b1, b2]);
        let sides_a = LaneSides::new(&Plane::new(&b), &a);
        let sides_b = LaneSides::new(&Plane::new(&a), &b);
        let one_sided = sides_a.one_sided(shared_a) | sides_b.one_sided(shared_b);
        let mut rest = !one_sided & ((1 << n) - 1);
        let n_one_sided = n as u64 - u64::from(rest.count_ones());
        stats.pairs += n_one_sided;
        stats.plane_misses += n_one_sided;
        let mut separate = rest & meet_in_a_corner(&sides_a, shared_a, &sides_b, shared_b);
        rest &= !separate;
        // No shared corner is off the plane.
        let straddling = rest & sides_a.all_off() & sides_b.all_off();
        let mut line = None;
        if straddling != 0 {
            let on_line = OnLine::new(simd, [&a, &b], [&sides_a, &sides_b]);
            separate |= straddling & on_line.separate;
            rest &= !separate;
            line = Some(on_line).filter(|on_line| straddling & on_line.crossing != 0);
        }
        let values = line.as_ref().map(|_| [sides_a.values(), sides_b.values()]);
        let mut n_decided = u64::from(separate.count_ones());
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let segment = line.as_ref().zip(values.as_ref()).and_then(|(line, values)| {
                if straddling & line.crossing & 1 << lane == 0 {
                    return None;
                }
                line.segment(lane, values, |corner| lines[chunk[corner][lane] as usize].ends()[0])
            });
            if let Some(segment) = segment {
                n_decided += 1;
                open(first + lane, Open::Crossing((Relation::Piercing, Some(segment))));
            } else {
                open(first + lane, Open::Undecided([sides_a.lane(lane), sides_b.lane(lane)]));
            }
        }
        stats.pairs += n_decided;
        stats.filtered += n_decided;
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

/// The lanes in which two triangles share one corner, both straddle the plane of the other, and
/// they meet in that corner alone.
///
/// The shared corner is an end of both intervals on the line of both planes. If it is the lower end
/// of one and the upper end of the other, they have no more in common. With p above, q below and s
/// shared, the first triangle begins at s if it is `s p q`, and ends there if it is `p s q`; the
/// second one the other way round (see [`Intervals::new`](super::line::Intervals::new)).
#[inline(always)]
fn meet_in_a_corner<S: Simd>(
    sides_a: &LaneSides<S>,
    shared_a: [u64; 3],
    sides_b: &LaneSides<S>,
    shared_b: [u64; 3],
) -> u64 {
    let [s, t, u] = shared_a;
    let one_shared = (s ^ t ^ u) & !(s & t & u);
    let (mut a_begins, mut b_begins) = (0, 0);
    for k in 0..3 {
        a_begins |= shared_a[k] & sides_a.above[(k + 1) % 3];
        b_begins |= shared_b[k] & sides_b.above[(k + 2) % 3];
    }
    one_shared & sides_a.straddle() & sides_b.straddle() & (a_begins ^ b_begins)
}

/// The certified sides of three corners relative to a plane, each a set of lanes.
struct LaneSides<S: Simd> {
    above: [u64; 3],
    below: [u64; 3],
    /// The values that they are the signs of, and their errors.
    evaluated: [(Lanes<S>, Lanes<S>); 3],
}

/// For each corner, the values of all lanes, and their errors.
type Values = [[[f64; LANES]; 2]; 3];

impl<S: Simd> LaneSides<S> {
    #[inline(always)]
    fn new(plane: &Plane<Lanes<S>>, corners: &[[Lanes<S>; 3]; 3]) -> LaneSides<S> {
        let [p, q, r] = corners;
        let evaluated = [plane.evaluate(p), plane.evaluate(q), plane.evaluate(r)];
        let mut sides = LaneSides { above: [0; 3], below: [0; 3], evaluated };
        for k in 0..3 {
            let (value, error) = evaluated[k];
            sides.above[k] = error.lt(value).to_bitmask();
            sides.below[k] = value.lt(-error).to_bitmask();
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

    /// The lanes in which some corner is above and some corner is below.
    #[inline(always)]
    fn straddle(&self) -> u64 {
        (self.above[0] | self.above[1] | self.above[2]) & (self.below[0] | self.below[1] | self.below[2])
    }

    /// The lanes in which no corner is in the plane or near it.
    #[inline(always)]
    fn all_off(&self) -> u64 {
        let off = |k: usize| self.above[k] | self.below[k];
        off(0) & off(1) & off(2)
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> Sides {
        let set = |side: &[u64; 3]| (0..3).fold(0, |set, k| set | ((side[k] >> lane & 1) as u8) << k);
        Sides::new(set(&self.above), set(&self.below))
    }

    #[inline(always)]
    fn values(&self) -> Values {
        let mut values = [[[0.0; LANES]; 2]; 3];
        for ([of_values, of_errors], (value, error)) in values.iter_mut().zip(&self.evaluated) {
            value.0.store_slice(of_values);
            error.0.store_slice(of_errors);
        }
        values
    }
}

/// The corners of a triangle by their part in the interval that it cuts from the line of both
/// planes; for each corner, the set of lanes in which it has that part.
struct Parts {
    /// Alone on its side of the other plane.
    alone: [u64; 3],
    /// The edge from the corner that is alone to this one cuts the line at the lower end.
    low: [u64; 3],
    /// The same at the upper end.
    high: [u64; 3],
    /// Lanes in which the corner that is alone is above.
    is_above: u64,
}

impl Parts {
    /// In lanes in which each corner is certified to be above or below, not all of them on one
    /// side. The first triangle cuts the line at the lower end first if the corner that is alone is
    /// below, the second one if it is above.
    #[inline(always)]
    fn new<S: Simd>(sides: &LaneSides<S>, is_first: bool) -> Parts {
        let LaneSides { above, below, .. } = sides;
        let is_above = above[0] ^ above[1] ^ above[2];
        let in_order = if is_first { !is_above } else { is_above };
        let (mut alone, mut low, mut high) = ([0; 3], [0; 3], [0; 3]);
        for k in 0..3 {
            alone[k] = is_above & above[k] | !is_above & below[k];
        }
        for k in 0..3 {
            let (next, last) = (alone[(k + 2) % 3], alone[(k + 1) % 3]);
            low[k] = in_order & next | !in_order & last;
            high[k] = in_order & last | !in_order & next;
        }
        Parts { alone, low, high, is_above }
    }
}

/// The corner that has a part in each lane.
#[inline(always)]
fn pick<S: Simd>(simd: S, corners: &[[Lanes<S>; 3]; 3], part: [u64; 3]) -> [Lanes<S>; 3] {
    let [is_first, is_second] =
        [mask64x8::from_bitmask(simd, part[0]), mask64x8::from_bitmask(simd, part[1])];
    let mut picked = corners[2];
    for (k, x) in picked.iter_mut().enumerate() {
        *x = Lanes::select(is_first, corners[0][k], Lanes::select(is_second, corners[1][k], *x));
    }
    picked
}

/// Intervals of pairs of triangles on the line of both planes, in the lanes in which all corners
/// are off the plane of the other triangle, and each straddles it.
struct OnLine {
    parts: [Parts; 2],
    /// The intervals are certified to be disjoint.
    separate: u64,
    /// They are certified to have more than an end in common, and it is certified whose ends these
    /// are.
    crossing: u64,
    /// Whether the interval of the second triangle begins after that of the first, and whether it
    /// ends before.
    second_is_within: [u64; 2],
}

impl OnLine {
    #[inline(always)]
    fn new<S: Simd>(simd: S, corners: [&[[Lanes<S>; 3]; 3]; 2], sides: [&LaneSides<S>; 2]) -> OnLine {
        let parts = [Parts::new(sides[0], true), Parts::new(sides[1], false)];
        let [a, b] = &parts;
        let (alone_a, low_a, high_a) =
            (pick(simd, corners[0], a.alone), pick(simd, corners[0], a.low), pick(simd, corners[0], a.high));
        let (alone_b, low_b, high_b) =
            (pick(simd, corners[1], b.alone), pick(simd, corners[1], b.low), pick(simd, corners[1], b.high));
        let is_same = !(a.is_above ^ b.is_above);
        let of_low = Plane::new(&[alone_a, low_a, alone_b]);
        let [high_after_low, high_before_low] = order(&of_low, &high_b, is_same);
        let [low_after_low, low_before_low] = order(&of_low, &low_b, is_same);
        let of_high = Plane::new(&[alone_a, high_a, alone_b]);
        let [low_after_high, low_before_high] = order(&of_high, &low_b, is_same);
        let [high_after_high, high_before_high] = order(&of_high, &high_b, is_same);
        OnLine {
            separate: high_before_low | low_after_high,
            crossing: high_after_low
                & low_before_high
                & (low_after_low | low_before_low)
                & (high_after_high | high_before_high),
            second_is_within: [low_after_low, high_before_high],
            parts,
        }
    }

    /// The common part of the intervals of a lane in f64, from the values of the corners of each
    /// triangle on the plane of the other. `None` if f64 is not enough.
    fn segment(
        &self,
        lane: usize,
        values: &[Values; 2],
        point: impl Fn(usize) -> Point,
    ) -> Option<[Point; 2]> {
        let find = |part: &[u64; 3]| (0..3).find(|&k| part[k] >> lane & 1 != 0);
        let end = |end: usize| {
            let triangle = usize::from(self.second_is_within[end] >> lane & 1 != 0);
            let Parts { alone, low, high, .. } = &self.parts[triangle];
            let (p, q) = (find(alone)?, find(if end == 0 { low } else { high })?);
            let at = |k: usize| values[triangle][k].map(|lanes| lanes[lane]);
            let t = parameter_between(at(p), at(q))?;
            Some(point_between(&point(3 * triangle + p), &point(3 * triangle + q), t))
        };
        Some([end(0)?, end(1)?])
    }
}

/// The lanes in which an end of the second interval is certified to be after one of the first, and
/// those in which it is before: a sign of two edges, see `order` of
/// [`Intervals`](super::line::Intervals). The plane is that of the edge of the first triangle, and
/// of the corner of the second that is alone; `is_same` are the lanes in which the corners that are
/// alone are both above or both below.
#[inline(always)]
fn order<S: Simd>(plane: &Plane<Lanes<S>>, end: &[Lanes<S>; 3], is_same: u64) -> [u64; 2] {
    let (above, below) = plane.certified_side(end);
    let (above, below) = (above.to_bitmask(), below.to_bitmask());
    [is_same & above | !is_same & below, is_same & below | !is_same & above]
}

/// The corners of a triangle of each pair, one pair per lane.
#[inline(always)]
fn corners<S: Simd>(simd: S, lines: &[Line], vertices: [&[u32; LANES]; 3]) -> [[Lanes<S>; 3]; 3] {
    let mut corners = [[Lanes(f64x8::<S>::splat(simd, 0.0)); 3]; 3];
    for (corner, vertices) in corners.iter_mut().zip(vertices) {
        let row = |lane: usize| &lines[vertices[lane] as usize].0;
        let (low, high) = ([row(0), row(1), row(2), row(3)], [row(4), row(5), row(6), row(7)]);
        *corner = by_axis::<0, S>(simd, low, high);
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::triangle_triangle::{Shared, crossing, intersection_segment, triangle_triangle};
    use crate::random::random;

    /// Points on grids, where signs vanish, and in general position; few of them, so that triangles
    /// share corners, and many.
    #[test]
    fn pairs_in_lanes_are_decided_as_each_alone() {
        let mut next = random(83);
        let (mut n_crossing, mut n_separate, mut n_undecided) = (0, 0, 0);
        for round in 0..600 {
            let n_points = 4 + round % 13;
            let grid = [2.0, 5.0, 1e3, 1e15][round % 4];
            let points: Vec<Point> =
                (0..n_points).map(|_| [(); 3].map(|()| (next() * grid).round() / 3.0)).collect();
            let step = Step::new(&points, &points).unwrap();
            let mut triangle = || {
                let mut corners = [0; 3];
                while corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0] {
                    corners = corners.map(|_| (next() * n_points as f64) as u32 % n_points as u32);
                }
                corners
            };
            let mut pairs = TrianglePairs::new(64);
            let given: Vec<[[u32; 3]; 2]> = (0..1 + round % 60).map(|_| [triangle(), triangle()]).collect();
            given.iter().for_each(|&[a, b]| pairs.push(a, b));
            let mut found = vec![None; given.len()];
            let mut stats = TriangleStats::default();
            let mut rest = TriangleStats::default();
            let mut last = None;
            decide_pairs(&step, &pairs, &mut stats, |i, open| {
                assert!(last < Some(i));
                last = Some(i);
                let [a, b] = pairs.get(i);
                assert_eq!([a, b], given[i]);
                found[i] = match open {
                    Open::Crossing(found) => {
                        n_crossing += 1;
                        Some(found)
                    }
                    Open::Undecided(sides) => {
                        n_undecided += 1;
                        let [first, second] = [a, b].map(|corners| corners.map(|v| points[v as usize]));
                        crossing(&first, &second, Shared::between(a, b), sides, &mut rest).unwrap()
                    }
                };
            });
            stats += rest;
            assert_eq!(stats.pairs, given.len() as u64);
            for ([a, b], found) in given.into_iter().zip(found) {
                let shared = Shared::between(a, b);
                let [a, b] = [a, b].map(|corners| corners.map(|v| points[v as usize]));
                let relation = triangle_triangle(&a, &b, shared, &mut TriangleStats::default()).unwrap();
                let segment = intersection_segment(&a, &b, shared).unwrap();
                let bits = |segment: [Point; 2]| segment.map(|p| p.map(f64::to_bits));
                let expected = relation.is_crossing().then(|| (relation, segment.map(bits)));
                assert_eq!(found.map(|(relation, segment)| (relation, segment.map(bits))), expected);
                n_separate += u32::from(expected.is_none());
            }
        }
        let all = (n_crossing, n_separate, n_undecided);
        assert!(100 < n_crossing && 2000 < n_separate && 300 < n_undecided, "{all:?}");
    }
}
