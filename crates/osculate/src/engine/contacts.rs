//! Contacts of a step: triangle pairs are unfolded into feature pairs, which are decided in
//! batches.

use super::hits::{self, Hit};
use super::search::{Goal, Search};
use super::{Culling, Met, Parts, Stage, stream};
use crate::body::Keep;
use crate::body_id::BodyId;
use crate::bounds::Sweep;
use crate::contact::{Contact, ContactKey, OpenPair, PartialReport, Proximity, Report};
use crate::feature::{FeaturePair, Unfolding};
use crate::mesh::Rings;
use crate::narrow::{Boxes, ContactPoint, Hits, Kind, Near, are_within, decide_batch_until, drop_far_pairs};
use crate::query::{Budget, Query, Results};
use crate::scene::{BLOCK, PairSink, Scene};
use crate::sink::Sink;
use crate::stats::{AutoStats, Stats};
use std::ops::ControlFlow;

/// Number of feature pairs decided together.
const BATCH: usize = 1024;

/// Answers a query about a step, within the budget.
pub(crate) fn contacts(
    mut parts: Parts,
    query: &Query,
    culling: &dyn Culling,
    goal: Goal<Contact>,
    budget: Option<Budget>,
) -> PartialReport<Contact> {
    let (mut pass, left) = find(parts.reborrow(), query, culling, goal, budget, Sweep::Until);
    let count = match goal {
        Goal::Report(Results::Any) => pass.count.min(1),
        Goal::Report(Results::Earliest) => {
            let earlier = |a: Hit, b: Hit| if (b.lo, b.hi, b.key) < (a.lo, a.hi, a.key) { b } else { a };
            pass.found = pass.found.into_iter().reduce(earlier).into_iter().collect();
            pass.found.len() as u64
        }
        _ => pass.count,
    };
    let order = hits::order(&pass.found);
    let found = hits::contacts(&pass.found, &order, parts.bodies, parts.step, false, |hit, vertices, at| {
        Some(hit.contact_at(vertices, at))
    });
    keep_memory(parts, pass.found);
    PartialReport { report: Report { found, count, stats: pass.stats }, left }
}

/// Returns all pairs of features that are at most `radius` apart at the poses, where that is the
/// separation of the query.
pub(crate) fn proximities(mut parts: Parts, query: &Query, culling: &dyn Culling) -> Report<Proximity> {
    let goal = Goal::Report(Results::All);
    let (pass, _) = find(parts.reborrow(), query, culling, goal, None, |_| Sweep::Start);
    let order = hits::order(&pass.found);
    let radius = query.narrow.min_separation;
    let within = |hit: &Hit, vertices, at: ContactPoint| {
        (at.distance <= radius).then_some(Proximity { key: hit.key, vertices, at })
    };
    let found = hits::contacts(&pass.found, &order, parts.bodies, parts.step, true, within);
    keep_memory(parts, pass.found);
    Report { count: found.len() as u64, found, stats: pass.stats }
}

/// Pushes pairs of features that are within the separation of the query at the poses, or a little
/// farther apart, to a sink.
pub(crate) fn proximities_into(
    parts: Parts,
    query: &Query,
    culling: &dyn Culling,
    sink: &dyn Sink<Contact>,
) -> Stats {
    find(parts, query, culling, Goal::Push(sink), None, |_| Sweep::Start).0.stats
}

