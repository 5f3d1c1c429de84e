//! `osculate bench --paper 004`: the figures of the paper on normal cones with an unprojected
//! contour test, with similar scenes.
//!
//! Cloth and a ball of spikes are tested against themselves, at instants and over steps. Methods
//! are interleaved step by step, with one thread by default.

mod json;
mod published;
mod tables;

use anyhow::Result;
use osculate::Method;
use osculate::method::{NormalCone, Rival, Volume};
use osculate_scenes::Scene;

use super::busy::watched;
use super::chart::Chart;
use super::figures::{Figure, Figures, elementary_tests};
use super::objects::{Question, race_objects};
use super::race::Timed;
use super::{HowArgs, paper};
use crate::source::build_scene;
use crate::{Report, threads};

/// The scenes similar to those of the paper: Twisting, Funnel, two curtains, FlowingCloth.
pub(super) const SCENES: [&str; 4] = ["twist", "drape", "curtains", "reduced-cloth-4"];

/// A scene of a million triangles, which is measured if it is named: SquishyBall.
const LARGE: &str = "spikes";

/// AABB-only, in both lists of methods; the reference.
const BOXES: usize = 0;
/// SCT at instants, CBC over steps.
const RIVAL: usize = 1;
/// Proofs about patches alone, as in the paper.
const PATCHES: usize = 2;
/// Proofs about pairs of patches, too.
const CONES: usize = 3;
/// The same with a front.
const FRONT: usize = 4;

const fn cones(volume: Volume) -> NormalCone {
    NormalCone::new().volume(volume)
}

/// The methods for crossings at instants.
const AT_INSTANTS: [Method; 4] = [
    Method::Bvh(Volume::Aabb),
    Method::Rival(Rival::Sct, Volume::Aabb),
    Method::NormalCone(cones(Volume::Aabb).pairs(false)),
    Method::NormalCone(cones(Volume::Aabb)),
];

/// The methods for contacts over steps; the last three have boxes that move with the step.
const OVER_STEPS: [Method; 8] = [
    Method::Bvh(Volume::Aabb),
    Method::Rival(Rival::Cbc, Volume::Aabb),
    Method::NormalCone(cones(Volume::Aabb).pairs(false)),
    Method::NormalCone(cones(Volume::Aabb)),
    Method::NormalCone(cones(Volume::Aabb).front(true)),
    Method::Bvh(Volume::MovingAabb),
    Method::NormalCone(cones(Volume::MovingAabb)),
    Method::NormalCone(cones(Volume::MovingAabb).front(true)),
];

/// The measurements of all methods for a question about a scene.
struct Study {
    scene: String,
    triangles: usize,
    question: Question,
    /// For each step, the number of contacts or crossings.
    found: Vec<u64>,
    rows: Vec<(Method, Timed)>,
}

impl Study {
    fn new(scene: &Scene, question: Question, how: &HowArgs) -> Result<Study> {
        let n_steps = scene.n_frames() - 1;
        // Consecutive, for the sake of fronts.
        let taken = how.steps.unwrap_or(n_steps).min(n_steps);
        let first = (n_steps - taken) / 2;
        let steps: Vec<usize> = (first..first + taken).collect();
        let methods: &[Method] = if question == Question::Contacts { &OVER_STEPS } else { &AT_INSTANTS };
        let (found, timed) = race_objects(scene, question, methods, BOXES, &steps, how.repeat)?;
        Ok(Study {
            scene: scene.name.clone(),
            triangles: scene.faces.len(),
            question,
            found,
            rows: methods.iter().copied().zip(timed).collect(),
        })
    }

    /// What is asked, in a word.
    fn query(&self) -> &'static str {
        if self.is_step() { "contacts" } else { "crossings" }
    }

    fn is_step(&self) -> bool {
        self.question == Question::Contacts
    }

    /// Number of steps.
    fn n_steps(&self) -> usize {
        self.found.len()
    }

    /// The measurements of a method.
    fn timed(&self, method: usize) -> &Timed {
        &self.rows[method].1
    }

    /// The time of AABB-only divided by that of a method: medians, then means.
    fn speedup(&self, method: usize) -> [f64; 2] {
        let [boxes, row] = [BOXES, method].map(|i| self.timed(i));
        [boxes.median() / row.median(), boxes.mean() / row.mean()]
    }

    /// For each step, the elementary tests that find nothing.
    fn false_positives(&self, method: usize) -> impl Iterator<Item = u64> {
        self.timed(method).of_steps.iter().map(|stats| elementary_tests(stats).saturating_sub(stats.found))
    }

    /// Overlap tests of bounding volumes of a method, as a share of those of AABB-only.
    fn share_of_tests(&self, method: usize) -> f64 {
        let [boxes, row] = [BOXES, method].map(|i| self.timed(i).stats.bounds_tests);
        row as f64 / boxes.max(1) as f64
    }
}

/// The rows, and false positives over the steps of each scene, as in figure 1.
fn figures(studies: &[Study]) -> Figures {
    let mut figures = Figures::default();
    for study in studies {
        let Study { scene, triangles, .. } = study;
        for (method, timed) in &study.rows {
            figures.rows.push(Figure::of(scene, study.query(), method.to_string(), *triangles, timed));
        }
        if study.is_step() {
            let line = |i: usize| {
                let values = study.false_positives(i).map(|n| n as f64).collect();
                (study.rows[i].0.to_string(), values)
            };
            figures.charts.push(Chart::Lines {
                title: format!("{scene}: elementary tests of a step that find nothing"),
                across: "steps",
                lines: [BOXES, PATCHES, CONES].map(line).into(),
            });
        }
    }
    figures
}

/// Measures and reports the tables.
pub(super) fn run(how: &HowArgs, names: &[&str]) -> Result<Report> {
    let known: Vec<&str> = SCENES.into_iter().chain([LARGE]).collect();
    paper::check(how, "004", names, &known)?;
    let pool = threads::pool(Some(how.threads.unwrap_or(1)))?;
    let threads = pool.current_num_threads();
    let mut studies = Vec::new();
    watched(&pool, || -> Result<()> {
        for (i, name) in names.iter().enumerate() {
            paper::announce(name, i, names.len());
            let scene = build_scene(name)?;
            for question in [Question::Crossings, Question::Contacts] {
                studies.push(Study::new(&scene, question, how)?);
            }
        }
        Ok(())
    })?;
    let text = tables::text(&studies);
    let json = || json::json(how.repeat, threads, &studies);
    let markdown = || tables::markdown(&how.command, how.repeat, threads, &text);
    let agrees = studies.iter().flat_map(|study| &study.rows).all(|(_, timed)| timed.agrees());
    how.report(text.clone(), json, markdown, || figures(&studies), agrees)
}
