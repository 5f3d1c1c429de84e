//! Which slots of two nodes of a tree hold adjacent triangles: a table by which a traversal that
//! does not need adjacent triangles drops them before it meets them, all pairs of two nodes at
//! once.

use super::apart::is_hub;
use crate::Mesh;
use crate::hierarchy::{Child, Hierarchy, WIDTH};

/// For pairs of nodes of a tree over one mesh, or a node and itself, the pairs of slots with
/// adjacent triangles: those that share a vertex that is not a hub.
///
/// Takes memory and time in proportion to the number of pairs of adjacent triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct AdjacentSlots {
    /// The row of node a are the entries from `starts[a]` to `starts[a + 1]`, for nodes b >= a.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// Whether any two triangles below a node are adjacent.
    all_adjacent: Vec<bool>,
}

/// Adjacent triangles of two nodes.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The other node.
    with: u32,
    /// Bit `WIDTH i + j` for slot i of the first node and slot j of the other.
    slots: u32,
}

impl AdjacentSlots {
    /// The table of a tree over a mesh.
    pub(crate) fn new(mesh: &Mesh, hierarchy: &Hierarchy) -> AdjacentSlots {
        let n_nodes = hierarchy.n_nodes();
        // The slot of each triangle.
        let mut slots = vec![0u32; mesh.triangles().len()];
        let mut all_adjacent = vec![false; n_nodes];
        for node in 0..n_nodes as u32 {
            for lane in 0..WIDTH {
                if let Child::Triangle(t) = hierarchy.child(node, lane) {
                    slots[t as usize] = node * WIDTH as u32 + lane as u32;
                }
            }
        }
        // Every two triangles around a vertex, by the node of the first.
        let each = |f: &mut dyn FnMut(u32, u32)| {
            for v in (0..mesh.n_vertices() as u32).filter(|&v| !is_hub(mesh, v)) {
                let around = mesh.triangles_of_vertex(v);
                for (k, &s) in around.iter().enumerate() {
                    for &t in &around[k + 1..] {
                        let [s, t] = [s, t].map(|t| slots[t as usize]);
                        f(s.min(t), s.max(t));
                    }
                }
            }
        };
        let width = WIDTH as u32;
        let mut starts = vec![0u32; n_nodes + 1];
        each(&mut |s, _| starts[(s / width) as usize + 1] += 1);
        (0..n_nodes).for_each(|node| starts[node + 1] += starts[node]);
        let mut ends = starts.clone();
        let mut all = vec![Entry::default(); starts[n_nodes] as usize];
        each(&mut |s, t| {
            let end = &mut ends[(s / width) as usize];
            all[*end as usize] = Entry { with: t / width, slots: 1 << (s % width * width + t % width) };
            *end += 1;
        });
        let mut entries: Vec<Entry> = Vec::with_capacity(all.len() / 4);
        for node in 0..n_nodes {
            let row = &mut all[starts[node] as usize..starts[node + 1] as usize];
            row.sort_unstable_by_key(|entry| entry.with);
            starts[node] = entries.len() as u32;
            for of_pair in row.chunk_by(|x, y| x.with == y.with) {
                let slots = of_pair.iter().fold(0, |slots, entry| slots | entry.slots);
                entries.push(Entry { slots, ..of_pair[0] });
            }
        }
        starts[n_nodes] = entries.len() as u32;
        let mut table = AdjacentSlots { starts, entries, all_adjacent: Vec::new() };
        for (node, all_adjacent) in (0..).zip(&mut all_adjacent) {
            // Fewer pairs of slots than of triangles, if a slot holds a node.
            let n = hierarchy.range(node).len();
            *all_adjacent = table.of(node, node).count_ones() as usize == n * (n - 1) / 2;
        }
        table.all_adjacent = all_adjacent;
        table
    }

    /// The pairs of slots of two nodes, a <= b, that hold adjacent triangles: bit `WIDTH i + j` for
    /// slot i of a and slot j of b; with i < j if the nodes are the same.
    #[inline(always)]
    pub(crate) fn of(&self, a: u32, b: u32) -> u32 {
        let [start, end] = [0, 1].map(|k| self.starts[a as usize + k] as usize);
        self.entries[start..end].iter().find(|entry| entry.with == b).map_or(0, |entry| entry.slots)
    }

    /// Whether any two triangles below a node are adjacent; `false` if a slot holds a node.
    #[inline(always)]
    pub(crate) fn all_adjacent(&self, node: u32) -> bool {
        self.all_adjacent[node as usize]
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.starts.as_slice())
            + size_of_val(self.entries.as_slice())
            + size_of_val(self.all_adjacent.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::{Build, build};
    use crate::random::random;

    #[test]
    fn the_table_has_the_adjacent_triangles_of_all_pairs_of_nodes() {
        let (mut n_adjacent, mut n_all) = (0, 0);
        for seed in 0..200 {
            let mut random = random(seed);
            let n_vertices = 4 + (random() * 30.0) as usize;
            let mut corner = || (random() * n_vertices as f64) as u32;
            let mut faces: Vec<[u32; 3]> = (0..60).map(|_| [corner(), corner(), corner()]).collect();
            faces.retain(|[a, b, c]| a != b && b != c && c != a);
            let pose: Vec<[f64; 3]> = (0..n_vertices).map(|_| [random(), random(), random()]).collect();
            let mesh = Mesh::new(faces, n_vertices).unwrap();
            let hierarchy = build(&mesh, &pose, Build::default());
            let table = AdjacentSlots::new(&mesh, &hierarchy);
            let corners = |t: u32| mesh.triangles()[t as usize];
            let are_adjacent =
                |s: u32, t: u32| corners(s).iter().any(|&v| corners(t).contains(&v) && !is_hub(&mesh, v));
            for a in 0..hierarchy.n_nodes() as u32 {
                for b in a..hierarchy.n_nodes() as u32 {
                    let mut expected = 0;
                    for k in 0..WIDTH * WIDTH {
                        let (i, j) = (k / WIDTH, k % WIDTH);
                        if let (Child::Triangle(s), Child::Triangle(t)) =
                            (hierarchy.child(a, i), hierarchy.child(b, j))
                            && (a < b || i < j)
                            && are_adjacent(s, t)
                        {
                            expected |= 1 << k;
                        }
                    }
                    assert_eq!(table.of(a, b), expected, "seed {seed}, nodes {a} and {b}");
                    n_adjacent += expected.count_ones();
                }
                let below = hierarchy.triangles_below(a);
                let all = below.iter().all(|&s| below.iter().all(|&t| are_adjacent(s, t)));
                assert!(all || !table.all_adjacent(a), "seed {seed}, node {a}");
                n_all += u32::from(table.all_adjacent(a));
            }
        }
        assert!(1000 < n_adjacent && 10 < n_all, "{n_adjacent} and {n_all}");
    }
}
