//! The plug of a walk that leaves out pairs of triangles: which are worth a look?
//!
//! It is a type parameter of the walk, so that a walk without a mask pays nothing for it.

/// Which pairs of triangles of two bodies, or of one, are worth a look?
pub(crate) trait Mask: Sync {
    /// Whether any pair of triangles below the node may be.
    #[inline(always)]
    fn within(&self, _node: u32) -> bool {
        true
    }

    /// Of the pairs of slots of two nodes, or of a node and itself, those below which any pair of
    /// triangles may be: bit `WIDTH i + j` for slot i of the first and j of the second.
    #[inline(always)]
    fn slots(&self, _a: u32, _b: u32) -> u32 {
        u32::MAX
    }

    /// Of the slots of a node, those below which any triangle may be, together with the given one.
    #[inline(always)]
    fn slots_with(&self, _node: u32, _triangle: u32) -> u32 {
        u32::MAX
    }

    /// Whether a pair of triangles is. The other answers only save the way to it.
    fn keeps(&self, a: u32, b: u32) -> bool;

    /// Whether two nodes are of one cluster; for the counts.
    #[inline(always)]
    fn is_inside(&self, _a: u32, _b: u32) -> bool {
        false
    }
}

/// Keeps every pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoMask;

impl Mask for NoMask {
    #[inline(always)]
    fn keeps(&self, _a: u32, _b: u32) -> bool {
        true
    }
}

/// Without a mask, every pair is kept.
impl<M: Mask> Mask for Option<M> {
    #[inline(always)]
    fn within(&self, node: u32) -> bool {
        self.as_ref().is_none_or(|mask| mask.within(node))
    }

    #[inline(always)]
    fn slots(&self, a: u32, b: u32) -> u32 {
        self.as_ref().map_or(u32::MAX, |mask| mask.slots(a, b))
    }

    #[inline(always)]
    fn slots_with(&self, node: u32, triangle: u32) -> u32 {
        self.as_ref().map_or(u32::MAX, |mask| mask.slots_with(node, triangle))
    }

    #[inline(always)]
    fn keeps(&self, a: u32, b: u32) -> bool {
        self.as_ref().is_none_or(|mask| mask.keeps(a, b))
    }

    #[inline(always)]
    fn is_inside(&self, a: u32, b: u32) -> bool {
        self.as_ref().is_some_and(|mask| mask.is_inside(a, b))
    }
}
