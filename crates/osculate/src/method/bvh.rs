//! Bounding volume hierarchies: walk the trees of two bodies, or of one and itself, where bounds overlap (methods 2.1, 2.2).
//!
//! With 16-DOPs this is the "Base" of the papers, with boxes their "AABB-only".
//!
//! Guarantee: complete. Bounds hold the surface throughout the step, and overlap tests are closed.

use super::{PairSink, Scene, finished, work_off};
use crate::body::Volumes;
use crate::bounds::Bounds;
use crate::query::Volume;
use crate::traverse::{NoCertificate, NoMask, Side, Task, Walk, WalkStats};

/// Tasks that the walks are cut into, at least: enough to keep a few dozen workers busy, few enough to cost nothing.
const TASKS: usize = 512;

pub(super) fn stream<S: PairSink>(
    scene: &Scene,
    volume: Volume,
    sink: impl Fn() -> S + Sync + Send,
) -> Vec<S> {
    match volume {
        Volume::MovingAabb => stream_with(scene, |v| &v.moving, sink),
        Volume::Aabb => stream_with(scene, |v| &v.aabb, sink),
        Volume::Dop16 => stream_with(scene, |v| &v.dop16, sink),
        Volume::Dop18 => stream_with(scene, |v| &v.dop18, sink),
        Volume::Dop24 => stream_with(scene, |v| &v.dop24, sink),
    }
}

fn stream_with<const N: usize, S: PairSink>(
    scene: &Scene,
    bounds: impl Fn(&Volumes) -> &Bounds<N> + Sync,
    sink: impl Fn() -> S + Sync + Send,
) -> Vec<S> {
    let side = |body: usize| {
        let body = &scene.bodies[body];
        Side { hierarchy: &body.temporal.hierarchy, bounds: bounds(&body.temporal.volumes) }
    };
    let walk = |[i, j]: [usize; 2]| Walk {
        first: side(i),
        second: side(j),
        same: i == j,
        certificate: &NoCertificate,
        mask: &NoMask,
    };
    let mut planning = WalkStats::default();
    let mut jobs: Vec<([usize; 2], Task)> = Vec::new();
    // A pair of bodies gets its share of the tasks by the size of its trees.
    let size = |&[i, j]: &[usize; 2]| side(i).hierarchy.n_nodes() + side(j).hierarchy.n_nodes();
    let all: usize = scene.pairs.iter().map(size).sum();
    for pair in &scene.pairs {
        let n_tasks = (TASKS * size(pair)).div_ceil(all.max(1));
        let tasks = walk(*pair).tasks(n_tasks, &mut planning);
        jobs.extend(tasks.into_iter().map(|task| (*pair, task)));
    }
    let mut sinks = work_off(
        &jobs,
        || (sink(), Vec::new(), WalkStats::default()),
        |(sink, stack, stats), &(pair, task)| {
            sink.begin(pair);
            let _ = walk(pair).run(task, stack, stats, |a, b| sink.pair(a, b));
        },
        |(sink, _, stats)| {
            let mut sink = finished(sink);
            sink.stats().bounds_tests += stats.bounds_tests;
            sink
        },
    );
    if let Some(sink) = sinks.first_mut() {
        sink.stats().bounds_tests += planning.bounds_tests;
    }
    sinks
}
