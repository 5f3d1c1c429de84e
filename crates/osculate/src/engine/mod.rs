//! The only loop: prepare, walk, unfold into features, decide, look again where a method asks for
//! it, report.
//!
//! It takes bodies and a step, and a [`Culling`], which says how candidate pairs are found. It
//! knows no method.

mod contacts;
mod crossings;
mod search;

pub(crate) use contacts::contacts;
pub(crate) use crossings::crossings;
pub(crate) use search::Goal;

use crate::body::{Body, Kept};
use crate::body_id::BodyId;
use crate::bounds::{BoundedTree, Pick, Reach, SortAndSweep, Sweep, Volume, WithBounds};
use crate::contact::{ContactKey, OpenPair};
use crate::motion::Line;
use crate::query::{Budget, Query};
use crate::scene::{PairSink, Sinks, locked};
use crate::stats::Stats;
use crate::{Model, Step};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// How candidate pairs are found: what a method is. One implementation in a file of `method/`.
pub(crate) trait Culling: Sync {
    /// Gets the bodies ready for a pass: refits bounds, proves what can be proven, and sets
    /// [`Stage::pairs`].
    fn prepare(&self, stage: &mut Stage);

    /// Streams all candidate pairs of triangles of the pass into the sinks.
    fn stream(&self, stage: &mut Stage, sinks: &Sinks);

    /// Whether the method wants to know the contacts of bodies with themselves: those that
    /// [`looks_again`](Culling::looks_again) and [`finish`](Culling::finish) get.
    fn learns_from_contacts(&self) -> bool {
        false
    }

    /// Whether there is more to look at, given the contacts of bodies with themselves that have
    /// been found; those from `n_known` on are new. If so, [`stream`](Culling::stream) is called
    /// again.
    fn looks_again(&self, _stage: &mut Stage, _met: &[Met], _n_known: usize) -> bool {
        false
    }

    /// Ends the pass; `met` are all contacts of bodies with themselves in the step, or `None` if
    /// there may be others.
    fn finish(&self, _stage: &mut Stage, _met: Option<&[Met]>) {}

    /// Whether a search for the earliest contact may begin again with bounds of a shorter part of
    /// the step.
    fn may_begin_again(&self) -> bool {
        true
    }

    /// How many workers take part, at most.
    fn n_workers(&self, _stage: &Stage) -> usize {
        rayon::current_num_threads()
    }
}

/// A contact of a body with itself, and its bracket.
pub(crate) type Met = (ContactKey, f64, f64);

/// What a query is about: the bodies, their step, and what queries leave behind so that others need
/// not allocate it.
pub(crate) struct Parts<'a> {
    pub(crate) bodies: &'a mut [Body],
    pub(crate) step: &'a mut Step,
    pub(crate) memory: &'a mut Kept,
}

impl Parts<'_> {
    /// The same for a while.
    pub(crate) fn reborrow(&mut self) -> Parts<'_> {
        Parts { bodies: self.bodies, step: self.step, memory: self.memory }
    }
}

/// What methods work on during a pass.
pub(crate) struct Stage<'a> {
    pub(crate) parts: Parts<'a>,
    pub(crate) query: &'a Query<'a>,
    /// What bounds must hold.
    pub(crate) reach: Reach,
    /// How much of the step still counts.
    pub(crate) limit: &'a dyn Fn() -> f64,
    /// The pairs of bodies that are walked, ascending; a body with itself among them.
    pub(crate) pairs: Vec<[usize; 2]>,
    /// What the method counts.
    pub(crate) stats: Stats,
    /// What the pass may cost, and what it left for that reason.
    pub(crate) budget: Option<Budget>,
    pub(crate) left: Vec<OpenPair>,
}

