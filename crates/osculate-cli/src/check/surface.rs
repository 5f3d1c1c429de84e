//! What is prepared once for the clips of a surface.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use osculate::method::Input;
use osculate::penetration::{self, Anatomy, Pierced};
use osculate::{Mesh, Query};
use osculate_io::write::{File, Model};
use osculate_io::{Clip, Surface};

use super::filter::PairFilter;
use super::join::measure;
use super::known::Known;
use super::output::model;
use super::plan::Task;
use super::rigid::Rigid;
use super::rules::Baseline;
use super::scan::{Worker, evaluate};
use super::sides::Sides;
use super::verify::Verifier;
use super::{people, prepare};
use crate::bodies::{Parts, Wanted};
use crate::gpu::Gpu;

/// A surface, divided into bodies and parts, with worlds of its bodies.
pub(super) struct Prepared<'t> {
    surface: Arc<Surface>,
    pub(super) model: Model,
    description: osculate::Description,
    /// The diagonal of the bounds of the first pose.
    pub(super) size: f64,
    pub(super) sides: Sides<'t>,
    pub(super) names: Vec<Arc<str>>,
    pub(super) anatomy: Anatomy,
    pub(super) filter: PairFilter,
    pub(super) team: Vec<Worker>,
    pub(super) part_of_body: Vec<Option<u32>>,
    pub(super) verifier: Verifier,
    pub(super) rigid: Rigid,
    /// The rest pose of the models, if what is close in it is left out; it may differ from clip to
    /// clip.
    at_rest: Option<Vec<[f64; 3]>>,
    /// What overlaps at rest, if that is the baseline.
    pub(super) rest: Known,
    /// About bodies and answers.
    words: String,
    /// Whether anything of it was not printed yet.
    has_news: bool,
}

impl<'t> Prepared<'t> {
    /// Prepares the surface of a clip, unless it is the one that is prepared already.
    pub(super) fn make(slot: &mut Option<Prepared<'t>>, task: &Task<'t>, gpu: &Gpu) -> Result<()> {
        let Task { input, clip, ref frames, ref args, .. } = *task;
        let rules = &args.rules;
        // What poses bodies other than by vertices may differ from clip to clip.
        let depends =
            args.method().gains_from(Input::Parameters) || args.method().gains_from(Input::Clusters);
        let at_rest = if args.excludes_close_at_rest() { Some(rest_or_first(clip, input)?) } else { None };
        let same = slot.as_ref().is_some_and(|ready| Arc::ptr_eq(&ready.surface, &clip.surface));
        if same && !depends && slot.as_ref().is_some_and(|ready| ready.at_rest == at_rest) {
            return Ok(());
        }
        let mut pose = Vec::new();
        evaluate(clip, input, *frames.start(), &mut pose)?;
        let ends = [at_rest.as_deref().unwrap_or(&pose), &pose];
        let (parts, words) = prepare::bodies(args, input, clip, *frames.start(), ends)?;
        let verifier = Verifier::new(args, &parts);
        let words = words + &verifier.words();
        let description = parts.description;
        let mut team = Worker::team(parts, args.paints())?;
        team.iter_mut().for_each(|worker| worker.take_gpu(gpu));
        if same && let Some(ready) = slot {
            ready.has_news |= ready.words != words;
            (ready.words, ready.verifier, ready.at_rest) = (words, verifier, at_rest);
            ready.team = team;
            return Ok(());
        }
        let surface: &'t Surface = &clip.surface;
        let sides = Sides::new(surface, args.bodies);
        let names = sides.names();
        let mesh = Mesh::new(surface.faces.clone(), surface.n_vertices).with_context(|| input.to_owned())?;
        let anatomy = Anatomy::new(mesh, &pose, sides.of_triangles())?;
        let part_of_body = team[0].parts().triangles().map(|triangles| single(&anatomy, triangles)).collect();
        let filter = PairFilter::new(rules, &sides, &names);
        let mut rigid = Rigid::new(surface, clip.follows_bones(), anatomy.parts(), &pose, size(&pose));
        let mut rest = Known::default();
        if rules.baseline() == Baseline::Rest
            && let Some(at_rest) = rest_of(clip)
        {
            let mut parts = Parts::new(input, surface, &at_rest, args.bodies, Wanted::Nothing)?;
            let query = Query::all().exclude_rings(rules.rings());
            let found = parts.world.crossings(&query)?.found;
            let triangle =
                |parts: &Parts, c: &osculate::Crossing, k: usize| parts.triangle(c.bodies[k], c.triangles[k]);
            let crossings: Vec<Pierced> =
                found.iter().map(|c| Pierced::of(c, |k| triangle(&parts, c, k))).collect();
            let overlaps = anatomy.overlaps(&at_rest, &crossings, |_| Some(penetration::Wanted::All))?;
            rigid.remember(&anatomy, &at_rest, &overlaps);
            rest = Known::of_pose(
                overlaps
                    .iter()
                    .map(|overlap| (overlap.parts.map(|part| &*names[part as usize]), measure(overlap))),
            );
        }
        *slot = Some(Prepared {
            surface: clip.surface.clone(),
            model: model(surface, &description),
            description,
            size: size(&pose),
            sides,
            names,
            anatomy,
            filter,
            part_of_body,
            verifier,
            rigid,
            at_rest,
            rest,
            words,
            team,
            has_news: true,
        });
        Ok(())
    }

    /// The file of the surface, for the report.
    pub(super) fn file(&self, name: &str) -> File {
        File {
            name: name.to_owned(),
            model: self.model.clone(),
            size: self.size,
            part_kind: self.sides.kind(),
        }
    }

    /// Whether there is something to print about it, once.
    pub(super) fn take_news(&mut self) -> bool {
        std::mem::replace(&mut self.has_news, false)
    }

    /// Lines about the surface and the method.
    pub(super) fn about(&self, task: &Task) -> String {
        let n_bodies = self.team[0].parts().len();
        people::about_file(task, &self.surface, &self.description, n_bodies, &self.words)
    }
}

/// The rest pose of a clip; `None` if it has none in which all positions are finite.
fn rest_of(clip: &Clip) -> Option<Vec<[f64; 3]>> {
    let mut rest = Vec::new();
    let is_there = clip.rest(&mut rest) && rest.as_flattened().iter().all(|x| x.is_finite());
    is_there.then_some(rest)
}

/// The pose in which features that are close do not count with a thickness: the rest pose of the
/// clip, or its first frame if it has none, whichever frames are checked.
fn rest_or_first(clip: &Clip, input: &str) -> Result<Vec<[f64; 3]>> {
    if let Some(rest) = rest_of(clip) {
        return Ok(rest);
    }
    let mut first = Vec::new();
    evaluate(clip, input, 0, &mut first)?;
    Ok(first)
}

/// The part of all triangles, if it is only one.
fn single(anatomy: &Anatomy, triangles: &[u32]) -> Option<u32> {
    let mut parts = triangles.iter().map(|&t| anatomy.parts()[t as usize]);
    let first = parts.next()?;
    parts.all(|part| part == first).then_some(first)
}

/// The diagonal of the bounding box of a pose.
fn size(pose: &[[f64; 3]]) -> f64 {
    let side = |k: usize| {
        let [lo, hi] =
            pose.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], p| [lo.min(p[k]), hi.max(p[k])]);
        (hi - lo).max(0.0)
    };
    [0, 1, 2].map(side).into_iter().map(|side| side * side).sum::<f64>().sqrt()
}
