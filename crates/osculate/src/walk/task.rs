//! A task: a part of a walk that is still to be done.

/// All pairs of triangles below one or two nodes.
///
/// In trees with four children per node, which store the bounds of children with their parent, the
/// numbers of [`Between`](Task::Between) and [`Near`](Task::Near) are slots; in trees with any
/// number of children they are nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// All pairs below a node of the first side.
    Within(u32),
    /// All pairs between one of the first side and one of the second; their bounds overlap.
    Between(u32, u32),
    /// The same for two nodes that may be cleared as a pair.
    Near(u32, u32),
}

/// The indices of the bits that are set, ascending.
#[inline(always)]
pub(super) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let k = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(k)
    })
}
