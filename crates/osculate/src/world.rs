//! Bodies, and which of them may touch what.

use crate::bounds::{Bounds, Sweep};
use crate::contact::{BodyId, Contact, Crossing, Report};
use crate::method::{self, Scene};
use crate::query::{Method, Query, Want};
use crate::stats::Stats;
use crate::{Error, Model, Step};
use std::ops::Range;
use std::sync::Arc;

/// What a body may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodySettings {
    /// A static body is never tested against itself or against another static body.
    pub is_static: bool,
    /// Whether the body is tested against itself.
    pub self_contact: bool,
    /// The groups that the body belongs to, a bit each.
    pub groups: u32,
    /// The groups that the body may touch, a bit each. Two bodies are tested if each may touch a group of the other.
    pub touches: u32,
}

impl Default for BodySettings {
    fn default() -> Self {
        BodySettings { is_static: false, self_contact: true, groups: 1, touches: u32::MAX }
    }
}

/// An instance of a model: its place in the vertices of the world, and bounds that are kept from step to step.
pub(crate) struct Body {
    pub(crate) model: Arc<Model>,
    pub(crate) vertices: Range<usize>,
    settings: BodySettings,
    pub(crate) bounds: Volumes,
}

/// The bounds of each kind that have been used; the others are empty.
#[derive(Default)]
pub(crate) struct Volumes {
    pub(crate) moving: Bounds<6>,
    pub(crate) aabb: Bounds<3>,
    pub(crate) dop16: Bounds<8>,
    pub(crate) dop18: Bounds<9>,
    pub(crate) dop24: Bounds<12>,
}

/// Bodies with their poses, and queries about them.
///
/// ```
/// use osculate::{Mesh, Model, Query, World};
/// use std::sync::Arc;
///
/// let mesh = Mesh::new(vec![[0, 1, 2]], 3)?;
/// let rest = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let model = Arc::new(Model::new(mesh, &rest)?);
/// let mut world = World::new();
/// let floor = world.add(model.clone(), &rest)?;
/// let above = rest.map(|[x, y, _]| [x + 0.25, y + 0.25, 1.0]);
/// let sheet = world.add(model, &above)?;
///
/// let below = above.map(|[x, y, z]| [x, y, z - 2.0]);
/// let report = world.contacts(&[(sheet, &below)], &Query::all())?;
/// assert_eq!(report.found[0].key.bodies, [floor, sheet]);
/// assert!(report.found.iter().all(|contact| contact.lo <= 0.5 && 0.5 <= contact.hi));
/// # Ok::<(), osculate::Error>(())
/// ```
pub struct World {
    bodies: Vec<Body>,
    /// The vertices of all bodies, one body after the other.
    step: Step,
}

impl Default for World {
    fn default() -> Self {
        World { bodies: Vec::new(), step: Step::empty() }
    }
}

impl World {
    /// A world without bodies.
    #[must_use]
    pub fn new() -> World {
        World::default()
    }

    /// Adds an instance of a model at a pose.
    pub fn add(&mut self, model: Arc<Model>, pose: &[[f64; 3]]) -> Result<BodyId, Error> {
        self.add_with(model, pose, BodySettings::default())
    }

    /// Adds an instance of a model at a pose, and says what it may touch.
    pub fn add_with(
        &mut self,
        model: Arc<Model>,
        pose: &[[f64; 3]],
        settings: BodySettings,
    ) -> Result<BodyId, Error> {
        let body = BodyId(self.bodies.len() as u32);
        model.mesh().check_pose(pose).map_err(|faults| Error::Pose { body, faults })?;
        let first = self.step.len();
        self.step.push(pose);
        let vertices = first..first + pose.len();
        self.bodies.push(Body { model, vertices, settings, bounds: Volumes::default() });
        Ok(body)
    }

