//! Exact collision detection for triangle meshes that deform.

mod error;
pub mod narrow;
mod motion;
mod math;

pub use error::Error;
pub use motion::{MovingPoint, Step};
