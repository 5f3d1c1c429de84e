//! The `osculate` command: reads the arguments, runs one subcommand, and chooses the exit code.
//!
//! Exit codes, decided in [`main`] and nowhere else: 0, done and nothing to complain about; 1,
//! done, and what was looked for was found (for `check --fail-on-contact`, a contact; for
//! `queries`, a wrong answer); 2, bad usage or bad input, with one sentence on standard error.

mod agreement;
mod auto;
mod bodies;
mod check;
mod clock;
mod clusters;
mod compare;
mod destination;
mod features;
mod frames;
mod memory;
mod options;
mod queries;
mod rig;
mod scene;
mod skin;
mod source;
mod terminal;
mod threads;
mod usage;
mod words;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

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
#[derive(Default)]
struct Report {
    /// All that goes to standard output.
    text: String,
    /// Whether it found what the exit code 1 stands for.
    found: bool,
    /// Whether standard output holds something else, so that the text goes to standard error.
    is_stdout_taken: bool,
    /// What is wrong nevertheless, in a sentence; the exit code is 2 then.
    problem: Option<String>,
}

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(usage) => answer(&usage),
    };
    match outcome.and_then(tell) {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(1),
        Err(error) => {
            terminal::complain(&terminal::sentence(&error));
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<Report> {
    match cli {
        Cli::Check(args) => check::run(&args),
        Cli::Compare(args) => compare::compare(&args),
        Cli::Bench(args) => compare::bench(&args),
        Cli::Queries(args) => queries::run(&args),
        Cli::Scene(args) => scene::run(&args),
    }
}

/// Writes what a report says, and returns whether it found something; fails if something is wrong
/// with it.
fn tell(report: Report) -> anyhow::Result<bool> {
    match report.is_stdout_taken {
        true => terminal::say(&report.text),
        false => terminal::print(&report.text)?,
    }
    report.problem.map_or(Ok(report.found), |problem| Err(anyhow::Error::msg(problem)))
}

/// The help and the version, if they were asked for, else what is wrong with the arguments. Without
/// any, the help is the answer, too, as an error.
fn answer(usage: &clap::Error) -> anyhow::Result<Report> {
    let is_help = usage.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if usage.use_stderr() && !is_help {
        anyhow::bail!(usage::sentence(usage));
    }
    // With styles, if it is a terminal that shows them.
    let printed = usage.print();
    anyhow::ensure!(!is_help, "there is no command");
    terminal::checked(printed)?;
    Ok(Report::default())
}
