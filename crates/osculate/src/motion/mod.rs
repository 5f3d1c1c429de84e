//! Motion of points during a step: along straight lines from t = 0 to t = 1.

mod gather;
mod pose;
mod skin;
mod step;

pub(crate) use gather::{Gathered, LANES, gather};
pub use pose::Pose;
pub(crate) use pose::Skinned;
pub use skin::{Affine, Skin};
pub(crate) use step::{Line, check_finite};
pub use step::{MovingPoint, Step};
