//! `osculate check`: where parts of an animated surface pass through each other, in which frames,
//! and how deep.
//!
//! `scan` looks at frames and in between, `join` makes episodes of what it finds, `judge` tells
//! problems from what is known, `people` and `output` print and write the report.

mod args;
mod choices;
mod cleared;
mod depths;
mod filter;
mod found;
mod join;
mod judge;
mod known;
mod many;
mod output;
mod page;
mod painting;
mod paintings;
mod pattern;
mod people;
mod plan;
mod prepare;
mod progress;
mod rigid;
mod rules;
mod scan;
mod sets;
mod sides;
mod surface;
mod toml;
mod verify;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant as Time};

use anyhow::{Context as _, Result, ensure};
use osculate::Stats;
use osculate_io::write::{self, ClipReport};
use osculate_io::{Clip, printable};

use self::found::{Frame, record};
use self::join::Joiner;
use self::judge::{fails, judge};
use self::known::{Known, Scope, Seen};
use self::output::{Output, header};
use self::paintings::Paintings;
use self::plan::{Question, Task, tasks};
use self::progress::Progress;
use self::rules::{Baseline, Rules};
use self::scan::{Batch, Between, Instant, Scan};
use self::surface::Prepared;
use crate::destination::is_stdout;
use crate::gpu::Gpu;
use crate::source::Source;
use crate::terminal::{Audience, Listener};
use crate::words::counted;
use crate::{Checked, Listen, Report, Watch, terminal, threads};

pub(crate) use self::args::Args;
pub use self::known::HEAD as BASELINE_HEAD;
#[cfg(feature = "parquet")]
pub use self::many::{Many, Outcome, State};
pub use self::page::Place;

pub(crate) fn run(args: &Args, listen: Listen) -> Result<Report> {
    args.validate()?;
    if args.many.many {
        return many::run(args, listen);
    }
    let pool = threads::pool(args.threads)?;
    let interrupted = Arc::new(AtomicBool::new(false));
    listen(interrupted.clone())?;
    pool.install(|| check(args, None, &interrupted)).map(|(report, _)| report)
}

/// Checks a clip, or the input that the arguments name, without printing, and returns what was
/// found; see [`crate::check`] and [`crate::check_clip`].
pub(crate) fn checked(mut args: Args, clip: Option<Clip>, watch: &Watch) -> Result<Checked> {
    let listener = Arc::new(Listener::new(watch.n_done.clone()));
    args.audience = Audience::Program(listener.clone());
    args.places = clip.is_some();
    args.validate()?;
    if clip.is_some() {
        ensure!(args.source.is_default(), "a clip in memory is checked, and no other input");
    }
    ensure!(!args.list_clips, "--list-clips checks nothing");
    ensure!(!args.many.many, "--many makes a data set, not one report");
    ensure!(!args.takes_stdout(), "a report needs a file, not standard output");
    let pool = threads::pool_for(args.threads, &args.audience)?;
    let (_, found) = pool.install(|| check(&args, clip, watch.interrupted))?;
    let Found { report, frames, places } = found.context("interrupted; nothing is finished")?;
    let baseline = known::entries_of(&report);
    Ok(Checked { report, frames, places, baseline, notes: listener.take_notes() })
}

/// What was found, if anything was checked.
struct Found {
    report: write::Report,
    /// The frames of a run for a program.
    frames: Vec<write::Frame>,
    /// Where episodes are, if that is wanted.
    places: Vec<Place>,
}

