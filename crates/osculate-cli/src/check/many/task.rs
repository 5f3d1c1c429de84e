//! The work on one input: each of its clips is checked on its own, and put into the data set.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Context as _, Result, anyhow};
use osculate_io::Clip;
use osculate_io::write::{self, ClipRow};

use super::key::{self, Slot, VERSION};
use super::snapshot::Snapshot;
use super::store::{Store, Writer};
use crate::check::known::Known;
use crate::check::output::Output;
use crate::check::plan::tasks;
use crate::check::progress::Progress;
use crate::check::rules::{Baseline, FailOn};
use crate::check::{Args, Run, Times};
use crate::gpu::Gpu;
use crate::source::Source;
use crate::terminal::{self, Audience};

/// A file that changes while it is read is read again, at most this often.
const ATTEMPTS: usize = 3;

/// What became of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its row in the data set.
    pub row: ClipRow,
    /// Whether it was checked now.
    pub state: State,
    /// Whether it has what `--fail-on` names.
    pub fails: bool,
}

/// Whether a clip was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It was checked.
    Checked,
    /// It was in the data set already.
    Skipped,
    /// It could not be checked; its row has the error.
    Failed,
}

/// Checks the clips of an input that are not in the data set, and puts them there; a clip that
/// cannot be checked gets a row with the error. Returns what is finished if `interrupted` is set
/// meanwhile. Fails only if the data set cannot be written.
pub(super) fn check(
    args: &Args,
    store: &Store,
    input: &Path,
    interrupted: &AtomicBool,
) -> Result<Vec<Outcome>> {
    let file = input.display().to_string();
    let mut work = Work { args, store, input, interrupted, row: ClipRow::default() };
    for _ in 0..ATTEMPTS {
        work.row = ClipRow { file: file.clone(), version: VERSION.to_owned(), ..ClipRow::default() };
        match work.attempt()? {
            Ok(Attempt::Finished(outcomes)) => return Ok(outcomes),
            Ok(Attempt::Changed) => {}
            Err(error) => return work.fail(&error).map(|outcome| vec![outcome]),
        }
    }
    work.fail(&anyhow!("{file}: it is being changed")).map(|outcome| vec![outcome])
}

/// Puts a row with an error about a whole input into the data set.
pub(super) fn record(args: &Args, store: &Store, input: &Path, problem: &str) -> Result<Outcome> {
    let file = input.display().to_string();
    let row = ClipRow { file, version: VERSION.to_owned(), ..ClipRow::default() };
    let work = Work { args, store, input, interrupted: &AtomicBool::new(false), row };
    work.put_error(&Slot::of_file(input), work.row.clone(), &anyhow!("{problem}"))
}

/// One round of work on an input.
enum Attempt {
    Finished(Vec<Outcome>),
    /// The input changed meanwhile.
    Changed,
}

/// An input, read, with what its answers depend on.
struct Opened {
    /// The arguments, with the settings file of the input.
    args: Args,
    /// The baseline file, if there is one.
    known: Option<Known>,
    snapshot: Snapshot,
    source: Source,
}

struct Work<'a> {
    args: &'a Args,
    store: &'a Store,
    input: &'a Path,
    interrupted: &'a AtomicBool,
    /// What is known of all clips.
    row: ClipRow,
}

