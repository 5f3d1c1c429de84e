//! Bodies, and which of them may touch what.

mod watch;

use crate::body::{Body, BodySettings};
use crate::bounds::{Reach, Slabs, SortAndSweep, Sweep};
use crate::contact::{BodyId, Contact, Crossing, Partial, Report};
use crate::method::{self, Goal, Memory, Scene};
use crate::motion::Skinned;
use crate::query::{Budget, Method, NormalCone, Query, SphereTree, Volume, Want};
use crate::radial::check_joints;
use crate::sink::Sink;
use crate::stats::Stats;
use crate::{Affine, Error, Model, Pose, Step, certificate};
use rayon::prelude::*;
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
    pub(crate) bodies: Vec<Body>,
    /// The vertices of all bodies, one body after the other.
    pub(crate) step: Step,
    /// What queries leave behind, so that others need not allocate it.
    pub(crate) memory: Memory,
}

impl Default for World {
    fn default() -> Self {
        World { bodies: Vec::new(), step: Step::empty(), memory: Memory::default() }
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

    /// Says where the joints of the clusters of a body are at the start and at the end of the steps to come; `None` lets them follow the vertices of the clusters
    /// that they see, as they do at first. Which contacts are found does not depend on it.
    pub fn set_joints(&mut self, body: BodyId, joints: Option<[&[[f64; 3]]; 2]>) -> Result<(), Error> {
        let n_joints = self.body(body)?.model.clusters().joints().len();
        for ends in joints.iter().flatten() {
            if ends.len() != n_joints {
                return Err(Error::JointCount { given: ends.len(), joints: n_joints });
            }
            check_joints(ends)?;
        }
        self.bodies[body.index()].joints = joints.map(|ends| ends.map(<[[f64; 3]]>::to_vec));
        Ok(())
    }

    /// Gives a body another model, at a pose: its surface was cut, joined, or meshed anew. The body keeps its number and its settings, and
    /// all other bodies stay as they are.
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

    /// Reports the contacts of the step in which each body moves from its pose to the one given for it in `next`; bodies not named
    /// there rest. The poses of the world stay as they are: see [`set_pose`](World::set_pose).
    ///
    /// Fails before anything is decided if a pose does not fit its body, or a setting is out of range.
    pub fn contacts<'a, P: Into<Pose<'a>> + Copy>(
        &mut self,
        next: &[(BodyId, P)],
        query: &Query,
    ) -> Result<Report<Contact>, Error> {
        query.method.check_step()?;
        self.set_step(ends(next), query)?;
        Ok(method::contacts(self, query, Goal::Report(query.want)))
    }

    /// Pushes the contacts of a step to a sink, as they are found; [`Query::want`] plays no part. Otherwise as
    /// [`contacts`](World::contacts).
    pub fn contacts_into<'a, P: Into<Pose<'a>> + Copy>(
        &mut self,
        next: &[(BodyId, P)],
        query: &Query,
        sink: &dyn Sink<Contact>,
    ) -> Result<Stats, Error> {
        query.method.check_step()?;
        self.set_step(ends(next), query)?;
        Ok(method::contacts(self, query, Goal::Push(sink)).stats)
    }

    /// Reports the pairs of triangles that cross at the poses of the world. [`Want::Earliest`] is the same as [`Want::Any`] here.
    pub fn crossings(&mut self, query: &Query) -> Result<Report<Crossing>, Error> {
        self.set_step(std::iter::empty(), query)?;
        Ok(method::crossings(self, query, Goal::Report(query.want)))
    }

    /// Pushes the crossings to a sink, as they are found; [`Query::want`] plays no part. Otherwise as [`crossings`](World::crossings).
    pub fn crossings_into(&mut self, query: &Query, sink: &dyn Sink<Crossing>) -> Result<Stats, Error> {
        self.set_step(std::iter::empty(), query)?;
        Ok(method::crossings(self, query, Goal::Push(sink)).stats)
    }

    /// Reports contacts as long as a budget lasts, those of patches that overlap most first, and what is left to be looked at. The method must be a
    /// [sphere tree](Method::SphereTree); otherwise as [`contacts`](World::contacts).
    pub fn contacts_within<'a, P: Into<Pose<'a>> + Copy>(
        &mut self,
        next: &[(BodyId, P)],
        query: &Query,
        budget: Budget,
    ) -> Result<Partial<Contact>, Error> {
        let how = check_budget(query, budget)?;
        self.set_step(ends(next), query)?;
        Ok(method::contacts_on_demand(self, query, how, Goal::Report(query.want), Some(budget)))
    }

    /// Reports crossings as long as a budget lasts, those of patches that overlap most first, and what is left to be looked at. The method must be a
    /// [sphere tree](Method::SphereTree); otherwise as [`crossings`](World::crossings).
    pub fn crossings_within(&mut self, query: &Query, budget: Budget) -> Result<Partial<Crossing>, Error> {
        let how = check_budget(query, budget)?;
        self.set_step(std::iter::empty(), query)?;
        Ok(method::crossings_on_demand(self, query, how, Goal::Report(query.want), Some(budget)))
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

    /// Moves all vertices of bodies that are posed by bones. Returns how many had to be.
    pub(crate) fn place_all(&mut self) -> u64 {
        let mut lines = self.step.lines_mut();
        let mut of_bodies = Vec::new();
        for body in &mut self.bodies {
            let (of_body, behind) = std::mem::take(&mut lines).split_at_mut(body.vertices.len());
            lines = behind;
            if let (Some(skinned), Some(skin)) = (&mut body.skinned, body.model.skin()) {
                of_bodies.push((skinned, skin, of_body));
            }
        }
        of_bodies.into_par_iter().map(|(skinned, skin, lines)| skinned.place_all(skin, lines)).sum()
    }

    /// Returns the largest part of the step to `next` that is free of contacts, and the contact that ends it; all of the step, if none does.
    ///
    /// [`Query::want`] plays no part: it is the earliest contact that is looked for, so which one ends the part depends neither on the
    /// method nor on the number of threads.
    pub fn largest_free_step<'a, P: Into<Pose<'a>> + Copy>(
        &mut self,
        next: &[(BodyId, P)],
        query: &Query,
    ) -> Result<FreeStep, Error> {
        let report = self.contacts(next, &Query { want: Want::Earliest, ..*query })?;
        let limit = report.found.first().copied();
        Ok(FreeStep { size: limit.map_or(1.0, |contact| contact.lo), limit })
    }

    /// What bounds must hold.
    pub(crate) fn reach(&self, query: &Query, sweep: Sweep) -> Reach {
        // Each of two features reaches half of the separation toward the other.
        let separation = query.narrow.min_separation;
        let margin = if separation == 0.0 { 0.0 } else { (0.5 * separation).next_up() };
        Reach { sweep, margin, largest: self.step.largest() }
    }

    /// What methods see: the bodies, the step, and the pairs of bodies that may touch.
    ///
    /// The bounds of a hierarchy are refitted for it, if the method has one, and then only bodies whose bounds overlap are a pair.
    pub(crate) fn scene<'a>(&'a mut self, query: &Query, method: Method, sweep: Sweep) -> Scene<'a> {
        let reach = self.reach(query, sweep);
        let mut stats = Stats::default();
        let start = query.clock.map(|now| now());
        stats.skinning.vertices = self.place_all();
        let mut pairs = match method {
            Method::Bvh(volume) => {
                stats.rebuilds = self.refit(volume, reach);
                self.near_pairs(volume, &mut stats)
            }
            Method::NormalCone(NormalCone { volume, .. }) => {
                self.certify(method, volume, reach, query, &mut stats)
            }
            Method::Radial(how) => self.watch(how, reach, query, &mut stats),
            Method::Rival(_, volume) => self.certify(method, volume, reach, query, &mut stats),
            Method::Brute | Method::SpatialHash | Method::SphereTree(_) => {
                self.bodies.iter_mut().for_each(Body::walk_nothing);
                self.all_pairs()
            }
        };
        if let Some(filter) = query.filter {
            pairs.retain(|&[i, j]| filter(BodyId(i as u32), BodyId(j as u32)));
        }
        for (i, body) in self.bodies.iter_mut().enumerate() {
            // What a body does to itself is not looked at, so it will not be known how it ends.
            if pairs.binary_search(&[i, i]).is_err()
                && let Some((watched, _)) = body.watching()
            {
                watched.forget();
            }
        }
        if let (Some(now), Some(start)) = (query.clock, start) {
            stats.times.refit = now().saturating_sub(start).saturating_sub(stats.times.certify);
        }
        Scene { bodies: &self.bodies, step: &self.step, pairs, reach, stats }
    }

