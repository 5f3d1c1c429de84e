//! The `osculate` command, for the console script and `python -m osculate`.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

use crate::latch::Latch;

/// Runs the `osculate` command with these arguments, of which the first one is the name of the
/// program, and returns its exit code. Messages go to standard output and standard error.
///
/// Ctrl-C makes `check` end with partial reports and code 130; a second one, or one in any other
/// subcommand, ends the process with that code at once.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    let flag: Arc<Mutex<Option<Arc<AtomicBool>>>> = Arc::default();
    let done = Arc::new(Latch::default());
    let worker = thread::spawn({
        let (flag, done) = (flag.clone(), Finally(done.clone()));
        move || {
            let listen = |of_check: Arc<AtomicBool>| {
                *flag.lock().unwrap_or_else(PoisonError::into_inner) = Some(of_check);
                Ok(())
            };
            let code = osculate_cli::run(arguments, &listen);
            drop(done);
            code
        }
    });
    while !py.detach(|| done.wait()) {
        match py.check_signals() {
            Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                let flag = flag.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if flag.is_none_or(|flag| flag.swap(true, Relaxed)) {
                    std::process::exit(130);
                }
            }
            result => result?,
        }
    }
    worker
        .join()
        .map_err(|_| PyRuntimeError::new_err("the command failed; this is a defect, please report it"))
}

/// Sets the latch when dropped, even by a panic.
struct Finally(Arc<Latch>);

impl Drop for Finally {
    fn drop(&mut self) {
        self.0.set();
    }
}
