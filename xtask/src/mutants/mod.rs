//! `cargo xtask mutants`: do the tests notice when a line that safety rests on is wrong?
//!
//! A mutant is such a line with a defect: an error bound of zero, a test left out, a stale value
//! kept. All of them are put into one copy of the workspace, each behind a switch that an
//! environment variable turns on, so the copy is compiled once. Then the tests that should notice a
//! mutant are run with it turned on. If they pass, it has survived, and a test is missing.

mod copy;
mod list;

use std::process::Output;
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};

use crate::shell;

/// The environment variable that says which mutant is on: its place in the list, from 1.
const SWITCH: &str = "OSCULATE_MUTANT";

/// A defect that is put into the library.
struct Mutant {
    /// What is wrong with it, in a few words.
    name: &'static str,
    /// Below `crates/osculate/src`.
    file: &'static str,
    /// Texts that the file has once each, and what takes their place. There, `MUTANT` stands for
    /// whether the mutant is on; where it is not, the new text must do what the old one does.
    edits: &'static [(&'static str, &'static str)],
    /// Who must notice.
    tests: Tests,
}

enum Tests {
    /// Some test of these must fail: arguments of `cargo test`, taken in order until one fails.
    Fail(&'static [&'static str]),
    /// No test can: why no answer changes.
    Equivalent(&'static str),
}

/// Runs the mutants whose name or file contains `filter`.
pub(crate) fn run(filter: &str) -> anyhow::Result<()> {
    let start = Instant::now();
    let chosen: Vec<(usize, &Mutant)> = (1..)
        .zip(list::all())
        .filter(|(_, mutant)| mutant.name.contains(filter) || mutant.file.contains(filter))
        .collect();
    ensure!(!chosen.is_empty(), "no mutant has `{filter}` in its name or file");
    let folder = copy::make()?;
    println!("a copy with {} mutants is in {}", list::all().count(), folder.display());

    // Without a mutant everything passes, or else a failure would tell nothing.
    let mut selections: Vec<&str> =
        chosen.iter().flat_map(|(_, mutant)| mutant.selections()).copied().collect();
    selections.sort_unstable();
    selections.dedup();
    for selection in selections {
        let output = test(selection, 0)?;
        if !output.status.success() {
            let [text, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
            bail!("`cargo test {selection}` fails without any mutant:\n{text}{errors}");
        }
    }

    let mut survivors = Vec::new();
    for (number, mutant) in chosen {
        let verdict = match mutant.tests {
            Tests::Equivalent(why) => format!("equivalent: {why}"),
            Tests::Fail(selections) => match killer(selections, number)? {
                Some(killer) => format!("killed by {killer}"),
                None => {
                    survivors.push(mutant.name);
                    format!("SURVIVED {selections:?}")
                }
            },
        };
        println!("{number:3} {}: {}: {verdict}", mutant.file, mutant.name);
    }
    println!("done in {:.0} s", start.elapsed().as_secs_f64());
    ensure!(survivors.is_empty(), "{} survived: {}", survivors.len(), survivors.join("; "));
    Ok(())
}

impl Mutant {
    fn selections(&self) -> &'static [&'static str] {
        match self.tests {
            Tests::Fail(selections) => selections,
            Tests::Equivalent(_) => &[],
        }
    }
}

/// The first test that fails with a mutant.
fn killer(selections: &[&str], number: usize) -> anyhow::Result<Option<String>> {
    for selection in selections {
        let output = test(selection, number)?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            let failed =
                text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
            return Ok(Some(failed.unwrap_or(selection).to_owned()));
        }
    }
    Ok(None)
}

/// Runs tests of the library in the copy.
fn test(selection: &str, number: usize) -> anyhow::Result<Output> {
    let folder = copy::folder();
    let mut command = shell::cargo(&["test", "--package", "osculate", "--target-dir"]);
    command.arg(folder.join("target")).args(selection.split_whitespace()).current_dir(&folder);
    // The copy is compiled as a whole or not at all.
    command.env("CARGO_INCREMENTAL", "0");
    command.env(SWITCH, number.to_string()).env("OSCULATE_DATA", shell::data_dir());
    command.output().with_context(|| format!("cannot start `{}`", shell::describe(&command)))
}
