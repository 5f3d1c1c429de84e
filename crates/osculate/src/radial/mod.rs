//! Radial view culling (paper 000, methods 3): triangles are seen from observers inside the body. Of two triangles that face away from the same
//! observer throughout a step, neither is the first to touch the other.

mod clusters;

pub(crate) use clusters::check_joints;
pub use clusters::{Clusters, Observer};
