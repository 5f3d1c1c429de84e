//! Crossings at an instant: pairs of triangles are compared as they come.

use super::search::{Goal, Search};
use super::{BLOCK, PairSink, Scene, sinks, stream};
use crate::bounds::Sweep;
use crate::contact::{BodyId, Crossing, Report};
use crate::feature::FeaturePair;
use crate::math::orient::Sides;
use crate::narrow::{Kind, Shared, TrianglePairs, crossing, separate_by_planes};
use crate::query::{Clock, Method, NormalCone, Query, Volume, Want};
use crate::stats::Stats;
use crate::world::{World, merge};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::PoisonError;

/// Answers a query about the poses of a world.
pub(crate) fn crossings(world: &mut World, query: &Query, goal: Goal<Crossing>) -> Report<Crossing> {
    let method = match query.method {
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
    // At an instant there is nothing earlier or later.
    let goal = if let Goal::Report(Want::Earliest) = goal { Goal::Report(Want::Any) } else { goal };
    let search = Search::new(goal, 0.0, 1.0, 0);
    let worker = || Worker {
        scene: &scene,
        search: &search,
        clock: query.clock,
        bodies: [0, 0],
        block: Vec::with_capacity(BLOCK),
        pairs: TrianglePairs::new(BLOCK),
        open: Vec::with_capacity(BLOCK),
        found: Vec::new(),
        count: 0,
        stats: Stats::default(),
    };
    let workers = sinks(worker);
    stream(&scene, method, &workers);
    let workers =
        workers.into_iter().map(|worker| worker.into_inner().unwrap_or_else(PoisonError::into_inner));
    let (mut found, count, stats) = merge(workers.map(|w| (w.found, w.count, w.stats)).collect());
    found.par_sort_unstable_by_key(|crossing| (crossing.bodies, crossing.triangles));
    let count = if let Goal::Report(Want::Any) = goal { count.min(1) } else { count };
    Report { found, count, stats }
}

/// Takes pairs of triangles, and compares them.
struct Worker<'a> {
    scene: &'a Scene<'a>,
    search: &'a Search<'a, Crossing>,
    clock: Option<Clock>,
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

impl Worker<'_> {
    fn compare(&mut self) {
        let start = self.clock.map(|now| now());
        let [i, j] = self.bodies;
        let bodies = [&self.scene.bodies[i], &self.scene.bodies[j]];
        let triangles = bodies.map(|body| body.model.mesh().triangles());
        let offsets = bodies.map(|body| body.vertices.start as u32);
        self.stats.pairs += self.block.len() as u64;
        self.pairs.clear();
        for [a, b] in &mut self.block {
            // Pairs of one body are met in either order.
            (*a, *b) = if i == j { ((*a).min(*b), (*a).max(*b)) } else { (*a, *b) };
            let first = triangles[0][*a as usize].map(|v| v + offsets[0]);
            let second = triangles[1][*b as usize].map(|v| v + offsets[1]);
            self.pairs.push(first, second);
        }
        self.open.clear();
        let open = &mut self.open;
        separate_by_planes(self.scene.step, &self.pairs, &mut self.stats.triangles, |k, sides| {
            open.push((k, sides))
        });
        let lines = self.scene.step.lines();
        for &(k, sides) in &self.open {
            let [first, second] = self.pairs.get(k);
            let shared = Shared::between(first, second);
            let [a, b] = [first, second].map(|corners| corners.map(|v| lines[v as usize].ends()[0]));
            // Positions are finite, so this does not fail.
            let Ok(Some((relation, segment))) = crossing(&a, &b, shared, sides, &mut self.stats.triangles)
            else {
                continue;
            };
            self.stats.found += 1;
            self.count += 1;
            let bodies = [BodyId(i as u32), BodyId(j as u32)];
            self.found.extend(self.search.report(1.0, || Crossing {
                bodies,
                triangles: self.block[k],
                relation,
                segment,
            }));
            if self.search.is_over() {
                break;
            }
        }
        self.block.clear();
        if let (Some(now), Some(start)) = (self.clock, start) {
            self.stats.times.narrow += now().saturating_sub(start);
        }
    }
}

impl PairSink for Worker<'_> {
    fn begin(&mut self, bodies: [usize; 2]) {
        self.bodies = bodies;
    }

    fn features(&mut self, _kind: Kind, _pairs: &[FeaturePair]) {
        unreachable!("triangles cross, not features");
    }

    fn pairs(&mut self, pairs: &[[u32; 2]]) -> ControlFlow<()> {
        if self.search.is_over() {
            return ControlFlow::Break(());
        }
        self.block.extend_from_slice(pairs);
        self.compare();
        ControlFlow::Continue(())
    }

    fn finish(&mut self) {}

    fn stats(&mut self) -> &mut Stats {
        &mut self.stats
    }
}