fn check(args: &Args, clip: Option<Clip>, interrupted: &AtomicBool) -> Result<(Report, Option<Found>)> {
    let mut times = Times::default();
    let source = match clip {
        Some(clip) => Source::of_clip(&clip.name.clone(), clip),
        None => timed(&mut times.read, || Source::open(&args.source))?,
    };
    if args.list_clips {
        return Ok((Report { text: list_clips(&source), ..Report::default() }, None));
    }
    let rules = (0..source.clips.len()).map(|i| rules_of(args, &source, i)).collect::<Result<_>>()?;
    let tasks = tasks(args, &source, rules)?;
    let mut baselines: BTreeMap<PathBuf, Known> = BTreeMap::new();
    for task in &tasks {
        if let Baseline::File(path) = task.args.rules.baseline()
            && !baselines.contains_key(&path)
        {
            let known = Known::read(&path)?;
            baselines.insert(path, known);
        }
    }
    if let Some((option, _)) = args.paintings().next() {
        let n = tasks.len();
        ensure!(n == 1, "{option} shows one clip, and these are {n}; --clip NAME selects one");
    }
    let mut run = Run {
        args,
        report: None,
        output: Output::default(),
        times,
        progress: Progress::new(&tasks, &args.audience),
        gpu: Gpu::open(args.gpu.as_deref()),
        interrupted,
        news: String::new(),
    };
    let mut prepared: Option<Prepared> = None;
    let mut has_failed = false;
    let has_files = has_files(&source);
    for task in &tasks {
        if interrupted.load(Relaxed) {
            break;
        }
        run.progress.enter(&task.clip.name);
        let of_file = match task.args.rules.baseline() {
            Baseline::File(path) => baselines.get_mut(&path),
            _ => None,
        };
        let clip = run.clip(task, &source, &mut prepared, of_file);
        if clip.is_err() {
            run.progress.finish();
        }
        let Some(clip) = clip? else { break };
        let Some(report) = &mut run.report else { break };
        has_failed |= task.args.fail_on().is_some_and(|condition| fails(&clip, condition));
        report.clips.push(clip);
        let is_discrete = task.question == Question::Crossings;
        let line = people::about_clip(report, &report.clips[report.clips.len() - 1], has_files, is_discrete);
        let is_clean = report.clips.last().is_some_and(|clip| clip.problems().next().is_none());
        let news = std::mem::take(&mut run.news);
        if !args.quiet {
            run.progress.suspend(|| tell(args, &(news + &line)))?;
        } else if !is_clean {
            run.progress.suspend(|| tell(args, &line))?;
        }
    }
    run.progress.finish();
    run.gpu.tell();
    let has_all_clips = args.source.clip.is_none() && tasks.len() == source.clips.len();
    run.tell_unused(&tasks, baselines, has_all_clips);
    run.finish(&tasks, has_failed)
}

/// A run over all clips.
struct Run<'a> {
    args: &'a Args,
    /// What was found so far; from the first clip on.
    report: Option<write::Report>,
    output: Output,
    times: Times,
    progress: Progress,
    gpu: Gpu,
    interrupted: &'a AtomicBool,
    /// What is to be printed before the next line.
    news: String,
}

