//! Checks that other tools can read our reports: pyarrow and DuckDB open a Parquet report, and must
//! find the content of the JSON report.

use std::process::Command;

use anyhow::Context as _;

use crate::python;
use crate::shell::{self, cargo};

pub(crate) fn run() -> anyhow::Result<()> {
    let folder = shell::target_dir().join("tables");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let what = "Parquet reports opened by pyarrow and DuckDB";
    let Some(python) = python::prepare_or_ignore(&folder, &python::TABLES, what)? else { return Ok(()) };
    let (json, parquet) = (folder.join("report.json"), folder.join("report.parquet"));
    // The command as the tests have built it, with all features.
    shell::run(&mut cargo(&["build", "--workspace", "--all-features", "--locked", "--bin", "osculate"]))?;
    let mut check = Command::new(shell::target_dir().join("debug/osculate"));
    check.args(["check", "--frames", "38..46", "--continuous", "--contacts"]);
    shell::run(check.arg("--json").arg(&json).arg("--parquet").arg(&parquet))?;
    let script = shell::root().join("xtask/scripts/read_tables.py");
    let mut read = Command::new(python);
    shell::run(read.env("PYTHONDONTWRITEBYTECODE", "1").arg(script).arg(json).arg(parquet))
}