/// Finds the hits of the part of a step that is still of interest until the given time, in no
/// order, and the pairs of patches that are left.
fn find(
    mut parts: Parts,
    query: &Query,
    culling: &dyn Culling,
    goal: Goal<Contact>,
    budget: Option<Budget>,
    sweep: impl Fn(f64) -> Sweep,
) -> (Pass, Vec<OpenPair>) {
    let of_body = |body: &crate::body::Body| body.model.mesh().triangles().len();
    let n_triangles = if culling.may_begin_again() { parts.bodies.iter().map(of_body).sum() } else { 0 };
    let mut stats = Stats::default();
    let mut least_hi = 1.0;
    loop {
        let search = Search::new(goal, query.narrow.time_width, least_hi, n_triangles, query.stop);
        let limit = || search.limit();
        let mut stage = Stage::new(parts.reborrow(), query, sweep(search.limit()), &limit, budget);
        let mut pass = pass(&mut stage, culling, &search);
        let mut of_pass = std::mem::take(&mut pass.stats);
        if search.begins_again() {
            // Choices are counted once, in the last pass.
            of_pass.auto = AutoStats::default();
            stats += of_pass;
            least_hi = search.least_hi();
            continue;
        }
        stats += of_pass;
        if stage.reach.sweep != Sweep::Start {
            culling.finish(&mut stage, (!search.is_cut()).then_some(&pass.met));
        }
        return (Pass { stats, ..pass }, stage.left);
    }
}

/// The results of a pass.
#[derive(Default)]
struct Pass {
    found: Vec<Hit>,
    met: Vec<Met>,
    count: u64,
    stats: Stats,
}

/// Runs a pass, and repeats it as long as the method asks for it.
fn pass(stage: &mut Stage, culling: &dyn Culling, search: &Search<Contact>) -> Pass {
    stage.prepare(culling);
    let mut pass = Pass::default();
    loop {
        let n_known = pass.met.len();
        let mut states = std::mem::take(stage.parts.memory.get_or(States::default));
        let query = stage.query;
        let learns = culling.learns_from_contacts() && stage.reach.sweep != Sweep::Start;
        let is_instant = stage.reach.sweep == Sweep::Start && 0.0 < query.narrow.min_separation;
        let worker = |state| Worker { query, search, learns, is_instant, state };
        stream(
            culling,
            stage,
            &mut states.0,
            worker,
            |worker| worker.state,
            |state| state.hand_over(&mut pass),
        );
        *stage.parts.memory.get_or(States::default) = states;
        if search.is_over() || n_known == pass.met.len() || !culling.looks_again(stage, &pass.met, n_known) {
            return pass;
        }
    }
}

/// The states of workers, kept to avoid reallocation.
#[derive(Default)]
struct States(Vec<State>);

impl Keep for States {}

/// Lets a worker of the next query use the memory of hits.
fn keep_memory(parts: Parts, mut hits: Vec<Hit>) {
    hits.clear();
    if let Some(state) = parts.memory.get_or(States::default).0.last_mut() {
        state.found = hits;
    }
}

/// Feature pairs of one kind that are to be decided.
struct Waiting {
    /// Vertices, by their numbers in the world; the first `len` entries are valid.
    queries: Vec<[u32; 4]>,
    /// The numbers of the features; [`SWAPPED`] is set in the first if it belongs to the second
    /// body.
    ids: Vec<[u32; 2]>,
    len: usize,
    /// Whether all boxes have been compared.
    boxes: Boxes,
    /// The first query of each pair of bodies.
    runs: Vec<(usize, [u32; 2])>,
}

/// A flag; the numbers of features are below 2^31.
const SWAPPED: u32 = 1 << 31;

impl Waiting {
    /// Space for a batch, plus the pairs that one more round may add.
    const ROOM: usize = BATCH + BLOCK;

    fn new() -> Waiting {
        let (queries, ids) = (vec![[0; 4]; Self::ROOM], vec![[0; 2]; Self::ROOM]);
        Waiting { queries, ids, len: 0, boxes: Boxes::Near, runs: Vec::new() }
    }

