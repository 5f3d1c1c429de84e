//! The thread pool.

use std::env;
use std::thread::available_parallelism;

use anyhow::{Context as _, Result, ensure};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::terminal::Audience;

/// Maximum number of threads per processor. More threads only wait for each other: with a thousand
/// times as many, a query of a millisecond takes seconds.
const PER_PROCESSOR: usize = 4;

/// This many threads are always allowed, so that a small machine can show that answers do not
/// depend on their number.
const ALWAYS: usize = 16;

/// Returns a pool with the requested number of threads, by default one per processor (or
/// `RAYON_NUM_THREADS`). Prints a note if the number is reduced to the limit. Fails if zero threads
/// are requested.
pub(crate) fn pool(asked: Option<usize>) -> Result<ThreadPool> {
    pool_for(asked, &Audience::People)
}

/// The same, with the note for an audience.
pub(crate) fn pool_for(asked: Option<usize>, audience: &Audience) -> Result<ThreadPool> {
    ensure!(asked != Some(0), "--threads is 0; it must be at least 1");
    let processors = available_parallelism().map_or(1, usize::from);
    let named = env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).filter(|&n| n != 0);
    let wanted = asked.or(named).unwrap_or(processors);
    let threads = wanted.min(limit(processors));
    if threads < wanted {
        audience.note(&format!(
            "asked for {wanted} threads; using {threads}, the most that is useful on {}",
            crate::words::counted(processors, "processor")
        ));
    }
    ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")
}

/// The maximum number of threads for a number of processors.
fn limit(processors: usize) -> usize {
    processors.saturating_mul(PER_PROCESSOR).max(ALWAYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_limited_by_processors() {
        for (processors, most) in [(1, 16), (2, 16), (4, 16), (8, 32), (64, 256), (usize::MAX, usize::MAX)] {
            assert_eq!(limit(processors), most);
        }
    }
}
