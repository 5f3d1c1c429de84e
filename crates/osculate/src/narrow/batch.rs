//! Many queries at once: the hot loop.
//!
//! Two proofs of "no contact", moving boxes and the coplanarity cubic, decide nearly all candidate
//! pairs. Here these, and the proofs at roots, run on eight queries at once, in the processor's
//! widest vectors, with the same formulas as the single query, so that every answer is the same,
//! bit for bit, on every processor. Undecided queries go to the single query's filter and exact
//! arithmetic.

use super::features::{self, Ends};
use super::filter::{self, Cuts, Proof};
use super::gather::{CUT, LANES, REST, WHOLE, gather};
use super::near_pairs::Near;
use super::separation;
use super::{Kind, Outcome, Settings, Stats, decide_checked, decide_rest};
use crate::math::dispatch::dispatch;
use crate::math::real::Lanes;
use crate::motion::Line;
use crate::{Error, Step};
use fearless_simd::{Level, Simd, SimdBase, SimdMask, f64x4, f64x8};

/// Decides the queries whose four points are the vertices `pairs[i]` of `step`, in the order that
/// `kind` gives them, and calls `on_hit(i, lo, hi)` for each that is a [hit](Outcome::Hit), in
/// ascending order of `i`.
///
/// Answers, brackets and counts are those of [`decide`](super::decide) on the same points. Fails
/// before anything is decided if a query names a vertex that the step does not have, or if a
/// setting is out of range.
pub fn decide_batch(
    kind: Kind,
    step: &Step,
    pairs: &[[u32; 4]],
    settings: &Settings,
    stats: &mut Stats,
    mut on_hit: impl FnMut(usize, f64, f64),
) -> Result<(), Error> {
    let scratch = &mut Hits::new();
    step.check_indices(pairs)?;
    decide_batch_at(
        Level::new(),
        kind,
        step,
        pairs,
        settings,
        (1.0, Boxes::ToCompare),
        stats,
        scratch,
        &mut |_| false,
        &mut on_hit,
    )
}

/// Whether the boxes of queries have been compared, and found [near](super::drop_far_pairs).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boxes {
    ToCompare,
    Near,
}

/// The same, except that hits that begin after `until` may be omitted, and queries for which `skip`
/// holds; it is asked only before a search that takes long, and the query is not counted then. With
/// a separation, and `until` zero, the step must be one in which nothing moves. The queries must
/// name vertices of the step. Their boxes may have been compared up to this time or a later one.
/// `scratch` saves an allocation.
#[expect(clippy::too_many_arguments, reason = "those of the public function, where to look, and memory")]
pub(crate) fn decide_batch_until(
    kind: Kind,
    step: &Step,
    pairs: &[[u32; 4]],
    settings: &Settings,
    part: (f64, Boxes),
    stats: &mut Stats,
    scratch: &mut Hits,
    skip: &mut dyn FnMut(usize) -> bool,
    mut on_hit: impl FnMut(usize, f64, f64),
) -> Result<(), Error> {
    decide_batch_at(Level::new(), kind, step, pairs, settings, part, stats, scratch, skip, &mut on_hit)
}

/// Receives hits as they are found. Not a type parameter: the loops below are large, and are
/// compiled once per instruction set, not also per caller.
type OnHit<'a> = &'a mut dyn FnMut(usize, f64, f64);

/// Tells which queries need not be decided.
type Skip<'a> = &'a mut dyn FnMut(usize) -> bool;

#[expect(clippy::too_many_arguments, reason = "those of the public function, and where and how far to look")]
fn decide_batch_at(
    level: Level,
    kind: Kind,
    step: &Step,
    pairs: &[[u32; 4]],
    settings: &Settings,
    (until, boxes): (f64, Boxes),
    stats: &mut Stats,
    hits: &mut Hits,
    skip: Skip,
    on_hit: OnHit,
) -> Result<(), Error> {
    settings.validate()?;
    let lines = step.lines();
    if !step.in_filter_range() {
        for (i, pair) in pairs.iter().enumerate() {
            if let Outcome::Hit { lo, hi } = decide_checked(kind, &gather_one(lines, pair), settings, stats) {
                on_hit(i, lo, hi);
            }
        }
        return Ok(());
    }
    let near = Near::new(step, settings, until);
    // The kind is a constant in each call, so that its tables fold away.
    match kind {
        Kind::VertexFace => {
            dispatch!(level, simd => run(simd, Kind::VertexFace, lines, pairs, settings, near, boxes, stats, hits, skip, on_hit));
        }
        Kind::EdgeEdge => {
            dispatch!(level, simd => run(simd, Kind::EdgeEdge, lines, pairs, settings, near, boxes, stats, hits, skip, on_hit));
        }
    }
    Ok(())
}

