//! Sinks that receive results as they are found.

/// A callback that receives results as they are found.
///
/// All workers call it concurrently and in no fixed order; each result is passed once. Results may
/// still arrive after the sink asked to stop. If the order matters, the caller has to sort;
/// [`World::contacts`](crate::World::contacts) does so.
///
/// Implemented for closures that return a [`SinkFlow`].
pub trait Sink<T>: Sync {
    /// Receives a result, and returns how the search continues.
    fn take(&self, found: &T) -> SinkFlow;
}

/// How a search continues after a result.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SinkFlow {
    /// All other results will be passed.
    Continue,
    /// Contacts with a `lo` after this time need not be passed; those before it will be. A time
    /// later than one given before has no effect. In a search for crossings, the same as
    /// [`Continue`](SinkFlow::Continue).
    Until(f64),
    /// No more results are needed. Workers may still pass some that they have already found.
    Stop,
}

impl<T, F: Fn(&T) -> SinkFlow + Sync> Sink<T> for F {
    fn take(&self, found: &T) -> SinkFlow {
        self(found)
    }
}
