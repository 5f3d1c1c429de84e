//! Python environments of their own for the peers, made once.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::shell;

/// What a peer needs. Peers pin other versions of the same packages, so each has an environment to itself.
pub(super) struct Environment {
    /// Its folder.
    pub(super) name: &'static str,
    pub(super) packages: &'static [&'static str],
    /// What tells that the packages are there.
    pub(super) probe: &'static str,
}

pub(super) const IPCTK: Environment =
    Environment { name: "venv", packages: &["ipctk", "numpy"], probe: "import ipctk, numpy" };
pub(super) const MESHLIB: Environment = Environment {
    name: "venv-meshlib",
    packages: &["meshlib", "numpy"],
    probe: "import meshlib.mrmeshpy, meshlib.mrmeshnumpy, numpy",
};
pub(super) const BLENDER: Environment = Environment {
    name: "venv-blender",
    packages: &["bpy", "numpy"],
    probe: "import bpy, mathutils.bvhtree, numpy",
};

/// Returns the interpreter of an environment in `folder` that has what the peer's script imports.
pub(super) fn prepare(folder: &Path, environment: &Environment) -> anyhow::Result<PathBuf> {
    let venv = folder.join(environment.name);
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !works(&python, environment.probe) {
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        shell::run(
            Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(environment.packages),
        )?;
    }
    Ok(python)
}

fn works(python: &Path, probe: &str) -> bool {
    let probe = Command::new(python).args(["-c", probe]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}
