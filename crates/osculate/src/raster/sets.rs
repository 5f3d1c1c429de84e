//! Culling of sets against each other in two passes (paper 001, section 5.2, algorithm 5.1): which
//! primitives of a group are proven to be apart from all primitives of a set but their neighbor?
//!
//! The primitives are ranked. A primitive that is seen in front of, or behind, all those of a set
//! with higher rank is apart from them (first pass), and one that is so for lower ranks is apart
//! from these (second pass); if both, it is apart from the whole set. For each axis:
//!
//! * The primitives are ranked by their depth. Those of higher rank lie mostly behind, so that a
//!   primitive is hidden only by those at nearly the same depth. The paper keeps the order of the
//!   last frame for this; sorting gives the order that it approaches.
//! * The 1-D tests: the ranges of primitives along each axis, which is an image with a single
//!   pixel.
//! * The 2.5-D tests, with both directions of view at once.
//!
//! What is proven in a pass holds for the ranks of that pass. So half proofs are dropped when the
//! ranks change; whole ones hold for any ranks. The paper keeps them, and loses collisions.
//!
//! A primitive q is rendered in the first pass to be compared with those of lower rank. If q is
//! already proven apart from these, by the second pass in another view, it need not be rendered
//! (view coherence; the text of the paper says "first pass", and loses collisions).

use super::cpu::CpuRaster;
use super::tiles::Tiles;
use super::{Footprint, Frame, Hidden, NONE, Primitive, Raster, RasterFault, Tile, View};
use crate::threads;

/// Primitives that are compared with each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// The number of sets, at most [`MAX_SETS`](super::MAX_SETS).
    pub(crate) n_sets: usize,
    /// For each primitive, its set.
    pub(crate) sets: Vec<u32>,
    /// For each primitive and each set, as in [`Frame::neighbors`].
    pub(crate) neighbors: Vec<u32>,
    /// For each set, the sets that its primitives are compared with, one bit each.
    pub(crate) others: Vec<u32>,
}

/// The shapes of the primitives of a group.
pub(crate) trait Shapes: Sync {
    /// A box that contains a primitive, without margin.
    fn bounds(&self, primitive: usize) -> [[f64; 3]; 2];

    /// The footprint of a primitive in a view.
    fn footprint(&self, view: &View, primitive: usize) -> Footprint;

    /// By how much primitives are enlarged.
    fn margin(&self) -> f64;
}

/// What was proven about a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pruned {
    /// For each primitive, the sets that it is apart from, except for its neighbor there.
    pub(crate) apart: Vec<u32>,
    /// Number of 2.5-D tests: primitives that were compared with all sets, in a pass.
    pub(crate) n_tests: u64,
    /// Why the rasterizer gave up, if it did. The library's own one did its work then.
    pub(crate) fault: Option<RasterFault>,
}

/// A round over all axes is repeated as long as it proves at least this share of what is open.
const LEAST_GAIN: f64 = 0.02;

/// The size of a pixel, as a share of the mean size of primitives.
const PIXEL: f64 = 0.25;

/// Prunes the primitives of a group.
pub(crate) fn prune(group: &Group, shapes: &impl Shapes, raster: &mut dyn Raster) -> Pruned {
    let n = group.sets.len();
    let wanted = |p: usize| group.others[group.sets[p] as usize];
    let boxes: Vec<[[f64; 3]; 2]> = (0..n).map(|p| shapes.bounds(p)).collect();
    let mut pruned = Pruned { apart: vec![0; n], ..Pruned::default() };
    let mut n_open = u64::MAX;
    loop {
        for axis in axes(&boxes) {
            let open = |&p: &u32| wanted(p as usize) & !pruned.apart[p as usize] != 0;
            let mut ranked: Vec<u32> = (0..n as u32).filter(open).collect();
            let depth = |p: u32| boxes[p as usize][0][axis] + boxes[p as usize][1][axis];
            ranked.sort_by(|&p, &q| depth(p).total_cmp(&depth(q)));
            Pass { group, shapes, boxes: &boxes, ranked, axis }.run(raster, &mut pruned);
        }
        let count = |p: usize| u64::from((wanted(p) & !pruned.apart[p]).count_ones());
        let n_now = (0..n).map(count).sum();
        if n_now as f64 >= (1.0 - LEAST_GAIN) * n_open as f64 || n_now == 0 {
            return pruned;
        }
        n_open = n_now;
    }
}

/// The axes, that of the least extent first: along it, a sheet hides itself the least.
fn axes(boxes: &[[[f64; 3]; 2]]) -> [usize; 3] {
    let extent = |axis: usize| {
        let lo = boxes.iter().fold(f64::INFINITY, |lo, bounds| lo.min(bounds[0][axis]));
        boxes.iter().fold(f64::NEG_INFINITY, |hi, bounds| hi.max(bounds[1][axis])) - lo
    };
    let extents = [extent(0), extent(1), extent(2)];
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| extents[a].total_cmp(&extents[b]));
    axes
}

/// The passes of an axis.
struct Pass<'a, S> {
    group: &'a Group,
    shapes: &'a S,
    boxes: &'a [[[f64; 3]; 2]],
    /// Primitives that are not yet apart from all sets, by rank.
    ranked: Vec<u32>,
    axis: usize,
}

/// Half proofs, by rank: for each primitive, the sets whose primitives of higher (`first`) or lower
/// (`second`) rank it is apart from.
struct Halves {
    first: Vec<u32>,
    second: Vec<u32>,
}

