//! The comparison table: for the terminal, as Markdown, as JSON.

use std::fmt::Write as _;

use anyhow::Result;
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use osculate::method::Guarantee;
use osculate_io::printable;
use serde_json::json;

use super::figures::{Figures, elementary_tests};
use super::machine;
use super::measure::Measured;
use super::runner::Row;
use crate::options::guarantee;
use crate::words::{counted, grouped};

const HEADER: [&str; 15] = [
    "method",
    "ms/frame",
    "range",
    "refit",
    "proofs",
    "cull",
    "narrow",
    "cleared",
    "BV tests",
    "pairs",
    "feature tests",
    "exact",
    "found",
    "speed-up",
    "agrees",
];

/// One table per clip.
pub(super) fn text(clips: &[Measured]) -> String {
    let mut text = String::new();
    for clip in clips {
        let what = if clip.is_discrete { "crossings at" } else { "contacts of" };
        let unit = if clip.is_discrete { "frame" } else { "step" };
        let _ = writeln!(
            text,
            "{}, clip '{}', {}; {what} {}\n\n{}\n",
            printable(&clip.input),
            printable(&clip.clip),
            counted(clip.triangles, "triangle"),
            counted(clip.frames, unit),
            table(clip)
        );
        if let Some(words) = about_auto(clip) {
            text.truncate(text.trim_end().len());
            let _ = writeln!(text, "\n\n{words}\n");
        }
    }
    text
}

/// The rows for CSV files and charts.
pub(super) fn figures(clips: &[Measured]) -> Figures {
    let of_clip = |clip: &Measured| {
        let query = if clip.is_discrete { "crossings" } else { "contacts" };
        let scene = match clip.input == clip.clip || clip.input == format!("scene {}", clip.clip) {
            true => clip.clip.clone(),
            false => format!("{}, {}", clip.input, clip.clip),
        };
        let figure = |row: &Row| row.figure(&scene, query, clip.triangles, clip.frames);
        clip.rows.iter().map(figure).collect::<Vec<_>>()
    };
    clips.iter().flat_map(of_clip).collect::<Vec<_>>().into()
}

/// What `auto` chose, and its time relative to that of the fastest of the other complete methods.
fn about_auto(clip: &Measured) -> Option<String> {
    let auto = clip.rows.iter().find(|row| row.method == "auto")?;
    let others = clip.rows.iter().filter(|row| row.method != "auto" && row.guarantee == Guarantee::Complete);
    let fastest = others.min_by(|a, b| a.ms[0].total_cmp(&b.ms[0]));
    let ratio = fastest.map(|row| {
        format!(", {:.2} times the time of {}, the fastest other method", auto.ms[0] / row.ms[0], row.method)
    });
    let preparation = if clip.is_anew { ", preparation included" } else { "" };
    Some(format!("auto: {}{}{preparation}", auto.stats.auto, ratio.unwrap_or_default()))
}

