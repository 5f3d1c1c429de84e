//! Results as they are found.

/// Takes results as they are found, from all workers at once and in no fixed order, and says how to
/// go on.
///
/// Implemented for closures. For ready-made sinks that collect and sort, see [`Want`](crate::Want).
pub trait Sink<T>: Sync {
    /// Takes one result.
    fn take(&self, found: &T) -> Next;
}

/// How a search goes on after a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// As before.
    Continue,
    /// Contacts that begin after this time are no longer wanted; some may still come. Nothing is
    /// known about the order of the others. A time that is later than one given before changes
    /// nothing, nor does any time in a search for crossings.
    Until(f64),
    /// Nothing more is wanted. Other workers may each bring a few more before they notice.
    Stop,
}

impl<T, F: Fn(&T) -> Next + Sync> Sink<T> for F {
    fn take(&self, found: &T) -> Next {
        self(found)
    }
}
