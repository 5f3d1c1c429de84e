//! The tables as text.

use comfy_table::Table;
use osculate::method::Guarantee;

use super::goals::goals;
use super::race::{BN_TREE, Row};
use super::{CLOTH, Study};
use crate::compare::goals::goals_table;
use crate::compare::paper::{self, table};
use crate::words::{counted, grouped};

/// All tables, with their titles.
pub(super) fn text(studies: &[Study]) -> String {
    let mut text = String::new();
    let title = "Milliseconds per step: the median and the mean over all steps, the median over the steps without contacts, and the median and the mean divided by those of `bn-tree`";
    paper::add(&mut text, title, &times(studies));
    let title = "Work per step, memory and time of data computed once, and answers: bytes per triangle, seconds, and contacts of all steps";
    paper::add(&mut text, title, &work(studies));
    let cloth: Vec<&Study> = studies.iter().filter(|study| CLOTH.contains(&study.scene.as_str())).collect();
    if 1 < cloth.len() {
        let title = "Growth with the level of subdivision: milliseconds of steps without contacts, divided by those of the coarsest cloth";
        paper::add(&mut text, title, &growth(&cloth));
    }
    let goals = goals_table(&goals(studies));
    if !goals.is_empty() {
        paper::add(&mut text, "Goals: figures by medians, then by means", &goals);
    }
    text
}

/// The Markdown page, with the command that made it.
pub(super) fn markdown(command: &str, repeat: usize, threads: usize, tables: &str) -> String {
    format!(
        "# Bounded normal trees: the figures of the paper\n\n\
         Made by `cargo run --release -- {command}` with {} and {}; methods are interleaved step by step. Surfaces are tested against themselves: \
         a cloth of 231 control vertices at two to four levels of subdivision, a beast with 40 bones that walks and jumps, a body moved by 24 particles, and \
         one moved by ten modes. The time is that of posing the body by its parameters and of the query for all contacts of the step; for each step it is the median over the repetitions. Methods other \
         than `bn-tree` need all vertices, and move them within the query. \
         `hsc` are the bit masks of Volino and Magnenat-Thalmann, bottom-up, which the paper compares with. The paper's own figures are those without a contour test, `:no-contour`, which may miss contacts; it states a \
         speed-up of 3 over HSC for a walking cat of 244,735 triangles, and a smaller one for a jumping cat. An answer agrees if it equals, bit by bit, that of `bvh`. Absolute times mean little on a shared machine; \
         ratios within a table do.\n\n{tables}",
        counted(threads, "thread"),
        counted(repeat, "repetition"),
    )
}

fn times(studies: &[Study]) -> Table {
    let header =
        ["scene", "method", "triangles", "steps", "median", "mean", "free", "median, ratio", "mean, ratio"];
    let mut table = table(2, &header);
    for study in studies {
        for (i, row) in study.rows.iter().enumerate() {
            table.add_row([
                study.scene.clone(),
                row.method.to_string(),
                grouped(study.triangles as u64),
                study.n_steps().to_string(),
                format!("{:.3}", row.timed.median()),
                format!("{:.3}", row.timed.mean()),
                study.ms_of_free_steps(i).map_or_else(String::new, |ms| format!("{ms:.3}")),
                format!("{:.2}", study.ratio_of_medians([i, BN_TREE])),
                format!("{:.2}", study.ratio_of_means([i, BN_TREE])),
            ]);
        }
    }
    table
}

fn work(studies: &[Study]) -> Table {
    let header = [
        "scene",
        "method",
        "patches",
        "pairs of patches",
        "cleared triangles",
        "bounds tests",
        "bounds refitted",
        "vertices moved",
        "bytes",
        "build, s",
        "contacts",
        "agrees",
    ];
    let mut table = table(2, &header);
    for study in studies {
        let n_steps = study.n_steps() as u64;
        let share = |n: u64, all: usize| format!("{:.1} %", 100.0 * n as f64 / (all as f64 * n_steps as f64));
        for row in &study.rows {
            let proofs = &row.timed.stats.certificates;
            table.add_row([
                study.scene.clone(),
                row.method.to_string(),
                grouped(proofs.patches / n_steps),
                grouped(proofs.pairs / n_steps),
                share(proofs.triangles_cleared, study.triangles),
                grouped(row.timed.stats.bounds_tests / n_steps),
                refitted(row, n_steps),
                share(row.timed.stats.skinning.vertices, study.vertices),
                grouped((row.bytes / study.triangles) as u64),
                format!("{:.2}", 1e-3 * row.build_ms),
                grouped(row.timed.found),
                verdict(row),
            ]);
        }
    }
    table
}

/// Bounds refitted per step; all, unless they are refitted on demand.
fn refitted(row: &Row, n_steps: u64) -> String {
    match row.timed.stats.skinning.refits {
        0 => "all".to_owned(),
        n => grouped(n / n_steps),
    }
}

fn growth(cloth: &[&Study]) -> Table {
    let names = cloth.iter().map(|study| study.scene.as_str());
    let header: Vec<&str> = std::iter::once("method").chain(names).collect();
    let mut table = table(1, &header);
    for (i, row) in cloth[0].rows.iter().enumerate() {
        let free: Vec<Option<f64>> = cloth.iter().map(|study| study.ms_of_free_steps(i)).collect();
        let ratio = |ms: &Option<f64>| {
            let ratio = ms.zip(free[0]).map(|(ms, coarsest)| ms / coarsest);
            ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"))
        };
        table.add_row(std::iter::once(row.method.to_string()).chain(free.iter().map(ratio)));
    }
    table
}

fn verdict(row: &Row) -> String {
    match (row.keeps_its_word(), row.timed.missed) {
        (false, _) => "NO".to_owned(),
        (true, 0) if row.method.guarantee() == Guarantee::Nothing => "yes, unproven".to_owned(),
        (true, 0) => "yes".to_owned(),
        (true, missed) => format!("missed {}", grouped(missed as u64)),
    }
}
