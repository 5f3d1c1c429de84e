//! `osculate bench --paper 001`: the figures of the paper on chromatic decomposition, with similar
//! scenes.
//!
//! Folding curtains and a draped sheet are tested against themselves and each other, and a catheter
//! against itself and the vessels that it is pushed into. Methods are interleaved step by step,
//! with one thread by default.

mod colors;
mod goals;
mod json;
mod race;
mod tables;

use anyhow::Result;
use osculate_scenes::Scene;

use self::colors::Colors;
use self::race::{BOXES, Row, race};
use super::busy::watched;
use super::figures::{Figure, Figures};
use super::{HowArgs, paper};
use crate::source::build_scene;
use crate::{Report, threads};

const CURTAINS: &str = "curtains";
const CATHETER: &str = "catheter";

/// The scenes of the paper: folding curtains, cloth, and a catheter in blood vessels.
pub(super) const SCENES: [&str; 3] = [CURTAINS, "drape", CATHETER];

/// A scene and its measurements.
struct Study {
    scene: String,
    triangles: usize,
    /// For each step, the number of contacts.
    contacts: Vec<u64>,
    /// In the order of [`race::METHODS`].
    rows: Vec<Row>,
}

impl Study {
    /// Number of steps.
    fn n_steps(&self) -> usize {
        self.contacts.len()
    }

    /// Elementary tests of boxes alone divided by those of a method, over all steps, and over those
    /// without contacts if there are any.
    fn fewer_tests(&self, method: usize) -> Vec<f64> {
        let sum = |row: &Row, is_free: bool| -> u64 {
            let of_steps = row.tests().zip(&self.contacts);
            of_steps.filter(|(_, n)| !is_free || **n == 0).map(|(tests, _)| tests).sum()
        };
        let has_free = self.contacts.contains(&0);
        let ratio = |is_free: bool| {
            sum(&self.rows[BOXES], is_free) as f64 / sum(&self.rows[method], is_free).max(1) as f64
        };
        [false, true].into_iter().filter(|&is_free| !is_free || has_free).map(ratio).collect()
    }

    /// The time of boxes alone divided by that of a method: medians, then means.
    fn speedup(&self, method: usize) -> [f64; 2] {
        let [boxes, row] = [BOXES, method].map(|i| &self.rows[i].timed);
        [boxes.median() / row.median(), boxes.mean() / row.mean()]
    }
}

/// Measures and reports the tables.
pub(super) fn run(how: &HowArgs, names: &[&str]) -> Result<Report> {
    paper::check(how, "001", names, &SCENES)?;
    let pool = threads::pool(Some(how.threads.unwrap_or(1)))?;
    let threads = pool.current_num_threads();
    let (mut studies, mut colors) = (Vec::new(), Vec::new());
    watched(&pool, || -> Result<()> {
        for (i, name) in names.iter().enumerate() {
            paper::announce(name, i, names.len());
            let scene = build_scene(name)?;
            studies.push(study(&scene, how)?);
            colors.extend(colors::of_scene(&scene, how.repeat)?);
        }
        colors.extend(colors::of_large_mesh(how.repeat)?);
        Ok(())
    })?;
    let text = tables::text(&studies, &colors);
    let json = || json::json(how.repeat, threads, &studies, &colors);
    let markdown = || tables::markdown(&how.command, how.repeat, threads, &text);
    let agrees = studies.iter().flat_map(|study| &study.rows).all(|row| row.timed.agrees());
    how.report(text.clone(), json, markdown, || figures(&studies), agrees)
}

fn study(scene: &Scene, how: &HowArgs) -> Result<Study> {
    let n_steps = scene.n_frames() - 1;
    let steps = paper::spread(n_steps, how.steps.unwrap_or(n_steps));
    let (contacts, rows) = race(scene, &steps, how.repeat)?;
    Ok(Study { scene: scene.name.clone(), triangles: scene.faces.len(), contacts, rows })
}

fn figures(studies: &[Study]) -> Figures {
    let of_study = |study: &Study| {
        let Study { scene, triangles, rows, .. } = study;
        let figure =
            |row: &Row| Figure::of(scene, "contacts", row.method.to_string(), *triangles, &row.timed);
        rows.iter().map(figure).collect::<Vec<_>>()
    };
    studies.iter().flat_map(of_study).collect::<Vec<_>>().into()
}

/// A coloring, as a fraction of its lower bound.
fn excess(colors: &Colors) -> f64 {
    colors.colors as f64 / colors.lower_bound.max(1) as f64
}
