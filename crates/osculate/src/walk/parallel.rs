//! The parallel driver: the walks of all pairs of bodies are split into tasks that run in parallel.
//! Each streams its pairs to the sink of its worker and stores none.

use super::eager::{Side, Walk, WalkStats};
use super::front::{Front, Part};
use super::task::Task;
use super::track::TrackScratch;
use crate::bounds::{BoundedTree, Pick, Volume, WithBounds};
use crate::certificate::Certificate;
use crate::mask::{Mask, NoMask};
use crate::scene::{Scene, Sinks, locked, work_off};

/// The walk of a pair of bodies, or of a body with itself: its trees and plugs.
pub(crate) struct PairWalk<'a, M = NoMask> {
    pub(crate) bodies: [usize; 2],
    pub(crate) trees: [&'a BoundedTree; 2],
    pub(crate) certificate: Option<Box<dyn Certificate + 'a>>,
    /// For a body with itself.
    pub(crate) front: Option<&'a Front>,
    pub(crate) mask: Option<M>,
}

impl<'a, M> PairWalk<'a, M> {
    /// A walk without plugs; `tree` returns the tree of a body.
    pub(crate) fn plain(bodies: [usize; 2], tree: impl Fn(usize) -> &'a BoundedTree) -> PairWalk<'a, M> {
        PairWalk { bodies, trees: bodies.map(tree), certificate: None, front: None, mask: None }
    }

    fn is_same(&self) -> bool {
        self.bodies[0] == self.bodies[1]
    }

    /// Number of nodes of both trees.
    fn n_nodes(&self) -> usize {
        self.trees.iter().map(|tree| tree.hierarchy.n_nodes()).sum()
    }
}

/// Streams the candidate pairs of triangles of these walks into the sinks: those whose bounds
/// overlap and that are neither cleared nor masked. Returns what the masks counted.
pub(crate) fn stream<M: Mask>(
    scene: &Scene,
    volume: Volume,
    walks: &[PairWalk<M>],
    sinks: &Sinks,
) -> Vec<M::Counts> {
    struct Stream<'a, 's, M>(&'a Scene<'a>, &'a [PairWalk<'a, M>], &'a Sinks<'a, 's>);
    impl<M: Mask> WithBounds for Stream<'_, '_, M> {
        type Output = Vec<M::Counts>;
        fn with<const N: usize>(self, pick: Pick<N>) -> Vec<M::Counts> {
            stream_bounds(self.0, pick, self.1, self.2)
        }
    }
    volume.pick(Stream(scene, walks, sinks))
}

/// About the number of tasks that the walks are split into: enough to keep a few dozen workers
/// busy, few enough to cost nothing. For small trees, enough for a few workers, as splitting is not
/// parallel.
fn n_tasks(n_nodes: usize) -> usize {
    (n_nodes / 64).clamp(16, 512)
}

/// Tasks deferred while fronts are tracked, with the numbers of their walks.
type Deferred = Vec<(usize, Task)>;

/// A unit of work of a walk.
#[derive(Clone, Copy)]
enum Job<'a> {
    Walk(Task),
    Track(&'a Front, Part),
}

/// The same for one kind of bounds.
fn stream_bounds<const N: usize, M: Mask>(
    scene: &Scene,
    pick: Pick<N>,
    walks: &[PairWalk<M>],
    sinks: &Sinks,
) -> Vec<M::Counts> {
    let walk = |number: usize| {
        let of_pair = &walks[number];
        let sides =
            of_pair.trees.map(|tree| Side { hierarchy: &tree.hierarchy, bounds: (pick.of)(&tree.volumes) });
        Walk::new(sides, of_pair.is_same(), of_pair.certificate.as_deref(), &of_pair.mask)
    };
    // The tasks are distributed over pairs of bodies by the size of their trees.
    let all: usize = walks.iter().map(PairWalk::n_nodes).sum();
    let share = |number: usize| (n_tasks(all) * walks[number].n_nodes()).div_ceil(all.max(1));
    let mut first = Worker::<M::Counts>::default();
    let (scratch, stats) = (&mut first.scratch.walk, &mut first.stats);
    let mut jobs: Vec<(usize, Job)> = Vec::new();
    for (number, of_pair) in walks.iter().enumerate() {
        let walk = walk(number);
        if let Some(front) = of_pair.front {
            let clears = |node| walk.clears(node, &mut scratch.certificate);
            let parts = front.parts(&of_pair.trees[0].hierarchy, clears);
            jobs.extend(parts.into_iter().map(|part| (number, Job::Track(front, part))));
        } else {
            let tasks = walk.tasks(share(number), scratch, stats);
            jobs.extend(tasks.into_iter().map(|task| (number, Job::Walk(task))));
        }
    }
    let run = |jobs: &[(usize, Job)]| {
        work_off(scene, jobs, sinks, Worker::default, |blocks, worker, &(number, job)| {
            let Worker { scratch, stats, deferred } = worker;
            blocks.begin(walks[number].bodies);
            let mut visit = |a, b| blocks.pair(a, b);
            match job {
                Job::Walk(task) => {
                    // By reference, as a walk that tracks a front does: one function for both.
                    let _ = walk(number).run(task, &mut scratch.walk, stats, &mut visit);
                }
                Job::Track(front, part) => {
                    let defer = |task| deferred.push((number, task));
                    let _ = walk(number).track(front, part, scratch, stats, visit, defer);
                }
            }
        })
    };
    let mut workers: Vec<Worker<M::Counts>> = run(&jobs);
    let mut deferred: Deferred = workers.iter_mut().flat_map(|worker| worker.deferred.drain(..)).collect();
    deferred.sort_by_key(|&(number, _)| number);
    jobs.clear();
    for of_walk in deferred.chunk_by(|a, b| a.0 == b.0) {
        let (number, tasks) = (of_walk[0].0, of_walk.iter().map(|&(_, task)| task).collect());
        let tasks = walk(number).split(tasks, share(number), scratch, stats);
        jobs.extend(tasks.into_iter().map(|task| (number, Job::Walk(task))));
    }
    workers.extend(run(&jobs));
    workers.push(first);
    let mut sink = locked(sinks[0]);
    let all = sink.stats();
    all.front_pairs +=
        walks.iter().filter_map(|walk| walk.front).map(|front| front.n_pairs() as u64).sum::<u64>();
    for Worker { scratch, stats, .. } in &workers {
        all.bounds_tests += stats.bounds_tests;
        all.certificates += scratch.walk.certificate.stats;
    }
    workers.into_iter().map(|worker| worker.stats.of_mask).collect()
}

/// The state of a worker besides its sink; `C` is what the masks count.
#[derive(Default)]
struct Worker<C> {
    scratch: TrackScratch,
    stats: WalkStats<C>,
    deferred: Deferred,
}
