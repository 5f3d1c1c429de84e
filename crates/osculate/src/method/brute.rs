//! Brute force: every pair of triangles. Slow, simple, and the referee of all other methods.
//!
//! Guarantee: complete.

use crate::engine::{Culling, Stage};
use crate::scene::{Scene, Sinks, finish, work_off};

/// There is nothing to choose.
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
