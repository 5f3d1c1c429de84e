//! Contacts of a step: pairs of triangles become pairs of features, and these are decided in batches.

use super::search::{Goal, Search};
use super::{BLOCK, PairSink, Scene, sinks, sphere_tree, stream};
use crate::body::Tree;
use crate::bounds::Sweep;
use crate::contact::{BodyId, Contact, ContactKey, Partial, Report};
use crate::feature::{FeaturePair, Hazard, Unfolding, is_left_out};
use crate::mesh::Rings;
use crate::narrow::{Hits, Kind, contact_point, decide_batch_until};
use crate::query::{Budget, Method, Query, SphereTree, Want};
use crate::stats::Stats;
use crate::world::{World, merge};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::PoisonError;

/// Feature pairs that are decided together.
const BATCH: usize = 1024;

/// Answers a query about the step of a world.
pub(crate) fn contacts(world: &mut World, query: &Query, goal: Goal<Contact>) -> Report<Contact> {
    if let Method::SphereTree(how) = query.method {
        return contacts_on_demand(world, query, how, goal, None).report;
    }
    let mut stats = Stats::default();
    let width = query.narrow.time_width;
    let n_triangles = world.n_triangles();
    let mut least_hi = 1.0;
    let (found, count) = loop {
        let search = Search::new(goal, width, least_hi, n_triangles);
        let pass = pass(world, query, &search);
        stats += pass.stats;
        if search.begins_again() {
            least_hi = search.least_hi();
            continue;
        }
        if let Method::Radial(how) = query.method {
            // Later contacts are not looked for if the first is all that was asked for.
            let is_all = !search.is_cut() && (!how.first_contact || pass.met.is_empty());
            world.advance(is_all.then_some(pass.met.iter().map(|met| met.0).collect::<Vec<_>>()).as_deref());
        }
        break (pass.found, pass.count);
    };
    report(found, count, stats, goal)
}

/// What is reported of what was found.
fn report(mut found: Vec<Contact>, count: u64, stats: Stats, goal: Goal<Contact>) -> Report<Contact> {
    found.par_sort_unstable_by_key(|contact| contact.key);
    let count = match goal {
        Goal::Report(Want::Any) => count.min(1),
        Goal::Report(Want::Earliest) => {
            let earliest =
                found.iter().copied().reduce(|a, b| if (b.lo, b.hi) < (a.lo, a.hi) { b } else { a });
            found = earliest.into_iter().collect();
            found.len() as u64
        }
        _ => count,
    };
    Report { found, count, stats }
}

/// What was found in a pass over the scene.
#[derive(Default)]
struct Pass {
    found: Vec<Contact>,
    met: Vec<Met>,
    count: u64,
    stats: Stats,
}

impl Pass {
    fn add(&mut self, scene: &Scene, query: &Query, search: &Search<Contact>) {
        let workers = sinks(|| Worker { query, search, state: Box::default() });
        stream(scene, query.method, &workers);
        let mut parts = Vec::with_capacity(workers.len());
        for worker in workers {
            let state = worker.into_inner().unwrap_or_else(PoisonError::into_inner).state;
            self.met.extend(state.met);
            parts.push((state.found, state.count, state.stats));
        }
        let (found, count, stats) = merge(parts);
        if self.found.is_empty() {
            self.found = found;
        } else {
            self.found.extend(found);
        }
        self.count += count;
        self.stats += stats;
    }
}

/// Looks at the whole scene; and with a method that leaves out pairs until one of their triangles has a contact, also at these, until nothing is added.
fn pass(world: &mut World, query: &Query, search: &Search<Contact>) -> Pass {
    let mut pass = Pass::default();
    let scene = world.scene(query, query.method, Sweep::Until(search.limit()));
    let reach = scene.reach;
    pass.add(&scene, query, search);
    let Method::Radial(how) = query.method else { return pass };
    let mut n_done = 0;
    while !search.is_over() && n_done < pass.met.len() && !is_left_out(Hazard::Wake) {
        let first = pass.met.iter().fold(1.0, |least, met| met.2.min(least));
        // Of a method that promises no more than the earliest contacts, only what may happen with them.
        let is_wanted = |met: &&Met| !how.first_contact || met.1 <= first;
        let new: Vec<ContactKey> = pass.met[n_done..].iter().filter(is_wanted).map(|met| met.0).collect();
        n_done = pass.met.len();
        let Some(scene) = world.wake(&new, reach) else { break };
        pass.add(&scene, query, search);
    }
    pass
}

