//! The private extension module of the Python package `osculate`: its classes and functions take
//! arrays that `osculate/_arrays.py` has made C-contiguous f64 or u32, and return columns.
//!
//! No call panics across the border: errors are exceptions (`errors.rs`), and work that panics
//! raises `RuntimeError` (`work.rs`).

mod arrays;
mod check;
mod columns;
mod command;
mod errors;
mod latch;
mod many;
mod model;
mod pool;
mod query;
mod work;
mod world;

/// The names of the module.
#[pyo3::pymodule(gil_used = false)]
mod _osculate {
    #[pymodule_export]
    use crate::arrays::address;
    #[pymodule_export]
    use crate::check::{check, check_frames};
    #[pymodule_export]
    use crate::command::main;
    #[pymodule_export]
    use crate::many::{many_check, many_inputs, many_record};
    #[pymodule_export]
    use crate::model::{Mesh, Model, Skin};
    #[pymodule_export]
    use crate::pool::{num_threads, set_num_threads};
    #[pymodule_export]
    use crate::query::methods;
    #[pymodule_export]
    use crate::world::{World, contacts_batch};

    /// How a baseline file starts.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name of Python")]
    const baseline_head: &str = osculate_cli::BASELINE_HEAD;

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name of Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
