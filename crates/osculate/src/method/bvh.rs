//! Bounding volume hierarchies: walk the trees of two bodies, or of one and itself, where bounds overlap (methods 2.1, 2.2).
//!
//! With 16-DOPs this is the "Base" of the papers, with boxes their "AABB-only".
//!
//! Guarantee: complete. Bounds hold the surface throughout the step, and overlap tests are closed.

use super::{PairSink, Scene, locked, work_off};
use crate::bounds::Bounds;
use crate::certificate::Counted;
use crate::query::Volume;
use crate::stats::Stats;
use crate::temporal::Volumes;
use crate::traverse::{
    Certificate, Front, Mask, NoCertificate, NoMask, Part, Scratch, Side, Task, TrackScratch, Walk, WalkStats,
};
use std::sync::Mutex;

/// Tasks that the walks are cut into, at least: enough to keep a few dozen workers busy, few enough to cost nothing. For small trees as many as keep a few
/// workers busy: to cut a walk into tasks is work that is not shared.
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

pub(super) fn stream(scene: &Scene, volume: Volume, sinks: &[&Mutex<dyn PairSink + '_>]) {
    stream_with(scene, volume, |_| NoCertificate, |_| None, |_| None::<NoMask>, sinks);
}

/// Walks the trees that were refitted, with a certificate and a mask for each body with itself, and from a front if there is one.
pub(super) fn stream_with<'a, C: Certificate<Scratch: Counted>, M: Mask>(
    scene: &Scene,
    volume: Volume,
    certificate: impl Fn(usize) -> C + Sync,
    front: impl Fn(usize) -> Option<&'a Front> + Sync,
    mask: impl Fn(usize) -> Option<M> + Sync,
    sinks: &[&Mutex<dyn PairSink + '_>],
) {
    match volume {
        Volume::MovingAabb => stream_bounds(scene, |v| &v.moving, certificate, front, mask, sinks),
        Volume::Aabb => stream_bounds(scene, |v| &v.aabb, certificate, front, mask, sinks),
        Volume::Dop16 => stream_bounds(scene, |v| &v.dop16, certificate, front, mask, sinks),
        Volume::Dop18 => stream_bounds(scene, |v| &v.dop18, certificate, front, mask, sinks),
        Volume::Dop24 => stream_bounds(scene, |v| &v.dop24, certificate, front, mask, sinks),
    }
}

/// The same with one kind of bounds.
pub(super) fn stream_bounds<'a, const N: usize, C: Certificate<Scratch: Counted>, M: Mask>(
    scene: &Scene,
    bounds: impl Fn(&Volumes) -> &Bounds<N> + Sync,
    certificate: impl Fn(usize) -> C + Sync,
    front: impl Fn(usize) -> Option<&'a Front> + Sync,
    mask: impl Fn(usize) -> Option<M> + Sync,
    sinks: &[&Mutex<dyn PairSink + '_>],
) {
    let side = |body: usize| {
        let temporal = scene.bodies[body].temporal();
        Side { hierarchy: &temporal.hierarchy, bounds: bounds(&temporal.volumes) }
    };
    let certificates: Vec<C> = (0..scene.bodies.len()).map(certificate).collect();
    let (masks, no_mask): (Vec<Option<M>>, _) = ((0..scene.bodies.len()).map(mask).collect(), None);
    let walk = |[i, j]: [usize; 2]| Walk {
        first: side(i),
        second: side(j),
        same: i == j,
        certificate: &certificates[i],
        mask: if i == j { &masks[i] } else { &no_mask },
    };
    // A pair of bodies gets its share of the tasks by the size of its trees.
    let size = |[i, j]: [usize; 2]| side(i).hierarchy.n_nodes() + side(j).hierarchy.n_nodes();
    let all: usize = scene.pairs.iter().map(|&pair| size(pair)).sum();
    let share = |pair| (n_tasks(all) * size(pair)).div_ceil(all.max(1));
    let (mut scratch, mut stats) = (Scratch::default(), WalkStats::default());
    let mut jobs: Vec<([usize; 2], Job)> = Vec::new();
    let fronts: Vec<Option<&Front>> =
        scene.pairs.iter().map(|&[i, j]| if i == j { front(i) } else { None }).collect();
    for (&pair, front) in scene.pairs.iter().zip(&fronts) {
        if let Some(front) = front {
            let parts = front.parts(side(pair[0]).hierarchy, |node| certificates[pair[0]].clears(node));
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
            let visit = |a, b| blocks.pair(a, b);
            match job {
                Job::Walk(task) => {
                    let _ = walk(pair).run(task, &mut scratch.walk, stats, visit);
                }
                // There is a front only where there are proofs for pairs; nothing is compiled for it elsewhere.
                Job::Track(front, part) => {
                    if C::ASKS_PAIRS {
                        let defer = |task| deferred.push((pair, task));
                        let _ = walk(pair).track(front, part, scratch, stats, visit, defer);
                    }
                }
            }
        })
    };
    let mut workers: Vec<Worker<C>> = run(&jobs);
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
struct Worker<C: Certificate> {
    scratch: TrackScratch<C::Scratch>,
    stats: WalkStats,
    deferred: Deferred,
}

impl<C: Certificate> Default for Worker<C> {
    fn default() -> Self {
        Worker { scratch: TrackScratch::default(), stats: WalkStats::default(), deferred: Vec::new() }
    }
}

/// Adds what was counted.
fn count(all: &mut Stats, scratch: &Scratch<impl Counted>, stats: WalkStats) {
    all.bounds_tests += stats.bounds_tests;
    all.radial.inner_tests += stats.inner_tests;
    all.certificates += scratch.certificate.stats();
}
