//! Runs the tasks of a data set, a few beside each other.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io::IsTerminal as _, thread};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::store::Store;
use super::task::{self, Outcome, State};
use super::{glob, key, summary};
use crate::check::Args;
use crate::check::known::Known;
use crate::check::rules::Baseline;
use crate::words::counted;
use crate::{Listen, Report, terminal, threads};

/// The work of `osculate check --many`, in parts, for programs that divide it among processes or
/// machines by themselves.
pub struct Many {
    args: Args,
    store: Store,
    out: PathBuf,
    inputs: Vec<PathBuf>,
}

impl Many {
    /// Finds the inputs and opens the data set. Fails if options are invalid, if a pattern matches
    /// nothing, or if the data set cannot be written.
    pub(crate) fn new(args: &Args) -> Result<Many> {
        args.validate()?;
        let out = args.many.out.clone().context("--many needs --out FOLDER")?;
        if let Baseline::File(path) = args.rules.baseline() {
            Known::read(&path)?;
        }
        let mut inputs = glob::inputs(&args.source.input)?;
        if let Some(shard) = args.many.shard {
            inputs.retain(|input| shard.has(key::number(input)));
        }
        let store = Store::open(&out, args.contacts)?;
        Ok(Many { args: args.clone(), store, out, inputs })
    }

    /// The files and folders of frames to check, in order.
    #[must_use]
    pub fn inputs(&self) -> &[PathBuf] {
        &self.inputs
    }

    /// Checks those clips of an input that are not in the data set, in the current thread pool, and
    /// puts them there, also those that fail. Ends early if `interrupted` is set, without the clip
    /// it was at. Fails only if the data set cannot be written.
    pub fn check(&self, input: &Path, interrupted: &AtomicBool) -> Result<Vec<Outcome>> {
        task::check(&self.args, &self.store, input, interrupted)
    }

    /// The same, in a thread pool of its own with the number of threads of the options.
    pub fn check_apart(&self, input: &Path, interrupted: &AtomicBool) -> Result<Vec<Outcome>> {
        threads::pool(self.args.threads)?.install(|| self.check(input, interrupted))
    }

    /// Puts an error about a whole input into the data set, for one whose process died. The next
    /// run tries it again.
    pub fn record(&self, input: &Path, problem: &str) -> Result<Outcome> {
        task::record(&self.args, &self.store, input, problem)
    }
}

/// Runs the command.
pub(in crate::check) fn run(args: &Args, listen: Listen) -> Result<Report> {
    let many = Many::new(args)?;
    let interrupted = Arc::new(AtomicBool::new(false));
    listen(interrupted.clone())?;
    let outcomes = many.all(&interrupted)?;
    let n_failed = outcomes.iter().filter(|outcome| outcome.state == State::Failed).count();
    let is_interrupted = interrupted.load(Relaxed);
    let mut problem = None;
    if is_interrupted {
        let done = counted(outcomes.len(), "clip");
        problem =
            Some(format!("interrupted; {done} are in the data set, and the same command adds the others"));
    } else if n_failed != 0 {
        let all = counted(outcomes.len(), "clip");
        problem = Some(format!("{n_failed} of {all} could not be checked; their rows have the errors"));
    }
    Ok(Report {
        text: summary::text(&outcomes, many.inputs.len(), &many.out, args.top, args.quiet),
        found: outcomes.iter().any(|outcome| outcome.fails),
        problem,
        is_interrupted,
        ..Report::default()
    })
}

impl Many {
    /// Checks all inputs, with a thread pool for each of those beside each other. Returns the
    /// outcomes in the order of the inputs.
    fn all(&self, interrupted: &AtomicBool) -> Result<Vec<Outcome>> {
        let n_threads = threads::pool(self.args.threads)?.current_num_threads();
        let n_jobs = self.args.many.jobs.unwrap_or(n_threads).min(self.inputs.len().max(1));
        let bar = progress(self.inputs.len());
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<(usize, Result<Vec<Outcome>>)>> = Mutex::default();
        let has_failed = AtomicBool::new(false);
        let pools: Vec<_> =
            (0..n_jobs).map(|_| threads::pool(Some((n_threads / n_jobs).max(1)))).collect::<Result<_>>()?;
        thread::scope(|scope| {
            for pool in &pools {
                scope.spawn(|| {
                    while !interrupted.load(Relaxed) && !has_failed.load(Relaxed) {
                        let i = next.fetch_add(1, Relaxed);
                        let Some(input) = self.inputs.get(i) else { break };
                        let outcomes = pool.install(|| self.check(input, interrupted));
                        has_failed.fetch_or(outcomes.is_err(), Relaxed);
                        found.lock().unwrap_or_else(PoisonError::into_inner).push((i, outcomes));
                        bar.inc(1);
                    }
                });
            }
        });
        bar.finish_and_clear();
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(i, _)| *i);
        let mut all = Vec::new();
        for (_, outcomes) in found {
            all.extend(outcomes?);
        }
        Ok(all)
    }
}

/// A bar on a terminal; one line otherwise.
fn progress(n: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        terminal::say(&format!("checking {}\n", counted(n, "file")));
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len} files  {per_sec}  {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(n as u64).with_style(style)
}
