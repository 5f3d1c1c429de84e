//! One mesh as a file of a single frame has it.

use crate::bytes::Budget;
use crate::clip::Surface;
use crate::error::Result;

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
    /// Adds the fan of triangles around the first corner of a polygon, or counts it as skipped if it has
    /// fewer than three corners.
    pub(crate) fn push_polygon(&mut self, corners: &[u32], budget: &mut Budget) -> Result<()> {
        let [first, rest @ ..] = corners else {
            self.skipped += 1;
            return Ok(());
        };
        if rest.len() < 2 {
            self.skipped += 1;
        }
        // Twice, since the vector grows by doubling.
        let n = rest.len().saturating_sub(1);
        budget.charge(n, 2 * size_of::<[u32; 3]>(), || format!("triangle {}", self.faces.len()))?;
        self.faces.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
        Ok(())
    }

    /// Returns the checked surface and the positions. Where the file names no objects, `stem` is the name of
    /// all.
    pub(crate) fn into_surface(self, file: &str, stem: &str) -> Result<(Surface, Vec<[f64; 3]>)> {
        let mut surface = Surface::plain(stem, self.faces, self.positions.len());
        surface.skipped = self.skipped;
        if !self.objects.is_empty() {
            surface.objects = self.objects;
            surface.vertex_object = self.vertex_object;
        }
        Ok((surface.checked(file)?, self.positions))
    }
}
