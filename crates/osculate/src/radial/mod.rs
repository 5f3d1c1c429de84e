//! Radial view culling (paper 000; docs/methods/radial-view.md): triangles are seen from observers
//! inside the body.
//!
//! Every ray alternately leaves and enters a closed surface that does not cross itself. So two
//! triangles that both face away from an observer throughout a step cannot be the first to touch: a
//! third, through which the ray enters, must come between. Observers at joints or on bones, one for
//! each cluster of triangles, see nearly all of a body that way.
//!
//! [`classes`] determines which way each triangle faces, [`view`] which pairs need a test. Contacts
//! after the first need more: the triangles around every contact found become uncertain, and the
//! additional pairs are searched, until none is added. [`seeds`] are the triangles that are
//! uncertain from the start; with [`caps`], surfaces need not be closed.

mod caps;
mod classes;
mod clusters;
mod follow;
mod free;
mod grow;
mod program;
mod seek;
mod saved;
mod seeds;
mod segment;
mod stats;
mod tree;
mod view;
mod state;

pub(crate) use clusters::check_joints;
pub use clusters::{Clusters, Observer};
pub(crate) use grow::grow;
pub(crate) use seeds::Touch;
pub(crate) use state::{Joints, RadialState};
pub use stats::Stats;
pub(crate) use tree::ClusterTree;
pub(crate) use view::Sight;

#[cfg(test)]
mod tests;
