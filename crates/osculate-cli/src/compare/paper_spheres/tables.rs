//! The tables as text: our numbers, with the paper's in brackets.

use comfy_table::Table;
use osculate::method::SphereRadii;

use super::published::{Details, Published, RADII, published};
use super::race::{BOTTOM_UP, ON_DEMAND, Question, Row};
use super::timely::{BUDGET, Timely};
use super::{Studies, Study};
use crate::compare::paper::{self, beside, table};
use crate::words::{counted, grouped};

/// All tables, with their titles.
pub(super) fn text(studies: &Studies) -> String {
    let mut text = String::new();
    let mut add = |is_there: bool, title: &str, table: Table| {
        if is_there {
            paper::add(&mut text, title, &table);
        }
    };
    let Studies { radii: levels, walks: of_walks, dwarves: of_dwarves, timely: of_time } = studies;
    let title = "Mean radii of the creature's spheres by level: at rest, and refitted at a pose";
    add(!levels.is_empty(), title, radii(levels));
    let title = "Two men who meet, two creatures that walk through each other, and a crowd of fifty creatures; counts are per frame, except `found`";
    add(!of_walks.is_empty(), title, walks(of_walks));
    let title = "Two dwarves, with each triangle split into four up to three times; counts are for the frame";
    add(!of_dwarves.is_empty(), title, dwarves(of_dwarves));
    let title = format!("The crowd, with {} microseconds for each query", BUDGET / 1000);
    add(!of_time.is_empty(), &title, timely(of_time));
    text
}

/// The Markdown page, with the command that made it.
pub(super) fn markdown(command: &str, repeat: usize, threads: usize, tables: &str) -> String {
    format!(
        "# Spheres refitted on demand: the tables of the paper\n\n\
         Made by `cargo run --release -- {command}` with {} and {}; methods are interleaved on the same frames. \
         The paper's numbers, for its own similar models on its own machine, are in brackets: compare ratios, not times. The time is that of posing \
         all bodies by their bones and of the query, per frame; it is the median over the turns, each of which repeats all frames until 20 ms have passed. \
         *Bottom-up* deforms all vertices and refits all spheres, *on demand* only those that the traversal needs. There is no self-collision. An answer agrees if it equals, bit by bit, \
         that of the hierarchy of boxes.\n\n{tables}",
        counted(threads, "thread"),
        counted(repeat, "repetition"),
    )
}

fn radii(levels: &[SphereRadii]) -> Table {
    let header = ["level", "spheres", "reference", "on demand", "bottom-up", "best", "on demand / best"];
    let mut table = table(1, &header);
    for (i, level) in levels.iter().enumerate() {
        let ours = [level.reference, level.on_demand, level.bottom_up, level.best];
        let paper = RADII.get(i);
        let mut cells = vec![(i + 1).to_string(), grouped(level.spheres as u64)];
        for (k, radius) in ours.iter().enumerate() {
            cells.push(beside(format!("{radius:.4}"), paper.map(|radii| format!("{:.2}", radii[k]))));
        }
        let theirs = paper.map(|radii| format!("{:.2}", radii[1] / radii[3]));
        cells.push(beside(format!("{:.2}", level.on_demand / level.best), theirs));
        table.add_row(cells);
    }
    table
}

fn walks(studies: &[Study]) -> Table {
    let header = [
        "scenario",
        "method",
        "triangles",
        "ms",
        "range",
        "speed-up",
        "sphere tests",
        "refits",
        "vertices moved",
        "found",
        "agrees",
    ];
    let mut table = table(2, &header);
    for study in studies {
        let paper = published(&study.scenario);
        for (i, row) in study.rows.iter().enumerate() {
            let [tests, refits, vertices] = counts(study, row);
            table.add_row([
                study.scenario.clone(),
                row.method.to_owned(),
                grouped(study.triangles as u64),
                time(row, i, paper),
                range(row),
                speedup(study, i, paper),
                tests,
                refits,
                vertices,
                grouped(row.found),
                agrees(row.agrees),
            ]);
        }
    }
    table
}

