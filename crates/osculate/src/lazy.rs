//! A value that is computed when it is first asked for, without a lock that is held while it is computed.

use std::sync::OnceLock;

/// A value that is computed at most once by each thread that asks before it is there, and then kept.
///
/// The values are trees that are built with rayon. [`OnceLock::get_or_init`] would hold its lock while they are built: a worker that waits for a part of
/// the build may steal another task, which asks for the same value, and waits for the lock that its own thread holds. Here nobody waits. Threads that ask at the same time
/// each compute the value, and the first result is kept; [`World`](crate::World) asks once for each model before its bodies
/// do so in parallel, so that this is rare.
#[derive(Clone, Debug)]
pub(crate) struct Lazy<T>(OnceLock<T>);

impl<T> Lazy<T> {
    /// Nothing is computed yet.
    pub(crate) const fn new() -> Lazy<T> {
        Lazy(OnceLock::new())
    }

    /// The value, if it is there.
    pub(crate) fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// Returns the value. `compute` is deterministic, so it does not matter whose result is kept.
    pub(crate) fn get_or_compute(&self, compute: impl FnOnce() -> T) -> &T {
        if let Some(value) = self.0.get() {
            return value;
        }
        let value = compute();
        self.0.get_or_init(|| value)
    }
}

impl<T> From<T> for Lazy<T> {
    fn from(value: T) -> Lazy<T> {
        Lazy(OnceLock::from(value))
    }
}
