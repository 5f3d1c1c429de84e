//! Progress: a bar on a terminal, one line otherwise; both on standard error. For a program, a
//! count.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};
use osculate_io::printable;

use super::plan::Task;
use crate::terminal::{self, Audience};
use crate::words::counted;

/// Shows the number of finished frames, and the current clip.
pub(super) struct Progress {
    /// The bar, on a terminal.
    bar: Option<ProgressBar>,
    /// The line, printed with the first frames that are done: before, something may still be wrong
    /// with the input.
    line: String,
    audience: Audience,
}

impl Progress {
    /// Starts with none of the frames done.
    pub(super) fn new(tasks: &[Task], audience: &Audience) -> Progress {
        if !audience.is_people() {
            return Progress { bar: None, line: String::new(), audience: audience.clone() };
        }
        let total: usize = tasks.iter().map(Task::n_frames).sum();
        let bar = std::io::stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} frames  {per_sec}  {eta} left")
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total as u64).with_style(style)
        });
        let mut line = String::new();
        if bar.is_none() {
            let clips = match tasks {
                [one] => format!("clip '{}'", printable(&one.clip.name)),
                _ => counted(tasks.len(), "clip"),
            };
            line = format!("checking {} of {clips}\n", counted(total, "frame"));
        }
        Progress { bar, line, audience: audience.clone() }
    }

    /// Continues with another clip.
    pub(super) fn enter(&self, clip: &str) {
        if let Some(bar) = &self.bar {
            bar.set_prefix(printable(clip));
            bar.tick();
        }
    }

    /// Counts one more frame as done.
    pub(super) fn step(&mut self) {
        self.audience.count();
        terminal::say(&std::mem::take(&mut self.line));
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Runs what prints, with the bar out of its way.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