/// Answers a query about the step of a world with bounds that are refitted on demand, as long as the budget lasts.
pub(crate) fn contacts_on_demand(
    world: &mut World,
    query: &Query,
    how: SphereTree,
    goal: Goal<Contact>,
    budget: Option<Budget>,
) -> Partial<Contact> {
    // There is nothing to be gained by beginning again.
    let search = Search::new(goal, query.narrow.time_width, 1.0, 0);
    let mut worker =
        Worker { query, search: &search, state: world.memory.contacts.take().unwrap_or_default() };
    worker.state.clear();
    let left = sphere_tree::stream(world, query, how, Some(&|| search.limit()), budget, &mut worker);
    let mut state = worker.state;
    let found = std::mem::take(&mut state.found);
    let (count, stats) = (std::mem::take(&mut state.count), std::mem::take(&mut state.stats));
    world.memory.contacts = Some(state);
    Partial { report: report(found, count, stats, goal), left }
}

/// Feature pairs of one kind that wait to be decided.
struct Waiting {
    /// Vertices in the numbering of the world; the first `len` count.
    queries: Vec<[u32; 4]>,
    /// Which features they are; [`SWAPPED`] is set in the first if it is of the second body.
    ids: Vec<[u32; 2]>,
    len: usize,
    /// Where the queries of each pair of bodies begin.
    runs: Vec<(usize, [u32; 2])>,
}

/// Features are numbered below 2^31.
const SWAPPED: u32 = 1 << 31;

impl Waiting {
    /// Room for a batch, and for what one more round may add to it.
    const ROOM: usize = BATCH + BLOCK;

    fn new() -> Waiting {
        Waiting { queries: vec![[0; 4]; Self::ROOM], ids: vec![[0; 2]; Self::ROOM], len: 0, runs: Vec::new() }
    }

    #[inline(always)]
    fn push(&mut self, kind: Kind, pair: FeaturePair, offsets: [u32; 2], same: bool) {
        let [p, q, r, s] = pair.vertices;
        let (first, second) = if pair.swapped { (offsets[1], offsets[0]) } else { (offsets[0], offsets[1]) };
        let query = match kind {
            Kind::VertexFace => [p + first, q + second, r + second, s + second],
            Kind::EdgeEdge => [p + first, q + first, r + second, s + second],
        };
        let [a, b] = pair.ids;
        self.queries[self.len] = query;
        self.ids[self.len] = [a | if pair.swapped && !same { SWAPPED } else { 0 }, b];
        self.len += 1;
    }

    /// The bodies and numbers of the features of query `i`.
    fn key(&self, i: usize, kind: Kind) -> ContactKey {
        let run = self.runs.partition_point(|run| run.0 <= i);
        let [first, second] = self.runs[run - 1].1.map(BodyId);
        let [a, b] = self.ids[i];
        let bodies = if a & SWAPPED == 0 { [first, second] } else { [second, first] };
        ContactKey { bodies, kind, features: [a & !SWAPPED, b] }
    }
}

/// Takes pairs of triangles, and decides their pairs of features.
struct Worker<'a> {
    query: &'a Query<'a>,
    search: &'a Search<'a, Contact>,
    state: Box<State>,
}

/// What a worker holds.
pub(crate) struct State {
    bodies: [usize; 2],
    unfolding: Unfolding,
    waiting: [Waiting; 2],
    hits: Vec<(usize, f64, f64)>,
    scratch: Hits,
    rings: Rings,
    found: Vec<Contact>,
    /// All contacts of bodies with themselves that walk their clusters, with their brackets; also those that are not reported.
    met: Vec<Met>,
    count: u64,
    stats: Stats,
}

/// A contact and its bracket.
type Met = (ContactKey, f64, f64);

impl Default for State {
    fn default() -> Self {
        State {
            bodies: [0, 0],
            unfolding: Unfolding::default(),
            waiting: [Waiting::new(), Waiting::new()],
            hits: Vec::new(),
            scratch: Hits::new(),
            rings: Rings::default(),
            found: Vec::new(),
            met: Vec::new(),
            count: 0,
            stats: Stats::default(),
        }
    }
}

impl State {
    /// Forgets what waits to be decided: the last query may have been over before it was.
    fn clear(&mut self) {
        for waiting in &mut self.waiting {
            waiting.len = 0;
            waiting.runs.clear();
        }
    }
}

