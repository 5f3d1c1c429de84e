//! Worlds whose bodies are looked at by observers: before a step, in the wake of its contacts, and after it.

use super::World;
use crate::body::Body;
use crate::bounds::Reach;
use crate::contact::{BodyId, ContactKey, Crossing};
use crate::method::{self, Goal, Scene};
use crate::query::{Method, NormalCone, Query, Radial, Want};
use crate::radial::{self, Touch};
use crate::stats::Stats;
use rayon::prelude::*;
use std::collections::HashMap;

impl World {
    /// Refits the trees of clusters of every body, and finds out what their observers see. Returns the pairs of bodies that may touch.
    pub(super) fn watch(
        &mut self,
        how: Radial,
        reach: Reach,
        query: &Query,
        stats: &mut Stats,
    ) -> Vec<[usize; 2]> {
        self.prepare_models(reach, |model| _ = model.cluster_tree());
        let start = query.clock.map(|now| now());
        let crossings = self.crossings_at_start(reach, stats);
        if let (Some(now), Some(start)) = (query.clock, start) {
            stats.times.certify = now().saturating_sub(start);
        }
        let step = &self.step;
        let lines = |body: &Body| &step.lines()[body.vertices.clone()];
        let refit = |body: &mut Body| u64::from(body.refit_clusters(how.volume, lines(body), reach));
        stats.rebuilds = self.bodies.par_iter_mut().map(refit).sum();
        let start = query.clock.map(|now| now());
        let look = |(i, body): (usize, &mut Body)| {
            let of_body = crossings.iter().filter(|crossing| crossing.bodies[0].index() == i);
            body.look(lines(body), of_body.map(|crossing| crossing.triangles))
        };
        let of_bodies: Vec<radial::Stats> = self.bodies.par_iter_mut().enumerate().map(look).collect();
        of_bodies.into_iter().for_each(|of_body| stats.radial += of_body);
        if let (Some(now), Some(start)) = (query.clock, start) {
            stats.times.certify += now().saturating_sub(start);
        }
        self.near_pairs(how.volume, stats)
    }

    /// The crossings, at the start of the step, of bodies with themselves that start elsewhere than where their last step ended.
    fn crossings_at_start(&mut self, reach: Reach, stats: &mut Stats) -> Vec<Crossing> {
        let step = &self.step;
        let is_new = |body: &Body| {
            let lines = &step.lines()[body.vertices.clone()];
            body.has_proofs(reach) && !body.watched.as_ref().is_some_and(|watched| watched.knows(lines))
        };
        let is_new: Vec<bool> = self.bodies.iter().map(is_new).collect();
        stats.radial.fresh_starts = is_new.iter().filter(|&&is_new| is_new).count() as u64;
        if stats.radial.fresh_starts == 0 {
            return Vec::new();
        }
        let filter = |a: BodyId, b: BodyId| a == b && is_new[a.index()];
        let method = Method::NormalCone(NormalCone::new());
        let query = Query { method, filter: Some(&filter), ..Query::all() };
        method::crossings(self, &query, Goal::Report(Want::All)).found
    }

    /// The scene of the present step again, to look for what the triangles around contacts may touch; none if they are all uncertain already.
    pub(crate) fn wake(&mut self, contacts: &[ContactKey], reach: Reach) -> Option<Scene<'_>> {
        let of_bodies = touches(contacts);
        let widen = |(i, body): (usize, &mut Body)| {
            let (watched, model) = body.watching()?;
            watched.widen(model, of_bodies.get(&(i as u32))?).then_some([i, i])
        };
        let pairs: Vec<[usize; 2]> = self.bodies.iter_mut().enumerate().filter_map(widen).collect();
        let stats = Stats { radial: radial::Stats { rounds: 1, ..Default::default() }, ..Stats::default() };
        let is_any = !pairs.is_empty();
        is_any.then_some(Scene { bodies: &self.bodies, step: &self.step, pairs, reach, stats })
    }

    /// Ends the present step. What is known of its start becomes what is known of its end, by all of its contacts, if these are known.
    pub(crate) fn advance(&mut self, contacts: Option<&[ContactKey]>) {
        let of_bodies = contacts.map(touches);
        let step = &self.step;
        self.bodies.par_iter_mut().enumerate().for_each(|(i, body)| {
            let lines = &step.lines()[body.vertices.clone()];
            if let Some((watched, model)) = body.watching() {
                let of_body =
                    of_bodies.as_ref().map(|all| all.get(&(i as u32)).map_or(&[][..], Vec::as_slice));
                watched.advance(model, lines, of_body);
            }
        });
    }
}

/// The contacts of each body with itself.
fn touches(contacts: &[ContactKey]) -> HashMap<u32, Vec<Touch>> {
    let mut of_bodies: HashMap<u32, Vec<Touch>> = HashMap::new();
    for key in contacts.iter().filter(|key| key.bodies[0] == key.bodies[1]) {
        of_bodies.entry(key.bodies[0].0).or_default().push((key.kind, key.features));
    }
    of_bodies
}
