//! The driver of walks whose bounds are refitted on demand, in the calling thread: one pair of
//! bodies after the other; or those that overlap most first, until a budget is used up.
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
    queue: BinaryHeap<OpenBodies>,
    /// Empty lists of tasks, for reuse.
    stacks: Vec<Vec<(f32, Task)>>,
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
                self.walk(pair);
                if self.hand_over().is_break() {
                    return;
                }
            }
        }
        self.sink.finish(&self.bodies.scene());
    }

    /// Traverses each pair of bodies depth first, where patches overlap most, until something is
    /// found; those that overlap most come first, in portions that double, so that no pair holds up
    /// the others. What is left of the pairs with results comes last. Ends when the budget is used
    /// up, or when no more results are needed; returns the pairs of patches that are left.
    pub(crate) fn best_first(&mut self, limits: &Limits) -> Vec<OpenPair> {
        for &pair in self.near {
            if let Some((task, bounds)) = self.bodies.begin(pair, self.span, self.stats) {
                let mut tasks = self.memory.stacks.pop().unwrap_or_default();
                let [a, b] = bounds;
                let depth = L::Bound::depth(&a, &b);
                tasks.push((depth, task));
                self.memory.queue.push(OpenBodies { round: 0, depth, pair, tasks });
            }
        }
        let mut is_over = limits.are_reached(self.stats, self.sink);
        while !is_over && let Some(mut open) = self.memory.queue.pop() {
            let n_found = self.sink.n_results();
            let mut n_left = PORTION << open.round.min(LAST_ROUND);
            while !is_over && n_left != 0 && !open.tasks.is_empty() {
                n_left = self.descend(&mut open, n_left, limits);
                if !self.memory.pairs.is_empty() {
                    self.sink.begin(open.pair);
                    is_over = self.hand_over().is_break();
                    self.sink.finish(&self.bodies.scene());
                    if n_found != self.sink.n_results() && open.round != FOUND {
                        (open.round, n_left) = (FOUND, 0);
                    }
                }
                is_over |= limits.are_reached(self.stats, self.sink);
            }
            open.round += u8::from(open.round < LAST_ROUND);
            open.depth = open.tasks.last().map_or(0.0, |&(depth, _)| depth);
            match open.tasks.is_empty() {
                true => self.memory.stacks.push(open.tasks),
                false => self.memory.queue.push(open),
            }
        }
        self.left()
    }

    /// Empties the queue, and returns the pairs of patches that were left in it.
    fn left(&mut self) -> Vec<OpenPair> {
        let mut left = Vec::new();
        let Memory { workspace, queue, stacks, .. } = &mut *self.memory;
        for OpenBodies { pair, mut tasks, .. } in queue.drain() {
            let bodies = pair.map(|body| BodyId(body as u32));
            self.bodies.walk(pair, self.span, workspace, self.stats, |mut walk| {
                // A walk with proofs has another tree than the one whose roots were compared.
                walk.fit_roots();
                left.extend(tasks.iter().map(|&(_, task)| {
                    let [a, b] = walk.bounds(task);
                    OpenPair { bodies, balls: [a[0].ball(), b[0].ball()] }
                }));
            });
            tasks.clear();
            stacks.push(tasks);
        }
        left
    }

    /// Continues with a pair of bodies, depth first: at most `n_left` tasks, until there are enough
    /// pairs of triangles or the limits are reached. Returns how many of the tasks remain.
    ///
    /// Any pair of triangles is enough until something is found.
    fn descend(&mut self, open: &mut OpenBodies, mut n_left: u32, limits: &Limits) -> u32 {
        let Memory { workspace, met, pairs, vertices, .. } = &mut *self.memory;
        let span = Span { until: (self.limit)(), ..self.span };
        let (sink, enough) = (&mut *self.sink, if open.round == FOUND { BLOCK } else { 1 });
        self.bodies.walk(open.pair, span, workspace, self.stats, |mut walk| {
            while n_left != 0
                && pairs.len() < enough
                && let Some((_, task)) = open.tasks.pop()
            {
                n_left -= 1;
                met.tasks.clear();
                walk.expand(task, vertices, met);
                met.leaves.drain(..).for_each(|[a, b]| walk.leaves(a, b, pairs));
                let first = open.tasks.len();
                open.tasks.extend(met.tasks.drain(..).map(|task| {
                    let [a, b] = walk.bounds(task);
                    (L::Bound::depth(&a, &b), task)
                }));
                // Those that overlap most are next.
                open.tasks[first..].sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
                if n_left.is_multiple_of(LOOK_EVERY) && limits.are_reached(walk.stats, sink) {
                    break;
                }
            }
        });
        n_left
    }

    /// Continues with a pair of bodies, in order, until there are enough pairs of triangles.
    fn walk(&mut self, pair: [usize; 2]) {
        let Memory { workspace, met, pairs, vertices, .. } = &mut *self.memory;
        let span = Span { until: (self.limit)(), ..self.span };
        self.bodies.walk(pair, span, workspace, self.stats, |mut walk| {
            while pairs.len() < BLOCK
                && let Some(task) = met.tasks.pop()
            {
                walk.expand(task, vertices, met);
                met.leaves.drain(..).for_each(|[a, b]| walk.leaves(a, b, pairs));
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

/// What ends a walk of those that overlap most first.
pub(crate) struct Limits {
    pub(crate) budget: Budget,
    pub(crate) clock: Option<Clock>,
    /// The start of the query, by the clock.
    pub(crate) start: u64,
}

impl Limits {
    /// Whether the budget is used up.
    fn are_reached(&self, stats: &LazyStats, sink: &mut dyn PairSink) -> bool {
        match (self.budget, self.clock) {
            (Budget::Refits(most), _) => most < stats.skinning.refits,
            (Budget::Tests(most), _) => most <= stats.bounds_tests + sink.stats().pairs,
            (Budget::Nanoseconds(most), Some(now)) => most < now().saturating_sub(self.start),
            (Budget::Nanoseconds(_), None) => false,
        }
    }
}

/// Number of tasks between two looks at the limits.
const LOOK_EVERY: u32 = 4;

/// Number of tasks of a pair of bodies in its first round; twice as many in each later one. Too
/// small, and time goes into changing from pair to pair; too large, and pairs of bodies that are
/// close but do not touch hold up the others.
const PORTION: u32 = 32;

/// In this round and all later ones, portions are equally large.
const LAST_ROUND: u8 = 8;

/// The round of pairs with results.
const FOUND: u8 = LAST_ROUND + 1;

/// A pair of bodies in the queue.
struct OpenBodies {
    round: u8,
    depth: f32,
    pair: [usize; 2],
    /// The tasks that are left, each with the depth of the overlap of its nodes; the last is next.
    tasks: Vec<(f32, Task)>,
}

impl Ord for OpenBodies {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_round = other.round.cmp(&self.round);
        by_round.then(self.depth.total_cmp(&other.depth)).then(other.pair.cmp(&self.pair))
    }
}

impl PartialOrd for OpenBodies {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenBodies {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenBodies {}
