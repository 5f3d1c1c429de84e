//! What `osculate queries` prints: one line for each file, the sum, and the first wrong answers.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use osculate::narrow::{Kind, Outcome};

use super::KIND_NAMES;
use super::replay::{Replay, Wrong};
use crate::terminal;
use crate::words::counted;

/// Maximum number of wrong answers that are listed.
const LISTED: usize = 10;

const HEADER: [&str; 9] =
    ["file", "kind", "queries", "positives", "missed", "invented", "rounded", "exact", "ns/query"];

/// The numbers of one table row; they can be summed.
#[derive(Clone, Copy, Default)]
struct Line {
    queries: usize,
    exact: u64,
    positives: usize,
    /// False negatives: the features touch, but the answer was that they do not.
    missed: usize,
    /// False positives: the features do not touch, but the answer was that they do.
    invented: usize,
    rounded: usize,
    time: Duration,
}

/// Returns the whole output.
pub(super) fn render(replays: &[Replay<'_>]) -> String {
    let mut table = Table::new();
    // Markdown reads well on a terminal and pastes into an issue.
    table.load_style(presets::ASCII_MARKDOWN).set_header(HEADER);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut total = Line::default();
    for replay in replays {
        let line = Line::of(replay);
        total = total.plus(line);
        table.add_row(line.cells(shorten(replay.path), kind_name(replay.kind)));
    }
    table.add_row(total.cells(format!("total: {}", counted(replays.len(), "file")), ""));

    let mut text = format!("{table}\n");
    if total.rounded > 0 {
        push_line(
            &mut text,
            &format!(
                "note: {} not exact in f64; their queries were decided for the nearest f64, and \
                 the known answers may not hold for it",
                if total.rounded == 1 {
                    "1 coordinate is".to_owned()
                } else {
                    counted(total.rounded, "coordinate") + " are"
                }
            ),
        );
    }
    let wrong = total.missed + total.invented;
    for (replay, wrong) in
        replays.iter().flat_map(|replay| replay.wrong.iter().map(move |wrong| (replay, wrong))).take(LISTED)
    {
        push_line(&mut text, &describe(replay.path, wrong));
    }
    if wrong > LISTED {
        push_line(&mut text, &format!("… and {}", counted(wrong - LISTED, "more wrong answer")));
    }
    text
}

impl Line {
    fn of(replay: &Replay<'_>) -> Line {
        let missed = replay.wrong.iter().filter(|wrong| wrong.touches).count();
        Line {
            queries: replay.queries,
            exact: replay.stats.exact(),
            positives: replay.positives,
            missed,
            invented: replay.wrong.len() - missed,
            rounded: replay.rounded,
            time: replay.time,
        }
    }

    fn plus(self, other: Line) -> Line {
        Line {
            queries: self.queries + other.queries,
            exact: self.exact + other.exact,
            positives: self.positives + other.positives,
            missed: self.missed + other.missed,
            invented: self.invented + other.invented,
            rounded: self.rounded + other.rounded,
            time: self.time + other.time,
        }
    }

    fn cells(self, file: String, kind: &str) -> [String; HEADER.len()] {
        let queries = self.queries as f64;
        [
            file,
            kind.to_owned(),
            self.queries.to_string(),
            self.positives.to_string(),
            self.missed.to_string(),
            self.invented.to_string(),
            self.rounded.to_string(),
            format!("{:.1} %", 100.0 * self.exact as f64 / queries),
            format!("{:.0}", self.time.as_nanos() as f64 / queries),
        ]
    }
}

fn kind_name(kind: Kind) -> &'static str {
    KIND_NAMES.iter().find(|(named, _)| *named == kind).map_or("", |(_, name)| name)
}

fn describe(path: &Path, wrong: &Wrong) -> String {
    let expected = if wrong.touches { "a contact" } else { "no contact" };
    let found = match wrong.outcome {
        Outcome::Miss => "none".to_owned(),
        Outcome::Hit { lo, hi } => format!("one at t in [{lo}, {hi}]"),
    };
    format!(
        "wrong: {}, query {}, row {}: expected {expected}, found {found}",
        terminal::shown(path),
        wrong.query,
        wrong.row
    )
}

/// The last three parts of a path: data set, kind and file.
fn shorten(path: &Path) -> String {
    let parts: Vec<_> = path.components().collect();
    match parts.len().checked_sub(3) {
        None | Some(0) => terminal::shown(path),
        Some(cut) => {
            let tail: std::path::PathBuf = parts.iter().skip(cut).collect();
            format!("…/{}", terminal::shown(&tail))
        }
    }
}

fn push_line(text: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}
