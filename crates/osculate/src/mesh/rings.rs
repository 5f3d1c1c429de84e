//! Edge distances between vertices.

use super::Mesh;

/// A breadth-first search over the edges of a mesh. Keeps its memory for the next search.
#[derive(Default)]
pub(crate) struct Rings {
    /// The reached vertices, ring by ring.
    reached: Vec<u32>,
    /// For each vertex, the last search that reached it.
    reached_in: Vec<u32>,
    search: u32,
}

impl Rings {
    /// Returns whether some vertex of `from` is at most `rings` edges away from some vertex of
    /// `to`.
    ///
    /// The search ends when a vertex of `to` is reached or when a ring adds nothing, so any number
    /// of rings costs at most one visit of each vertex.
    pub(crate) fn reach(&mut self, mesh: &Mesh, from: &[u32], to: &[u32], rings: u32) -> bool {
        self.begin(mesh.n_vertices());
        let mut is_met = false;
        for &v in from {
            is_met |= to.contains(&v);
            self.visit(v);
        }
        let mut ring = 0..self.reached.len();
        for _ in 0..rings {
            if is_met || ring.is_empty() {
                break;
            }
            for k in ring.clone() {
                for &t in mesh.triangles_of_vertex(self.reached[k]) {
                    for v in mesh.triangles()[t as usize] {
                        is_met |= to.contains(&v);
                        self.visit(v);
                    }
                }
            }
            ring = ring.end..self.reached.len();
        }
        is_met
    }

    fn begin(&mut self, n_vertices: usize) {
        self.reached.clear();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 || self.reached_in.len() < n_vertices {
            self.reached_in.clear();
            self.reached_in.resize(n_vertices, 0);
            self.search = 1;
        }
    }

    fn visit(&mut self, v: u32) {
        if self.reached_in[v as usize] != self.search {
            self.reached_in[v as usize] = self.search;
            self.reached.push(v);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of triangles, along which vertices 2 k and 2 k + 1 are k edges away from the first
    /// two.
    fn strip(n: u32) -> Mesh {
        let faces = (0..n).map(|k| [k, k + 1, k + 2]).collect();
        Mesh::new(faces, n as usize + 2).unwrap()
    }

    #[test]
    fn rings_are_edges_between_vertices() {
        let (mesh, mut rings) = (strip(40), Rings::default());
        for v in 1_u32..42 {
            let distance = v.div_ceil(2);
            assert!(!rings.reach(&mesh, &[0], &[v], distance - 1), "{v}");
            assert!(rings.reach(&mesh, &[0], &[v, 41], distance), "{v}");
        }
        assert!(rings.reach(&mesh, &[3, 4], &[4], 0));
    }

    /// Testing ring by ring up to this number would take years.
    #[test]
    fn the_search_ends_when_a_component_is_exhausted() {
        let mesh = Mesh::new(vec![[0, 1, 2], [3, 4, 5]], 6).unwrap();
        let mut rings = Rings::default();
        for _ in 0..1000 {
            assert!(!rings.reach(&mesh, &[0, 1], &[4, 5], u32::MAX));
        }
    }

    #[test]
    fn meshes_of_different_sizes_take_turns() {
        let mut rings = Rings { search: u32::MAX - 2, ..Rings::default() };
        for n in [1, 5, 3, 50, 2, 7] {
            assert!(rings.reach(&strip(n), &[0], &[n + 1], n));
            assert!(!rings.reach(&strip(n), &[0], &[n + 1], 0));
        }
    }
}
