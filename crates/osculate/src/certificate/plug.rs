//! The plug of a walk for proofs: can this patch, or this pair of patches, touch itself at all?

use super::cleared::Workspace;

/// What a walk asks about the patches of one body. A walk without proofs has none, and asks
/// nothing.
pub(crate) trait Certificate: Sync {
    /// Whether [`clears_pair`](Certificate::clears_pair) is worth a call.
    fn asks_pairs(&self) -> bool;

    /// Whether it is proven that no two triangles below the node touch, in the part of the step
    /// that is asked about.
    fn clears(&self, node: u32) -> bool;

    /// What is known of two nodes of which none is below the other.
    fn clears_pair(&self, a: u32, b: u32, workspace: &mut Workspace) -> Verdict;
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
