//! Replays the public CCD sample queries with the built command: no answer may be wrong.
//!
//! The files are not part of the project. They are looked for in `$OSCULATE_DATA/ccd-queries`, by default beside
//! the workspace in `shared/data`; where they are missing, the trials are reported as ignored, not as passed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

/// The folders of the data set with the number of queries and of positives in each.
const SETS: [(&str, usize, usize); 5] = [
    ("erleben-cube-cliff-edges", 500, 60),
    ("erleben-spike-hole", 2455, 9),
    ("erleben-spikes", 500, 38),
    ("erleben-wedges", 500, 34),
    ("unit-tests", 324, 160),
];

fn main() -> ExitCode {
    let data = match std::env::var_os("OSCULATE_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    }
    .join("ccd-queries");
    let is_missing = !data.is_dir();

    let mut trials = Vec::new();
    for (set, queries, positives) in SETS {
        let folder = data.join(set);
        trials.push(
            Trial::test(format!("sample_queries::{set}"), move || check(&[folder], queries, positives))
                .with_ignored_flag(is_missing),
        );
    }
    trials.push(
        Trial::test("sample_queries::all", move || check(&SETS.map(|(set, ..)| data.join(set)), 4279, 301))
            .with_ignored_flag(is_missing),
    );
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Replays every file in `folders` in one run of the command and checks the sums and that no answer is wrong.
fn check(folders: &[PathBuf], queries: usize, positives: usize) -> Result<(), Failed> {
    let mut files = Vec::new();
    for folder in folders {
        for kind in ["edge-edge", "vertex-face"] {
            for entry in std::fs::read_dir(folder.join(kind))? {
                files.push(entry?.path());
            }
        }
    }
    files.sort();
    let output = Command::new(env!("CARGO_BIN_EXE_osculate")).arg("queries").args(&files).output()?;
    let text = String::from_utf8(output.stdout)?;
    let printed = format!("{text}{}", String::from_utf8_lossy(&output.stderr));
    let total = text.lines().find(|line| line.contains("total:")).ok_or_else(|| printed.clone())?;
    let cells: Vec<&str> = total.split('|').map(str::trim).collect();
    // The line starts with a border: cells 3 to 7 are queries, positives, missed, invented and rounded.
    let expected = [queries.to_string(), positives.to_string(), "0".into(), "0".into(), "0".into()];
    if cells.get(3..8) != Some(&expected.each_ref().map(String::as_str)[..]) || !output.status.success() {
        return Err(format!("expected {expected:?} and exit code 0, got {}\n{printed}", output.status).into());
    }
    Ok(())
}
