//! Results, delivered as they are found.

/// Receives results as they are found, from all workers concurrently and in no fixed order, and
/// controls the rest of the search.
///
/// Implemented for closures. For ready-made sinks that collect and sort, see [`Want`](crate::Want).
pub trait Sink<T>: Sync {
    /// Receives one result.
    fn take(&self, found: &T) -> Next;
}

/// How a search continues after a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Continue unchanged.
    Continue,
    /// Contacts that begin after this time are no longer needed; some may still be reported. A time
    /// later than an earlier one has no effect, nor has any time in a search for crossings.
    Until(f64),
    /// Stop. Other workers may each report a few more results before they notice.
    Stop,
}

impl<T, F: Fn(&T) -> Next + Sync> Sink<T> for F {
    fn take(&self, found: &T) -> Next {
        self(found)
    }
}
