//! `osculate bench --paper 000`: the tables of the paper on radial view culling, on similar scenes.
//!
//! Base, MCD and radial view culling are interleaved on consecutive steps from the middle of each
//! animation, with one thread by default.

mod disturb;
mod json;
mod published;
mod tables;

use std::ops::RangeInclusive;

use anyhow::{Result, ensure};
use osculate::Method;
use osculate::method::{Radial, Rival, Volume};
use osculate_io::Clip;

use self::disturb::{DISTURBANCES, Disturbance, disturbed};
use super::busy::watched;
use super::figures::Figures;
use super::measure::{joints_of_steps, poses};
use super::runner::{Row, Runner, take_turns, warm_up};
use super::{HowArgs, STEPS, paper};
use crate::bodies::{Parts, Wanted};
use crate::features::Feature;
use crate::frames::Beyond;
use crate::rig::Cost;
use crate::source::Source;
use crate::terminal::Audience;
use crate::{Report, threads};

/// The scenes similar to those of the paper; `walker` is its Man.
pub(super) const SCENES: [&str; 6] = ["rope", "octopus", "urchin", "walker", "box", "hand"];

const BASE: usize = 0;
const MCD: usize = 1;
/// The complete method with the bounding volumes of the paper; baseline of the displaced joints.
const OURS: usize = 2;

/// The interleaved methods and their labels.
const METHODS: [(&str, Method); 6] = [
    ("Base", Method::Bvh(Volume::Dop16)),
    ("MCD", Method::Rival(Rival::Mcd, Volume::Dop16)),
    ("ours, 16-DOPs", radial(Volume::Dop16, false)),
    ("ours, moving boxes", radial(Volume::MovingAabb, false)),
    ("first contact, 16-DOPs", radial(Volume::Dop16, true)),
    ("first contact, moving boxes", radial(Volume::MovingAabb, true)),
];

const fn radial(volume: Volume, first_contact: bool) -> Method {
    Method::Radial(Radial::new().volume(volume).first_contact(first_contact))
}

/// A scene and its measurements.
struct Study {
    scene: String,
    triangles: usize,
    vertices: usize,
    clusters: usize,
    cost: Cost,
    steps: usize,
    /// In the order of [`METHODS`].
    rows: Vec<Row>,
    /// The complete method with displaced joints; empty without a skeleton.
    disturbed: Vec<(Disturbance, Row)>,
}

/// Counts of radial view culling, summed over steps.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Triangles that face away from their observer, that face it, and that are uncertain.
    plus: u64,
    minus: u64,
    uncertain: u64,
    /// Bounds tests between clusters, and within them.
    inter_tests: u64,
    intra_tests: u64,
    /// Feature pairs tested separately because all their triangles are adjacent.
    orphans: u64,
    /// Rounds of search in the wake of contacts, and suspect triangles at the start.
    closure_rounds: u64,
    seeds: u64,
}

/// The counts of a method.
fn counts(row: &Row) -> Counts {
    let seen = &row.stats.radial;
    Counts {
        plus: seen.plus,
        minus: seen.minus,
        uncertain: seen.uncertain,
        inter_tests: row.stats.bounds_tests - seen.inner_tests,
        intra_tests: seen.inner_tests,
        orphans: seen.orphans,
        closure_rounds: seen.rounds,
        seeds: seen.suspects,
    }
}

/// Measures on scenes and reports the tables.
pub(super) fn run(how: &HowArgs, names: &[&str]) -> Result<Report> {
    ensure!(how.methods.is_empty(), "--methods cannot be used with --paper, which has its own methods");
    ensure!(!how.discrete, "--discrete cannot be used with --paper, which measures steps");
    Feature::Rig.require("the subject of --paper 000, clusters from skeletons,", "bench --paper 000 …")?;
    let pool = threads::pool(Some(how.threads.unwrap_or(1)))?;
    let threads = pool.current_num_threads();
    let study = |(i, name): (usize, &&str)| {
        paper::announce(name, i, names.len());
        study_scene(how, name, names.len() == 1).transpose()
    };
    let studies = watched(&pool, || names.iter().enumerate().filter_map(study).collect::<Result<Vec<_>>>())?;
    ensure!(!studies.is_empty(), "--frames: no scene has two of these frames");
    let text = tables::text(&studies);
    let json = || json::json(how.repeat, threads, &studies);
    let markdown = || tables::markdown(&how.command, how.repeat, threads, &text);
    let mut rows = studies.iter().flat_map(|s| s.rows.iter().chain(s.disturbed.iter().map(|(_, row)| row)));
    let keeps_word = rows.all(Row::keeps_its_word);
    how.report(text.clone(), json, markdown, || figures(&studies), keeps_word)
}

fn figures(studies: &[Study]) -> Figures {
    let of_study = |study: &Study| {
        let figure = |row: &Row| row.figure(&study.scene, "contacts", study.triangles, study.steps);
        study.rows.iter().map(figure).collect::<Vec<_>>()
    };
    studies.iter().flat_map(of_study).collect::<Vec<_>>().into()
}

/// Measures a scene; `None` if it has no step among the requested frames.
fn study_scene(how: &HowArgs, name: &str, is_only_one: bool) -> Result<Option<Study>> {
    let source = Source::of_scene(name)?;
    let beyond = if is_only_one { Beyond::Fails } else { Beyond::IsCut };
    let frames = how.frames.unwrap_or_default().select(&source, beyond, &Audience::People)?.remove(0);
    let frames = frames.filter(|frames| frames.start() != frames.end());
    frames.map(|frames| study(how, name, &source.clips[0], frames)).transpose()
}

fn study(how: &HowArgs, scene: &str, clip: &Clip, frames: RangeInclusive<usize>) -> Result<Study> {
    let n = frames.end() - frames.start();
    let taken = how.steps.unwrap_or(STEPS).min(n);
    let first = frames.start() + (n - taken) / 2;
    let starts: Vec<usize> = (first..first + taken).collect();
    let steps = poses(clip, false, &starts)?;

    let parts = Parts::new(scene, &clip.surface, &steps[0][0], how.bodies, Wanted::Clusters)?;
    let joints = joints_of_steps(&parts, clip, &starts)?;
    let mut runners = Vec::new();
    for (label, method) in METHODS {
        runners.push(Runner::new(label.to_owned(), method, parts.twin()?, joints.clone()));
    }
    let disturbances = if joints.iter().all(Option::is_some) { &DISTURBANCES[..] } else { &[] };
    for &disturbance in disturbances {
        let joints = disturbed(&joints, &steps, disturbance);
        runners.push(Runner::new(disturbance.words(), METHODS[OURS].1, parts.twin()?, joints));
    }
    warm_up(&mut runners, &steps[0])?;
    take_turns(&mut runners, &steps, how.repeat)?;
    let mut rows: Vec<Row> = runners.iter().map(|runner| runner.row(steps.len())).collect();
    let behind = rows.split_off(METHODS.len());
    Ok(Study {
        scene: scene.to_owned(),
        triangles: parts.description.triangles,
        vertices: parts.description.vertices,
        clusters: parts.clusters()?.len(),
        cost: parts.cost,
        steps: steps.len(),
        rows,
        disturbed: disturbances.iter().copied().zip(behind).collect(),
    })
}
