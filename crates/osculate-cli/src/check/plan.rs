//! What is to be done, decided and said before anything is.

use std::ops::RangeInclusive;

use anyhow::{Result, ensure};
use osculate_io::Clip;

use super::args::Args;
use crate::auto::{Choice, Facts, choose};
use crate::frames::Beyond;
use crate::options::MethodName;
use crate::source::Source;
use crate::terminal;
use crate::words::{counted, grouped};

/// Steps from which on their number is said before the work begins.
const MANY: usize = 10_000;

/// What of a clip is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Contacts,
    Crossings,
}

impl Question {
    /// What it is asked of, in the singular, and what is found.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Question::Contacts => ("step", "contact"),
            Question::Crossings => ("frame", "crossing"),
        }
    }
}

/// A clip, and what of it is looked at.
pub(super) struct Task<'a> {
    /// The input that the clip comes from.
    pub(super) input: &'a str,
    pub(super) clip: &'a Clip,
    pub(super) frames: RangeInclusive<usize>,
    pub(super) question: Question,
    /// The arguments, with a method in the place of `auto`.
    pub(super) args: Args,
    /// Why that method, if it was chosen here.
    pub(super) reason: Option<String>,
}

impl Task<'_> {
    /// Number of steps, or of frames if crossings are asked for.
    pub(super) fn len(&self) -> usize {
        let n = self.frames.end() - self.frames.start();
        n + usize::from(self.question == Question::Crossings)
    }
}

/// Returns what is to be done, clip by clip. Fails if a clip has no answer to what is asked of it.
pub(super) fn tasks<'a>(args: &Args, source: &'a Source) -> Result<Vec<Task<'a>>> {
    let selected = args.frames.unwrap_or_default().select(source, Beyond::Fails)?;
    let mut tasks = Vec::new();
    let mut still = Vec::new();
    for (i, ((input, clip), frames)) in source.iter().zip(selected).enumerate() {
        let Some(frames) = frames else { continue };
        let is_still = frames.start() == frames.end();
        if is_still && !args.discrete {
            let what = if clip.n_frames() == 1 { "has one frame" } else { "is looked at in one frame" };
            if let Some(option) = args.needs_steps() {
                anyhow::bail!("{option} needs two frames at least, but {} {what}", source.title(i));
            }
            still.push(format!("{} {what}", source.title(i)));
        }
        let question = if args.discrete || is_still { Question::Crossings } else { Question::Contacts };
        tasks.push(Task { input, clip, frames, question, args: args.clone(), reason: None });
    }
    ensure!(!tasks.is_empty(), "there is nothing to check");
    if let [first, rest @ ..] = still.as_slice() {
        let more = if rest.is_empty() {
            String::new()
        } else {
            format!(", and {}", counted(rest.len(), "more clip"))
        };
        terminal::note(&format!(
            "{first}{more}: there is no step to look at, so crossings are reported, as with --discrete"
        ));
    }
    decide_methods(args, &mut tasks);
    announce(source, &tasks);
    Ok(tasks)
}

/// Puts a method in the place of `auto`, the same for all clips of a surface: what it takes to
/// prepare for them is the same for each.
fn decide_methods(args: &Args, tasks: &mut [Task]) {
    if args.method() != MethodName::Auto {
        return;
    }
    for group in tasks.chunk_by_mut(|a, b| std::sync::Arc::ptr_eq(&a.clip.surface, &b.clip.surface)) {
        let surface = &group[0].clip.surface;
        let n_steps: usize = group.iter().map(Task::len).sum();
        let Choice { method, reason } =
            choose(&Facts::of(surface, n_steps / group.len(), group[0].question.words().0));
        for task in group {
            task.args = args.with_method(method);
            task.reason = Some(reason.clone());
        }
    }
}

/// Says how much is to be done, if it is much, and how to have less.
fn announce(source: &Source, tasks: &[Task]) {
    let n: usize = tasks.iter().map(Task::len).sum();
    if n < MANY {
        return;
    }
    let (unit, _) = tasks[0].question.words();
    let clips = if tasks.len() == 1 { source.title(0) } else { counted(tasks.len(), "clip") };
    terminal::note(&format!(
        "{} {unit}s of {clips} will be checked; --frames A..B takes a part of them, and a lower --fps samples glTF files less often",
        grouped(n as u64)
    ));
}
