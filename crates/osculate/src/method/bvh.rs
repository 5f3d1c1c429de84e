//! Bounding volume hierarchies: walk the trees of two bodies, or of one and itself, where bounds overlap (methods 2.1, 2.2).
//!
//! With 16-DOPs this is the "Base" of the papers, with boxes their "AABB-only".
//!
//! Guarantee: complete. Bounds hold the surface throughout the step, and overlap tests are closed.

use super::{PairSink, Scene, finished, work_off};
use crate::body::{Tree, Volumes};
use crate::bounds::Bounds;
use crate::certificate::Counted;
use crate::query::Volume;
use crate::traverse::{Certificate, NoCertificate, NoMask, Scratch, Side, Task, Walk, WalkStats};

/// Tasks that the walks are cut into, at least: enough to keep a few dozen workers busy, few enough to cost nothing. For small trees as many as keep a few
/// workers busy: to cut a walk into tasks is work that is not shared.
fn n_tasks(n_nodes: usize) -> usize {
    (n_nodes / 64).clamp(16, 512)
}

pub(super) fn stream<S: PairSink>(
    scene: &Scene,
    volume: Volume,
    sink: impl Fn() -> S + Sync + Send,
) -> Vec<S> {
    stream_with(scene, Tree::Bounds, volume, |_| NoCertificate, sink)
}

/// Walks the given trees, with a certificate for each body.
pub(super) fn stream_with<C: Certificate<Scratch: Counted>, S: PairSink>(
    scene: &Scene,
    tree: Tree,
    volume: Volume,
    certificate: impl Fn(usize) -> C + Sync,
    sink: impl Fn() -> S + Sync + Send,
) -> Vec<S> {
    match volume {
        Volume::MovingAabb => stream_bounds(scene, tree, |v| &v.moving, certificate, sink),
        Volume::Aabb => stream_bounds(scene, tree, |v| &v.aabb, certificate, sink),
        Volume::Dop16 => stream_bounds(scene, tree, |v| &v.dop16, certificate, sink),
        Volume::Dop18 => stream_bounds(scene, tree, |v| &v.dop18, certificate, sink),
        Volume::Dop24 => stream_bounds(scene, tree, |v| &v.dop24, certificate, sink),
    }
}

fn stream_bounds<const N: usize, C: Certificate<Scratch: Counted>, S: PairSink>(
    scene: &Scene,
    tree: Tree,
    bounds: impl Fn(&Volumes) -> &Bounds<N> + Sync,
    certificate: impl Fn(usize) -> C + Sync,
    sink: impl Fn() -> S + Sync + Send,
) -> Vec<S> {
    let side = |body: usize| {
        let temporal = scene.bodies[body].temporal(tree);
        Side { hierarchy: &temporal.hierarchy, bounds: bounds(&temporal.volumes) }
    };
    let certificates: Vec<C> = (0..scene.bodies.len()).map(certificate).collect();
    let walk = |[i, j]: [usize; 2]| Walk {
        first: side(i),
        second: side(j),
        same: i == j,
        certificate: &certificates[i],
        mask: &NoMask,
    };
    let (mut planning, mut scratch) = (WalkStats::default(), Scratch::default());
    let mut jobs: Vec<([usize; 2], Task)> = Vec::new();
    // A pair of bodies gets its share of the tasks by the size of its trees.
    let size = |&[i, j]: &[usize; 2]| side(i).hierarchy.n_nodes() + side(j).hierarchy.n_nodes();
    let all: usize = scene.pairs.iter().map(size).sum();
    for pair in &scene.pairs {
        let n_tasks = (n_tasks(all) * size(pair)).div_ceil(all.max(1));
        let tasks = walk(*pair).tasks(n_tasks, &mut scratch, &mut planning);
        jobs.extend(tasks.into_iter().map(|task| (*pair, task)));
    }
    let mut sinks = work_off(
        &jobs,
        || (sink(), Scratch::default(), WalkStats::default()),
        |(sink, scratch, stats), &(pair, task)| {
            sink.begin(pair);
            let _ = walk(pair).run(task, scratch, stats, |a, b| sink.pair(a, b));
        },
        |(sink, scratch, stats)| {
            let mut sink = finished(sink);
            sink.stats().bounds_tests += stats.bounds_tests;
            sink.stats().certificates += scratch.certificate.stats();
            sink
        },
    );
    if let Some(sink) = sinks.first_mut() {
        sink.stats().bounds_tests += planning.bounds_tests;
        sink.stats().certificates += scratch.certificate.stats();
    }
    sinks
}
