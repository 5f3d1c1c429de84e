//! The parallel driver of walks over lazy bounds: in waves, one generation of tasks at a time.
//!
//! In a wave, the vertices that proofs need are first listed and placed; then the bounds that the
//! tasks left compare are listed, refitted in parallel and stored; then the tasks are expanded in
//! parallel over bounds that nobody changes. Leaves that meet are handled likewise: their vertices
//! are placed and their boxes made, then pairs of triangles go to the sinks. No bound has a lock,
//! none is computed twice, and the waves do not depend on the number of threads. A wave takes a
//! limited number of tasks from the end of a stack, so that memory stays within a few waves.

use super::lazy::{LazyStats, LazyWalk, Left, Met, fours};
use super::on_demand::LazyBodies;
use super::task::Task;
use crate::certificate::{Asked, Stats as CertificateStats, Workspace};
use crate::lazy_bounds::{Frozen, Span};
use crate::scene::{Sinks, finish, work_off};
use crate::threads;

/// Tasks of a wave, at most.
const WAVE: usize = 1 << 14;

/// Tasks, or pairs of leaves, that a worker takes at a time.
const GRAIN: usize = 64;

/// Four nodes, or a leaf, of the tree that a body is walked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needed {
    pub(crate) body: u32,
    /// Whether it is the tree of patches.
    pub(crate) of_patches: bool,
    /// The leaf, or the first of the four.
    pub(crate) node: u32,
    /// How many of the four count.
    pub(crate) n: u32,
}

/// Bodies whose bounds are refitted in waves.
pub(crate) trait WaveBodies: LazyBodies + Sync {
    /// Whether a pair of bodies is walked by the tree of patches.
    fn is_of_patches(&self, pair: [usize; 2]) -> bool;

    /// Calls `go` with the walk of a pair of bodies, or of one with itself, over bounds that have
    /// been refitted.
    fn frozen<R>(
        &self,
        pair: [usize; 2],
        span: Span,
        workspace: &mut Workspace,
        stats: &mut LazyStats,
        go: impl FnOnce(LazyWalk<Frozen<Self::Bound>>) -> R,
    ) -> R;

    /// Places vertices of a body.
    fn place(&mut self, body: usize, vertices: impl Iterator<Item = u32>, stats: &mut LazyStats);

    /// Refits bounds that have not been refitted; ascending, each once.
    fn refit(&mut self, needed: &[Needed], stats: &mut LazyStats);

    /// Places the vertices of leaves, and makes the boxes of their triangles; ascending, each once.
    fn make_boxes(&mut self, leaves: &[Needed], stats: &mut LazyStats);
}

/// The number of a pair of bodies, and a task or a pair of leaves of their walk.
type Of<T> = (usize, T);

/// What a worker brings back from a few tasks.
#[derive(Default)]
struct Brought {
    tasks: Vec<Of<Task>>,
    leaves: Vec<Of<[u32; 2]>>,
    needed: Vec<Needed>,
    asked: Vec<Asking>,
    vertices: Vec<u32>,
    stats: LazyStats,
    workspace: Workspace,
}

/// A task with a proof that needs vertices: those from `from` on to where the next one starts.
struct Asking {
    task: Of<Task>,
    asked: Asked,
    from: usize,
}

/// Streams the candidate pairs of triangles of pairs of bodies into the sinks; `limit` says how
/// much of the step still counts. Returns what the certificates counted.
pub(crate) fn stream<L: WaveBodies>(
    bodies: &mut L,
    pairs: &[[usize; 2]],
    span: Span,
    limit: &dyn Fn() -> f64,
    stats: &mut LazyStats,
    sinks: &Sinks,
) -> CertificateStats {
    let root = |[i, j]: [usize; 2]| if i == j { Task::Within(0) } else { Task::Between(0, 0) };
    let mut stack: Vec<Of<Task>> = pairs.iter().map(|&pair| root(pair)).enumerate().rev().collect();
    let mut certificates = CertificateStats::default();
    while !stack.is_empty() {
        let mut tasks = stack.split_off(stack.len().saturating_sub(WAVE));
        tasks.sort_by_key(|task| task.0);
        let span = Span { until: limit(), ..span };

        let weighed = over_runs(&tasks, |run| weigh(bodies, pairs, span, run));
        let body = |brought: &Brought| brought.asked.first().map(|asking| pairs[asking.task.0][0]);
        for of_body in weighed.chunk_by(|a, b| body(a) == body(b)) {
            if let Some(body) = body(&of_body[0]) {
                bodies.place(body, of_body.iter().flat_map(|brought| &brought.vertices).copied(), stats);
            }
        }
        let open = |brought: Brought| open(&*bodies, pairs, span, brought);
        let mut opened = threads::map(weighed, open);
        let needed = gather(&mut opened, stats, &mut certificates);
        bodies.refit(&needed, stats);

        let tasks: Vec<Of<Task>> = opened.into_iter().flat_map(|brought| brought.tasks).collect();
        let mut expanded = over_runs(&tasks, |run| expand(bodies, pairs, span, run));
        let needed = gather(&mut expanded, stats, &mut certificates);
        bodies.make_boxes(&needed, stats);

        let mut leaves = Vec::new();
        for brought in expanded {
            stack.extend(brought.tasks);
            leaves.extend(brought.leaves);
        }
        if hand_over(bodies, pairs, span, &leaves, stats, sinks) {
            return certificates;
        }
    }
    finish(&bodies.scene(), sinks);
    certificates
}

