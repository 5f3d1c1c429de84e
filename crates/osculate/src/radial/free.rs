//! Observers without a skeleton: points that are chosen for each step.
//!
//! A free observer follows the vertices of its cluster from where it was best at rest. Where too
//! many triangles of the cluster do not face away from it, one is chosen for the step: a point for
//! its start and one for its end, between which the observer moves. A cluster for which that does
//! not help is left alone for a while.

use super::follow::Eye;
use super::seek::Seeker;
use super::tree::Cluster;
use crate::Mesh;
use crate::motion::Line;

/// A cluster with more than one triangle of so many that does not face away gets a new observer.
const FEW: usize = 50;

/// Triangles that are looked at to choose a point.
const SAMPLES: usize = 256;

/// After this many failures in a row a cluster is left alone for the longest time.
const MOST_FAILURES: u8 = 5;

/// How often choosing has failed, and for how many steps it is left out for that reason.
#[derive(Clone, Copy, Default)]
pub(super) struct Patience {
    failures: u8,
    rests: u8,
}

impl Patience {
    /// Whether an observer is to be chosen for a cluster of which so many triangles do not face
    /// away.
    pub(super) fn asks(&mut self, n_triangles: usize, n_others: usize) -> bool {
        if FEW * n_others <= n_triangles {
            return false;
        }
        let rests = self.rests != 0;
        self.rests -= u8::from(rests);
        !rests
    }

    /// Takes note of whether the chosen observer was much better.
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

/// A point from which most of the triangles face away, or many.
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
