//! Where episodes are in their worst frames, for programs that draw them themselves.

use std::collections::BTreeMap;

use anyhow::Result;
use osculate_io::write::Report;

use super::marks::{Mark, Tracer};
use super::problems::Names;
use crate::check::args::Args;
use crate::check::plan::Task;

/// Where an episode is in its worst frame. Triangles and vertices are numbered as in the clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// The triangles that cross, ascending.
    pub triangles: Vec<u32>,
    /// The curves in which the two parts intersect.
    pub curves: Vec<Vec<[f64; 3]>>,
    /// The vertices around enclosed surface, with their depths; negative outside.
    pub depths: Vec<(u32, f64)>,
    /// Where the parts touch, with normals, if they do so on the way to the next frame only.
    pub contacts: Vec<[[f64; 3]; 2]>,
}

/// The places of the episodes of a report, pair by pair, problems first; nothing for those that are
/// set aside.
pub(in crate::check) fn places(args: &Args, report: &Report, tasks: &[Task]) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    // For each clip and frame, the places by their parts.
    let mut wanted: BTreeMap<(usize, u32), BTreeMap<[u32; 2], u32>> = BTreeMap::new();
    let names: Vec<Names> = tasks.iter().map(|task| Names::new(&task.clip.surface, args.bodies)).collect();
    for is_new in [true, false] {
        for (of_clip, pair) in report.ranked(is_new) {
            let clip = report.clips.iter().position(|clip| std::ptr::eq(clip, of_clip)).unwrap_or(0);
            let mut parts = pair.parts.each_ref().map(|part| names[clip].number(part));
            parts.sort_unstable();
            for episode in &pair.episodes {
                if is_new {
                    let of_frame = wanted.entry((clip, episode.worst_frame)).or_default();
                    of_frame.entry(parts).or_insert(places.len() as u32);
                }
                places.push(Place::default());
            }
        }
    }
    let mut tracer: Option<(usize, Tracer)> = None;
    let mut pose = Vec::new();
    for (&(clip, frame), wanted) in &wanted {
        let task = &tasks[clip];
        task.clip.pose(frame as usize, &mut pose)?;
        if tracer.as_ref().is_none_or(|(of, _)| *of != clip) {
            let rings = task.args.rules.rings();
            let of_triangles = names[clip].of_triangles.clone();
            let new = Tracer::new(task.input, &task.clip.surface, &pose, args.bodies, of_triangles, rings)?;
            tracer = Some((clip, new));
        }
        let Some((_, tracer)) = &mut tracer else { continue };
        let mut marks = tracer.at(&pose, wanted)?;
        let mut touching = wanted.clone();
        touching.retain(|_, place| marks.iter().all(|mark| mark.problem != *place));
        if !touching.is_empty() && (frame as usize) + 1 < task.clip.n_frames() {
            marks.extend(tracer.between(task.clip, frame as usize, &touching)?);
        }
        for Mark { problem, curves, triangles, depths, contacts } in marks {
            places[problem as usize] = Place { triangles, curves, depths, contacts };
        }
    }
    Ok(places)
}
