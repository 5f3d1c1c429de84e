//! The bodies and the step of a pass, and the sinks of its candidate pairs.

use crate::Step;
use crate::body::Body;
use crate::feature::{FeaturePair, Owner};
use crate::motion::Line;
use crate::narrow::Kind;
use crate::stats::Stats;
use crate::threads;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bodies and step, as traversals and sinks see them.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) bodies: &'a [Body],
    pub(crate) step: &'a Step,
    /// The owners for pairs of bodies, or for a body and itself, ascending. Where there is none, a
    /// feature pair is tested by the representative triangles of its features.
    pub(crate) owners: &'a [([usize; 2], &'a dyn Owner)],
}

impl<'a> Scene<'a> {
    /// A scene whose feature pairs are tested by their representatives.
    pub(crate) fn new(bodies: &'a [Body], step: &'a Step) -> Scene<'a> {
        Scene { bodies, step, owners: &[] }
    }

    /// The vertices of a body.
    pub(crate) fn lines(&self, body: usize) -> &'a [Line] {
        &self.step.lines()[self.bodies[body].vertices.clone()]
    }

    /// The owner for a pair of bodies, or for a body and itself, if there is one.
    pub(crate) fn owner(&self, pair: [usize; 2]) -> Option<&'a dyn Owner> {
        let at = self.owners.binary_search_by_key(&pair, |owner| owner.0).ok()?;
        Some(self.owners[at].1)
    }
}

/// Receives candidate pairs of triangles of two bodies, or of a body and itself.
pub(crate) trait PairSink: Send {
    /// Sets the bodies of the pairs that follow.
    fn begin(&mut self, bodies: [usize; 2]);
    /// Receives pairs; breaks when no more are needed.
    fn pairs(&mut self, scene: &Scene, pairs: &[[u32; 2]]) -> ControlFlow<()>;
    /// Receives feature pairs of a body with itself; ignored by a sink that compares triangles.
    fn features(&mut self, _scene: &Scene, _kind: Kind, _pairs: &[FeaturePair]) {}
    /// Whether no more pairs are needed.
    fn is_over(&self) -> bool {
        false
    }
    /// Decides the pairs that are still pending.
    fn finish(&mut self, scene: &Scene);
    /// The statistics.
    fn stats(&mut self) -> &mut Stats;
    /// The number of results so far, of a sink that has any.
    fn n_results(&self) -> u64 {
        0
    }
}

/// The sinks of a pass, one per worker. They are trait objects, so that traversals are compiled
/// once, not for each kind of sink; one call passes [`BLOCK`] pairs.
pub(crate) type Sinks<'a, 's> = [&'a Mutex<dyn PairSink + 's>];

/// Locks the sink of a worker. No two workers share one, so none waits. A poisoned lock is ignored,
/// as a panic ends the query.
pub(crate) fn locked<'a, S: ?Sized>(sink: &'a Mutex<S>) -> MutexGuard<'a, S> {
    sink.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes all sinks decide their pending pairs.
pub(crate) fn finish(scene: &Scene, sinks: &Sinks) {
    for sink in sinks {
        locked(sink).finish(scene);
    }
}

/// Number of triangle pairs passed to a sink at once.
pub(crate) const BLOCK: usize = 256;

/// Buffers pairs for a sink, and passes them in blocks.
pub(crate) struct Blocks<'a> {
    scene: &'a Scene<'a>,
    pub(crate) sink: &'a mut (dyn PairSink + 'a),
    bodies: Option<[usize; 2]>,
    block: Vec<[u32; 2]>,
}

impl Blocks<'_> {
    /// Sets the bodies of the pairs that follow.
    pub(crate) fn begin(&mut self, bodies: [usize; 2]) {
        if self.bodies != Some(bodies) {
            let _ = self.flush();
            self.sink.begin(bodies);
            self.bodies = Some(bodies);
        }
    }

    /// Adds a pair; breaks when no more are needed.
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

/// Runs all jobs in parallel; each is taken by the next free worker. `worker` creates the state of
/// a worker besides its sink; the states are returned.
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
    threads::map(&sinks[..n_workers], run)
}
