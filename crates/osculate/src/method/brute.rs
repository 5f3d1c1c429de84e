//! Brute force: every pair of triangles. Slow, simple, and the referee of all other methods.
//!
//! Guarantee: complete.

use super::{PairSink, Scene, work_off};
use std::sync::Mutex;

pub(super) fn stream(scene: &Scene, sinks: &[&Mutex<dyn PairSink + '_>]) {
    let n_triangles = |body: usize| scene.bodies[body].model.mesh().triangles().len() as u32;
    let rows: Vec<([usize; 2], u32)> =
        scene.pairs.iter().flat_map(|&pair| (0..n_triangles(pair[0])).map(move |a| (pair, a))).collect();
    work_off(
        scene,
        &rows,
        sinks,
        || (),
        |blocks, (), &([i, j], a)| {
            blocks.begin([i, j]);
            let first = if i == j { a + 1 } else { 0 };
            let _ = (first..n_triangles(j)).try_for_each(|b| blocks.pair(a, b));
        },
    );
}
