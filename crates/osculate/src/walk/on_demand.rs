//! The driver of walks whose bounds are refitted on demand, in the calling thread: one pair of
//! bodies after the other; or all in one queue, those that overlap most first, until a budget is
//! used up.
//!
//! Bounds refitted for one pair of bodies are reused for the next.

use super::lazy::{LazyStats, LazyWalk, Met};
use super::task::Task;
use crate::body_id::BodyId;
use crate::certificate::Workspace;
use crate::contact::OpenPair;
use crate::lazy_bounds::{Bound, Side, Span};
use crate::query::{Budget, Clock};
use crate::scene::{BLOCK, PairSink, Scene};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Bodies whose bounds are refitted on demand.
pub(crate) trait LazyBodies {
    type Bound: Bound;

    /// The task of the whole walk of a pair of bodies, if there is anything to test, and the bounds
    /// of both.
    fn begin(
        &mut self,
        pair: [usize; 2],
        span: Span,
        stats: &mut LazyStats,
    ) -> Option<(Task, [[Self::Bound; 2]; 2])>;

    /// Calls `go` with the walk of a pair of bodies, or of a body with itself.
    fn walk<R>(
        &mut self,
        pair: [usize; 2],
        span: Span,
        workspace: &mut Workspace,
        stats: &mut LazyStats,
        go: impl FnOnce(LazyWalk<Side<Self::Bound>>) -> R,
    ) -> R;

    /// The bodies as sinks see them.
    fn scene(&self) -> Scene<'_>;
}

/// Scratch memory of a driver, kept to avoid reallocation.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) workspace: Workspace,
    met: Met,
    pairs: Vec<[u32; 2]>,
    vertices: Vec<u32>,
    queue: BinaryHeap<Queued>,
}

/// The driver of a query.
pub(crate) struct Driver<'a, L> {
    pub(crate) bodies: L,
    /// The pairs of bodies that may touch.
    pub(crate) near: &'a [[usize; 2]],
    pub(crate) span: Span,
    /// The end of the part of the step that still counts.
    pub(crate) limit: &'a dyn Fn() -> f64,
    pub(crate) memory: &'a mut Memory,
    pub(crate) stats: &'a mut LazyStats,
    pub(crate) sink: &'a mut dyn PairSink,
}

impl<L: LazyBodies> Driver<'_, L> {
    /// Traverses everything, one pair of bodies after the other.
    pub(crate) fn all(&mut self) {
        for &pair in self.near {
            self.sink.begin(pair);
            self.memory.met.tasks.clear();
            self.memory.met.tasks.push(if pair[0] == pair[1] {
                Task::Within(0)
            } else {
                Task::Between(0, 0)
            });
            while !self.memory.met.tasks.is_empty() {
                self.walk(pair, None);
                if self.hand_over().is_break() {
                    return;
                }
            }
        }
        self.sink.finish(&self.bodies.scene());
    }

    /// Traverses the tasks of all bodies, those that overlap most first, until the budget is used
    /// up. Returns the pairs that are left.
    pub(crate) fn best_first(&mut self, budget: Budget, clock: Option<Clock>, start: u64) -> Vec<OpenPair> {
        self.memory.queue.clear();
        for &pair in self.near {
            if let Some((task, bounds)) = self.bodies.begin(pair, self.span, self.stats) {
                self.memory.queue.push(Queued::new(pair, task, bounds));
            }
        }
        let mut n_done = 0_u32;
        while !self.is_used_up(budget, clock, start, n_done)
            && let Some(Queued { pair, task, .. }) = self.memory.queue.pop()
        {
            n_done += 1;
            self.walk(pair, Some(task));
            if !self.memory.pairs.is_empty() {
                self.sink.begin(pair);
                if self.hand_over().is_break() {
                    break;
                }
                self.sink.finish(&self.bodies.scene());
            }
        }
        self.memory.queue.drain().map(|queued| queued.open()).collect()
    }

    /// Whether the budget is used up.
    fn is_used_up(&self, budget: Budget, clock: Option<Clock>, start: u64, n_done: u32) -> bool {
        match (budget, clock) {
            (Budget::Refits(most), _) => most < self.stats.skinning.refits,
            (Budget::Nanoseconds(most), Some(now)) => {
                n_done.is_multiple_of(CLOCK_EVERY) && most < now().saturating_sub(start)
            }
            (Budget::Nanoseconds(_), None) => false,
        }
    }

    /// Continues with a pair of bodies: runs the stack of tasks until there are enough pairs of
    /// triangles, or expands one task into the queue.
    fn walk(&mut self, pair: [usize; 2], one: Option<Task>) {
        let Memory { workspace, met, pairs, vertices, queue } = &mut *self.memory;
        let span = Span { until: (self.limit)(), ..self.span };
        self.bodies.walk(pair, span, workspace, self.stats, |mut walk| match one {
            None => {
                while pairs.len() < BLOCK
                    && let Some(task) = met.tasks.pop()
                {
                    walk.expand(task, vertices, met);
                    met.leaves.drain(..).for_each(|[a, b]| walk.leaves(a, b, pairs));
                }
            }
            Some(task) => {
                met.tasks.clear();
                walk.expand(task, vertices, met);
                met.leaves.drain(..).for_each(|[a, b]| walk.leaves(a, b, pairs));
                queue.extend(met.tasks.drain(..).map(|task| Queued::new(pair, task, walk.bounds(task))));
            }
        });
    }

    /// Passes the pairs of triangles to the sink; breaks when no more are needed.
    fn hand_over(&mut self) -> ControlFlow<()> {
        let scene = self.bodies.scene();
        let flow = self.memory.pairs.chunks(BLOCK).try_for_each(|block| self.sink.pairs(&scene, block));
        self.memory.pairs.clear();
        flow
    }
}

/// Number of tasks between two readings of the clock.
const CLOCK_EVERY: u32 = 4;

/// A task in the queue, ordered by overlap.
#[derive(Clone, Copy)]
struct Queued {
    depth: f32,
    pair: [usize; 2],
    task: Task,
    balls: [([f32; 3], f32); 2],
}

impl Queued {
    fn new<B: Bound>(pair: [usize; 2], task: Task, [a, b]: [[B; 2]; 2]) -> Queued {
        Queued { depth: B::depth(&a, &b), pair, task, balls: [a[0].ball(), b[0].ball()] }
    }

    fn open(self) -> OpenPair {
        OpenPair { bodies: self.pair.map(|body| BodyId(body as u32)), balls: self.balls }
    }
}

impl Ord for Queued {
    fn cmp(&self, other: &Self) -> Ordering {
        self.depth.total_cmp(&other.depth)
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Queued {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Queued {}
