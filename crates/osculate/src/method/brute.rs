//! Brute force: every pair of triangles. Slow, simple, and the referee of all other methods.
//!
//! Guarantee: complete.

use super::{PairSink, Scene, finished, work_off};

pub(super) fn stream<S: PairSink>(scene: &Scene, sink: impl Fn() -> S + Sync + Send) -> Vec<S> {
    let n_triangles = |body: usize| scene.bodies[body].model.mesh().triangles().len() as u32;
    let rows: Vec<([usize; 2], u32)> =
        scene.pairs.iter().flat_map(|&pair| (0..n_triangles(pair[0])).map(move |a| (pair, a))).collect();
    let row = |sink: &mut S, &([i, j], a): &([usize; 2], u32)| {
        sink.begin([i, j]);
        let first = if i == j { a + 1 } else { 0 };
        let _ = (first..n_triangles(j)).try_for_each(|b| sink.pair(a, b));
    };
    work_off(&rows, sink, row, finished)
}
