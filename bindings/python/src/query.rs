//! The options of queries.

use osculate::{Query, Results, method};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Class, of_library, plain};

/// The options of a query by their names in Python; `None` is the default of the library.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    method: Option<String>,
    results: Option<String>,
    min_separation: Option<f64>,
    time_width: Option<f64>,
    exclude_rings: Option<u32>,
    exclude_close_at_rest: bool,
}

impl Options {
    /// The query with these options.
    pub(crate) fn query(&self, py: Python<'_>) -> PyResult<Query<'static>> {
        let mut query = Query::default().exclude_close_at_rest(self.exclude_close_at_rest);
        if let Some(name) = &self.method {
            query = query.method(name.parse().map_err(|error| of_library(py, &error))?);
        }
        if let Some(results) = &self.results {
            query = query.results(match results.as_str() {
                "all" => Results::All,
                "earliest" => Results::Earliest,
                "any" => Results::Any,
                "count" => Results::Count,
                other => {
                    let message =
                        format!("there are no results {other:?}; there are all, earliest, any, count");
                    return Err(plain(py, Class::Osculate, message));
                }
            });
        }
        if let Some(distance) = self.min_separation {
            query = query.min_separation(distance);
        }
        if let Some(width) = self.time_width {
            query = query.time_width(width);
        }
        Ok(query.exclude_rings(self.exclude_rings.unwrap_or(query.exclude_rings)))
    }
}

/// Return the methods: for each name, a line about it, and its options with a line about each.
#[pyfunction]
#[pyo3(signature = () -> "dict[str, tuple[str, dict[str, str]]]")]
pub(crate) fn methods(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for facts in method::registry() {
        let options = PyDict::new(py);
        for option in facts.options() {
            options.set_item(option.name, option.line)?;
        }
        all.set_item(facts.name, (facts.line, options))?;
    }
    Ok(all)
}
