//! `cargo xtask instructions`: counts the instructions of small pieces of work, and compares them
//! with the counts in `xtask/instructions.json`, so that a slow-down is seen in the change that
//! makes it.
//!
//! Valgrind counts; the numbers hardly depend on the machine and on what else it does. They do
//! depend on the compiler, so they are compared only with the version that the file names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

use crate::debian;
use crate::shell;

/// The share by which a count may grow.
const TOLERANCE: f64 = 0.03;

/// The function whose instructions are counted, with all that it calls.
const FUNCTION: &str = "*count_instructions_of*";

type Counts = BTreeMap<String, u64>;

fn file() -> PathBuf {
    shell::root().join("xtask/instructions.json")
}

/// Compares with the file. Reported as ignored where there is no Valgrind, or another compiler.
pub(crate) fn check() -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file()).context("xtask/instructions.json")?;
    let known: Value = serde_json::from_str(&text).context("xtask/instructions.json")?;
    let [compiler, target] = compiler()?;
    if known["rustc"] != compiler.as_str() || known["target"] != target.as_str() {
        println!(
            "ignored: counts of instructions (they are known for rustc {} on {}, and this is {compiler} on {target})\n",
            known["rustc"].as_str().unwrap_or("?"),
            known["target"].as_str().unwrap_or("?"),
        );
        return Ok(());
    }
    let is_ready = has_valgrind() || debian::install("valgrind") && has_valgrind();
    if !is_ready {
        println!("ignored: counts of instructions (there is no valgrind)\n");
        return Ok(());
    }
    let known: Counts = serde_json::from_value(known["instructions"].clone()).context("instructions")?;
    let counts = count()?;
    let faults = faults(&known, &counts);
    print(&known, &counts);
    ensure!(
        faults.is_empty(),
        "{}\nif that is meant to be so, `cargo xtask instructions --update` and say why in the commit",
        faults.join("\n")
    );
    Ok(())
}

/// Writes the file again.
pub(crate) fn update() -> anyhow::Result<()> {
    ensure!(has_valgrind(), "there is no valgrind");
    let counts = count()?;
    let [rustc, target] = compiler()?;
    let page = json!({ "rustc": rustc, "target": target, "instructions": counts });
    std::fs::write(file(), serde_json::to_string_pretty(&page)? + "\n").context("xtask/instructions.json")
}

/// What is wrong with counts, compared with those that are known.
fn faults(known: &Counts, counts: &Counts) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, &count) in counts {
        match known.get(name) {
            None => faults.push(format!("{name}: is not in xtask/instructions.json")),
            Some(&before) if (1.0 + TOLERANCE) * (before as f64) < count as f64 => {
                let share = 100.0 * (count as f64 / before as f64 - 1.0);
                faults.push(format!("{name}: {count} instructions, {share:.1} % more than {before}"));
            }
            Some(_) => {}
        }
    }
    let gone = known.keys().filter(|name| !counts.contains_key(*name));
    faults.extend(gone.map(|name| format!("{name}: is in xtask/instructions.json, and is not measured")));
    faults
}

/// Prints a line for each piece of work.
fn print(known: &Counts, counts: &Counts) {
    for (name, &count) in counts {
        let before = known.get(name).copied().unwrap_or(count);
        let share = 100.0 * (count as f64 / before as f64 - 1.0);
        println!("  {name:20} {:8.2} million instructions, {share:+.2} %", 1e-6 * count as f64);
    }
    println!();
}

/// Counts the instructions of all pieces of work.
fn count() -> anyhow::Result<Counts> {
    let bench = shell::build_bench("osculate-scenes", "instructions")?;
    let names = Command::new(&bench).output().context("cannot start the bench")?;
    let names = String::from_utf8(names.stdout).context("names are no text")?;
    ensure!(names.lines().next().is_some(), "the bench has no names");
    names.lines().map(|name| Ok((name.to_owned(), count_one(&bench, name)?))).collect()
}

fn count_one(bench: &Path, name: &str) -> anyhow::Result<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg(format!("--toggle-collect={FUNCTION}")).arg(bench).arg(name);
    let output = valgrind.output().context("cannot start valgrind")?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{name}: {}", text.trim());
    let collected = text.lines().find_map(|line| line.split_once("Collected : "));
    match collected.and_then(|(_, number)| number.trim().parse().ok()) {
        Some(0) | None => bail!("{name}: valgrind counted nothing: {}", text.trim()),
        Some(count) => Ok(count),
    }
}

fn has_valgrind() -> bool {
    let probe =
        Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

/// The release of the compiler, and the machine that it compiles for.
fn compiler() -> anyhow::Result<[String; 2]> {
    let output = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let text = String::from_utf8(output.stdout).context("rustc printed no text")?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.map(|rest| rest.trim().to_owned()).with_context(|| format!("rustc does not tell its {name}"))
    };
    Ok([field("release:")?, field("host:")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(all: &[(&str, u64)]) -> Counts {
        all.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
    }

    #[test]
    fn growth_beyond_the_tolerance_is_a_fault() {
        let known = counts(&[("a", 1000), ("b", 1000), ("c", 1000)]);
        assert_eq!(faults(&known, &counts(&[("a", 1029), ("b", 500), ("c", 1000)])).len(), 0);
        assert_eq!(faults(&known, &counts(&[("a", 1031), ("b", 1000), ("c", 1000)])).len(), 1);
    }

    #[test]
    fn both_lists_have_the_same_names() {
        let found = faults(&counts(&[("a", 1)]), &counts(&[("b", 1)]));
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
