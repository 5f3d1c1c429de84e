//! The number of a body.

/// A body of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub(crate) u32);

impl BodyId {
    /// The number of the body: 0 for the first that was added, and so on.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