impl<S: Shapes> Pass<'_, S> {
    fn run(&self, raster: &mut dyn Raster, pruned: &mut Pruned) {
        if self.ranked.len() < 2 {
            return;
        }
        let n_sets = self.group.n_sets;
        let mut rank_of = vec![NONE; self.group.sets.len()];
        for (rank, &p) in (0..).zip(&self.ranked) {
            rank_of[p as usize] = rank;
        }
        let neighbor = |&q: &u32| if q == NONE { NONE } else { rank_of[q as usize] };
        let of = |&p: &u32| &self.group.neighbors[p as usize * n_sets..][..n_sets];
        let neighbors: Vec<u32> = self.ranked.iter().flat_map(of).map(neighbor).collect();
        // Proofs about all primitives of a set hold for any ranks.
        let whole = || self.ranked.iter().map(|&p| pruned.apart[p as usize]).collect::<Vec<u32>>();
        let mut halves = Halves { first: whole(), second: whole() };
        for axis in 0..3 {
            let shape =
                |p: u32| interval(self.boxes[p as usize].map(|bound| bound[axis]), self.shapes.margin());
            let primitives = self.primitives(&halves, shape);
            let lists: Vec<u32> = (0..primitives.len() as u32).collect();
            let tiles = [Tile { x: 0, y: 0, first: 0, len: lists.len() as u32 }];
            let frame = Frame {
                n_sets,
                primitives: &primitives,
                neighbors: &neighbors,
                tiles: &tiles,
                lists: &lists,
            };
            let answers = CpuRaster.hidden(&frame).unwrap_or_default();
            self.learn(&answers, &primitives, &mut halves);
        }
        if let Some(view) = self.view() {
            let primitives = self.primitives(&halves, |p| self.shapes.footprint(&view, p as usize));
            let Tiles { tiles, lists } = Tiles::of(&primitives);
            let frame = Frame {
                n_sets,
                primitives: &primitives,
                neighbors: &neighbors,
                tiles: &tiles,
                lists: &lists,
            };
            let answers = match pruned.fault {
                None => raster.hidden(&frame).or_else(|fault| {
                    pruned.fault = Some(fault);
                    CpuRaster.hidden(&frame)
                }),
                Some(_) => CpuRaster.hidden(&frame),
            };
            let n_tests = |primitive: &Primitive| u64::from(primitive.tests.count_ones());
            pruned.n_tests += primitives.iter().map(n_tests).sum::<u64>();
            self.learn(&answers.unwrap_or_default(), &primitives, &mut halves);
        }
        for (rank, &p) in self.ranked.iter().enumerate() {
            pruned.apart[p as usize] |= halves.first[rank] & halves.second[rank];
        }
    }

    /// The primitives by rank. One that is apart from all of lower rank is not rendered in the
    /// first pass, as only these are compared with it there; and one that is apart from all of
    /// higher rank not in the second.
    fn primitives(&self, halves: &Halves, shape: impl Fn(u32) -> Footprint + Sync) -> Vec<Primitive> {
        let primitive = |rank: usize| {
            let p = self.ranked[rank];
            let set = self.group.sets[p as usize];
            let others = self.group.others[set as usize];
            let (first, second) = (others & !halves.first[rank] != 0, others & !halves.second[rank] != 0);
            Primitive {
                footprint: shape(p),
                set,
                renders: u32::from(second) | u32::from(first) << 1,
                tests: u32::from(first) | u32::from(second) << 1,
            }
        };
        let n = self.ranked.len();
        let chunks = (0..n).step_by(CHUNK);
        threads::map(chunks, |i| (i..(i + CHUNK).min(n)).map(primitive).collect::<Vec<_>>()).concat()
    }

    /// Adds what the answers prove: a set is passed if it is behind, or in front.
    fn learn(&self, answers: &[Hidden], primitives: &[Primitive], halves: &mut Halves) {
        for (rank, (answer, primitive)) in answers.iter().zip(primitives).enumerate() {
            if primitive.tests & 1 != 0 {
                halves.first[rank] |= !(answer.first_front & answer.first_back);
            }
            if primitive.tests & 2 != 0 {
                halves.second[rank] |= !(answer.second_front & answer.second_back);
            }
        }
    }

    /// The view along the axis, with pixels by the mean size of primitives.
    fn view(&self) -> Option<View> {
        let mut all = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        let mut size = 0.0;
        for bounds in self.ranked.iter().map(|&p| self.boxes[p as usize]) {
            for k in 0..3 {
                all[0][k] = all[0][k].min(bounds[0][k]);
                all[1][k] = all[1][k].max(bounds[1][k]);
                size += if k == self.axis { 0.0 } else { 0.5 * (bounds[1][k] - bounds[0][k]) };
            }
        }
        let margin = self.shapes.margin();
        let mean = size / self.ranked.len() as f64 + 2.0 * margin;
        View::new(self.axis, all, PIXEL * mean, margin)
    }
}

/// Primitives of a task.
const CHUNK: usize = 4096;

/// The footprint of a range of coordinates, enlarged by `margin`, in an image with one pixel: its
/// bounds in single precision, rounded outward, as integers of the same order.
fn interval([lo, hi]: [f64; 2], margin: f64) -> Footprint {
    let ordered = |x: f32| {
        // Negative zero becomes zero.
        let bits = (x + 0.0).to_bits() as i32;
        // Negative numbers are in descending order of their bits.
        bits ^ (bits >> 31 & i32::MAX)
    };
    let (lo, hi) =
        if margin == 0.0 { (lo, hi) } else { ((lo - margin).next_down(), (hi + margin).next_up()) };
    let below = |x: f64| if f64::from(x as f32) <= x { x as f32 } else { (x as f32).next_down() };
    let (z_min, z_max) = (ordered(below(lo)), ordered(-below(-hi)));
    Footprint { c_min: z_min, c_max: z_max, z_min, z_max, ..Footprint::default() }
}

#[cfg(test)]
mod tests;
