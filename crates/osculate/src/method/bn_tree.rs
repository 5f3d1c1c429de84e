//! Bounded normal trees (paper 003): patches whose normals are bounded from the governors of a body
//! are proven free of self-collisions by a contour test; boxes are refitted on demand from the same
//! governors. Only vertices of contours, and of triangles that come close, are computed.
//!
//! Bodies posed by vertices are tested as by `box-tree`.
//!
//! Guarantee: complete. Without the contour test, as in the paper, a heuristic.

use super::sphere_tree::Bounded;
use super::{Input, MethodFacts, MethodOption};
use crate::engine::{Culling, Stage};
use crate::options::{BnTree, Method, Shape, SphereTree};
use crate::scene::Sinks;

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "bn-tree",
    line: "culls patches by bounds of their normals and a contour test, from the governors of bodies",
    method: Method::BnTree(BnTree::new()),
    own_options: &[
        MethodOption::new("no-contour", "no contour test, as in the paper: may miss contacts", |method| {
            change(method, |how| how.contour(false));
        }),
        MethodOption::new("parallel", "use all threads, however small the bodies", |method| {
            change(method, |how| how.always_parallel(true));
        })
        .compared(),
    ],
    has_volume: false,
    gains_from: Some(Input::Parameters),
    is_baseline: false,
};

fn change(method: &mut Method, to: impl Fn(BnTree) -> BnTree) {
    if let Method::BnTree(how) = method {
        *how = to(*how);
    }
}

impl BnTree {
    /// The tree of boxes.
    fn boxes(&self) -> SphereTree {
        SphereTree::new().shape(Shape::Box).always_parallel(self.always_parallel)
    }
}

impl Culling for BnTree {
    fn prepare(&self, stage: &mut Stage) {
        self.boxes().prepare_with(stage, Bounded::Always { contour: self.contour });
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        self.boxes().stream(stage, sinks);
    }

    fn may_begin_again(&self) -> bool {
        self.boxes().may_begin_again()
    }

    fn n_workers(&self, stage: &Stage) -> usize {
        self.boxes().n_workers(stage)
    }
}
