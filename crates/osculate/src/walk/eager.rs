//! Traversal of a tree with itself, or of two trees, over slots: a slot is a lane of a node, that
//! is, a child with its bounds.

use super::task::{Task, bits};
use crate::bounds::{Bounds, Slabs};
use crate::certificate::{Certificate, Verdict, Workspace};
use crate::hierarchy::{Child, Hierarchy, WIDTH};
use crate::mask::{Mask, NoMask};
use std::ops::ControlFlow;

/// One of the two trees of a walk; both are the same when a body is tested against itself.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a, const N: usize> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) bounds: &'a Bounds<N>,
}

/// A walk over two trees, with its plugs: the kernel for refitted bounds.
///
/// If `same`, both sides are one body, tested against itself; otherwise the pairs are those between
/// the two sides.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a, const N: usize, M = NoMask> {
    pub(super) first: Side<'a, N>,
    pub(super) second: Side<'a, N>,
    same: bool,
    /// Proofs about patches.
    certificate: Option<&'a dyn Certificate>,
    /// Whether pairs of patches are tested by the certificate.
    asks_pairs: bool,
    mask: &'a M,
}

impl<'a, const N: usize, M> Walk<'a, N, M> {
    /// The walk between two bodies, or of a body with itself (`same`).
    pub(super) fn new(
        [first, second]: [Side<'a, N>; 2],
        same: bool,
        certificate: Option<&'a dyn Certificate>,
        mask: &'a M,
    ) -> Walk<'a, N, M> {
        let asks_pairs = certificate.is_some_and(Certificate::asks_pairs);
        Walk { first, second, same, certificate, asks_pairs, mask }
    }
}

/// A slot: lane `slot % WIDTH` of node `slot / WIDTH`.
type Slot = u32;

#[inline(always)]
pub(super) fn slot(node: u32, lane: usize) -> Slot {
    node * WIDTH as u32 + lane as u32
}

/// Scratch memory of a worker, kept between tasks to avoid reallocation.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Its size is bounded by the depth of the trees: pairs of triangles are visited, not stored.
    stack: Vec<Task>,
    pub(crate) certificate: Workspace,
}

/// Statistics of a walk with a mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WalkStats<C> {
    /// Number of overlap tests of two bounding volumes.
    pub(crate) bounds_tests: u64,
    /// What the mask counted.
    pub(crate) of_mask: C,
}

impl<const N: usize> Side<'_, N> {
    #[inline(always)]
    pub(super) fn child(&self, slot: Slot) -> Child {
        self.hierarchy.child(slot / WIDTH as u32, slot as usize % WIDTH)
    }

    #[inline(always)]
    fn bounds(&self, slot: Slot) -> Slabs<N> {
        self.bounds.node(slot / WIDTH as u32).lane(slot as usize % WIDTH)
    }
}