impl Work<'_> {
    /// Tries once. The inner error is about the input as a whole.
    fn attempt(&mut self) -> Result<Result<Attempt>> {
        let Opened { args, known, snapshot, source } = match self.open() {
            Ok(opened) => opened,
            Err(error) => return Ok(Err(error)),
        };
        let mut outcomes = Vec::new();
        let mut slots = HashSet::new();
        let mut n_named: HashMap<String, usize> = HashMap::new();
        for clip in source.clips {
            let nth = n_named.entry(clip.name.clone()).or_default();
            let slot = Slot::of_clip(self.input, &clip.name, *nth);
            let key = key::key(&self.row.options, &snapshot.hash, &clip.name, *nth);
            *nth += 1;
            slots.insert(slot.clone());
            let there = self.store.row(&slot).filter(|row| row.key == key && row.error.is_none());
            if let Some(row) = there {
                outcomes.push(Work::outcome(row, State::Skipped, &args));
                continue;
            }
            let row = ClipRow { key, clip: Some(clip.name.clone()), ..self.row.clone() };
            let contacts = match self.args.contacts {
                true => Some(self.store.contacts(&slot, &row.key, &row.file)?),
                false => None,
            };
            let mut of_file = known.clone();
            let checked = guarded(&row.file, || self.clip(clip, &args, of_file.as_mut(), contacts));
            if self.interrupted.load(Relaxed) {
                return Ok(Ok(Attempt::Finished(outcomes)));
            }
            if !snapshot.is_current() {
                return Ok(Ok(Attempt::Changed));
            }
            outcomes.push(match checked {
                Ok((report, contacts)) => {
                    let mut row = row;
                    row.set_results(&report, &report.clips[0]);
                    self.store.commit(&slot, &row, Some(&report), contacts)?;
                    Work::outcome(row, State::Checked, &args)
                }
                Err(error) => self.put_error(&slot, row, &error)?,
            });
        }
        if self.args.source.clip.is_none() {
            self.store.keep_only(self.input, &slots)?;
        }
        Ok(Ok(Attempt::Finished(outcomes)))
    }

    /// Reads the input. What is known until something fails is in the row.
    fn open(&mut self) -> Result<Opened> {
        let rules = match self.args.no_config {
            true => self.args.rules.clone(),
            false => self.args.rules.with_file(self.input)?,
        };
        let known = match rules.baseline() {
            Baseline::File(path) => Some(Known::read(&path)?),
            _ => None,
        };
        self.row.options = key::options(self.args, &rules)?;
        let snapshot = Snapshot::take(self.input)?;
        self.row.file_hash = Some(snapshot.hash.clone());
        let mut one = self.args.source.clone();
        one.input = vec![self.input.to_owned()];
        let source = guarded(&self.row.file, || Source::open(&one))?;
        // Notes about single clips would hide all else.
        let args = Args { rules, audience: Audience::Program(Arc::default()), ..self.args.clone() };
        Ok(Opened { args, known, snapshot, source })
    }

    /// Checks a clip as if it were the only one, so that the answer does not depend on others.
    fn clip(
        &self,
        clip: Clip,
        args: &Args,
        of_file: Option<&mut Known>,
        contacts: Option<Writer>,
    ) -> Result<(write::Report, Option<Writer>)> {
        let source = Source::of_clip(&self.row.file, clip);
        let tasks = tasks(args, &source, vec![args.rules.clone()])?;
        let mut run = Run {
            args,
            report: None,
            output: Output::of_dataset(contacts),
            times: Times::default(),
            progress: Progress::new(&tasks, &args.audience),
            gpu: Gpu::default(),
            interrupted: self.interrupted,
            news: String::new(),
        };
        let clip = run.clip(&tasks[0], &source, &mut None, of_file)?.context("interrupted")?;
        let mut report = run.report.context("interrupted")?;
        report.clips.push(clip);
        Ok((report, run.output.of_dataset))
    }

    /// The outcome of a clip with a row.
    fn outcome(row: ClipRow, state: State, args: &Args) -> Outcome {
        let fails = args.fail_on().is_some_and(|condition| match condition {
            FailOn::Any => row.problems.max(row.set_aside).is_some_and(|n| 0 < n),
            FailOn::New => row.problems.is_some_and(|n| 0 < n),
            FailOn::Depth(depth) => row.severity.is_some_and(|severity| depth <= severity),
        });
        Outcome { row, state, fails }
    }

    /// Puts an error about the whole input into the data set, in place of all of its clips.
    fn fail(&self, error: &anyhow::Error) -> Result<Outcome> {
        let slot = Slot::of_file(self.input);
        let outcome = self.put_error(&slot, self.row.clone(), error)?;
        if self.args.source.clip.is_none() {
            self.store.keep_only(self.input, &HashSet::from([slot]))?;
        }
        Ok(outcome)
    }

    fn put_error(&self, slot: &Slot, mut row: ClipRow, error: &anyhow::Error) -> Result<Outcome> {
        row.error = Some(terminal::sentence(error));
        if let Some(osculate_io::Error::Malformed { place, .. }) = error.downcast_ref() {
            row.error_place = Some(place.clone());
        }
        self.store.commit(slot, &row, None, None)?;
        Ok(Outcome { row, state: State::Failed, fails: false })
    }
}

/// Runs `work`; a panic, which is a defect of the program, becomes an error, so that it costs one
/// clip and not all others.
fn guarded<T>(file: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Err(anyhow!("{file}: a defect of this program: {text}"))
    })
}