    /// Moves a body to another pose, without asking what it touches on the way.
    pub fn set_pose(&mut self, body: BodyId, pose: &[[f64; 3]]) -> Result<(), Error> {
        self.set_end(body, pose, 0)
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    fn set_end(&mut self, id: BodyId, pose: &[[f64; 3]], end: usize) -> Result<(), Error> {
        let Some(body) = self.bodies.get(id.index()) else {
            return Err(Error::NoSuchBody { body: id, bodies: self.bodies.len() });
        };
        body.model.mesh().check_pose(pose).map_err(|faults| Error::Pose { body: id, faults })?;
        self.step.set(body.vertices.start, pose, end);
        Ok(())
    }

    /// Reports the contacts of the step in which each body moves from its pose to the one given for it in `next`; bodies not named
    /// there rest. The poses of the world stay as they are: see [`set_pose`](World::set_pose).
    ///
    /// Fails before anything is decided if a pose does not fit its body, or a setting is out of range.
    pub fn contacts(
        &mut self,
        next: &[(BodyId, &[[f64; 3]])],
        query: &Query,
    ) -> Result<Report<Contact>, Error> {
        query.narrow.validate()?;
        self.step.rest();
        for &(body, pose) in next {
            self.set_end(body, pose, 1)?;
        }
        Ok(method::contacts(self, query))
    }

    /// Reports the pairs of triangles that cross at the poses of the world. [`Want::Earliest`] is the same as [`Want::Any`] here.
    pub fn crossings(&mut self, query: &Query) -> Result<Report<Crossing>, Error> {
        query.narrow.validate()?;
        self.step.rest();
        Ok(method::crossings(self, query))
    }

    /// The largest t up to which the step to `next` is free of contacts: 1 if all of it is. It is a lower bound of the first
    /// contact, within the width of the time bracket.
    pub fn largest_free_step(&mut self, next: &[(BodyId, &[[f64; 3]])], query: &Query) -> Result<f64, Error> {
        let report = self.contacts(next, &Query { want: Want::Earliest, ..*query })?;
        Ok(report.found.first().map_or(1.0, |contact| contact.lo))
    }

    /// Refits the bounds of every body.
    fn refit(&mut self, volume: crate::Volume, sweep: Sweep, margin: f64) {
        use crate::Volume::{Aabb, Dop16, Dop18, Dop24, MovingAabb};
        for body in &mut self.bodies {
            let (hierarchy, triangles) = (&body.model.hierarchy, body.model.mesh().triangles());
            let lines = &self.step.lines()[body.vertices.clone()];
            match volume {
                MovingAabb => body.bounds.moving.refit(hierarchy, triangles, lines, sweep, margin),
                Aabb => body.bounds.aabb.refit(hierarchy, triangles, lines, sweep, margin),
                Dop16 => body.bounds.dop16.refit(hierarchy, triangles, lines, sweep, margin),
                Dop18 => body.bounds.dop18.refit(hierarchy, triangles, lines, sweep, margin),
                Dop24 => body.bounds.dop24.refit(hierarchy, triangles, lines, sweep, margin),
            }
        }
    }

    /// What methods see: the bodies, the step, and the pairs of bodies that may touch.
    ///
    /// The bounds of a hierarchy are refitted for it, if the method has one.
    pub(crate) fn scene<'a>(&'a mut self, query: &Query, method: Method, sweep: Sweep) -> Scene<'a> {
        // Each of two features reaches half of the separation toward the other.
        let separation = query.narrow.min_separation;
        let margin = if separation == 0.0 { 0.0 } else { (0.5 * separation).next_up() };
        if let Method::Bvh(volume) = method {
            self.refit(volume, sweep, margin);
        }
        let mut pairs = Vec::new();
        for i in 0..self.bodies.len() {
            for j in i..self.bodies.len() {
                if self.may_touch(i, j) && query.filter.is_none_or(|f| f(BodyId(i as u32), BodyId(j as u32)))
                {
                    pairs.push([i, j]);
                }
            }
        }
        Scene { bodies: &self.bodies, step: &self.step, pairs, sweep, margin }
    }

    fn may_touch(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.bodies[i].settings, &self.bodies[j].settings);
        if i == j {
            return a.self_contact && !a.is_static;
        }
        !(a.is_static && b.is_static) && a.touches & b.groups != 0 && b.touches & a.groups != 0
    }
}

/// Adds up what workers found, in a fixed order.
pub(crate) fn merge<T: Send>(parts: Vec<(Vec<T>, u64, Stats)>) -> (Vec<T>, u64, Stats) {
    let n_found = parts.iter().map(|part| part.0.len()).sum();
    let mut all = (Vec::with_capacity(n_found), 0, Stats::default());
    for (found, count, stats) in parts {
        all.0.extend(found);
        all.1 += count;
        all.2 += stats;
    }
    all
}
