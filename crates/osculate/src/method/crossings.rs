//! Crossings at an instant: pairs of triangles are compared as they come.

use super::search::{Goal, Search};
use super::{BLOCK, PairSink, Scene, sinks, sphere_tree, stream};
use crate::bounds::Sweep;
use crate::contact::{BodyId, Crossing, Partial, Report};
use crate::feature::FeaturePair;
use crate::math::orient::Sides;
use crate::narrow::{Kind, Shared, TrianglePairs, crossing, separate_by_planes};
use crate::query::{Budget, Clock, Method, NormalCone, Query, SphereTree, Volume, Want};
use crate::stats::Stats;
use crate::world::{World, merge};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::PoisonError;

/// Answers a query about the poses of a world.
pub(crate) fn crossings(world: &mut World, query: &Query, goal: Goal<Crossing>) -> Report<Crossing> {
    let method = match query.method {
        Method::SphereTree(how) => return crossings_on_demand(world, query, how, goal, None).report,
        // At an instant nothing moves, and there are fewer pairs for the same number of axes.
        Method::Bvh(Volume::MovingAabb) => Method::Bvh(Volume::Dop16),
        Method::NormalCone(how @ NormalCone { volume: Volume::MovingAabb, .. }) => {
            Method::NormalCone(NormalCone { volume: Volume::Dop16, ..how })
        }
        Method::Rival(rival, Volume::MovingAabb) => Method::Rival(rival, Volume::Dop16),
        Method::Radial(_) => Method::Bvh(Volume::Dop16),
        method => method,
    };
    let scene = world.scene(query, method, Sweep::Start);
    let goal = at_an_instant(goal);
    let search = Search::new(goal, 0.0, 1.0, 0);
    let worker = || Worker { search: &search, clock: query.clock, state: Box::default() };
    let workers = sinks(worker);
    stream(&scene, method, &workers);
    let states =
        workers.into_iter().map(|worker| worker.into_inner().unwrap_or_else(PoisonError::into_inner).state);
    let (found, count, stats) = merge(states.map(|s| (s.found, s.count, s.stats)).collect());
    report(found, count, stats, goal)
}

/// Answers a query about the poses of a world with bounds that are refitted on demand, as long as the budget lasts.
pub(crate) fn crossings_on_demand(
    world: &mut World,
    query: &Query,
    how: SphereTree,
    goal: Goal<Crossing>,
    budget: Option<Budget>,
) -> Partial<Crossing> {
    let goal = at_an_instant(goal);
    let search = Search::new(goal, 0.0, 1.0, 0);
    let state = world.memory.crossings.take().unwrap_or_default();
    let mut worker = Worker { search: &search, clock: query.clock, state };
    let left = sphere_tree::stream(world, query, how, None, budget, &mut worker);
    let mut state = worker.state;
    let found = std::mem::take(&mut state.found);
    let (count, stats) = (std::mem::take(&mut state.count), std::mem::take(&mut state.stats));
    world.memory.crossings = Some(state);
    Partial { report: report(found, count, stats, goal), left }
}

/// What is asked: at an instant there is nothing earlier or later.
fn at_an_instant(goal: Goal<Crossing>) -> Goal<Crossing> {
    if let Goal::Report(Want::Earliest) = goal { Goal::Report(Want::Any) } else { goal }
}

/// What is reported of what was found.
fn report(mut found: Vec<Crossing>, count: u64, stats: Stats, goal: Goal<Crossing>) -> Report<Crossing> {
    found.par_sort_unstable_by_key(|crossing| (crossing.bodies, crossing.triangles));
    let count = if let Goal::Report(Want::Any) = goal { count.min(1) } else { count };
    Report { found, count, stats }
}

/// Takes pairs of triangles, and compares them.
struct Worker<'a> {
    search: &'a Search<'a, Crossing>,
    clock: Option<Clock>,
    state: Box<State>,
}

/// What a worker holds.
pub(crate) struct State {
    bodies: [usize; 2],
    /// Pairs of triangles of these bodies that wait to be compared.
    block: Vec<[u32; 2]>,
    /// The same pairs by their vertices.
    pairs: TrianglePairs,
    /// Those that are not separated by a plane, with their sides to the planes.
    open: Vec<(usize, [Sides; 2])>,
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
            found: Vec::new(),
            count: 0,
            stats: Stats::default(),
        }
    }
}

impl Worker<'_> {
    fn compare(&mut self, scene: &Scene) {
        let start = self.clock.map(|now| now());
        let [i, j] = self.state.bodies;
        let bodies = [&scene.bodies[i], &scene.bodies[j]];
        let triangles = bodies.map(|body| body.model.mesh().triangles());
        let offsets = bodies.map(|body| body.vertices.start as u32);
        self.state.stats.pairs += self.state.block.len() as u64;
        self.state.pairs.clear();
        for [a, b] in &mut self.state.block {
            // Pairs of one body are met in either order.
            (*a, *b) = if i == j { ((*a).min(*b), (*a).max(*b)) } else { (*a, *b) };
            let first = triangles[0][*a as usize].map(|v| v + offsets[0]);
            let second = triangles[1][*b as usize].map(|v| v + offsets[1]);
            self.state.pairs.push(first, second);
        }
        self.state.open.clear();
        let open = &mut self.state.open;
        separate_by_planes(scene.step, &self.state.pairs, &mut self.state.stats.triangles, |k, sides| {
            open.push((k, sides))
        });
        let lines = scene.step.lines();
        for &(k, sides) in &self.state.open {
            let [first, second] = self.state.pairs.get(k);
            let shared = Shared::between(first, second);
            let [a, b] = [first, second].map(|corners| corners.map(|v| lines[v as usize].ends()[0]));
            // Positions are finite, so this does not fail.
            let Ok(Some((relation, segment))) =
                crossing(&a, &b, shared, sides, &mut self.state.stats.triangles)
            else {
                continue;
            };
            self.state.stats.found += 1;
            self.state.count += 1;
            let bodies = [BodyId(i as u32), BodyId(j as u32)];
            self.state.found.extend(self.search.report(1.0, || Crossing {
                bodies,
                triangles: self.state.block[k],
                relation,
                segment,
            }));
            if self.search.is_over() {
                break;
            }
        }
        self.state.block.clear();
        if let (Some(now), Some(start)) = (self.clock, start) {
            self.state.stats.times.narrow += now().saturating_sub(start);
        }
    }
}

impl PairSink for Worker<'_> {
    fn begin(&mut self, bodies: [usize; 2]) {
        self.state.bodies = bodies;
    }

    fn features(&mut self, _scene: &Scene, _kind: Kind, _pairs: &[FeaturePair]) {
        unreachable!("triangles cross, not features");
    }

    fn pairs(&mut self, scene: &Scene, pairs: &[[u32; 2]]) -> ControlFlow<()> {
        if self.search.is_over() {
            return ControlFlow::Break(());
        }
        self.state.block.extend_from_slice(pairs);
        self.compare(scene);
        ControlFlow::Continue(())
    }

    fn finish(&mut self, _scene: &Scene) {}

    fn stats(&mut self) -> &mut Stats {
        &mut self.state.stats
    }
}
