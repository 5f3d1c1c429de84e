//! Where a patch is during a step: boxes and other intersections of slabs, in f32 rounded outward.

mod refit;
mod slabs;

pub(crate) use refit::Bounds;
pub(crate) use slabs::{Slabs, Sweep, Wide};