fn table(clip: &Measured) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(HEADER);
    for row in &clip.rows {
        let stats = &row.stats;
        let per_frame = |n: u64| grouped(n / clip.frames as u64);
        table.add_row([
            row.method.clone(),
            format!("{:.3}", row.ms[0]),
            format!("{:.3}-{:.3}", row.ms[1], row.ms[2]),
            format!("{:.3}", row.stages[0]),
            format!("{:.3}", row.stages[1]),
            format!("{:.3}", row.stages[2]),
            format!("{:.3}", row.stages[3]),
            cleared(clip, row).map_or_else(String::new, |share| format!("{:.0} %", 100.0 * share)),
            per_frame(stats.bounds_tests),
            per_frame(stats.pairs),
            per_frame(elementary_tests(&row.stats)),
            per_frame(exact_tests(row)),
            grouped(row.found),
            speedup(clip, row).map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            row.verdict(),
        ]);
    }
    for k in 1..HEADER.len() - 1 {
        if let Some(column) = table.column_mut(k) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn exact_tests(row: &Row) -> u64 {
    row.stats.narrow.exact() + row.stats.triangles.exact
}

/// The share of triangles in patches proven not to self-collide, for methods with such proofs.
fn cleared(clip: &Measured, row: &Row) -> Option<f64> {
    let proofs = &row.stats.certificates;
    let all = (clip.triangles * clip.frames) as f64;
    (proofs.patches + proofs.patches_skipped != 0).then(|| proofs.triangles_cleared as f64 / all)
}

/// Speed-up over `bvh`, if that is among the methods.
fn speedup(clip: &Measured, row: &Row) -> Option<f64> {
    let bvh = clip.rows.iter().find(|row| row.method == "bvh")?;
    Some(bvh.ms[0] / row.ms[0])
}

/// The Markdown page, with the command that made it, and the file of its charts if there is one.
pub(super) fn markdown(
    command: &str,
    repeat: usize,
    threads: usize,
    charts: Option<&str>,
    clips: &[Measured],
) -> String {
    let mut page = String::from("# Benchmarks\n\n");
    if let Some(charts) = charts {
        let _ = writeln!(page, "![Milliseconds per step of each method]({charts})\n");
    }
    let _ = writeln!(page, "{}\n{}.\n", fastest(clips), machine::line());
    let _ = writeln!(
        page,
        "Made by `cargo run --release -- {command}` with {} and {}; methods are interleaved on the same \
         steps. With one thread, time for which that thread waited for a processor does not count. Milliseconds per frame are the median over the repetitions, with their range. Refit and proofs about \
         patches are done once; the narrow phase is the time of all workers divided by their number; culling, including proofs about pairs of patches, is \
         the rest. Cleared is the share of triangles in patches proven not to self-collide. Counts are per frame, except `found`. Speed-up is over `bvh`. A method that guarantees only the first contact agrees if \
         it finds that; later contacts that it misses are counted. Of clips moved by bones or other parameters, trees of balls, boxes and bounded normals get these only, and deform vertices within the \
         query; for all other methods vertices are deformed before. Absolute \
         times mean little on a shared machine; ratios within a table do.\n",
        counted(threads, "thread"),
        counted(repeat, "repetition"),
    );
    page + &text(clips)
}

/// Which complete method was the fastest, and where.
fn fastest(clips: &[Measured]) -> String {
    let mut winners: Vec<(&str, Vec<&str>)> = Vec::new();
    for clip in clips {
        let complete = clip.rows.iter().filter(|row| row.guarantee == Guarantee::Complete);
        let Some(winner) = complete.min_by(|a, b| a.ms[0].total_cmp(&b.ms[0])) else { continue };
        match winners.iter_mut().find(|(method, _)| *method == winner.method) {
            Some((_, where_won)) => where_won.push(&clip.clip),
            None => winners.push((&winner.method, vec![&clip.clip])),
        }
    }
    winners.sort_by_key(|(_, where_won)| std::cmp::Reverse(where_won.len()));
    let mut text = String::from("The fastest complete method:\n\n");
    for (method, where_won) in winners {
        let _ = writeln!(text, "- `{method}`: {}", printable(&where_won.join(", ")));
    }
    text
}

/// The rows in the format `osculate-compare/1`.
pub(super) fn json(clips: &[Measured]) -> Result<String> {
    let row = |clip: &Measured, row: &Row| {
        json!({
            "input": clip.input,
            "clip": clip.clip,
            "triangles": clip.triangles,
            "method": row.method,
            "guarantee": guarantee(row.guarantee).word(),
            "frames": clip.frames,
            "ms": row.ms[0],
            "ms_min": row.ms[1],
            "ms_max": row.ms[2],
            "stages": { "refit": row.stages[0], "proofs": row.stages[1], "cull": row.stages[2], "narrow": row.stages[3] },
            "bv_tests": row.stats.bounds_tests,
            "certificate_tests": row.stats.certificates.patches + row.stats.certificates.pairs,
            "contour_tests": row.stats.certificates.facing,
            "patches_cleared": row.stats.certificates.patches_cleared,
            "pairs_cleared": row.stats.certificates.pairs_cleared,
            "patches_skipped": row.stats.certificates.patches_skipped,
            "bounds_refitted": row.stats.skinning.refits,
            "vertices_moved": row.stats.skinning.vertices,
            "pairs": row.stats.pairs,
            "chosen": row.stats.auto.to_string(),
            "preparation_included": clip.is_anew,
            "feature_tests": elementary_tests(&row.stats),
            "exact_tests": exact_tests(row),
            "contacts": row.found,
            "agrees": row.agrees(),
            "missed": row.missed,
            "speedup": speedup(clip, row),
            "memory_bytes": row.memory_bytes,
        })
    };
    let rows: Vec<_> = clips.iter().flat_map(|clip| clip.rows.iter().map(|r| row(clip, r))).collect();
    let page = json!({ "format": "osculate-compare/1", "rows": rows });
    Ok(serde_json::to_string_pretty(&page)? + "\n")
}
