//! When a proof that has failed is tried again.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// After how many steps a proof is tried again: one that has failed two, three, four times in a row
/// is skipped for one, three, seven steps. This does not affect which contacts are found.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    /// The number of consecutive failures, plus 16 times the number of steps to skip.
    state: AtomicU8,
}

/// After this many consecutive failures the number of skipped steps is at its maximum.
const MOST_FAILURES: u8 = 4;

impl Patience {
    /// Whether the proof is tried in this step; otherwise, counts the step.
    pub(crate) fn is_due(&self) -> bool {
        let now = self.state.load(Relaxed);
        if 16 <= now {
            self.state.store(now - 16, Relaxed);
        }
        now < 16
    }

    /// Remembers how the proof ended.
    pub(crate) fn remember(&self, is_proven: bool) {
        let n_failures = if is_proven { 0 } else { (self.state.load(Relaxed) + 1).min(MOST_FAILURES) };
        let n_steps = (1u8 << n_failures.saturating_sub(1)) - 1;
        self.state.store(n_failures + 16 * n_steps, Relaxed);
    }
}
