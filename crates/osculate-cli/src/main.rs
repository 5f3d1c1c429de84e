//! The `osculate` command: reads the arguments, runs one subcommand, and chooses the exit code.
//!
//! Exit codes, decided in [`main`] and nowhere else: 0, done and nothing to complain about; 1, done, and what was
//! looked for was found (for `check --fail-on-contact`, a contact; for `queries`, a wrong answer); 2, bad usage or bad input, with one sentence on standard
//! error.

mod agreement;
mod bodies;
mod check;
mod clock;
mod clusters;
mod compare;
mod memory;
mod options;
mod queries;
mod rig;
mod scene;
mod skin;
mod source;

use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;

/// Exact collision detection for triangle meshes that deform.
#[derive(Parser)]
#[command(name = "osculate", version, arg_required_else_help = true)]
enum Cli {
    Check(Box<check::Args>),
    Compare(Box<compare::CompareArgs>),
    Bench(Box<compare::BenchArgs>),
    Queries(queries::Args),
    Scene(scene::Args),
}

/// What a subcommand that ran to its end has to say.
struct Report {
    /// All that goes to standard output.
    text: String,
    /// Whether it found what the exit code 1 stands for.
    found: bool,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => {
            // Covers `--help` and `--version`, which are no errors: they print to standard output. When even
            // printing fails there is nobody left to tell.
            let _ = usage.print();
            return if usage.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let outcome = match cli {
        Cli::Check(args) => check::run(&args),
        Cli::Compare(args) => compare::compare(&args),
        Cli::Bench(args) => compare::bench(&args),
        Cli::Queries(args) => queries::run(&args),
        Cli::Scene(args) => scene::run(&args),
    };
    match outcome.and_then(|report| print(&report.text).map(|()| report.found)) {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Writes `text` to standard output; a reader that has seen enough (`| head`) is not an error.
fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to standard output"),
    }
}
