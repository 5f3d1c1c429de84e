//! Shared by methods with proofs about patches: the tree of patches of a model, the data kept for a
//! body, and a traversal that culls what is proven.

use super::bvh::PlainTree;
use crate::Model;
use crate::body::{Body, Keep};
use crate::bounds::{BoundedTree, Reach, Sweep, Volume};
use crate::certificate::{self, Certificate, Cleared, Cones, Masks, Normals, Surface};
use crate::engine::Stage;
use crate::hierarchy::{Hierarchy, Patches, Split, build};
use crate::model::Derive;
use crate::motion::Line;
use crate::scene::{Scene, Sinks, finish};
use crate::threads;
use crate::walk::Front;
use crate::walk::parallel::{self, PairWalk};
use std::sync::Arc;

/// A hierarchy whose nodes are patches, connected where the mesh is, and their contours.
#[derive(Debug)]
pub(crate) struct PatchTree {
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(crate) patches: Patches,
}

impl Derive for PatchTree {
    /// The hierarchy is that of the model, if it was built from connected patches.
    fn derive(model: &Model) -> PatchTree {
        let hierarchy = if model.build.split == Split::ConnectedPatches {
            model.hierarchy().clone()
        } else {
            Arc::new(build(model.mesh(), model.rest(), Split::ConnectedPatches))
        };
        let patches = Patches::of(model.mesh(), &hierarchy);
        PatchTree { hierarchy, patches }
    }

    fn memory_bytes(&self, model: &Model) -> usize {
        let is_own = model.build.split != Split::ConnectedPatches;
        self.patches.memory_bytes() + if is_own { self.hierarchy.memory_bytes() } else { 0 }
    }
}

/// A test that proves patches free of self-collisions, or a heuristic for it.
pub(super) trait Proving: Sync {
    /// The bounding volume of the traversal.
    fn volume(&self) -> Volume;

    /// Whether proofs are skipped for some queries after they have cleared little.
    fn may_rest(&self) -> bool;

    /// Whether proofs are tried for a body to which they apply, in a step or at an instant.
    fn suits(&self, _body: &Body, _sweep: Sweep) -> bool {
        true
    }

    /// Whether no other pose of a body is known to follow, so that a tree that is quick to build is
    /// better than the hierarchy of its model.
    fn is_seen_once(&self, _body: &Body, _sweep: Sweep) -> bool {
        false
    }

    /// Whether the traversal starts from a front.
    fn keeps_front(&self) -> bool;

    /// Finds patches that do not self-collide in the step, or at its start.
    fn prove(&self, state: &mut PatchState, surface: Surface, is_instant: bool) -> certificate::Stats;

    /// The certificate of the traversal.
    fn certificate<'a>(&self, state: &'a PatchState, surface: Surface<'a>) -> Box<dyn Certificate + 'a>;
}

/// The data kept for the proofs about a body, by the nodes of its tree of patches.
pub(super) struct PatchState {
    tree: BoundedTree,
    pub(super) cleared: Cleared,
    /// The data of the tests; empty for tests that have not been used.
    pub(super) normals: Normals,
    pub(super) cones: Cones,
    pub(super) masks: Masks,
    pub(super) front: Front,
    /// Whether the current pass traverses the tree of patches.
    is_walked: bool,
    /// The number of consecutive queries whose proofs did not pay, and the number of queries for
    /// which proofs are still skipped for that reason.
    n_futile: u32,
    n_rests: u32,
}

/// Proofs pay if they clear three of five triangles, as the bounds of the tree of patches are not
/// as tight as those of the other tree.
const PAYING_SHARE: [usize; 2] = [3, 5];

/// Proofs that clear less than one of five triangles are not expected to pay soon.
const HOPELESS_SHARE: [usize; 2] = [1, 5];

/// Proofs are skipped for at most 2^4 - 1 queries in a row.
const MOST_FUTILE: u32 = 4;

impl PatchState {
    pub(super) fn new(tree: &PatchTree) -> PatchState {
        PatchState {
            tree: BoundedTree::new(tree.hierarchy.clone(), f64::NAN),
            cleared: Cleared::default(),
            normals: Normals::default(),
            cones: Cones::default(),
            masks: Masks::default(),
            front: Front::default(),
            is_walked: false,
            n_futile: 0,
            n_rests: 0,
        }
    }

    /// The data of a body, if the current pass traverses its tree of patches.
    fn walked(body: &Body) -> Option<&PatchState> {
        body.kept.get::<PatchState>().filter(|state| state.is_walked)
    }

    /// Whether the current pass traverses the tree of patches of a body.
    pub(super) fn is_walked(body: &Body) -> bool {
        PatchState::walked(body).is_some()
    }

    /// The tree that the current pass traverses.
    pub(super) fn tree_of(body: &Body) -> &BoundedTree {
        PatchState::walked(body).map_or_else(|| PlainTree::of(body), |state| &state.tree)
    }
}

impl Keep for PatchState {
    fn memory_bytes(&self, model: &Model) -> usize {
        self.tree.memory_bytes(Some(&model.derived::<PatchTree>().hierarchy))
            + self.cleared.memory_bytes()
            + self.normals.memory_bytes()
            + self.cones.memory_bytes()
            + self.masks.memory_bytes()
            + self.front.memory_bytes()
    }
}

