//! `osculate bench --paper 003`: the figures of the paper on bounded normal trees, with similar
//! models.
//!
//! Surfaces that are moved by few parameters are tested against themselves. Methods are interleaved
//! step by step, with one thread by default.

mod goals;
mod json;
mod race;
mod tables;

use anyhow::Result;
use osculate_scenes::Scene;

use self::race::{Row, race};
use super::busy::watched;
use super::figures::{Figure, Figures};
use super::race::median;
use super::{HowArgs, paper};
use crate::source::build_scene;
use crate::{Report, threads};

/// The cloth at three levels of subdivision, coarsest first.
const CLOTH: [&str; 3] = ["reduced-cloth-2", "reduced-cloth-3", "reduced-cloth-4"];
const WALK: &str = "beast-walk";
const JUMP: &str = "beast-jump";

/// The models of the paper, and one with modes.
pub(super) const SCENES: [&str; 7] = [CLOTH[0], CLOTH[1], CLOTH[2], WALK, JUMP, "particles", "modal"];

/// A scene and its measurements.
struct Study {
    scene: String,
    triangles: usize,
    vertices: usize,
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

    /// The median time of a method over the steps without contacts; `None` if there are none.
    fn ms_of_free_steps(&self, method: usize) -> Option<f64> {
        let times = self.rows[method].timed.ms.iter().zip(&self.contacts);
        let free: Vec<f64> = times.filter(|(_, n)| **n == 0).map(|(ms, _)| *ms).collect();
        (!free.is_empty()).then(|| median(&free))
    }

    /// The medians over all steps of two methods, the first divided by the second.
    fn ratio_of_medians(&self, [method, other]: [usize; 2]) -> f64 {
        self.rows[method].timed.median() / self.rows[other].timed.median()
    }

    /// The same for means.
    fn ratio_of_means(&self, [method, other]: [usize; 2]) -> f64 {
        self.rows[method].timed.mean() / self.rows[other].timed.mean()
    }
}

/// Measures and reports the tables.
pub(super) fn run(how: &HowArgs, names: &[&str]) -> Result<Report> {
    paper::check(how, "003", names, &SCENES)?;
    let pool = threads::pool(Some(how.threads.unwrap_or(1)))?;
    let threads = pool.current_num_threads();
    let study = |(i, name): (usize, &&str)| {
        paper::announce(name, i, names.len());
        study(&build_scene(name)?, how)
    };
    let studies = watched(&pool, || names.iter().enumerate().map(study).collect::<Result<Vec<_>>>())?;
    let text = tables::text(&studies);
    let json = || json::json(how.repeat, threads, &studies);
    let markdown = || tables::markdown(&how.command, how.repeat, threads, &text);
    let keeps_word = studies.iter().flat_map(|study| &study.rows).all(Row::keeps_its_word);
    how.report(text.clone(), json, markdown, || figures(&studies), keeps_word)
}

fn study(scene: &Scene, how: &HowArgs) -> Result<Study> {
    let n_steps = scene.n_frames() - 1;
    let steps = paper::spread(n_steps, how.steps.unwrap_or(n_steps));
    let (contacts, rows) = race(scene, &steps, how.repeat)?;
    Ok(Study {
        scene: scene.name.clone(),
        triangles: scene.faces.len(),
        vertices: scene.rest.len(),
        contacts,
        rows,
    })
}

fn figures(studies: &[Study]) -> Figures {
    let of_study = |study: &Study| {
        let Study { scene, triangles, rows, .. } = study;
        let figure = |row: &Row| {
            let figure = Figure::of(scene, "contacts", row.method.to_string(), *triangles, &row.timed);
            Figure { agrees: row.keeps_its_word(), ..figure }
        };
        rows.iter().map(figure).collect::<Vec<_>>()
    };
    studies.iter().flat_map(of_study).collect::<Vec<_>>().into()
}
