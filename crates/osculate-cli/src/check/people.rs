//! What is printed for people: a line for each clip, then the problems of all clips, worst first.

use std::fmt::Write as _;
use std::io::IsTerminal as _;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use osculate::Description;
use osculate_io::write::{ClipReport, Guarantee, Pair, Report};
use osculate_io::{Surface, printable};

use super::args::Args;
use super::plan::Task;
use crate::words::{counted, grouped};

/// Maximum number of runs of frames in a row; the rest is counted.
const RUNS: usize = 6;

/// Lines about a file: its surface, notes, and the method. `words` are about bodies and answers.
pub(super) fn about_file(
    task: &Task,
    surface: &Surface,
    description: &Description,
    n_bodies: usize,
    words: &str,
) -> String {
    let mut facts = vec![counted(surface.faces.len(), "triangle")];
    let welded = surface.welding.as_ref().filter(|welding| welding.welded != 0);
    let welded = welded
        .map_or(String::new(), |welding| format!(" after joining {}", counted(welding.welded, "duplicate")));
    facts.push(counted(surface.n_vertices, "vertex") + &welded);
    facts.extend(surface.skin.as_ref().map(|skin| counted(skin.bones.len(), "bone")));
    facts.push(counted(n_bodies, "body"));
    facts.push(if description.is_closed() { "closed" } else { "open" }.to_owned());
    let mut text = format!("{}: {}\n", printable(task.input), facts.join(", "));
    for note in &surface.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let method = task.args.method();
    let guarantee = match method.guarantee() {
        Guarantee::Complete => "complete",
        Guarantee::FirstContact => "complete up to the first contact",
        Guarantee::Nothing => "a heuristic: contacts may be missing",
    };
    let _ = writeln!(text, "method {method}, {guarantee}{}", printable(words));
    text + &task.args.exclusions()
}

/// A line about a clip: clean, or its problems and the worst of them.
pub(super) fn about_clip(report: &Report, clip: &ClipReport, has_files: bool, is_discrete: bool) -> String {
    let n_frames = (clip.frames[1] - clip.frames[0]) as usize + 1;
    let file = if has_files { printable(&report.files[clip.file].name) + ", " } else { String::new() };
    let mut text = format!("{file}clip '{}': {}", printable(&clip.name), counted(n_frames, "frame"));
    if let Some(crossings) = clip.crossings.filter(|_| is_discrete) {
        let _ = write!(text, ", {} crossings", grouped(crossings));
    }
    if let Some(contacts) = clip.contacts {
        let _ = write!(text, ", {} contacts", grouped(contacts));
    }
    let n_problems = clip.problems().count();
    match clip.problems().next() {
        None => text.push_str("; clean"),
        Some(worst) => {
            let [a, b] = names(worst);
            let _ = write!(
                text,
                "; {}, worst: {a} and {b}, {}, {}",
                counted(n_problems, "problem"),
                severity(report, clip, worst),
                frames(worst)
            );
        }
    }
    let n_known = clip.pairs.len() - n_problems;
    if n_known != 0 {
        let _ = write!(text, "; {} set aside", counted(n_known, "overlap"));
    }
    if clip.ignored != 0 {
        let _ = write!(text, "; {} ignored", grouped(clip.ignored as u64));
    }
    text.push('\n');
    text
}

/// The problems of all clips, and what is set aside.
pub(super) fn problems(report: &Report, args: &Args) -> String {
    let mut text = String::new();
    let new = report.ranked(true);
    if !new.is_empty() {
        let _ = writeln!(text, "\n{}, worst first:", counted(new.len(), "problem"));
        text.push_str(&table(report, &new, args.top));
    }
    let known = report.ranked(false);
    if let Some((clip, deepest)) = known.first() {
        let [a, b] = names(deepest);
        let [are, which, them] =
            if known.len() == 1 { ["is", ":", "it"] } else { ["are", ", the deepest", "them"] };
        let _ = writeln!(
            text,
            "\nset aside: {} that {are} there in the baseline ({}) or throughout a clip{which} {a} and {b}, {}{}",
            counted(known.len(), "overlap"),
            printable(&report.baseline),
            severity(report, clip, deepest),
            if args.all { ":".to_owned() } else { format!("; --all lists {them}") }
        );
        if args.all {
            text.push_str(&table(report, &known, usize::MAX));
        }
    }
    text
}

