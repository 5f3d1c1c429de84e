//! Crossings at an instant: triangle pairs are compared in blocks, as they arrive.

use super::search::{Goal, Search};
use super::{Culling, Parts, Stage, stream};
use crate::body::Keep;
use crate::body_id::BodyId;
use crate::bounds::Sweep;
use crate::contact::{Crossing, PartialReport, Report};
use crate::mesh::Rings;
use crate::narrow::{Open, Shared, TrianglePairs, crossing, decide_pairs};
use crate::query::{Budget, Query, Results};
use crate::scene::{BLOCK, PairSink, Scene};
use crate::stats::Stats;
use crate::{radix, threads};
use std::ops::ControlFlow;

/// Answers a query about poses, within the budget.
pub(crate) fn crossings(
    parts: Parts,
    query: &Query,
    culling: &dyn Culling,
    goal: Goal<Crossing>,
    budget: Option<Budget>,
) -> PartialReport<Crossing> {
    let goal = at_an_instant(goal);
    let search = Search::new(goal, 0.0, 1.0, 0, query.stop);
    let limit = || search.limit();
    let mut stage = Stage::new(parts, query, Sweep::Start, &limit, budget);
    stage.prepare(culling);
    let mut states = std::mem::take(stage.parts.memory.get_or(States::default));
    let (mut count, mut stats) = (0, Stats::default());
    let worker = |state| Worker { search: &search, query, state };
    stream(
        culling,
        &mut stage,
        &mut states.0,
        worker,
        |worker: Worker| worker.state,
        |state: &mut State| {
            count += std::mem::take(&mut state.count);
            stats += std::mem::take(&mut state.stats);
        },
    );
    let report = report(&mut states.0, count, stats, goal);
    *stage.parts.memory.get_or(States::default) = states;
    PartialReport { report, left: stage.left }
}

/// The states of workers, kept to avoid reallocation.
#[derive(Default)]
struct States(Vec<State>);

impl Keep for States {}

/// The goal at an instant, where no result is earlier than another.
fn at_an_instant(goal: Goal<Crossing>) -> Goal<Crossing> {
    if let Goal::Report(Results::Earliest) = goal { Goal::Report(Results::Any) } else { goal }
}

/// Takes the results of the workers, and sorts them for the report.
fn report(workers: &mut [State], count: u64, stats: Stats, goal: Goal<Crossing>) -> Report<Crossing> {
    let mut others = workers.iter_mut().filter(|worker| !worker.found.is_empty());
    let found = others.next().map_or_else(Vec::new, |first| {
        others.for_each(|other| first.found.append(&mut other.found));
        let sorted = sorted(&first.found);
        first.found.clear();
        sorted
    });
    let count = if let Goal::Report(Results::Any) = goal { count.min(1) } else { count };
    Report { found, count, stats }
}

/// Returns the results, sorted.
fn sorted(found: &[Crossing]) -> Vec<Crossing> {
    let key = |&Crossing { bodies: [i, j], triangles: [a, b], .. }: &Crossing| [i.0, j.0, a, b];
    match radix::order(found, key) {
        Some(order) => order.into_iter().map(|i| found[i as usize]).collect(),
        None => {
            let mut found = found.to_vec();
            threads::sort_by_key(&mut found, key);
            found
        }
    }
}

/// Receives triangle pairs, and compares them.
struct Worker<'a> {
    search: &'a Search<'a, Crossing>,
    query: &'a Query<'a>,
    state: State,
}

/// The state of a worker.
struct State {
    bodies: [usize; 2],
    /// Triangle pairs of these bodies that are to be compared.
    block: Vec<[u32; 2]>,
    /// The same pairs by their vertices.
    pairs: TrianglePairs,
    /// The pairs that are not proven separate.
    open: Vec<(usize, Open)>,
    rings: Rings,
    found: Vec<Crossing>,
    count: u64,
    stats: Stats,
}

impl Default for State {
    fn default() -> Self {
        State {
            bodies: [0, 0],
            block: Vec::with_capacity(BLOCK),
            pairs: TrianglePairs::new(BLOCK),
            open: Vec::with_capacity(BLOCK),
            rings: Rings::default(),
            found: Vec::new(),
            count: 0,
            stats: Stats::default(),
        }
    }
}

impl Worker<'_> {
    fn compare(&mut self, scene: &Scene) {
        let start = self.query.clock.map(|now| now());
        let [i, j] = self.state.bodies;
        let bodies = [&scene.bodies[i], &scene.bodies[j]];
        let triangles = bodies.map(|body| body.model.mesh().triangles());
        let offsets = bodies.map(|body| body.vertices.start as u32);
        self.state.stats.pairs += self.state.block.len() as u64;
        self.state.pairs.clear();
        for [a, b] in &mut self.state.block {
            // Pairs of a body with itself come in either order.
            (*a, *b) = if i == j { ((*a).min(*b), (*a).max(*b)) } else { (*a, *b) };
            let first = triangles[0][*a as usize].map(|v| v + offsets[0]);
            let second = triangles[1][*b as usize].map(|v| v + offsets[1]);
            self.state.pairs.push(first, second);
        }
        self.state.open.clear();
        let open = &mut self.state.open;
        decide_pairs(scene.step, &self.state.pairs, &mut self.state.stats.triangles, |k, how| {
            open.push((k, how))
        });
        let lines = scene.step.lines();
        let rings = if i == j { self.query.exclude_rings } else { 0 };
        for (k, how) in self.state.open.drain(..) {
            let found = match how {
                Open::Crossing(found) => Some(found),
                Open::Undecided(sides) => {
                    let [first, second] = self.state.pairs.get(k);
                    let shared = Shared::between(first, second);
                    let [a, b] = [first, second].map(|corners| corners.map(|v| lines[v as usize].ends()[0]));
                    // Positions are finite, so this does not fail.
                    crossing(&a, &b, shared, sides, &mut self.state.stats.triangles).ok().flatten()
                }
            };
            let Some((relation, segment)) = found else { continue };
            self.state.stats.found += 1;
            let [a, b] = self.state.block[k];
            let [first, second] = [triangles[0][a as usize], triangles[1][b as usize]];
            if 0 < rings && self.state.rings.reach(bodies[0].model.mesh(), &first, &second, rings) {
                self.state.stats.excluded += 1;
                continue;
            }
            self.state.count += 1;
            let bodies = [BodyId(i as u32), BodyId(j as u32)];
            let crossing = Crossing { bodies, triangles: [a, b], relation, segment };
            if self.search.report(1.0, || crossing) {
                self.state.found.push(crossing);
            }
            if self.search.is_over() {
                break;
            }
        }
        self.state.block.clear();
        if let (Some(now), Some(start)) = (self.query.clock, start) {
            self.state.stats.times.narrow += now().saturating_sub(start);
        }
    }
}

impl PairSink for Worker<'_> {
    fn begin(&mut self, bodies: [usize; 2]) {
        self.state.bodies = bodies;
    }

    fn pairs(&mut self, scene: &Scene, pairs: &[[u32; 2]]) -> ControlFlow<()> {
        if self.search.is_over() {
            return ControlFlow::Break(());
        }
        self.state.block.extend_from_slice(pairs);
        self.compare(scene);
        ControlFlow::Continue(())
    }

    fn is_over(&self) -> bool {
        self.search.is_over()
    }

    fn finish(&mut self, _scene: &Scene) {}

    fn stats(&mut self) -> &mut Stats {
        &mut self.state.stats
    }

    fn n_results(&self) -> u64 {
        self.state.count
    }
}
