//! Bodies, and which of them may touch what.

use crate::body::{Body, BodySettings, Kept};
use crate::body_id::BodyId;
use crate::contact::{Contact, Crossing, Partial, Report};
use crate::engine::{self, Goal, Parts};
use crate::method::GivenJoints;
use crate::motion::Skinned;
use crate::query::{Budget, Query, Want};
use crate::radial::check_joints;
use crate::sink::Sink;
use crate::stats::Stats;
use crate::{Affine, Error, Model, Pose, Step};
use std::sync::Arc;

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
    /// What queries leave behind, so that others need not allocate it.
    memory: Kept,
}

impl Default for World {
    fn default() -> Self {
        World { bodies: Vec::new(), step: Step::empty(), memory: Kept::default() }
    }
}

impl World {
    /// A world without bodies.
    #[must_use]
    pub fn new() -> World {
        World::default()
    }

    /// Adds an instance of a model at a pose.
    pub fn add<'a>(&mut self, model: Arc<Model>, pose: impl Into<Pose<'a>>) -> Result<BodyId, Error> {
        self.add_with(model, pose, BodySettings::default())
    }

    /// Adds an instance of a model at a pose, and says what it may touch.
    pub fn add_with<'a>(
        &mut self,
        model: Arc<Model>,
        pose: impl Into<Pose<'a>>,
        settings: BodySettings,
    ) -> Result<BodyId, Error> {
        let id = BodyId(self.bodies.len() as u32);
        let first = self.step.len();
        let n_vertices = model.mesh().n_vertices();
        check_room(first, n_vertices)?;
        let mut body = Body::new(model, first..first + n_vertices, settings);
        match pose.into() {
            Pose::Vertices(pose) => {
                check_vertices(&body, id, pose)?;
                self.step.push(pose);
            }
            Pose::Bones(bones) => {
                self.step.reach(check_bones(&body, id, bones)?);
                self.step.push_origins(n_vertices);
                body.skinned = Some(Skinned::new(n_vertices, bones));
            }
        }
        self.bodies.push(body);
        Ok(id)
    }

    /// Moves a body to another pose, without asking what it touches on the way.
    pub fn set_pose<'a>(&mut self, body: BodyId, pose: impl Into<Pose<'a>>) -> Result<(), Error> {
        self.body(body)?;
        let Body { model, vertices, .. } = &self.bodies[body.index()];
        match pose.into() {
            Pose::Vertices(pose) => {
                check_vertices(&self.bodies[body.index()], body, pose)?;
                self.step.set(vertices.start, pose, 0);
                let body = &mut self.bodies[body.index()];
                (body.skinned, body.rests) = (None, false);
                body.version += 1;
            }
            Pose::Bones(bones) => {
                self.step.reach(check_bones(&self.bodies[body.index()], body, bones)?);
                let n_vertices = model.mesh().n_vertices();
                let body = &mut self.bodies[body.index()];
                body.version += 1;
                match &mut body.skinned {
                    Some(skinned) => skinned.set(bones, 0),
                    skinned => *skinned = Some(Skinned::new(n_vertices, bones)),
                }
            }
        }
        Ok(())
    }

    /// Says where the joints of the clusters of a body are at the start and at the end of the steps
    /// to come; `None` lets them follow the vertices of the clusters that they see, as they do at
    /// first. Which contacts are found does not depend on it.
    pub fn set_joints(&mut self, body: BodyId, joints: Option<[&[[f64; 3]]; 2]>) -> Result<(), Error> {
        let n_joints = self.body(body)?.model.clusters().joints().len();
        for ends in joints.iter().flatten() {
            if ends.len() != n_joints {
                return Err(Error::JointCount { given: ends.len(), joints: n_joints });
            }
            check_joints(ends)?;
        }
        let given = GivenJoints(joints.map(|ends| ends.map(<[[f64; 3]]>::to_vec)));
        *self.bodies[body.index()].kept.get_or(GivenJoints::default) = given;
        Ok(())
    }

    /// Gives a body another model, at a pose: its surface was cut, joined, or meshed anew. The body
    /// keeps its number and its settings, and all other bodies stay as they are.
    pub fn set_model<'a>(
        &mut self,
        body: BodyId,
        model: Arc<Model>,
        pose: impl Into<Pose<'a>>,
    ) -> Result<(), Error> {
        let Body { vertices: old, settings, .. } = self.body(body)?;
        let (old, settings) = (old.clone(), *settings);
        check_room(self.step.len() - old.len(), model.mesh().n_vertices())?;
        let new = old.start..old.start + model.mesh().n_vertices();
        let mut other = Body::new(model, new.clone(), settings);
        match pose.into() {
            Pose::Vertices(pose) => {
                check_vertices(&other, body, pose)?;
                self.step.replace(old.clone(), pose);
            }
            Pose::Bones(bones) => {
                self.step.reach(check_bones(&other, body, bones)?);
                self.step.replace(old.clone(), &vec![[0.0; 3]; new.len()]);
                other.skinned = Some(Skinned::new(new.len(), bones));
            }
        }
        self.bodies[body.index()] = other;
        for behind in &mut self.bodies[body.index() + 1..] {
            let start = behind.vertices.start - old.end + new.end;
            behind.vertices = start..start + behind.vertices.len();
        }
        Ok(())
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

    fn body(&self, body: BodyId) -> Result<&Body, Error> {
        self.bodies.get(body.index()).ok_or(Error::NoSuchBody { body, bodies: self.bodies.len() })
    }

    /// Says where a body ends the step.
    fn set_end(&mut self, id: BodyId, pose: Pose) -> Result<(), Error> {
        let body = self.body(id)?;
        match (pose, body.skinned.is_some()) {
            (Pose::Vertices(pose), false) => {
                check_vertices(body, id, pose)?;
                self.step.set(body.vertices.start, pose, 1);
                self.bodies[id.index()].rests = false;
                self.bodies[id.index()].version += 1;
            }
            (Pose::Bones(bones), true) => {
                self.step.reach(check_bones(body, id, bones)?);
                let body = &mut self.bodies[id.index()];
                body.version += 1;
                if let Some(skinned) = &mut body.skinned {
                    skinned.set(bones, 1);
                }
            }
            (_, bones) => return Err(Error::PoseKinds { body: id, bones }),
        }
        Ok(())
    }

    /// Reports the contacts of the step in which each body moves from its pose to the one given for
    /// it in `next`; bodies not named there rest. The poses of the world stay as they are: see
    /// [`set_pose`](World::set_pose).
    ///
    /// Fails before anything is decided if a pose does not fit its body, or a setting is out of
    /// range.
    pub fn contacts<'a, P: Into<Pose<'a>> + Copy>(
        &mut self,
        next: &[(BodyId, P)],
        query: &Query,
    ) -> Result<Report<Contact>, Error> {
        Ok(self.find_contacts(next, query, Goal::Report(query.want), None)?.report)
    }

    /// Pushes the contacts of a step to a sink, as they are found; [`Query::want`] plays no part.
    /// Otherwise as [`contacts`](World::contacts).
    pub fn contacts_into<'a, P: Into<Pose<'a>> + Copy>(
        &mut self,
        next: &[(BodyId, P)],
        query: &Query,
        sink: &dyn Sink<Contact>,
    ) -> Result<Stats, Error> {
        Ok(self.find_contacts(next, query, Goal::Push(sink), None)?.report.stats)
    }

    /// Reports contacts as long as a budget lasts, those of patches that overlap most first, and
    /// what is left to be looked at. The method must be a [sphere tree](crate::Method::SphereTree);
    /// otherwise as [`contacts`](World::contacts).
    pub fn contacts_within<'a, P: Into<Pose<'a>> + Copy>(
        &mut self,
        next: &[(BodyId, P)],
        query: &Query,
        budget: Budget,
    ) -> Result<Partial<Contact>, Error> {
        self.find_contacts(next, query, Goal::Report(query.want), Some(budget))
    }

    fn find_contacts<'a, P: Into<Pose<'a>> + Copy>(
        &mut self,
        next: &[(BodyId, P)],
        query: &Query,
        goal: Goal<Contact>,
        budget: Option<Budget>,
    ) -> Result<Partial<Contact>, Error> {
        query.method.check_step()?;
        check_budget(query, budget)?;
        self.set_step(next.iter().map(|&(body, pose)| (body, pose.into())), query)?;
        let parts = Parts { bodies: &mut self.bodies, step: &mut self.step, memory: &mut self.memory };
        Ok(query.method.with_culling(|culling| engine::contacts(parts, query, culling, goal, budget)))
    }

    /// Reports the pairs of triangles that cross at the poses of the world. [`Want::Earliest`] is
    /// the same as [`Want::Any`] here.
    pub fn crossings(&mut self, query: &Query) -> Result<Report<Crossing>, Error> {
        Ok(self.find_crossings(query, Goal::Report(query.want), None)?.report)
    }

    /// Pushes the crossings to a sink, as they are found; [`Query::want`] plays no part. Otherwise
    /// as [`crossings`](World::crossings).
    pub fn crossings_into(&mut self, query: &Query, sink: &dyn Sink<Crossing>) -> Result<Stats, Error> {
        Ok(self.find_crossings(query, Goal::Push(sink), None)?.report.stats)
    }

    /// Reports crossings as long as a budget lasts, those of patches that overlap most first, and
    /// what is left to be looked at. The method must be a [sphere tree](crate::Method::SphereTree);
    /// otherwise as [`crossings`](World::crossings).
    pub fn crossings_within(&mut self, query: &Query, budget: Budget) -> Result<Partial<Crossing>, Error> {
        self.find_crossings(query, Goal::Report(query.want), Some(budget))
    }

    fn find_crossings(
        &mut self,
        query: &Query,
        goal: Goal<Crossing>,
        budget: Option<Budget>,
    ) -> Result<Partial<Crossing>, Error> {
        check_budget(query, budget)?;
        self.set_step(std::iter::empty(), query)?;
        let parts = Parts { bodies: &mut self.bodies, step: &mut self.step, memory: &mut self.memory };
        Ok(query.method.with_culling(|culling| engine::crossings(parts, query, culling, goal, budget)))
    }

    /// Makes the step of the world the one to `next`; fails before anything is decided.
    fn set_step<'a>(
        &mut self,
        next: impl Iterator<Item = (BodyId, Pose<'a>)>,
        query: &Query,
    ) -> Result<(), Error> {
        query.narrow.validate()?;
        for body in &mut self.bodies {
            match &mut body.skinned {
                Some(skinned) if skinned.moves() => {
                    skinned.rest();
                    body.version += 1;
                }
                None if !body.rests => {
                    self.step.rest(body.vertices.clone());
                    body.rests = true;
                    body.version += 1;
                }
                _ => {}
            }
        }
        for (body, pose) in next {
            self.set_end(body, pose)?;
        }
        Ok(())
    }

    /// Returns the largest part of the step to `next` that is free of contacts, and the contact
    /// that ends it; all of the step, if none does.
    ///
    /// [`Query::want`] plays no part: it is the earliest contact that is looked for, so which one
    /// ends the part depends neither on the method nor on the number of threads.
    pub fn largest_free_step<'a, P: Into<Pose<'a>> + Copy>(
        &mut self,
        next: &[(BodyId, P)],
        query: &Query,
    ) -> Result<FreeStep, Error> {
        let report = self.contacts(next, &Query { want: Want::Earliest, ..*query })?;
        let limit = report.found.first().copied();
        Ok(FreeStep { size: limit.map_or(1.0, |contact| contact.lo), limit })
    }

    /// Bytes of memory that the world holds: poses, and for each body its mesh, hierarchy and
    /// bounds. A model that several bodies share counts once.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let mut models: Vec<*const Model> = self.bodies.iter().map(|body| Arc::as_ptr(&body.model)).collect();
        models.sort_unstable();
        models.dedup();
        let of_models: usize = models
            .iter()
            .filter_map(|&model| {
                self.bodies.iter().find(|body| std::ptr::eq(Arc::as_ptr(&body.model), model))
            })
            .map(|body| body.model.memory_bytes())
            .sum();
        let of_bodies: usize = self.bodies.iter().map(Body::memory_bytes).sum();
        self.step.memory_bytes() + of_models + of_bodies
    }
}

