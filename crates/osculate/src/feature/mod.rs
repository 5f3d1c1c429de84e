//! From triangle pairs to feature pairs, each once.

mod around;
mod hazard;
mod live;
mod orphans;
mod ownership;
mod unfold;

pub(crate) use around::Around;
#[cfg(test)]
pub(crate) use hazard::leaving_out;
pub(crate) use hazard::{Hazard, is_left_out};
pub(crate) use live::{Code, Live, MINUS, PLUS, UNCERTAIN, cluster};
pub(crate) use orphans::Orphans;
pub(crate) use ownership::Representatives;
pub(crate) use unfold::{FeaturePair, Unfolding};
