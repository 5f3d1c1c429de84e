//! The trait of bounding volumes of patches.

use super::balls::Gathered;
use super::maps::Maps;
use super::parts::Parts;
use crate::bounds::Slabs;

/// The bounding volume of a patch at an instant; two of them bound it throughout a step.
pub(crate) trait Bound: Copy + Send + Sync + 'static {
    /// The bounds of four patches at both ends of a step.
    type Four: Copy + Send + Sync;

    /// The bound that contains everything.
    const EVERYTHING: Self;

    /// Four bounds that contain everything.
    const FOUR: Self::Four;

    /// The bound of the vertices of a node, from the maps of bones.
    fn on_demand(parts: &Parts, node: u32, maps: &Maps, scratch: &mut Gathered) -> Self;

    /// The bound of points.
    fn around_points(points: impl Iterator<Item = [f64; 3]> + Clone) -> Self;

    /// The bound of other bounds.
    fn around(bounds: impl Iterator<Item = Self>, scratch: &mut Gathered) -> Self;

    /// Sets one of four bounds.
    fn set(four: &mut Self::Four, lane: usize, ends: &[Self; 2]);

    /// One of four bounds.
    fn get(four: &Self::Four, lane: usize) -> [Self; 2];

    /// Whether two patches may come within the margin of each other at a time in the span.
    fn overlaps(a: &[Self; 2], b: &[Self; 2], span: &Span) -> bool;

    /// The same for four patches and another one: bit k for patch k.
    fn four_overlap(four: &Self::Four, other: &[Self; 2], span: &Span) -> u32;

    /// The same for four patches and four others: bit `4 i + j` for patch i of the first and j of
    /// the second.
    fn fours_overlap(a: &Self::Four, b: &Self::Four, span: &Span) -> u32;

    /// The size, which decides which of two nodes is descended.
    fn size(ends: &[Self; 2]) -> f32;

    /// The depth of the overlap of two bounds, which decides the order of pairs.
    fn depth(a: &[Self; 2], b: &[Self; 2]) -> f32;

    /// A moving box that contains the bounds at both ends.
    fn slabs(ends: &[Self; 2]) -> Slabs<6>;

    /// A ball that contains the bound: center and radius.
    fn ball(&self) -> ([f32; 3], f32);
}

/// The part of a step that a query is about, and the separation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Whether it is only the start.
    pub(crate) is_instant: bool,
    /// The end of the part otherwise; it starts at 0.
    pub(crate) until: f64,
    /// The minimum separation, rounded up.
    pub(crate) margin: f32,
}
