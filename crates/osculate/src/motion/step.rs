//! The step: two poses, with linear motion of each vertex between them.

use crate::Error;
use crate::math::bernstein::FILTER_RANGE;
use std::ops::Range;

/// A point that moves along a straight line, `p(t) = (1 - t) t0 + t t1` for t in [0, 1], in exact
/// real arithmetic.
///
/// The two ends define the motion. A velocity is never stored: `t0 + v` rounds, and would define
/// another motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingPoint {
    /// Position at t = 0.
    pub t0: [f64; 3],
    /// Position at t = 1.
    pub t1: [f64; 3],
}

impl MovingPoint {
    /// The point that moves from `t0` to `t1`.
    #[must_use]
    pub const fn new(t0: [f64; 3], t1: [f64; 3]) -> Self {
        MovingPoint { t0, t1 }
    }

    /// A point that does not move.
    #[must_use]
    pub const fn fixed(position: [f64; 3]) -> Self {
        MovingPoint { t0: position, t1: position }
    }
}

/// A vertex at both ends of the step in one cache line: `[x0, y0, z0, 0, x1, y1, z1, 0]`.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) [f64; 8]);

impl Line {
    pub(crate) fn new(t0: &[f64; 3], t1: &[f64; 3]) -> Line {
        Line([t0[0], t0[1], t0[2], 0.0, t1[0], t1[1], t1[2], 0.0])
    }

    /// The position at both ends, `[t][axis]`.
    #[inline(always)]
    pub(crate) fn ends(&self) -> [[f64; 3]; 2] {
        let l = &self.0;
        [[l[0], l[1], l[2]], [l[4], l[5], l[6]]]
    }

    /// The position at the start (0) or at the end (1).
    #[inline(always)]
    pub(crate) fn end(&self, end: usize) -> [f64; 3] {
        self.ends()[end]
    }
}

/// Both poses of a step, validated once and laid out for gathering: one 64-byte line per vertex, so
/// that a query touches four cache lines.
#[derive(Clone, Debug)]
pub struct Step {
    lines: Vec<Line>,
    /// Upper bound of the magnitude of all coordinates.
    largest: f64,
}

impl Step {
    /// Returns the step from pose `t0` to pose `t1`.
    ///
    /// Fails if the poses differ in length, or with the first coordinate that is not finite.
    pub fn new(t0: &[[f64; 3]], t1: &[[f64; 3]]) -> Result<Step, Error> {
        if t0.len() != t1.len() {
            return Err(Error::PoseLengths { t0: t0.len(), t1: t1.len() });
        }
        check_finite(t0.iter().zip(t1))?;
        let lines: Vec<Line> = t0.iter().zip(t1).map(|(a, b)| Line::new(a, b)).collect();
        let [largest_t0, largest_t1] = [t0, t1].map(|pose| survey(pose).0);
        Ok(Step { lines, largest: largest_t0.max(largest_t1) })
    }

    /// A step of no vertices, to be filled with [`replace`](Step::replace).
    pub(crate) fn empty() -> Step {
        Step { lines: Vec::new(), largest: 0.0 }
    }

    /// Sets the positions of the vertices from `first` on, at the start (`end` = 0) or at the end
    /// (`end` = 1) of the step. They must be finite and within [`reach`](Step::reach).
    pub(crate) fn set(&mut self, first: usize, pose: &[[f64; 3]], end: usize) {
        for (line, p) in self.lines[first..].iter_mut().zip(pose) {
            line.0[4 * end..4 * end + 3].copy_from_slice(p);
        }
    }

    /// Replaces the vertices in `range` by `n` vertices at the origin.
    pub(crate) fn replace(&mut self, range: Range<usize>, n: usize) {
        self.lines.splice(range, std::iter::repeat_n(Line([0.0; 8]), n));
    }

    /// Sets the end positions of the vertices in `range` to their start positions.
    pub(crate) fn rest(&mut self, range: Range<usize>) {
        for line in &mut self.lines[range] {
            line.0.copy_within(0..3, 4);
        }
    }

    /// The vertices, mutable. Coordinates must stay within [`reach`](Step::reach).
    pub(crate) fn lines_mut(&mut self) -> &mut [Line] {
        &mut self.lines
    }

    /// Raises the bound of the magnitude of coordinates to at least `largest`.
    pub(crate) fn reach(&mut self, largest: f64) {
        self.largest = self.largest.max(largest);
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Heap memory of the step in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Motion of a vertex.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn point(&self, vertex: usize) -> MovingPoint {
        let [t0, t1] = self.lines[vertex].ends();
        MovingPoint { t0, t1 }
    }

    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Whether every coordinate is in the range for which the f64 filters are valid.
    pub(crate) fn in_filter_range(&self) -> bool {
        self.largest <= FILTER_RANGE
    }

    /// Upper bound of the magnitude of all coordinates. Replaced coordinates still count, which is
    /// safe for a bound.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// Fails with the first query that names a vertex out of range.
    pub(crate) fn check_indices(&self, pairs: &[[u32; 4]]) -> Result<(), Error> {
        let vertices = self.len();
        // Branch-free, so that it compiles to vector comparisons.
        let limit = u32::try_from(vertices).unwrap_or(u32::MAX);
        if !pairs.as_flattened().iter().fold(false, |fault, &v| fault | (limit <= v)) {
            return Ok(());
        }
        let fault = pairs.iter().enumerate().find_map(|(query, pair)| {
            let &vertex = pair.iter().find(|&&v| vertices <= v as usize)?;
            Some(Error::VertexOutOfRange { query, vertex, vertices })
        });
        fault.map_or(Ok(()), Err)
    }
}

/// The largest magnitude of a coordinate that is a number, and whether all are finite.
///
/// Several lanes, as one would wait for the last coordinate each time.
pub(crate) fn survey(pose: &[[f64; 3]]) -> (f64, bool) {
    let (mut largest, mut zero) = ([0.0; 8], [0.0; 8]);
    let mut look = |lane: usize, x: f64| {
        largest[lane] = if largest[lane] < x.abs() { x.abs() } else { largest[lane] };
        // Zero times what is not finite is NaN, and remains it.
        zero[lane] += 0.0 * x;
    };
    let (eights, rest) = pose.as_flattened().as_chunks::<8>();
    for eight in eights {
        (0..8).for_each(|lane| look(lane, eight[lane]));
    }
    rest.iter().enumerate().for_each(|(lane, &x)| look(lane, x));
    (largest.into_iter().fold(0.0, f64::max), zero.into_iter().all(|x| x == 0.0))
}

/// Fails with the first coordinate that is NaN or infinite.
pub(crate) fn check_finite<'a>(
    points: impl Iterator<Item = (&'a [f64; 3], &'a [f64; 3])>,
) -> Result<(), Error> {
    for (vertex, (t0, t1)) in points.enumerate() {
        for (t, position) in [(0, t0), (1, t1)] {
            if let Some(axis) = position.iter().position(|x| !x.is_finite()) {
                return Err(Error::NonFinite { vertex, axis, t, value: position[axis] });
            }
        }
    }
    Ok(())
}
