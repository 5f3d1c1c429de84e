//! The world: bodies with their poses, and queries about them.

mod closeness;

use crate::body::{Body, BodySettings, Kept};
use crate::body_id::BodyId;
use crate::contact::{Contact, Crossing, PartialReport, Report};
use crate::engine::{self, Goal, Parts};
use crate::method::{self, GivenJoints, SetStage};
use crate::query::{Budget, Query, Results};
use crate::radial::check_joints;
use crate::raster::{Raster, RasterFault};
use crate::sink::Sink;
use crate::stats::Stats;
use crate::{Error, Model, Pose, Step};
use std::fmt;
use std::ops::Range;
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
    /// The vertices of all bodies, body by body.
    step: Step,
    /// Scratch memory of queries, kept to avoid reallocation.
    memory: Kept,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("World")
            .field("bodies", &self.len())
            .field("vertices", &self.step.len())
            .finish_non_exhaustive()
    }
}

impl Default for World {
    fn default() -> Self {
        World { bodies: Vec::new(), step: Step::empty(), memory: Kept::default() }
    }
}

impl World {
    /// An empty world.
    #[must_use]
    pub fn new() -> World {
        World::default()
    }

    /// Adds an instance of a model at a pose.
    pub fn add<'a>(&mut self, model: Arc<Model>, pose: impl Into<Pose<'a>>) -> Result<BodyId, Error> {
        self.add_with(model, pose, BodySettings::default())
    }

    /// Adds an instance of a model at a pose, with collision settings.
    pub fn add_with<'a>(
        &mut self,
        model: Arc<Model>,
        pose: impl Into<Pose<'a>>,
        settings: BodySettings,
    ) -> Result<BodyId, Error> {
        let id = BodyId(self.bodies.len() as u32);
        let end = self.step.len();
        let body = self.place(id, model, &pose.into(), settings, end..end)?;
        self.bodies.push(body);
        Ok(id)
    }

    /// Returns an instance of a model at a pose; its vertices replace those in `range`. Nothing
    /// changes if the pose does not fit.
    fn place(
        &mut self,
        id: BodyId,
        model: Arc<Model>,
        pose: &Pose,
        settings: BodySettings,
        range: Range<usize>,
    ) -> Result<Body, Error> {
        let n_vertices = model.mesh().n_vertices();
        check_room(self.step.len() - range.len(), n_vertices)?;
        let mut body = Body::new(model, range.start..range.start + n_vertices, settings);
        body.check(id, pose)?;
        self.step.replace(range, n_vertices);
        body.put(id, pose, 0, &mut self.step)?;
        Ok(body)
    }

    /// Sets the pose of a body. Contacts on the way are not detected.
    pub fn set_pose<'a>(&mut self, body: BodyId, pose: impl Into<Pose<'a>>) -> Result<(), Error> {
        self.body(body)?;
        self.bodies[body.index()].put(body, &pose.into(), 0, &mut self.step)
    }

    /// Sets the poses of several bodies. Contacts on the way are not detected. Fails at the first
    /// pose that does not fit; poses before it are set.
    pub fn set_poses<'a>(&mut self, poses: impl Moves<'a>) -> Result<(), Error> {
        poses.for_each(|body, pose| {
            self.body(body)?;
            self.bodies[body.index()].put(body, pose, 0, &mut self.step)
        })
    }

    /// The pose of a body, as it was given.
    pub fn pose(&self, body: BodyId) -> Result<Pose<'_>, Error> {
        let of_body = self.body(body)?;
        Ok(match &of_body.placement {
            Some(placement) => Pose::Parameters(placement.ends().0.into()),
            None => {
                let lines = &self.step.lines()[of_body.vertices.clone()];
                Pose::Vertices(lines.iter().map(|line| line.end(0)).collect())
            }
        })
    }

    /// The vertices of a body at its pose. They are computed if the pose is given by parameters.
    pub fn vertices(&mut self, body: BodyId) -> Result<Vec<[f64; 3]>, Error> {
        self.body(body)?;
        let of_body = &mut self.bodies[body.index()];
        let lines = &mut self.step.lines_mut()[of_body.vertices.clone()];
        of_body.place_all(lines);
        Ok(lines.iter().map(|line| line.end(0)).collect())
    }

    /// The bodies, in the order they were added.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        (0..).zip(&self.bodies).filter(|(_, body)| !body.is_removed).map(|(number, _)| BodyId(number))
    }

    /// Sets the positions of the joints of a body's clusters, at the start and at the end of the
    /// steps that follow. With `None`, the default, joints follow the vertices of the clusters that
    /// they see. The contacts found do not depend on it.
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

    /// Replaces the model of a body, for example after its surface was cut, joined or remeshed. The
    /// body keeps its id and its settings; other bodies do not change.
    pub fn set_model<'a>(
        &mut self,
        body: BodyId,
        model: Arc<Model>,
        pose: impl Into<Pose<'a>>,
    ) -> Result<(), Error> {
        let Body { vertices: old, settings, .. } = self.body(body)?;
        let (old, settings) = (old.clone(), *settings);
        let other = self.place(body, model, &pose.into(), settings, old.clone())?;
        self.put_in_place(body, other, &old);
        Ok(())
    }

    /// Removes a body. The others keep their ids, and the id is not reused.
    pub fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        let old = self.body(body)?.vertices.clone();
        self.step.replace(old.clone(), 0);
        self.put_in_place(body, Body::removed(old.start), &old);
        Ok(())
    }

    /// Replaces a body that had the vertices `old`. The vertices of the new one are already in the
    /// step.
    fn put_in_place(&mut self, body: BodyId, other: Body, old: &Range<usize>) {
        let end = other.vertices.end;
        self.bodies[body.index()] = other;
        for behind in &mut self.bodies[body.index() + 1..] {
            let start = behind.vertices.start - old.end + end;
            behind.vertices = start..start + behind.vertices.len();
        }
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies().count()
    }

    /// Whether there are no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies().next().is_none()
    }

    fn body(&self, body: BodyId) -> Result<&Body, Error> {
        let found = self.bodies.get(body.index()).filter(|body| !body.is_removed);
        found.ok_or_else(|| Error::NoSuchBody { body, bodies: self.len() })
    }

    /// Sets the pose of a body at the end of the step.
    fn set_end(&mut self, id: BodyId, pose: &Pose) -> Result<(), Error> {
        let parameters = self.body(id)?.placement.is_some();
        if parameters != matches!(pose, Pose::Parameters(_)) {
            return Err(Error::PoseKinds { body: id, parameters });
        }
        self.bodies[id.index()].put(id, pose, 1, &mut self.step)
    }

    /// Reports the contacts of the step in which each body moves from its pose to its pose in
    /// `next`; bodies that are not listed there rest. The poses of the world do not change: see
    /// [`set_pose`](World::set_pose).
    ///
    /// Fails before anything is decided if a pose does not fit its body, or a setting is out of
    /// range.
    pub fn contacts<'a>(&mut self, next: impl Moves<'a>, query: &Query) -> Result<Report<Contact>, Error> {
        Ok(self.find_contacts(next, query, Goal::Report(query.results), None)?.report)
    }

    /// Pushes the contacts of a step to a sink as they are found; [`Query::results`] is ignored.
    /// Otherwise as [`contacts`](World::contacts).
    pub fn contacts_into<'a>(
        &mut self,
        next: impl Moves<'a>,
        query: &Query,
        sink: &dyn Sink<Contact>,
    ) -> Result<Stats, Error> {
        Ok(self.find_contacts(next, query, Goal::Push(sink), None)?.report.stats)
    }

    /// Reports contacts until a budget is used up, and the pairs of patches that are left. Patches
    /// that overlap most come first. The method must be a [sphere tree](crate::Method::SphereTree);
    /// otherwise as [`contacts`](World::contacts).
    pub fn contacts_within<'a>(
        &mut self,
        next: impl Moves<'a>,
        query: &Query,
        budget: Budget,
    ) -> Result<PartialReport<Contact>, Error> {
        self.find_contacts(next, query, Goal::Report(query.results), Some(budget))
    }

    fn find_contacts<'a>(
        &mut self,
        next: impl Moves<'a>,
        query: &Query,
        goal: Goal<Contact>,
        budget: Option<Budget>,
    ) -> Result<PartialReport<Contact>, Error> {
        query.method.check_step()?;
        check_budget(query, budget)?;
        self.set_step(next, query)?;
        let parts = Parts { bodies: &mut self.bodies, step: &mut self.step, memory: &mut self.memory };
        let report =
            query.method.with_culling(|culling| engine::contacts(parts, query, culling, goal, budget));
        if query.is_stopped() { Err(Error::Stopped) } else { Ok(report) }
    }

    /// Reports the pairs of triangles that cross at the current poses. [`Results::Earliest`] is the
    /// same as [`Results::Any`] here.
    pub fn crossings(&mut self, query: &Query) -> Result<Report<Crossing>, Error> {
        Ok(self.find_crossings(query, Goal::Report(query.results), None)?.report)
    }

    /// Pushes the crossings to a sink as they are found; [`Query::results`] is ignored. Otherwise
    /// as [`crossings`](World::crossings).
    pub fn crossings_into(&mut self, query: &Query, sink: &dyn Sink<Crossing>) -> Result<Stats, Error> {
        Ok(self.find_crossings(query, Goal::Push(sink), None)?.report.stats)
    }

    /// Reports crossings until a budget is used up, and the pairs of patches that are left. Patches
    /// that overlap most come first. The method must be a [sphere tree](crate::Method::SphereTree);
    /// otherwise as [`crossings`](World::crossings).
    pub fn crossings_within(
        &mut self,
        query: &Query,
        budget: Budget,
    ) -> Result<PartialReport<Crossing>, Error> {
        self.find_crossings(query, Goal::Report(query.results), Some(budget))
    }

    fn find_crossings(
        &mut self,
        query: &Query,
        goal: Goal<Crossing>,
        budget: Option<Budget>,
    ) -> Result<PartialReport<Crossing>, Error> {
        check_budget(query, budget)?;
        self.set_step((), query)?;
        let parts = Parts { bodies: &mut self.bodies, step: &mut self.step, memory: &mut self.memory };
        let report =
            query.method.with_culling(|culling| engine::crossings(parts, query, culling, goal, budget));
        if query.is_stopped() { Err(Error::Stopped) } else { Ok(report) }
    }

    /// Sets the step of the world to the one to `next`. Fails before anything is decided.
    fn set_step<'a>(&mut self, next: impl Moves<'a>, query: &Query) -> Result<(), Error> {
        query.narrow.validate()?;
        for body in &mut self.bodies {
            body.is_to_rest = body.moves();
            method::forget_cleared(body);
        }
        method::forget_sets(&mut self.memory);
        let result = next.for_each(|body, pose| self.set_end(body, pose));
        // Only now, as the ends of most bodies have been replaced.
        for body in &mut self.bodies {
            if std::mem::take(&mut body.is_to_rest) {
                body.rest(&mut self.step);
            }
        }
        result
    }

    /// For each triangle of a body, how many triangles the largest patch has that contains it and
    /// that the last query proved free of self-collisions; 0 if there is none. So large numbers are
    /// patches that were culled high in the tree, and small ones those where the query had to
    /// descend.
    ///
    /// `None` if the last query tested no patches of the body: its method has no proofs, they were
    /// skipped because earlier ones had cleared little, or they do not apply, as with a minimum
    /// separation, or to a body that is not tested against itself.
    pub fn cleared_patches(&self, body: BodyId) -> Result<Option<Vec<u32>>, Error> {
        Ok(method::cleared_patches(self.body(body)?))
    }

    /// For each triangle of a body, how far it got in the tests of sets of the last query, with any
    /// body: [`SetStage::Left`] are the triangles that may collide.
    ///
    /// `None` if the last query tested no sets of the body: its method is not
    /// [chromatic decomposition](crate::Method::Chromatic), or it did not expect them to pay.
    pub fn set_stages(&self, body: BodyId) -> Result<Option<Vec<SetStage>>, Error> {
        let n_triangles = self.body(body)?.model.mesh().triangles().len();
        Ok(method::set_stages(&self.memory, body.index(), n_triangles))
    }

    /// Sets the rasterizer that compares sets of triangles for
    /// [chromatic decomposition](crate::Method::Chromatic); `None` for that of the library. If it
    /// fails, the library does its work, and does not use it again.
    pub fn set_raster(&mut self, raster: Option<Box<dyn Raster>>) {
        method::set_raster(&mut self.memory, raster);
    }

    /// Why the rasterizer that was [set](World::set_raster) is not used any more, if so. No answer
    /// depends on it.
    #[must_use]
    pub fn raster_fault(&self) -> Option<&RasterFault> {
        method::raster_fault(&self.memory)
    }

    /// Returns the largest contact-free part of the step to `next`, and the contact that ends it;
    /// the whole step if there is none.
    ///
    /// A solver goes on to a part of it, such as 0.8, as positions at its end are rounded and
    /// features touch there; to all of it only if there is no contact. With a minimum separation,
    /// it first moves features farther apart than that, as those that start within it leave nothing
    /// free. The example `resting` shows both.
    ///
    /// [`Query::results`] is ignored: the query is for the earliest contact, so the result depends
    /// neither on the method, unless it is a heuristic, nor on the number of threads.
    pub fn largest_free_step<'a>(&mut self, next: impl Moves<'a>, query: &Query) -> Result<FreeStep, Error> {
        let report = self.contacts(next, &Query { results: Results::Earliest, ..*query })?;
        let limit = report.found.first().copied();
        Ok(FreeStep { size: limit.map_or(1.0, |contact| contact.lo), limit })
    }

    /// Prepares bodies for a query: computes the data of the method for their models, and refits
    /// its data for the bodies, so that the first query is no slower than later ones. Results do
    /// not depend on it.
    pub fn prepare(&mut self, query: &Query) -> Result<(), Error> {
        self.set_step((), query)?;
        let parts = Parts { bodies: &mut self.bodies, step: &mut self.step, memory: &mut self.memory };
        query.method.with_culling(|culling| engine::prepare(parts, query, culling));
        Ok(())
    }

    /// Heap memory in bytes: poses, models, and the data that methods keep for bodies, without
    /// scratch memory. A model shared by several bodies counts once.
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

