//! The walk: from hierarchies and bounds to pairs of triangles that may touch.
//!
//! A walk is cut into tasks, which are independent and run in parallel; each task streams its pairs to a visitor and stores none. What a walk asks
//! about patches and pairs is plugged into it. The tasks that it starts from are a cut through all pairs of patches: a front,
//! which can be kept for the next step.

mod front;
mod plugs;
mod track;
mod walk;

pub(crate) use front::{Front, Part};
pub(crate) use plugs::{Certificate, Mask, NoCertificate, NoMask, Verdict};
pub(crate) use track::TrackScratch;
pub(crate) use walk::{LATER, Scratch, Side, Task, Walk, WalkStats};
