//! The drivers of walks whose bounds are refitted where they go, in the calling thread: one pair of
//! bodies after the other, or all pairs of all bodies in one queue, those that overlap most first,
//! as long as a budget lasts.
//!
//! What is refitted for one pair of bodies is there for the next.

use super::lazy::{LazyStats, LazyWalk};
use super::task::Task;
use crate::body_id::BodyId;
use crate::certificate::Workspace;
use crate::contact::Open;
use crate::demand::{Bound, Span};
use crate::query::{Budget, Clock};
use crate::scene::{BLOCK, PairSink, Scene};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Bodies whose bounds are refitted on demand.
pub(crate) trait LazyBodies {
    type Bound: Bound;

    /// What all of the walk of a pair of bodies is, if there is any, and the bounds of both.
    fn begin(
        &mut self,
        pair: [usize; 2],
        span: Span,
        stats: &mut LazyStats,
    ) -> Option<(Task, [[Self::Bound; 2]; 2])>;

    /// Calls `go` with the walk of a pair of bodies, or of one with itself.
    fn walk<R>(
        &mut self,
        pair: [usize; 2],
        span: Span,
        workspace: &mut Workspace,
        stats: &mut LazyStats,
        go: impl FnOnce(LazyWalk<Self::Bound>) -> R,
    ) -> R;

    /// The bodies as sinks see them.
    fn scene(&self) -> Scene<'_>;
}

/// Memory of a driver, kept so that the next query need not allocate it.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) workspace: Workspace,
    tasks: Vec<Task>,
    pairs: Vec<[u32; 2]>,
    queue: BinaryHeap<Queued>,
}

/// A query that is being answered.
pub(crate) struct Driver<'a, L> {
    pub(crate) bodies: L,
    /// The pairs of bodies that may touch.
    pub(crate) near: &'a [[usize; 2]],
    pub(crate) span: Span,
    /// How much of the step still counts.
    pub(crate) limit: &'a dyn Fn() -> f64,
    pub(crate) memory: &'a mut Memory,
    pub(crate) stats: &'a mut LazyStats,
    pub(crate) sink: &'a mut dyn PairSink,
}

impl<L: LazyBodies> Driver<'_, L> {
    /// Looks at everything, one pair of bodies after the other.
    pub(crate) fn all(&mut self) {
        for &pair in self.near {
            self.sink.begin(pair);
            self.memory.tasks.clear();
            self.memory.tasks.push(if pair[0] == pair[1] { Task::Within(0) } else { Task::Between(0, 0) });
            while !self.memory.tasks.is_empty() {
                self.walk(pair, None);
                if self.hand_over().is_break() {
                    return;
                }
            }
        }
        self.sink.finish(&self.bodies.scene());
    }

    /// Looks at what overlaps most, whatever the bodies, until the budget is used up. Returns what
    /// is left.
    pub(crate) fn best_first(&mut self, budget: Budget, clock: Option<Clock>, start: u64) -> Vec<Open> {
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

    /// Whether no more may be done.
    fn is_used_up(&self, budget: Budget, clock: Option<Clock>, start: u64, n_done: u32) -> bool {
        match (budget, clock) {
            (Budget::Refits(most), _) => most < self.stats.skinning.refits,
            (Budget::Nanoseconds(most), Some(now)) => {
                n_done.is_multiple_of(CLOCK_EVERY) && most < now().saturating_sub(start)
            }
            (Budget::Nanoseconds(_), None) => false,
        }
    }

    /// Goes on with a pair of bodies: works off the stack of tasks until there are enough pairs of
    /// triangles; or takes one task apart, into the queue.
    fn walk(&mut self, pair: [usize; 2], one: Option<Task>) {
        let Memory { workspace, tasks, pairs, queue } = &mut *self.memory;
        let span = Span { until: (self.limit)(), ..self.span };
        self.bodies.walk(pair, span, workspace, self.stats, |mut walk| match one {
            None => walk.run(tasks, pairs, BLOCK),
            Some(task) => {
                tasks.clear();
                walk.expand(task, pairs, tasks);
                for task in tasks.drain(..) {
                    queue.push(Queued::new(pair, task, walk.bounds(task)));
                }
            }
        });
    }

    /// Hands the pairs of triangles over; breaks when no more are wanted.
    fn hand_over(&mut self) -> ControlFlow<()> {
        let scene = self.bodies.scene();
        let flow = self.memory.pairs.chunks(BLOCK).try_for_each(|block| self.sink.pairs(&scene, block));
        self.memory.pairs.clear();
        flow
    }
}

/// How many tasks are done between two looks at the clock.
const CLOCK_EVERY: u32 = 4;

/// A task in the queue, before those that overlap less.
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

    fn open(self) -> Open {
        Open { bodies: self.pair.map(|body| BodyId(body as u32)), balls: self.balls }
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
