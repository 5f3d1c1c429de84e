//! What a walk asks on its way. Bounds are the first plug; these are two others. Each is a type parameter, so that one which is not used costs
//! nothing.

/// Can this patch touch itself at all?
pub(crate) trait Certificate: Sync {
    /// Scratch memory of a worker.
    type Scratch: Default + Send;

    /// Whether [`clears_pair`](Certificate::clears_pair) is worth a call.
    const ASKS_PAIRS: bool;

    /// Whether it is proven that no two triangles below the node touch, in the part of the step that is asked about.
    fn clears(&self, node: u32) -> bool;

    /// What is known of two nodes of which none is below the other.
    fn clears_pair(&self, a: u32, b: u32, scratch: &mut Self::Scratch) -> Verdict;
}

/// What is known of two patches of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No triangle of one touches a triangle of the other.
    Cleared,
    /// Nothing is proven, but patches below them may be worth a test.
    Open,
    /// Nothing is proven, and tests of patches below them are not worth while.
    Hopeless,
}

/// Which pairs of triangles of a body are worth a look?
pub(crate) trait Mask: Sync {
    /// Whether any pair of triangles below the node may be.
    #[inline(always)]
    fn within(&self, _node: u32) -> bool {
        true
    }

    /// Of the pairs of slots of two nodes, or of a node and itself, those below which any pair of triangles may be: bit `WIDTH i + j` for slot i of the first and j of
    /// the second.
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

/// Proves nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoCertificate;

impl Certificate for NoCertificate {
    type Scratch = ();

    const ASKS_PAIRS: bool = false;

    #[inline(always)]
    fn clears(&self, _node: u32) -> bool {
        false
    }

    #[inline(always)]
    fn clears_pair(&self, _a: u32, _b: u32, (): &mut ()) -> Verdict {
        Verdict::Hopeless
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
