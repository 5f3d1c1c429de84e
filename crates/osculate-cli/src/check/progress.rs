//! Progress: a bar on a terminal, plain lines otherwise; both on standard error.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};
use osculate_io::printable;

use crate::terminal;
use crate::words::plural;

/// Shows the number of finished steps or frames, and the current clip.
pub(super) struct Progress {
    total: usize,
    done: usize,
    /// The unit, singular or plural.
    units: String,
    clip: String,
    /// The bar, on a terminal.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts with none of `total` done; `unit` is in the singular.
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

    /// Continues with another clip.
    pub(super) fn enter(&mut self, clip: &str) {
        self.clip = printable(clip);
        if let Some(bar) = &self.bar {
            bar.set_prefix(self.clip.clone());
            bar.tick();
        }
    }

    /// Counts one more as done.
    pub(super) fn step(&mut self) {
        let Progress { total, done, units, clip, bar } = self;
        *done += 1;
        if let Some(bar) = bar {
            bar.inc(1);
        } else if *done == *total || (*done * 10) / *total != ((*done - 1) * 10) / *total {
            // About ten lines, whatever the total.
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
