//! The tables as text: our numbers, with the paper's in brackets.

use comfy_table::Table;

use super::published::{Published, disturbed_ratio, published};
use super::{BASE, MCD, METHODS, OURS, Study, counts};
use crate::compare::paper::{self, beside, table};
use crate::compare::runner::Row;
use crate::rig::Cost;
use crate::words::{counted, grouped};

/// All tables, with their titles.
pub(super) fn text(studies: &[Study]) -> String {
    let mut text = String::new();
    let mut add = |title: &str, table: Table| paper::add(&mut text, title, &table);
    add(
        "Table 1. Models, orientations of triangles, clusters, and milliseconds of preprocessing",
        models(studies),
    );
    add("Table 2. Tests of bounding volumes per step", bounds_tests(studies));
    add(
        "Table 3. Milliseconds of a query, speed-ups, and pairs of triangles over those of Base",
        times(studies),
    );
    add("Table 4. Milliseconds of the stages, and pairs of triangles per step", stages(studies));
    if studies.iter().any(|study| !study.disturbed.is_empty()) {
        add("Table 5. Displaced joints", robustness(studies));
    }
    text
}

/// The Markdown page, with the command that made it.
pub(super) fn markdown(command: &str, repeat: usize, threads: usize, tables: &str) -> String {
    format!(
        "# Radial view culling: the tables of the paper\n\n\
         Made by `cargo run --release --features rig -- {command}` with {} and {}; methods are interleaved on the same \
         consecutive steps from the middle of each animation. The paper's numbers, for its own similar animations on its own \
         machine, are in brackets: compare ratios, not times. *Ours* reports every contact; *first contact* gives the guarantee of the paper's method. \
         Milliseconds are the median over the repetitions; culling is the rest after the other stages. The distance field of the paper serves the same purpose as our \
         visibility of bones, and its decomposition is our assignment. Joints are displaced by a multiple of their distance from the nearest vertex.\n\n{tables}",
        counted(threads, "thread"),
        counted(repeat, "repetition"),
    )
}

fn models(studies: &[Study]) -> Table {
    let columns = ["scene", "triangles", "vertices", "H+", "H-", "Hu", "clusters"];
    let header: Vec<&str> = columns.into_iter().chain(Cost::STAGES).collect();
    let mut table = table(1, &header);
    for study in studies {
        let paper = published(&study.scene);
        let mut row =
            vec![study.scene.clone(), grouped(study.triangles as u64), grouped(study.vertices as u64)];
        row.extend(classes(study, &study.rows[OURS], true));
        let clusters = format!("{} -> {}", study.cost.n_before, study.clusters);
        row.push(beside(clusters, paper.map(|p| format!("{} -> {}", p.clusters[0], p.clusters[1]))));
        // The paper's stage that does the same work, if any.
        let same_work = [Some(0), None, Some(1), Some(2), None, Some(3)];
        for (time, theirs) in study.cost.times.iter().zip(same_work) {
            let theirs = paper.zip(theirs).map(|(paper, k)| paper.preprocessing[k].to_string());
            row.push(beside(format!("{:.1}", *time as f64 * 1e-6), theirs));
        }
        table.add_row(row);
    }
    table
}

fn bounds_tests(studies: &[Study]) -> Table {
    let mut table = table(2, &["scene", "method", "inter", "intra", "total", "/ Base", "/ MCD"]);
    for study in studies {
        let paper = published(&study.scene);
        for (i, row) in study.rows.iter().enumerate() {
            let (own, counts) = (OURS <= i, counts(row));
            let inner = |k: usize, n: u64| {
                if own { beside(per_step(study, n), thousands(paper, k)) } else { String::new() }
            };
            let total = per_step(study, row.stats.bounds_tests);
            let ratio = |k: usize, to: usize| {
                let ratio = row.stats.bounds_tests as f64 / study.rows[to].stats.bounds_tests as f64;
                beside(
                    format!("{ratio:.2}"),
                    paper.filter(|_| own).map(|p| format!("{:.2}", p.test_ratios[k])),
                )
            };
            table.add_row([
                study.scene.clone(),
                row.method.clone(),
                inner(0, counts.inter_tests),
                inner(1, counts.intra_tests),
                beside(total, thousands(paper.filter(|_| own), 2)),
                ratio(0, BASE),
                ratio(1, MCD),
            ]);
        }
    }
    table
}

