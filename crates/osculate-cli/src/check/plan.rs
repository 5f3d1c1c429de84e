//! Plans the work, and prints notes about it before it begins.

use std::ops::RangeInclusive;

use anyhow::{Result, ensure};
use osculate_io::Clip;
use osculate_io::write::Guarantee;

use super::args::Args;
use super::known::Seen;
use super::rules::Rules;
use crate::frames::Beyond;
use crate::source::Source;
use crate::words::{counted, grouped};

/// Number of steps from which it is printed before the work begins.
const MANY: usize = 10_000;

/// What to look for in a clip, and what is listed of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Crossings at frames, and contacts in between.
    Both,
    /// The same, but only contacts are listed.
    Contacts,
    /// Crossings at frames.
    Crossings,
}

impl Question {
    /// The unit that is checked, in the singular, and the kind of result.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Question::Both | Question::Contacts => ("step", "contact"),
            Question::Crossings => ("frame", "crossing"),
        }
    }

    /// Whether crossings are listed.
    pub(super) fn lists_crossings(self) -> bool {
        self != Question::Contacts
    }

    /// The frames at which queries for a patch of the surface start.
    pub(super) fn range(self, frames: &RangeInclusive<usize>) -> std::ops::Range<usize> {
        *frames.start()..*frames.end() + usize::from(self == Question::Crossings)
    }
}

/// A clip, and the frames to check.
pub(super) struct Task<'a> {
    /// Name of the input of the clip.
    pub(super) input: &'a str,
    pub(super) clip: &'a Clip,
    pub(super) frames: RangeInclusive<usize>,
    pub(super) question: Question,
    /// The arguments, with the settings file of the input.
    pub(super) args: Args,
}

impl Task<'_> {
    /// Number of frames.
    pub(super) fn n_frames(&self) -> usize {
        self.frames.end() - self.frames.start() + 1
    }

    /// What was looked at, given whether all frames were.
    pub(super) fn seen(&self, has_all_frames: bool) -> Seen {
        let is_still = self.clip.n_frames() == 1;
        let is_complete = self.args.method().guarantee() == Guarantee::Complete && !self.args.earliest;
        match has_all_frames {
            false => Seen::Part,
            true if is_still || is_complete && self.question != Question::Crossings => Seen::All,
            true => Seen::Frames,
        }
    }

    /// Number of steps, or of frames for crossings.
    pub(super) fn len(&self) -> usize {
        let n = self.frames.end() - self.frames.start();
        n + usize::from(self.question == Question::Crossings)
    }
}

/// Returns the tasks, one per clip, given the rules of each. Fails if an option does not apply to a
/// clip.
pub(super) fn tasks<'a>(args: &Args, source: &'a Source, rules: Vec<Rules>) -> Result<Vec<Task<'a>>> {
    let selected = args.frames.unwrap_or_default().select(source, Beyond::Fails, &args.audience)?;
    let mut tasks = Vec::new();
    let mut still = Vec::new();
    for (i, (((input, clip), frames), rules)) in source.iter().zip(selected).zip(rules).enumerate() {
        let Some(frames) = frames else { continue };
        let is_still = frames.start() == frames.end();
        if is_still && !args.discrete {
            let what = if clip.n_frames() == 1 { "has one frame" } else { "is checked at one frame" };
            if let Some(option) = args.needs_steps() {
                anyhow::bail!("{option} needs at least two frames, but {} {what}", source.title(i));
            }
            still.push(format!("{} {what}", source.title(i)));
        }
        let question = match (args.discrete || is_still, args.continuous) {
            (true, _) => Question::Crossings,
            (false, true) => Question::Contacts,
            (false, false) => Question::Both,
        };
        let args = Args { rules, ..args.clone() };
        tasks.push(Task { input, clip, frames, question, args });
    }
    ensure!(!tasks.is_empty(), "there is nothing to check");
    if let [first, rest @ ..] = still.as_slice() {
        let more = if rest.is_empty() {
            String::new()
        } else {
            format!(", and {}", counted(rest.len(), "more clip"))
        };
        args.audience.note(&format!(
            "{first}{more}: there is no step to look at, so crossings are reported, as with --discrete"
        ));
    }
    announce(args, source, &tasks);
    Ok(tasks)
}

/// Tells the amount of work if it is large, and how to reduce it.
fn announce(args: &Args, source: &Source, tasks: &[Task]) {
    let n: usize = tasks.iter().map(Task::len).sum();
    if n < MANY {
        return;
    }
    let (unit, _) = tasks[0].question.words();
    let clips = if tasks.len() == 1 { source.title(0) } else { counted(tasks.len(), "clip") };
    args.audience.note(&format!(
        "{} {unit}s of {clips} will be checked; --frames A..B selects a range, and a lower --fps samples glTF files less often",
        grouped(n as u64)
    ));
}