impl<const N: usize, M: Mask> Walk<'_, N, M> {
    /// Splits the walk into about `n` tasks, in a fixed order; none if there is nothing to test.
    pub(crate) fn tasks(
        &self,
        n: usize,
        scratch: &mut Scratch,
        stats: &mut WalkStats<M::Counts>,
    ) -> Vec<Task> {
        if self.first.hierarchy.n_nodes() == 0 || self.second.hierarchy.n_nodes() == 0 {
            return Vec::new();
        }
        let mut tasks = Vec::new();
        let mut keep = |below: Below| {
            tasks.push(below.task);
            ControlFlow::Continue(())
        };
        let _ = if self.same {
            self.within(0, &mut scratch.certificate, &mut keep)
        } else {
            self.between(0, 0, self.asks_pairs, stats, &mut keep)
        };
        self.split(tasks, n, scratch, stats)
    }

    /// Splits tasks until there are at least `n`, in a fixed order; fewer if splitting does not
    /// pay.
    pub(crate) fn split(
        &self,
        mut tasks: Vec<Task>,
        n: usize,
        scratch: &mut Scratch,
        stats: &mut WalkStats<M::Counts>,
    ) -> Vec<Task> {
        // Expand one level at a time, until there are enough tasks or only single pairs are left.
        // The number of levels is limited to that of a tree of `n` nodes: where most nodes are
        // cleared, there is little work to share, and most of it would be done here.
        for _ in 0..=n.max(1).ilog(WIDTH) {
            if n <= tasks.len() || tasks.iter().all(|&task| self.triangles(task).is_some()) {
                break;
            }
            let mut next = Vec::with_capacity(8 * tasks.len());
            for &task in &tasks {
                if self.triangles(task).is_some() {
                    next.push(task);
                    continue;
                }
                let _ = self.expand(task, &mut scratch.certificate, stats, &mut |below| {
                    next.push(below.task);
                    ControlFlow::Continue(())
                });
            }
            tasks = next;
        }
        tasks
    }

    /// Runs a task: calls `visit(a, b)` once for every pair of triangles whose bounds overlap,
    /// until it breaks. Pairs below a node, or between two nodes, that the certificate clears are
    /// left out, and so are pairs that the mask drops.
    pub(crate) fn run(
        &self,
        task: Task,
        scratch: &mut Scratch,
        stats: &mut WalkStats<M::Counts>,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Scratch { stack, certificate } = scratch;
        stack.clear();
        let mut meet = |below: Below, stack: &mut Vec<Task>| match below.triangles {
            Some((a, b)) if self.mask.keeps(a, b) => visit(a, b),
            Some(_) => ControlFlow::Continue(()),
            None => {
                stack.push(below.task);
                ControlFlow::Continue(())
            }
        };
        meet(Below { task, triangles: self.triangles(task) }, stack)?;
        while let Some(task) = stack.pop() {
            self.expand(task, certificate, stats, &mut |below| meet(below, stack))?;
        }
        ControlFlow::Continue(())
    }

    /// Number of triangles below the two nodes of a task; 0 if it is not a task of two nodes.
    pub(super) fn n_triangles(&self, task: Task) -> usize {
        let (Task::Between(a, b) | Task::Near(a, b)) = task else { return 0 };
        let (Child::Node(a), Child::Node(b)) = (self.first.child(a), self.second.child(b)) else { return 0 };
        self.first.hierarchy.range(a).len() + self.second.hierarchy.range(b).len()
    }

    /// The pair of triangles of a task, if it is a single pair.
    fn triangles(&self, task: Task) -> Option<(u32, u32)> {
        let Task::Between(a, b) = task else { return None };
        Below::of((a, self.first.child(a)), (b, self.second.child(b)), false).triangles
    }

    /// Calls `meet` for the tasks one level below a task that is not a pair of triangles.
    #[inline(always)]
    fn expand(
        &self,
        task: Task,
        scratch: &mut Workspace,
        stats: &mut WalkStats<M::Counts>,
        meet: &mut impl FnMut(Below) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match task {
            Task::Near(a, b) => {
                let (Child::Node(a), Child::Node(b)) = (self.first.child(a), self.second.child(b)) else {
                    unreachable!("two nodes are near");
                };
                match self.clears_pair(a, b, scratch) {
                    Verdict::Cleared => ControlFlow::Continue(()),
                    Verdict::Open => self.between(a, b, true, stats, meet),
                    Verdict::Hopeless => self.between(a, b, false, stats, meet),
                }
            }
            Task::Within(node) => {
                for lane in 0..WIDTH {
                    if let Child::Node(child) = self.first.hierarchy.child(node, lane) {
                        self.within(child, scratch, meet)?;
                    }
                }
                let wide = self.first.bounds.node(node);
                self.count(stats, node, node, WIDTH * (WIDTH - 1) / 2);
                let child = self.first.hierarchy.children(node);
                let of = |lane: usize| (slot(node, lane), child(lane));
                bits(wide.overlaps_each(wide) & LATER & self.mask.slots(node, node))
                    .try_for_each(|k| meet(Below::of(of(k / WIDTH), of(k % WIDTH), self.asks_pairs)))
            }
            Task::Between(a, b) => match (self.first.child(a), self.second.child(b)) {
                (Child::Node(a), Child::Node(b)) => self.between(a, b, false, stats, meet),
                (Child::Node(node), Child::Triangle(t)) => {
                    self.count(stats, node, b / WIDTH as u32, WIDTH);
                    let lanes = self.first.bounds.node(node).overlaps(&self.second.bounds(b))
                        & self.mask.slots_of_first(node, t);
                    let below = |lane| (slot(node, lane), self.first.hierarchy.child(node, lane));
                    bits(lanes)
                        .try_for_each(|lane| meet(Below::of(below(lane), (b, Child::Triangle(t)), false)))
                }
                (Child::Triangle(t), Child::Node(node)) => {
                    self.count(stats, a / WIDTH as u32, node, WIDTH);
                    let lanes = self.second.bounds.node(node).overlaps(&self.first.bounds(a))
                        & self.mask.slots_of_second(t, node);
                    let below = |lane| (slot(node, lane), self.second.hierarchy.child(node, lane));
                    bits(lanes)
                        .try_for_each(|lane| meet(Below::of((a, Child::Triangle(t)), below(lane), false)))
                }
                // Nothing is below two triangles. Empty bounds may overlap infinite ones, but there
                // is no child.
                (Child::Triangle(_), Child::Triangle(_)) | (Child::None, _) | (_, Child::None) => {
                    ControlFlow::Continue(())
                }
            },
        }
    }

    /// Whether the certificate proves that no two triangles below a node of the first side touch.
    #[inline(always)]
    pub(super) fn clears(&self, node: u32, scratch: &mut Workspace) -> bool {
        self.certificate.is_some_and(|certificate| certificate.clears(node, scratch))
    }

    /// Counts overlap tests between the children of a node of the first side and one of the second.
    #[inline(always)]
    fn count(&self, stats: &mut WalkStats<M::Counts>, a: u32, b: u32, n_tests: usize) {
        stats.bounds_tests += n_tests as u64;
        self.mask.count(a, b, n_tests, &mut stats.of_mask);
    }

    /// The verdict of the certificate about two nodes.
    #[inline(always)]
    pub(super) fn clears_pair(&self, a: u32, b: u32, scratch: &mut Workspace) -> Verdict {
        self.certificate.map_or(Verdict::Hopeless, |certificate| certificate.clears_pair(a, b, scratch))
    }

    /// Calls `meet` for a node of the first side with itself, unless it is cleared or masked.
    #[inline(always)]
    fn within(
        &self,
        node: u32,
        scratch: &mut Workspace,
        meet: &mut impl FnMut(Below) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.clears(node, scratch) || !self.mask.within(node) {
            return ControlFlow::Continue(());
        }
        meet(Below { task: Task::Within(node), triangles: None })
    }

    /// Calls `meet` for every pair of overlapping slots of two nodes, unless it is masked.
    #[inline(always)]
    fn between(
        &self,
        a: u32,
        b: u32,
        near: bool,
        stats: &mut WalkStats<M::Counts>,
        meet: &mut impl FnMut(Below) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (wide_a, wide_b) = (self.first.bounds.node(a), self.second.bounds.node(b));
        let slots = self.mask.slots(a, b);
        if slots == 0 {
            return ControlFlow::Continue(());
        }
        self.count(stats, a, b, WIDTH * WIDTH);
        let (of_a, of_b) = (self.first.hierarchy.children(a), self.second.hierarchy.children(b));
        bits(wide_a.overlaps_each(wide_b) & slots).try_for_each(|k| {
            let (i, j) = (k / WIDTH, k % WIDTH);
            meet(Below::of((slot(a, i), of_a(i)), (slot(b, j), of_b(j)), near))
        })
    }
}

/// A task one level below another.
#[derive(Clone, Copy)]
struct Below {
    task: Task,
    /// Its triangles, if it is a single pair.
    triangles: Option<(u32, u32)>,
}

impl Below {
    /// The task of two slots with these children. If `near`, two nodes are tested as a pair.
    #[inline(always)]
    fn of((a, of_a): (Slot, Child), (b, of_b): (Slot, Child), near: bool) -> Below {
        match (of_a, of_b) {
            (Child::Triangle(s), Child::Triangle(t)) => {
                Below { task: Task::Between(a, b), triangles: Some((s, t)) }
            }
            (Child::Node(_), Child::Node(_)) if near => Below { task: Task::Near(a, b), triangles: None },
            _ => Below { task: Task::Between(a, b), triangles: None },
        }
    }
}

/// The pairs of lanes i < j of a node: bit `WIDTH i + j`.
pub(crate) const LATER: u32 = {
    let mut set = 0;
    let mut k = 0;
    while k < WIDTH * WIDTH {
        set |= ((k / WIDTH < k % WIDTH) as u32) << k;
        k += 1;
    }
    set
};

#[cfg(test)]
mod tests;