fn table(report: &Report, rows: &[(&ClipReport, &Pair)], top: usize) -> String {
    let kinds: Vec<&str> = report.files.iter().map(|file| file.part_kind).collect();
    let kind = if kinds.windows(2).all(|two| two[0] == two[1]) { kinds[0] } else { "part" };
    let has_files = 1 < report.files.len();
    let has_clips = 1 < report.clips.len();
    let mut table = Table::new();
    let mut header = vec![kind, kind, "depth", "of size", "frames", "worst"];
    if has_clips {
        header.insert(0, "clip");
    }
    if has_files {
        header.insert(0, "file");
    }
    table.load_style(ASCII_MARKDOWN).set_header(header);
    for (clip, pair) in rows.iter().take(top) {
        let worst = pair.worst();
        let share = 100.0 * report.share(clip, worst.worst.severity());
        let depth = match worst.worst.depth {
            Some(0.0) => "touches".to_owned(),
            Some(depth) => number(depth),
            None if worst.frames.is_none() => report.contact_words(),
            None => format!("open, {} wide", number(worst.worst.extent)),
        };
        let [a, b] = names(pair);
        let mut row = vec![a, b, depth, format!("{share:.2} %"), runs(pair), worst.worst_frame.to_string()];
        if has_clips {
            row.insert(0, printable(&clip.name));
        }
        if has_files {
            row.insert(0, printable(&report.files[clip.file].name));
        }
        table.add_row(row);
    }
    let first = usize::from(has_clips) + usize::from(has_files) + 2;
    for i in [first, first + 1, first + 3] {
        if let Some(column) = table.column_mut(i) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    if let Some(width) = width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    let mut text = format!("{table}\n");
    if top < rows.len() {
        let _ = writeln!(text, "and {}; --top N lists more", counted(rows.len() - top, "further one"));
    }
    text
}

/// The width of the terminal, if the output goes to one; or that in `COLUMNS`.
fn width() -> Option<u16> {
    let of_variable = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let of_terminal =
        || std::io::stdout().is_terminal().then(|| console::Term::stdout().size_checked())?.map(|(_, w)| w);
    of_variable.or_else(of_terminal).filter(|&width| 40 <= width)
}

/// The names of the two parts; that of a part that passes through itself stands there once.
fn names(pair: &Pair) -> [String; 2] {
    let [a, b] = &pair.parts;
    [printable(a), if a == b { "itself".to_owned() } else { printable(b) }]
}

/// How bad a pair is, in words.
pub(super) fn severity(report: &Report, clip: &ClipReport, pair: &Pair) -> String {
    let worst = pair.worst();
    let share = |length: f64| 100.0 * report.share(clip, length);
    match worst.worst.depth {
        Some(0.0) => "touching".to_owned(),
        Some(depth) => format!("depth {} ({:.2} % of its size)", number(depth), share(depth)),
        None if worst.frames.is_none() => report.contact_words(),
        None => format!("open, {} wide ({:.2} %)", number(worst.worst.extent), share(worst.worst.extent)),
    }
}

/// A length with four digits.
fn number(length: f64) -> String {
    let digits = if length == 0.0 { 0 } else { (3 - length.abs().log10().floor() as i32).clamp(0, 12) };
    format!("{length:.*}", digits as usize)
}

/// The frames of a pair, in words.
fn frames(pair: &Pair) -> String {
    match pair.worst().frames {
        Some([first, last]) if first == last => format!("frame {first}"),
        Some([first, last]) => format!("frames {first}-{last}"),
        None => format!("after frame {}", pair.worst().worst_frame),
    }
}

/// The runs of frames of a pair: `3, 7-12`.
fn runs(pair: &Pair) -> String {
    let mut words: Vec<String> = pair
        .episodes
        .iter()
        .take(RUNS)
        .map(|episode| match episode.frames {
            Some([first, last]) if first == last => first.to_string(),
            Some([first, last]) => format!("{first}-{last}"),
            None => format!("{}+", episode.worst_frame),
        })
        .collect();
    if RUNS < pair.episodes.len() {
        words.push(format!("and {} more", pair.episodes.len() - RUNS));
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_four_digits() {
        for (length, expected) in [
            (0.0, "0"),
            (0.012_345, "0.01235"),
            (1.0, "1.000"),
            (12.345_6, "12.35"),
            (123_456.7, "123457"),
            (1e-20, "0.000000000000"),
        ] {
            assert_eq!(number(length), expected);
        }
    }
}
