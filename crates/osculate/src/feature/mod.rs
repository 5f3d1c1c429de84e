//! From triangle pairs to feature pairs, each once.

mod adjacent_slots;
mod apart;
mod around;
mod live;
mod orphans;
mod ownership;
mod unfold;

pub(crate) use adjacent_slots::AdjacentSlots;
pub(crate) use apart::{Apart, ApartOwner};
pub(crate) use around::Around;
pub(crate) use live::{Code, Live, MINUS, PLUS, UNCERTAIN, cluster};
pub(crate) use orphans::Orphans;
pub(crate) use ownership::{Owner, Representatives};
pub(crate) use unfold::{FeaturePair, Unfolding};