impl Run<'_> {
    /// Checks a clip, given the baseline file, if there is one; `None` if the user interrupted
    /// before its first frame.
    fn clip<'t>(
        &mut self,
        task: &Task<'t>,
        source: &Source,
        prepared: &mut Option<Prepared<'t>>,
        of_file: Option<&mut Known>,
    ) -> Result<Option<ClipReport>> {
        let Task { input, clip, ref frames, question, ref args } = *task;
        let rules = &args.rules;
        let start = Time::now();
        Prepared::make(prepared, task, &self.gpu)?;
        let Some(ready) = prepared.as_mut() else { return Ok(None) };
        self.times.prepare += start.elapsed();
        let report = match &mut self.report {
            Some(report) => report,
            None => {
                let header = header(args, source, ready.model.clone());
                self.output.open(self.args, &header)?;
                let baseline = rules.baseline().to_string();
                let new =
                    write::Report { header, partial: false, baseline, files: Vec::new(), clips: Vec::new() };
                self.report.insert(new)
            }
        };
        if report.files.last().is_none_or(|file| file.name != input) {
            report.files.push(ready.file(input));
        }
        if ready.take_news() {
            // Printed with the first line about a clip, so that a failure prints nothing else.
            self.news.push_str(&ready.about(task));
        }
        let file = report.files.len() - 1;
        let has_files = has_files(source);
        let mut paintings = Paintings::new(args, question.range(frames))?;
        let mut clip_report = ClipReport {
            file,
            name: clip.name.clone(),
            fps: clip.fps,
            frames: [*frames.start() as u32; 2],
            overlapping: 0,
            crossings: Some(0),
            contacts: Some(0).filter(|_| args.contacts),
            ignored: 0,
            pairs: Vec::new(),
        };
        let mut drafts = Vec::new();
        let mut ignored = Vec::new();
        let mut last: Option<Arc<Instant>> = None;
        let mut first_known = Known::default();
        let work = Time::now();
        let Prepared {
            ref mut team,
            ref sides,
            ref anatomy,
            ref filter,
            ref part_of_body,
            ref verifier,
            ref rigid,
            ..
        } = *ready;
        let is_whole = *frames.start() == 0 && *frames.end() + 1 == clip.n_frames();
        let is_relative = matches!(rules.baseline(), Baseline::Rest | Baseline::First);
        let steady = Some(ready.size).filter(|_| is_whole && is_relative);
        let mut joiner = Joiner::new(steady);
        let scan = Scan {
            input,
            clip,
            args,
            question,
            sides,
            anatomy,
            filter,
            part_of_body,
            verifier,
            rigid,
            steady,
            interrupted: self.interrupted,
        };
        let mut next = *frames.start();
        while next <= *frames.end() {
            let end = (next + Scan::batch_size(team)).min(*frames.end() + 1);
            let Batch { instants, steps } =
                scan.batch(team, next..end, last.as_ref(), &joiner, &mut paintings, &mut self.progress)?;
            let n_done = instants.len();
            let mut steps = steps.into_iter();
            for instant in instants {
                let step = if last.is_some() { steps.next() } else { None };
                if args.contacts {
                    if let (Some(before), Some(step)) = (&last, &step) {
                        let frame = listed(before, Some(step), has_files.then_some(file as u32));
                        self.output.frame(&record(clip, &frame, sides))?;
                    }
                    if question == Question::Crossings {
                        let frame = listed(&instant, None, has_files.then_some(file as u32));
                        self.output.frame(&record(clip, &frame, sides))?;
                    }
                }
                if last.is_none() && rules.baseline() == Baseline::First {
                    first_known = judge::known_in(&scan, &instant)?;
                }
                if let (Some(n), Some(step)) = (&mut clip_report.contacts, &step) {
                    *n += step.count;
                }
                if let Some(n) = &mut clip_report.crossings {
                    *n += instant.crossings.len() as u64;
                }
                ignored.extend_from_slice(&instant.ignored);
                joiner.add(step.as_ref(), &instant, |parts| rigid.are_rigid(parts));
                clip_report.frames[1] = instant.frame as u32;
                last = Some(instant);
            }
            ignored.sort_unstable();
            ignored.dedup();
            drafts.extend(judge::measured(&scan, joiner.take_closed())?);
            next += n_done;
            if n_done == 0 || self.interrupted.load(Relaxed) {
                break;
            }
        }
        let Some(last) = last else { return Ok(None) };
        if args.contacts && question == Question::Both && last.frame == *frames.end() {
            let frame = listed(&last, None, has_files.then_some(file as u32));
            self.output.frame(&record(clip, &frame, sides))?;
        }
        drafts.extend(judge::measured(&scan, joiner.finish())?);
        clip_report.overlapping = joiner.n_overlapping;
        clip_report.ignored = ignored.len();
        if !ignored.is_empty() {
            clip_report.crossings = None;
        }
        let is_whole = *frames.start() == 0 && last.frame + 1 == clip.n_frames();
        let n_frames = joiner.n_frames;
        let mut known = match rules.baseline() {
            Baseline::Rest => Some(&mut ready.rest),
            Baseline::First => Some(&mut first_known),
            Baseline::File(_) | Baseline::None => of_file,
        };
        let (names, size) = (&*ready.names, ready.size);
        let facts = judge::Facts { input, clip, names, size, is_whole, n_frames, rules };
        judge(&mut clip_report, drafts, &facts, known.as_deref_mut());
        if let Some(known) = known {
            let scope = Scope { input, clip: &clip.name };
            known.looked(scope, task.seen(is_whole), |parts| filter.ignores_named(names, parts));
        }
        self.times.check += work.elapsed();
        self.news.push_str(&paintings.finish()?);
        Ok(Some(clip_report))
    }

    /// Tells which entries of baseline files fit nothing, though all that they are about was
    /// checked.
    fn tell_unused(&self, tasks: &[Task], mut baselines: BTreeMap<PathBuf, Known>, has_all_clips: bool) {
        let n_checked = self.report.as_ref().map_or(0, |report| report.clips.len());
        for task in &tasks[n_checked..] {
            let scope = Scope { input: task.input, clip: &task.clip.name };
            baselines.values_mut().for_each(|known| known.looked(scope, Seen::Part, |_| false));
        }
        for sentence in baselines.values().filter_map(|known| known.unused(has_all_clips)) {
            self.args.audience.note(&sentence);
        }
    }

    /// Prints and writes what was found.
    fn finish(mut self, tasks: &[Task], has_failed: bool) -> Result<(Report, Option<Found>)> {
        let is_interrupted = self.interrupted.load(Relaxed);
        let Some(mut report) = self.report.take() else {
            let problem = Some("interrupted; nothing is finished".into());
            return Ok((Report { is_interrupted, problem, ..Report::default() }, None));
        };
        report.partial = is_interrupted;
        let mut text = people::problems(&report, self.args);
        let kept = self.output.take_kept();
        let written = timed(&mut self.times.write, || self.output.finish(self.args, &report))?;
        timed(&mut self.times.write, || page::write(self.args, &report, tasks))?;
        let places = if self.args.places { page::places(self.args, &report, tasks)? } else { Vec::new() };
        if !self.args.quiet {
            let _ = writeln!(text);
            for path in written.iter().filter(|path| !is_stdout(path)) {
                let _ = writeln!(text, "written to {}", terminal::shown(path));
            }
            let _ = writeln!(text, "time: {}", self.times.line());
        }
        let problem = is_interrupted.then(|| {
            let clips = counted(report.clips.len(), "clip");
            format!("interrupted; {clips} were checked so far, and reports are marked as partial")
        });
        let is_stdout_taken = self.args.takes_stdout();
        let summary = Report { text, found: has_failed, is_stdout_taken, problem, is_interrupted };
        Ok((summary, Some(Found { report, frames: kept, places })))
    }
}