    /// Refits the bounds of every body, and returns how many of their hierarchies were built anew.
    fn refit(&mut self, volume: Volume, reach: Reach) -> u64 {
        let step = &self.step;
        let refit = |body: &mut Body| body.refit(volume, &step.lines()[body.vertices.clone()], reach);
        self.bodies.par_iter_mut().map(|body| u64::from(refit(body))).sum()
    }

    /// Refits the trees of patches of every body, and finds out which patches cannot touch themselves. Returns the pairs of bodies that may touch.
    fn certify(
        &mut self,
        method: Method,
        volume: Volume,
        reach: Reach,
        query: &Query,
        stats: &mut Stats,
    ) -> Vec<[usize; 2]> {
        self.prepare_models(reach, |model| _ = model.patch_tree());
        let step = &self.step;
        let lines = |body: &Body| &step.lines()[body.vertices.clone()];
        let refit = |body: &mut Body| u64::from(body.refit_patches(method, volume, lines(body), reach));
        stats.rebuilds = self.bodies.par_iter_mut().map(refit).sum();
        let start = query.clock.map(|now| now());
        let certify = |body: &mut Body| body.certify(method, lines(body), reach);
        let of_bodies: Vec<certificate::Stats> = self.bodies.par_iter_mut().map(certify).collect();
        of_bodies.into_iter().for_each(|of_body| stats.certificates += of_body);
        if let (Some(now), Some(start)) = (query.clock, start) {
            stats.times.certify = now().saturating_sub(start);
        }
        self.near_pairs(volume, stats)
    }

