//! The walk over trees whose bounds are refitted where it goes: between two bodies, or within one.
//!
//! It goes on as long as it is asked to, so that what it finds can be looked at in between.

use super::eager::LATER;
use super::task::{Task, bits};
use crate::certificate::{Certificate, Verdict, Workspace};
use crate::demand::{Bound, Side, Span};
use crate::hierarchy::WIDTH;
use crate::stats::Skinning;
use std::ops::Range;

/// The bodies of a walk.
pub(crate) enum Sides<'a, B: Bound> {
    /// One, and itself.
    One(Side<'a, B>),
    Two(Side<'a, B>, Side<'a, B>),
}

impl<'a, B: Bound> Sides<'a, B> {
    #[inline(always)]
    fn first(&mut self) -> &mut Side<'a, B> {
        let (Sides::One(side) | Sides::Two(side, _)) = self;
        side
    }

    #[inline(always)]
    fn second(&mut self) -> &mut Side<'a, B> {
        let (Sides::One(side) | Sides::Two(_, side)) = self;
        side
    }
}

/// Counts of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LazyStats {
    pub(crate) bounds_tests: u64,
    pub(crate) skinning: Skinning,
}

/// A walk, with what it asks and counts.
pub(crate) struct LazyWalk<'a, B: Bound> {
    pub(crate) sides: Sides<'a, B>,
    pub(crate) span: Span,
    /// Proofs about patches, if there is one body.
    pub(crate) certificate: Option<&'a dyn Certificate>,
    pub(crate) scratch: &'a mut Workspace,
    pub(crate) stats: &'a mut LazyStats,
}

/// Of two patches only the larger one is taken apart if its bound is so many times as large.
const LARGER: f32 = 2.0;

