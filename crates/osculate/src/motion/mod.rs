//! Motion of points during a step: along straight lines from t = 0 to t = 1.

mod any_deformer;
mod blend;
mod deformer;
mod gather;
mod governors;
mod loop_rules;
mod loop_surface;
mod modes;
mod part;
mod particles;
mod pose;
mod skin;
mod step;

pub use any_deformer::AnyDeformer;
pub(crate) use deformer::{Deformer, Placement};
pub(crate) use gather::{Gathered, LANES, gather};
pub(crate) use governors::Governors;
pub use loop_surface::LoopSurface;
pub use modes::Modes;
pub use particles::{Particle, Particles};
pub use pose::Pose;
pub use skin::{Affine, Skin};
pub(crate) use step::{Line, check_finite, survey};
pub use step::{MovingPoint, Step};
