//! One file for each method: which plugs it puts where, the section of its paper, what it
//! guarantees, and its options.

mod brute;
mod bvh;
mod normal_cone;
mod patches;
mod radial;
mod registry;
mod rivals;
mod spatial_hash;
mod sphere_tree;

pub(crate) use radial::GivenJoints;
pub use registry::{Facts, facts};

use crate::engine::Culling;
use crate::query::Method;

impl Method {
    /// Calls `f` with the implementation.
    pub(crate) fn with_culling<R>(&self, f: impl FnOnce(&dyn Culling) -> R) -> R {
        match self {
            Method::Brute => f(&brute::Brute),
            Method::Bvh(volume) => f(volume),
            Method::SpatialHash => f(&spatial_hash::SpatialHash),
            Method::NormalCone(how) => f(how),
            Method::Radial(how) => f(how),
            Method::SphereTree(how) => f(how),
            Method::Rival(rival, volume) => f(&rivals::RivalWalk(*rival, *volume)),
        }
    }
}
