//! A flag that threads can wait for.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often a waiting thread looks at signals.
const POLL: Duration = Duration::from_millis(50);

/// Set once, when work is done.
#[derive(Default)]
pub(crate) struct Latch {
    is_set: Mutex<bool>,
    change: Condvar,
}

impl Latch {
    /// Sets the flag.
    pub(crate) fn set(&self) {
        *self.is_set.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.change.notify_all();
    }

    /// Waits for the flag, but not longer than until signals have to be looked at. Returns whether
    /// it is set.
    pub(crate) fn wait(&self) -> bool {
        let is_set = self.is_set.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.change.wait_timeout_while(is_set, POLL, |is_set| !*is_set);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
