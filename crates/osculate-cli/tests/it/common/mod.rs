//! Shared by tests of the command: separate folders, and runs of the command in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use osculate::Method;
use osculate::method::{Guarantee, compared};
use serde_json::Value;

/// An empty, separate folder for one test of a group.
pub(crate) fn folder(group: &str, test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(group).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The result of a run.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the command in a folder.
pub(crate) fn osculate(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the command, which must succeed.
pub(crate) fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let ran = osculate(folder, arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

/// Runs the command, which must fail with one sentence, and returns it.
pub(crate) fn fails(folder: &Path, arguments: &[&str]) -> String {
    let ran = osculate(folder, arguments);
    assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{arguments:?}");
    let sentences: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(sentences.len(), 1, "{arguments:?}: {}", ran.stderr);
    sentences[0].to_owned()
}

/// A profile along which a strip crosses itself twice: its squares 2 and 5, whose triangles are 2
/// or 3 edges apart, and its squares 0 and 9, whose triangles are 8 or 9 edges apart. The first 7
/// points are enough for the first.
pub(crate) const FOLDED: [[f64; 2]; 11] = [
    [0.0, 0.0],
    [1.0, 0.0],
    [2.0, 0.0],
    [3.0, 0.0],
    [3.0, 1.0],
    [2.5, 1.0],
    [2.5, -1.0],
    [2.5, -2.0],
    [1.5, -2.0],
    [0.5, -2.0],
    [0.5, 1.0],
];

/// The triangles and vertices of a strip of squares, 1 wide, along a profile.
pub(crate) fn strip(profile: &[[f64; 2]]) -> (Vec<[u32; 3]>, Vec<[f64; 3]>) {
    let squares = 0..profile.len() as u32 - 1;
    let faces = squares.map(|k| 2 * k).flat_map(|v| [[v, v + 1, v + 2], [v + 1, v + 3, v + 2]]);
    (faces.collect(), profile.iter().flat_map(|&[x, z]| [[x, 0.0, z], [x, 1.0, z]]).collect())
}

/// The names of the methods that guarantee all contacts of a step.
pub(crate) fn complete_methods() -> impl Iterator<Item = String> {
    let is_complete = |method: &Method| method.takes_steps() && method.guarantee() == Guarantee::Complete;
    compared().filter(is_complete).map(|method| method.to_string())
}

/// The JSON in a file.
pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Checks with a method; returns the printed text and the contacts and crossings of each frame.
pub(crate) fn check(folder: &Path, arguments: &[&str], method: &str) -> (String, Vec<[Value; 2]>) {
    let all = [&["check"], arguments, &["--method", method, "--contacts", "--json", "r.json"]].concat();
    let text = succeeds(folder, &all);
    let report = json(&folder.join("r.json"));
    assert_eq!(report["method"], method);
    let frames = report["frames"].as_array().unwrap().iter();
    (text, frames.map(|frame| ["contacts", "crossings"].map(|key| frame[key].clone())).collect())
}

/// Checks that methods find what `bvh` finds, which is not nothing, and print these words.
pub(crate) fn agree(folder: &Path, arguments: &[&str], methods: &[&str], words: impl Fn(&str) -> String) {
    let (_, expected) = check(folder, arguments, "bvh");
    let n_found: usize = expected.iter().flatten().filter_map(Value::as_array).map(Vec::len).sum();
    assert_ne!(n_found, 0, "{arguments:?}");
    for method in methods {
        let (text, found) = check(folder, arguments, method);
        assert!(text.contains(&words(method)), "{arguments:?}: {text}");
        assert!(found == expected, "{arguments:?}: {method}");
    }
}
