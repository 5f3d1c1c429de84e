//! Checks SARIF reports against the public schema of SARIF 2.1.0, with an independent validator of
//! JSON Schema. The schema is part of a crate, which is fetched by its name and not built.

use std::fs;
use std::process::Command;

use anyhow::Context as _;

use crate::python;
use crate::shell::{self, cargo};

/// A project that depends on the crate with the schema, so that cargo fetches it.
const MANIFEST: &str = "[package]
name = \"schema\"
version = \"0.0.0\"
edition = \"2024\"

[dependencies]
serde-sarif = { version = \"=0.8.0\", default-features = false }

[lib]
path = \"lib.rs\"

[workspace]
";

pub(crate) fn run() -> anyhow::Result<()> {
    let folder = shell::target_dir().join("sarif");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let what = "SARIF reports are valid by the public schema";
    let Some(python) = python::prepare_or_ignore(&folder, &python::SCHEMAS, what)? else { return Ok(()) };
    fs::write(folder.join("Cargo.toml"), MANIFEST)?;
    fs::write(folder.join("lib.rs"), "")?;
    let mut metadata = cargo(&["metadata", "--format-version", "1"]);
    let output = metadata.current_dir(&folder).output().context("cargo metadata")?;
    if !output.status.success() {
        println!("ignored: {what} (the crate serde-sarif cannot be fetched here)\n");
        return Ok(());
    }
    let (packages, report) = (folder.join("packages.json"), folder.join("report.sarif"));
    fs::write(&packages, output.stdout)?;
    // The command as the tests have built it, with all features.
    shell::run(&mut cargo(&["build", "--workspace", "--all-features", "--locked", "--bin", "osculate"]))?;
    // With problems, with parts that cross themselves, with overlaps that are set aside, and clean.
    for arguments in [
        ["--frames", "38..60", "--baseline", "rest"],
        ["--scene", "hand", "--baseline", "none"],
        ["--scene", "hand", "--baseline", "first"],
        ["--frames", "0..2", "--baseline", "rest"],
    ] {
        let mut check = Command::new(shell::target_dir().join("debug/osculate"));
        shell::run(check.arg("check").args(arguments).arg("--sarif").arg(&report))?;
        let script = shell::root().join("xtask/scripts/validate_sarif.py");
        let mut validate = Command::new(&python);
        shell::run(validate.env("PYTHONDONTWRITEBYTECODE", "1").arg(script).arg(&packages).arg(&report))?;
    }
    Ok(())
}