    fn clear(&mut self) {
        self.len = 0;
        self.boxes = Boxes::Near;
        self.runs.clear();
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

    /// The key of query `i`.
    fn key(&self, i: usize, kind: Kind) -> ContactKey {
        let run = self.runs.partition_point(|run| run.0 <= i);
        let [first, second] = self.runs[run - 1].1.map(BodyId);
        let [a, b] = self.ids[i];
        let bodies = if a & SWAPPED == 0 { [first, second] } else { [second, first] };
        ContactKey { bodies, kind, features: [a & !SWAPPED, b] }
    }

    /// The vertices of query `i`, each numbered within its own mesh.
    fn vertices(&self, scene: &Scene, i: usize, kind: Kind) -> [u32; 4] {
        hits::vertices(scene.bodies, self.key(i, kind), self.queries[i])
    }
}

/// Receives triangle pairs, and decides their feature pairs.
struct Worker<'a> {
    query: &'a Query<'a>,
    search: &'a Search<'a, Contact>,
    /// Whether the method learns from the contacts of bodies with themselves.
    learns: bool,
    /// Whether nothing moves.
    is_instant: bool,
    state: State,
}

/// The state of a worker.
struct State {
    bodies: [usize; 2],
    unfolding: Unfolding,
    waiting: [Waiting; 2],
    hits: Vec<(usize, f64, f64)>,
    scratch: Hits,
    rings: Rings,
    found: Vec<Hit>,
    /// All contacts of bodies with themselves, even if not reported, if the method learns from
    /// them.
    met: Vec<Met>,
    count: u64,
    stats: Stats,
}

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
    /// Moves the results to a pass. Drops the pairs that are not yet decided, as the search may end
    /// before they are.
    fn hand_over(&mut self, pass: &mut Pass) {
        self.waiting.iter_mut().for_each(Waiting::clear);
        if pass.found.is_empty() {
            pass.found = std::mem::take(&mut self.found);
        } else {
            pass.found.append(&mut self.found);
        }
        pass.met.append(&mut self.met);
        pass.count += std::mem::take(&mut self.count);
        pass.stats += std::mem::take(&mut self.stats);
    }
}

impl Worker<'_> {
    /// Unfolds a block of triangle pairs, and decides full batches of feature pairs.
    fn unfold(&mut self, scene: &Scene, block: &[[u32; 2]]) {
        let [i, j] = self.state.bodies;
        let same = i == j;
        let bodies = [&scene.bodies[i], &scene.bodies[j]];
        let features = bodies.map(|body| body.model.representatives());
        let offsets = bodies.map(|body| body.vertices.start as u32);
        self.state.stats.pairs += block.len() as u64;
        self.search.took(block.len());
        let near = Near::new(scene.step, &self.query.narrow, self.until());
        let State { unfolding, stats, .. } = &mut self.state;
        unfolding.begin(block, features, offsets, scene.owner([i, j]), same, |corners, pairs, are_tested| {
            let start = self.query.clock.map(|now| now());
            let n_far = drop_far_pairs(scene.step, near, corners, pairs);
            // Those that others test are not counted here.
            let n_far = if are_tested { n_far } else { 0 };
            stats.narrow.queries += n_far;
            stats.narrow.box_misses += n_far;
            if let (Some(now), Some(start)) = (self.query.clock, start) {
                stats.times.narrow += now().saturating_sub(start);
            }
        });
        // Two loops, so that the kind is a constant in each.
        loop {
            let waiting = &mut self.state.waiting[0];
            let visit = |pair| waiting.push(Kind::VertexFace, pair, offsets, same);
            if !self.state.unfolding.round(Kind::VertexFace, features, same, visit) {
                break;
            }
            if BATCH <= self.state.waiting[0].len {
                self.decide(scene, Kind::VertexFace);
            }
        }
        loop {
            let waiting = &mut self.state.waiting[1];
            let visit = |pair| waiting.push(Kind::EdgeEdge, pair, offsets, same);
            if !self.state.unfolding.round(Kind::EdgeEdge, features, same, visit) {
                break;
            }
            if BATCH <= self.state.waiting[1].len {
                self.decide(scene, Kind::EdgeEdge);
            }
        }
    }

    /// The end of the part of the step that is tested.
    fn until(&self) -> f64 {
        if self.is_instant { 0.0 } else { self.search.limit() }
    }

    fn decide(&mut self, scene: &Scene, kind: Kind) {
        let start = self.query.clock.map(|now| now());
        let until = self.until();
        let State { bodies, waiting, hits, scratch, rings, found, met, count, stats, .. } = &mut self.state;
        let waiting = &mut waiting[kind as usize];
        let query = self.query;
        // A method that learns from contacts needs those that are not reported, too.
        let skips = 0 < query.exclude_rings && 0.0 < query.narrow.min_separation && !self.learns;
        let mut skip = |i: usize| skips && are_in_rings(scene, query, rings, waiting, i, kind);
        // Indices and settings are valid by construction, so this does not fail.
        let decided = decide_batch_until(
            kind,
            scene.step,
            &waiting.queries[..waiting.len],
            &self.query.narrow,
            (until, waiting.boxes),
            &mut stats.narrow,
            scratch,
            &mut skip,
            |i, lo, hi| hits.push((i, lo, hi)),
        );
        debug_assert_eq!(decided, Ok(()));
        for (i, lo, hi) in hits.drain(..) {
            let key = waiting.key(i, kind);
            stats.found += 1;
            if self.learns && key.bodies[0] == key.bodies[1] {
                met.push((key, lo, hi));
            }
            if self.query.known.is_some_and(|known| known.contains(&key))
                || (0 < self.query.exclude_rings && are_in_rings(scene, query, rings, waiting, i, kind))
                || are_close_at_rest(scene, query, waiting, i, kind)
            {
                stats.excluded += 1;
                continue;
            }
            if self.search.limit() < lo {
                continue;
            }
            *count += 1;
            if self.search.wants_earliest() {
                // Only the first of those found so far can be the answer.
                if found.first().is_some_and(|first| (first.lo, first.hi, first.key) < (lo, hi, key)) {
                    continue;
                }
                found.clear();
            }
            let hit = Hit { key, query: waiting.queries[i], lo, hi };
            if self.search.report(hi, || hit.contact(scene.bodies, scene.step)) {
                found.push(hit);
            }
        }
        waiting.clear();
        waiting.runs.push((0, bodies.map(|body| body as u32)));
        if let (Some(now), Some(start)) = (self.query.clock, start) {
            stats.times.narrow += now().saturating_sub(start);
        }
    }
}

