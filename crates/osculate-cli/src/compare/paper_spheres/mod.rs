//! `osculate bench --paper 002`: the tables of the paper on spheres refitted on demand, with
//! similar models.
//!
//! Trees refitted on demand and bottom-up are interleaved on the same frames, with one thread by
//! default.

mod cast;
mod json;
mod published;
mod race;
mod tables;
mod timely;

use anyhow::Result;
use osculate::method::SphereRadii;

use self::cast::Cast;
use self::race::{BOTTOM_UP, Question, Row, race};
use self::timely::{Timely, ask_in_time};
use super::busy::watched;
use super::figures::{Figure, Figures, elementary_tests};
use super::{HowArgs, paper};
use crate::source::build_scene;
use crate::{Report, threads};

/// The models of the paper, and fifty of its creatures.
pub(super) const SCENES: [&str; 4] = ["man", "creature", "dwarf", "crowd"];

/// Default number of frames.
const FRAMES: usize = 64;

/// The frame of the creature for the table of radii; its tail touches its flank.
const POSTURE: usize = 32;

/// Distances of the dwarves: as in the figure of the paper, within a triangle of each other, and
/// interpenetrating.
const DISTANCES: [(&str, f64); 3] = [("apart", 1.0), ("nearly touching", 0.7), ("crossing", 0.5)];

/// A scenario and its measurements.
struct Study {
    scenario: String,
    /// Triangles of all bodies.
    triangles: usize,
    /// Spheres of one body.
    spheres: usize,
    frames: usize,
    /// In the order of [`race::METHODS`].
    rows: Vec<Row>,
}

impl Study {
    /// The speed-up of a method over bottom-up.
    fn speedup(&self, method: usize) -> f64 {
        self.rows[BOTTOM_UP].ms[0] / self.rows[method].ms[0]
    }
}

/// All measurements.
#[derive(Default)]
struct Studies {
    /// Spheres of the creature, level by level.
    radii: Vec<SphereRadii>,
    /// Two men, two creatures, and the crowd.
    walks: Vec<Study>,
    /// Two dwarves, at increasing resolution.
    dwarves: Vec<Study>,
    /// The crowd, with a time budget.
    timely: Vec<Timely>,
}

/// Measures and reports the tables.
pub(super) fn run(how: &HowArgs, names: &[&str]) -> Result<Report> {
    paper::check(how, "002", names, &SCENES)?;
    let pool = threads::pool(Some(how.threads.unwrap_or(1)))?;
    let threads = pool.current_num_threads();
    let mut studies = Studies::default();
    watched(&pool, || {
        names.iter().enumerate().try_for_each(|(i, name)| {
            paper::announce(name, i, names.len());
            studies.add(how, name)
        })
    })?;
    let text = tables::text(&studies);
    let json = || json::json(how.repeat, threads, &studies);
    let markdown = || tables::markdown(&how.command, how.repeat, threads, &text);
    how.report(text.clone(), json, markdown, || studies.figures(), studies.agree())
}

impl Studies {
    /// Measures all scenarios of a scene.
    fn add(&mut self, how: &HowArgs, name: &str) -> Result<()> {
        let most = how.steps.unwrap_or(FRAMES);
        let scene = build_scene(if name == "crowd" { "creature" } else { name })?;
        match name {
            "man" => {
                let men = Cast::two_men(&scene, most)?;
                self.walks.push(study("two men", &men, Question::Crossings, how.repeat)?);
            }
            "dwarf" => {
                for (words, distance) in DISTANCES {
                    for level in 0..4 {
                        let dwarf = osculate_scenes::subdivided(&scene, level);
                        let dwarves = Cast::two_dwarves(&dwarf, distance)?;
                        let scenario = format!("dwarves {words}, {level}");
                        self.dwarves.push(study(&scenario, &dwarves, Question::Crossings, how.repeat)?);
                    }
                }
            }
            "crowd" => {
                let crowd = Cast::crowd(&scene, most)?;
                self.walks.push(study("crowd", &crowd, Question::Crossings, how.repeat)?);
                self.walks.push(study("crowd, contacts", &crowd, Question::Contacts, how.repeat)?);
                for question in [Question::AnyCrossing, Question::Crossings, Question::Contacts] {
                    self.timely.push(ask_in_time(&crowd, question, how.repeat)?);
                }
            }
            _ => {
                let creatures = Cast::two_creatures(&scene, most)?;
                self.radii = creatures.model.sphere_radii(&cast::bones(&scene, POSTURE))?;
                self.walks.push(study("two creatures", &creatures, Question::Crossings, how.repeat)?);
                self.walks.push(study("two creatures, any", &creatures, Question::AnyCrossing, how.repeat)?);
            }
        }
        Ok(())
    }

    fn figures(&self) -> Figures {
        let of_study = |study: &Study| {
            let figure = |row: &Row| Figure {
                scene: study.scenario.clone(),
                query: row.query,
                method: row.method.to_owned(),
                triangles: study.triangles,
                steps: study.frames,
                ms: row.ms[0],
                bounds_tests: row.stats.bounds_tests,
                pairs: row.stats.pairs,
                elementary_tests: elementary_tests(&row.stats),
                found: row.found,
                agrees: row.agrees,
            };
            study.rows.iter().map(figure).collect::<Vec<_>>()
        };
        self.walks.iter().chain(&self.dwarves).flat_map(of_study).collect::<Vec<_>>().into()
    }

    /// Whether no answer was wrong.
    fn agree(&self) -> bool {
        let mut rows = self.walks.iter().chain(&self.dwarves).flat_map(|study| &study.rows);
        rows.all(|row| row.agrees) && self.timely.iter().all(|timely| timely.wrong == 0)
    }
}

fn study(scenario: &str, cast: &Cast, question: Question, repeat: usize) -> Result<Study> {
    Ok(Study {
        scenario: scenario.to_owned(),
        triangles: cast.n_bodies() * cast.model.mesh().triangles().len(),
        spheres: cast.model.sphere_radii(&cast.frames[0][0][0])?.iter().map(|level| level.spheres).sum(),
        frames: cast.frames.len(),
        rows: race(cast, question, repeat)?,
    })
}
