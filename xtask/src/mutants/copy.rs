//! The copy of the workspace that contains all mutants.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::{COMMAND, LIBRARY, Mutant, Package, SWITCH, list};
use crate::shell;

/// The copied parts of the workspace: all that Cargo needs to test the packages.
const COPIED: [&str; 6] = ["Cargo.toml", "Cargo.lock", "bindings", "crates", "docs", "xtask"];

/// The packages that have mutants.
const PACKAGES: [Package; 2] = [LIBRARY, COMMAND];

/// The folder of the copy.
pub(super) fn folder() -> PathBuf {
    shell::target_dir().join("mutants")
}

/// Makes or updates the copy; returns its folder. Unchanged files are not written, so that only
/// changes are recompiled.
pub(super) fn make() -> anyhow::Result<PathBuf> {
    let (root, folder) = (shell::root(), folder());
    let mut wanted = HashSet::new();
    for name in COPIED {
        for path in files(&root.join(name))? {
            let relative = path.strip_prefix(&root)?.to_owned();
            let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            let bytes = match place(&relative) {
                Some((package, file)) => mutated(package, &file, bytes)?,
                None => bytes,
            };
            write(&folder.join(&relative), &bytes)?;
            wanted.insert(relative);
        }
    }
    for package in PACKAGES {
        let switch = Path::new(package.source).join("mutant.rs");
        write(&folder.join(&switch), switch_module().as_bytes())?;
        wanted.insert(switch);
    }
    for name in COPIED {
        for path in files(&folder.join(name))? {
            if !wanted.contains(path.strip_prefix(&folder)?) {
                fs::remove_file(&path).with_context(|| path.display().to_string())?;
            }
        }
    }
    Ok(folder)
}

/// The package that may have mutants in a file of the workspace, and the file below its sources.
fn place(relative: &Path) -> Option<(Package, String)> {
    let of = |package: Package| {
        let file = relative.strip_prefix(package.source).ok()?;
        Some((package, file.to_string_lossy().replace('\\', "/")))
    };
    PACKAGES.into_iter().find_map(of)
}

/// The file at a path, or all files below it.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut all = Vec::new();
    for entry in fs::read_dir(path).with_context(|| path.display().to_string())? {
        let entry = entry?.path();
        if entry.file_name().is_none_or(|name| name != "target" && name != "node_modules") {
            all.extend(files(&entry)?);
        }
    }
    Ok(all)
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let parent = path.parent().context("a file is in a folder")?;
    fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// A file of a package with its mutants.
fn mutated(package: Package, file: &str, bytes: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let of_file: Vec<(usize, &Mutant)> = (1..)
        .zip(list::all())
        .filter(|(_, mutant)| (mutant.package, mutant.file) == (package, file))
        .collect();
    if of_file.is_empty() && file != "lib.rs" {
        return Ok(bytes);
    }
    let mut text = splice(&String::from_utf8(bytes)?, &of_file)?;
    if file == "lib.rs" {
        text.push_str("\nmod mutant;\n");
    }
    Ok(text.into_bytes())
}

/// Inserts mutants into a text. Each of their edits must match it exactly once, and no two may
/// overlap.
pub(super) fn splice(text: &str, mutants: &[(usize, &Mutant)]) -> anyhow::Result<String> {
    let mut edits = Vec::new();
    for (number, mutant) in mutants {
        for (old, new) in mutant.edits {
            let n = text.matches(old).count();
            ensure!(n == 1, "{}, `{}`: `{old}` is there {n} times, not once", mutant.file, mutant.name);
            ensure!(new.contains("MUTANT"), "{}, `{}`: `{new}` has no switch", mutant.file, mutant.name);
            let start = text.find(old).unwrap_or_default();
            let new = new.replace("MUTANT", &format!("crate::mutant::is_on({number})"));
            edits.push((start, start + old.len(), new, mutant.name));
        }
    }
    edits.sort_unstable();
    let (mut spliced, mut done) = (String::new(), 0);
    for (start, end, new, name) in edits {
        ensure!(done <= start, "`{name}` overlaps another mutant");
        spliced.push_str(&text[done..start]);
        spliced.push_str(&new);
        done = end;
    }
    spliced.push_str(&text[done..]);
    Ok(spliced)
}

/// The module of the copy that selects the active mutant.
fn switch_module() -> String {
    format!(
        "//! Which mutant is on.

static NUMBER: std::sync::OnceLock<usize> = std::sync::OnceLock::new();

#[inline(always)]
pub(crate) fn is_on(number: usize) -> bool {{
    let read = || std::env::var({SWITCH:?}).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    *NUMBER.get_or_init(read) == number
}}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps the list in sync with the packages.
    #[test]
    fn every_mutant_matches_its_package_once() {
        let mut names = HashSet::new();
        for mutant in list::all() {
            assert!(names.insert(mutant.name), "`{}` is there twice", mutant.name);
            let path = shell::root().join(mutant.package.source).join(mutant.file);
            assert!(path.is_file(), "`{}`: there is no {}", mutant.name, path.display());
        }
        for package in PACKAGES {
            for path in files(&shell::root().join(package.source)).unwrap() {
                let (package, file) = place(path.strip_prefix(shell::root()).unwrap()).unwrap();
                mutated(package, &file, fs::read(&path).unwrap()).unwrap();
            }
        }
    }

    #[test]
    fn bad_edits_are_named() {
        let tests = || super::super::Tests::Fail(&[]);
        let of = |edits| Mutant { name: "m", package: LIBRARY, file: "f.rs", edits, tests: tests() };
        let spliced = |edits| splice("a b c b", &[(7, &of(edits))]).map_err(|error| error.to_string());
        assert_eq!(
            spliced(&[("c", "MUTANT"), ("a", "(MUTANT)")]).unwrap(),
            "(crate::mutant::is_on(7)) b crate::mutant::is_on(7) b"
        );
        assert_eq!(spliced(&[("b", "MUTANT")]).unwrap_err(), "f.rs, `m`: `b` is there 2 times, not once");
        assert_eq!(spliced(&[("d", "MUTANT")]).unwrap_err(), "f.rs, `m`: `d` is there 0 times, not once");
        assert_eq!(spliced(&[("c", "d")]).unwrap_err(), "f.rs, `m`: `d` has no switch");
        assert_eq!(
            spliced(&[("a b c", "MUTANT"), ("c b", "MUTANT")]).unwrap_err(),
            "`m` overlaps another mutant"
        );
    }
}
