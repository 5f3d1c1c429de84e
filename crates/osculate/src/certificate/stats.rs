//! Counts of proofs.

use super::contour::Proof;
use std::ops::AddAssign;

/// Counts of proofs that patches do not self-collide, and that pairs of adjacent patches do not
/// touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Bodies without tested patches: proofs do not apply to them, or have cleared too little.
    pub bodies_skipped: u64,
    /// Patches tested.
    pub patches: u64,
    /// Patches proven not to self-collide.
    pub patches_cleared: u64,
    /// Triangles of the cleared patches.
    pub triangles_cleared: u64,
    /// Patches not tested because they have failed repeatedly.
    pub patches_skipped: u64,
    /// Pairs of adjacent patches tested.
    pub pairs: u64,
    /// Pairs of adjacent patches proven not to touch.
    pub pairs_cleared: u64,
    /// Pairs not tested because the cleared patches are too small for it to pay, or because they
    /// have failed repeatedly.
    pub pairs_skipped: u64,
    /// Patches and pairs tested whose triangles all face an axis.
    pub facing: u64,
    /// Of those, the ones whose contour turns around a kernel point as it is.
    pub star: u64,
    /// The ones whose contour does so with ears in its notches, or with caps on its holes.
    pub filled: u64,
    /// The ones whose contour does so around the second kernel point, with or without ears.
    pub second_kernel: u64,
    /// The ones whose contour consists of two monotone chains, with or without ears.
    pub monotone: u64,
    /// The ones whose contour is simple by comparing its edges in pairs.
    pub simple: u64,
    /// Patches tested whose triangles all face away from a point, or all toward it, and whose
    /// contour turns around an axis through it.
    pub radial: u64,
}

impl Stats {
    /// Counts a contour that was proven to be simple.
    pub(super) fn count(&mut self, proof: Proof) {
        match proof {
            Proof::Star => self.star += 1,
            Proof::Filled => self.filled += 1,
            Proof::Monotone => self.monotone += 1,
            Proof::SecondKernel => self.second_kernel += 1,
        }
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.bodies_skipped += other.bodies_skipped;
        self.patches += other.patches;
        self.patches_cleared += other.patches_cleared;
        self.triangles_cleared += other.triangles_cleared;
        self.patches_skipped += other.patches_skipped;
        self.pairs += other.pairs;
        self.pairs_cleared += other.pairs_cleared;
        self.pairs_skipped += other.pairs_skipped;
        self.facing += other.facing;
        self.star += other.star;
        self.filled += other.filled;
        self.second_kernel += other.second_kernel;
        self.monotone += other.monotone;
        self.simple += other.simple;
        self.radial += other.radial;
    }
}
