//! `--report`: one page, in one file, that shows where parts pass through each other.
//!
//! `page/` has the page without its data, built from the modules in `page/src`; this
//! module fills it: `html` with the verdict and the tables, which need no script, and `facts`,
//! `frames` and `marks` with what the picture needs. Frames are evaluated again, so that nothing
//! is kept while clips are checked. `raster` draws pictures without a browser.

mod blocks;
mod colored;
mod command;
mod facts;
mod frames;
mod html;
mod image;
mod label;
mod look;
mod marks;
mod pack;
mod places;
mod problems;
mod raster;
mod scenery;
mod tables;

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use osculate_io::write::Report;
use osculate_io::{Clip, printable};

use self::image::Image;
use self::label::Line;
pub use self::places::Place;
pub(super) use self::places::places;
use self::problems::Problem;
use self::scenery::{Scenery, Shot};
use super::args::Args;
use super::people;
use super::plan::Task;
use crate::destination::Destination;

/// The page without its data; `cargo xtask page` builds it.
const PAGE: &str = include_str!("../../../page/page.html");

/// What there is to show.
struct Subject<'a> {
    report: &'a Report,
    /// The clip of each clip of the report.
    clips: Vec<&'a Clip>,
    args: &'a Args,
    /// For each clip, features within that many rings of each other were not tested.
    rings: Vec<u32>,
}

/// The size of a page above which only frames around problems are kept, in bytes.
const LIMIT: usize = 40_000_000;

/// Number of problems that pictures show.
const WORST: usize = 3;

/// Writes the page and the pictures that are wanted.
pub(super) fn write(args: &Args, report: &Report, tasks: &[Task]) -> Result<()> {
    let is_wanted = [&args.report, &args.picture, &args.colored].into_iter().any(Option::is_some);
    if !is_wanted || report.clips.is_empty() {
        return Ok(());
    }
    let subject = Subject {
        report,
        clips: tasks.iter().map(|task| task.clip).take(report.clips.len()).collect(),
        args,
        rings: tasks.iter().map(|task| task.args.rules.rings()).collect(),
    };
    let problems = problems::list(&subject);
    let mut scenery = Scenery::new(&subject, &problems)?;
    if let Some(path) = &args.report {
        let text = page(&subject, &problems, &mut scenery)?;
        save(path, text.as_bytes())?;
    }
    if let Some(path) = &args.picture {
        let shots = shots(&problems, &mut scenery)?;
        let mut panels: Vec<Image> = shots.iter().map(|shot| raster::render(shot, [640, 480])).collect();
        for (panel, problem) in panels.iter_mut().zip(&problems) {
            label::write(panel, &lines(report, problem));
        }
        let whole = match panels.as_slice() {
            [] => raster::render(&scenery.overview(0)?, [640, 480]),
            panels => Image::beside(panels),
        };
        save(path, &whole.png())?;
    }
    if let Some(path) = &args.colored {
        save(path, &colored::glb(&subject, &problems, &mut scenery)?)?;
    }
    Ok(())
}

fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut out = Destination::create(path)?;
    out.write_all(bytes).with_context(|| path.display().to_string())?;
    out.finish()
}

/// The worst problems at their worst frames.
fn shots(problems: &[Problem], scenery: &mut Scenery) -> Result<Vec<Shot>> {
    let new = problems.iter().enumerate().filter(|(_, problem)| problem.is_new());
    new.take(WORST).map(|(i, _)| scenery.shot(i)).collect()
}

/// The label of a picture: the parts, each with its color; then the frame with its clip, and the
/// depth, in lines of their own, so that a long name does not cut the depth.
fn lines(report: &Report, problem: &Problem) -> Vec<Line> {
    let &Problem { report: clip, pair, .. } = problem;
    let mut lines: Vec<Line> = Vec::new();
    for (part, color) in pair.parts.iter().zip([raster::FIRST, raster::SECOND]) {
        let mark = Some(color.map(|x| (255.0 * x).round() as u8));
        lines.push(Line { mark, text: printable(part) });
    }
    let place = format!("frame {} of {}", pair.worst().worst_frame, printable(&clip.name));
    let words = people::severity(report, clip, pair);
    lines.extend([place, words].map(|text| Line { mark: None, text }));
    lines
}

/// The page. Of its frames it has as many as make it no larger than the limit.
fn page(subject: &Subject, problems: &[Problem], scenery: &mut Scenery) -> Result<String> {
    let shots = shots(problems, scenery)?;
    let pictures: Vec<String> =
        shots.iter().map(|shot| pack::base64(&raster::render(shot, [480, 360]).png())).collect();
    let html = html::Html { subject, problems };
    let surfaces = scenery.surfaces()?;
    let fixed = [html.title(), html.verdict(), html.worst(&pictures), html.table(true), html.known()];
    let n_fixed = PAGE.len() + surfaces.len() + fixed.iter().map(String::len).sum::<usize>();
    // A hundredth for facts, timelines and heat maps; more where they turn out to need it.
    let mut limit = LIMIT.saturating_sub(n_fixed + LIMIT / 100);
    loop {
        let blocks = scenery.blocks(limit)?;
        let mut data = pack::template("facts", facts::json(subject, problems, scenery, &blocks).as_bytes());
        data.push_str(&surfaces);
        data.push_str(&scenery.heats());
        for block in &blocks.all {
            data.push_str(&block.template);
        }
        let (clips, foot) = (html.clips(&blocks), html.foot(&blocks));
        let mut text = String::with_capacity(n_fixed + data.len() + clips.len() + foot.len());
        // What is inserted is not searched for further places.
        for (i, piece) in PAGE.split("@@").enumerate() {
            text.push_str(match (i % 2, piece) {
                (1, "title") => &fixed[0],
                (1, "verdict") => &fixed[1],
                (1, "worst") => &fixed[2],
                (1, "problems") => &fixed[3],
                (1, "known") => &fixed[4],
                (1, "clips") => &clips,
                (1, "foot") => &foot,
                (1, "data") => &data,
                _ => piece,
            });
        }
        if text.len() <= LIMIT || blocks.all.len() <= 1 {
            return Ok(text);
        }
        limit = limit.saturating_sub(text.len() - LIMIT);
    }
}
