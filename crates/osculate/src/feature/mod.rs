//! From pairs of triangles to pairs of features, each once.

mod ownership;
mod unfold;

pub(crate) use ownership::Representatives;
pub(crate) use unfold::{FeaturePair, Unfolding};
