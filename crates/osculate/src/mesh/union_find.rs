//! Disjoint sets with union and find.

/// A partition of `0..n`. A set is named by its smallest member.
#[derive(Clone, Debug, Default)]
pub(super) struct UnionFind {
    /// A smaller member of the same set, or itself.
    parents: Vec<u32>,
    n_sets: usize,
}

impl UnionFind {
    /// Restarts with `0..n`, each in its own set; keeps the memory.
    pub(super) fn reset(&mut self, n: usize) {
        self.parents.clear();
        self.parents.extend(0..n as u32);
        self.n_sets = n;
    }

    /// Number of sets.
    pub(super) fn n_sets(&self) -> usize {
        self.n_sets
    }

    /// The smallest member of the set of `x`.
    pub(super) fn find(&mut self, mut x: u32) -> u32 {
        // Path halving keeps later searches short.
        loop {
            let parent = self.parents[x as usize];
            if parent == x {
                return x;
            }
            let next = self.parents[parent as usize];
            self.parents[x as usize] = next;
            x = next;
        }
    }

    /// Merges the sets of `x` and `y`; returns whether they were different.
    pub(super) fn union(&mut self, x: u32, y: u32) -> bool {
        let (x, y) = (self.find(x), self.find(y));
        self.parents[x.max(y) as usize] = x.min(y);
        self.n_sets -= usize::from(x != y);
        x != y
    }
}
