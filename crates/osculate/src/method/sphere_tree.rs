//! Trees of bounds that are refitted on demand: only where the walk goes, from the maps of bones (paper 002, sections 4 and 5; methods 5).
//!
//! With bounds that are refitted from the leaves up, around vertices that have all been moved, this is what the paper compares with (methods 2.4).
//!
//! Bodies whose roots overlap are walked one pair after the other, in the calling thread: what is refitted for one pair is there for the next. With a budget, all pairs of
//! all bodies are in one queue, and those that overlap most come first.
//!
//! Guarantee: complete. Bounds hold all vertices throughout the step, and overlap tests are closed.

use super::{BLOCK, PairSink, Scene, contacts, crossings};
use crate::body::{Body, KeptShape};
use crate::bounds::{Reach, Slabs, SortAndSweep, Sweep};
use crate::certificate::{Certified, ConeTest, Counted};
use crate::contact::{BodyId, Open};
use crate::demand::{Ball, BoxBound, Sides, Span, Task, Walk, WalkStats};
use crate::motion::Line;
use crate::query::{Budget, Query, Refit, Shape, SphereTree};
use crate::stats::Stats;
use crate::traverse::{Certificate, NoCertificate};
use crate::world::World;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// What a query leaves behind, so that the next one need not allocate it.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) contacts: Option<Box<contacts::State>>,
    pub(super) crossings: Option<Box<crossings::State>>,
    /// Boxes around bodies, and which of them overlap.
    roots: Vec<Slabs<6>>,
    sweep: SortAndSweep,
    /// Pairs of bodies that may touch.
    near: Vec<[usize; 2]>,
    /// Whether something was proven of each body.
    is_proven: Vec<bool>,
    tasks: Vec<Task>,
    pairs: Vec<[u32; 2]>,
    queue: BinaryHeap<Queued>,
    workspace: <Certified<'static, ConeTest<'static>> as Certificate>::Scratch,
}

/// Streams all candidate pairs of a world into a sink, as long as the budget lasts; `limit` tells how much of the step still counts, and is `None` at an instant. Returns what
/// is left.
pub(super) fn stream(
    world: &mut World,
    query: &Query,
    how: SphereTree,
    limit: Option<&dyn Fn() -> f64>,
    budget: Option<Budget>,
    sink: &mut dyn PairSink,
) -> Vec<Open> {
    match how.shape {
        Shape::Ball => stream_shape::<Ball>(world, query, how, limit, budget, sink),
        Shape::Box => stream_shape::<BoxBound>(world, query, how, limit, budget, sink),
    }
}

fn stream_shape<B: KeptShape>(
    world: &mut World,
    query: &Query,
    how: SphereTree,
    limit: Option<&dyn Fn() -> f64>,
    budget: Option<Budget>,
    sink: &mut dyn PairSink,
) -> Vec<Open> {
    let start = query.clock.map(|now| now());
    let mut memory = std::mem::take(&mut world.memory);
    let mut stats = WalkStats::default();
    let sweep = if limit.is_some() { Sweep::Until(1.0) } else { Sweep::Start };
    let reach = world.reach(query, sweep);
    let span = Span {
        is_instant: limit.is_none(),
        until: 1.0,
        margin: match query.narrow.min_separation {
            0.0 => 0.0,
            separation => separation as f32 * (1.0 + 8.0 * f32::EPSILON) + f32::MIN_POSITIVE,
        },
    };
    if how.refit == Refit::BottomUp {
        stats.skinning.vertices += world.place_all();
    }
    for body in &mut world.bodies {
        let lines = &world.step.lines()[body.vertices.clone()];
        body.begin_fitting::<B>(false, how.refit, reach, lines, &mut stats.skinning);
    }
    near_pairs::<B>(world, query, span, &mut memory, &mut stats);
    memory.is_proven.clear();
    memory.is_proven.resize(world.bodies.len(), false);
    for &[i, j] in &memory.near {
        if i == j && how.certificates && world.bodies[i].has_proofs(reach) {
            let body = &mut world.bodies[i];
            let lines = &mut world.step.lines_mut()[body.vertices.clone()];
            if let (Some(skin), Some(skinned)) = (body.model.skin(), &mut body.skinned) {
                stats.skinning.vertices += skinned.place_all(skin, lines);
            }
            sink.stats().certificates += body.prove(lines, reach);
            body.begin_fitting::<B>(true, how.refit, reach, lines, &mut stats.skinning);
            memory.is_proven[i] = true;
        }
    }
    if let (Some(now), Some(start)) = (query.clock, start) {
        sink.stats().times.refit += now().saturating_sub(start);
    }
    memory.workspace = Default::default();
    let mut run = Run { world, query, limit, span, reach, memory: &mut memory, stats: &mut stats, sink };
    let left = match budget {
        None => {
            run.all::<B>();
            Vec::new()
        }
        Some(budget) => run.best_first::<B>(budget, start.unwrap_or(0)),
    };
    let counts = sink.stats();
    counts.bounds_tests += stats.bounds_tests;
    counts.skinning += stats.skinning;
    counts.certificates += memory.workspace.stats();
    world.memory = memory;
    left
}

