//! The closing table: number of frames and contacts, which sides touch, and in which frames.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::words::{counted, grouped};
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

/// Maximum number of rows in the table of sides; further pairs are only counted.
const MAX_ROWS: usize = 30;

/// Totals of a clip.
#[derive(Default)]
pub(super) struct Summary {
    /// Steps, or frames for crossings.
    pub(super) checked: usize,
    /// Steps or frames with contacts.
    pub(super) touched: usize,
    /// Contacts, or crossings.
    pub(super) found: u64,
    /// The earliest contact: its frame, and the time within the step.
    pub(super) first: Option<(usize, f64)>,
    /// For each pair of sides, the number of contacts and their frames.
    pairs: BTreeMap<[u32; 2], (u64, Vec<usize>)>,
}

impl Summary {
    /// Adds a contact of two sides in a frame; frames come in ascending order.
    pub(super) fn add(&mut self, frame: usize, sides: [u32; 2]) {
        let [a, b] = sides;
        let (count, frames) = self.pairs.entry([a.min(b), a.max(b)]).or_default();
        *count += 1;
        if frames.last() != Some(&frame) {
            frames.push(frame);
        }
    }

    /// The table of sides, those with most contacts first.
    pub(super) fn table(&self, kind: &str, what: &str, name: impl Fn(u32) -> String) -> String {
        let mut rows: Vec<_> = self.pairs.iter().collect();
        rows.sort_by_key(|(sides, (count, _))| (std::cmp::Reverse(*count), **sides));
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN).set_header([kind, kind, what, "frames"]);
        for ([a, b], (count, frames)) in rows.iter().take(MAX_ROWS) {
            table.add_row([name(*a), name(*b), grouped(*count), ranges(frames)]);
        }
        if let Some(column) = table.column_mut(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let mut text = format!("{table}\n");
        if MAX_ROWS < rows.len() {
            let _ =
                writeln!(text, "and {}, with fewer {what}", counted(rows.len() - MAX_ROWS, "further pair"));
        }
        text
    }
}

/// Time of the stages.
#[derive(Default)]
pub(super) struct Stages {
    pub(super) read: Duration,
    pub(super) pose: Duration,
    pub(super) prepare: Duration,
    pub(super) query: Duration,
    pub(super) verify: Duration,
    pub(super) write: Duration,
}

impl Stages {
    /// Returns one line; stages that took no time are omitted.
    pub(super) fn line(&self) -> String {
        let stages = [
            ("read", self.read),
            ("pose", self.pose),
            ("prepare", self.prepare),
            ("collision queries", self.query),
            ("verify", self.verify),
            ("write", self.write),
        ];
        let there = stages.iter().filter(|(_, time)| Duration::from_micros(500) <= *time);
        let words: Vec<String> =
            there.map(|(name, time)| format!("{name} {:.3} s", time.as_secs_f64())).collect();
        words.join(", ")
    }
}

/// Formats frames as ranges: `3, 7-12`.
fn ranges(frames: &[usize]) -> String {
    let mut words = Vec::new();
    for run in frames.chunk_by(|a, b| a + 1 == *b) {
        words.push(match run {
            [first, .., last] => format!("{first}-{last}"),
            [one] => one.to_string(),
            [] => continue,
        });
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_written_as_ranges() {
        for (frames, expected) in
            [(vec![], ""), (vec![4], "4"), (vec![4, 5], "4-5"), (vec![0, 1, 2, 7, 9, 10], "0-2, 7, 9-10")]
        {
            assert_eq!(ranges(&frames), expected);
        }
    }
}
