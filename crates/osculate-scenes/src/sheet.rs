//! Rectangles of cloth: a grid of quads, each cut along a diagonal. Alternating diagonals favor no
//! direction.

use crate::vector::Vector;

/// A grid of quads.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    /// Quads along the first direction.
    pub(crate) columns: u32,
    /// Quads along the second direction.
    pub(crate) rows: u32,
}

impl Grid {
    /// The vertex at the intersection of two grid lines.
    pub(crate) fn vertex(self, column: u32, row: u32) -> u32 {
        row * (self.columns + 1) + column
    }

    #[cfg(test)]
    pub(crate) fn n_vertices(self) -> usize {
        ((self.columns + 1) * (self.rows + 1)) as usize
    }

    /// Two triangles for each quad, counterclockwise if the second direction is to the left of the
    /// first; diagonals alternate.
    pub(crate) fn faces(self) -> Vec<[u32; 3]> {
        self.cut(|column, row| (row + column).is_multiple_of(2))
    }

    /// The same, with all diagonals parallel: inner vertices have valence six.
    pub(crate) fn slanted_faces(self) -> Vec<[u32; 3]> {
        self.cut(|_, _| true)
    }

    /// Cuts quads from their first corner, or from the other two.
    fn cut(self, is_from_first: impl Fn(u32, u32) -> bool) -> Vec<[u32; 3]> {
        let mut faces = Vec::with_capacity(2 * (self.columns * self.rows) as usize);
        for row in 0..self.rows {
            for column in 0..self.columns {
                let [a, b] = [0, 1].map(|i| self.vertex(column + i, row));
                let [d, c] = [0, 1].map(|i| self.vertex(column + i, row + 1));
                if is_from_first(column, row) {
                    faces.extend([[a, b, c], [a, c, d]]);
                } else {
                    faces.extend([[a, b, d], [b, c, d]]);
                }
            }
        }
        faces
    }

    /// The position of every vertex, from its coordinates in [0, 1]².
    pub(crate) fn points(self, place: impl Fn(f64, f64) -> Vector) -> Vec<Vector> {
        let along = |i: u32, n: u32| f64::from(i) / f64::from(n);
        let rows = (0..=self.rows).map(|row| along(row, self.rows));
        rows.flat_map(|v| (0..=self.columns).map(move |column| (along(column, self.columns), v)))
            .map(|(u, v)| place(u, v))
            .collect()
    }

    /// Pairs of vertices on a grid line, `length` quads apart, overlapping by half.
    pub(crate) fn spans(self, length: u32) -> Vec<[u32; 2]> {
        let mut spans = Vec::new();
        let step = (length / 2) as usize;
        for row in (0..=self.rows).step_by(step) {
            for column in (0..=self.columns).step_by(step) {
                if column + length <= self.columns {
                    spans.push([self.vertex(column, row), self.vertex(column + length, row)]);
                }
                if row + length <= self.rows {
                    spans.push([self.vertex(column, row), self.vertex(column, row + length)]);
                }
            }
        }
        spans
    }
}
