//! What is printed about a data set: counts, the worst clips, and what could not be checked.

use std::fmt::Write as _;
use std::path::Path;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use osculate_io::printable;

use super::task::{Outcome, State};
use crate::terminal::shown;
use crate::words::counted;

/// Number of errors that are listed; all are in the data set.
const ERRORS: usize = 10;

/// Lines about the clips of a run, the worst `top` of them in a table.
pub(super) fn text(outcomes: &[Outcome], n_files: usize, out: &Path, top: usize, is_quiet: bool) -> String {
    let n = |state: State| outcomes.iter().filter(|outcome| outcome.state == state).count();
    let [checked, skipped, failed] = [State::Checked, State::Skipped, State::Failed].map(n);
    let mut text = String::new();
    if !is_quiet {
        let _ = writeln!(
            text,
            "{} of {}: {checked} checked, {skipped} there already, {failed} failed",
            counted(outcomes.len(), "clip"),
            counted(n_files, "file")
        );
    }
    let errors = outcomes.iter().filter_map(|outcome| outcome.row.error.as_ref());
    for error in errors.take(ERRORS) {
        let _ = writeln!(text, "failed: {}", printable(error));
    }
    if ERRORS < failed {
        let _ = writeln!(text, "and {}", counted(failed - ERRORS, "further one"));
    }
    let mut worst: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.row.severity.is_some()).collect();
    worst.sort_by(|a, b| b.row.severity_share.unwrap_or(0.0).total_cmp(&a.row.severity_share.unwrap_or(0.0)));
    if !worst.is_empty() {
        let _ = writeln!(text, "\n{} with problems, worst first:", counted(worst.len(), "clip"));
        let _ = writeln!(text, "{}", table(&worst[..worst.len().min(top)]));
        if top < worst.len() {
            let _ = writeln!(text, "and {}; --top N lists more", counted(worst.len() - top, "further one"));
        }
    }
    if !is_quiet {
        let _ = writeln!(text, "\nthe data set is in {}", shown(out));
    }
    text
}

fn table(worst: &[&Outcome]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(["file", "clip", "parts", "of size", "worst", "problems"]);
    for Outcome { row, .. } in worst {
        let name = |text: &Option<String>| printable(text.as_deref().unwrap_or_default());
        table.add_row([
            printable(&row.file),
            name(&row.clip),
            format!("{} and {}", name(&row.part_a), name(&row.part_b)),
            format!("{:.2} %", 100.0 * row.severity_share.unwrap_or(0.0)),
            row.worst_frame.map_or(String::new(), |frame| frame.to_string()),
            row.problems.map_or(String::new(), |n| n.to_string()),
        ]);
    }
    table
}
