//! Bounding volumes refitted on demand: from the maps of a few bones, in any order, independent of
//! the number of vertices below.

#![expect(clippy::neg_cmp_op_on_partial_ord, reason = "what is not a number must not pass for apart")]
#![expect(
    clippy::needless_range_loop,
    reason = "loops over the lanes of several arrays become vector instructions"
)]

mod anchored;
mod balls;
mod bound;
mod boxes;
mod corners;
mod fitted;
mod bounded_mean;
mod maps;
mod parts;
mod radii;
mod smallest_ball;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use balls::Ball;
pub(crate) use balls::Gathered;
pub(crate) use bound::{Bound, Span};
pub(crate) use boxes::BoxBound;
pub(crate) use fitted::{Fitted, Frozen, LazySide, Purpose, Side, Vertices};
pub use radii::SphereRadii;
pub(crate) use radii::radii;
pub(crate) use tree::LazyTree;
