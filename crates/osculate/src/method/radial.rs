//! Radial view culling: traverses the clusters of bodies, and culls pairs of triangles that face
//! away from the same observer throughout the step (paper 000, section 5).
//!
//! Guarantee: complete, by further rounds around the contacts found; with `first_contact`, which
//! skips most of these, the earliest contact and simultaneous ones. The argument holds for surfaces
//! without thickness: with a minimum separation, and for crossings at an instant, only bounds cull.

use super::bvh::PlainTree;
use super::patches::PatchTree;
use super::{Input, MethodFacts, MethodOption};
use crate::body::{Body, Keep};
use crate::body_id::BodyId;
use crate::bounds::{BoundedTree, Reach, Sweep, Volume};
use crate::certificate::Certificate;
use crate::contact::Crossing;
use crate::engine::{self, Culling, Goal, Met, Stage};
use crate::feature::Owner;
use crate::model::Derive;
use crate::motion::Line;
use crate::narrow::Kind;
use crate::options::{Method, NormalCone, Radial};
use crate::query::{Query, Results};
use crate::radial::{self, ClusterTree, Clusters, Joints, RadialState, Sight, Touch, grow};
use crate::scene::{Scene, Sinks, finish, locked};
use crate::stats::Stats;
use crate::threads;
use crate::walk::parallel::{self, PairWalk};
use crate::{Error, Model};
use std::collections::HashMap;

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "radial",
    line: "culls pairs of triangles that face away from a point inside the body",
    method: Method::Radial(Radial::new()),
    own_options: &[
        MethodOption::new("first", "guarantee the earliest contact only", |method| {
            change(method, |how| how.first_contact(true));
        })
        .compared(),
        MethodOption::new("cones", "cull patches by normal cones, too", |method| {
            change(method, |how| how.normal_cones(true));
        })
        .compared(),
    ],
    has_volume: true,
    gains_from: Some(Input::Clusters),
    is_baseline: false,
};

fn change(method: &mut Method, to: impl Fn(Radial) -> Radial) {
    if let Method::Radial(how) = method {
        *how = to(*how);
    }
}

impl Culling for Radial {
    fn prepare(&self, stage: &mut Stage) {
        if stage.reach.sweep == Sweep::Start {
            return Volume::Dop16.prepare(stage);
        }
        stage.place_all();
        stage.prepare_models(|model| _ = model.derived::<ClusterTree>());
        let start = stage.now();
        let crossings = crossings_at_start(stage);
        stage.stats.times.certify += stage.since(start);
        if stage.query.is_stopped() {
            // Some crossings may be missing: no state learns of the step, and nothing is walked.
            let states = stage.parts.bodies.iter_mut().filter_map(|body| body.kept.get_mut::<RadialState>());
            states.for_each(|state| state.is_walked = false);
            return;
        }
        let reach = stage.reach;
        PlainTree::prepare_models(stage, |body| !body.has_proofs(reach));
        let step = &*stage.parts.step;
        let lines = |body: &Body| &step.lines()[body.vertices.clone()];
        let refit = |body: &mut Body| u64::from(refit(body, self.volume, lines(body), reach));
        stage.stats.rebuilds = threads::map(&mut *stage.parts.bodies, refit).into_iter().sum();
        let start = stage.now();
        let step = &*stage.parts.step;
        let look = |(i, body): (usize, &mut Body)| {
            let of_body = crossings.iter().filter(|crossing| crossing.bodies[0].index() == i);
            let lines = &step.lines()[body.vertices.clone()];
            look(body, lines, of_body.map(|crossing| crossing.triangles))
        };
        let of_bodies = threads::map(stage.parts.bodies.iter_mut().enumerate(), look);
        of_bodies.into_iter().for_each(|of_body| stage.stats.radial += of_body);
        stage.stats.times.certify += stage.since(start);
        stage.take_near_pairs(self.volume, tree_of);
        for (i, body) in stage.parts.bodies.iter_mut().enumerate() {
            // Self-collisions of the body are not searched for, so the state at the end will be
            // unknown.
            if stage.pairs.binary_search(&[i, i]).is_err()
                && let Some((state, ..)) = walked_state(body)
            {
                state.forget();
            }
        }
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        self.stream_with(stage, sinks, |_, _| None);
    }

    fn learns_from_contacts(&self) -> bool {
        true
    }

