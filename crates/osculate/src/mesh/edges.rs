//! The edges of a list of triangles, by sorting.

use super::csr::{Csr, row_starts};

/// Edges and their triangles.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    /// The two vertices of each edge, ascending; sorted.
    pub(super) ends: Vec<[u32; 2]>,
    /// The edges of each triangle; edge k joins corners k and k + 1.
    pub(super) of_triangle: Vec<[u32; 3]>,
    /// The triangles of each edge, ascending.
    pub(super) triangles: Csr,
}

impl Edges {
    /// Heap memory in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(self.ends.as_slice())
            + size_of_val(self.of_triangle.as_slice())
            + self.triangles.memory_bytes()
    }

    /// The edges of validated triangles.
    ///
    /// The three sides of all triangles are put into buckets by their smaller vertex, and each
    /// bucket, six sides on average in a closed mesh, is sorted by the other vertex. Equal
    /// neighbors are then one edge.
    pub(super) fn of(triangles: &[[u32; 3]], n_vertices: usize) -> Edges {
        let sides = || triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let starts = row_starts(n_vertices, sides().map(|[v, w]| v.min(w)));

        // Larger vertex and side number in one word, so that it sorts by one and then by the other.
        let mut buckets = vec![0u64; 3 * triangles.len()];
        let mut ends_of_buckets = starts.clone();
        for ([v, w], side) in sides().zip(0u32..) {
            let end = &mut ends_of_buckets[v.min(w) as usize];
            buckets[*end as usize] = u64::from(v.max(w)) << 32 | u64::from(side);
            *end += 1;
        }

        let mut ends: Vec<[u32; 2]> = Vec::with_capacity(3 * triangles.len() / 2);
        let mut of_triangle = vec![[0; 3]; triangles.len()];
        let mut starts_of_edges = Vec::with_capacity(3 * triangles.len() / 2 + 1);
        let mut triangles_of_edges = Vec::with_capacity(3 * triangles.len());
        for (range, v) in starts.windows(2).zip(0u32..) {
            let bucket = &mut buckets[range[0] as usize..range[1] as usize];
            bucket.sort_unstable();
            for &mut entry in bucket {
                let (w, side) = ((entry >> 32) as u32, entry as u32);
                if ends.last() != Some(&[v, w]) {
                    ends.push([v, w]);
                    starts_of_edges.push(triangles_of_edges.len() as u32);
                }
                let triangle = side / 3;
                of_triangle[triangle as usize][side as usize % 3] = ends.len() as u32 - 1;
                triangles_of_edges.push(triangle);
            }
        }
        starts_of_edges.push(triangles_of_edges.len() as u32);
        ends.shrink_to_fit();
        starts_of_edges.shrink_to_fit();
        Edges { ends, of_triangle, triangles: Csr::from_parts(starts_of_edges, triangles_of_edges) }
    }
}