/// Proves what can be proven without vertices about the nodes of tasks of one walk, and lists the
/// vertices that other proofs need.
fn weigh<L: WaveBodies>(bodies: &L, pairs: &[[usize; 2]], span: Span, run: &[Of<Task>]) -> Brought {
    let mut brought = Brought::default();
    let Brought { tasks, asked, vertices, stats, workspace, .. } = &mut brought;
    bodies.frozen(pairs[run[0].0], span, workspace, stats, |mut walk| {
        for &(number, task) in run {
            let from = vertices.len();
            match walk.weigh(task, vertices) {
                Left::Nothing => {}
                Left::Opened(task) => tasks.push((number, task)),
                Left::Asks(proof) => asked.push(Asking { task: (number, task), asked: proof, from }),
            }
        }
    });
    brought
}

/// Continues the proofs whose vertices have been placed, and lists the bounds that the tasks left
/// compare.
fn open<L: WaveBodies>(bodies: &L, pairs: &[[usize; 2]], span: Span, mut brought: Brought) -> Brought {
    let Brought { tasks, needed, asked, vertices, stats, workspace, .. } = &mut brought;
    let Some(number) = tasks.first().map(|task| task.0).or(asked.first().map(|asking| asking.task.0)) else {
        return brought;
    };
    let pair = pairs[number];
    let of_patches = bodies.is_of_patches(pair);
    let scene = bodies.scene();
    let lines = scene.lines(pair[0]);
    bodies.frozen(pair, span, workspace, stats, |mut walk| {
        for (k, &Asking { task, asked: proof, from }) in asked.iter().enumerate() {
            let end = asked.get(k + 1).map_or(vertices.len(), |next| next.from);
            if let Left::Opened(task) = walk.confirm(task.1, proof, &vertices[from..end], lines) {
                tasks.push((number, task));
            }
        }
        for &(_, task) in &*tasks {
            for (side, children) in walk.descent(task).into_iter().enumerate() {
                let is_fitted = |node| walk.sides.of(side).fitted.is_fitted(node);
                let fours = children.into_iter().flat_map(fours).filter(|four| !is_fitted(four.start));
                needed.extend(fours.map(|four| Needed {
                    body: pair[side] as u32,
                    of_patches,
                    node: four.start,
                    n: four.len() as u32,
                }));
            }
        }
    });
    brought
}

/// Expands opened tasks of one walk, and lists the leaves that meet and have no boxes.
fn expand<L: WaveBodies>(bodies: &L, pairs: &[[usize; 2]], span: Span, run: &[Of<Task>]) -> Brought {
    let number = run[0].0;
    let pair = pairs[number];
    let of_patches = bodies.is_of_patches(pair);
    let mut brought = Brought::default();
    let Brought { tasks, leaves, needed, stats, workspace, .. } = &mut brought;
    bodies.frozen(pair, span, workspace, stats, |mut walk| {
        let mut met = Met::default();
        run.iter().for_each(|&(_, task)| walk.descend(task, &mut met));
        for two in &met.leaves {
            for (side, &node) in two.iter().enumerate() {
                if !walk.sides.of(side).fitted.has_boxes(node) {
                    needed.push(Needed { body: pair[side] as u32, of_patches, node, n: 1 });
                }
            }
        }
        tasks.extend(met.tasks.into_iter().map(|task| (number, task)));
        leaves.extend(met.leaves.into_iter().map(|two| (number, two)));
    });
    brought
}

/// Hands the pairs of triangles of leaves to the sinks. Returns whether no more are wanted.
fn hand_over<L: WaveBodies>(
    bodies: &L,
    pairs: &[[usize; 2]],
    span: Span,
    leaves: &[Of<[u32; 2]>],
    stats: &mut LazyStats,
    sinks: &Sinks,
) -> bool {
    #[derive(Default)]
    struct Worker {
        workspace: Workspace,
        stats: LazyStats,
        triangles: Vec<[u32; 2]>,
        is_over: bool,
    }
    let jobs: Vec<&[Of<[u32; 2]>]> = runs(leaves).collect();
    let workers = work_off(&bodies.scene(), &jobs, sinks, Worker::default, |blocks, worker, run| {
        let Worker { workspace, stats, triangles, is_over } = worker;
        if *is_over {
            return;
        }
        let pair = pairs[run[0].0];
        bodies.frozen(pair, span, workspace, stats, |mut walk| {
            run.iter().for_each(|&(_, [a, b])| walk.leaves(a, b, triangles));
        });
        blocks.begin(pair);
        *is_over = triangles.drain(..).try_for_each(|[a, b]| blocks.pair(a, b)).is_break();
    });
    workers.iter().for_each(|worker| *stats += worker.stats);
    workers.iter().any(|worker| worker.is_over)
}

/// Runs of items of one walk, [`GRAIN`] at most.
fn runs<T>(items: &[Of<T>]) -> impl Iterator<Item = &[Of<T>]> {
    items.chunk_by(|a, b| a.0 == b.0).flat_map(|of_walk| of_walk.chunks(GRAIN))
}

/// Calls `f` for runs of items in parallel; the results are in order.
fn over_runs<T: Sync>(items: &[Of<T>], f: impl Fn(&[Of<T>]) -> Brought + Sync) -> Vec<Brought> {
    threads::map(runs(items), f)
}

/// Adds up what was counted, and returns all that is needed, ascending, each once.
fn gather(all: &mut [Brought], stats: &mut LazyStats, certificates: &mut CertificateStats) -> Vec<Needed> {
    let mut needed: Vec<Needed> = Vec::new();
    for brought in all {
        *stats += brought.stats;
        *certificates += brought.workspace.stats;
        needed.append(&mut brought.needed);
    }
    threads::sort_by_key(&mut needed, |&needed| needed);
    needed.dedup();
    needed
}
