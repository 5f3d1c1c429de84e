//! What the script of the page needs to know, as JSON.

use serde_json::{Value, json};

use super::blocks::Blocks;
use super::html::{depth_words, label};
use super::scenery::Scenery;
use super::{Problem, Subject, command};
use crate::check::known;

/// Describes all that is in the page; `page/src/main.js` reads it.
pub(super) fn json(subject: &Subject, problems: &[Problem], scenery: &Scenery, blocks: &Blocks) -> String {
    let report = subject.report;
    let files: Vec<Value> = report
        .files
        .iter()
        .zip(&scenery.names)
        .enumerate()
        .map(|(i, (file, names))| {
            json!({ "name": file.name, "size": file.size, "parts": names.all, "points": scenery.n_points(i) })
        })
        .collect();
    let clips: Vec<Value> = report
        .clips
        .iter()
        .enumerate()
        .map(|(i, clip)| {
            let own = blocks.all.iter().filter(|block| block.clip == i);
            let own: Vec<Value> = own
                .map(|block| json!({ "first": block.first, "count": block.count, "block": block.name }))
                .collect();
            json!({
                "name": clip.name,
                "label": label(report, clip),
                "file": clip.file,
                "fps": clip.fps,
                "first": clip.frames[0],
                "last": clip.frames[1],
                "heat": scenery.hottest(i),
                "isHeatWhole": scenery.is_heat_whole(i),
                "blocks": own,
            })
        })
        .collect();
    let problems: Vec<Value> =
        problems.iter().enumerate().map(|(i, problem)| of_problem(subject, problem, i, scenery)).collect();
    let names: Vec<&str> = report.files.iter().map(|file| file.name.as_str()).collect();
    json!({
        "format": "osculate-page/1",
        "name": names.join("\n"),
        "command": command::of_all(subject.args),
        "baseline": known::HEAD,
        "files": files,
        "clips": clips,
        "problems": problems,
    })
    .to_string()
}

fn of_problem(subject: &Subject, problem: &Problem, i: usize, scenery: &Scenery) -> Value {
    let (clip, pair) = (problem.report, problem.pair);
    let worst = pair.worst();
    let file = &subject.report.files[clip.file];
    let size = file.size;
    let episodes: Vec<Value> = pair
        .episodes
        .iter()
        .zip(problem.runs())
        .map(|(episode, [from, to])| {
            json!({
                "from": from,
                "to": to,
                "worst": episode.worst_frame,
                "depth": episode.worst.depth,
                "point": episode.worst.point,
            })
        })
        .collect();
    let view = scenery.views[i];
    json!({
        "id": problem.id,
        "clip": problem.clip,
        "parts": problem.parts,
        "status": pair.status.word(),
        "worst": worst.worst_frame,
        "depth": worst.worst.depth,
        "severity": worst.worst.severity(),
        "most": scenery.most[i].max(worst.worst.depth.unwrap_or(0.0)),
        "words": depth_words(subject.report, clip, worst),
        "point": worst.worst.point,
        "radius": view.map_or(0.2 * size, |view| view.radius),
        "direction": view.map_or([0.5, 0.3, 0.8], |view| view.direction),
        "command": command::of_problem(subject.args, problem, &file.name),
        "entry": known::entry(subject.report, clip, pair),
        "episodes": episodes,
    })
}
