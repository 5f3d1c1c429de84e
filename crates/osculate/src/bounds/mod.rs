//! Where a patch is during a step: boxes and other intersections of slabs, in f32 rounded outward.

mod overlap;
mod refit;
mod slabs;

pub(crate) use refit::Bounds;
use slabs::MOVING;
pub(crate) use slabs::{Slabs, Sweep, Wide};