    /// Lets each model of bodies that have proofs compute what it keeps for them, so that bodies which share it do not all do so.
    fn prepare_models(&self, reach: Reach, prepare: impl Fn(&Model) + Sync) {
        let mut models: Vec<&Arc<Model>> =
            self.bodies.iter().filter(|body| body.has_proofs(reach)).map(|body| &body.model).collect();
        models.sort_unstable_by_key(|model| Arc::as_ptr(model));
        models.dedup_by_key(|model| Arc::as_ptr(model));
        models.par_iter().for_each(|model| prepare(model));
    }

    /// The pairs of bodies that may touch, ascending; a body with itself among them.
    fn all_pairs(&self) -> Vec<[usize; 2]> {
        let n = self.bodies.len();
        let pairs = (0..n).flat_map(|i| (i..n).map(move |j| [i, j]));
        pairs.filter(|&[i, j]| self.may_touch(i, j)).collect()
    }

    /// Those of [`all_pairs`](World::all_pairs) whose bounds overlap.
    fn near_pairs(&self, volume: Volume, stats: &mut Stats) -> Vec<[usize; 2]> {
        match volume {
            Volume::MovingAabb => self.near_pairs_by(|body| body.temporal().volumes.moving.root(), stats),
            Volume::Aabb => self.near_pairs_by(|body| body.temporal().volumes.aabb.root(), stats),
            Volume::Dop16 => self.near_pairs_by(|body| body.temporal().volumes.dop16.root(), stats),
            Volume::Dop18 => self.near_pairs_by(|body| body.temporal().volumes.dop18.root(), stats),
            Volume::Dop24 => self.near_pairs_by(|body| body.temporal().volumes.dop24.root(), stats),
        }
    }

    fn near_pairs_by<const N: usize>(
        &self,
        root: impl Fn(&Body) -> Slabs<N>,
        stats: &mut Stats,
    ) -> Vec<[usize; 2]> {
        let roots: Vec<Slabs<N>> = self.bodies.iter().map(root).collect();
        let mut sweep = SortAndSweep::default();
        stats.bounds_tests += sweep.find(&roots, |i, j| self.may_touch(i, j));
        let mut pairs = sweep.pairs;
        pairs.extend((0..self.bodies.len()).filter(|&i| self.may_touch(i, i)).map(|i| [i, i]));
        pairs.sort_unstable();
        pairs
    }

    /// Bytes of memory that the world holds: poses, and for each body its mesh, hierarchy and bounds. A model that several bodies share
    /// counts once.
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

    /// Number of triangles of all bodies.
    pub(crate) fn n_triangles(&self) -> usize {
        self.bodies.iter().map(|body| body.model.mesh().triangles().len()).sum()
    }

    pub(crate) fn may_touch(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.bodies[i].settings, &self.bodies[j].settings);
        if i == j {
            return a.self_contact && !a.is_static;
        }
        !(a.is_static && b.is_static) && a.touches & b.groups != 0 && b.touches & a.groups != 0
    }
}

/// Fails if so many more vertices cannot be numbered in `u32`.
fn check_room(present: usize, more: usize) -> Result<(), Error> {
    let (vertices, allowed) = (present.saturating_add(more), u32::MAX as usize);
    if vertices <= allowed { Ok(()) } else { Err(Error::TooManyVertices { vertices, allowed }) }
}

/// Where bodies end a step.
fn ends<'a, P: Into<Pose<'a>> + Copy>(next: &[(BodyId, P)]) -> impl Iterator<Item = (BodyId, Pose<'a>)> {
    next.iter().map(|&(body, pose)| (body, pose.into()))
}

/// Fails unless a query can have such a budget.
fn check_budget(query: &Query, budget: Budget) -> Result<SphereTree, Error> {
    match (query.method, budget, query.clock) {
        (Method::SphereTree(_), Budget::Nanoseconds(_), None) => Err(Error::NoClock),
        (Method::SphereTree(how), _, _) => Ok(how),
        _ => Err(Error::NoBudget),
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
    /// Nothing touches at any t below this: 1 if nothing touches in the whole step, else the `lo` of the contact that is its limit. That
    /// is a lower bound of the time of the first contact, within the width of the time bracket, and may be 0.
    pub size: f64,
    /// A contact with the least `lo`: of those, the one with the least `hi`, then the first in the order of reports.
    pub limit: Option<Contact>,
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
