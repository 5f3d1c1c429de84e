//! Finds the inputs: paths, and patterns of paths.
//!
//! In a pattern, `*` is any text within a name, `?` any character of a name, and `**` any number of
//! folders. As in shells, none of them matches a dot at the beginning of a name. A pattern selects
//! files that can be read; with a slash at its end, folders.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::check::pattern::is_match;
use crate::terminal::shown;

/// Returns the inputs in order, each once. Fails if a pattern matches nothing.
pub(super) fn inputs(given: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in given {
        // A file that is really called so is meant.
        if !has_wildcards(path.as_os_str()) || path.symlink_metadata().is_ok() {
            all.push(cleaned(path));
            continue;
        }
        let n_before = all.len();
        let wants_folders = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        let mut parts: Vec<&OsStr> = path.components().map(Component::as_os_str).collect();
        if parts.last().is_some_and(|last| *last == "**") && !wants_folders {
            parts.push(OsStr::new("*"));
        }
        walk(PathBuf::new(), &parts, wants_folders, &mut all)?;
        let what = if wants_folders { "folder" } else { "file that can be read" };
        ensure!(n_before < all.len(), "{}: there is no {what} that matches", shown(path));
    }
    all.sort();
    all.dedup();
    Ok(all)
}

/// Adds what matches the parts of a pattern below a folder.
fn walk(base: PathBuf, parts: &[&OsStr], wants_folders: bool, found: &mut Vec<PathBuf>) -> Result<()> {
    let [part, rest @ ..] = parts else {
        let fits =
            if wants_folders { base.is_dir() } else { base.is_file() && osculate_io::is_readable(&base) };
        found.extend(fits.then(|| cleaned(&base)));
        return Ok(());
    };
    if !has_wildcards(part) {
        return walk(base.join(part), rest, wants_folders, found);
    }
    let is_deep = *part == "**";
    if is_deep {
        walk(base.clone(), rest, wants_folders, found)?;
    }
    let folder = if base.as_os_str().is_empty() { Path::new(".") } else { &base };
    if !folder.is_dir() {
        return Ok(());
    }
    let context = || shown(folder);
    for entry in fs::read_dir(folder).with_context(context)? {
        let entry = entry.with_context(context)?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        let pattern = part.to_string_lossy();
        if text.starts_with('.') && !pattern.starts_with('.') {
            continue;
        }
        let path = base.join(&name);
        if !is_deep {
            if is_match(&pattern, &text) {
                walk(path, rest, wants_folders, found)?;
            }
        } else if entry.file_type().with_context(context)?.is_dir() {
            // Links are not followed here, so that the walk ends.
            walk(path, parts, wants_folders, found)?;
        }
    }
    Ok(())
}

/// Whether a part of a path is a pattern.
fn has_wildcards(text: &OsStr) -> bool {
    text.as_encoded_bytes().iter().any(|byte| matches!(byte, b'*' | b'?'))
}

/// A path without `.` and doubled slashes: the name of the file in the data set.
fn cleaned(path: &Path) -> PathBuf {
    let parts: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    if parts.as_os_str().is_empty() { PathBuf::from(".") } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_select_files_that_can_be_read_and_folders() {
        let root = std::env::temp_dir().join(format!("osculate-glob-{}", std::process::id()));
        for file in
            ["a.glb", "b/c.glb", "b/d/e.glb", "b/d/.f.glb", ".g/h.glb", "b/i.txt", "b/j.npz", "[k].glb"]
        {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = |patterns: &[&str]| -> Result<Vec<String>> {
            let given: Vec<PathBuf> = patterns.iter().map(|text| root.join(text)).collect();
            let names = inputs(&given)?;
            let name = |path: PathBuf| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            Ok(names.into_iter().map(name).collect())
        };
        assert_eq!(found(&["**/*.glb"]).unwrap(), ["[k].glb", "a.glb", "b/c.glb", "b/d/e.glb"]);
        assert_eq!(found(&["**"]).unwrap(), ["[k].glb", "a.glb", "b/c.glb", "b/d/e.glb", "b/j.npz"]);
        assert_eq!(found(&["*/?.glb"]).unwrap(), ["b/c.glb"]);
        assert_eq!(found(&["*/"]).unwrap(), ["b"]);
        assert_eq!(found(&["b/**/e.glb", "./b//d/e.glb"]).unwrap(), ["b/d/e.glb"]);
        // Names without wildcards are taken as they are, whether they are there or not.
        assert_eq!(found(&["x.glb", "[k].glb", "b/i.txt"]).unwrap(), ["[k].glb", "b/i.txt", "x.glb"]);
        for nothing in ["*.txt", "b/*.txt", "x/*.glb", "**/x.glb", "b/*.glb/"] {
            assert!(found(&[nothing]).unwrap_err().to_string().contains("that matches"), "{nothing}");
        }
        fs::remove_dir_all(&root).unwrap();
    }
}
