//! The walk over trees whose bounds are refitted on demand: of two bodies, or of a body with
//! itself.
//!
//! It can be paused after any task, so that the pairs found can be tested in between.

use super::eager::LATER;
use super::task::{Task, bits};
use crate::certificate::{Asked, Certificate, Verdict, Weighed, Workspace};
use crate::hierarchy::WIDTH;
use crate::lazy_bounds::{Bound, LazySide, LazyTree, Side, Span};
use crate::motion::Line;
use crate::stats::Skinning;
use std::ops::{AddAssign, Range};

/// The bodies of a walk.
pub(crate) enum Sides<S> {
    /// One, and itself.
    One(S),
    Two(S, S),
}

impl<S> Sides<S> {
    /// The first (0) or the second (1).
    #[inline(always)]
    pub(crate) fn of(&self, side: usize) -> &S {
        match self {
            Sides::One(only) => only,
            Sides::Two(first, second) => [first, second][side],
        }
    }

    #[inline(always)]
    fn first(&mut self) -> &mut S {
        let (Sides::One(side) | Sides::Two(side, _)) = self;
        side
    }

    #[inline(always)]
    fn second(&mut self) -> &mut S {
        let (Sides::One(side) | Sides::Two(_, side)) = self;
        side
    }
}

/// What a walk has met and is still to be done.
#[derive(Default)]
pub(crate) struct Met {
    pub(crate) tasks: Vec<Task>,
    /// Two leaves whose bounds overlap, or a leaf and itself.
    pub(crate) leaves: Vec<[u32; 2]>,
}

/// Counts of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LazyStats {
    pub(crate) bounds_tests: u64,
    pub(crate) skinning: Skinning,
}

impl AddAssign for LazyStats {
    fn add_assign(&mut self, other: LazyStats) {
        self.bounds_tests += other.bounds_tests;
        self.skinning += other.skinning;
    }
}

/// A walk, with its plugs and counts.
pub(crate) struct LazyWalk<'a, S> {
    pub(crate) sides: Sides<S>,
    pub(crate) span: Span,
    /// Proofs about patches, for a body with itself.
    pub(crate) certificate: Option<&'a dyn Certificate>,
    pub(crate) scratch: &'a mut Workspace,
    pub(crate) stats: &'a mut LazyStats,
}

/// What is left of a task.
pub(crate) enum Left {
    Nothing,
    /// A task to be descended.
    Opened(Task),
    /// A proof that needs vertices.
    Asks(Asked),
}

/// What is left of two nodes that may be cleared as a pair: two that are still [near](Task::Near)
/// are so below, too.
fn left(task: Task, verdict: Verdict) -> Left {
    match (verdict, task) {
        (Verdict::Cleared, _) => Left::Nothing,
        (Verdict::Hopeless, Task::Near(a, b)) => Left::Opened(Task::Between(a, b)),
        _ => Left::Opened(task),
    }
}

/// What is left of a task after the second part of a proof about its nodes.
fn confirmed(
    certificate: Option<&dyn Certificate>,
    tree: &LazyTree,
    task: Task,
    asked: Asked,
    vertices: &[u32],
    lines: &[Line],
    scratch: &mut Workspace,
) -> Left {
    let Task::Near(a, b) = task else { return Left::Opened(task) };
    let verdict = match (certificate, tree.node(a).patch(), tree.node(b).patch()) {
        (Some(proofs), Some(a), Some(b)) => proofs.confirms_pair([a, b], asked, vertices, lines, scratch),
        _ => Verdict::Hopeless,
    };
    left(task, verdict)
}

/// If one bound is this many times larger than the other, only the larger node is descended.
const LARGER: f32 = 2.0;

impl<'a, B: Bound> LazyWalk<'_, Side<'a, B>> {
    /// The task for all of the walk, if there is any, and the bounds of both roots.
    pub(crate) fn begin(&mut self) -> Option<(Task, [[B; 2]; 2])> {
        let a = self.sides.first().root(&mut self.stats.skinning)?;
        let b = self.sides.second().root(&mut self.stats.skinning)?;
        if let Sides::One(_) = self.sides {
            return (!self.is_cleared(0)).then_some((Task::Within(0), [a, b]));
        }
        self.stats.bounds_tests += 1;
        B::overlaps(&a, &b, &self.span).then_some((Task::Between(0, 0), [a, b]))
    }

    /// Refits the bounds of both roots, if necessary.
    pub(crate) fn fit_roots(&mut self) {
        self.sides.first().root(&mut self.stats.skinning);
        self.sides.second().root(&mut self.stats.skinning);
    }
}