/// Whether a query is about features of one body that are within the excluded rings of each other.
fn are_in_rings(
    scene: &Scene,
    query: &Query,
    rings: &mut Rings,
    waiting: &Waiting,
    i: usize,
    kind: Kind,
) -> bool {
    let [a, b] = waiting.key(i, kind).bodies;
    a == b && {
        let vertices = waiting.vertices(scene, i, kind);
        let (first, second) = vertices.split_at(kind.n_first());
        rings.reach(scene.bodies[a.index()].model.mesh(), first, second, query.exclude_rings)
    }
}

/// Whether a query is about features of one body, or of two that were modeled together, that are as
/// close at rest, and excluded for it.
fn are_close_at_rest(scene: &Scene, query: &Query, waiting: &Waiting, i: usize, kind: Kind) -> bool {
    let separation = query.narrow.min_separation;
    if !query.exclude_close_at_rest || separation == 0.0 {
        return false;
    }
    let ids = waiting.key(i, kind).bodies;
    let [a, b] = ids.map(|id| &scene.bodies[id.index()]);
    let are_together =
        ids[0] == ids[1] || a.settings.rest_group.is_some() && a.settings.rest_group == b.settings.rest_group;
    are_together && {
        let vertices = waiting.vertices(scene, i, kind);
        let rest = |k: usize| if k < kind.n_first() { a.model.rest() } else { b.model.rest() };
        are_within(kind, [0, 1, 2, 3].map(|k| rest(k)[vertices[k] as usize]), separation)
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
            let waiting = &mut self.state.waiting[kind as usize];
            waiting.push(kind, pair, [offset; 2], true);
            waiting.boxes = Boxes::ToCompare;
            if BATCH <= waiting.len {
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

    fn is_over(&self) -> bool {
        self.search.is_over()
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

    fn n_results(&self) -> u64 {
        self.state.count
    }
}
