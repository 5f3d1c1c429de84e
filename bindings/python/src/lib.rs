//! The private extension module of the Python package `osculate`.

mod command;
mod latch;

/// The names of the module.
#[pyo3::pymodule(gil_used = false)]
mod _osculate {
    #[pymodule_export]
    use crate::command::main;

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name of Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
