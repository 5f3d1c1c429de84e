//! Counts of radial view culling.

use std::ops::AddAssign;

/// Counts of radial view culling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Clusters of the bodies that were tested.
    pub clusters: u64,
    /// Triangles that face away from their observer throughout the step.
    pub plus: u64,
    /// Triangles that face their observer throughout the step.
    pub minus: u64,
    /// All other triangles.
    pub uncertain: u64,
    /// Triangles that count as uncertain whichever way they face: they cross others at the start of
    /// the step, are enclosed by the body, or may touch a cap that closes a hole.
    pub suspects: u64,
    /// Bounds tests within one cluster, among all bounds tests.
    pub inner_tests: u64,
    /// Feature pairs that were tested because only adjacent triangles of two clusters host them.
    pub orphans: u64,
    /// Rounds of search in the wake of contacts.
    pub rounds: u64,
    /// Bodies that were searched for crossings at the start of the step, since it does not begin
    /// where the last one ended.
    pub fresh_starts: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.clusters += other.clusters;
        self.plus += other.plus;
        self.minus += other.minus;
        self.uncertain += other.uncertain;
        self.suspects += other.suspects;
        self.inner_tests += other.inner_tests;
        self.orphans += other.orphans;
        self.rounds += other.rounds;
        self.fresh_starts += other.fresh_starts;
    }
}
