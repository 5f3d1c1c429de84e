//! Topological description of a mesh.

use super::Mesh;
use super::union_find::UnionFind;
use std::fmt;

/// Counts of the elements of a mesh, and of the irregular ones. Prints as a short paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// Vertices, used or not.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Edges.
    pub edges: usize,
    /// Components, connected by shared vertices; see [`Mesh::components`].
    pub components: usize,
    /// Edges with one triangle.
    pub boundary_edges: usize,
    /// Edges with more than two triangles.
    pub non_manifold_edges: usize,
    /// Edges with two triangles that traverse them in the same direction.
    pub misoriented_edges: usize,
    /// Vertices whose triangles are not one fan: their edges opposite to the vertex do not form one
    /// open path or one closed cycle. Both ends of a non-manifold edge are among them.
    pub non_manifold_vertices: usize,
    /// Vertices without a triangle.
    pub isolated_vertices: usize,
    /// Triangles with the same three vertices, in any order, as an earlier one.
    pub duplicate_triangles: usize,
}

impl Description {
    /// Whether every edge has exactly two triangles. True without triangles.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.boundary_edges == 0 && self.non_manifold_edges == 0
    }

    /// Whether no two triangles traverse an edge in the same direction, so that the surface has two
    /// consistent sides. Then no edge has more than two triangles.
    #[must_use]
    pub fn is_oriented(&self) -> bool {
        self.misoriented_edges == 0 && self.non_manifold_edges == 0
    }

    /// Whether the neighborhood of each vertex is a disk or, at the boundary, half a disk.
    #[must_use]
    pub fn is_manifold(&self) -> bool {
        self.non_manifold_edges == 0 && self.non_manifold_vertices == 0
    }
}

/// Describes a mesh.
pub(super) fn describe(mesh: &Mesh) -> Description {
    let fans = Fans::of(mesh);
    let vertices = 0..mesh.n_vertices() as u32;
    let n_triangles_of_edge = |e: u32| mesh.triangles_of_edge(e).len();
    let edges = 0..mesh.edges().len() as u32;
    Description {
        vertices: mesh.n_vertices(),
        triangles: mesh.triangles().len(),
        edges: mesh.edges().len(),
        components: mesh.n_components(),
        boundary_edges: edges.clone().filter(|&e| n_triangles_of_edge(e) == 1).count(),
        non_manifold_edges: edges.clone().filter(|&e| 2 < n_triangles_of_edge(e)).count(),
        misoriented_edges: edges.filter(|&e| is_misoriented(mesh, e)).count(),
        non_manifold_vertices: fans.n_non_manifold(),
        isolated_vertices: vertices.filter(|&v| mesh.triangles_of_vertex(v).is_empty()).count(),
        duplicate_triangles: duplicate_triangles(mesh),
    }
}

/// Whether an edge has two triangles that traverse it in the same direction.
pub(super) fn is_misoriented(mesh: &Mesh, edge: u32) -> bool {
    let &[a, b] = mesh.triangles_of_edge(edge) else { return false };
    let is_ascending = |t: u32| {
        let corners = &mesh.triangles()[t as usize];
        let [v, w] = mesh.edges()[edge as usize];
        [[0, 1], [1, 2], [2, 0]].iter().any(|&[i, j]| [corners[i], corners[j]] == [v, w])
    };
    is_ascending(a) == is_ascending(b)
}

/// Number of fans of each vertex; triangles that share an edge at the vertex are in one fan.
struct Fans {
    n_fans: Vec<u32>,
    /// Whether the vertex has an edge with more than two triangles.
    branches: Vec<bool>,
}

impl Fans {
    /// Starts with a fan for each corner, and merges, across each edge, the corners at both of its
    /// ends.
    fn of(mesh: &Mesh) -> Fans {
        let mut n_fans: Vec<u32> =
            (0..mesh.n_vertices() as u32).map(|v| mesh.triangles_of_vertex(v).len() as u32).collect();
        let mut branches = vec![false; mesh.n_vertices()];
        let mut fans = UnionFind::default();
        fans.reset(3 * mesh.triangles().len());
        for (edge, ends) in (0..).zip(mesh.edges()) {
            let triangles = mesh.triangles_of_edge(edge);
            for &v in ends {
                branches[v as usize] |= 2 < triangles.len();
                for &t in &triangles[1..] {
                    let merged = fans.union(corner(mesh, triangles[0], v), corner(mesh, t, v));
                    n_fans[v as usize] -= u32::from(merged);
                }
            }
        }
        Fans { n_fans, branches }
    }

    /// Vertices whose triangles are not one open or closed fan. At all others, edges have at most
    /// two triangles, so there is no other kind of fan.
    fn n_non_manifold(&self) -> usize {
        self.n_fans.iter().zip(&self.branches).filter(|&(&n, &branches)| 1 < n || branches).count()
    }
}

/// The number of the corner of a triangle at a vertex.
fn corner(mesh: &Mesh, triangle: u32, vertex: u32) -> u32 {
    let [a, b, _] = mesh.triangles()[triangle as usize];
    3 * triangle
        + if a == vertex {
            0
        } else if b == vertex {
            1
        } else {
            2
        }
}

fn duplicate_triangles(mesh: &Mesh) -> usize {
    let mut sorted: Vec<[u32; 3]> = mesh.triangles().to_vec();
    sorted.iter_mut().for_each(|corners| corners.sort_unstable());
    sorted.sort_unstable();
    sorted.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", counted(self.vertices, "vertex", "vertices"))?;
        if self.triangles == 0 {
            return write!(f, " and no triangles.");
        }
        let triangles = counted(self.triangles, "triangle", "triangles");
        let components = counted(self.components, "component", "components");
        write!(f, ", {triangles} and {} in {components}.", edges(self.edges, ""))?;
        match (self.is_closed(), self.boundary_edges) {
            (true, _) => write!(f, " Closed")?,
            (false, 0) => write!(f, " Not closed")?,
            (false, n) => write!(f, " Open ({})", edges(n, "boundary "))?,
        }
        match (self.is_oriented(), self.misoriented_edges) {
            (true, _) => write!(f, ", oriented")?,
            (false, 0) => write!(f, ", not oriented")?,
            (false, n) => write!(f, ", not oriented ({})", edges(n, "misoriented "))?,
        }
        match (self.is_manifold(), self.non_manifold_edges) {
            (true, _) => write!(f, ", manifold.")?,
            (false, n) => {
                let vertices =
                    counted(self.non_manifold_vertices, "non-manifold vertex", "non-manifold vertices");
                write!(f, ", not manifold ({}, {vertices}).", edges(n, "non-manifold "))?;
            }
        }
        if self.isolated_vertices != 0 {
            write!(f, " {}.", counted(self.isolated_vertices, "isolated vertex", "isolated vertices"))?;
        }
        if self.duplicate_triangles != 0 {
            write!(
                f,
                " {}.",
                counted(self.duplicate_triangles, "duplicate triangle", "duplicate triangles")
            )?;
        }
        Ok(())
    }
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn edges(n: usize, kind: &str) -> String {
    format!("{n} {kind}edge{}", if n == 1 { "" } else { "s" })
}