/// Queries that pass through the stages together, few enough for their indices to stay in the L1
/// cache.
const BLOCK: usize = 1024;

/// The undecided queries of a block, as ascending indices. Each stage drops those that it decides.
struct Open {
    indices: [u16; BLOCK],
    len: usize,
}

impl Open {
    /// Makes all queries of a block undecided.
    fn fill(&mut self, n: usize) {
        self.len = n;
        for (i, index) in self.indices[..n].iter_mut().enumerate() {
            *index = i as u16;
        }
    }

    /// Keeps the queries of `chunk`, already read, whose bit is set in `keep`, by appending them
    /// after the first `n`.
    #[inline(always)]
    fn keep(&mut self, chunk: &[u16], keep: u64, n: &mut usize) {
        for (lane, &i) in chunk.iter().enumerate() {
            self.indices[*n] = i;
            *n += (keep >> lane & 1) as usize;
        }
    }

    /// The queries from `first` on, up to a full vector, and their number; the last one is
    /// repeated.
    #[inline(always)]
    fn chunk(&self, first: usize) -> ([u16; LANES], usize) {
        match self.indices[first..self.len].first_chunk() {
            Some(&chunk) => (chunk, LANES),
            None => {
                let last = self.len - 1;
                let mut chunk = [self.indices[last]; LANES];
                chunk[..self.len - first].copy_from_slice(&self.indices[first..self.len]);
                (chunk, self.len - first)
            }
        }
    }
}

/// The queries with these indices in a block.
#[inline(always)]
fn of_chunk(block: &[[u32; 4]], chunk: [u16; LANES]) -> [&[u32; 4]; LANES] {
    let mut queries = [&block[0]; LANES];
    for (query, i) in queries.iter_mut().zip(chunk) {
        *query = &block[usize::from(i)];
    }
    queries
}

/// Hits of a block as `(index, lo, hi)`.
pub(crate) type Hits = Vec<(u16, f64, f64)>;

#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the loop of the function above")]
fn run<S: Simd>(
    simd: S,
    kind: Kind,
    lines: &[Line],
    pairs: &[[u32; 4]],
    settings: &Settings,
    near: Near,
    boxes: Boxes,
    stats: &mut Stats,
    hits: &mut Hits,
    skip: Skip,
    on_hit: OnHit,
) {
    let mut open = Open { indices: [0; BLOCK], len: 0 };
    hits.clear();
    for (block_idx, block) in pairs.chunks(BLOCK).enumerate() {
        stats.queries += block.len() as u64;
        match near.until {
            _ if boxes == Boxes::Near => open.fill(block.len()),
            0.0 => drop_far::<REST, S>(simd, kind, lines, block, near, &mut open),
            1.0 => drop_far::<WHOLE, S>(simd, kind, lines, block, near, &mut open),
            _ => drop_far::<CUT, S>(simd, kind, lines, block, near, &mut open),
        }
        stats.box_misses += (block.len() - open.len) as u64;
        if settings.min_separation == 0.0 {
            let n_near = open.len;
            drop_never_coplanar(simd, kind, lines, block, near.until, &mut open);
            stats.cubic_misses += (n_near - open.len) as u64;
            drop_coincident(kind, lines, block, &mut open, hits);
            let n_coincident = hits.len();
            stats.exact_hits += n_coincident as u64;
            let n_open = open.len;
            // One loop body for both, since it is large.
            for cuts in [Cuts::None, Cuts::Critical] {
                drop_decided(
                    block,
                    &mut open,
                    hits,
                    #[inline(always)]
                    |queries| {
                        let points = &gather::<4, 2, S>(simd, lines, queries);
                        let cubic = features::cubic(kind, points);
                        filter::at_roots(kind, points, &cubic, cuts, settings.time_width)
                    },
                );
            }
            let n_root_hits = hits.len() - n_coincident;
            stats.root_hits += n_root_hits as u64;
            stats.root_misses += (n_open - open.len - n_root_hits) as u64;
        } else if separation::LEAST <= settings.min_separation {
            let n_open = open.len;
            let separation = settings.min_separation;
            // Two loops, as the first is shorter.
            if near.until == 0.0 {
                drop_decided(
                    block,
                    &mut open,
                    hits,
                    #[inline(always)]
                    |queries| {
                        let [[a], [b], [c], [d]] = gather::<4, 1, S>(simd, lines, queries);
                        separation::at_rest(kind, [a, b, c, d], separation)
                    },
                );
            } else {
                drop_decided(
                    block,
                    &mut open,
                    hits,
                    #[inline(always)]
                    |queries| {
                        let points = &gather::<4, 2, S>(simd, lines, queries);
                        separation::at_ends(kind, points, separation, near.until)
                    },
                );
            }
            stats.separation_hits += hits.len() as u64;
            stats.separation_misses += (n_open - open.len - hits.len()) as u64;
        }
        for &i in &open.indices[..open.len] {
            if skip(block_idx * BLOCK + usize::from(i)) {
                stats.queries -= 1;
                continue;
            }
            let points = gather_one(lines, &block[usize::from(i)]);
            if let Outcome::Hit { lo, hi } = decide_rest(kind, &points, settings, near.until, stats) {
                hits.push((i, lo, hi));
            }
        }
        hits.sort_unstable_by_key(|hit| hit.0);
        for (i, lo, hi) in hits.drain(..) {
            on_hit(block_idx * BLOCK + usize::from(i), lo, hi);
        }
    }
}

