//! The bodies and the step of a pass, and where the candidate pairs go.

use crate::Step;
use crate::body::Body;
use crate::feature::{FeaturePair, Owner};
use crate::motion::Line;
use crate::narrow::Kind;
use crate::stats::Stats;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bodies as walks and sinks see them.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) bodies: &'a [Body],
    pub(crate) step: &'a Step,
    /// The owners for pairs of bodies, or for one and itself, ascending. Where there is none, the
    /// representatives of two features test them.
    pub(crate) owners: &'a [([usize; 2], &'a dyn Owner)],
}

impl<'a> Scene<'a> {
    /// The bodies and the step of a pass whose feature pairs are tested by their representatives.
    pub(crate) fn new(bodies: &'a [Body], step: &'a Step) -> Scene<'a> {
        Scene { bodies, step, owners: &[] }
    }

    /// The vertices of a body.
    pub(crate) fn lines(&self, body: usize) -> &'a [Line] {
        &self.step.lines()[self.bodies[body].vertices.clone()]
    }

    /// The owner for a pair of bodies, or for one and itself, if there is one.
    pub(crate) fn owner(&self, pair: [usize; 2]) -> Option<&'a dyn Owner> {
        let at = self.owners.binary_search_by_key(&pair, |owner| owner.0).ok()?;
        Some(self.owners[at].1)
    }
}

/// Takes the pairs of triangles of two bodies.
pub(crate) trait PairSink: Send {
    /// Says which bodies the following pairs are of.
    fn begin(&mut self, bodies: [usize; 2]);
    /// Takes pairs; breaks when no more are wanted.
    fn pairs(&mut self, scene: &Scene, pairs: &[[u32; 2]]) -> ControlFlow<()>;
    /// Takes pairs of features of a body with itself; a sink that compares triangles takes none.
    fn features(&mut self, _scene: &Scene, _kind: Kind, _pairs: &[FeaturePair]) {}
    /// Decides what has been taken but not decided yet.
    fn finish(&mut self, scene: &Scene);
    /// What was counted.
    fn stats(&mut self) -> &mut Stats;
}

/// The sinks of a pass, one for each worker. Behind a trait object, so that walks are compiled
/// once, not for each kind of sink; one call takes [`BLOCK`] pairs.
pub(crate) type Sinks<'a, 's> = [&'a Mutex<dyn PairSink + 's>];

/// The sink of a worker. No two workers have the same, so none waits; and none is left behind by
/// one that panicked, as that ends the query.
pub(crate) fn locked<'a, S: ?Sized>(sink: &'a Mutex<S>) -> MutexGuard<'a, S> {
    sink.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets all sinks decide what they have taken.
pub(crate) fn finish(scene: &Scene, sinks: &Sinks) {
    for sink in sinks {
        locked(sink).finish(scene);
    }
}

/// Pairs of triangles that are handed over together.
pub(crate) const BLOCK: usize = 256;

/// Collects pairs for a sink, a block at a time.
pub(crate) struct Blocks<'a> {
    scene: &'a Scene<'a>,
    pub(crate) sink: &'a mut (dyn PairSink + 'a),
    bodies: Option<[usize; 2]>,
    block: Vec<[u32; 2]>,
}

impl Blocks<'_> {
    /// Says which bodies the following pairs are of.
    pub(crate) fn begin(&mut self, bodies: [usize; 2]) {
        if self.bodies != Some(bodies) {
            let _ = self.flush();
            self.sink.begin(bodies);
            self.bodies = Some(bodies);
        }
    }

    /// Takes a pair; breaks when no more are wanted.
    #[inline(always)]
    pub(crate) fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        self.block.push([a, b]);
        if BLOCK <= self.block.len() { self.flush() } else { ControlFlow::Continue(()) }
    }

    fn flush(&mut self) -> ControlFlow<()> {
        let flow = self.sink.pairs(self.scene, &self.block);
        self.block.clear();
        flow
    }
}

/// Works off all jobs, each taken by the next worker that is free; `worker` is what a worker has
/// besides its sink, and what is returned of it.
pub(crate) fn work_off<J: Sync, W: Send>(
    scene: &Scene,
    jobs: &[J],
    sinks: &Sinks,
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
