//! Counts and times of a query; they can be summed.

pub use crate::certificate::Stats as CertificateStats;
pub use crate::radial::Stats as RadialStats;

use crate::narrow;
use std::fmt;
use std::ops::AddAssign;

/// Counts of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Hierarchies of bodies that were rebuilt because their bounds had become too loose.
    pub rebuilds: u64,
    /// Overlap tests of two bounding volumes.
    pub bounds_tests: u64,
    /// Candidate pairs of triangles that the broad phase passed to the narrow phase.
    pub pairs: u64,
    /// Pairs of patches stored in fronts for the next step, four bytes each.
    pub front_pairs: u64,
    /// What [`Method::Auto`](crate::Method::Auto) chose, and why.
    pub auto: AutoStats,
    /// Work for bodies posed by bones.
    pub skinning: Skinning,
    /// Proofs that patches do not touch.
    pub certificates: CertificateStats,
    /// What tests of sets left.
    pub sets: SetStats,
    /// What observers saw.
    pub radial: RadialStats,
    /// Pairs of features, by the stage of the narrow phase that decided them.
    pub narrow: narrow::Stats,
    /// Triangle pairs at an instant, by the stage that decided them.
    pub triangles: narrow::TriangleStats,
    /// Contacts or crossings that the narrow phase found, before exclusions.
    pub found: u64,
    /// Contacts that were excluded: within the ring distance, close at rest, or already known; and
    /// crossings within the ring distance. With a minimum separation, pairs within the ring
    /// distance are left out before a search that takes long, and are not counted then.
    pub excluded: u64,
    /// Time of the stages; zero without a [clock](crate::Query::clock).
    pub times: Times,
}

/// Tests of sets of triangles against each other, in chromatic decomposition; all zero if there
/// were none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetStats {
    /// Triangles with a candidate pair of triangles that are not adjacent, after the first stage,
    /// summed over pairs of bodies.
    pub marked: u64,
    /// Those of them that are left by tests of sets.
    pub left: u64,
    /// Visibility tests of a primitive with all sets, in one pass along one axis.
    pub tests: u64,
}

impl AddAssign for SetStats {
    fn add_assign(&mut self, other: SetStats) {
        self.marked += other.marked;
        self.left += other.left;
        self.tests += other.tests;
    }
}

/// What [`Method::Auto`](crate::Method::Auto) chose, and why: the number of bodies, in each pass
/// over them; all zero for other methods. [`Display`](fmt::Display) says it in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AutoStats {
    /// By bounding volumes, as proofs do not apply: the body is not tested against itself, or there
    /// is a minimum separation, or coordinates are huge.
    pub without_proofs: u64,
    /// By bounding volumes, as so few triangles do not gain from proofs.
    pub small: u64,
    /// By bounding volumes, as crossings at its first pose are wanted, for which a tree of patches
    /// would not pay.
    pub first: u64,
    /// By bounding volumes, as proofs cleared too little in earlier queries.
    pub resting: u64,
    /// By normal cones.
    pub proofs: u64,
    /// By sphere trees, as bodies are posed by parameters and none is tested against itself.
    pub crowd: u64,
}

impl AddAssign for AutoStats {
    fn add_assign(&mut self, other: AutoStats) {
        self.without_proofs += other.without_proofs;
        self.small += other.small;
        self.first += other.first;
        self.resting += other.resting;
        self.proofs += other.proofs;
        self.crowd += other.crowd;
    }
}

/// The choices as `normal-cone 28, bvh 2 (2 at the first pose)`; empty if there was none.
impl fmt::Display for AutoStats {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let reasons = [
            (self.without_proofs, "where proofs do not apply"),
            (self.small, "of few triangles"),
            (self.first, "at the first pose"),
            (self.resting, "after proofs that cleared little"),
        ];
        let n_plain: u64 = reasons.iter().map(|reason| reason.0).sum();
        let reasons: Vec<String> =
            reasons.iter().filter(|reason| reason.0 != 0).map(|(n, why)| format!("{n} {why}")).collect();
        let chosen = [
            (self.proofs, format!("normal-cone {}", self.proofs)),
            (self.crowd, format!("sphere-tree {} (posed, not tested against themselves)", self.crowd)),
            (n_plain, format!("bvh {n_plain} ({})", reasons.join(", "))),
        ];
        let chosen: Vec<String> =
            chosen.into_iter().filter(|(n, _)| *n != 0).map(|(_, words)| words).collect();
        f.write_str(&chosen.join(", "))
    }
}

/// Work for bodies posed by bones, and for their trees of bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skinning {
    /// Bounds refitted.
    pub refits: u64,
    /// Vertices deformed.
    pub vertices: u64,
}

impl AddAssign for Skinning {
    fn add_assign(&mut self, other: Skinning) {
        self.refits += other.refits;
        self.vertices += other.vertices;
    }
}

/// Nanoseconds of the stages of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Refitting bounds and finding body pairs, once for all workers.
    pub refit: u64,
    /// Proving that patches do not self-collide, or classifying triangles for observers, once for
    /// all workers. Adjacent patches are tested during the traversal, and not counted here.
    pub certify: u64,
    /// Deciding feature pairs or triangle pairs, summed over all workers.
    pub narrow: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.rebuilds += other.rebuilds;
        self.bounds_tests += other.bounds_tests;
        self.pairs += other.pairs;
        self.front_pairs += other.front_pairs;
        self.auto += other.auto;
        self.skinning += other.skinning;
        self.certificates += other.certificates;
        self.sets += other.sets;
        self.radial += other.radial;
        self.narrow += other.narrow;
        self.triangles += other.triangles;
        self.found += other.found;
        self.excluded += other.excluded;
        self.times.refit += other.times.refit;
        self.times.certify += other.times.certify;
        self.times.narrow += other.times.narrow;
    }
}