    /// Makes the triangles around new contacts uncertain, to search for contacts that follow from
    /// them.
    fn looks_again(&self, stage: &mut Stage, met: &[Met], n_known: usize) -> bool {
        // For `first_contact`, only contacts that may be simultaneous with the earliest; but all of
        // bodies whose state at the end is likely to be needed.
        let first = met.iter().fold(1.0, |least, met| met.2.min(least));
        let of_bodies = touches(met[n_known..].iter());
        let of_first = match self.first_contact {
            true => touches(met[n_known..].iter().filter(|met| met.1 <= first)),
            false => HashMap::new(),
        };
        let widen = |(i, body): (usize, &mut Body)| {
            let (state, model, tree) = walked_state(body)?;
            let wanted = if self.first_contact && !state.is_followed() { &of_first } else { &of_bodies };
            state.widen(model.mesh(), tree, wanted.get(&(i as u32))?).then_some([i, i])
        };
        stage.pairs = stage.parts.bodies.iter_mut().enumerate().filter_map(widen).collect();
        stage.stats.radial.rounds += u64::from(!stage.pairs.is_empty());
        !stage.pairs.is_empty()
    }

    /// Updates the state of each body from the start of the step to its end, if all contacts are
    /// known.
    fn finish(&self, stage: &mut Stage, met: Option<&[Met]>) {
        let of_bodies = met.map(|met| touches(met.iter()));
        let step = &*stage.parts.step;
        threads::for_each(stage.parts.bodies.iter_mut().enumerate(), |(i, body)| {
            let lines = &step.lines()[body.vertices.clone()];
            if let Some((state, model, tree)) = walked_state(body) {
                let of_body = of_bodies.as_ref().and_then(|all| all.get(&(i as u32)));
                let contacts = of_body.map_or(&[][..], Vec::as_slice);
                // With `first_contact`, later contacts are searched for only where others follow.
                let is_whole = !self.first_contact || contacts.is_empty() || state.is_followed();
                let are_all = of_bodies.is_some() && is_whole;
                state.advance(model.mesh(), tree, lines, contacts, are_all);
            }
        });
    }
}

impl Radial {
    /// Traverses the clusters of bodies, and culls by their observers and a certificate.
    pub(super) fn stream_with(
        &self,
        stage: &mut Stage,
        sinks: &Sinks,
        certificate: impl for<'a> Fn(&'a Body, &'a [Line]) -> Option<Box<dyn Certificate + 'a>>,
    ) {
        if stage.reach.sweep == Sweep::Start {
            return Volume::Dop16.stream(stage, sinks);
        }
        let bodies = &*stage.parts.bodies;
        let sights: Vec<Option<Sight>> = bodies.iter().map(sight).collect();
        let mut owners: Vec<([usize; 2], &dyn Owner)> = Vec::new();
        for (i, sight) in sights.iter().enumerate() {
            owners.extend(sight.as_ref().map(|sight| ([i, i], &sight.live as &dyn Owner)));
        }
        let scene = Scene { owners: &owners, ..Scene::new(bodies, stage.parts.step) };
        let walk = |&[i, j]: &[usize; 2]| PairWalk {
            mask: sights[i].filter(|_| i == j),
            certificate: if i == j { certificate(&bodies[i], scene.lines(i)) } else { None },
            ..PairWalk::plain([i, j], |body| tree_of(&bodies[body]))
        };
        let walks: Vec<PairWalk<Sight>> = stage.pairs.iter().map(walk).collect();
        let inner_tests = parallel::stream(&scene, self.volume, &walks, sinks);
        stage.stats.radial.inner_tests += inner_tests.into_iter().sum::<u64>();
        let mut sink = locked(sinks[0]);
        for &[i, j] in stage.pairs.iter().filter(|[i, j]| i == j) {
            if sights[i].is_some_and(|sight| sight.is_first()) {
                sink.begin([i, j]);
                let orphans = &bodies[i].model.derived::<ClusterTree>().orphans;
                for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                    sink.stats().radial.orphans += orphans.pairs(kind).len() as u64;
                    sink.features(&scene, kind, orphans.pairs(kind));
                }
            }
        }
        drop(sink);
        finish(&scene, sinks);
    }
}

/// The crossings, at the start of the step, of those bodies with themselves whose state there is
/// not known from the last step.
fn crossings_at_start(stage: &mut Stage) -> Vec<Crossing> {
    let step = &*stage.parts.step;
    let is_new = |body: &Body| {
        let lines = &step.lines()[body.vertices.clone()];
        body.has_proofs(stage.reach)
            && !body.kept.get::<RadialState>().is_some_and(|state| state.knows(lines))
    };
    let is_new: Vec<bool> = stage.parts.bodies.iter().map(is_new).collect();
    let n_new = is_new.iter().filter(|&&is_new| is_new).count();
    stage.stats.radial.fresh_starts += n_new as u64;
    if n_new == 0 {
        return Vec::new();
    }
    let filter = |a: BodyId, b: BodyId| a == b && is_new[a.index()];
    let query = Query { filter: Some(&filter), stop: stage.query.stop, ..Query::all() };
    let goal = Goal::Report(Results::All);
    let report = engine::crossings(stage.parts.reborrow(), &query, &NormalCone::new(), goal, None).report;
    // The work of this search is part of the statistics of the query; its results are not.
    stage.stats += Stats { found: 0, ..report.stats };
    report.found
}