fn times(studies: &[Study]) -> Table {
    let header = ["scene", "method", "ms", "range", "Base /", "MCD /", "pairs / Base", "found", "agrees"];
    let mut table = table(2, &header);
    for study in studies {
        let paper = published(&study.scene);
        let [base, mcd] = [BASE, MCD].map(|i| &study.rows[i]);
        for (i, row) in study.rows.iter().enumerate() {
            let ours = paper.filter(|_| OURS <= i);
            let speedup = |k: usize, other: &Row| {
                let ratio = format!("{:.2}", other.ms[0] / row.ms[0]);
                beside(ratio, ours.map(|p| format!("{:.2}", p.speedups[k])))
            };
            let pairs = format!("{:.3}", row.stats.pairs as f64 / base.stats.pairs as f64);
            table.add_row([
                study.scene.clone(),
                row.method.clone(),
                beside(format!("{:.2}", row.ms[0]), ours.map(|p| p.ms.to_string())),
                format!("{:.2}-{:.2}", row.ms[1], row.ms[2]),
                speedup(0, base),
                speedup(1, mcd),
                beside(pairs, ours.map(|p| p.pair_ratio.to_string())),
                grouped(row.found),
                row.verdict(),
            ]);
        }
    }
    table
}

fn stages(studies: &[Study]) -> Table {
    let mut table = table(2, &["scene", "method", "refit", "proofs or view", "cull", "narrow", "pairs"]);
    for study in studies {
        let paper = published(&study.scene).map(|paper| paper.stages);
        for (i, row) in study.rows.iter().enumerate() {
            let theirs = |k: usize| paper.map(|stages| stages[i.min(OURS)][k]);
            let mut cells = vec![study.scene.clone(), METHODS[i].0.to_owned()];
            for (k, ms) in row.stages.iter().enumerate() {
                let has = i != BASE || k != 1;
                cells.push(beside(format!("{ms:.2}"), theirs(k).filter(|_| has).map(|ms| ms.to_string())));
            }
            cells.push(beside(per_step(study, row.stats.pairs), theirs(4).map(|n| format!("{n} K"))));
            table.add_row(cells);
        }
    }
    table
}

fn robustness(studies: &[Study]) -> Table {
    let mut table = table(2, &["scene", "displaced", "time / undisturbed", "H+", "H-", "Hu", "agrees"]);
    for study in studies {
        let undisturbed = &study.rows[OURS];
        for (disturbance, row) in &study.disturbed {
            let theirs = disturbed_ratio(&study.scene, disturbance.size).map(str::to_owned);
            let mut cells = vec![
                study.scene.clone(),
                row.method.clone(),
                beside(format!("{:.2}", row.ms[0] / undisturbed.ms[0]), theirs),
            ];
            cells.extend(classes(study, row, false));
            cells.push(row.verdict());
            table.add_row(cells);
        }
    }
    table
}

/// The mean numbers of triangles that face away from their observer, that face it, and that are
/// uncertain.
fn classes(study: &Study, row: &Row, with_paper: bool) -> [String; 3] {
    let paper = published(&study.scene).filter(|_| with_paper);
    let counts = counts(row);
    let numbers = [counts.plus, counts.minus, counts.uncertain];
    std::array::from_fn(|k| {
        beside(per_step(study, numbers[k]), paper.map(|p| grouped(u64::from(p.classes[k]))))
    })
}

fn per_step(study: &Study, n: u64) -> String {
    grouped(n / study.steps as u64)
}

fn thousands(paper: Option<&Published>, k: usize) -> Option<String> {
    paper.map(|paper| format!("{} K", paper.tests[k]))
}
