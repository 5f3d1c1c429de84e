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

/// Which pairs of triangles are worth a look?
pub(crate) trait Mask: Sync {
    /// Whether the pair is not proven to be apart.
    fn keeps(&self, a: u32, b: u32) -> bool;
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
