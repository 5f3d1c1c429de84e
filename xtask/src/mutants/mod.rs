//! `cargo xtask mutants`: checks that the tests detect defects in lines that correctness depends
//! on.
//!
//! A mutant is such a defect: a zero error bound, a missing test, a stale value. All of them are
//! put into one copy of the workspace, each behind a switch controlled by an environment variable,
//! so the copy is compiled once. Then the tests that should detect a mutant are run with it
//! switched on. If they pass, it has survived, and a test is missing.

mod copy;
mod list;

use std::process::Output;
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};

use crate::shell;

/// The environment variable that selects the active mutant: its position in the list, from 1.
const SWITCH: &str = "OSCULATE_MUTANT";

/// A package that has mutants, and the folder of its sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Package {
    name: &'static str,
    source: &'static str,
}

const LIBRARY: Package = Package { name: "osculate", source: "crates/osculate/src" };
const COMMAND: Package = Package { name: "osculate-cli", source: "crates/osculate-cli/src" };

/// A defect in the library or in the command.
struct Mutant {
    /// A short description of the defect.
    name: &'static str,
    package: Package,
    /// Below the sources of the package.
    file: &'static str,
    /// Texts that occur exactly once in the file, and their replacements. There, `MUTANT` is
    /// whether the mutant is active; if not, the new text must behave like the old one.
    edits: &'static [(&'static str, &'static str)],
    /// The tests that must detect it.
    tests: Tests,
}

enum Tests {
    /// Some of these tests must fail: arguments of `cargo test`, tried in order until one fails.
    Fail(&'static [&'static str]),
    /// No test can detect it: why no answer changes.
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

    // Without a mutant everything must pass, or a failure would prove nothing.
    let mut selections: Vec<(&str, &str)> = chosen
        .iter()
        .flat_map(|(_, mutant)| mutant.selections().iter().map(|selection| (mutant.package.name, *selection)))
        .collect();
    selections.sort_unstable();
    selections.dedup();
    for (package, selection) in selections {
        let output = test(package, selection, 0)?;
        if !output.status.success() {
            let [text, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
            bail!("`cargo test --package {package} {selection}` fails without any mutant:\n{text}{errors}");
        }
    }

    let mut survivors = Vec::new();
    for (number, mutant) in chosen {
        let verdict = match mutant.tests {
            Tests::Equivalent(why) => format!("equivalent: {why}"),
            Tests::Fail(selections) => match killer(mutant.package.name, selections, number)? {
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
fn killer(package: &str, selections: &[&str], number: usize) -> anyhow::Result<Option<String>> {
    for selection in selections {
        let output = test(package, selection, number)?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            let failed =
                text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
            return Ok(Some(failed.unwrap_or(selection).to_owned()));
        }
    }
    Ok(None)
}

/// Runs tests of a package in the copy.
fn test(package: &str, selection: &str, number: usize) -> anyhow::Result<Output> {
    let folder = copy::folder();
    let mut command = shell::cargo(&["test", "--package", package, "--target-dir"]);
    command.arg(folder.join("target")).args(selection.split_whitespace()).current_dir(&folder);
    // The copy is always compiled as a whole.
    command.env("CARGO_INCREMENTAL", "0");
    command.env(SWITCH, number.to_string()).env("OSCULATE_DATA", shell::data_dir());
    command.output().with_context(|| format!("cannot start `{}`", shell::describe(&command)))
}