/// Keeps the queries of a block whose boxes are not separated, as decided by
/// [`features::boxes_apart`].
///
/// A vertex is one vector `[x, y, z, 0]` at each end of the step, so the three axes are compared at
/// once without a transpose; the fourth lane never separates. `PART` is the part of the step that
/// is tested: [`WHOLE`], [`CUT`] or [`REST`].
#[inline(always)]
fn drop_far<const PART: u8, S: Simd>(
    simd: S,
    kind: Kind,
    lines: &[Line],
    block: &[[u32; 4]],
    near: Near,
    open: &mut Open,
) {
    let gap = f64x4::splat(simd, near.gap);
    let until = f64x4::splat(simd, near.until);
    open.len = 0;
    for (i, pair) in block.iter().enumerate() {
        let [a, b, c, d] = [
            &lines[pair[0] as usize].0,
            &lines[pair[1] as usize].0,
            &lines[pair[2] as usize].0,
            &lines[pair[3] as usize].0,
        ];
        let [a0, b0, c0, d0] = load(simd, [&a[..4], &b[..4], &c[..4], &d[..4]]);
        let (mut below, mut above) = gaps_of_boxes(kind, [a0, b0, c0, d0]);
        if PART != REST {
            let [mut a1, mut b1, mut c1, mut d1] = load(simd, [&a[4..], &b[4..], &c[4..], &d[4..]]);
            if PART == CUT {
                a1 = a0 + (a1 - a0) * until;
                b1 = b0 + (b1 - b0) * until;
                c1 = c0 + (c1 - c0) * until;
                d1 = d0 + (d1 - d0) * until;
            }
            let (below1, above1) = gaps_of_boxes(kind, [a1, b1, c1, d1]);
            (below, above) = (below.min(below1), above.min(above1));
        }
        let apart = gap.simd_lt(below.max(above));
        open.indices[open.len] = i as u16;
        open.len += usize::from(apart.to_bitmask() == 0);
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, points: [&[f64]; 4]) -> [f64x4<S>; 4] {
    [
        f64x4::from_slice(simd, points[0]),
        f64x4::from_slice(simd, points[1]),
        f64x4::from_slice(simd, points[2]),
        f64x4::from_slice(simd, points[3]),
    ]
}

/// At one end of the step, the gap on each axis: by how much the box of the first feature is below
/// that of the second, and above it.
#[inline(always)]
fn gaps_of_boxes<S: Simd>(kind: Kind, [a, b, c, d]: [f64x4<S>; 4]) -> (f64x4<S>, f64x4<S>) {
    let ((a_lo, a_hi), (b_lo, b_hi)) = match kind {
        Kind::VertexFace => ((a, a), (b.min(c).min(d), b.max(c).max(d))),
        Kind::EdgeEdge => ((a.min(b), a.max(b)), (c.min(d), c.max(d))),
    };
    (b_lo - a_hi, a_lo - b_hi)
}

/// Drops the queries whose coplanarity cubic has one strict sign up to `until`.
#[inline(always)]
fn drop_never_coplanar<S: Simd>(
    simd: S,
    kind: Kind,
    lines: &[Line],
    block: &[[u32; 4]],
    until: f64,
    open: &mut Open,
) {
    let mut n = 0;
    let (start, end) = (Lanes(f64x8::splat(simd, 0.0)), Lanes(f64x8::splat(simd, until)));
    for first in (0..open.len).step_by(LANES) {
        let (chunk, n_chunk) = open.chunk(first);
        let points = gather::<4, 2, S>(simd, lines, &of_chunk(block, chunk));
        let mut cubic = features::cubic(kind, &points);
        if until < 1.0 {
            cubic = cubic.on(start, end);
        }
        let one_sign = cubic.sign().is_known().to_bitmask();
        open.keep(&chunk[..n_chunk], !one_sign, &mut n);
    }
    open.len = n;
}

/// Drops the queries whose features share a point at the start of the step; they go to `hits`.
fn drop_coincident(kind: Kind, lines: &[Line], block: &[[u32; 4]], open: &mut Open, hits: &mut Hits) {
    let mut n = 0;
    for k in 0..open.len {
        let i = open.indices[k];
        let coincide = features::points_coincide(kind, &gather_one(lines, &block[usize::from(i)]));
        if coincide {
            hits.push((i, 0.0, 0.0));
        }
        open.indices[n] = i;
        n += usize::from(!coincide);
    }
    open.len = n;
}

/// Drops the queries that a proof decides; its hits go to `hits`. A miss goes before a hit. `proof`
/// must be inlined, to be compiled for the instruction set of this loop.
#[inline(always)]
fn drop_decided<S: Simd>(
    block: &[[u32; 4]],
    open: &mut Open,
    hits: &mut Hits,
    proof: impl Fn(&[&[u32; 4]; LANES]) -> Proof<Lanes<S>>,
) {
    let mut n = 0;
    for first in (0..open.len).step_by(LANES) {
        let (chunk, n_chunk) = open.chunk(first);
        let proof = proof(&of_chunk(block, chunk));
        let miss = proof.miss.to_bitmask();
        let hit = proof.hit.to_bitmask() & !miss;
        open.keep(&chunk[..n_chunk], !(miss | hit), &mut n);
        for (lane, &i) in chunk[..n_chunk].iter().enumerate() {
            if hit >> lane & 1 != 0 {
                hits.push((i, proof.lo.0[lane], proof.hi.0[lane]));
            }
        }
    }
    open.len = n;
}

#[inline(always)]
fn gather_one(lines: &[Line], pair: &[u32; 4]) -> [Ends<f64>; 4] {
    pair.map(|v| lines[v as usize].ends())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::decide;

    /// A step of random vertices: a mix of small integers (many degenerate cases) and reals, with
    /// small and large motion.
    fn random_step(n_vertices: usize, scale: f64) -> Step {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as f64 / f64::from(1u32 << 30) - 1.0
        };
        let mut pose = |i: usize| -> [f64; 3] {
            let coarse = i.is_multiple_of(3);
            [next(), next(), next()].map(|x| scale * if coarse { (x * 1.5).round() } else { x })
        };
        let t0: Vec<_> = (0..n_vertices).map(&mut pose).collect();
        let t1: Vec<_> = (0..n_vertices).map(&mut pose).collect();
        Step::new(&t0, &t1).unwrap()
    }

    fn random_pairs(n: usize, n_vertices: usize) -> Vec<[u32; 4]> {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            ((state >> 33) % n_vertices as u64) as u32
        };
        (0..n).map(|_| [next(), next(), next(), next()]).collect()
    }

    fn run_at(
        level: Level,
        kind: Kind,
        step: &Step,
        pairs: &[[u32; 4]],
        settings: &Settings,
    ) -> (Vec<(usize, f64, f64)>, Stats) {
        let mut hits = Vec::new();
        let mut stats = Stats::default();
        decide_batch_at(
            level,
            kind,
            step,
            pairs,
            settings,
            (1.0, Boxes::ToCompare),
            &mut stats,
            &mut Hits::new(),
            &mut |_| false,
            &mut |i, lo, hi| hits.push((i, lo, hi)),
        )
        .unwrap();
        (hits, stats)
    }

    /// Every vector width, and the single query, must agree in answers, brackets and counts, to the
    /// last bit.
    #[test]
    fn every_width_gives_the_same_bits() {
        let separated = Settings { min_separation: 0.05, ..Settings::default() };
        let cases =
            [(1.0, 3000, Settings::default()), (1e40, 300, Settings::default()), (1.0, 200, separated)];
        for (scale, n, settings) in cases {
            let step = random_step(200, scale);
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                let pairs = random_pairs(n + 1, step.len());
                let mut one_by_one = (Vec::new(), Stats::default());
                for (i, pair) in pairs.iter().enumerate() {
                    let points = pair.map(|v| step.point(v as usize));
                    if let Outcome::Hit { lo, hi } =
                        decide(kind, &points, &settings, &mut one_by_one.1).unwrap()
                    {
                        one_by_one.0.push((i, lo, hi));
                    }
                }
                assert!(n / 50 < one_by_one.0.len(), "the cases must have hits");
                for level in [Level::baseline(), Level::new()] {
                    assert_eq!(
                        run_at(level, kind, &step, &pairs, &settings),
                        one_by_one,
                        "{level:?} {kind:?} {scale}"
                    );
                }
            }
        }
    }

    #[test]
    fn batches_of_any_length() {
        let step = random_step(50, 1.0);
        let pairs = random_pairs(2 * BLOCK + 3, step.len());
        let settings = Settings::default();
        let (all, _) = run_at(Level::new(), Kind::EdgeEdge, &step, &pairs, &settings);
        for n in [0, 1, 2, 3, 4, 5, 7, 8, 9, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3] {
            let (hits, stats) = run_at(Level::new(), Kind::EdgeEdge, &step, &pairs[..n], &settings);
            let expected: Vec<_> = all.iter().copied().filter(|hit| hit.0 < n).collect();
            assert_eq!(hits, expected);
            assert_eq!(stats.queries, n as u64);
        }
    }

    /// A point and a face that approach each other along an axis and touch at the end of the tested
    /// part of the step, where f64 may place them apart.
    #[test]
    fn contacts_at_the_end_of_a_cut_step() {
        let mut next = crate::random::random(61);
        let mut whole = |size: f64| (next() * size).floor();
        let mut n_apart = 0;
        for round in 0..1000 {
            let (k, m) = (1024.0, 2f64.powi(41) + whole(2f64.powi(24)) * 65_537.0);
            let (j, gap) = (1.0 + whole(k - 1.0), (0.875 * m).floor() + whole(1e6));
            let b = [j * m + whole(100.0), -(k - j) * m + whole(100.0)];
            // Exactly: (k - j) a0 + j a1 = (k - j) b0 + j b1.
            let a = [b[0] - j * gap, b[1] + (k - j) * gap];
            let until = j / k;
            let at = |[p, q]: [f64; 2]| p + (q - p) * until;
            n_apart += usize::from(at(a) < at(b));
            let pose = |end: usize| {
                let corners = [[0.0, 0.0], [-3e9, -1e9], [2e9, -1e9], [0.0, 3e9]];
                [0, 1, 2, 3].map(|v: usize| {
                    let mut p = [if v == 0 { a[end] } else { b[end] }, corners[v][0], corners[v][1]];
                    p.rotate_right(round % 3);
                    p
                })
            };
            let step = Step::new(&pose(0), &pose(1)).unwrap();
            let mut n_hits = 0;
            decide_batch_until(
                Kind::VertexFace,
                &step,
                &[[0, 1, 2, 3]],
                &Settings::default(),
                (until, Boxes::ToCompare),
                &mut Stats::default(),
                &mut Hits::new(),
                &mut |_| false,
                |_, lo, _| n_hits += usize::from(lo <= until),
            )
            .unwrap();
            assert_eq!(n_hits, 1, "{a:?} {b:?} {until}");
        }
        assert!(100 < n_apart, "{n_apart}");
    }

    #[test]
    fn a_vertex_out_of_range_is_named() {
        let step = random_step(10, 1.0);
        let mut stats = Stats::default();
        let pairs = [[0, 1, 2, 3], [4, 5, 10, 6]];
        let error =
            decide_batch(Kind::EdgeEdge, &step, &pairs, &Settings::default(), &mut stats, |_, _, _| {});
        assert_eq!(error, Err(Error::VertexOutOfRange { query: 1, vertex: 10, vertices: 10 }));
        assert_eq!(stats, Stats::default());
    }
}
