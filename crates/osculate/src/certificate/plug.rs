//! The certificate plug of a traversal: whether a patch, or a pair of patches, may self-collide.

use super::cleared::Workspace;

/// Proofs about the patches of one body. A traversal without proofs has no certificate.
pub(crate) trait Certificate: Sync {
    /// Whether [`clears_pair`](Certificate::clears_pair) is worth a call.
    fn asks_pairs(&self) -> bool;

    /// Whether it is proven that no two triangles below the node touch in the relevant part of the
    /// step.
    fn clears(&self, node: u32) -> bool;

    /// The verdict about two nodes, neither of which is below the other.
    fn clears_pair(&self, a: u32, b: u32, workspace: &mut Workspace) -> Verdict;
}

/// The verdict about two patches of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No triangle of one touches a triangle of the other.
    Cleared,
    /// Nothing is proven, but pairs of patches below them may be worth a test.
    Open,
    /// Nothing is proven, and pairs of patches below them are not worth a test.
    Hopeless,
}
