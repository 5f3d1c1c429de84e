//! Bounding volumes of patches during a step: boxes and k-DOPs, in f32. Nothing is rounded outward;
//! [`slabs`] explains why this is safe.

mod bounded_tree;
mod overlap;
mod quads;
mod refit;
mod slabs;
mod sort_and_sweep;
mod volume;

pub(crate) use bounded_tree::BoundedTree;
pub(crate) use refit::{Bounds, looseness};
use slabs::MOVING;
pub(crate) use slabs::{Projection, Reach, Row, Slabs, Sweep, Wide};
pub(crate) use sort_and_sweep::SortAndSweep;
pub use volume::Volume;
pub(crate) use volume::{Pick, WithBounds};
