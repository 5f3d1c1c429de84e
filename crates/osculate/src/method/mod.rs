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
mod sphere_tree;

pub(crate) use contacts::{contacts, contacts_on_demand};
pub(crate) use crossings::{crossings, crossings_on_demand};
pub(crate) use search::Goal;
pub(crate) use sphere_tree::Memory;

use crate::body::Body;
use crate::bounds::Reach;
use crate::feature::FeaturePair;
use crate::narrow::Kind;
use crate::stats::Stats;
use crate::{Method, Step};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

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
    /// Takes pairs; breaks when no more are wanted.
    fn pairs(&mut self, scene: &Scene, pairs: &[[u32; 2]]) -> ControlFlow<()>;
    /// Takes pairs of features of a body with itself.
    fn features(&mut self, scene: &Scene, kind: Kind, pairs: &[FeaturePair]);
    /// Decides what has been taken but not decided yet.
    fn finish(&mut self, scene: &Scene);
    fn stats(&mut self) -> &mut Stats;
}

/// Streams all candidate pairs of a scene into the sinks, one for each worker.
fn stream<'a, S: PairSink + 'a>(scene: &Scene, method: Method, sinks: &[Mutex<S>]) {
    // Methods are compiled once, not for each kind of sink.
    let sinks: Vec<&Mutex<dyn PairSink + 'a>> = sinks.iter().map(|sink| sink as _).collect();
    match method {
        Method::Brute => brute::stream(scene, &sinks),
        Method::Bvh(volume) => bvh::stream(scene, volume, &sinks),
        Method::Radial(how) => radial::stream(scene, how.volume, &sinks),
        Method::SpatialHash => spatial_hash::stream(scene, &sinks),
        Method::SphereTree(_) => unreachable!("it has a stream of its own"),
        Method::NormalCone(how) => certified::stream(scene, how, &sinks),
        Method::Rival(rival, volume) => certified::stream_rival(scene, rival, volume, &sinks),
    }
    for sink in &sinks {
        locked(sink).finish(scene);
    }
    *locked(sinks[0]).stats() += scene.stats;
}

/// As many sinks as there are workers.
fn sinks<S>(sink: impl Fn() -> S) -> Vec<Mutex<S>> {
    (0..rayon::current_num_threads()).map(|_| Mutex::new(sink())).collect()
}

/// The sink of a worker. No two workers have the same, so none waits; and none is left behind by one that panicked, as that ends the query.
fn locked<'a, S: ?Sized>(sink: &'a Mutex<S>) -> MutexGuard<'a, S> {
    sink.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pairs of triangles that are handed over together.
const BLOCK: usize = 256;

/// Collects pairs for a sink, a block at a time.
struct Blocks<'a> {
    scene: &'a Scene<'a>,
    sink: &'a mut (dyn PairSink + 'a),
    bodies: Option<[usize; 2]>,
    block: Vec<[u32; 2]>,
}

impl Blocks<'_> {
    /// Says which bodies the following pairs are of.
    fn begin(&mut self, bodies: [usize; 2]) {
        if self.bodies != Some(bodies) {
            let _ = self.flush();
            self.sink.begin(bodies);
            self.bodies = Some(bodies);
        }
    }

    /// Takes a pair; breaks when no more are wanted.
    #[inline(always)]
    fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        self.block.push([a, b]);
        if BLOCK <= self.block.len() { self.flush() } else { ControlFlow::Continue(()) }
    }

    fn flush(&mut self) -> ControlFlow<()> {
        let flow = self.sink.pairs(self.scene, &self.block);
        self.block.clear();
        flow
    }
}

/// Works off all jobs, each taken by the next worker that is free; `worker` is what a worker has besides its sink, and what is returned of it.
fn work_off<J: Sync, W: Send>(
    scene: &Scene,
    jobs: &[J],
    sinks: &[&Mutex<dyn PairSink + '_>],
    worker: impl Fn() -> W + Sync + Send,
    work: impl Fn(&mut Blocks, &mut W, &J) + Sync + Send,
) -> Vec<W> {
    let next = AtomicUsize::new(0);
    let n_workers = sinks.len().min(jobs.len());
    let run = |sink: &&Mutex<dyn PairSink + '_>| {
        let mut worker = worker();
        let mut sink = locked(sink);
        let mut blocks = Blocks { scene, sink: &mut *sink, bodies: None, block: Vec::with_capacity(BLOCK) };
        while let Some(job) = jobs.get(next.fetch_add(1, Relaxed)) {
            work(&mut blocks, &mut worker, job);
        }
        let _ = blocks.flush();
        worker
    };
    sinks[..n_workers].par_iter().with_max_len(1).map(run).collect()
}
