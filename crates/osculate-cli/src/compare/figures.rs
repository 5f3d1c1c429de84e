//! Measurements for other programs: a CSV file with a row for each method on each scene, and charts
//! as SVG.

use std::fmt::Write as _;

use osculate::Stats;

use super::chart::{Chart, svg};
use super::race::Timed;

/// A method on a scene. Counts are sums over all steps.
pub(super) struct Figure {
    pub(super) scene: String,
    /// What is asked in each step: `contacts` or `crossings`.
    pub(super) query: &'static str,
    pub(super) method: String,
    /// Triangles of all bodies.
    pub(super) triangles: usize,
    pub(super) steps: usize,
    /// Milliseconds per step, the median.
    pub(super) ms: f64,
    pub(super) bounds_tests: u64,
    pub(super) pairs: u64,
    /// Pairs of features, or of triangles at an instant, that the narrow phase decided.
    pub(super) elementary_tests: u64,
    pub(super) found: u64,
    /// Whether the answers satisfy the guarantee of the method.
    pub(super) agrees: bool,
}

impl Figure {
    /// The figure of a method for a question about a scene.
    pub(super) fn of(
        scene: &str,
        query: &'static str,
        method: String,
        triangles: usize,
        timed: &Timed,
    ) -> Figure {
        Figure {
            scene: scene.to_owned(),
            query,
            method,
            triangles,
            steps: timed.ms.len(),
            ms: timed.median(),
            bounds_tests: timed.stats.bounds_tests,
            pairs: timed.stats.pairs,
            elementary_tests: elementary_tests(&timed.stats),
            found: timed.found,
            agrees: timed.agrees(),
        }
    }
}

/// Pairs that the narrow phase decided: of features over a step, of triangles at an instant.
pub(super) fn elementary_tests(stats: &Stats) -> u64 {
    stats.narrow.queries + stats.triangles.pairs
}

/// All measurements of a run.
#[derive(Default)]
pub(super) struct Figures {
    pub(super) rows: Vec<Figure>,
    /// Charts that come before those of the rows.
    pub(super) charts: Vec<Chart>,
}

impl From<Vec<Figure>> for Figures {
    fn from(rows: Vec<Figure>) -> Figures {
        Figures { rows, charts: Vec::new() }
    }
}

impl Figures {
    /// A header, and a row for each method on each scene.
    pub(super) fn csv(&self) -> String {
        let mut text = String::from(
            "scene,query,method,triangles,steps,ms,bounds_tests,pairs,elementary_tests,found,agrees\n",
        );
        for row in &self.rows {
            let Figure { query, triangles, steps, ms, bounds_tests, pairs, .. } = row;
            let (scene, method) = (quoted(&row.scene), quoted(&row.method));
            let Figure { elementary_tests, found, agrees, .. } = row;
            let _ = writeln!(
                text,
                "{scene},{query},{method},{triangles},{steps},{ms},{bounds_tests},{pairs},{elementary_tests},{found},{agrees}"
            );
        }
        text
    }

    /// The charts, one below the other: those that were given, and the times of the methods for
    /// each scene and query.
    pub(super) fn svg(self) -> String {
        let mut charts = self.charts;
        for group in self.rows.chunk_by(|a, b| (&a.scene, a.query) == (&b.scene, b.query)) {
            let Figure { scene, query, triangles, .. } = &group[0];
            let triangles = crate::words::grouped(*triangles as u64);
            charts.push(Chart::Bars {
                title: format!("{scene}, {triangles} triangles: milliseconds per step for all {query}"),
                bars: group.iter().map(|row| (row.method.clone(), row.ms)).collect(),
            });
        }
        svg(&charts)
    }
}

/// A field of a CSV file, in quotes if it has a comma, a quote or a line feed.
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(scene: &str, method: &str, ms: f64) -> Figure {
        let timed = Timed { ms: vec![ms], ..Timed::default() };
        Figure::of(scene, "contacts", method.to_owned(), 1234, &timed)
    }

    #[test]
    fn fields_with_commas_are_quoted() {
        let figures = Figures::from(vec![figure("a \"b\"", "normal-cone:front,radial", 0.5)]);
        let csv = figures.csv();
        let row = csv.lines().nth(1).unwrap_or_default();
        assert_eq!(row, "\"a \"\"b\"\"\",contacts,\"normal-cone:front,radial\",1234,1,0.5,0,0,0,0,true");
    }

    #[test]
    fn every_scene_has_a_chart_with_a_bar_for_each_method() {
        let rows = vec![figure("a", "bvh", 4.0), figure("a", "radial", 2.0), figure("<b>", "bvh", 1.0)];
        let svg = Figures::from(rows).svg();
        assert_eq!(svg.matches("class=\"bar\"").count(), 3);
        assert_eq!(svg.matches("1,234 triangles").count(), 2);
        assert!(svg.contains("&lt;b&gt;") && !svg.contains("<b>"));
    }
}
