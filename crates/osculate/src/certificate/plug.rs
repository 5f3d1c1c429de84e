//! The certificate plug of a traversal: whether a patch, or a pair of patches, may self-collide.

use super::cleared::Workspace;
use crate::motion::Line;

/// What a walk asks about the patches of one body, or of two. A walk without proofs has none, and
/// asks nothing. An answer may be computed when it is asked for.
pub(crate) trait Certificate: Sync {
    /// Whether [`clears_pair`](Certificate::clears_pair) is worth a call.
    fn asks_pairs(&self) -> bool;

    /// Whether it is proven that no two triangles below a node of the only body touch, in the part
    /// of the step that is asked about.
    fn clears(&self, node: u32, workspace: &mut Workspace) -> bool;

    /// What is known of two nodes: of two bodies, or of one body and then none below the other.
    fn clears_pair(&self, a: u32, b: u32, workspace: &mut Workspace) -> Verdict;

    /// The first part of [`clears_pair`](Certificate::clears_pair), for walks that place vertices
    /// on demand: what is known without vertices, or what is to be asked once the vertices that
    /// this adds to a list are placed.
    fn weighs_pair(&self, a: u32, b: u32, workspace: &mut Workspace, _vertices: &mut Vec<u32>) -> Weighed {
        Weighed::Known(self.clears_pair(a, b, workspace))
    }

    /// The second part: the vertices that were listed have been placed; `lines` are those of the
    /// body.
    fn confirms_pair(
        &self,
        [a, b]: [u32; 2],
        _asked: Asked,
        _vertices: &[u32],
        _lines: &[Line],
        workspace: &mut Workspace,
    ) -> Verdict {
        self.clears_pair(a, b, workspace)
    }
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

/// What is known of patches before their vertices are placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Weighed {
    Known(Verdict),
    /// A proof may succeed once some vertices are placed.
    Asks(Asked),
}

/// A proof that is to be continued.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Asked {
    /// An axis that all triangles are known to face.
    pub(super) axis: [f32; 3],
}
