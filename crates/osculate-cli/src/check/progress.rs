//! How far the work is: a bar on a terminal, plain lines otherwise; both on standard error.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

/// Shows how many of `total` frames are done.
pub(super) enum Progress {
    Bar(ProgressBar),
    Lines { name: String, total: usize, done: usize },
}

impl Progress {
    pub(super) fn new(name: &str, total: usize) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress::Lines { name: name.to_owned(), total, done: 0 };
        }
        let style =
            ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} frames  {per_sec}  {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
        Progress::Bar(ProgressBar::new(total as u64).with_style(style).with_prefix(name.to_owned()))
    }

    /// One more frame is done.
    pub(super) fn step(&mut self) {
        match self {
            Progress::Bar(bar) => bar.inc(1),
            Progress::Lines { name, total, done } => {
                *done += 1;
                // Ten lines, whatever the number of frames.
                if *done == *total || (*done * 10) / *total != ((*done - 1) * 10) / *total {
                    eprintln!("{name}: {done}/{total} frames");
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
