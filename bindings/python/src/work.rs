//! Runs work without the interpreter, so that other threads of Python go on and Ctrl-C is heard.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::latch::Latch;
use crate::pool::pool;

/// Work on fewer triangles than this is done by the calling thread: to wake the threads of a pool
/// takes about 0.03 ms, and they must save more. (Times in a pool of two as multiples of those of
/// the calling thread, with two free cores and with busy ones. Contacts of folded sheets: 1.19 and
/// 1.19 for 98 triangles, 1.08 and 1.10 for 242, 0.81 and 1.14 for 512, 0.67 and 0.75 for 1,058. Of
/// sheets that touch nowhere: 1.59 and 1.27, 1.20 and 1.13, 1.09 and 1.08, 0.88 and 1.11.)
const SMALL: usize = 512;

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

/// Runs `work` in the pool, and calls `tick` every now and then, and once at the end. If it raises
/// an exception, the work ends as it does for a signal.
pub(crate) fn run_with<T: Send>(
    py: Python<'_>,
    tick: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    run_in_pool(py, &Mutex::new(()), tick, |(), stop| work(stop))
}

/// The same for work on data behind a lock. The calling thread takes the lock: a thread of the pool
/// that took it could, while it waits for others, start work that takes it again.
pub(crate) fn run_on<L: Send, T: Send>(
    py: Python<'_>,
    n_triangles: usize,
    data: &Mutex<L>,
    work: impl FnOnce(&mut L, &AtomicBool) -> T + Send,
) -> PyResult<T> {
    if n_triangles < SMALL {
        let stop = AtomicBool::new(false);
        let result = py.detach(|| {
            let mut data = data.lock().unwrap_or_else(PoisonError::into_inner);
            caught(|| osculate::on_this_thread(|| work(&mut data, &stop)))
        });
        return result.map_err(defect);
    }
    run_in_pool(py, data, |_| Ok(()), work)
}

fn run_in_pool<L: Send, T: Send>(
    py: Python<'_>,
    data: &Mutex<L>,
    mut tick: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    work: impl FnOnce(&mut L, &AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
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
            let mut look = || {
                if raised.is_none() {
                    raised = Python::attach(|py| py.check_signals().and_then(|()| tick(py))).err();
                    stop.store(raised.is_some(), Relaxed);
                }
            };
            while !done.wait() {
                look();
            }
            look();
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
