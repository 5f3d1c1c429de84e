//! The main loop: prepare, traverse, unfold into features, decide, repeat if the method asks for
//! it, report.
//!
//! It takes bodies, a step, and a [`Culling`] that finds candidate pairs. It knows no method.

mod contacts;
mod crossings;
mod hits;
mod search;

pub(crate) use contacts::{contacts, proximities, proximities_into};
pub(crate) use crossings::crossings;
pub(crate) use search::Goal;

use crate::body::{Body, Kept};
use crate::body_id::BodyId;
use crate::bounds::{BoundedTree, Pick, Reach, SortAndSweep, Sweep, Volume, WithBounds};
use crate::contact::{ContactKey, OpenPair};
use crate::motion::Line;
use crate::narrow;
use crate::query::{Budget, Query};
use crate::scene::{PairSink, Sinks, locked};
use crate::stats::Stats;
use crate::threads;
use crate::{Model, Step};
use std::sync::{Arc, Mutex, PoisonError};

/// A method: how candidate pairs are found. Each file of `method/` has an implementation.
pub(crate) trait Culling: Sync {
    /// Prepares the bodies for a pass: refits bounds, runs proofs, and sets [`Stage::pairs`].
    fn prepare(&self, stage: &mut Stage);

    /// Streams all candidate pairs of triangles of the pass into the sinks.
    fn stream(&self, stage: &mut Stage, sinks: &Sinks);

    /// Whether the method needs the contacts of bodies with themselves, which are passed to
    /// [`looks_again`](Culling::looks_again) and [`finish`](Culling::finish).
    fn learns_from_contacts(&self) -> bool {
        false
    }

    /// Whether there are more candidate pairs, given the contacts of bodies with themselves found
    /// so far; those from `n_known` on are new. If so, [`stream`](Culling::stream) is called again.
    fn looks_again(&self, _stage: &mut Stage, _met: &[Met], _n_known: usize) -> bool {
        false
    }

    /// Ends a query about a step; `met` are all contacts of bodies with themselves in the step, or
    /// `None` if there may be others.
    fn finish(&self, _stage: &mut Stage, _met: Option<&[Met]>) {}

    /// Whether a search for the earliest contact may restart with bounds of a shorter part of the
    /// step.
    fn may_begin_again(&self) -> bool {
        true
    }

    /// How many workers take part, at most.
    fn n_workers(&self, _stage: &Stage) -> usize {
        threads::count()
    }
}

/// In passes over a smaller part of the step, most bounds are as at an instant. Chosen on frames 92
/// and 93 of the cloth-ball meshes; any value gives the same answers.
const SHORT: f64 = 1.0 / 256.0;

/// A contact of a body with itself, and its time bracket.
pub(crate) type Met = (ContactKey, f64, f64);

/// The parts of a world that a query works on: the bodies, their step, and scratch memory.
pub(crate) struct Parts<'a> {
    pub(crate) bodies: &'a mut [Body],
    pub(crate) step: &'a mut Step,
    pub(crate) memory: &'a mut Kept,
}

impl Parts<'_> {
    /// Reborrows the parts.
    pub(crate) fn reborrow(&mut self) -> Parts<'_> {
        Parts { bodies: self.bodies, step: self.step, memory: self.memory }
    }
}

