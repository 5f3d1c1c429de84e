//! Runs work without the interpreter, so that other threads of Python go on and Ctrl-C is heard.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::latch::Latch;
use crate::pool::pool;

/// Work on fewer triangles than this is done by the calling thread: it takes about a millisecond,
/// and to wake a thread of the pool costs more than other threads save. (Contacts of folded sheets,
/// by the calling thread and by a pool of two: 0.07 and 0.08 ms for 98 triangles, 0.49 and 0.52 ms
/// for 512, 1.21 and 1.23 ms for 1,058, the same for 2,048.)
const SMALL: usize = 1024;

/// Runs `work` about `n_triangles` triangles in the pool. The calling thread looks at signals
/// meanwhile; if one raises an exception, such as `KeyboardInterrupt`, it sets the flag that `work`
/// gets, waits for the end, and raises it.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    n_triangles: usize,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    run_on(py, n_triangles, &Mutex::new(()), |(), stop| work(stop))
}

/// The same for work on data behind a lock. The calling thread takes the lock: a thread of the pool
/// that took it could, while it waits for others, start work that takes it again.
pub(crate) fn run_on<L: Send, T: Send>(
    py: Python<'_>,
    n_triangles: usize,
    data: &Mutex<L>,
    work: impl FnOnce(&mut L, &AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    if n_triangles < SMALL {
        let result = py.detach(|| {
            let mut data = data.lock().unwrap_or_else(PoisonError::into_inner);
            caught(|| osculate::on_this_thread(|| work(&mut data, &stop)))
        });
        return result.map_err(defect);
    }
    let pool = pool(py)?;
    let result = Mutex::new(None);
    let done = Latch::default();
    let raised = py.detach(|| {
        let mut guard = data.lock().unwrap_or_else(PoisonError::into_inner);
        let (data, result, done, stop) = (&mut *guard, &result, &done, &stop);
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                let of_work = caught(|| work(data, stop));
                *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(of_work);
                done.set();
            });
            let mut raised = None;
            while !done.wait() {
                if raised.is_none() {
                    raised = Python::attach(|py| py.check_signals()).err();
                    stop.store(raised.is_some(), Relaxed);
                }
            }
            raised
        })
    });
    match (raised, result.into_inner().unwrap_or_else(PoisonError::into_inner)) {
        (Some(error), _) => Err(error),
        (None, Some(result)) => result.map_err(defect),
        (None, None) => Err(PyRuntimeError::new_err("the work was lost")),
    }
}

fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic: Box<dyn Any + Send>| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown").to_owned()
    })
}

fn defect(message: String) -> PyErr {
    PyRuntimeError::new_err(format!("a defect of osculate, please report it: {message}"))
}
