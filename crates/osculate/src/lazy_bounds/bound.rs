//! What bounds a patch, whatever its shape.

use super::balls::Gathered;
use super::maps::Maps;
use super::parts::Parts;
use crate::bounds::Slabs;

/// A bound of a patch at an instant; two of them bound it throughout a step.
pub(crate) trait Bound: Copy + Send + Sync + 'static {
    /// The bounds of four patches at both ends of a step, side by side.
    type Four: Copy + Send + Sync;

    /// The bound of anything.
    const EVERYTHING: Self;

    /// Bounds of anything.
    const FOUR: Self::Four;

    /// Around the vertices of a node, from the maps of bones.
    fn on_demand(parts: &Parts, node: u32, maps: &Maps, scratch: &mut Gathered) -> Self;

    /// Around points.
    fn around_points(points: impl Iterator<Item = [f64; 3]> + Clone) -> Self;

    /// Around others.
    fn around(bounds: impl Iterator<Item = Self>, scratch: &mut Gathered) -> Self;

    /// Puts a bound among four.
    fn set(four: &mut Self::Four, lane: usize, ends: &[Self; 2]);

    /// One of four.
    fn get(four: &Self::Four, lane: usize) -> [Self; 2];

    /// Whether two patches may be as close to each other as the margin says, at a time in the span.
    fn overlaps(a: &[Self; 2], b: &[Self; 2], span: &Span) -> bool;

    /// The same for four patches and another one: bit k is set for patch k.
    fn four_overlap(four: &Self::Four, other: &[Self; 2], span: &Span) -> u32;

    /// The same for four patches and four others: bit `4 i + j` is set for patch i of the first and
    /// j of the second.
    fn fours_overlap(a: &Self::Four, b: &Self::Four, span: &Span) -> u32;

    /// How large it is; which of two patches is taken apart depends on it.
    fn size(ends: &[Self; 2]) -> f32;

    /// How much two overlap; which of several pairs is looked at first depends on it.
    fn depth(a: &[Self; 2], b: &[Self; 2]) -> f32;

    /// A box that moves, and holds both ends.
    fn slabs(ends: &[Self; 2]) -> Slabs<6>;

    /// A ball that holds it: center and radius.
    fn ball(&self) -> ([f32; 3], f32);
}

/// What part of a step is asked about, and how close counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Whether it is the start alone.
    pub(crate) is_instant: bool,
    /// Otherwise it is from 0 to this.
    pub(crate) until: f64,
    /// A distance, rounded up.
    pub(crate) margin: f32,
}
