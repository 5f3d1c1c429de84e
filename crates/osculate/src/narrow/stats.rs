//! Counts of the stages of the narrow phase.

use std::ops::AddAssign;

/// How queries were decided. Every query is counted by one stage: `queries` is the sum of all other
/// counts except `exact_separations`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Queries decided.
    pub queries: u64,
    /// Misses because the moving boxes of the features are separated on an axis throughout the
    /// step, or the features in a direction halfway between two axes.
    pub box_misses: u64,
    /// Misses because the four points are never coplanar (one strict sign of the coplanarity
    /// cubic).
    pub cubic_misses: u64,
    /// Misses because the features are separated whenever the points are coplanar, each such time
    /// enclosed in a narrow bracket.
    pub root_misses: u64,
    /// Hits at such a time.
    pub root_hits: u64,
    /// Misses proven after the filter bisected the step.
    pub split_misses: u64,
    /// Hits proven after the filter bisected the step.
    pub split_hits: u64,
    /// Misses decided by the exact stage.
    pub exact_misses: u64,
    /// Hits decided by the exact stage, or by comparing points and signs at the ends of the step.
    pub exact_hits: u64,
    /// Misses of queries with a minimum separation that the boxes left open.
    pub separation_misses: u64,
    /// Hits of queries with a minimum separation.
    pub separation_hits: u64,
    /// Queries among `separation_misses` and `separation_hits` that exact arithmetic decided.
    pub exact_separations: u64,
}

impl Stats {
    /// Queries that found a contact.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.root_hits + self.split_hits + self.exact_hits + self.separation_hits
    }

    /// Queries decided by the exact stage, including contacts detected at the ends of the step.
    #[must_use]
    pub fn exact(&self) -> u64 {
        self.exact_misses + self.exact_hits
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.queries += other.queries;
        self.box_misses += other.box_misses;
        self.cubic_misses += other.cubic_misses;
        self.root_misses += other.root_misses;
        self.root_hits += other.root_hits;
        self.split_misses += other.split_misses;
        self.split_hits += other.split_hits;
        self.exact_misses += other.exact_misses;
        self.exact_hits += other.exact_hits;
        self.separation_misses += other.separation_misses;
        self.separation_hits += other.separation_hits;
        self.exact_separations += other.exact_separations;
    }
}
