//! Loop subdivision, as weights: every vertex of the fine surface is a fixed convex combination of
//! control vertices.
//!
//! Loop, "Smooth subdivision surfaces based on triangles", 1987, with Warren's weights at inner
//! vertices and cubic B-splines along the boundary.

use crate::vector::{Vector, add, scale};
use std::collections::HashMap;

/// Control vertices and their weights, ascending; the weights are positive and sum to 1.
pub(crate) type Row = Vec<(u32, f64)>;

/// A surface whose vertices are combinations of control vertices.
pub(crate) struct Fine {
    pub(crate) faces: Vec<[u32; 3]>,
    pub(crate) rows: Vec<Row>,
}

impl Fine {
    /// The control mesh itself.
    pub(crate) fn control(faces: Vec<[u32; 3]>, n_vertices: usize) -> Fine {
        Fine { faces, rows: (0..n_vertices as u32).map(|vertex| vec![(vertex, 1.0)]).collect() }
    }

    /// Splits each triangle into four, and updates all vertices.
    pub(crate) fn subdivided(&self) -> Fine {
        let n = self.rows.len();
        let mut edges: HashMap<[u32; 2], usize> = HashMap::new();
        // The ends of each edge, and the opposite vertices.
        let mut found: Vec<([u32; 2], Vec<u32>)> = Vec::new();
        let mut faces = Vec::with_capacity(4 * self.faces.len());
        for &[a, b, c] in &self.faces {
            let [ab, bc, ca] = [[a, b, c], [b, c, a], [c, a, b]].map(|[p, q, apex]| {
                let edge = [p.min(q), p.max(q)];
                let number = *edges.entry(edge).or_insert_with(|| {
                    found.push((edge, Vec::new()));
                    found.len() - 1
                });
                found[number].1.push(apex);
                (n + number) as u32
            });
            faces.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        let mut neighbors: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut beside: Vec<Vec<u32>> = vec![Vec::new(); n];
        for ([a, b], apexes) in &found {
            for (end, other) in [(*a, *b), (*b, *a)] {
                neighbors[end as usize].push(other);
                if apexes.len() == 1 {
                    beside[end as usize].push(other);
                }
            }
        }
        let old = (0..n).map(|vertex| self.at_vertex(vertex, &neighbors[vertex], &beside[vertex]));
        let new = found.iter().map(|(ends, apexes)| self.on_edge(*ends, apexes));
        Fine { rows: old.chain(new).collect(), faces }
    }

    fn at_vertex(&self, vertex: usize, neighbors: &[u32], beside: &[u32]) -> Row {
        let own = vertex as u32;
        if let &[a, b] = beside {
            return self.combine([(own, 0.75), (a, 0.125), (b, 0.125)]);
        }
        let valence = neighbors.len() as f64;
        let weight = if neighbors.len() == 3 { 3.0 / 16.0 } else { 3.0 / (8.0 * valence) };
        let around = neighbors.iter().map(|&neighbor| (neighbor, weight));
        self.combine([(own, 1.0 - valence * weight)].into_iter().chain(around))
    }

    fn on_edge(&self, [a, b]: [u32; 2], apexes: &[u32]) -> Row {
        match *apexes {
            [c, d] => self.combine([(a, 0.375), (b, 0.375), (c, 0.125), (d, 0.125)]),
            _ => self.combine([(a, 0.5), (b, 0.5)]),
        }
    }

    fn combine(&self, parts: impl IntoIterator<Item = (u32, f64)>) -> Row {
        let mut sum: Row = Vec::new();
        for (vertex, part) in parts {
            sum.extend(self.rows[vertex as usize].iter().map(|&(control, weight)| (control, part * weight)));
        }
        sum.sort_by_key(|entry| entry.0);
        sum.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        sum
    }

    /// The vertices, from those of the control mesh.
    pub(crate) fn points(&self, control: &[Vector]) -> Vec<Vector> {
        let at = |row: &Row| {
            row.iter()
                .fold([0.0; 3], |sum, &(vertex, weight)| add(sum, scale(control[vertex as usize], weight)))
        };
        self.rows.iter().map(at).collect()
    }
}
