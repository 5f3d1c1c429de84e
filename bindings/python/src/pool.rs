//! The threads of the package: a pool of its own for each process.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{Class, plain};

/// The pool and the process that started it. A fork has no threads of its parent, so a pool of the
/// parent would wait forever.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The number of threads asked for; 0 is one per processor.
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// Maximum number of threads.
const MOST: usize = 1024;

/// Returns the pool of this process. Called with the interpreter attached only: with a global lock,
/// no other thread can then hold the mutex while a process forks.
pub(crate) fn pool(_: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((of, pool)) = &*pool
        && *of == process
    {
        return Ok(pool.clone());
    }
    let builder = ThreadPoolBuilder::new().num_threads(ASKED.load(Relaxed));
    let builder = builder.thread_name(|i| format!("osculate-{i}"));
    let new =
        builder.build().map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
    let new = Arc::new(new);
    // The pool of the parent is not dropped: its threads, which would have to end, are not here.
    std::mem::forget(pool.replace((process, new.clone())));
    Ok(new)
}

/// Set the number of threads of queries that follow; 0 is one per processor, the default.
///
/// Answers do not depend on it.
#[pyfunction]
pub(crate) fn set_num_threads(py: Python<'_>, n: i64) -> PyResult<()> {
    let Some(n) = usize::try_from(n).ok().filter(|n| (0..=MOST).contains(n)) else {
        let message = format!("{n} threads were asked for; 0 to {MOST} are allowed");
        return Err(plain(py, Class::Osculate, message));
    };
    ASKED.store(n, Relaxed);
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match pool.take() {
        // Ends when the last query that uses it ends.
        Some((process, pool)) if process == std::process::id() => drop(pool),
        other => std::mem::forget(other),
    }
    Ok(())
}

/// Return the number of threads of queries.
#[pyfunction]
pub(crate) fn num_threads(py: Python<'_>) -> PyResult<usize> {
    Ok(pool(py)?.current_num_threads())
}
