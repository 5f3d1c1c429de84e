//! What a walk asks on its way. Bounds are the first plug; these are two others. Each is a type parameter, so that one which is not used costs
//! nothing.

/// Can this patch touch itself at all?
pub(crate) trait Certificate: Sync {
    /// Whether it is proven that no two triangles below the node touch, in the part of the step that is asked about.
    fn clears(&self, node: u32) -> bool;
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
    #[inline(always)]
    fn clears(&self, _node: u32) -> bool {
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
