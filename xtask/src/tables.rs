//! Checks that other tools can read our reports: pyarrow and DuckDB open a Parquet report, and must
//! find the content of the JSON report.

use std::process::Command;

use anyhow::Context as _;

use crate::python;
use crate::shell::{self, cargo};

pub(crate) fn run() -> anyhow::Result<()> {
    if !python::is_there() {
        println!("skipped: Parquet reports opened by pyarrow and DuckDB (there is no python3 with venv)\n");
        return Ok(());
    }
    let folder = shell::target_dir().join("tables");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let (json, parquet) = (folder.join("report.json"), folder.join("report.parquet"));
    let mut check =
        cargo(&["run", "--quiet", "--package", "osculate-cli", "--", "check", "--frames", "38..46"]);
    shell::run(check.arg("--json").arg(&json).arg("--parquet").arg(&parquet))?;
    let python = python::prepare(&folder, &python::TABLES)?;
    let script = shell::root().join("xtask/scripts/read_tables.py");
    let mut read = Command::new(python);
    shell::run(read.env("PYTHONDONTWRITEBYTECODE", "1").arg(script).arg(json).arg(parquet))
}
