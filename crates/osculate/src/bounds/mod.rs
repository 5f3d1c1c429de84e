//! Where a patch is during a step: boxes and other intersections of slabs, in f32 rounded outward.

mod overlap;
mod refit;
mod slabs;
mod sort_and_sweep;

pub(crate) use refit::{Bounds, looseness};
use slabs::MOVING;
pub(crate) use slabs::{Projection, Reach, Row, Slabs, Sweep, Wide};
pub(crate) use sort_and_sweep::SortAndSweep;
