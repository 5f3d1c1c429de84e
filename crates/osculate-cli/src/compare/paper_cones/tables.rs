//! The tables as text.

use comfy_table::Table;
use osculate::Method;

use super::published::published;
use super::{BOXES, CONES, FRONT, PATCHES, RIVAL, Study};
use crate::compare::figures::elementary_tests;
use crate::compare::paper::{self, beside, table};
use crate::words::{counted, grouped};

/// The lanes of a stored pair of the front: the pairs of children of two nodes.
const LANES: u64 = 16;

/// All tables, with their titles.
pub(super) fn text(studies: &[Study]) -> String {
    let mut text = String::new();
    let title = "Figure 1: elementary tests per step, those that find nothing, and how many times fewer of these than `bvh:aabb` makes";
    paper::add(&mut text, title, &false_positives(studies));
    let title = "Figure 9: milliseconds per step of proofs about patches (normals and contours), and how many times those of `normal-cone:no-pairs` the rival takes; the paper's ratio for contour tests alone in brackets";
    paper::add(&mut text, title, &proofs(studies));
    let title = "Figure 10: milliseconds per step, the median and the mean, and how many times faster than `bvh:aabb` by both; the paper's ratio of means in brackets";
    paper::add(&mut text, title, &times(studies));
    let title = "Figure 11: overlap tests of bounding volumes per step without and with proofs, their ratio with the paper's ratio of front sizes in brackets, and the size of our front, with its tests as a share of those without proofs";
    paper::add(&mut text, title, &fronts(studies));
    text
}

/// The Markdown page, with the command that made it.
pub(super) fn markdown(command: &str, repeat: usize, threads: usize, tables: &str) -> String {
    format!(
        "# Normal cones with an unprojected contour test: the figures of the paper\n\n\
         Made by `cargo run --release -- {command}` with {} and {}; methods are interleaved step by step. A sheet of 64,000 triangles is twisted by a ball (like Twisting in the paper), another falls on a ball (Funnel), \
         two curtains are drawn together, and a cloth flows (FlowingCloth). Each object is a body; bodies are tested against themselves and each other, for all crossings at the \
         start of each step and for all contacts of the step. The time is that of the query, whose vertices are given; for each step it is the median over the repetitions. \
         `bvh:aabb` is AABB-only, `sct` and `cbc` are the contour tests of other papers that it compares with (its fourth, dynamic clustering, is not described well enough to build). `normal-cone:no-pairs` proves patches, as the paper does; without that option, \
         pairs of adjacent patches are proven, too, during the traversal. The first methods have the boxes of the paper, which bound the whole step; the last three have boxes that move with it. \
         An answer agrees if it equals, bit by bit, that of `bvh:aabb`. Absolute times mean little on a shared machine; ratios within a table do.\n\n{tables}",
        counted(threads, "thread"),
        counted(repeat, "repetition"),
    )
}

/// The first cells of a row.
fn names(study: &Study, method: Method) -> Vec<String> {
    vec![study.scene.clone(), study.query().to_owned(), method.to_string()]
}

fn false_positives(studies: &[Study]) -> Table {
    let header =
        ["scene", "query", "method", "elementary tests", "finding nothing", "fewer", "found", "agrees"];
    let mut table = table(3, &header);
    for study in studies {
        let n_steps = study.n_steps() as u64;
        let in_vain = |i: usize| study.false_positives(i).sum::<u64>();
        for (i, (method, timed)) in study.rows.iter().enumerate() {
            let fewer = in_vain(BOXES) as f64 / in_vain(i).max(1) as f64;
            let mut cells = names(study, *method);
            cells.extend([
                grouped(elementary_tests(&timed.stats) / n_steps),
                grouped(in_vain(i) / n_steps),
                format!("{fewer:.2}"),
                grouped(timed.found),
                if timed.agrees() { "yes" } else { "NO" }.to_owned(),
            ]);
            table.add_row(cells);
        }
    }
    table
}

fn proofs(studies: &[Study]) -> Table {
    let header = ["scene", "query", "rival", "ms of the rival", "ms of `no-pairs`", "ratio"];
    let mut table = table(3, &header);
    for study in studies {
        let [rival, ours] = [RIVAL, PATCHES].map(|i| study.timed(i).stages[2]);
        let theirs = published(&study.scene);
        let theirs = theirs.map(|paper| format!("{:.1}", paper.contour_speedup(study.is_step())));
        let mut cells = names(study, study.rows[RIVAL].0);
        cells.extend([rival, ours].map(|ms| format!("{ms:.3}")));
        cells.push(beside(format!("{:.2}", rival / ours), theirs));
        table.add_row(cells);
    }
    table
}

fn times(studies: &[Study]) -> Table {
    let header = ["scene", "query", "method", "median", "mean", "faster, median", "faster, mean"];
    let mut table = table(3, &header);
    for study in studies {
        for (i, (method, timed)) in study.rows.iter().enumerate() {
            let [of_medians, of_means] = study.speedup(i);
            let mut cells = names(study, *method);
            cells.extend([timed.median(), timed.mean()].map(|ms| format!("{ms:.3}")));
            cells.push(format!("{of_medians:.2}"));
            cells.push(beside(format!("{of_means:.2}"), published_speedup(study, i)));
            table.add_row(cells);
        }
    }
    table
}

/// The speed-up over AABB-only that the paper states for a method, with its own boxes.
fn published_speedup(study: &Study, method: usize) -> Option<String> {
    let paper = published(&study.scene)?;
    let speedup = if study.is_step() {
        let [cbc, cones, front] = paper.speedups_over_steps();
        [None, Some(cbc), Some(cones), None, Some(front)].get(method).copied().flatten()
    } else {
        let [sct, cones] = paper.speedups_at_instants();
        [None, Some(sct), Some(cones), None].get(method).copied().flatten()
    };
    speedup.map(|speedup| format!("{speedup:.2}"))
}

fn fronts(studies: &[Study]) -> Table {
    let header = [
        "scene",
        "query",
        "similar to",
        "tests without",
        "tests with",
        "ratio",
        "front, bytes",
        "front, share",
    ];
    let mut table = table(3, &header);
    for study in studies {
        let n_steps = study.n_steps() as u64;
        let paper = published(&study.scene);
        let last = if study.is_step() { FRONT } else { CONES };
        let [without, with] = [BOXES, last].map(|i| study.timed(i).stats.bounds_tests);
        let theirs = paper.map(|paper| format!("{:.2}", paper.front_share(study.is_step())));
        let stored = study.timed(last).stats.front_pairs;
        let of_front = |text: String| if study.is_step() { text } else { String::new() };
        table.add_row([
            study.scene.clone(),
            study.query().to_owned(),
            paper.map_or_else(String::new, |paper| paper.name.to_owned()),
            grouped(without / n_steps),
            grouped(with / n_steps),
            beside(format!("{:.2}", study.share_of_tests(last)), theirs),
            of_front(grouped(stored * size_of::<u32>() as u64 / n_steps)),
            of_front(format!("{:.3}", (stored * LANES) as f64 / without.max(1) as f64)),
        ]);
    }
    table
}