/// Finds the pairs of bodies whose roots overlap, ascending; a body with itself among them.
fn near_pairs<B: KeptShape>(
    world: &mut World,
    query: &Query,
    span: Span,
    memory: &mut Memory,
    stats: &mut WalkStats,
) {
    let Memory { roots, sweep, near, .. } = memory;
    let half = 0.5 * span.margin * (1.0 + 2.0 * f32::EPSILON);
    roots.clear();
    for body in &mut world.bodies {
        let lines = &mut world.step.lines_mut()[body.vertices.clone()];
        let mut side = body.on_walk::<B>(lines, false).0;
        // Bounds of nothing stay so, however large the margin.
        let slabs = side.box_around(&mut stats.skinning).map_or(Slabs::EMPTY, |mut slabs| {
            slabs.lo.iter_mut().for_each(|lo| *lo = (*lo - half).next_down());
            slabs.hi.iter_mut().for_each(|hi| *hi = (*hi + half).next_up());
            slabs
        });
        roots.push(slabs);
    }
    stats.bounds_tests += sweep.find(roots, |i, j| world.may_touch(i, j));
    near.clear();
    for &pair in &sweep.pairs {
        let sides = sides::<B>(&mut world.bodies, world.step.lines_mut(), pair);
        let mut walk = Walk { sides, span, certificate: &NoCertificate, scratch: &mut (), stats };
        if walk.begin().is_some() {
            near.push(pair);
        }
    }
    let with_self = |&i: &usize| world.may_touch(i, i) && !roots[i].is_empty();
    near.extend((0..world.bodies.len()).filter(with_self).map(|i| [i, i]));
    if let Some(filter) = query.filter {
        near.retain(|&[i, j]| filter(BodyId(i as u32), BodyId(j as u32)));
    }
    near.sort_unstable();
}

/// Two bodies, or one, on a walk.
fn sides<'a, B: KeptShape>(
    bodies: &'a mut [Body],
    lines: &'a mut [Line],
    [i, j]: [usize; 2],
) -> Sides<'a, B> {
    if i == j {
        let body = &mut bodies[i];
        let lines = &mut lines[body.vertices.clone()];
        return Sides::One(body.on_walk(lines, false).0);
    }
    let (before, behind) = bodies.split_at_mut(j);
    let (first, second) = (&mut before[i], &mut behind[0]);
    let (lines_before, lines_behind) = lines.split_at_mut(second.vertices.start);
    let lines_of_first = &mut lines_before[first.vertices.clone()];
    let lines_of_second = &mut lines_behind[..second.vertices.len()];
    Sides::Two(first.on_walk(lines_of_first, false).0, second.on_walk(lines_of_second, false).0)
}

/// A query that is being answered.
struct Run<'a, 'w> {
    world: &'a mut World,
    query: &'a Query<'w>,
    limit: Option<&'a dyn Fn() -> f64>,
    span: Span,
    reach: Reach,
    memory: &'a mut Memory,
    stats: &'a mut WalkStats,
    sink: &'a mut dyn PairSink,
}

impl Run<'_, '_> {
    /// Looks at everything, one pair of bodies after the other.
    fn all<B: KeptShape>(&mut self) {
        for at in 0..self.memory.near.len() {
            let pair = self.memory.near[at];
            self.sink.begin(pair);
            self.memory.tasks.clear();
            self.memory.tasks.push(if pair[0] == pair[1] { Task::Within(0) } else { Task::Between(0, 0) });
            while !self.memory.tasks.is_empty() {
                self.walk::<B>(pair, None);
                if self.hand_over().is_break() {
                    return;
                }
            }
        }
        self.finish();
    }

