//! A method on a scene whose objects are bodies, posed by vertices.
//!
//! The measured time is that of the query, which refits all bounds. The vertices are given.

use std::sync::Arc;

use anyhow::Result;
use osculate::{BodyId, BodySettings, Mesh, Method, Model, Query, World};
use osculate_scenes::{Part, Scene};

use super::busy::Timer;
use super::race::{Racer, Run, Timed, race};
use crate::agreement::Answer;
use crate::clock::now;

/// The question in each step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// All contacts of the step.
    Contacts,
    /// All crossings at its start.
    Crossings,
}

/// A method with its own world; models are shared.
struct Bodies {
    method: Method,
    question: Question,
    world: World,
    /// The bodies that move, and their objects.
    moving: Vec<(BodyId, usize)>,
}

/// The positions of the vertices of each object.
type Poses = Vec<Vec<[f64; 3]>>;

impl Racer for Bodies {
    type Step = [Poses; 2];

    fn run(&mut self, [from, to]: &[Poses; 2]) -> Result<Run> {
        for &(body, object) in &self.moving {
            self.world.set_pose(body, &from[object])?;
        }
        let query = Query::all().method(self.method).clock(now);
        let mut answer = Answer::default();
        let timer;
        let stats = if self.question == Question::Contacts {
            let next: Vec<_> = self.moving.iter().map(|&(body, object)| (body, &to[object])).collect();
            timer = Timer::start();
            let report = self.world.contacts(&next, &query)?;
            answer.contacts = report.found;
            report.stats
        } else {
            timer = Timer::start();
            let report = self.world.crossings(&query)?;
            answer.crossings = report.found;
            report.stats
        };
        Ok(Run { answer, stats, ms: 1e-6 * timer.stop() as f64 })
    }
}

/// Interleaves methods on steps of a scene. Returns the number of results of each step, and the
/// measurements in the order of the methods.
pub(super) fn race_objects(
    scene: &Scene,
    question: Question,
    methods: &[Method],
    reference: usize,
    steps: &[usize],
    repeat: usize,
) -> Result<(Vec<u64>, Vec<Timed>)> {
    let parts = scene.parts();
    let mut models = Vec::new();
    for part in &parts {
        let rest = part.pose(&scene.rest);
        models.push(Arc::new(Model::new(Mesh::new(part.faces.clone(), rest.len())?, &rest)?));
    }
    let poses = |frame: usize| -> Poses {
        let mut whole = Vec::new();
        scene.pose(frame, &mut whole);
        parts.iter().map(|part| part.pose(&whole)).collect()
    };
    let ends = |step: usize| [poses(step), poses(step + 1)];
    let first = ends(steps[0]);
    let mut racers = Vec::new();
    for &method in methods {
        let (world, moving) = world(&parts, &models, &scene.rest)?;
        let mut racer = Bodies { method, question, world, moving };
        // Data computed once per model and per body is not measured.
        racer.run(&first)?;
        racers.push(racer);
    }
    race(&mut racers, reference, steps, repeat, ends)
}

/// A world of all objects at rest, and the bodies that move with their objects.
fn world(parts: &[Part], models: &[Arc<Model>], rest: &[[f64; 3]]) -> Result<(World, Vec<(BodyId, usize)>)> {
    let (mut world, mut moving) = (World::new(), Vec::new());
    for (object, (part, model)) in parts.iter().zip(models).enumerate() {
        let settings = BodySettings::default().is_static(part.is_static);
        let body = world.add_with(model.clone(), &part.pose(rest), settings)?;
        if !part.is_static {
            moving.push((body, object));
        }
    }
    Ok((world, moving))
}
