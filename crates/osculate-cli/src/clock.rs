//! The clock used for measurements.

use std::sync::LazyLock;
use std::time::Instant;

/// Nanoseconds since the first call.
pub(crate) fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}
