//! A Python environment of its own for the peer, made once.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::shell;

/// Returns the interpreter of an environment in `folder` that has what the peer's script imports.
pub(super) fn prepare(folder: &Path) -> anyhow::Result<PathBuf> {
    let venv = folder.join("venv");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !imports(&python) {
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        shell::run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "ipctk", "numpy"]))?;
    }
    Ok(python)
}

fn imports(python: &Path) -> bool {
    let probe = Command::new(python).args(["-c", "import ipctk, numpy"]).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}
