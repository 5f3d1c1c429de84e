//! Support for the bench `contour_figures`; not public API.

use super::contour::{Contour, Proof};
use crate::motion::Line;

/// A contour of one loop, projected along an axis.
#[derive(Clone, Debug)]
pub struct MovingContour {
    lines: Vec<Line>,
    vertices: Vec<u32>,
    contour: Contour,
}

impl MovingContour {
    /// The loop of these vertices, each at both ends of the step.
    #[must_use]
    pub fn new(ends: &[[[f64; 3]; 2]], axis: [f32; 3]) -> MovingContour {
        let lines = ends.iter().map(|[t0, t1]| Line::new(t0, t1)).collect();
        let vertices = (0..ends.len() as u32).collect();
        let mut contour = MovingContour { lines, vertices, contour: Contour::default() };
        contour.project(axis);
        contour
    }

    /// Gathers and projects the vertices, which both tests need.
    pub fn project(&mut self, axis: [f32; 3]) {
        self.contour.clear();
        self.contour.push(&self.lines, &self.vertices);
        self.contour.project(axis);
    }

    /// Whether the contour is proven to be simple: as it is, and with ears.
    pub fn proven(&mut self) -> [bool; 2] {
        let proof = self.contour.prove(false);
        [proof == Some(Proof::Star), proof.is_some()]
    }

    /// Whether it is simple by comparing its edges in pairs.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        self.contour.is_simple(usize::MAX)
    }
}