/// The state of a pass, which methods work on.
pub(crate) struct Stage<'a> {
    pub(crate) parts: Parts<'a>,
    pub(crate) query: &'a Query<'a>,
    /// Whether bodies are prepared for queries to come, and no query is answered.
    pub(crate) is_ahead: bool,
    /// What bounds must contain.
    pub(crate) reach: Reach,
    /// The end of the part of the step that still counts.
    pub(crate) limit: &'a dyn Fn() -> f64,
    /// The pairs of bodies to traverse, ascending, including bodies with themselves.
    pub(crate) pairs: Vec<[usize; 2]>,
    /// The statistics of the method.
    pub(crate) stats: Stats,
    /// The budget of the pass, and the pairs of patches that were left when it was used up.
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
        // Each of two features is inflated by half of the distance within which they may be a hit.
        let reach = narrow::reach(query.narrow.min_separation);
        let margin = if reach == 0.0 { 0.0 } else { (0.5 * reach).next_up() };
        let reach = Reach { sweep, margin, largest: parts.step.largest() };
        let (pairs, left) = (Vec::new(), Vec::new());
        let stats = Stats::default();
        Stage { parts, query, is_ahead: false, reach, limit, pairs, stats, budget, left }
    }

    /// Lets the method prepare, and measures the time.
    fn prepare(&mut self, culling: &dyn Culling) {
        let start = self.now();
        culling.prepare(self);
        self.stats.times.refit += self.since(start).saturating_sub(self.stats.times.certify);
    }

    /// The time in nanoseconds by the clock of the query, if it has one.
    pub(crate) fn now(&self) -> Option<u64> {
        self.query.clock.map(|now| now())
    }

    /// Nanoseconds since `start`; 0 without a clock.
    pub(crate) fn since(&self, start: Option<u64>) -> u64 {
        self.now().zip(start).map_or(0, |(now, start)| now.saturating_sub(start))
    }

    /// Computes all vertices of bodies posed by parameters.
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
        self.stats.skinning.vertices += threads::map(of_bodies, place_all).into_iter().sum::<u64>();
    }

    /// Calls `prepare` once for each model of a body that proofs apply to, so that bodies which
    /// share a model do not each compute its data.
    pub(crate) fn prepare_models(&self, prepare: impl Fn(&Model) + Sync) {
        self.prepare_models_of(|body| body.has_proofs(self.reach), prepare);
    }

    /// The same for the models of given bodies.
    pub(crate) fn prepare_models_of(
        &self,
        is_meant: impl Fn(&Body) -> bool,
        prepare: impl Fn(&Model) + Sync,
    ) {
        let meant = self.parts.bodies.iter().filter(|body| is_meant(body));
        let mut models: Vec<&Arc<Model>> = meant.map(|body| &body.model).collect();
        models.sort_unstable_by_key(|model| Arc::as_ptr(model));
        models.dedup_by_key(|model| Arc::as_ptr(model));
        threads::for_each(models, |model| prepare(model));
    }

    /// The volume for this pass: at an instant, and in a [short](SHORT) part of the step, moving
    /// boxes are replaced by a better volume.
    pub(crate) fn volume(&self, volume: Volume) -> Volume {
        let is_short = match self.reach.sweep {
            Sweep::Start => true,
            Sweep::Until(t) => t < SHORT,
        };
        if is_short { volume.at_an_instant() } else { volume }
    }

    /// Selects all pairs of bodies that may touch.
    pub(crate) fn take_all_pairs(&mut self) {
        let n = self.parts.bodies.len();
        self.pairs = (0..n).flat_map(|i| (i..n).map(move |j| [i, j])).collect();
        let (bodies, query) = (&*self.parts.bodies, self.query);
        self.pairs.retain(|&[i, j]| may_touch(bodies, i, j) && is_allowed(query, [i, j]));
    }

    /// Selects the pairs of bodies that may touch and whose bounds overlap; `tree` returns the tree
    /// to traverse for a body.
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

/// Lets a method prepare the bodies for a step in which no body moves.
pub(crate) fn prepare(parts: Parts, query: &Query, culling: &dyn Culling) {
    let stage = Stage::new(parts, query, Sweep::Until(1.0), &|| 1.0, None);
    culling.prepare(&mut Stage { is_ahead: true, ..stage });
}

/// Whether the settings of two bodies, or of a body and itself, allow contacts.
pub(crate) fn may_touch(bodies: &[Body], i: usize, j: usize) -> bool {
    let (a, b) = (&bodies[i].settings, &bodies[j].settings);
    if i == j {
        return a.self_contact && !a.is_static;
    }
    !(a.is_static && b.is_static) && a.touches & b.groups != 0 && b.touches & a.groups != 0
}

/// Whether the filter of the query allows two bodies, or a body and itself.
pub(crate) fn is_allowed(query: &Query, [i, j]: [usize; 2]) -> bool {
    query.filter.is_none_or(|filter| filter(BodyId(i as u32), BodyId(j as u32)))
}

/// Lets a method stream its pairs into workers, each created from a state of `states`, or from a
/// new one if there are too few. Afterwards calls `each` with the state of each worker, and puts it
/// back.
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
