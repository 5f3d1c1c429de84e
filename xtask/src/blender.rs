//! The extension for Blender: puts it into one file with the wheel of the Python package, and tests
//! it in Blender as a Python module (`bpy`), without a window.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::python::{self, Environment};
use crate::shell;
use crate::wheel;

/// A version of Blender, with the minor version of Python 3 that its module is for. It takes 350 MB
/// to fetch, and is installed once.
type Blender = (u32, Environment);

/// The one in which every check tests the extension.
const USUAL: Blender = (11, environment("venv-bpy-5.0", &["bpy==5.0.*", "pytest", "numpy"]));
/// The first one that is supported, and the newest: for `cargo xtask soak`.
const OTHERS: [Blender; 2] = [
    (11, environment("venv-bpy-4.2", &["bpy==4.2.*", "pytest", "numpy<2"])),
    (13, environment("venv-bpy-5.2", &["bpy==5.2.*", "pytest", "numpy"])),
];

const fn environment(name: &'static str, packages: &'static [&'static str]) -> Environment {
    Environment { name, packages, probe: "import bpy, numpy, pytest" }
}

/// The folder of the extension, its tests and its license.
fn folder() -> PathBuf {
    shell::root().join("blender")
}

/// The folder of what is made.
fn made() -> anyhow::Result<PathBuf> {
    let made = shell::target_dir().join("blender");
    fs::create_dir_all(&made).with_context(|| format!("cannot create {}", made.display()))?;
    Ok(made)
}

/// Builds the wheel as it is released, and the extension with it; returns its file.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let made = made()?;
    let builder = python::prepare(&made, &python::MATURIN)?;
    let wheel = wheel::build(&builder, &made.join("dist"), &["--release"])?;
    let extension = package(&wheel, &made)?;
    println!("written to {}", extension.display());
    Ok(extension)
}

/// Tests the extension in the usual Blender, with the wheel as tests build it; what cannot be
/// fetched here is reported as ignored.
pub(crate) fn test() -> anyhow::Result<()> {
    test_in(&[USUAL])
}

/// The same in the first Blender that is supported, and in the newest.
pub(crate) fn test_others() -> anyhow::Result<()> {
    test_in(&OTHERS)
}

/// The interpreter with the module of the usual Blender; `None` if it cannot be had here, and
/// `what` is then reported as ignored.
pub(crate) fn interpreter(what: &str) -> anyhow::Result<Option<PathBuf>> {
    prepared(&USUAL, &made()?, what)
}

fn prepared((minor, environment): &Blender, made: &Path, what: &str) -> anyhow::Result<Option<PathBuf>> {
    let what = format!("{what} with {}", environment.packages[0]);
    let name = format!("python3.{minor}");
    let Some((_, interpreter)) = wheel::interpreters().into_iter().find(|(other, _)| *other == name) else {
        println!("ignored: {what} (there is no {name} with venv)\n");
        return Ok(None);
    };
    let python = python::prepare_with(&interpreter, made, environment);
    python::fetched_or_ignore(python, environment.packages, &what)
}

fn test_in(blenders: &[Blender]) -> anyhow::Result<()> {
    let what = "tests of the Blender extension";
    let made = made()?;
    let Some(builder) = python::prepare_or_ignore(&made, &python::MATURIN, what)? else { return Ok(()) };
    let wheel = wheel::build(&builder, &made.join("dist-tests"), &wheel::AS_TESTS)?;
    let extension = package(&wheel, &made.join("tests"))?;
    for blender in blenders {
        let Some(python) = prepared(blender, &made, what)? else { continue };
        // Blender's own files of users, for this run only.
        let resources = made.join("tests/resources");
        let _ = fs::remove_dir_all(&resources);
        fs::create_dir_all(&resources)?;
        let mut tests = Command::new(&python);
        tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]).current_dir(folder());
        tests.env("BLENDER_USER_RESOURCES", &resources).env("OSCULATE_EXTENSION", &extension);
        tests.env("OSCULATE_PICTURES", made.join("pictures").join(blender.1.name));
        shell::run(tests.env("PYTHONDONTWRITEBYTECODE", "1").env("OSCULATE_DATA", shell::data_dir()))?;
    }
    Ok(())
}

/// Writes the extension with a wheel into a folder, as one file; returns its path.
fn package(wheel: &Path, folder_of_file: &Path) -> anyhow::Result<PathBuf> {
    let stage = folder_of_file.join("stage");
    let _ = fs::remove_dir_all(&stage);
    fs::create_dir_all(stage.join("wheels")).with_context(|| format!("cannot create {}", stage.display()))?;
    let name = wheel.file_name().and_then(|name| name.to_str()).context("the wheel has no name")?;
    fs::copy(wheel, stage.join("wheels").join(name))?;
    fs::copy(folder().join("LICENSE"), stage.join("LICENSE"))?;
    for entry in fs::read_dir(folder().join("extension"))? {
        let path = entry?.path();
        if let Some(file) = path.file_name().filter(|_| path.extension().is_some_and(|end| end == "py")) {
            fs::copy(&path, stage.join(file))?;
        }
    }
    let platform = platform(name).with_context(|| format!("Blender has no platform of {name}"))?;
    let version = name.split('-').nth(1).context("the wheel has no version")?;
    let manifest = fs::read_to_string(folder().join("extension/blender_manifest.toml"))?;
    let filled = [("@version@", version), ("@platform@", platform), ("@wheel@", name)]
        .iter()
        .fold(manifest, |text, (place, value)| text.replace(place, value));
    ensure!(!filled.contains('@'), "the manifest has a place that is not filled in");
    fs::write(stage.join("blender_manifest.toml"), filled)?;
    let file = folder_of_file.join(format!("osculate-{version}-{platform}.zip"));
    let _ = fs::remove_file(&file);
    let mut zip = Command::new("python3");
    shell::run(zip.args(["-m", "zipfile", "-c"]).arg(&file).arg(".").current_dir(&stage))?;
    Ok(file)
}

/// Blender's name of the platform of a wheel.
fn platform(wheel: &str) -> Option<&'static str> {
    let known = [
        (["linux", "x86_64"], "linux-x64"),
        (["linux", "aarch64"], "linux-arm64"),
        (["macosx", "arm64"], "macos-arm64"),
        (["macosx", "x86_64"], "macos-x64"),
        (["win", "amd64"], "windows-x64"),
        (["win", "arm64"], "windows-arm64"),
    ];
    let tag = wheel.strip_suffix(".whl")?.rsplit('-').next()?;
    known.into_iter().find(|(words, _)| words.iter().all(|word| tag.contains(word))).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_of_wheels() {
        let of = |tag: &str| platform(&format!("osculate-0.1.0-cp311-abi3-{tag}.whl"));
        assert_eq!(of("manylinux_2_34_x86_64"), Some("linux-x64"));
        assert_eq!(of("macosx_11_0_arm64"), Some("macos-arm64"));
        assert_eq!(of("win_amd64"), Some("windows-x64"));
        assert_eq!(of("manylinux_2_34_s390x"), None);
    }
}
