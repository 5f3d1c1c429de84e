//! Motion of points during a step: along straight lines from t = 0 to t = 1.

mod deformer;
mod gather;
mod governors;
mod pose;
mod skin;
mod step;

pub(crate) use deformer::{Deformer, Placement};
pub(crate) use gather::{Gathered, LANES, gather};
pub(crate) use governors::Governors;
pub use pose::Pose;
pub use skin::{Affine, Skin};
pub(crate) use step::{Line, check_finite, largest};
pub use step::{MovingPoint, Step};
