//! Chromatic decomposition: the primitives of a mesh in sets of non-adjacent ones (paper 001,
//! section 4).
//!
//! Two primitives are adjacent, or neighbors, if they share a vertex. Colors are given such that
//!
//! 1. two adjacent primitives have different colors, and
//! 2. a primitive has at most one neighbor of any color.
//!
//! So a set of one color has no adjacent primitives, and a primitive of one set can be compared
//! with another set in two passes, before and after its only neighbor there. This is a coloring of
//! the extended dual graph, whose edges join primitives at distance one or two.

mod aligned;
mod coloring;
mod graph;
mod grid;
mod primitives;
mod recolor;
mod reduce;
mod rows;

use self::graph::Graph;
use self::primitives::Primitives;
use self::recolor::Old;
use self::rows::Rows;
use crate::Mesh;

/// Marks a missing primitive or triangle.
pub const NONE: u32 = u32::MAX;

/// The largest number of triangles in a primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Size {
    /// Every triangle is a primitive.
    #[default]
    One,
    /// Two triangles that share an edge, quads if the mesh is a grid of them; some remain alone.
    Two,
    /// Two primitives of the former kind that share an edge.
    Four,
}

/// A partition of the triangles of a mesh into primitives, and their colors. Immutable, and the
/// same for the same mesh.
///
/// ```
/// use osculate::{Mesh, chromatic::{Coloring, NONE, Size}};
///
/// // Three triangles in a strip, and one apart.
/// let mesh = Mesh::new(vec![[0, 1, 2], [2, 1, 3], [2, 3, 4], [5, 6, 7]], 8)?;
/// let coloring = Coloring::of(&mesh, &[], Size::One);
/// assert_eq!((coloring.n_colors(), coloring.lower_bound()), (3, 3));
///
/// let color = coloring.colors()[0];
/// let rows = coloring.aligned(color, coloring.colors()[1]);
/// assert!(rows.contains(&[0, 1]));
/// # Ok::<(), osculate::MeshFaults>(())
/// ```
#[derive(Clone, Debug)]
pub struct Coloring {
    size: Size,
    primitives: Primitives,
    graph: Graph,
    colors: Vec<u32>,
    /// The primitives of each color, ascending.
    sets: Rows,
    lower_bound: usize,
}

impl Coloring {
    /// Colors a mesh. `rest` has the positions of its vertices at rest. They only choose between
    /// pairs of triangles, and no result depends on them otherwise; a missing one counts as the
    /// origin.
    ///
    /// Components that are regular grids get periodic colors, 14 for triangles and 9 for quads, the
    /// others those of DSATUR. Takes linear memory. Time is in proportion to the number of pairs of
    /// primitives at distance one or two, about 20 per triangle of a regular mesh, but n^2 around a
    /// vertex of n primitives.
    #[must_use]
    pub fn of(mesh: &Mesh, rest: &[[f64; 3]], size: Size) -> Coloring {
        let primitives = Primitives::of(mesh, rest, size);
        let graph = Graph::of(mesh, &primitives);
        let mut colors = grid::color(mesh, rest, &primitives, &graph, size);
        coloring::complete(&graph, &mut colors);
        let lower_bound = coloring::lower_bound(&graph);
        reduce::reduce(&graph, &mut colors, lower_bound);
        Coloring::new(size, primitives, graph, colors, lower_bound)
    }

