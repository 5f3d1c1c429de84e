//! Results, delivered as they are found.

/// Takes results as they are found: a callback.
///
/// All workers call it, at the same time and in no fixed order; each result is handed over once. A
/// result that is found after the sink asked to stop may still come. What is collected has to be
/// sorted by the caller, if the order matters; [`World::contacts`](crate::World::contacts) does so.
///
/// Implemented for closures that return a [`SinkFlow`].
pub trait Sink<T>: Sync {
    /// Takes one result, and returns how the search goes on.
    fn take(&self, found: &T) -> SinkFlow;
}

/// How a search continues after a result.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SinkFlow {
    /// As before: all other results will come.
    Continue,
    /// Contacts with a `lo` after this time need not come; those before it will. A time that is
    /// later than one given before changes nothing. In a search for crossings, the same as
    /// [`Continue`](SinkFlow::Continue).
    Until(f64),
    /// No other result needs to come. Workers that have found one already may still hand it over.
    Stop,
}

impl<T, F: Fn(&T) -> SinkFlow + Sync> Sink<T> for F {
    fn take(&self, found: &T) -> SinkFlow {
        self(found)
    }
}
