//! The mesh: triangles over vertices, validated once, with their connectivity.
//!
//! Any list of triangles is a mesh, as long as each names three different existing vertices: open,
//! non-manifold, misoriented, in several pieces, with duplicate triangles or unused vertices, or
//! empty. [`Mesh::describe`] tells which. No geometry is stored here; positions come with a pose
//! ([`Mesh::check_pose`]) and may be degenerate.

mod components;
mod csr;
mod describe;
mod edges;
pub(crate) mod patch;
mod rings;
mod union_find;

pub use describe::Description;
pub(crate) use rings::Rings;

use crate::fault::{self, MeshFaults};
use components::Components;
use csr::Csr;
use edges::Edges;
use std::sync::OnceLock;

/// Triangles over vertices, with their connectivity, which is computed once, when it is first asked
/// for. Immutable.
///
/// Vertices, edges and triangles are numbered from 0. All memory is in flat arrays of `u32`, at
/// most 70 bytes per triangle of a closed mesh.
///
/// ```
/// use osculate::Mesh;
///
/// // Two triangles that share the edge from 1 to 2.
/// let mesh = Mesh::new(vec![[0, 1, 2], [2, 1, 3]], 4)?;
/// assert_eq!(mesh.edges(), [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
/// assert_eq!(mesh.triangles_of_edge(2), [0, 1]);
/// assert_eq!(mesh.triangles_of_vertex(3), [1]);
/// assert!(mesh.describe().is_manifold());
///
/// let faults = Mesh::new(vec![[0, 1, 2], [2, 2, 9]], 4).unwrap_err();
/// assert_eq!(
///     faults.to_string(),
///     "2 faults: triangle 1 names vertex 9 at corner 2, but there are 4 vertices; \
///      triangle 1 names vertex 2 more than once"
/// );
/// # Ok::<(), osculate::MeshFaults>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mesh {
    triangles: Vec<[u32; 3]>,
    n_vertices: usize,
    edges: OnceLock<Edges>,
    triangles_of_vertex: OnceLock<Csr>,
    components: OnceLock<Components>,
}

impl Mesh {
    /// Heap memory of the mesh in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.triangles.as_slice())
            + self.edges.get().map_or(0, Edges::memory_bytes)
            + self.triangles_of_vertex.get().map_or(0, Csr::memory_bytes)
            + self.components.get().map_or(0, |components| size_of_val(components.of_triangle.as_slice()))
    }

    /// Returns the mesh of these triangles over vertices `0..n_vertices`.
    ///
    /// Fails with all faults: corners that are not vertices, triangles that repeat a vertex, and
    /// counts beyond 31-bit numbering (2^31 - 1 vertices, a third as many triangles).
    pub fn new(triangles: Vec<[u32; 3]>, n_vertices: usize) -> Result<Mesh, MeshFaults> {
        fault::check_triangles(&triangles, n_vertices)?;
        let (edges, triangles_of_vertex, components) = Default::default();
        Ok(Mesh { triangles, n_vertices, edges, triangles_of_vertex, components })
    }

    fn connected_edges(&self) -> &Edges {
        self.edges.get_or_init(|| Edges::of(&self.triangles, self.n_vertices))
    }

    fn components_of_triangles(&self) -> &Components {
        self.components.get_or_init(|| components::label(&self.triangles, self.n_vertices))
    }

    /// The triangles, as given: three vertices each, whose order is the orientation.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Number of vertices, used or not.
    #[must_use]
    pub fn n_vertices(&self) -> usize {
        self.n_vertices
    }

    /// Each edge of a triangle once, as its two vertices in ascending order; the list is sorted.
    #[must_use]
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.connected_edges().ends
    }

    /// The edges of each triangle; edge k joins its corners k and k + 1 (the last one joins corners
    /// 2 and 0).
    #[must_use]
    pub fn triangle_edges(&self) -> &[[u32; 3]] {
        &self.connected_edges().of_triangle
    }

    /// The triangles with this vertex as a corner, in ascending order.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn triangles_of_vertex(&self, vertex: u32) -> &[u32] {
        let of_vertex = self.triangles_of_vertex.get_or_init(|| {
            let corners = self.triangles.iter().zip(0..).flat_map(|(corners, t)| corners.map(|v| (v, t)));
            Csr::group(self.n_vertices, corners)
        });
        of_vertex.row(vertex)
    }

    /// The triangles with this edge, in ascending order; at least one.
    ///
    /// # Panics
    ///
    /// If there is no such edge.
    #[must_use]
    pub fn triangles_of_edge(&self, edge: u32) -> &[u32] {
        self.connected_edges().triangles.row(edge)
    }

    /// The component of each triangle, numbered from 0 in order of first appearance.
    ///
    /// Two triangles are in one component if a chain of triangles connects them in which each
    /// shares at least a vertex with the next. Vertices without a triangle are in none.
    #[must_use]
    pub fn components(&self) -> &[u32] {
        &self.components_of_triangles().of_triangle
    }

    /// Number of [components](Mesh::components).
    #[must_use]
    pub fn n_components(&self) -> usize {
        self.components_of_triangles().n
    }

    /// Whether two triangles share a vertex. A triangle is adjacent to itself.
    ///
    /// # Panics
    ///
    /// If there is no such triangle.
    #[must_use]
    pub fn are_adjacent(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|t| &self.triangles[t as usize]);
        a.iter().any(|v| b.contains(v))
    }

    /// Whether an edge has two triangles that traverse it in the same direction.
    pub(crate) fn is_misoriented(&self, edge: u32) -> bool {
        describe::is_misoriented(self, edge)
    }

    /// Describes the surface: counts of its elements, and of the irregular ones.
    #[must_use]
    pub fn describe(&self) -> Description {
        describe::describe(self)
    }

    /// Checks that a pose fits: one position for each vertex, every coordinate finite. Anything
    /// else is allowed, including coincident vertices and triangles without area.
    ///
    /// Fails with all faults.
    pub fn check_pose(&self, positions: &[[f64; 3]]) -> Result<(), MeshFaults> {
        fault::check_pose(positions, self.n_vertices())
    }
}
