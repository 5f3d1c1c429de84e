//! Observers without a skeleton: points chosen for each step.
//!
//! A free observer follows the vertices of its cluster from its best position at rest. If too many
//! triangles of the cluster do not face away from it, one is chosen for the step: a point for its
//! start and one for its end, between which the observer moves linearly. A cluster for which that
//! does not help is skipped for a while.

use super::follow::Eye;
use super::seek::Seeker;
use super::tree::Cluster;
use crate::Mesh;
use crate::motion::Line;

/// A cluster gets a new observer if more than one in this many triangles does not face away.
const FEW: usize = 50;

/// Maximum number of triangles sampled to choose a point.
const SAMPLES: usize = 256;

/// After this many consecutive failures the number of skipped steps is at its maximum.
const MOST_FAILURES: u8 = 5;

/// Number of consecutive failures, and of steps to skip because of them.
#[derive(Clone, Copy, Default)]
pub(super) struct Patience {
    failures: u8,
    rests: u8,
}

impl Patience {
    /// Whether to choose an observer for a cluster of `n_triangles`, of which `n_others` do not
    /// face away.
    pub(super) fn asks(&mut self, n_triangles: usize, n_others: usize) -> bool {
        if FEW * n_others <= n_triangles {
            return false;
        }
        let rests = self.rests != 0;
        self.rests -= u8::from(rests);
        !rests
    }

    /// Records whether the chosen observer was much better.
    pub(super) fn learn(&mut self, helped: bool) {
        self.failures = if helped { 0 } else { (self.failures + 1).min(MOST_FAILURES) };
        self.rests = (1 << self.failures) - 1;
    }
}

/// Chooses an observer for a cluster in a step.
pub(super) fn choose(mesh: &Mesh, triangles: &[u32], lines: &[Line]) -> Option<Eye> {
    let start = best(mesh, triangles, |v| lines[v as usize].ends()[0])?;
    let end = best(mesh, triangles, |v| lines[v as usize].ends()[1])?;
    Some(Eye::Point([start, end]))
}

/// A point from which most of the triangles face away, or at least many.
pub(super) fn best(mesh: &Mesh, triangles: &[u32], place: impl Fn(u32) -> [f64; 3]) -> Option<[f64; 3]> {
    let stride = triangles.len().div_ceil(SAMPLES).max(1);
    Seeker::new(mesh, triangles.iter().copied().step_by(stride), place).best()
}

impl Cluster {
    /// Whether its observer may be chosen.
    pub(super) fn is_free(&self) -> bool {
        self.observer == super::Observer::Free
    }
}
