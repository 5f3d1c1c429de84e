//! Two adjacent patches as one.

use super::cleared::Surface;

/// What the contours of two patches have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// No edge.
    Apart,
    /// More than one path of edges, or all edges of one; or a patch has several loops.
    Several,
    /// One path of edges.
    Loop,
}

/// The contour of two patches that are glued along one path; and scratch memory to find it.
#[derive(Debug, Default)]
pub(super) struct Union {
    /// For each vertex of the second loop, the number of the union that it was last in, and its place.
    places: Vec<[u32; 2]>,
    n_unions: u32,
    vertices: Vec<u32>,
}

impl Union {
    /// The loop of the last two patches that have one path in common.
    pub(super) fn contour(&self) -> &[u32] {
        &self.vertices
    }

    /// Glues two patches of a surface that have no triangle in common. In time proportional to the length of their contours.
    ///
    /// Should a contour pass a vertex twice, a shared edge may be overlooked: the patches are then glued along a part of the path only, which is a
    /// surface too, but one whose loop touches itself.
    pub(super) fn join(&mut self, surface: Surface, nodes: [u32; 2]) -> Joined {
        let [first, second] = nodes.map(|node| {
            let mut loops = surface.patches.loops(node);
            (loops.next(), loops.len())
        });
        match (first, second) {
            ((Some(first), 0), (Some(second), 0)) => self.join_loops(first, second, surface.lines.len()),
            _ => Joined::Several,
        }
    }

    fn join_loops(&mut self, first: &[u32], second: &[u32], n_vertices: usize) -> Joined {
        if self.places.len() < n_vertices {
            self.places.resize(n_vertices, [0; 2]);
        }
        if self.n_unions == u32::MAX {
            self.places.fill([0; 2]);
            self.n_unions = 0;
        }
        self.n_unions += 1;
        for (&v, place) in second.iter().zip(0..) {
            self.places[v as usize] = [self.n_unions, place];
        }
        let (n, m) = (first.len(), second.len());
        let (places, n_unions) = (&self.places, self.n_unions);
        // Where the second loop passes the edge of the first that starts at place i, in the other direction.
        let twin = |i: usize| {
            let (v, w) = (first[i], first[if i + 1 == n { 0 } else { i + 1 }]);
            let [union, place] = places[w as usize];
            let j = place as usize;
            (union == n_unions && second[if j + 1 == m { 0 } else { j + 1 }] == v).then_some(j)
        };
        // A path starts where the edge before it is not shared.
        let (mut start, mut n_shared, mut n_paths) = (None, 0, 0);
        let mut was_shared = twin(n - 1).is_some();
        for i in 0..n {
            let shared = twin(i);
            n_shared += usize::from(shared.is_some());
            if let (Some(j), false) = (shared, was_shared) {
                start = Some((i, j));
                n_paths += 1;
            }
            was_shared = shared.is_some();
        }
        if n_shared == 0 {
            return Joined::Apart;
        }
        let Some((i, j)) = start else { return Joined::Several };
        if n_paths != 1 || m <= n_shared {
            return Joined::Several;
        }
        // From the end of the path around the first loop to its start; and on around the second, behind its edge at j, to the end.
        self.vertices.clear();
        self.vertices.extend((0..n - n_shared).map(|k| first[(i + n_shared + k) % n]));
        self.vertices.extend((0..m - n_shared).map(|k| second[(j + 1 + k) % m]));
        Joined::Loop
    }
}
