//! Deformers, which move the vertices of a model by a few parameters, and the vertices placed so
//! far.

use super::{Affine, Governors, Line};
use crate::Error;
use crate::math::dispatch::dispatch;
use crate::threads;
use fearless_simd::Level;
use std::any::Any;
use std::borrow::Cow;
use std::fmt::Debug;

/// Moves the vertices of a model by a few parameters: those of a [pose](crate::Pose).
///
/// The position of a vertex is defined by the f64 operations that compute it, so it has the same
/// bits whether it is computed alone or together with others.
pub(crate) trait Deformer: Any + Debug + Send + Sync {
    /// Number of vertices.
    fn n_vertices(&self) -> usize;

    /// Returns a bound of the magnitude of all coordinates at a pose. Fails if the number of
    /// parameters is wrong, or if positions are not finite.
    fn check(&self, parameters: &[f64]) -> Result<f64, Error>;

    /// The position of a vertex at a pose.
    fn position_at(&self, vertex: usize, parameters: &[f64]) -> [f64; 3];

    /// Computes where vertices are at the start of a step, and at its end if the step has another
    /// one; `placed` has a line for each of them. Compiled for each deformer and for the available
    /// vector instructions.
    fn place(&self, start: &[f64], end: Option<&[f64]>, vertices: &[u32], placed: &mut [Line]) {
        dispatch!(Level::new(), _simd => place_each(self, start, end, vertices, placed));
    }

    /// The governors, if vertices are convex combinations of affine maps of a rest pose or of a sum
    /// of modes: bounds can then be computed from the maps and amplitudes alone.
    fn governors(&self) -> Option<&Governors> {
        None
    }

    /// The maps of the governors at a pose.
    fn maps<'a>(&self, _parameters: &'a [f64]) -> Cow<'a, [Affine]> {
        Cow::Borrowed(&[])
    }

    /// The amplitudes of the modes of the governors at a pose.
    fn amplitudes<'a>(&self, _parameters: &'a [f64]) -> &'a [f64] {
        &[]
    }

    /// Heap memory of the deformer in bytes.
    fn memory_bytes(&self) -> usize;
}

#[inline(always)]
fn place_each<D: Deformer + ?Sized>(
    deformer: &D,
    start: &[f64],
    end: Option<&[f64]>,
    vertices: &[u32],
    placed: &mut [Line],
) {
    for (&vertex, line) in vertices.iter().zip(placed) {
        let at_start = deformer.position_at(vertex as usize, start);
        // Not by a closure, which would be compiled once for all sets of vector instructions.
        let at_end = match end {
            Some(end) => deformer.position_at(vertex as usize, end),
            None => at_start,
        };
        *line = Line::new(&at_start, &at_end);
    }
}

/// A pose of a body by parameters, or a step between two, and which vertices have been placed.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    /// At the start and at the end of the step; the latter is used only if the body moves.
    parameters: [Vec<f64>; 2],
    moves: bool,
    /// An even number that changes with the step.
    epoch: u32,
    /// For each vertex, the epoch it was last placed in, plus one if it was asked for.
    stamps: Vec<u32>,
    /// The last epoch in which all vertices were placed.
    all: u32,
    /// The vertices that were asked for in this epoch, and in the last one in which any were.
    asked: Vec<u32>,
    expected: Vec<u32>,
    /// The vertices that are being moved, and where to.
    stale: Vec<u32>,
    placed: Vec<Line>,
}

/// Vertices that a worker moves at a time.
const GRAIN: usize = 1024;

impl Placement {
    pub(crate) fn new(n_vertices: usize, parameters: &[f64]) -> Placement {
        Placement {
            parameters: [parameters.to_vec(), Vec::new()],
            moves: false,
            epoch: 2,
            stamps: vec![0; n_vertices],
            all: 0,
            asked: Vec::new(),
            expected: Vec::new(),
            stale: Vec::new(),
            placed: Vec::new(),
        }
    }

    /// Whether the body may end the step elsewhere than where it starts.
    pub(crate) fn moves(&self) -> bool {
        self.moves
    }

    /// The parameters at the start of the step, and at its end if the body moves.
    #[inline(always)]
    pub(crate) fn ends(&self) -> (&[f64], Option<&[f64]>) {
        (&self.parameters[0], self.moves.then_some(&self.parameters[1]))
    }

