//! The mask plug of a traversal: which pairs of triangles need a test?
//!
//! It is a type parameter, so that a traversal without a mask pays nothing for it.

use crate::feature::ApartOwner;

/// Decides which pairs of triangles of two bodies, or of a body and itself, need a test. Nodes and
/// triangles `a` belong to the first body, `b` to the second.
pub(crate) trait Mask: Sync {
    /// What the mask counts during a traversal; `()` if nothing.
    type Counts: Default + Send;

    /// For a body and itself: whether any pair of triangles below a node needs a test.
    #[inline(always)]
    fn within(&self, _node: u32) -> bool {
        true
    }

    /// The pairs of slots of two nodes, or of a node and itself, with a pair of triangles below
    /// them that needs a test: bit `WIDTH i + j` for slot i of the first and j of the second.
    #[inline(always)]
    fn slots(&self, _a: u32, _b: u32) -> u32 {
        u32::MAX
    }

    /// The slots of a node of the first body with a triangle that needs a test against the given
    /// one of the second.
    #[inline(always)]
    fn slots_of_first(&self, _a: u32, _triangle: u32) -> u32 {
        u32::MAX
    }

    /// The same for a node of the second body and a triangle of the first.
    #[inline(always)]
    fn slots_of_second(&self, _triangle: u32, _b: u32) -> u32 {
        u32::MAX
    }

    /// Whether a pair of triangles needs a test. The other methods only cull earlier.
    fn keeps(&self, a: u32, b: u32) -> bool;

    /// Counts overlap tests between the children of two nodes.
    #[inline(always)]
    fn count(&self, _a: u32, _b: u32, _n_tests: usize, _counts: &mut Self::Counts) {}
}

/// Keeps every pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoMask;

impl Mask for NoMask {
    type Counts = ();

    #[inline(always)]
    fn keeps(&self, _a: u32, _b: u32) -> bool {
        true
    }
}

/// Drops adjacent triangles, which test nothing.
impl Mask for ApartOwner<'_> {
    type Counts = ();

    #[inline(always)]
    fn keeps(&self, a: u32, b: u32) -> bool {
        !self.are_adjacent(a, b)
    }
}

/// Without a mask, every pair is kept.
impl<M: Mask> Mask for Option<M> {
    type Counts = M::Counts;

    #[inline(always)]
    fn within(&self, node: u32) -> bool {
        self.as_ref().is_none_or(|mask| mask.within(node))
    }

    #[inline(always)]
    fn slots(&self, a: u32, b: u32) -> u32 {
        self.as_ref().map_or(u32::MAX, |mask| mask.slots(a, b))
    }

    #[inline(always)]
    fn slots_of_first(&self, a: u32, triangle: u32) -> u32 {
        self.as_ref().map_or(u32::MAX, |mask| mask.slots_of_first(a, triangle))
    }

    #[inline(always)]
    fn slots_of_second(&self, triangle: u32, b: u32) -> u32 {
        self.as_ref().map_or(u32::MAX, |mask| mask.slots_of_second(triangle, b))
    }

    #[inline(always)]
    fn keeps(&self, a: u32, b: u32) -> bool {
        self.as_ref().is_none_or(|mask| mask.keeps(a, b))
    }

    #[inline(always)]
    fn count(&self, a: u32, b: u32, n_tests: usize, counts: &mut M::Counts) {
        if let Some(mask) = self {
            mask.count(a, b, n_tests, counts);
        }
    }
}
