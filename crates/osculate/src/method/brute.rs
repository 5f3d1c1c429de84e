//! Brute force: all pairs of triangles. Slow and simple: the referee of all other methods.
//!
//! Guarantee: complete.

use super::MethodFacts;
use crate::engine::{Culling, Stage};
use crate::options::Method;
use crate::scene::{Scene, Sinks, finish, work_off};

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "brute",
    line: "all pairs of triangles: the referee",
    method: Method::Brute,
    own_options: &[],
    has_volume: false,
    gains_from: None,
    is_baseline: true,
};

/// It has no options.
pub(super) struct Brute;

impl Culling for Brute {
    fn prepare(&self, stage: &mut Stage) {
        stage.place_all();
        stage.take_all_pairs();
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        let scene = Scene::new(stage.parts.bodies, stage.parts.step);
        let n_triangles = |body: usize| scene.bodies[body].model.mesh().triangles().len() as u32;
        let rows: Vec<([usize; 2], u32)> =
            stage.pairs.iter().flat_map(|&pair| (0..n_triangles(pair[0])).map(move |a| (pair, a))).collect();
        work_off(
            &scene,
            &rows,
            sinks,
            || (),
            |blocks, (), &([i, j], a)| {
                blocks.begin([i, j]);
                let first = if i == j { a + 1 } else { 0 };
                let _ = (first..n_triangles(j)).try_for_each(|b| blocks.pair(a, b));
            },
        );
        finish(&scene, sinks);
    }
}