/// Refits the bounds of the tree of clusters, or of the other tree if the argument does not apply.
/// Returns whether the hierarchy was rebuilt.
fn refit(body: &mut Body, volume: Volume, lines: &[Line], reach: Reach) -> bool {
    let (has_proofs, model) = (body.has_proofs(reach), &body.model);
    if has_proofs {
        let tree = model.derived();
        let state = body.kept.get_or(|| RadialState::new(tree));
        state.is_walked = true;
        state.refit(tree, volume, lines, reach);
        return false;
    }
    if let Some(state) = body.kept.get_mut::<RadialState>() {
        state.is_walked = false;
    }
    PlainTree::refit(body, volume, lines, reach)
}

/// The state of a body, its model and its clusters, if the current pass traverses the clusters.
pub(super) fn walked_state(body: &mut Body) -> Option<(&mut RadialState, &Model, &ClusterTree)> {
    let state = body.kept.get_mut::<RadialState>().filter(|state| state.is_walked)?;
    Some((state, &body.model, body.model.derived()))
}

/// Classifies the triangles of a body as seen by its observers, if the current pass traverses its
/// clusters.
fn look(body: &mut Body, lines: &[Line], crossings: impl Iterator<Item = [u32; 2]>) -> radial::Stats {
    let Body { model, kept, .. } = body;
    kept.get_or(GivenJoints::default);
    match kept.get_two::<RadialState, GivenJoints>() {
        Some((state, GivenJoints(joints))) if state.is_walked => {
            state.look(model.mesh(), model.derived(), joints, lines, crossings)
        }
        _ => radial::Stats::default(),
    }
}

/// The mask and owner of a body with itself, if the current pass traverses its clusters.
fn sight(body: &Body) -> Option<Sight<'_>> {
    let state = body.kept.get::<RadialState>().filter(|state| state.is_walked)?;
    let model = &*body.model;
    Some(state.sight(model.mesh(), model.representatives(), model.derived()))
}

/// The tree that the current pass traverses.
fn tree_of(body: &Body) -> &BoundedTree {
    let state = body.kept.get::<RadialState>().filter(|state| state.is_walked);
    state.map_or_else(|| PlainTree::of(body), |state| &state.bounded)
}

/// The contacts of each body with itself.
fn touches<'a>(met: impl Iterator<Item = &'a Met>) -> HashMap<u32, Vec<Touch>> {
    let mut of_bodies: HashMap<u32, Vec<Touch>> = HashMap::new();
    for (key, ..) in met {
        of_bodies.entry(key.bodies[0].0).or_default().push((key.kind, key.features));
    }
    of_bodies
}

impl Keep for RadialState {
    fn memory_bytes(&self, model: &Model) -> usize {
        self.memory_bytes(model.derived::<ClusterTree>())
    }
}

/// The positions of the joints of a body, if they were given.
#[derive(Default)]
pub(crate) struct GivenJoints(pub(crate) Joints);

impl Keep for GivenJoints {}

impl Derive for ClusterTree {
    fn derive(model: &Model) -> ClusterTree {
        ClusterTree::new(model.mesh(), model.rest(), model.representatives(), model.clusters())
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        self.memory_bytes()
    }
}

/// Clusters grown along the surface.
#[derive(Debug)]
struct Grown(Clusters);

impl Derive for Grown {
    fn derive(model: &Model) -> Grown {
        Grown(grow(model.mesh(), model.rest(), &model.derived::<PatchTree>().hierarchy))
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        self.0.memory_bytes()
    }
}

impl Model {
    /// Returns the model with clusters and their observers. Fails if they have a different number
    /// of triangles.
    pub fn with_clusters(self, clusters: Clusters) -> Result<Model, Error> {
        let (of_clusters, triangles) = (clusters.of_triangles().len(), self.mesh().triangles().len());
        if of_clusters != triangles {
            return Err(Error::OtherClusters { clusters: of_clusters, triangles });
        }
        Ok(self.with_given_clusters(clusters))
    }

    /// The clusters: those given, or else clusters grown along the surface at the first call.
    #[must_use]
    pub fn clusters(&self) -> &Clusters {
        self.given_clusters().unwrap_or_else(|| &self.derived::<Grown>().0)
    }
}