    /// Sets the parameters at the start (0) or at the end (1) of the step.
    pub(crate) fn set(&mut self, parameters: &[f64], end: usize) {
        self.parameters[end].clear();
        self.parameters[end].extend_from_slice(parameters);
        self.moves |= end == 1;
        self.next_epoch();
    }

    /// Makes the step end where it starts.
    pub(crate) fn rest(&mut self) {
        if self.moves {
            self.moves = false;
            self.next_epoch();
        }
    }

    fn next_epoch(&mut self) {
        self.epoch = self.epoch.checked_add(2).unwrap_or_else(|| {
            self.stamps.fill(0);
            self.all = 0;
            2
        });
        if !self.asked.is_empty() {
            std::mem::swap(&mut self.asked, &mut self.expected);
            self.asked.clear();
        }
    }

    /// The share of the vertices that were asked for in the last step in which any were.
    pub(crate) fn share_asked(&self) -> f64 {
        self.asked.len().max(self.expected.len()) as f64 / self.stamps.len().max(1) as f64
    }

    /// Moves vertices of a body, given by its `lines`, unless they are at their current positions.
    /// Returns how many had to be moved.
    pub(crate) fn place(
        &mut self,
        deformer: &dyn Deformer,
        vertices: impl IntoIterator<Item = u32>,
        lines: &mut [Line],
    ) -> u64 {
        self.stale.clear();
        for vertex in vertices {
            let stamp = &mut self.stamps[vertex as usize];
            if *stamp == self.epoch + 1 {
                continue;
            }
            if *stamp != self.epoch {
                self.stale.push(vertex);
            }
            *stamp = self.epoch + 1;
            self.asked.push(vertex);
        }
        self.place_stale(deformer, lines)
    }

    /// Moves the vertices that were asked for in the last step: most of them will be again, and all
    /// at once, in the order of memory, they take less time. Returns how many had to be moved.
    pub(crate) fn place_expected(&mut self, deformer: &dyn Deformer, lines: &mut [Line]) -> u64 {
        self.stale.clear();
        self.expected.sort_unstable();
        for vertex in self.expected.drain(..) {
            let stamp = &mut self.stamps[vertex as usize];
            if *stamp < self.epoch {
                *stamp = self.epoch;
                self.stale.push(vertex);
            }
        }
        self.place_stale(deformer, lines)
    }

    fn place_stale(&mut self, deformer: &dyn Deformer, lines: &mut [Line]) -> u64 {
        let (start, end) = (&*self.parameters[0], self.moves.then_some(&*self.parameters[1]));
        let place = |vertices: &[u32], placed: &mut [Line]| {
            if vertices.len() <= GRAIN {
                return deformer.place(start, end, vertices, placed);
            }
            let chunks = vertices.chunks(GRAIN).zip(placed.chunks_mut(GRAIN));
            threads::for_each(chunks, |(vertices, placed)| deformer.place(start, end, vertices, placed));
        };
        if self.stale.len() == lines.len() && self.stale.is_sorted() {
            // All of them, in the order of the lines.
            place(&self.stale, lines);
        } else {
            self.placed.resize(self.stale.len(), Line([0.0; 8]));
            place(&self.stale, &mut self.placed);
            for (&vertex, &line) in self.stale.iter().zip(&self.placed) {
                lines[vertex as usize] = line;
            }
        }
        self.stale.len() as u64
    }

    /// The same for all vertices.
    pub(crate) fn place_all(&mut self, deformer: &dyn Deformer, lines: &mut [Line]) -> u64 {
        if self.all == self.epoch {
            return 0;
        }
        self.all = self.epoch;
        let n_placed = self.place(deformer, 0..lines.len() as u32, lines);
        self.asked.clear();
        n_placed
    }

    /// Heap memory of the placement in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.parameters.iter().map(|of_end| size_of_val(of_end.as_slice())).sum::<usize>()
            + size_of_val(self.stamps.as_slice())
            + (self.stale.capacity() + self.asked.capacity() + self.expected.capacity()) * size_of::<u32>()
            + self.placed.capacity() * size_of::<Line>()
    }
}
