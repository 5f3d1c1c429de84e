//! `cargo xtask test`: all checks, the same here and in continuous integration.

use std::time::Instant;

use crate::shell::{self, cargo, has_cargo_command};
use crate::{order, tables, width};

pub(crate) fn run() -> anyhow::Result<()> {
    let start = Instant::now();
    order::run()?;
    width::run()?;
    shell::run(&mut cargo(&["fmt", "--all", "--check"]))?;
    shell::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    if has_cargo_command("nextest") {
        shell::run(&mut cargo(&["nextest", "run", "--workspace"]))?;
    } else {
        shell::run(&mut cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--examples"]))?;
    }
    // Neither of the two runs documentation examples.
    shell::run(&mut cargo(&["test", "--workspace", "--doc"]))?;
    shell::run(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    tables::run()?;
    if has_cargo_command("deny") {
        shell::run(&mut cargo(&["deny", "check", "licenses", "bans", "sources"]))?;
    } else {
        println!("skipped: cargo deny check licenses bans sources (cargo-deny is not installed)\n");
    }
    println!("all checks passed in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
