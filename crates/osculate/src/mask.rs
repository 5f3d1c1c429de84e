//! The plug of a walk that leaves out pairs of triangles: which are worth a look?
//!
//! It is a type parameter of the walk, so that a walk without a mask pays nothing for it.

/// Which pairs of triangles of two bodies, or of one and itself, are worth a test? Nodes and
/// triangles `a` are of the first body, `b` of the second.
pub(crate) trait Mask: Sync {
    /// What the mask counts of a walk; nothing, for most.
    type Counts: Default + Send;

    /// Whether any pair of triangles below a node of the only body is.
    #[inline(always)]
    fn within(&self, _node: u32) -> bool {
        true
    }

    /// Of the pairs of slots of two nodes, or of a node and itself, those below which any pair of
    /// triangles is: bit `WIDTH i + j` for slot i of the first and j of the second.
    #[inline(always)]
    fn slots(&self, _a: u32, _b: u32) -> u32 {
        u32::MAX
    }

    /// Of the slots of a node of the first body, those with a triangle that is worth a test against
    /// the given one of the second.
    #[inline(always)]
    fn slots_of_first(&self, _a: u32, _triangle: u32) -> u32 {
        u32::MAX
    }

    /// The same for a node of the second body and a triangle of the first.
    #[inline(always)]
    fn slots_of_second(&self, _triangle: u32, _b: u32) -> u32 {
        u32::MAX
    }

    /// Whether a pair of triangles is worth a test. The other answers only save the way to it.
    fn keeps(&self, a: u32, b: u32) -> bool;

    /// Counts tests of bounds of children of one node against those of another.
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
