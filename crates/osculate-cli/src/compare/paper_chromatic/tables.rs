//! The tables as text.

use comfy_table::Table;

use super::colors::Colors;
use super::goals::goals;
use super::{Study, excess};
use crate::compare::goals::goals_table;
use crate::compare::paper::{self, table};
use crate::words::{counted, grouped};

/// All tables, with their titles.
pub(super) fn text(studies: &[Study], colors: &[Colors]) -> String {
    let mut text = String::new();
    let title = "Work per step: triangles that may collide after stage I and after stage II, candidate pairs, elementary tests, and how many times fewer of these than `bvh:aabb` makes, over all steps and over those without contacts";
    paper::add(&mut text, title, &work(studies));
    let title = "Milliseconds per step: the median and the mean over all steps, how many times faster than `bvh:aabb` by both, and the means of the stages: refit (with stage II also the traversal that marks triangles), traversal, tests of sets (stage II), elementary tests";
    paper::add(&mut text, title, &times(studies));
    let title = "Colors, with primitives of up to one, two and four triangles";
    paper::add(&mut text, title, &colorings(colors));
    paper::add(&mut text, "Goals; the first figure decides", &goals_table(&goals(studies, colors)));
    text
}

/// The Markdown page, with the command that made it.
pub(super) fn markdown(command: &str, repeat: usize, threads: usize, tables: &str) -> String {
    format!(
        "# Chromatic decomposition: the figures of the paper\n\n\
         Made by `cargo run --release -- {command}` with {} and {}; methods are interleaved step by step. Two curtains of 32,500 triangles are drawn together and fold, a sheet of 64,000 falls on a ball, and a \
         catheter of 10,000 triangles is pushed into blood vessels of 83,000, which do not move. Each object is a body; bodies are tested against themselves and each other. The time is that of the query \
         for all contacts of the step, whose vertices are given; for each step it is the median over the repetitions. Structures computed once per model, such as colors, are not in it. \
         Stages I and II of the paper are refit, traversal and tests of sets; elementary tests are stages III and IV. `chromatic:no-sets` is without stage II, `chromatic:sets` with it in every step, and `chromatic` decides by \
         the candidate pairs of the step before; triangles after the stages are means over the steps with stage II. `bvh:aabb` and `sphere-tree:bottom-up,no-proofs` are the hierarchies of boxes and spheres that the paper compares with; `bvh` has \
         moving boxes, as `chromatic` does. The paper states, for a cloth of 12,296 triangles, 6,442 triangles after stage I and 524 after stage II, with 65,000 and 2,737 elementary tests; five times \
         the speed of boxes without stage II and 15 to 20 times with it; 100 ms per step for two curtains of 32,500 triangles, and 60 to 90 ms for a catheter of 10,000 triangles in vessels of 83,000; 10 to 20 colors; and \
         two seconds to color 10,000 triangles. An answer agrees if it equals, bit by bit, that of `bvh:aabb`. Absolute times mean little on a shared machine; ratios within a table do.\n\n{tables}",
        counted(threads, "thread"),
        counted(repeat, "repetition"),
    )
}

fn work(studies: &[Study]) -> Table {
    let header = [
        "scene",
        "method",
        "steps",
        "with II",
        "after I",
        "after II",
        "pairs",
        "elementary tests",
        "fewer",
        "fewer, free",
        "contacts",
        "agrees",
    ];
    let mut table = table(2, &header);
    for study in studies {
        let n_steps = study.n_steps() as u64;
        for (i, row) in study.rows.iter().enumerate() {
            let of_culled = |n: u64| match row.n_culled() as u64 {
                0 => String::new(),
                n_culled => grouped(n / n_culled),
            };
            let fewer = study.fewer_tests(i);
            let ratio = |k: usize| fewer.get(k).map_or_else(String::new, |ratio| format!("{ratio:.2}"));
            table.add_row([
                study.scene.clone(),
                row.method.to_string(),
                n_steps.to_string(),
                row.n_culled().to_string(),
                of_culled(row.timed.stats.sets.marked),
                of_culled(row.timed.stats.sets.left),
                grouped(row.timed.stats.pairs / n_steps),
                grouped(row.timed.stats.narrow.queries / n_steps),
                ratio(0),
                ratio(1),
                grouped(row.timed.found),
                if row.timed.agrees() { "yes" } else { "NO" }.to_owned(),
            ]);
        }
    }
    table
}

fn times(studies: &[Study]) -> Table {
    let header = [
        "scene",
        "method",
        "median",
        "mean",
        "median, faster",
        "mean, faster",
        "refit",
        "traversal",
        "sets",
        "elementary",
    ];
    let mut table = table(2, &header);
    for study in studies {
        for (i, row) in study.rows.iter().enumerate() {
            let [of_medians, of_means] = study.speedup(i);
            let mut cells = vec![study.scene.clone(), row.method.to_string()];
            cells.extend([row.timed.median(), row.timed.mean()].map(|ms| format!("{ms:.3}")));
            cells.extend([of_medians, of_means].map(|ratio| format!("{ratio:.2}")));
            cells.extend(row.timed.stages.map(|ms| format!("{ms:.3}")));
            table.add_row(cells);
        }
    }
    table
}

fn colorings(all: &[Colors]) -> Table {
    let header =
        ["mesh", "triangles", "of a primitive", "primitives", "colors", "lower bound", "ratio", "ms"];
    let mut table = table(1, &header);
    for colors in all {
        table.add_row([
            colors.mesh.clone(),
            grouped(colors.triangles as u64),
            colors.size.to_string(),
            grouped(colors.primitives as u64),
            colors.colors.to_string(),
            colors.lower_bound.to_string(),
            format!("{:.2}", excess(colors)),
            format!("{:.1}", colors.ms),
        ]);
    }
    table
}