impl<'a> Stage<'a> {
    fn new(
        parts: Parts<'a>,
        query: &'a Query<'a>,
        sweep: Sweep,
        limit: &'a dyn Fn() -> f64,
        budget: Option<Budget>,
    ) -> Stage<'a> {
        // Each of two features reaches half of the separation toward the other.
        let separation = query.narrow.min_separation;
        let margin = if separation == 0.0 { 0.0 } else { (0.5 * separation).next_up() };
        let reach = Reach { sweep, margin, largest: parts.step.largest() };
        let (pairs, left) = (Vec::new(), Vec::new());
        Stage { parts, query, reach, limit, pairs, stats: Stats::default(), budget, left }
    }

    /// Lets a method get ready, and measures the time.
    fn prepare(&mut self, culling: &dyn Culling) {
        let start = self.now();
        culling.prepare(self);
        self.stats.times.refit += self.since(start).saturating_sub(self.stats.times.certify);
    }

    /// The time by the clock of the query, if it has one.
    pub(crate) fn now(&self) -> Option<u64> {
        self.query.clock.map(|now| now())
    }

    /// Nanoseconds since then.
    pub(crate) fn since(&self, start: Option<u64>) -> u64 {
        self.now().zip(start).map_or(0, |(now, start)| now.saturating_sub(start))
    }

    /// Moves all vertices of bodies that are posed by parameters.
    pub(crate) fn place_all(&mut self) {
        let mut lines = self.parts.step.lines_mut();
        let mut of_bodies = Vec::new();
        for body in &mut *self.parts.bodies {
            let (of_body, behind) = std::mem::take(&mut lines).split_at_mut(body.vertices.len());
            lines = behind;
            if body.placement.is_some() {
                of_bodies.push((body, of_body));
            }
        }
        let place_all = |(body, lines): (&mut Body, &mut [Line])| body.place_all(lines);
        self.stats.skinning.vertices += of_bodies.into_par_iter().map(place_all).sum::<u64>();
    }

    /// Lets each model of bodies that may be proven something compute what it keeps for them, so
    /// that bodies which share it do not all do so.
    pub(crate) fn prepare_models(&self, prepare: impl Fn(&Model) + Sync) {
        let has_proofs = |body: &&Body| body.has_proofs(self.reach);
        let mut models: Vec<&Arc<Model>> =
            self.parts.bodies.iter().filter(has_proofs).map(|body| &body.model).collect();
        models.sort_unstable_by_key(|model| Arc::as_ptr(model));
        models.dedup_by_key(|model| Arc::as_ptr(model));
        models.par_iter().for_each(|model| prepare(model));
    }

    /// The volume that is best for the part of the step that is asked about, if the given one was
    /// chosen for steps.
    pub(crate) fn volume(&self, volume: Volume) -> Volume {
        if self.reach.sweep == Sweep::Start { volume.at_an_instant() } else { volume }
    }

    /// Makes all pairs of bodies that may touch those to be walked.
    pub(crate) fn take_all_pairs(&mut self) {
        let n = self.parts.bodies.len();
        self.pairs = (0..n).flat_map(|i| (i..n).map(move |j| [i, j])).collect();
        let (bodies, query) = (&*self.parts.bodies, self.query);
        self.pairs.retain(|&[i, j]| may_touch(bodies, i, j) && is_allowed(query, [i, j]));
    }

    /// Makes the pairs of bodies that may touch, and whose bounds overlap, those to be walked;
    /// `tree` is the one that a body is walked by.
    pub(crate) fn take_near_pairs(&mut self, volume: Volume, tree: impl Fn(&Body) -> &BoundedTree) {
        struct Near<'a, T>(&'a [Body], T);
        impl<T: Fn(&Body) -> &BoundedTree> WithBounds for Near<'_, T> {
            type Output = (Vec<[usize; 2]>, u64);
            fn with<const N: usize>(self, pick: Pick<N>) -> Self::Output {
                let roots: Vec<_> =
                    self.0.iter().map(|body| (pick.of)(&(self.1)(body).volumes).root()).collect();
                let mut sweep = SortAndSweep::default();
                let n_tests = sweep.find(&roots, |i, j| may_touch(self.0, i, j));
                (sweep.pairs, n_tests)
            }
        }
        let (mut pairs, n_tests) = volume.pick(Near(self.parts.bodies, tree));
        self.stats.bounds_tests += n_tests;
        let bodies = &*self.parts.bodies;
        pairs.extend((0..bodies.len()).filter(|&i| may_touch(bodies, i, i)).map(|i| [i, i]));
        pairs.sort_unstable();
        pairs.retain(|&pair| is_allowed(self.query, pair));
        self.pairs = pairs;
    }
}

/// Lets a method prepare the bodies for a step in which none moves.
pub(crate) fn prepare(parts: Parts, query: &Query, culling: &dyn Culling) {
    culling.prepare(&mut Stage::new(parts, query, Sweep::Until(1.0), &|| 1.0, None));
}

/// Whether the settings of two bodies, or of one, let them touch.
pub(crate) fn may_touch(bodies: &[Body], i: usize, j: usize) -> bool {
    let (a, b) = (&bodies[i].settings, &bodies[j].settings);
    if i == j {
        return a.self_contact && !a.is_static;
    }
    !(a.is_static && b.is_static) && a.touches & b.groups != 0 && b.touches & a.groups != 0
}

/// Whether the query asks about two bodies, or about one and itself.
pub(crate) fn is_allowed(query: &Query, [i, j]: [usize; 2]) -> bool {
    query.filter.is_none_or(|filter| filter(BodyId(i as u32), BodyId(j as u32)))
}

/// Lets a method stream its pairs into workers, one for each state; there are as many states
/// afterwards as the method has workers, or more. Calls `each` with those of the workers.
fn stream<S: Default, W: PairSink>(
    culling: &dyn Culling,
    stage: &mut Stage,
    states: &mut Vec<S>,
    worker: impl Fn(S) -> W,
    state: impl Fn(W) -> S,
    mut each: impl FnMut(&mut S),
) {
    let mut end = |worker: Mutex<W>| {
        let mut state = state(worker.into_inner().unwrap_or_else(PoisonError::into_inner));
        each(&mut state);
        state
    };
    // For one worker nothing is allocated.
    if culling.n_workers(stage) == 1 {
        let only = Mutex::new(worker(states.pop().unwrap_or_default()));
        run(culling, stage, &[&only]);
        states.push(end(only));
        return;
    }
    let workers: Vec<Mutex<W>> =
        (0..culling.n_workers(stage)).map(|_| Mutex::new(worker(states.pop().unwrap_or_default()))).collect();
    let sinks: Vec<&Mutex<dyn PairSink + '_>> = workers.iter().map(|worker| worker as _).collect();
    run(culling, stage, &sinks);
    drop(sinks);
    states.extend(workers.into_iter().map(end));
}

fn run(culling: &dyn Culling, stage: &mut Stage, sinks: &Sinks) {
    culling.stream(stage, sinks);
    *locked(sinks[0]).stats() += std::mem::take(&mut stage.stats);
}