/// The contacts and crossings of a frame, and of the step after it.
fn listed<'a>(instant: &'a Instant, step: Option<&'a Between>, file: Option<u32>) -> Frame<'a> {
    let mut stats = Stats::default();
    stats += instant.stats;
    if let Some(step) = step {
        stats += step.stats;
    }
    Frame {
        file,
        from: instant.frame,
        to: instant.frame + usize::from(step.is_some()),
        contacts: step.map_or(&[], |step| &step.found),
        crossings: &instant.found,
        stats,
        ms: instant.ms + step.map_or(0.0, |step| step.ms),
    }
}

/// Whether there are several files, each with its clips.
fn has_files(source: &Source) -> bool {
    source.iter().any(|(input, _)| input != source.origin(0))
}

/// The rules for a clip: options, and the settings file for its input.
fn rules_of(args: &Args, source: &Source, clip: usize) -> Result<Rules> {
    if args.no_config || args.source.input.is_empty() {
        return Ok(args.rules.clone());
    }
    let origin = Path::new(source.origin(clip));
    let input = if origin.exists() { origin } else { &args.source.input[0] };
    args.rules.with_file(input)
}

/// A line for each clip: its name, frames and duration.
fn list_clips(source: &Source) -> String {
    let mut text = String::new();
    let mut before = "";
    for (input, clip) in source.iter() {
        if input != before {
            let _ = writeln!(text, "{}:", printable(input));
            before = input;
        }
        let n = clip.n_frames();
        let seconds = clip.time(n - 1) - clip.time(0);
        let _ = writeln!(text, "  '{}': {}, {seconds:.2} s", printable(&clip.name), counted(n, "frame"));
    }
    text
}

/// Prints lines for people: on standard error, if a report goes to standard output.
fn tell(args: &Args, text: &str) -> Result<()> {
    match args.takes_stdout() {
        _ if !args.audience.is_people() => {}
        true => terminal::say(text),
        false => terminal::print(text)?,
    }
    Ok(())
}

/// Runs `work` and adds its time to `total`.
fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Time::now();
    let result = work();
    *total += start.elapsed();
    result
}

/// The time that was spent.
#[derive(Default)]
struct Times {
    read: Duration,
    prepare: Duration,
    check: Duration,
    write: Duration,
}

impl Times {
    /// Returns one line; stages that took no time are omitted.
    fn line(&self) -> String {
        let stages =
            [("read", self.read), ("prepare", self.prepare), ("check", self.check), ("write", self.write)];
        let there = stages.iter().filter(|(_, time)| Duration::from_micros(500) <= *time);
        let words: Vec<String> =
            there.map(|(name, time)| format!("{name} {:.3} s", time.as_secs_f64())).collect();
        words.join(", ")
    }
}
