//! Crossings at an instant: pairs of triangles are compared as they come.

use super::{PairSink, Scene, stream};
use crate::bounds::Sweep;
use crate::contact::{BodyId, Crossing, Report};
use crate::narrow::{Shared, intersection_segment, triangle_triangle};
use crate::query::{Method, Query, Volume, Want};
use crate::stats::Stats;
use crate::world::{World, merge};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Answers a query about the poses of a world.
pub(crate) fn crossings(world: &mut World, query: &Query) -> Report<Crossing> {
    let method = match query.method {
        // At an instant nothing moves.
        Method::Bvh(Volume::MovingAabb) => Method::Bvh(Volume::Aabb),
        method => method,
    };
    let scene = world.scene(query, method, Sweep::Start);
    let stop = AtomicBool::new(false);
    let new_sink = || Sink {
        scene: &scene,
        want: query.want,
        stop: &stop,
        bodies: [0, 0],
        found: Vec::new(),
        count: 0,
        stats: Stats::default(),
    };
    let sinks = stream(&scene, method, new_sink);
    let (mut found, count, stats) = merge(sinks.into_iter().map(|s| (s.found, s.count, s.stats)).collect());
    found.par_sort_unstable_by_key(|crossing| (crossing.bodies, crossing.triangles));
    let count = if matches!(query.want, Want::Any | Want::Earliest) { count.min(1) } else { count };
    Report { found, count, stats }
}

struct Sink<'a> {
    scene: &'a Scene<'a>,
    want: Want,
    stop: &'a AtomicBool,
    bodies: [usize; 2],
    found: Vec<Crossing>,
    count: u64,
    stats: Stats,
}

impl PairSink for Sink<'_> {
    fn begin(&mut self, bodies: [usize; 2]) {
        self.bodies = bodies;
    }

    fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        self.stats.pairs += 1;
        let [i, j] = self.bodies;
        // Pairs of one body are met in either order.
        let (a, b) = if i == j && b < a { (b, a) } else { (a, b) };
        let corners = |body: usize, triangle: u32| {
            let body = &self.scene.bodies[body];
            let indices = body.model.mesh().triangles()[triangle as usize];
            let lines = self.scene.step.lines();
            (indices, indices.map(|v| lines[body.vertices.start + v as usize].ends()[0]))
        };
        let ((indices_a, corners_a), (indices_b, corners_b)) = (corners(i, a), corners(j, b));
        let shared = if i == j { Shared::between(indices_a, indices_b) } else { Shared::NONE };
        // Positions are finite, so this does not fail.
        let Ok(relation) = triangle_triangle(&corners_a, &corners_b, shared, &mut self.stats.triangles)
        else {
            return ControlFlow::Continue(());
        };
        if !relation.is_crossing() {
            return ControlFlow::Continue(());
        }
        self.stats.found += 1;
        self.count += 1;
        match self.want {
            Want::All => {
                let segment = intersection_segment(&corners_a, &corners_b, shared).unwrap_or(None);
                let bodies = [BodyId(i as u32), BodyId(j as u32)];
                self.found.push(Crossing { bodies, triangles: [a, b], relation, segment });
            }
            Want::Any | Want::Earliest => {
                self.stop.store(true, Relaxed);
                return ControlFlow::Break(());
            }
            Want::Count => {}
        }
        if self.stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn finish(&mut self) {}

    fn stats(&mut self) -> &mut Stats {
        &mut self.stats
    }
}
