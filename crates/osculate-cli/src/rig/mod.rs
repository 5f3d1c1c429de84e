//! Computes clusters and observers of a body from a skin.

mod skeleton;

use anyhow::Result;
use osculate::Model;
use osculate::method::Clusters;

pub(crate) use self::skeleton::Skeleton;

/// The clusters of a body, and the cost of computing them.
pub(crate) struct Clustering {
    pub(crate) clusters: Clusters,
    pub(crate) cost: Cost,
}

/// Cost of clustering; sums over bodies.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Number of clusters before merging.
    pub(crate) n_before: usize,
    /// Nanoseconds of the stages, in the order of [`Cost::STAGES`].
    pub(crate) times: [u64; 6],
}

impl Cost {
    pub(crate) const STAGES: [&str; 6] =
        ["visibility", "weights", "assignment", "refinement", "observers", "reduction"];

    pub(crate) fn add(&mut self, other: Cost) {
        self.n_before += other.n_before;
        self.times.iter_mut().zip(other.times).for_each(|(sum, time)| *sum += time);
    }
}

/// Returns the clusters of a body with a skeleton, from its vertices at rest; `None` if this build
/// makes none from skeletons.
#[cfg(feature = "rig")]
pub(crate) fn cluster(model: &Model, rest: &[[f64; 3]], skeleton: &Skeleton) -> Result<Option<Clustering>> {
    let settings = osculate_rig::Settings::default();
    let clock = Some(crate::clock::now as fn() -> u64);
    let made = osculate_rig::cluster(model, rest, &skeleton.segments()?, &settings, clock)?;
    let t = made.times;
    let times = [t.visibility, t.weights, t.assignment, t.refinement, t.observers, t.reduction];
    Ok(Some(Clustering { clusters: made.clusters, cost: Cost { n_before: made.n_before, times } }))
}

/// Returns nothing: this build makes no clusters from skeletons.
#[cfg(not(feature = "rig"))]
pub(crate) fn cluster(_: &Model, _: &[[f64; 3]], _: &Skeleton) -> Result<Option<Clustering>> {
    Ok(None)
}
