//! `osculate.check`: the report of the command, without printing.

use std::ffi::OsString;

use osculate_io::write::JsonWriter;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{Class, of_command, plain};
use crate::work::run;

/// Check a clip with the arguments of `osculate check`; return the JSON report, and notes.
#[pyfunction]
#[pyo3(signature = (arguments: "list[str]") -> "tuple[bytes, list[str]]")]
pub(crate) fn check(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<(Bound<'_, PyBytes>, Vec<String>)> {
    let with_frames = arguments.iter().any(|argument| argument == "--contacts");
    // As large as can be: the size of the clip is not known yet.
    let checked = run(py, usize::MAX, |stop| {
        let checked = osculate_cli::check(arguments, stop)?;
        let mut json = JsonWriter::new(Vec::new(), with_frames);
        for frame in &checked.frames {
            json.frame(frame)?;
        }
        anyhow::Ok((json.finish(&checked.report)?, checked.notes))
    })?;
    match checked {
        Ok((json, notes)) => Ok((PyBytes::new(py, &json), notes)),
        Err(error) if error.is::<std::io::Error>() => Err(plain(py, Class::File, format!("{error:#}"))),
        Err(error) => Err(of_command(py, &error)),
    }
}
