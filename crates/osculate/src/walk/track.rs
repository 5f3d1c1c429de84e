//! A walk of a body with itself that starts from a front, and updates the front (methods 7.7).
//!
//! Guarantee: the pairs visited are those of a walk without a front and, possibly, pairs that such
//! a walk culls with larger patches.

use super::eager::{LATER, Scratch, Walk, WalkStats, slot};
use super::front::{Front, Part, Trace, Word};
use super::task::{Task, bits};
use crate::certificate::Verdict;
use crate::hierarchy::{Child, WIDTH};
use crate::mask::Mask;
use std::ops::ControlFlow;

/// Two patches of at least this many triangles together, for which proofs are hopeless, become a
/// separate task.
const LARGE: usize = if cfg!(test) { 32 } else { 2048 };

/// Scratch memory of a worker that tracks segments.
#[derive(Default)]
pub(crate) struct TrackScratch {
    pub(crate) walk: Scratch,
    trace: Trace,
}

impl<const N: usize, M: Mask> Walk<'_, N, M> {
    /// Tracks the segments of a part of the front. Calls `visit(a, b)`, until it breaks, for every
    /// pair of triangles whose lowest common node is in the part, whose bounds overlap and which is
    /// not culled; and `defer` for pairs of large patches, which have to be traversed as well.
    ///
    /// The walk must be that of a body with itself. If it breaks, the part of the front is
    /// unchanged.
    pub(crate) fn track(
        &self,
        front: &Front,
        part: Part,
        scratch: &mut TrackScratch,
        stats: &mut WalkStats<M::Counts>,
        visit: impl FnMut(u32, u32) -> ControlFlow<()>,
        defer: impl FnMut(Task),
    ) -> ControlFlow<()> {
        front.load(part, &mut scratch.trace);
        let TrackScratch { walk: memory, trace } = scratch;
        let mut tracking = Tracking { walk: self, scratch: memory, trace, stats, visit, defer };
        let end = part.end().min(self.first.hierarchy.n_nodes() as u32);
        let mut node = part.first;
        while node < end {
            if self.clears(node, &mut tracking.scratch.certificate) {
                node = self.first.hierarchy.end(node);
            } else {
                tracking.segment(node)?;
                node += 1;
            }
        }
        front.store(part, &scratch.trace);
        ControlFlow::Continue(())
    }
}

/// A worker that tracks the segments of a part.
struct Tracking<'a, 'w, const N: usize, M: Mask, V, D> {
    walk: &'a Walk<'w, N, M>,
    scratch: &'a mut Scratch,
    trace: &'a mut Trace,
    stats: &'a mut WalkStats<M::Counts>,
    visit: V,
    defer: D,
}

impl<const N: usize, M, V, D> Tracking<'_, '_, N, M, V, D>
where
    M: Mask,
    V: FnMut(u32, u32) -> ControlFlow<()>,
    D: FnMut(Task),
{
    /// Tracks the segment of a node that is not cleared.
    fn segment(&mut self, node: u32) -> ControlFlow<()> {
        let (start, is_known) = self.trace.begin(node);
        let wide = self.walk.first.bounds.node(node);
        self.stats.bounds_tests += (WIDTH * (WIDTH - 1) / 2) as u64;
        self.near(node, node, wide.overlaps_each(wide) & LATER, is_known)?;
        self.trace.end(start);
        ControlFlow::Continue(())
    }

    /// Tracks the pairs below a pair of nodes above the cut; `overlapping` are the pairs of its
    /// children that overlap. If the pair is known, its word is the next to be read.
    fn near(&mut self, a: u32, b: u32, overlapping: u32, is_known: bool) -> ControlFlow<()> {
        let place = self.trace.reserve();
        let old = if is_known { self.trace.read() } else { Word::default() };
        let mut new = Word::default();
        bits(overlapping | old.open()).try_for_each(|k| {
            let is = |set: u32| set & 1 << k != 0;
            if !is(overlapping) {
                // The cut moves up to this pair.
                self.trace.skip();
                return ControlFlow::Continue(());
            }
            let (a, b) = (slot(a, k / WIDTH), slot(b, k % WIDTH));
            let (Child::Node(first), Child::Node(second)) =
                (self.walk.first.child(a), self.walk.second.child(b))
            else {
                return self.far(Task::Between(a, b));
            };
            let is_in_vain = is(old.open() | old.hopeless()) && {
                let n_triangles = self.walk.n_triangles(Task::Between(a, b));
                !self.trace.is_due(first, second, n_triangles)
            };
            let verdict = match is_in_vain {
                true if is(old.open()) => Verdict::Open,
                true => Verdict::Hopeless,
                false => self.walk.clears_pair(first, second, &mut self.scratch.certificate),
            };
            if is(old.open()) && verdict != Verdict::Open {
                self.trace.skip();
            }
            match verdict {
                Verdict::Cleared => ControlFlow::Continue(()),
                Verdict::Open => {
                    new.set_open(k);
                    let bounds = self.walk.first.bounds;
                    self.stats.bounds_tests += (WIDTH * WIDTH) as u64;
                    let overlapping = bounds.node(first).overlaps_each(bounds.node(second));
                    self.near(first, second, overlapping, is(old.open()))
                }
                Verdict::Hopeless => {
                    new.set_hopeless(k);
                    self.far(Task::Between(a, b))
                }
            }
        })?;
        self.trace.write(place, new);
        ControlFlow::Continue(())
    }

    /// Traverses all pairs between two slots, or defers them.
    fn far(&mut self, task: Task) -> ControlFlow<()> {
        if LARGE <= self.walk.n_triangles(task) {
            (self.defer)(task);
            return ControlFlow::Continue(());
        }
        self.walk.run(task, self.scratch, self.stats, &mut self.visit)
    }
}

#[cfg(test)]
mod tests;