impl<B: Bound> LazyWalk<'_, Side<'_, B>> {
    /// Adds the tasks and the leaves one level below a task; `vertices` is scratch memory.
    pub(crate) fn expand(&mut self, task: Task, vertices: &mut Vec<u32>, met: &mut Met) {
        vertices.clear();
        let left = match self.weigh(task, vertices) {
            Left::Asks(asked) => {
                let side = self.sides.first();
                side.place(vertices, &mut self.stats.skinning);
                confirmed(self.certificate, side.tree, task, asked, vertices, side.lines(), self.scratch)
            }
            left => left,
        };
        if let Left::Opened(task) = left {
            self.descend(task, met);
        }
    }
}

impl<S: LazySide> LazyWalk<'_, S> {
    /// The bounds of both nodes of a task that was just met.
    pub(crate) fn bounds(&mut self, task: Task) -> [[S::Bound; 2]; 2] {
        match task {
            Task::Within(a) => [self.sides.first().fit(a); 2],
            Task::Between(a, b) | Task::Near(a, b) => [self.sides.first().fit(a), self.sides.second().fit(b)],
        }
    }

    /// Whether it is proven that no two triangles of a node of the only body touch.
    #[inline(always)]
    fn is_cleared(&mut self, node: u32) -> bool {
        let Some(certificate) = self.certificate else { return false };
        let patch = self.sides.first().tree().node(node).patch();
        patch.is_some_and(|patch| certificate.clears(patch, self.scratch))
    }

    /// What is left of a task after the first part of a proof about its nodes; adds the vertices
    /// that the second part needs.
    #[inline(always)]
    pub(crate) fn weigh(&mut self, task: Task, vertices: &mut Vec<u32>) -> Left {
        // Other nodes are met only if they are not cleared.
        if task == Task::Within(0) && self.is_cleared(0) {
            return Left::Nothing;
        }
        let Task::Near(a, b) = task else { return Left::Opened(task) };
        let tree = self.sides.first().tree();
        let (Some(proofs), Some(a), Some(b)) = (self.certificate, tree.node(a).patch(), tree.node(b).patch())
        else {
            return Left::Opened(Task::Between(a, b));
        };
        match proofs.weighs_pair(a, b, self.scratch, vertices) {
            Weighed::Known(verdict) => left(task, verdict),
            Weighed::Asks(asked) => Left::Asks(asked),
        }
    }

    /// What is left of a task after the second part of the proof; `vertices` are those that the
    /// first part added, and have been placed.
    #[inline(always)]
    pub(crate) fn confirm(&mut self, task: Task, asked: Asked, vertices: &[u32], lines: &[Line]) -> Left {
        let tree = self.sides.first().tree();
        confirmed(self.certificate, tree, task, asked, vertices, lines, self.scratch)
    }

    /// Adds the tasks and the leaves one level below an opened task. All that is below is inlined
    /// here, so that it is compiled once.
    #[inline(never)]
    pub(crate) fn descend(&mut self, task: Task, met: &mut Met) {
        match task {
            Task::Within(node) => self.within(node, met),
            Task::Near(a, b) => self.between(a, b, true, met),
            Task::Between(a, b) => self.between(a, b, false, met),
        }
    }

    /// The children whose bounds [`descend`](Self::descend) compares, of the first and of the
    /// second side.
    #[inline(always)]
    pub(crate) fn descent(&mut self, task: Task) -> [Option<Range<u32>>; 2] {
        let (a, b) = match task {
            Task::Within(node) => return [self.sides.first().tree().node(node).children(), None],
            Task::Between(a, b) | Task::Near(a, b) => (a, b),
        };
        let below_a = self.sides.first().tree().node(a).children();
        let below_b = self.sides.second().tree().node(b).children();
        if below_a.is_some() && below_b.is_some() {
            // Both are descended, unless one is much larger. Of two that a proof may clear, only
            // the larger one is: fewer pairs below them are left to prove.
            let size_a = S::Bound::size(&self.sides.first().fit(a));
            let size_b = S::Bound::size(&self.sides.second().fit(b));
            let larger = if let Task::Near(..) = task { 1.0 } else { LARGER };
            if larger * size_b < size_a {
                return [below_a, None];
            }
            if larger * size_a < size_b {
                return [None, below_b];
            }
        }
        [below_a, below_b]
    }

    /// Descends a node and itself.
    #[inline(always)]
    fn within(&mut self, node: u32, met: &mut Met) {
        let near = self.certificate.is_some_and(|certificate| certificate.asks_pairs());
        let Some(children) = self.sides.first().tree().node(node).children() else {
            return met.leaves.push([node, node]);
        };
        for a in fours(children.clone()) {
            let of_a = *self.sides.first().four(a.start, a.len(), &mut self.stats.skinning);
            for b in fours(a.start..children.end) {
                let of_b = self.sides.first().four(b.start, b.len(), &mut self.stats.skinning);
                let mut overlaps = S::Bound::fours_overlap(&of_a, of_b, &self.span) & valid(a.len(), b.len());
                self.stats.bounds_tests += (a.len() * b.len()) as u64;
                overlaps &= if a == b { LATER } else { u32::MAX };
                for k in bits(overlaps) {
                    let k = k as u32;
                    self.meet(a.start + k / 4, b.start + k % 4, near, met);
                }
            }
        }
        for child in children {
            if !self.is_cleared(child) {
                met.tasks.push(Task::Within(child));
            }
        }
    }

    /// Descends two nodes whose bounds overlap.
    #[inline(always)]
    fn between(&mut self, a: u32, b: u32, near: bool, met: &mut Met) {
        match self.descent(if near { Task::Near(a, b) } else { Task::Between(a, b) }) {
            [None, None] => met.leaves.push([a, b]),
            [Some(below_a), None] => self.below::<true>(below_a, b, near, met),
            [None, Some(below_b)] => self.below::<false>(below_b, a, near, met),
            [Some(below_a), Some(below_b)] => {
                for a in fours(below_a) {
                    let of_a = *self.sides.first().four(a.start, a.len(), &mut self.stats.skinning);
                    for b in fours(below_b.clone()) {
                        let of_b = self.sides.second().four(b.start, b.len(), &mut self.stats.skinning);
                        let overlaps =
                            S::Bound::fours_overlap(&of_a, of_b, &self.span) & valid(a.len(), b.len());
                        self.stats.bounds_tests += (a.len() * b.len()) as u64;
                        for k in bits(overlaps) {
                            let k = k as u32;
                            self.meet(a.start + k / 4, b.start + k % 4, near, met);
                        }
                    }
                }
            }
        }
    }

    /// Descends children of the first body (`FIRST`) or of the second, and a node of the other.
    #[inline(always)]
    fn below<const FIRST: bool>(&mut self, children: Range<u32>, other: u32, near: bool, met: &mut Met) {
        let of_other = if FIRST { self.sides.second() } else { self.sides.first() }.fit(other);
        for four in fours(children) {
            let side = if FIRST { self.sides.first() } else { self.sides.second() };
            let of_four = side.four(four.start, four.len(), &mut self.stats.skinning);
            let overlaps = S::Bound::four_overlap(of_four, &of_other, &self.span) & valid(1, four.len());
            self.stats.bounds_tests += four.len() as u64;
            for k in bits(overlaps) {
                let child = four.start + k as u32;
                let (a, b) = if FIRST { (child, other) } else { (other, child) };
                self.meet(a, b, near, met);
            }
        }
    }

    /// Adds two nodes whose bounds overlap.
    #[inline(always)]
    fn meet(&mut self, a: u32, b: u32, near: bool, met: &mut Met) {
        if self.sides.first().tree().node(a).is_leaf() && self.sides.second().tree().node(b).is_leaf() {
            met.leaves.push([a, b]);
        } else {
            met.tasks.push(if near { Task::Near(a, b) } else { Task::Between(a, b) });
        }
    }

    /// Adds the pairs of triangles of two leaves, or of a leaf of the only body and itself, whose
    /// boxes overlap.
    #[inline(always)]
    pub(crate) fn leaves(&mut self, a: u32, b: u32, pairs: &mut Vec<[u32; 2]>) {
        let is_one = matches!(self.sides, Sides::One(_)) && a == b;
        let wide_a = *self.sides.first().boxes(a, &mut self.stats.skinning);
        let wide_b = *self.sides.second().boxes(b, &mut self.stats.skinning);
        let overlaps = if is_one {
            wide_a.overlaps_each(&wide_b) & LATER
        } else {
            self.stats.bounds_tests += 1;
            if self.span.is_instant {
                wide_a.overlaps_each_at_start(&wide_b)
            } else {
                wide_a.overlaps_each(&wide_b)
            }
        };
        let [tree_a, tree_b] = [0, 1].map(|side| self.sides.of(side).tree());
        let triangles_a = &tree_a.triangles()[tree_a.node(a).triangles()];
        let triangles_b = &tree_b.triangles()[tree_b.node(b).triangles()];
        add_pairs(overlaps, triangles_a, triangles_b, pairs);
    }
}

/// Children in groups of four.
#[inline(always)]
pub(super) fn fours(children: Range<u32>) -> impl Iterator<Item = Range<u32>> {
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

/// Adds pairs of triangles of two leaves: bit `WIDTH i + j` of `overlaps` for triangle i of the
/// first and j of the second.
#[inline(always)]
fn add_pairs(overlaps: u32, a: &[u32], b: &[u32], pairs: &mut Vec<[u32; 2]>) {
    for k in bits(overlaps) {
        // Empty boxes may overlap infinite ones, but there is no triangle.
        if let (Some(&a), Some(&b)) = (a.get(k / WIDTH), b.get(k % WIDTH)) {
            pairs.push([a, b]);
        }
    }
}