impl<B: Bound> LazyWalk<'_, B> {
    /// What all of the walk is, if there is any, and the bounds of both roots.
    pub(crate) fn begin(&mut self) -> Option<(Task, [[B; 2]; 2])> {
        let a = self.sides.first().root(&mut self.stats.skinning)?;
        let b = self.sides.second().root(&mut self.stats.skinning)?;
        if let Sides::One(_) = self.sides {
            return (!self.is_cleared(0)).then_some((Task::Within(0), [a, b]));
        }
        self.stats.bounds_tests += 1;
        B::overlaps(&a, &b, &self.span).then_some((Task::Between(0, 0), [a, b]))
    }

    /// Works off tasks until there are none, or `most` pairs of triangles; these are added to
    /// `pairs`.
    pub(crate) fn run(&mut self, tasks: &mut Vec<Task>, pairs: &mut Vec<[u32; 2]>, most: usize) {
        while pairs.len() < most
            && let Some(task) = tasks.pop()
        {
            self.expand(task, pairs, tasks);
        }
    }

    /// The bounds of both patches of a task that was just met.
    pub(crate) fn bounds(&mut self, task: Task) -> [[B; 2]; 2] {
        let (Task::Between(a, b) | Task::Near(a, b)) = task else {
            let Task::Within(a) = task else { unreachable!("there are three kinds") };
            return [self.sides.first().fit(a); 2];
        };
        [self.sides.first().fit(a), self.sides.second().fit(b)]
    }

    /// Whether it is proven that no two triangles of a node of the only body touch.
    #[inline(always)]
    fn is_cleared(&mut self, node: u32) -> bool {
        let Some(certificate) = self.certificate else { return false };
        let patch = self.sides.first().tree.node(node).patch();
        patch.is_some_and(|patch| certificate.clears(patch))
    }

    /// Adds the tasks one level below a task to `tasks`, and the pairs of triangles of leaves to
    /// `pairs`. All that is below is inlined here, so this is compiled once for all callers.
    #[inline(never)]
    pub(crate) fn expand(&mut self, task: Task, pairs: &mut Vec<[u32; 2]>, tasks: &mut Vec<Task>) {
        let mut meet = |_: &mut Self, task| tasks.push(task);
        match task {
            Task::Within(node) => self.within(node, pairs, &mut meet),
            Task::Near(a, b) => {
                let tree = self.sides.first().tree;
                let verdict = match (self.certificate, tree.node(a).patch(), tree.node(b).patch()) {
                    (Some(proofs), Some(a), Some(b)) => proofs.clears_pair(a, b, self.scratch),
                    _ => Verdict::Hopeless,
                };
                match verdict {
                    Verdict::Cleared => {}
                    Verdict::Open => self.between(a, b, true, pairs, &mut meet),
                    Verdict::Hopeless => self.between(a, b, false, pairs, &mut meet),
                }
            }
            Task::Between(a, b) => self.between(a, b, false, pairs, &mut meet),
        }
    }

    /// The same for a node and itself.
    #[inline(always)]
    fn within(&mut self, node: u32, pairs: &mut Vec<[u32; 2]>, meet: &mut impl FnMut(&mut Self, Task)) {
        let near = self.certificate.is_some_and(|certificate| certificate.asks_pairs());
        let Some(children) = self.sides.first().tree.node(node).children() else {
            return self.leaf_within(node, pairs);
        };
        for a in fours(children.clone()) {
            let of_a = *self.sides.first().four(a.start, a.len(), &mut self.stats.skinning);
            for b in fours(a.start..children.end) {
                let of_b = self.sides.first().four(b.start, b.len(), &mut self.stats.skinning);
                let mut overlaps = B::fours_overlap(&of_a, of_b, &self.span) & valid(a.len(), b.len());
                self.stats.bounds_tests += (a.len() * b.len()) as u64;
                overlaps &= if a == b { LATER } else { u32::MAX };
                for k in bits(overlaps) {
                    let k = k as u32;
                    self.meet(a.start + k / 4, b.start + k % 4, near, pairs, meet);
                }
            }
        }
        for child in children {
            if !self.is_cleared(child) {
                meet(self, Task::Within(child));
            }
        }
    }

    /// The same for two nodes whose bounds overlap. Both are taken apart, unless one is much
    /// larger.
    #[inline(always)]
    fn between(
        &mut self,
        a: u32,
        b: u32,
        near: bool,
        pairs: &mut Vec<[u32; 2]>,
        meet: &mut impl FnMut(&mut Self, Task),
    ) {
        let below_a = self.sides.first().tree.node(a).children();
        let below_b = self.sides.second().tree.node(b).children();
        match (below_a, below_b) {
            (None, None) => self.leaves(a, b, pairs),
            (Some(below_a), None) => self.below::<true>(below_a, b, near, pairs, meet),
            (None, Some(below_b)) => self.below::<false>(below_b, a, near, pairs, meet),
            (Some(below_a), Some(below_b)) => {
                let (size_a, size_b) =
                    (B::size(&self.sides.first().fit(a)), B::size(&self.sides.second().fit(b)));
                if LARGER * size_b < size_a {
                    return self.below::<true>(below_a, b, near, pairs, meet);
                }
                if LARGER * size_a < size_b {
                    return self.below::<false>(below_b, a, near, pairs, meet);
                }
                for a in fours(below_a) {
                    let of_a = *self.sides.first().four(a.start, a.len(), &mut self.stats.skinning);
                    for b in fours(below_b.clone()) {
                        let of_b = self.sides.second().four(b.start, b.len(), &mut self.stats.skinning);
                        let overlaps = B::fours_overlap(&of_a, of_b, &self.span) & valid(a.len(), b.len());
                        self.stats.bounds_tests += (a.len() * b.len()) as u64;
                        for k in bits(overlaps) {
                            let k = k as u32;
                            self.meet(a.start + k / 4, b.start + k % 4, near, pairs, meet);
                        }
                    }
                }
            }
        }
    }

    /// The same for children of the first body (`FIRST`) or of the second, and a node of the other.
    #[inline(always)]
    fn below<const FIRST: bool>(
        &mut self,
        children: Range<u32>,
        other: u32,
        near: bool,
        pairs: &mut Vec<[u32; 2]>,
        meet: &mut impl FnMut(&mut Self, Task),
    ) {
        let of_other = if FIRST { self.sides.second() } else { self.sides.first() }.fit(other);
        for four in fours(children) {
            let side = if FIRST { self.sides.first() } else { self.sides.second() };
            let of_four = side.four(four.start, four.len(), &mut self.stats.skinning);
            let overlaps = B::four_overlap(of_four, &of_other, &self.span) & valid(1, four.len());
            self.stats.bounds_tests += four.len() as u64;
            for k in bits(overlaps) {
                let child = four.start + k as u32;
                let (a, b) = if FIRST { (child, other) } else { (other, child) };
                self.meet(a, b, near, pairs, meet);
            }
        }
    }

    /// Goes on with two nodes whose bounds overlap: with their triangles, if they are leaves.
    #[inline(always)]
    fn meet(
        &mut self,
        a: u32,
        b: u32,
        near: bool,
        pairs: &mut Vec<[u32; 2]>,
        meet: &mut impl FnMut(&mut Self, Task),
    ) {
        if self.sides.first().tree.node(a).is_leaf() && self.sides.second().tree.node(b).is_leaf() {
            self.leaves(a, b, pairs);
        } else {
            meet(self, if near { Task::Near(a, b) } else { Task::Between(a, b) });
        }
    }

    /// Adds the pairs of triangles of two leaves whose boxes overlap.
    #[inline(always)]
    fn leaves(&mut self, a: u32, b: u32, pairs: &mut Vec<[u32; 2]>) {
        let at_a = self.sides.first().leaf(a, &mut self.stats.skinning);
        let at_b = self.sides.second().leaf(b, &mut self.stats.skinning);
        let first = self.sides.first();
        let (wide_a, triangles_a) =
            (*first.boxes(at_a), &first.tree.triangles()[first.tree.node(a).triangles()]);
        let second = self.sides.second();
        let triangles_b = &second.tree.triangles()[second.tree.node(b).triangles()];
        let wide_b = second.boxes(at_b);
        let overlaps = if self.span.is_instant {
            wide_a.overlaps_each_at_start(wide_b)
        } else {
            wide_a.overlaps_each(wide_b)
        };
        self.stats.bounds_tests += 1;
        add_pairs(overlaps, triangles_a, triangles_b, pairs);
    }

    /// Adds the pairs of triangles of a leaf whose boxes overlap.
    fn leaf_within(&mut self, leaf: u32, pairs: &mut Vec<[u32; 2]>) {
        let at = self.sides.first().leaf(leaf, &mut self.stats.skinning);
        let side = self.sides.first();
        let triangles = &side.tree.triangles()[side.tree.node(leaf).triangles()];
        let boxes = side.boxes(at);
        add_pairs(boxes.overlaps_each(boxes) & LATER, triangles, triangles, pairs);
    }
}

/// Children in fours.
#[inline(always)]
fn fours(children: Range<u32>) -> impl Iterator<Item = Range<u32>> {
    let end = children.end;
    children.step_by(WIDTH).map(move |first| first..end.min(first + WIDTH as u32))
}

/// The bits of the first `n` of four and the first `m` of four others.
#[inline(always)]
fn valid(n: usize, m: usize) -> u32 {
    const ROWS: [u32; 5] = [0, 0xf, 0xff, 0xfff, 0xffff];
    const COLUMNS: [u32; 5] = [0, 0x1111, 0x3333, 0x7777, 0xffff];
    ROWS[n] & COLUMNS[m]
}

/// Adds pairs of the triangles of two leaves: bit `WIDTH i + j` for triangle i of the first and j
/// of the second.
#[inline(always)]
fn add_pairs(overlaps: u32, a: &[u32], b: &[u32], pairs: &mut Vec<[u32; 2]>) {
    for k in bits(overlaps) {
        // Boxes of nothing may overlap infinite ones, but there is no triangle.
        if let (Some(&a), Some(&b)) = (a.get(k / WIDTH), b.get(k % WIDTH)) {
            pairs.push([a, b]);
        }
    }
}
