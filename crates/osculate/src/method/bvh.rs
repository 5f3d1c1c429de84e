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
use crate::hierarchy::build;
use crate::motion::Line;
use crate::options::Method;
use crate::scene::{Scene, Sinks, finish};
use crate::threads;
use crate::walk::parallel::{self, PairWalk};

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
pub(super) struct PlainTree(BoundedTree);

impl PlainTree {
    /// The tree of a body, which must have been refitted.
    pub(super) fn of(body: &Body) -> &BoundedTree {
        &body.kept.get::<PlainTree>().expect("it was refitted").0
    }

    /// Refits the bounds of a body with these vertices. A hierarchy that was split geometrically is
    /// rebuilt if its bounds have become too loose; returns whether it was.
    pub(super) fn refit(body: &mut Body, volume: Volume, lines: &[Line], reach: Reach) -> bool {
        let (model, resting) = (&*body.model, body.resting());
        let PlainTree(tree) =
            body.kept.get_or(|| PlainTree(BoundedTree::new(model.hierarchy.clone(), model.looseness)));
        if !model.build.split.is_geometric() {
            tree.refit(volume, lines, reach, resting);
            return false;
        }
        tree.refit_or_rebuild(volume, lines, reach, resting, |pose| build(model.mesh(), pose, model.build))
    }
}

impl Keep for PlainTree {
    fn memory_bytes(&self, model: &Model) -> usize {
        self.0.memory_bytes(&model.hierarchy)
    }
}
