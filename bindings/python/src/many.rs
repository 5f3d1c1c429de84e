//! `osculate.check_many`: the tasks of a data set.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use osculate_cli::{Outcome, State};
use pyo3::prelude::*;

use crate::errors::of_command;
use crate::work::run;

/// What became of a clip: file, clip, state, error, problems, and the share of the worst one.
type Row = (String, Option<String>, &'static str, Option<String>, u32, Option<f64>);

/// Open the data set of `osculate check` with these arguments, which have `--many`; return the
/// inputs, in order.
#[pyfunction]
#[pyo3(signature = (arguments: "list[str]") -> "list[str]")]
pub(crate) fn many_inputs(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<Vec<OsString>> {
    let many = py.detach(|| osculate_cli::many(arguments));
    let many = many.map_err(|error| of_command(py, &error))?;
    Ok(many.inputs().iter().map(|path| path.clone().into_os_string()).collect())
}

/// Check the clips of one input that are not in the data set, and put them there.
#[pyfunction]
#[pyo3(signature = (arguments: "list[str]", path: "str")
    -> "list[tuple[str, str | None, str, str | None, int, float | None]]")]
pub(crate) fn many_check(py: Python<'_>, arguments: Vec<OsString>, path: PathBuf) -> PyResult<Vec<Row>> {
    // As large as can be: the size of the clips is not known yet.
    let outcomes =
        run(py, usize::MAX, |stop| osculate_cli::many(arguments)?.check_apart(Path::new(&path), stop))?;
    Ok(outcomes.map_err(|error| of_command(py, &error))?.into_iter().map(row).collect())
}

/// Put an error about an input into the data set, for one whose process died.
#[pyfunction]
#[pyo3(signature = (arguments: "list[str]", path: "str", problem: "str")
    -> "tuple[str, str | None, str, str | None, int, float | None]")]
pub(crate) fn many_record(
    py: Python<'_>,
    arguments: Vec<OsString>,
    path: PathBuf,
    problem: String,
) -> PyResult<Row> {
    let outcome = py.detach(|| osculate_cli::many(arguments)?.record(&path, &problem));
    outcome.map(row).map_err(|error| of_command(py, &error))
}

fn row(outcome: Outcome) -> Row {
    let Outcome { row, state, .. } = outcome;
    let state = match state {
        State::Checked => "checked",
        State::Skipped => "skipped",
        State::Failed => "failed",
    };
    (row.file, row.clip, state, row.error, row.problems.unwrap_or(0), row.severity_share)
}
