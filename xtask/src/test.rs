//! `cargo xtask test`: all checks, the same here and in continuous integration.

use std::time::Instant;

use crate::shell::{self, cargo, has_cargo_command};
use crate::{blender, exchange, gpu, instructions, msrv, order, page, sarif, tables, wheel, width};

/// Runs all checks; if `is_quick`, without those that take long and rarely fail for a change:
/// the tests of the slow profile, documentation, reports read by other tools, the Python package,
/// the extension for Blender, and pages in a browser.
pub(crate) fn run(is_quick: bool) -> anyhow::Result<()> {
    let start = Instant::now();
    order::run()?;
    width::run()?;
    msrv::run()?;
    shell::run(&mut cargo(&["fmt", "--all", "--check"]))?;
    // `--locked` everywhere: a check does not change the versions of dependencies.
    let all = ["--workspace", "--all-features", "--locked"];
    shell::run(cargo(&["clippy", "--all-targets"]).args(all).args(["--", "-D", "warnings"]))?;
    gpu::install_driver();
    if has_cargo_command("nextest") {
        let profile = if is_quick { "quick" } else { "default" };
        shell::run(cargo(&["nextest", "run", "--profile", profile]).args(all))?;
    } else {
        shell::run(cargo(&["test", "--lib", "--bins", "--tests", "--examples"]).args(all))?;
    }
    if !is_quick {
        // Neither of the two runs documentation examples.
        shell::run(cargo(&["test", "--doc"]).args(all))?;
        shell::run(cargo(&["doc", "--no-deps"]).args(all).env("RUSTDOCFLAGS", "-D warnings"))?;
        tables::run()?;
        instructions::check()?;
        sarif::run()?;
        wheel::test()?;
        blender::test()?;
        page::test()?;
        exchange::run()?;
        if has_cargo_command("deny") {
            shell::run(&mut cargo(&["deny", "--locked", "check", "licenses", "bans", "sources"]))?;
        } else {
            println!("ignored: cargo deny check licenses bans sources (cargo-deny is not installed)\n");
        }
    }
    let which = if is_quick { "quick" } else { "all" };
    println!("{which} checks passed in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