impl Worker<'_> {
    /// Unfolds a block of triangle pairs, and decides full batches of feature pairs.
    fn unfold(&mut self, scene: &Scene, block: &[[u32; 2]]) {
        let [i, j] = self.state.bodies;
        let same = i == j;
        let bodies = [&scene.bodies[i], &scene.bodies[j]];
        let owners = bodies.map(|body| &body.model.representatives);
        let offsets = bodies.map(|body| body.vertices.start as u32);
        self.state.stats.pairs += block.len() as u64;
        self.search.took(block.len());
        let sight = if same { bodies[0].sight() } else { None };
        self.state.unfolding.begin(block, owners, same, sight.as_ref().map(|sight| &sight.live));
        // The kind is a constant in each loop.
        loop {
            let waiting = &mut self.state.waiting[0];
            let visit = |pair| waiting.push(Kind::VertexFace, pair, offsets, same);
            if !self.state.unfolding.round(Kind::VertexFace, owners, same, visit) {
                break;
            }
            if BATCH <= self.state.waiting[0].len {
                self.decide(scene, Kind::VertexFace);
            }
        }
        loop {
            let waiting = &mut self.state.waiting[1];
            let visit = |pair| waiting.push(Kind::EdgeEdge, pair, offsets, same);
            if !self.state.unfolding.round(Kind::EdgeEdge, owners, same, visit) {
                break;
            }
            if BATCH <= self.state.waiting[1].len {
                self.decide(scene, Kind::EdgeEdge);
            }
        }
    }

    fn decide(&mut self, scene: &Scene, kind: Kind) {
        let start = self.query.clock.map(|now| now());
        let waiting = &mut self.state.waiting[kind as usize];
        let hits = &mut self.state.hits;
        // Indices and settings are right by construction, so this does not fail.
        let decided = decide_batch_until(
            kind,
            scene.step,
            &waiting.queries[..waiting.len],
            &self.query.narrow,
            self.search.limit(),
            &mut self.state.stats.narrow,
            &mut self.state.scratch,
            |i, lo, hi| hits.push((i, lo, hi)),
        );
        debug_assert_eq!(decided, Ok(()));
        for (i, lo, hi) in hits.drain(..) {
            let key = waiting.key(i, kind);
            let bodies = key.bodies.map(BodyId::index);
            self.state.stats.found += 1;
            if bodies[0] == bodies[1] && scene.bodies[bodies[0]].walked == Tree::Clusters {
                self.state.met.push((key, lo, hi));
            }
            if self.query.known.is_some_and(|known| known.contains(&key)) {
                self.state.stats.excluded += 1;
                continue;
            }
            let offsets = bodies.map(|body| scene.bodies[body].vertices.start as u32);
            let n_first = kind.n_first();
            let query = waiting.queries[i];
            let vertices = [0, 1, 2, 3].map(|k| query[k] - offsets[usize::from(n_first <= k)]);
            if bodies[0] == bodies[1] && 0 < self.query.exclude_rings {
                let mesh = scene.bodies[bodies[0]].model.mesh();
                let (first, second) = vertices.split_at(n_first);
                if self.state.rings.reach(mesh, first, second, self.query.exclude_rings) {
                    self.state.stats.excluded += 1;
                    continue;
                }
            }
            if self.search.limit() < lo {
                continue;
            }
            self.state.count += 1;
            self.state.found.extend(self.search.report(hi, || {
                let at = contact_point(kind, &query.map(|v| scene.step.point(v as usize)), lo);
                Contact { key, vertices, lo, hi, at }
            }));
        }
        waiting.len = 0;
        waiting.runs.clear();
        waiting.runs.push((0, self.state.bodies.map(|body| body as u32)));
        if let (Some(now), Some(start)) = (self.query.clock, start) {
            self.state.stats.times.narrow += now().saturating_sub(start);
        }
    }
}

impl PairSink for Worker<'_> {
    fn begin(&mut self, bodies: [usize; 2]) {
        if self.state.waiting[0].runs.is_empty() || bodies != self.state.bodies {
            self.state.bodies = bodies;
            for waiting in &mut self.state.waiting {
                waiting.runs.push((waiting.len, bodies.map(|body| body as u32)));
            }
        }
    }

    fn features(&mut self, scene: &Scene, kind: Kind, pairs: &[FeaturePair]) {
        let offset = scene.bodies[self.state.bodies[0]].vertices.start as u32;
        for &pair in pairs {
            if self.search.is_over() {
                return;
            }
            self.state.waiting[kind as usize].push(kind, pair, [offset; 2], true);
            if BATCH <= self.state.waiting[kind as usize].len {
                self.decide(scene, kind);
            }
        }
    }

    fn pairs(&mut self, scene: &Scene, pairs: &[[u32; 2]]) -> ControlFlow<()> {
        if self.search.is_over() {
            return ControlFlow::Break(());
        }
        self.unfold(scene, pairs);
        ControlFlow::Continue(())
    }

    fn finish(&mut self, scene: &Scene) {
        if self.search.is_over() {
            return;
        }
        self.decide(scene, Kind::VertexFace);
        self.decide(scene, Kind::EdgeEdge);
    }

    fn stats(&mut self) -> &mut Stats {
        &mut self.state.stats
    }
}
