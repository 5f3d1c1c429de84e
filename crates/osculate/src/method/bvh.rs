//! Bounding volume hierarchies: traversal of the trees of two bodies, or of a body with itself,
//! where bounds overlap.
//!
//! With 16-DOPs this is the "Base" of the papers, with boxes their "AABB-only".
//!
//! Guarantee: complete. Bounds contain the surface throughout the step, and overlap tests are
//! closed.

use super::{MethodFacts, MethodOption};
use crate::Model;
use crate::body::{Body, Keep};
use crate::bounds::{BoundedTree, Reach, Volume};
use crate::engine::{Culling, Stage};
use crate::hierarchy::{build, build_quickly};
use crate::model::ModelTree;
use crate::motion::Line;
use crate::options::Method;
use crate::scene::{Scene, Sinks, finish};
use crate::threads;
use crate::walk::parallel::{self, PairWalk};
use std::sync::Arc;

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "bvh",
    line: "bounding volume hierarchies: boxes that move with the step, 16-DOPs at an instant",
    method: Method::Bvh(Volume::MovingAabb),
    own_options: &[
        MethodOption::new("aabb", "boxes of the whole step", |method| *method = Method::Bvh(Volume::Aabb))
            .compared(),
        MethodOption::new("16dop", "16-DOPs", |method| *method = Method::Bvh(Volume::Dop16)).compared(),
        MethodOption::new("18dop", "18-DOPs", |method| *method = Method::Bvh(Volume::Dop18)).compared(),
        MethodOption::new("24dop", "24-DOPs", |method| *method = Method::Bvh(Volume::Dop24)).compared(),
    ],
    has_volume: false,
    gains_from: None,
    is_baseline: false,
};

/// The bounding volume is the only option.
impl Culling for Volume {
    fn prepare(&self, stage: &mut Stage) {
        stage.place_all();
        PlainTree::prepare_models(stage, |_| true);
        let (volume, reach, step) = (stage.volume(*self), stage.reach, &*stage.parts.step);
        let refit = |body: &mut Body| {
            u64::from(PlainTree::refit(body, volume, &step.lines()[body.vertices.clone()], reach))
        };
        stage.stats.rebuilds = threads::map(&mut *stage.parts.bodies, refit).into_iter().sum();
        stage.take_near_pairs(volume, PlainTree::of);
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        let scene = Scene::new(stage.parts.bodies, stage.parts.step);
        let tree = |body: usize| PlainTree::of(&scene.bodies[body]);
        let walks: Vec<PairWalk> = stage.pairs.iter().map(|&pair| PairWalk::plain(pair, tree)).collect();
        parallel::stream(&scene, stage.volume(*self), &walks, sinks);
        finish(&scene, sinks);
    }
}

/// The hierarchy of the model with the bounds of a body. Methods with a tree of their own for some
/// bodies use this one for the others.
pub(super) struct PlainTree {
    tree: BoundedTree,
    /// Whether it is not the hierarchy of the model, but one that is quick to build.
    is_quick: bool,
}

impl PlainTree {
    /// The tree of a body, which must have been refitted.
    pub(super) fn of(body: &Body) -> &BoundedTree {
        &body.kept.get::<PlainTree>().expect("it was refitted").tree
    }

    /// Builds the hierarchies of the models of given bodies, where these are still to be built, so
    /// that bodies which share a model do not each build it.
    pub(super) fn prepare_models(stage: &Stage, is_meant: impl Fn(&Body) -> bool) {
        let has_none = |body: &Body| body.kept.get::<PlainTree>().is_none_or(|plain| plain.is_quick);
        stage.prepare_models_of(|body| has_none(body) && is_meant(body), |model| _ = model.hierarchy());
    }

    /// Refits the bounds of a body with these vertices. A hierarchy that was split geometrically is
    /// rebuilt if its bounds have become too loose; returns whether it was.
    pub(super) fn refit(body: &mut Body, volume: Volume, lines: &[Line], reach: Reach) -> bool {
        let (model, resting) = (&*body.model, body.resting());
        let of_model = || {
            let ModelTree { hierarchy, looseness } = model.derived();
            PlainTree { tree: BoundedTree::new(hierarchy.clone(), *looseness), is_quick: false }
        };
        let plain = body.kept.get_or(of_model);
        if plain.is_quick {
            *plain = of_model();
        }
        let tree = &mut plain.tree;
        if !model.build.split.is_geometric() {
            tree.refit(volume, lines, reach, resting);
            return false;
        }
        tree.refit_or_rebuild(volume, lines, reach, resting, |pose| build(model.mesh(), pose, model.build))
    }

    /// The same, for a body whose first pose may be its only one: its tree is quick to build,
    /// unless it has another.
    pub(super) fn refit_quick(body: &mut Body, volume: Volume, lines: &[Line], reach: Reach) {
        let (model, resting) = (&*body.model, body.resting());
        let plain = body.kept.get_or(|| {
            let pose: Vec<[f64; 3]> = lines.iter().map(|line| line.end(0)).collect();
            let hierarchy = build_quickly(model.mesh(), &pose, model.build.arity);
            PlainTree { tree: BoundedTree::new(Arc::new(hierarchy), f64::NAN), is_quick: true }
        });
        plain.tree.refit(volume, lines, reach, resting);
    }
}

impl Keep for PlainTree {
    fn memory_bytes(&self, model: &Model) -> usize {
        self.tree.memory_bytes(model.known::<ModelTree>().map(|tree| &tree.hierarchy))
    }
}
