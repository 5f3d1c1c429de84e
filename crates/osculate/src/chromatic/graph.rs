//! The graph of primitives, two of which are neighbors if they share a vertex, and the extended
//! dual graph, in which two are joined if their distance in the first is one or two (paper 001,
//! section 4.2).
//!
//! Only incidences are stored, so that memory is linear in the size of the mesh: n primitives
//! around a vertex are all neighbors, n^2 entries in a list of neighbors, but n entries here.
//! Neighbors are enumerated when they are needed, each once by its stamp.

use super::primitives::Primitives;
use super::rows::Rows;
use crate::Mesh;

/// Which primitives have which vertices.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The vertices of each primitive, each once.
    vertices: Rows,
    /// The primitives of each vertex, ascending.
    primitives: Rows,
}

impl Graph {
    pub(super) fn of(mesh: &Mesh, primitives: &Primitives) -> Graph {
        let vertices = Rows::collect(primitives.len(), |p, list| {
            let start = list.len();
            for &v in primitives.triangles(p).iter().flat_map(|&t| &mesh.triangles()[t as usize]) {
                if !list[start..].contains(&v) {
                    list.push(v);
                }
            }
        });
        let entries = (0..primitives.len() as u32).flat_map(|p| vertices.row(p).iter().map(move |&v| (v, p)));
        let primitives = Rows::group(mesh.n_vertices(), entries);
        Graph { vertices, primitives }
    }

    /// Number of primitives.
    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Number of vertices.
    pub(super) fn n_vertices(&self) -> usize {
        self.primitives.len()
    }

    /// The vertices of a primitive, each once.
    pub(super) fn vertices(&self, primitive: u32) -> &[u32] {
        self.vertices.row(primitive)
    }

    /// The primitives of a vertex, ascending.
    pub(super) fn primitives(&self, vertex: u32) -> &[u32] {
        self.primitives.row(vertex)
    }

    /// Heap memory in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        self.vertices.memory_bytes() + self.primitives.memory_bytes()
    }
}

/// Enumerates the primitives that share a vertex with a given one.
pub(super) struct Neighbors<'a> {
    graph: &'a Graph,
    seen: Stamps,
    found: Vec<u32>,
}

impl<'a> Neighbors<'a> {
    pub(super) fn new(graph: &'a Graph) -> Neighbors<'a> {
        Neighbors { graph, seen: Stamps::new(graph.len()), found: Vec::new() }
    }

    /// The primitives that share a vertex with p, each once and without p.
    pub(super) fn of(&mut self, p: u32) -> &[u32] {
        self.found.clear();
        self.seen.forget();
        self.seen.is_new(p);
        for &v in self.graph.vertices(p) {
            let around = self.graph.primitives(v).iter().copied();
            self.found.extend(around.filter(|&q| self.seen.is_new(q)));
        }
        &self.found
    }
}

/// Enumerates the neighbors of a primitive in the extended dual graph.
///
/// Two primitives are at distance two or less if and only if a vertex of one and a vertex of the
/// other are equal or share a primitive. So these are the primitives around the vertices that share
/// a primitive with a vertex of the given one.
pub(super) struct Extended<'a> {
    graph: &'a Graph,
    /// For each vertex, the vertices that share a primitive with it, and itself.
    rings: Rows,
    seen_vertices: Stamps,
    seen: Stamps,
    found: Vec<u32>,
}

impl<'a> Extended<'a> {
    pub(super) fn new(graph: &'a Graph) -> Extended<'a> {
        let mut seen_vertices = Stamps::new(graph.n_vertices());
        let rings = rings(graph, &mut seen_vertices);
        Extended { graph, rings, seen_vertices, seen: Stamps::new(graph.len()), found: Vec::new() }
    }

    /// The primitives at distance one or two of p, each once.
    pub(super) fn of(&mut self, p: u32) -> &[u32] {
        self.found.clear();
        self.seen.forget();
        self.seen_vertices.forget();
        self.seen.is_new(p);
        for &v in self.graph.vertices(p) {
            for &w in self.rings.row(v) {
                if self.seen_vertices.is_new(w) {
                    let around = self.graph.primitives(w).iter().copied();
                    self.found.extend(around.filter(|&q| self.seen.is_new(q)));
                }
            }
        }
        &self.found
    }
}

/// The vertices that share a primitive with a vertex, and itself if it has a primitive.
fn rings(graph: &Graph, seen: &mut Stamps) -> Rows {
    Rows::collect(graph.n_vertices(), |v, ring| {
        seen.forget();
        for &p in graph.primitives(v) {
            ring.extend(graph.vertices(p).iter().copied().filter(|&w| seen.is_new(w)));
        }
    })
}

/// A set of indices that is emptied in constant time.
pub(super) struct Stamps {
    stamps: Vec<u32>,
    current: u32,
}

impl Stamps {
    /// An empty set of indices below n.
    pub(super) fn new(n: usize) -> Stamps {
        Stamps { stamps: vec![0; n], current: 1 }
    }

    /// Empties the set.
    pub(super) fn forget(&mut self) {
        if self.current == u32::MAX {
            self.stamps.fill(0);
            self.current = 0;
        }
        self.current += 1;
    }

    /// Adds an index; returns whether it was not in the set.
    #[inline]
    pub(super) fn is_new(&mut self, i: u32) -> bool {
        std::mem::replace(&mut self.stamps[i as usize], self.current) != self.current
    }
}
