//! From candidate pairs to answers: what every method shares.
//!
//! A method is a way to find pairs of triangles that may touch. It is cut into jobs, which run in parallel and stream their pairs
//! into the narrow phase, a batch at a time; nothing is stored but what is found. The answer is sorted, so it depends neither on the
//! method nor on the number of threads.

mod brute;
mod bvh;
mod certified;
mod contacts;
mod crossings;
mod radial;
mod search;
mod spatial_hash;

pub(crate) use contacts::contacts;
pub(crate) use crossings::crossings;
pub(crate) use search::Goal;

use crate::body::Body;
use crate::bounds::Reach;
use crate::feature::FeaturePair;
use crate::narrow::Kind;
use crate::stats::Stats;
use crate::{Method, Step};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A world as methods see it.
pub(crate) struct Scene<'a> {
    pub(crate) bodies: &'a [Body],
    pub(crate) step: &'a Step,
    /// Pairs of bodies that may touch, ascending; a body with itself among them. For methods with a hierarchy, their bounds overlap.
    pub(crate) pairs: Vec<[usize; 2]>,
    /// What bounds must hold.
    pub(crate) reach: Reach,
    /// What it took to make the scene.
    pub(crate) stats: Stats,
}

/// Takes the pairs of triangles of two bodies.
trait PairSink: Send {
    /// Says which bodies the following pairs are of.
    fn begin(&mut self, bodies: [usize; 2]);
    /// Takes pairs of features of a body with itself.
    fn features(&mut self, kind: Kind, pairs: &[FeaturePair]);
    /// Takes a pair; breaks when no more are wanted.
    fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()>;
    /// Decides what has been taken but not decided yet.
    fn finish(&mut self);
    fn stats(&mut self) -> &mut Stats;
}

/// Streams all candidate pairs of a scene into sinks, one for each worker, and returns the sinks.
fn stream<S: PairSink>(scene: &Scene, method: Method, sink: impl Fn() -> S + Sync + Send) -> Vec<S> {
    let mut sinks = match method {
        Method::Brute => brute::stream(scene, &sink),
        Method::Bvh(volume) => bvh::stream(scene, volume, &sink),
        Method::Radial(how) => radial::stream(scene, how.volume, &sink),
        Method::SpatialHash => spatial_hash::stream(scene, &sink),
        Method::NormalCone(how) => certified::stream(scene, how, &sink),
        Method::Rival(rival) => certified::stream_rival(scene, rival, &sink),
    };
    if sinks.is_empty() {
        sinks.push(sink());
    }
    *sinks[0].stats() += scene.stats;
    sinks
}

/// Lets a sink decide what it still holds.
fn finished<S: PairSink>(mut sink: S) -> S {
    sink.finish();
    sink
}

/// Works off all jobs, each taken by the next worker that is free, on as many workers as there are threads. Returns what they finish
/// with.
fn work_off<J: Sync, W, S: Send>(
    jobs: &[J],
    worker: impl Fn() -> W + Sync + Send,
    work: impl Fn(&mut W, &J) + Sync + Send,
    finish: impl Fn(W) -> S + Sync + Send,
) -> Vec<S> {
    let next = AtomicUsize::new(0);
    let n_workers = rayon::current_num_threads().min(jobs.len());
    let run = |_| {
        let mut worker = worker();
        while let Some(job) = jobs.get(next.fetch_add(1, Relaxed)) {
            work(&mut worker, job);
        }
        finish(worker)
    };
    (0..n_workers).into_par_iter().with_max_len(1).map(run).collect()
}
