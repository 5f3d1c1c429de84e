//! One file for each method: its plugs, the section of its paper, its guarantee, and its options.

mod auto;
mod bn_tree;
mod bounded;
mod brute;
mod bvh;
mod chromatic;
mod cleared_patches;
mod normal_cone;
mod patches;
mod radial;
mod radial_cones;
mod registry;
mod rivals;
mod spatial_hash;
mod sphere_tree;

pub use chromatic::SetStage;
pub(crate) use chromatic::{forget_sets, raster_fault, set_raster, set_stages};
pub(crate) use cleared_patches::{cleared_patches, forget_cleared};
pub(crate) use radial::GivenJoints;
pub use registry::{Input, MethodFacts, MethodOption, compared, registry};

pub use crate::bounds::Volume;
use crate::engine::Culling;
pub use crate::lazy_bounds::SphereRadii;
use crate::options::Method;
pub use crate::options::{
    BnTree, Chromatic, Guarantee, NormalCone, Radial, Refit, Rival, SetTests, Shape, SphereTree,
};
pub use crate::radial::{Clusters, Observer};

impl Method {
    /// Calls `f` with the implementation of the method.
    pub(crate) fn with_culling<R>(&self, f: impl FnOnce(&dyn Culling) -> R) -> R {
        match self {
            Method::Auto => f(&auto::Auto),
            Method::Brute => f(&brute::Brute),
            Method::Bvh(volume) => f(volume),
            Method::SpatialHash => f(&spatial_hash::SpatialHash),
            Method::NormalCone(how) => f(how),
            Method::Radial(how) if how.normal_cones => f(&radial_cones::RadialCones(*how)),
            Method::Radial(how) => f(how),
            Method::Chromatic(how) => f(how),
            Method::SphereTree(how) => f(how),
            Method::BnTree(how) => f(how),
            Method::Rival(rival, volume) => f(&rivals::RivalWalk(*rival, *volume)),
        }
    }
}
