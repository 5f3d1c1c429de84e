//! How far the work is: a bar on a terminal, plain lines otherwise; both on standard error.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};
use osculate_io::printable;

use crate::terminal;
use crate::words::plural;

/// Shows how many of all steps or frames are done.
pub(super) enum Progress {
    Bar(ProgressBar),
    Lines { name: String, units: String, total: usize, done: usize },
}

impl Progress {
    /// Starts with none of `total` done; `unit` says what they are, in the singular.
    pub(super) fn new(name: &str, unit: &str, total: usize) -> Progress {
        let (name, units) = (printable(name), plural(total, unit));
        if !std::io::stderr().is_terminal() {
            return Progress::Lines { name, units, total, done: 0 };
        }
        let style =
            ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg}  {per_sec}  {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(total as u64).with_style(style).with_prefix(name).with_message(units);
        bar.tick();
        Progress::Bar(bar)
    }

    /// One more is done.
    pub(super) fn step(&mut self) {
        match self {
            Progress::Bar(bar) => bar.inc(1),
            Progress::Lines { name, units, total, done } => {
                *done += 1;
                // Ten lines, however many there are.
                if *done == *total || (*done * 10) / *total != ((*done - 1) * 10) / *total {
                    terminal::say(&format!("{name}: {done}/{total} {units}\n"));
                }
            }
        }
    }

    /// Removes the bar.
    pub(super) fn finish(self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