    /// Returns the coloring of a mesh that has replaced the mesh of this one, and how many of its
    /// primitives have got a new color.
    ///
    /// `from` has, for each new triangle, the old triangle that it comes from, or [`NONE`]; missing
    /// entries and those that are not old triangles count as [`NONE`], and so do entries that occur
    /// more than once. Primitives keep their color, and their triangles if these still share edges,
    /// except within two rings of a change: of a triangle that comes from none, or of a vertex
    /// whose triangles did not have a common vertex before. So a cut between triangles, which only
    /// splits vertices, and removal of triangles give no new color to primitives of one triangle.
    #[must_use]
    pub fn after_cut(&self, mesh: &Mesh, rest: &[[f64; 3]], from: &[u32]) -> (Coloring, usize) {
        let old = Old { primitives: &self.primitives, graph: &self.graph, colors: &self.colors };
        let (primitives, origins) = recolor::inherit(mesh, rest, self.size, old.primitives, from);
        let graph = Graph::of(mesh, &primitives);
        let mut colors = recolor::kept(&graph, &origins, &old);
        let n_recolored = colors.iter().filter(|&&color| color == NONE).count();
        coloring::complete(&graph, &mut colors);
        let lower_bound = coloring::lower_bound(&graph);
        (Coloring::new(self.size, primitives, graph, colors, lower_bound), n_recolored)
    }

    fn new(
        size: Size,
        primitives: Primitives,
        graph: Graph,
        colors: Vec<u32>,
        lower_bound: usize,
    ) -> Coloring {
        let n_colors = colors.iter().max().map_or(0, |&color| color as usize + 1);
        let sets = Rows::group(n_colors, colors.iter().copied().zip(0..));
        Coloring { size, primitives, graph, colors, sets, lower_bound }
    }

    /// The color of each primitive.
    #[must_use]
    pub fn colors(&self) -> &[u32] {
        &self.colors
    }

    /// Number of colors. After a cut, some may have no primitive.
    #[must_use]
    pub fn n_colors(&self) -> usize {
        self.sets.len()
    }

    /// A number of colors that any coloring of these primitives needs: one more than the largest
    /// number of neighbors of a primitive.
    #[must_use]
    pub fn lower_bound(&self) -> usize {
        self.lower_bound
    }

    /// Number of primitives.
    #[must_use]
    pub fn n_primitives(&self) -> usize {
        self.primitives.len()
    }

    /// The primitive of each triangle. Primitives are numbered in the order of their first
    /// triangles.
    #[must_use]
    pub fn primitives(&self) -> &[u32] {
        self.primitives.of_triangle()
    }

    /// The triangles of a primitive, in ascending order.
    ///
    /// # Panics
    ///
    /// If there is no such primitive.
    #[must_use]
    pub fn triangles(&self, primitive: u32) -> &[u32] {
        self.primitives.triangles(primitive)
    }

    /// The primitives of a color, in ascending order; none if there is no such color.
    #[must_use]
    pub fn set(&self, color: u32) -> &[u32] {
        if (color as usize) < self.sets.len() { self.sets.row(color) } else { &[] }
    }

    /// The sets of two colors side by side: rows `[P, Q]` of a primitive of color i and one of
    /// color j, either of which may be [`NONE`]. Each primitive of the two sets is in one row, and
    /// two neighbors are in the same row. For i = j, the rows are `[P, P]`.
    ///
    /// The rows of `(j, i)` are those of `(i, j)` in the same order, with P and Q exchanged; the
    /// two passes over them depend on it. Takes time in proportion to the number of primitives of
    /// the two sets and their neighbors.
    #[must_use]
    pub fn aligned(&self, i: u32, j: u32) -> Vec<[u32; 2]> {
        aligned::rows(&self.graph, &self.colors, &self.sets, i, j)
    }

    /// For each primitive and each of the first `n_sets` colors, `n_sets` in a row: its only
    /// neighbor of that color, or [`NONE`]; for its own color, itself. See
    /// [`Frame::neighbors`](crate::raster::Frame::neighbors).
    #[must_use]
    pub fn neighbors_by_color(&self, n_sets: usize) -> Vec<u32> {
        aligned::table(&self.graph, &self.colors, n_sets)
    }

    /// Heap memory in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.primitives.memory_bytes()
            + self.graph.memory_bytes()
            + size_of_val(self.colors.as_slice())
            + self.sets.memory_bytes()
    }
}