/// Fails if so many more vertices cannot be numbered in `u32`.
fn check_room(present: usize, more: usize) -> Result<(), Error> {
    let (vertices, allowed) = (present.saturating_add(more), u32::MAX as usize);
    if vertices <= allowed { Ok(()) } else { Err(Error::TooManyVertices { vertices, allowed }) }
}

/// Fails unless a query can have such a budget.
fn check_budget(query: &Query, budget: Option<Budget>) -> Result<(), Error> {
    match budget {
        Some(_) if !query.method.takes_budget() => Err(Error::NoBudget),
        Some(Budget::Nanoseconds(_)) if query.clock.is_none() => Err(Error::NoClock),
        _ => Ok(()),
    }
}

/// Fails if a pose does not fit a body.
fn check_vertices(body: &Body, id: BodyId, pose: &[[f64; 3]]) -> Result<(), Error> {
    body.model.mesh().check_pose(pose).map_err(|faults| Error::Pose { body: id, faults })
}

/// Fails if a pose does not fit a body. Returns a bound of the magnitude of its coordinates.
fn check_bones(body: &Body, id: BodyId, bones: &[Affine]) -> Result<f64, Error> {
    body.model.skin().ok_or(Error::NoSkin { body: id })?.check(bones)
}

/// How much of a step is free of contacts, and why not more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeStep {
    /// Nothing touches at any t below this: 1 if nothing touches in the whole step, else the `lo`
    /// of the contact that is its limit. That is a lower bound of the time of the first contact,
    /// within the width of the time bracket, and may be 0.
    pub size: f64,
    /// A contact with the least `lo`: of those, the one with the least `hi`, then the first in the
    /// order of reports.
    pub limit: Option<Contact>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A world that is really so large would take 256 GiB.
    #[test]
    fn vertices_are_numbered_in_32_bits() {
        let most = u32::MAX as usize;
        assert_eq!(check_room(0, most), Ok(()));
        assert_eq!(check_room(most - 5, 5), Ok(()));
        let full = |vertices| Err(Error::TooManyVertices { vertices, allowed: most });
        assert_eq!(check_room(most - 5, 6), full(most + 1));
        assert_eq!(check_room(most, usize::MAX), full(usize::MAX));
    }
}