/// The surface of a body, as a tree of patches; `lines` are its vertices.
pub(super) fn surface<'a>(model: &'a Model, lines: &'a [Line]) -> Surface<'a> {
    let PatchTree { hierarchy, patches } = model.derived();
    Surface { hierarchy, patches, lines }
}

/// Refits bounds, finds patches that do not self-collide, and selects the pairs of bodies.
pub(super) fn prepare(how: &impl Proving, stage: &mut Stage) {
    stage.place_all();
    let is_meant = |body: &Body| body.has_proofs(stage.reach) && how.suits(body, stage.reach.sweep);
    stage.prepare_models_of(is_meant, |model| _ = model.derived::<PatchTree>());
    let (volume, reach) = (stage.volume(how.volume()), stage.reach);
    PlainTree::prepare_models(stage, |body| {
        !(body.has_proofs(reach) && how.suits(body, reach.sweep) || how.is_seen_once(body, reach.sweep))
    });
    let step = &*stage.parts.step;
    let lines = |body: &Body| &step.lines()[body.vertices.clone()];
    let refit = |body: &mut Body| u64::from(refit(how, body, volume, lines(body), reach));
    stage.stats.rebuilds = threads::map(&mut *stage.parts.bodies, refit).into_iter().sum();
    let start = stage.now();
    let step = &*stage.parts.step;
    let certify = |body: &mut Body| certify(how, body, &step.lines()[body.vertices.clone()], reach);
    let of_bodies = threads::map(&mut *stage.parts.bodies, certify);
    of_bodies.into_iter().for_each(|of_body| stage.stats.certificates += of_body);
    stage.stats.times.certify += stage.since(start);
    stage.take_near_pairs(volume, PatchState::tree_of);
}

/// Refits the bounds of a body: those of the tree of patches, or of the other tree if proofs are
/// skipped. Returns whether the hierarchy was rebuilt.
fn refit(how: &impl Proving, body: &mut Body, volume: Volume, lines: &[Line], reach: Reach) -> bool {
    let has_proofs = body.has_proofs(reach) && how.suits(body, reach.sweep);
    let (resting, model) = (body.resting(), &body.model);
    if has_proofs {
        body.kept.get_or(|| PatchState::new(model.derived()));
    }
    if let Some(state) = body.kept.get_mut::<PatchState>() {
        let rests = state.n_rests != 0 && how.may_rest();
        state.n_rests -= u32::from(rests);
        state.is_walked = has_proofs && !rests;
        if state.is_walked {
            state.tree.refit(volume, lines, reach, resting);
            return false;
        }
    }
    if how.is_seen_once(body, reach.sweep) {
        PlainTree::refit_quick(body, volume, lines, reach);
        return false;
    }
    PlainTree::refit(body, volume, lines, reach)
}

/// Finds patches of a body that do not self-collide, if its tree of patches was refitted.
fn certify(how: &impl Proving, body: &mut Body, lines: &[Line], reach: Reach) -> certificate::Stats {
    let model = &body.model;
    let Some(state) = body.kept.get_mut::<PatchState>().filter(|state| state.is_walked) else {
        return certificate::Stats { bodies_skipped: 1, ..certificate::Stats::default() };
    };
    let stats = how.prove(state, surface(model, lines), reach.sweep == Sweep::Start);
    if how.may_rest() {
        let n_triangles = model.mesh().triangles().len();
        let clears = |[a, b]: [usize; 2]| a * n_triangles <= b * stats.triangles_cleared as usize;
        state.n_futile = match (clears(PAYING_SHARE), clears(HOPELESS_SHARE)) {
            (true, _) => 0,
            (false, true) => (state.n_futile + 1).min(MOST_FUTILE),
            (false, false) => MOST_FUTILE,
        };
        state.n_rests = (1 << state.n_futile) - 1;
    }
    stats
}

/// Traverses the trees, and culls what is proven.
pub(super) fn stream(how: &impl Proving, stage: &mut Stage, sinks: &Sinks) {
    let scene = Scene::new(stage.parts.bodies, stage.parts.step);
    let walks: Vec<PairWalk> = stage.pairs.iter().map(|&pair| walk(how, &scene, pair)).collect();
    parallel::stream(&scene, stage.volume(how.volume()), &walks, sinks);
    finish(&scene, sinks);
}

/// The walk of two bodies, or of a body with itself; the latter with a certificate if the current
/// pass traverses its tree of patches.
pub(super) fn walk<'a, M>(how: &impl Proving, scene: &Scene<'a>, [i, j]: [usize; 2]) -> PairWalk<'a, M> {
    let bodies = scene.bodies;
    let plain = PairWalk::plain([i, j], |body| PatchState::tree_of(&bodies[body]));
    match PatchState::walked(&bodies[i]) {
        Some(state) if i == j => PairWalk {
            certificate: Some(how.certificate(state, surface(&bodies[i].model, scene.lines(i)))),
            front: how.keeps_front().then_some(&state.front),
            ..plain
        },
        _ => plain,
    }
}
