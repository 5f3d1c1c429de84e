//! Python environments for checks and peers, created once.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::shell;

/// The requirements of a script. Peers pin different versions of the same packages, so each has its
/// own environment.
pub(crate) struct Environment {
    /// Its folder.
    pub(crate) name: &'static str,
    pub(crate) packages: &'static [&'static str],
    /// Python code that succeeds if the packages are installed.
    pub(crate) probe: &'static str,
}

pub(crate) const IPCTK: Environment =
    Environment { name: "venv", packages: &["ipctk", "numpy"], probe: "import ipctk, numpy" };
/// The same in an environment that also gets the wheel of the Python package.
pub(crate) const IPCTK_BESIDE: Environment = Environment { name: "venv-python", ..IPCTK };
pub(crate) const MESHLIB: Environment = Environment {
    name: "venv-meshlib",
    packages: &["meshlib", "numpy"],
    probe: "import meshlib.mrmeshpy, meshlib.mrmeshnumpy, numpy",
};
pub(crate) const BLENDER: Environment = Environment {
    name: "venv-blender",
    packages: &["bpy", "numpy"],
    probe: "import bpy, mathutils.bvhtree, numpy",
};
pub(crate) const COAL: Environment =
    Environment { name: "venv-coal", packages: &["coal", "numpy"], probe: "import coal, numpy" };
pub(crate) const LIBIGL: Environment = Environment {
    name: "venv-libigl",
    packages: &["libigl", "numpy"],
    probe: "import igl.predicates, igl.copyleft.cgal, numpy",
};
pub(crate) const PYMESHLAB: Environment = Environment {
    name: "venv-pymeshlab",
    packages: &["pymeshlab", "numpy"],
    probe: "import pymeshlab, numpy",
};
pub(crate) const NEWTON: Environment = Environment {
    name: "venv-newton",
    packages: &["newton", "warp-lang", "numpy"],
    probe: "import warp, newton, numpy",
};

/// Independent readers of tables.
pub(crate) const TABLES: Environment = Environment {
    name: "venv-tables",
    packages: &["pyarrow", "duckdb"],
    probe: "import pyarrow.parquet, duckdb",
};

/// An independent validator of JSON Schema.
pub(crate) const SCHEMAS: Environment =
    Environment { name: "venv-schemas", packages: &["jsonschema"], probe: "import jsonschema" };
/// What builds the Python package.
pub(crate) const MATURIN: Environment =
    Environment { name: "venv-maturin", packages: &["maturin>=1.16,<2"], probe: "import maturin" };

/// Whether there is a Python that can create environments.
pub(crate) fn is_there() -> bool {
    works(Path::new("python3"), "import venv, ensurepip")
}

/// As [`prepare`], but `None` if the packages cannot be fetched; `what` is then reported as
/// ignored.
pub(crate) fn prepare_or_ignore(
    folder: &Path,
    environment: &Environment,
    what: &str,
) -> anyhow::Result<Option<PathBuf>> {
    if !is_there() {
        println!("ignored: {what} (there is no python3 with venv)\n");
        return Ok(None);
    }
    fetched_or_ignore(prepare(folder, environment), environment.packages, what)
}

/// The result of fetching packages, or `None` if that failed because nothing can be fetched here;
/// `what` is then reported as ignored.
pub(crate) fn fetched_or_ignore<T>(
    result: anyhow::Result<T>,
    packages: &[&str],
    what: &str,
) -> anyhow::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if can_fetch() => Err(error),
        Err(_) => {
            println!("ignored: {what} ({} cannot be fetched here)\n", packages.join(" and "));
            Ok(None)
        }
    }
}

/// Whether pip can fetch a package: one of a few kilobytes that depends on nothing.
fn can_fetch() -> bool {
    let folder = shell::target_dir().join("probe");
    let mut probe = Command::new("python3");
    probe.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"]).arg(&folder).arg("six");
    probe.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Returns the interpreter of an environment in `folder` with the packages of the script.
pub(crate) fn prepare(folder: &Path, environment: &Environment) -> anyhow::Result<PathBuf> {
    prepare_with(Path::new("python3"), folder, environment)
}

/// The same for another Python than the first one of the path.
pub(crate) fn prepare_with(
    interpreter: &Path,
    folder: &Path,
    environment: &Environment,
) -> anyhow::Result<PathBuf> {
    let venv = folder.join(environment.name);
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !works(&python, environment.probe) {
        shell::run(Command::new(interpreter).args(["-m", "venv"]).arg(&venv))?;
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