    /// Looks at what overlaps most, whatever the bodies, until the budget is used up. Returns what is left.
    fn best_first<B: KeptShape>(&mut self, budget: Budget, start: u64) -> Vec<Open> {
        self.memory.queue.clear();
        for at in 0..self.memory.near.len() {
            let pair = self.memory.near[at];
            let sides = sides::<B>(&mut self.world.bodies, self.world.step.lines_mut(), pair);
            let (span, stats) = (self.span, &mut *self.stats);
            let mut walk = Walk { sides, span, certificate: &NoCertificate, scratch: &mut (), stats };
            if let Some((task, bounds)) = walk.begin() {
                self.memory.queue.push(Queued::new(pair, task, bounds));
            }
        }
        let mut n_done = 0_u32;
        while !self.is_used_up(budget, start, n_done)
            && let Some(Queued { pair, task, .. }) = self.memory.queue.pop()
        {
            n_done += 1;
            self.walk::<B>(pair, Some(task));
            if !self.memory.pairs.is_empty() {
                self.sink.begin(pair);
                if self.hand_over().is_break() {
                    break;
                }
                self.finish();
            }
        }
        self.memory.queue.drain().map(|queued| queued.open()).collect()
    }

    /// Whether no more may be done.
    fn is_used_up(&self, budget: Budget, start: u64, n_done: u32) -> bool {
        match (budget, self.query.clock) {
            (Budget::Refits(most), _) => most < self.stats.skinning.refits,
            (Budget::Nanoseconds(most), Some(now)) => {
                n_done.is_multiple_of(CLOCK_EVERY) && most < now().saturating_sub(start)
            }
            (Budget::Nanoseconds(_), None) => false,
        }
    }

    /// Goes on with a pair of bodies: works off the stack of tasks until there are enough pairs of triangles; or takes one task apart, into the queue.
    fn walk<B: KeptShape>(&mut self, pair: [usize; 2], one: Option<Task>) {
        let Memory { is_proven, workspace, tasks, pairs, queue, .. } = &mut *self.memory;
        let span = Span { until: self.limit.map_or(1.0, |limit| limit()), ..self.span };
        let (bodies, lines) = (&mut self.world.bodies, self.world.step.lines_mut());
        let mut to = Found { pair, one, tasks, pairs, queue };
        if pair[0] == pair[1] && is_proven[pair[0]] {
            let body = &mut bodies[pair[0]];
            let lines = &mut lines[body.vertices.clone()];
            let (side, certificate) = body.on_walk::<B>(lines, true);
            let (sides, certificate) = (Sides::One(side), &certificate);
            to.find(Walk { sides, span, certificate, scratch: workspace, stats: self.stats });
        } else {
            let sides = sides::<B>(bodies, lines, pair);
            to.find(Walk { sides, span, certificate: &NoCertificate, scratch: &mut (), stats: self.stats });
        }
    }

    /// Hands the pairs of triangles over; breaks when no more are wanted.
    fn hand_over(&mut self) -> ControlFlow<()> {
        let scene = scene(self.world, self.reach);
        let flow = self.memory.pairs.chunks(BLOCK).try_for_each(|block| self.sink.pairs(&scene, block));
        self.memory.pairs.clear();
        flow
    }

    /// Lets the sink decide what it has taken.
    fn finish(&mut self) {
        self.sink.finish(&scene(self.world, self.reach));
    }
}

/// The world as sinks see it.
fn scene(world: &World, reach: Reach) -> Scene<'_> {
    Scene { bodies: &world.bodies, step: &world.step, pairs: Vec::new(), reach, stats: Stats::default() }
}

/// Where a walk puts what it finds.
struct Found<'a> {
    pair: [usize; 2],
    one: Option<Task>,
    tasks: &'a mut Vec<Task>,
    pairs: &'a mut Vec<[u32; 2]>,
    queue: &'a mut BinaryHeap<Queued>,
}

impl Found<'_> {
    fn find<B: KeptShape, C: Certificate>(&mut self, mut walk: Walk<B, C>) {
        let Found { pair, one, tasks, pairs, queue } = self;
        match *one {
            None => walk.run(tasks, pairs, BLOCK),
            Some(task) => {
                walk.expand(task, pairs, |walk, task| {
                    queue.push(Queued::new(*pair, task, walk.bounds(task)))
                });
            }
        }
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
    fn new<B: KeptShape>(pair: [usize; 2], task: Task, [a, b]: [[B; 2]; 2]) -> Queued {
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