/// Fails if the vertices, with `more` added, cannot be numbered in `u32`.
fn check_room(present: usize, more: usize) -> Result<(), Error> {
    let (vertices, allowed) = (present.saturating_add(more), u32::MAX as usize);
    if vertices <= allowed { Ok(()) } else { Err(Error::TooManyVertices { vertices, allowed }) }
}

/// Fails if the query cannot have this budget.
fn check_budget(query: &Query, budget: Option<Budget>) -> Result<(), Error> {
    match budget {
        Some(_) if !query.method.takes_budget() => Err(Error::NoBudget),
        Some(Budget::Nanoseconds(_)) if query.clock.is_none() => Err(Error::NoClock),
        _ => Ok(()),
    }
}

/// The bodies that move in a step, each with the pose at its end; the others rest.
///
/// A slice, array or vector of pairs, or `()` if no body moves. Poses are anything that is
/// [`Into<Pose>`](Pose).
pub trait Moves<'a> {
    /// Calls `f` for each body that moves, until it fails.
    fn for_each<E>(self, f: impl FnMut(BodyId, &Pose<'_>) -> Result<(), E>) -> Result<(), E>;
}

/// No body moves.
impl<'a> Moves<'a> for () {
    fn for_each<E>(self, _: impl FnMut(BodyId, &Pose<'_>) -> Result<(), E>) -> Result<(), E> {
        Ok(())
    }
}

impl<'a, P: Clone + Into<Pose<'a>>> Moves<'a> for &[(BodyId, P)] {
    fn for_each<E>(self, mut f: impl FnMut(BodyId, &Pose<'_>) -> Result<(), E>) -> Result<(), E> {
        self.iter().try_for_each(|(body, pose)| f(*body, &pose.clone().into()))
    }
}

impl<'a, P: Clone + Into<Pose<'a>>, const N: usize> Moves<'a> for &[(BodyId, P); N] {
    fn for_each<E>(self, f: impl FnMut(BodyId, &Pose<'_>) -> Result<(), E>) -> Result<(), E> {
        self.as_slice().for_each(f)
    }
}

impl<'a, P: Clone + Into<Pose<'a>>> Moves<'a> for &Vec<(BodyId, P)> {
    fn for_each<E>(self, f: impl FnMut(BodyId, &Pose<'_>) -> Result<(), E>) -> Result<(), E> {
        self.as_slice().for_each(f)
    }
}

/// The contact-free part of a step, and the contact that limits it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FreeStep {
    /// Nothing touches at any t below this: 1 if nothing touches in the whole step, else the `lo`
    /// of the limiting contact. This is a lower bound of the time of the first contact, within the
    /// width of the time bracket; it may be 0, and 1 if features touch at the very end.
    pub size: f64,
    /// The contact with the least `lo`; ties are broken by the least `hi`, then by the order of
    /// reports. `None` if the whole step is free, and only then.
    pub limit: Option<Contact>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A world of this size would take 256 GiB.
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
