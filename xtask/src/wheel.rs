//! The Python package: builds its wheel, installs it in an environment for each Python from 3.11 on
//! this machine, and runs its tests there. Types are checked on the first of them.
//!
//! `_osculate.pyi`, the types of the extension, is made from the extension by maturin. It is kept
//! beside the sources, so that a plain `pip install` includes it, and is checked to be current.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::python;
use crate::shell::{self, cargo};

/// The minor versions of Python 3 that are looked for; the package supports none before them.
const MINORS: std::ops::RangeInclusive<u32> = 11..=20;

/// Options of Cargo with which dependencies are those of the tests.
pub(crate) const AS_TESTS: [&str; 3] = ["--profile", "dev", "--all-features"];

/// The types of the extension, in the folder of the package.
const STUB: &str = "python/osculate/_osculate.pyi";

/// What the tests need besides the wheel.
const PACKAGES: [&str; 12] = [
    "numpy",
    "pytest",
    "hypothesis",
    "mypy",
    "matplotlib",
    "pyarrow",
    "nanoarrow",
    "duckdb",
    "pandas",
    "polars",
    "dask[distributed]",
    "submitit",
];

/// What they need on the first Python only, as it is large.
const LARGE_PACKAGES: [&str; 1] = ["pyspark"];

pub(crate) fn test() -> anyhow::Result<()> {
    let folder = shell::target_dir().join("wheel");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let what = "tests of the Python package";
    let Some(builder) = python::prepare_or_ignore(&folder, &python::MATURIN, what)? else { return Ok(()) };
    let package = package();
    // The profile and the features of the tests, so that the library is not compiled again.
    let wheel = build(&builder, &folder.join("dist"), &AS_TESTS)?;
    // With the command, what both share is compiled as for the tests: alone, the example would need
    // other builds of the crates that derive errors, and so another one of the library.
    let example = ["--workspace", "--all-features", "--locked", "--bin", "osculate", "--example", "answer"];
    shell::run(cargo(&["build"]).args(example))?;
    ensure!(
        fs::read_to_string(package.join(STUB))? == stub(&builder, &folder.join("stub"))?,
        "{STUB} is not what the extension gives; `cargo xtask stub` writes it again"
    );
    let answer = shell::target_dir().join("debug/examples/answer");
    let mut is_first = true;
    for (name, interpreter) in interpreters() {
        let what = format!("{what} on {name}");
        let large: &[&str] = if is_first { &LARGE_PACKAGES } else { &[] };
        let packages = [&PACKAGES, large].concat();
        let python = environment(&folder.join(&name), &interpreter, &wheel, &packages);
        let Some(python) = python::fetched_or_ignore(python, &packages, &what)? else { continue };
        let run = |arguments: &[&str]| {
            let mut command = Command::new(&python);
            command.arg("-m").args(arguments).current_dir(&package);
            command.env("PYTHONDONTWRITEBYTECODE", "1").env("OSCULATE_REFERENCE", &answer);
            command.env("MYPY_CACHE_DIR", folder.join("mypy"));
            shell::run(command.env("OSCULATE_DATA", shell::data_dir()))
        };
        run(&["pytest", "-q", "-p", "no:cacheprovider", "tests"])?;
        run(&["pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", "--pyargs", "osculate"])?;
        if is_first {
            run(&["mypy", "--strict", "--package", "osculate"])?;
            run(&["mypy", "--strict", "examples"])?;
            // The other modules have their types in their sources.
            run(&["mypy.stubtest", "osculate._osculate"])?;
        }
        is_first = false;
    }
    Ok(())
}

/// The folder of the package.
fn package() -> PathBuf {
    shell::root().join("bindings/python")
}

/// Writes the types of the extension again.
pub(crate) fn write_stub() -> anyhow::Result<()> {
    let folder = shell::target_dir().join("wheel");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let builder = python::prepare(&folder, &python::MATURIN)?;
    let text = stub(&builder, &folder.join("stub"))?;
    let path = package().join(STUB);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The types of the extension, as it is now.
fn stub(python: &Path, folder: &Path) -> anyhow::Result<String> {
    let _ = fs::remove_dir_all(folder);
    let mut make = Command::new(python);
    make.args(["-m", "maturin", "generate-stubs", "--locked"]).args(AS_TESTS).arg("--out").arg(folder);
    shell::run(make.current_dir(package()))?;
    let path = folder.join("osculate/_osculate.pyi");
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// Builds the wheel with options of Cargo into a folder, which has no other one then.
pub(crate) fn build(python: &Path, folder: &Path, options: &[&str]) -> anyhow::Result<PathBuf> {
    let _ = fs::remove_dir_all(folder);
    let mut build = Command::new(python);
    build.args(["-m", "maturin", "build", "--locked"]).args(options).arg("--out").arg(folder);
    shell::run(build.current_dir(package()))?;
    let mut wheels = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(wheels.next().context("maturin built no wheel")??.path())
}

/// Creates an environment with the wheel and the packages; returns its interpreter.
fn environment(venv: &Path, interpreter: &Path, wheel: &Path, packages: &[&str]) -> anyhow::Result<PathBuf> {
    shell::run(Command::new(interpreter).args(["-m", "venv", "--clear"]).arg(venv))?;
    let python = venv.join("bin/python");
    let pip = ["-m", "pip", "install", "--quiet"];
    shell::run(Command::new(&python).args(pip).args(packages).arg(wheel))?;
    Ok(python)
}

/// The Pythons of this machine, one of each version, in the PATH and of pyenv.
pub(crate) fn interpreters() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    for minor in MINORS {
        let name = format!("python3.{minor}");
        let of_pyenv = fs::read_dir(home.join(".pyenv/versions")).into_iter().flatten().flatten();
        let of_pyenv = of_pyenv.map(|version| version.path().join("bin").join(&name));
        let all = std::iter::once(PathBuf::from(&name)).chain(of_pyenv);
        found.extend(all.into_iter().find(|python| works(python)).map(|python| (name, python)));
    }
    found
}

fn works(python: &Path) -> bool {
    let probe = Command::new(python).args(["-c", "import venv, ensurepip"]).output();
    probe.is_ok_and(|output| output.status.success())
}
