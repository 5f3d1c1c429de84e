//! Stage I: which triangles have bounds that overlap those of a triangle that is not adjacent?

use crate::scene::{PairSink, Scene, Sinks};
use crate::stats::Stats;
use crate::threads;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The marked triangles of a pair of bodies; of a body with itself, the second list is empty.
pub(super) struct Marks {
    pub(super) bodies: [usize; 2],
    triangles: [Vec<AtomicBool>; 2],
}

impl Marks {
    /// No marks for two bodies with these numbers of triangles.
    pub(super) fn new(bodies: [usize; 2], n_triangles: [usize; 2]) -> Marks {
        let n_triangles = if bodies[0] == bodies[1] { [n_triangles[0], 0] } else { n_triangles };
        Marks { bodies, triangles: n_triangles.map(|n| (0..n).map(|_| AtomicBool::new(false)).collect()) }
    }

    fn add(&self, [a, b]: [u32; 2]) {
        let [first, second] = &self.triangles;
        let second = if second.is_empty() { first } else { second };
        first[a as usize].store(true, Relaxed);
        second[b as usize].store(true, Relaxed);
    }

    /// Whether each triangle is marked, of both bodies.
    pub(super) fn into_triangles(self) -> [Vec<bool>; 2] {
        self.triangles.map(|of_body| of_body.into_iter().map(AtomicBool::into_inner).collect())
    }
}

/// Marks the triangles of all pairs that `stream` passes to the sinks. Returns its statistics.
pub(super) fn mark(marks: &[Marks], stream: impl FnOnce(&Sinks)) -> Stats {
    let marker = || Mutex::new(Marker { marks, current: 0, stats: Stats::default() });
    let markers: Vec<Mutex<Marker>> = (0..threads::count()).map(|_| marker()).collect();
    let sinks: Vec<&Mutex<dyn PairSink + '_>> = markers.iter().map(|marker| marker as _).collect();
    stream(&sinks);
    drop(sinks);
    let mut stats = Stats::default();
    for marker in markers {
        stats += marker.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).stats;
    }
    stats
}

/// The sink of a worker.
struct Marker<'a> {
    marks: &'a [Marks],
    current: usize,
    stats: Stats,
}

impl PairSink for Marker<'_> {
    fn begin(&mut self, bodies: [usize; 2]) {
        let found = self.marks.binary_search_by_key(&bodies, |marks| marks.bodies);
        self.current = found.expect("there are marks for all pairs of bodies");
    }

    fn pairs(&mut self, _: &Scene, pairs: &[[u32; 2]]) -> ControlFlow<()> {
        pairs.iter().for_each(|&pair| self.marks[self.current].add(pair));
        ControlFlow::Continue(())
    }

    fn finish(&mut self, _: &Scene) {}

    fn stats(&mut self) -> &mut Stats {
        &mut self.stats
    }
}
