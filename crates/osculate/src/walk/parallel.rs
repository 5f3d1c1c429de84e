//! The parallel driver: the walks of all pairs of bodies are cut into tasks, which run in parallel;
//! each streams its pairs to the sink of its worker and stores none.

use super::eager::{Scratch, Side, Walk, WalkStats};
use super::front::{Front, Part};
use super::task::Task;
use super::track::TrackScratch;
use crate::bounds::{BoundedTree, Pick, Volume, WithBounds};
use crate::certificate::Certificate;
use crate::mask::{Mask, NoMask};
use crate::scene::{Scene, Sinks, locked, work_off};
use crate::stats::Stats;

/// The plugs of a body: the tree that is walked, and what is asked where it is walked with itself.
pub(crate) struct Plugs<'a, M = NoMask> {
    pub(crate) tree: &'a BoundedTree,
    pub(crate) certificate: Option<Box<dyn Certificate + 'a>>,
    pub(crate) front: Option<&'a Front>,
    pub(crate) mask: Option<M>,
}

impl<'a> Plugs<'a> {
    /// A tree, and nothing to ask.
    pub(crate) fn none(tree: &'a BoundedTree) -> Plugs<'a> {
        Plugs { tree, certificate: None, front: None, mask: None }
    }
}

/// Streams the pairs of triangles whose bounds overlap, and which are neither cleared nor masked,
/// of the given pairs of bodies into the sinks; `plugs` are those of the bodies, in order.
pub(crate) fn stream<M: Mask>(
    scene: &Scene,
    volume: Volume,
    pairs: &[[usize; 2]],
    plugs: &[Plugs<M>],
    sinks: &Sinks,
) {
    struct Stream<'a, 's, M>(&'a Scene<'a>, &'a [[usize; 2]], &'a [Plugs<'a, M>], &'a Sinks<'a, 's>);
    impl<M: Mask> WithBounds for Stream<'_, '_, M> {
        type Output = ();
        fn with<const N: usize>(self, pick: Pick<N>) {
            stream_bounds(self.0, pick, self.1, self.2, self.3);
        }
    }
    volume.pick(Stream(scene, pairs, plugs, sinks));
}

/// Tasks that the walks are cut into, at least: enough to keep a few dozen workers busy, few enough
/// to cost nothing. For small trees as many as keep a few workers busy: to cut a walk into tasks is
/// work that is not shared.
fn n_tasks(n_nodes: usize) -> usize {
    (n_nodes / 64).clamp(16, 512)
}

/// Tasks that are left over by those who track fronts.
type Deferred = Vec<([usize; 2], Task)>;

/// What a worker does next with a pair of bodies.
#[derive(Clone, Copy)]
enum Job<'a> {
    Walk(Task),
    Track(&'a Front, Part),
}

/// The same with one kind of bounds.
fn stream_bounds<const N: usize, M: Mask>(
    scene: &Scene,
    pick: Pick<N>,
    pairs: &[[usize; 2]],
    plugs: &[Plugs<M>],
    sinks: &Sinks,
) {
    let side = |body: usize| {
        let tree = plugs[body].tree;
        Side { hierarchy: &tree.hierarchy, bounds: (pick.of)(&tree.volumes) }
    };
    let no_mask = None;
    let walk = |[i, j]: [usize; 2]| {
        if i == j {
            Walk::within_one(side(i), plugs[i].certificate.as_deref(), &plugs[i].mask)
        } else {
            Walk::between_two(side(i), side(j), &no_mask)
        }
    };
    // A pair of bodies gets its share of the tasks by the size of its trees.
    let size = |[i, j]: [usize; 2]| side(i).hierarchy.n_nodes() + side(j).hierarchy.n_nodes();
    let all: usize = pairs.iter().map(|&pair| size(pair)).sum();
    let share = |pair| (n_tasks(all) * size(pair)).div_ceil(all.max(1));
    let (mut scratch, mut stats) = (Scratch::default(), WalkStats::default());
    let mut jobs: Vec<([usize; 2], Job)> = Vec::new();
    let fronts: Vec<Option<&Front>> =
        pairs.iter().map(|&[i, j]| if i == j { plugs[i].front } else { None }).collect();
    for (&pair, front) in pairs.iter().zip(&fronts) {
        if let Some(front) = front {
            let parts = front.parts(side(pair[0]).hierarchy, |node| walk(pair).clears(node));
            jobs.extend(parts.into_iter().map(|part| (pair, Job::Track(front, part))));
        } else {
            let tasks = walk(pair).tasks(share(pair), &mut scratch, &mut stats);
            jobs.extend(tasks.into_iter().map(|task| (pair, Job::Walk(task))));
        }
    }
    let run = |jobs: &[([usize; 2], Job)]| {
        work_off(scene, jobs, sinks, Worker::default, |blocks, worker, &(pair, job)| {
            let Worker { scratch, stats, deferred } = worker;
            blocks.begin(pair);
            let mut visit = |a, b| blocks.pair(a, b);
            match job {
                Job::Walk(task) => {
                    // By reference, as a walk that tracks does it: one function for both.
                    let _ = walk(pair).run(task, &mut scratch.walk, stats, &mut visit);
                }
                Job::Track(front, part) => {
                    let defer = |task| deferred.push((pair, task));
                    let _ = walk(pair).track(front, part, scratch, stats, visit, defer);
                }
            }
        })
    };
    let mut workers: Vec<Worker> = run(&jobs);
    let mut deferred: Deferred = workers.iter_mut().flat_map(|worker| worker.deferred.drain(..)).collect();
    deferred.sort_by_key(|&(pair, _)| pair);
    jobs.clear();
    for of_pair in deferred.chunk_by(|a, b| a.0 == b.0) {
        let (pair, tasks) = (of_pair[0].0, of_pair.iter().map(|&(_, task)| task).collect());
        let tasks = walk(pair).split(tasks, share(pair), &mut scratch, &mut stats);
        jobs.extend(tasks.into_iter().map(|task| (pair, Job::Walk(task))));
    }
    workers.extend(run(&jobs));
    let mut first = locked(sinks[0]);
    count(first.stats(), &scratch, stats);
    for Worker { scratch, stats, .. } in &workers {
        count(first.stats(), &scratch.walk, *stats);
    }
    first.stats().front_pairs += fronts.iter().flatten().map(|front| front.n_pairs() as u64).sum::<u64>();
}

/// What a worker has besides its sink.
#[derive(Default)]
struct Worker {
    scratch: TrackScratch,
    stats: WalkStats,
    deferred: Deferred,
}

/// Adds what was counted.
fn count(all: &mut Stats, scratch: &Scratch, stats: WalkStats) {
    all.bounds_tests += stats.bounds_tests;
    all.radial.inner_tests += stats.inner_tests;
    all.certificates += scratch.certificate.stats;
}
