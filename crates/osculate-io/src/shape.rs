//! The mesh of a single-frame file.

use crate::bytes::Budget;
use crate::clip::Surface;
use crate::error::Result;

/// Returns whether two corners are the same vertex.
pub(crate) fn is_degenerate([a, b, c]: &[u32; 3]) -> bool {
    a == b || b == c || c == a
}

/// Vertices and triangles of a PLY or OBJ file, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) positions: Vec<[f64; 3]>,
    pub(crate) faces: Vec<[u32; 3]>,
    /// Names of the objects; empty if the file names none.
    pub(crate) objects: Vec<String>,
    /// Object of each vertex; empty if the file names none.
    pub(crate) vertex_object: Vec<u32>,
    pub(crate) skipped: usize,
}

impl Shape {
    /// Adds the fan of triangles around the first corner of a polygon. Triangles with a repeated
    /// vertex, and polygons with fewer than three corners, are counted as skipped.
    pub(crate) fn push_polygon(&mut self, corners: &[u32], budget: &mut Budget) -> Result<()> {
        let (first, rest) = corners.split_first().unwrap_or((&0, &[]));
        if rest.len() < 2 {
            self.skipped += 1;
        }
        // Twice, since the vector grows by doubling.
        let n = rest.len().saturating_sub(1);
        budget.charge(n, 2 * size_of::<[u32; 3]>(), || format!("triangle {}", self.faces.len()))?;
        for pair in rest.windows(2) {
            let triangle = [*first, pair[0], pair[1]];
            if is_degenerate(&triangle) {
                self.skipped += 1;
            } else {
                self.faces.push(triangle);
            }
        }
        Ok(())
    }

    /// Returns the checked surface and the positions. If the file names no objects, `stem` is the
    /// name of the only one.
    pub(crate) fn into_surface(self, file: &str, stem: &str) -> Result<(Surface, Vec<[f64; 3]>)> {
        let mut surface = Surface::plain(stem, self.faces, self.positions.len());
        surface.skipped = self.skipped;
        surface.note_skipped();
        if !self.objects.is_empty() {
            surface.objects = self.objects;
            surface.vertex_object = self.vertex_object;
        }
        Ok((surface.checked(file)?, self.positions))
    }
}
