//! The `osculate` command as a library, for the program of that name and for the Python package:
//! [`run`] reads the arguments, runs one subcommand, and returns the exit code.
//!
//! Exit codes, decided only in [`run`]: 0, success; 1, success with findings (for
//! `check --fail-on …`, what it names; for `queries`, a wrong answer); 2, bad usage or bad input,
//! with one sentence on standard error; 130, interrupted, with what was finished.

mod agreement;
mod bodies;
mod check;
mod clock;
mod clusters;
mod compare;
mod destination;
mod features;
mod frames;
mod governors;
mod gpu;
mod memory;
mod options;
mod queries;
mod rig;
mod scene;
mod source;
mod terminal;
mod threads;
mod usage;
mod words;

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use clap::Parser;
use clap::error::ErrorKind;
use osculate_io::Clip;

pub use check::{BASELINE_HEAD, Place};

#[cfg(feature = "parquet")]
pub use check::{Many, Outcome, State};

/// Exact collision detection for deforming triangle meshes.
#[derive(Parser)]
#[command(name = "osculate", version, arg_required_else_help = true)]
enum Cli {
    Check(Box<check::Args>),
    Compare(Box<compare::CompareArgs>),
    Bench(Box<compare::BenchArgs>),
    Queries(queries::Args),
    Scene(scene::Args),
}

/// The result of a subcommand that ran to its end.
#[derive(Default)]
struct Report {
    /// Text for standard output.
    text: String,
    /// Whether the exit code is 1.
    found: bool,
    /// Whether a report went to standard output, so that the text goes to standard error.
    is_stdout_taken: bool,
    /// A problem with the results, in a sentence; the exit code is then 2.
    problem: Option<String>,
    /// Whether the user interrupted; the exit code is then 130.
    is_interrupted: bool,
}

/// Arranges that an interrupt by the user sets a flag; called by subcommands that then end with
/// partial results. Without such a call, an interrupt ends the process as it would anyway.
pub type Listen<'a> = &'a dyn Fn(Arc<AtomicBool>) -> anyhow::Result<()>;

/// Runs the command with `arguments`, of which the first one is the name of the program, and
/// returns its exit code. Messages go to standard output and standard error.
pub fn run(arguments: impl IntoIterator<Item = OsString>, listen: Listen) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let outcome = match Cli::try_parse_from(&arguments) {
        Ok(cli) => subcommand(cli, words::command(&arguments), listen),
        Err(usage) => answer(&usage),
    };
    let is_interrupted = outcome.as_ref().is_ok_and(|report| report.is_interrupted);
    match outcome.and_then(tell) {
        Ok(false) => 0,
        Ok(true) => 1,
        Err(error) => {
            terminal::complain(&terminal::sentence(&error));
            if is_interrupted { 130 } else { 2 }
        }
    }
}

/// What another thread sees of a check while it runs, and how it ends it.
#[derive(Clone, Debug)]
pub struct Watch<'a> {
    /// Once it is set, the check ends after the current frames, and the report is partial.
    pub interrupted: &'a AtomicBool,
    /// Number of frames that are done.
    pub n_done: Arc<AtomicUsize>,
}

/// What [`check`] or [`check_clip`] found.
#[derive(Debug)]
pub struct Checked {
    /// The report.
    pub report: osculate_io::write::Report,
    /// The contacts and crossings of all frames, with `--contacts`.
    pub frames: Vec<osculate_io::write::Frame>,
    /// Where episodes are in their worst frames, for a clip in memory: pair by pair in the order of
    /// the JSON report, problems first, and the episodes of each in theirs.
    pub places: Vec<Place>,
    /// For each pair, in that order, its entry in a baseline file; [`BASELINE_HEAD`] comes first.
    pub baseline: Vec<String>,
    /// What the command would have printed as notes.
    pub notes: Vec<String>,
}

/// Runs `osculate check` with `arguments`, those after `check`, and returns what was found. Prints
/// nothing.
///
/// Fails with what the command would print as its error.
pub fn check(arguments: impl IntoIterator<Item = OsString>, watch: &Watch) -> anyhow::Result<Checked> {
    check_any(None, arguments, watch)
}

/// The same for a clip in memory instead of an input. No `osculate.toml` is read.
pub fn check_clip(
    clip: Clip,
    arguments: impl IntoIterator<Item = OsString>,
    watch: &Watch,
) -> anyhow::Result<Checked> {
    check_any(Some(clip), arguments, watch)
}

fn check_any(
    clip: Option<Clip>,
    arguments: impl IntoIterator<Item = OsString>,
    watch: &Watch,
) -> anyhow::Result<Checked> {
    let command = ["osculate", "check"].map(OsString::from);
    match Cli::try_parse_from(command.into_iter().chain(arguments)) {
        Ok(Cli::Check(args)) => check::checked(*args, clip, watch),
        Ok(_) => anyhow::bail!("these are no arguments of `osculate check`"),
        Err(usage) => anyhow::bail!(usage::sentence(&usage)),
    }
}

/// Prepares `osculate check --many` with `arguments`, as in [`run`]. Fails if they are invalid, or
/// if they are those of something else.
#[cfg(feature = "parquet")]
pub fn many(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Many> {
    match Cli::try_parse_from(arguments) {
        Ok(Cli::Check(args)) => Many::new(&args),
        Ok(_) => anyhow::bail!("these are not the arguments of `check --many`"),
        Err(usage) => anyhow::bail!(usage::sentence(&usage)),
    }
}

fn subcommand(cli: Cli, command: String, listen: Listen) -> anyhow::Result<Report> {
    match cli {
        Cli::Check(args) => check::run(&args, listen),
        Cli::Compare(args) => compare::compare(*args, command),
        Cli::Bench(args) => compare::bench(*args, command),
        Cli::Queries(args) => queries::run(&args),
        Cli::Scene(args) => scene::run(&args),
    }
}

/// Prints a report and returns whether it found something. Fails if the report has a problem.
fn tell(report: Report) -> anyhow::Result<bool> {
    match report.is_stdout_taken {
        true => terminal::say(&report.text),
        false => terminal::print(&report.text)?,
    }
    report.problem.map_or(Ok(report.found), |problem| Err(anyhow::Error::msg(problem)))
}

/// Prints help or version if requested; otherwise fails with what is wrong with the arguments.
/// Without arguments, prints the help and fails.
fn answer(usage: &clap::Error) -> anyhow::Result<Report> {
    let is_help = usage.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if usage.use_stderr() && !is_help {
        anyhow::bail!(usage::sentence(usage));
    }
    // With styles, if the terminal supports them.
    let printed = usage.print();
    anyhow::ensure!(!is_help, "there is no command");
    terminal::checked(printed)?;
    Ok(Report::default())
}