fn dwarves(studies: &[Study]) -> Table {
    let header = [
        "scenario",
        "method",
        "triangles",
        "spheres",
        "crossings",
        "ms",
        "range",
        "/ level 0",
        "speed-up",
        "sphere tests",
        "refits",
        "vertices moved",
        "agrees",
    ];
    let mut table = table(2, &header);
    for (k, study) in studies.iter().enumerate() {
        let coarsest = &studies[k / 4 * 4];
        let paper = published(&study.scenario);
        let details = |number: fn(&Details) -> u64| {
            paper.and_then(|paper| paper.details.as_ref()).map(|details| grouped(number(details)))
        };
        for (i, row) in study.rows.iter().enumerate() {
            let [tests, refits, vertices] = counts(study, row);
            let their_tests = match i {
                ON_DEMAND => details(|details| details.tests[0]),
                BOTTOM_UP => details(|details| details.tests[1]),
                _ => None,
            };
            table.add_row([
                study.scenario.clone(),
                row.method.to_owned(),
                grouped(study.triangles as u64 / 2),
                beside(grouped(study.spheres as u64), details(|details| details.spheres)),
                beside(grouped(row.found), details(|details| details.crossings)),
                time(row, i, paper),
                range(row),
                format!("{:.2}", row.ms[0] / coarsest.rows[i].ms[0]),
                speedup(study, i, paper),
                beside(tests, their_tests),
                refits,
                vertices,
                agrees(row.agrees),
            ]);
        }
    }
    table
}

fn timely(all: &[Timely]) -> Table {
    let header = [
        "wanted",
        "queries",
        "posing, ms",
        "query, ms",
        "longest, ms",
        "yes",
        "no",
        "undecided",
        "found",
        "touching bodies found",
        "never wrong",
    ];
    let mut table = table(1, &header);
    for timely in all {
        let share = |n: u64, all: u64| format!("{:.0} %", 100.0 * n as f64 / all.max(1) as f64);
        let wants_all = timely.question != Question::AnyCrossing;
        let [yes, no, undecided] = timely.verdicts.map(|n| share(n as u64, timely.queries as u64));
        table.add_row([
            timely.question.words().to_owned(),
            grouped(timely.queries as u64),
            format!("{:.4}", timely.posing),
            format!("{:.4}", timely.mean),
            format!("{:.4}", timely.longest),
            yes,
            no,
            undecided,
            if wants_all { share(timely.found, timely.all) } else { String::new() },
            if wants_all { share(timely.pairs, timely.all_pairs) } else { String::new() },
            agrees(timely.wrong == 0),
        ]);
    }
    table
}

/// Per frame: bounds tests, bounds refitted, and vertices deformed.
fn counts(study: &Study, row: &Row) -> [String; 3] {
    let counts = [row.stats.bounds_tests, row.stats.skinning.refits, row.stats.skinning.vertices];
    counts.map(|n| grouped(n / study.frames as u64))
}

/// Milliseconds, with the paper's for its methods.
fn time(row: &Row, method: usize, paper: Option<&Published>) -> String {
    let theirs = paper.and_then(|paper| paper.ms).and_then(|ms| ms.get(method).copied());
    beside(format!("{:.4}", row.ms[0]), theirs.map(|ms| ms.to_string()))
}

fn range(row: &Row) -> String {
    format!("{:.4}-{:.4}", row.ms[1], row.ms[2])
}

/// Speed-up over bottom-up.
fn speedup(study: &Study, method: usize, paper: Option<&Published>) -> String {
    let theirs = paper.filter(|_| method == ON_DEMAND).map(|paper| paper.speedup.to_string());
    beside(format!("{:.2}", study.speedup(method)), theirs)
}

fn agrees(agrees: bool) -> String {
    if agrees { "yes" } else { "NO" }.to_owned()
}
