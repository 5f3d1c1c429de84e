//! Radial view culling (paper 000, methods 3): triangles are seen from observers inside the body.
//!
//! A closed surface that does not cross itself is left and entered in turns by every ray. So of two
//! triangles that both face away from an observer throughout a step, neither can be the first to
//! touch the other: a third, which the ray would enter by, must come between. Clusters of triangles
//! with an observer each, at joints or on bones, see nearly all of a body that way.
//!
//! [`classes`] says which way each triangle faces, [`view`] which pairs are worth a look for it.
//! Contacts after the first need more: the triangles around every contact found become uncertain,
//! and what this adds is searched, until nothing is added. [`seeds`] are the triangles for which
//! that is so from the start; with [`caps`], surfaces need not be closed.

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
mod watch;

pub(crate) use clusters::check_joints;
pub use clusters::{Clusters, Observer};
pub(crate) use grow::grow;
pub(crate) use seeds::Touch;
pub use stats::Stats;
pub(crate) use tree::ClusterTree;
pub(crate) use view::Sight;
pub(crate) use watch::{Joints, Watch};

#[cfg(test)]
mod tests;
