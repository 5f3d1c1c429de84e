//! How points move during a step: on straight lines from their place at t = 0 to their place at t = 1.

mod step;

pub(crate) use step::{Line, check_finite};
pub use step::{MovingPoint, Step};
