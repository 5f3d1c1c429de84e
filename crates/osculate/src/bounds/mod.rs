//! Where a patch is during a step: boxes and other intersections of slabs, in f32. Nothing is
//! rounded outward; [`slabs`] says why nothing is lost.

mod bounded_tree;
mod overlap;
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
