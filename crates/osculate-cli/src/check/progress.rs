//! How far the work is: a bar on a terminal, plain lines otherwise; both on standard error.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};
use osculate_io::printable;

use crate::terminal;
use crate::words::plural;

/// Shows how many of all steps and frames are done, and in which clip the work is.
pub(super) struct Progress {
    total: usize,
    done: usize,
    /// What is counted, for one or for many.
    units: String,
    clip: String,
    /// On a terminal.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts with none of `total` done; `unit` says what they are, in the singular.
    pub(super) fn new(unit: &str, total: usize) -> Progress {
        let units = plural(total, unit);
        let bar = std::io::stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg}  {per_sec}  {eta} left")
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total as u64).with_style(style).with_message(units.clone())
        });
        Progress { total, done: 0, units, clip: String::new(), bar }
    }

    /// The work goes on in another clip.
    pub(super) fn enter(&mut self, clip: &str) {
        self.clip = printable(clip);
        if let Some(bar) = &self.bar {
            bar.set_prefix(self.clip.clone());
            bar.tick();
        }
    }

    /// One more is done.
    pub(super) fn step(&mut self) {
        let Progress { total, done, units, clip, bar } = self;
        *done += 1;
        if let Some(bar) = bar {
            bar.inc(1);
        } else if *done == *total || (*done * 10) / *total != ((*done - 1) * 10) / *total {
            // Ten lines, however many there are.
            terminal::say(&format!("{done}/{total} {units} done, clip '{clip}'\n"));
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
