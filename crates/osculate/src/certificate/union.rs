//! Two adjacent patches as one.

use crate::hierarchy::Patches;

/// The common part of the contours of two patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// No edge.
    Apart,
    /// More than one path of edges, or all edges of one; or a patch has several loops.
    Several,
    /// One path of edges.
    Loop,
}

/// The contour of two patches glued along one path, and scratch memory.
#[derive(Debug, Default)]
pub(super) struct Union {
    places: Places,
    vertices: Vec<u32>,
}

/// The position of each vertex in a loop: a hash table that is smaller than an array for all
/// vertices, and stays in cache.
#[derive(Debug, Default)]
struct Places {
    /// Vertex, position, and the number of their loop.
    entries: Vec<[u32; 3]>,
    n_loops: u32,
}

impl Places {
    /// Restarts with a loop.
    fn set(&mut self, vertices: &[u32]) {
        let n_entries = (4 * vertices.len()).next_power_of_two();
        if self.entries.len() < n_entries || self.n_loops == u32::MAX {
            self.entries = vec![[0; 3]; n_entries.max(self.entries.len())];
            self.n_loops = 0;
        }
        self.n_loops += 1;
        for (&vertex, place) in vertices.iter().zip(0..) {
            let i = self.find(vertex);
            self.entries[i] = [vertex, place, self.n_loops];
        }
    }

    /// The entry of a vertex, or the one that it would have. The table is at most a quarter full.
    #[inline(always)]
    fn find(&self, vertex: u32) -> usize {
        let last = self.entries.len() - 1;
        let mut i = (vertex.wrapping_mul(0x9e37_79b9) >> 8) as usize & last;
        while self.entries[i][2] == self.n_loops && self.entries[i][0] != vertex {
            i = (i + 1) & last;
        }
        i
    }

    /// The position of a vertex: the last one, if the loop passes it more than once.
    #[inline(always)]
    fn get(&self, vertex: u32) -> Option<usize> {
        let [_, place, n_loops] = self.entries[self.find(vertex)];
        (n_loops == self.n_loops).then_some(place as usize)
    }
}

impl Union {
    /// The loop of the last two patches that share one path.
    pub(super) fn contour(&self) -> &[u32] {
        &self.vertices
    }

    /// Glues two patches of a surface that share no triangle, in time proportional to the length of
    /// their contours.
    ///
    /// If a contour passes a vertex twice, a shared edge may be missed: the patches are then glued
    /// along a part of the path only, which is a surface too, but one whose loop touches itself.
    pub(super) fn join(&mut self, patches: &Patches, nodes: [u32; 2]) -> Joined {
        let [first, second] = nodes.map(|node| {
            let mut loops = patches.loops(node);
            (loops.next(), loops.len())
        });
        match (first, second) {
            ((Some(first), 0), (Some(second), 0)) => self.join_loops(first, second),
            _ => Joined::Several,
        }
    }

    fn join_loops(&mut self, first: &[u32], second: &[u32]) -> Joined {
        self.places.set(second);
        let (n, m) = (first.len(), second.len());
        let places = &self.places;
        // The position in the second loop of the edge of the first that starts at position i, in
        // the other direction.
        let twin = |i: usize| {
            let (v, w) = (first[i], first[if i + 1 == n { 0 } else { i + 1 }]);
            places.get(w).filter(|&j| second[if j + 1 == m { 0 } else { j + 1 }] == v)
        };
        // A path starts where the edge before it is not shared.
        let (mut start, mut n_shared, mut n_paths) = (None, 0, 0);
        let mut before = twin(n - 1);
        for i in 0..n {
            let shared = twin(i);
            n_shared += usize::from(shared.is_some());
            match (before, shared) {
                (None, Some(j)) => {
                    start = Some((i, j));
                    n_paths += 1;
                }
                // The second loop traverses the path in the other direction, edge by edge, unless
                // it passes a vertex of it twice and continues elsewhere in between.
                (Some(before), Some(j)) if before != if j + 1 == m { 0 } else { j + 1 } => {
                    return Joined::Several;
                }
                _ => {}
            }
            before = shared;
        }
        if n_shared == 0 {
            return Joined::Apart;
        }
        let Some((i, j)) = start else { return Joined::Several };
        if n_paths != 1 || m <= n_shared {
            return Joined::Several;
        }
        // From the end of the path around the first loop to its start; then around the second,
        // behind its edge at j, to the end.
        self.vertices.clear();
        self.vertices.extend((0..n - n_shared).map(|k| first[(i + n_shared + k) % n]));
        self.vertices.extend((0..m - n_shared).map(|k| second[(j + 1 + k) % m]));
        Joined::Loop
    }
}

#[cfg(test)]
mod tests;
