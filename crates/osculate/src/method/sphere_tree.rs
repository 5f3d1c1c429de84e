//! Sphere and box trees that are refitted on demand: only where the traversal goes, from the maps
//! of bones (paper 002, sections 4 and 5).
//!
//! With bounds refitted bottom-up from the positions of all vertices, this is the baseline of the
//! paper.
//!
//! Guarantee: complete. Bounds contain all vertices throughout the step, and overlap tests are
//! closed.

use super::bounded::BoundedState;
use super::patches::{PatchState, PatchTree, Proving as _, surface};
use super::{Input, MethodFacts, MethodOption};
use crate::body::{Body, Keep};
use crate::bounds::{Reach, Slabs, SortAndSweep, Sweep};
use crate::certificate::{Certificate, Placer, Workspace};
use crate::engine::{Culling, Stage, is_allowed, may_touch};
use crate::hierarchy::{Build, Split, build};
use crate::lazy_bounds::{
    Ball, Bound, BoxBound, Fitted, Frozen, Gathered, LazyTree, Purpose, Side, Span, SphereRadii, Vertices,
    radii,
};
use crate::model::Derive;
use crate::motion::{Deformer as _, Line};
use crate::narrow;
use crate::options::{Method, NormalCone, Refit, Shape, SphereTree};
use crate::scene::{Scene, Sinks, locked};
use crate::stats::Skinning;
use crate::threads;
use crate::walk::Task;
use crate::walk::lazy::{LazyStats, LazyWalk, Sides};
use crate::walk::on_demand::{self, Driver, LazyBodies, Limits};
use crate::walk::waves::{self, Needed, WaveBodies};
use crate::{Affine, Error, Model, Step};
use std::marker::PhantomData;

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "sphere-tree",
    line: "bounding spheres refitted on demand, from the bones of bodies that have some",
    method: Method::SphereTree(SphereTree::new()),
    own_options: OPTIONS,
    has_volume: false,
    gains_from: Some(Input::Parameters),
    is_baseline: false,
};

pub(super) const FACTS_OF_BOXES: MethodFacts = MethodFacts {
    name: "box-tree",
    line: "the same with boxes",
    method: Method::SphereTree(SphereTree::new().shape(Shape::Box)),
    ..FACTS
};

const OPTIONS: &[MethodOption] = &[
    MethodOption::new("bottom-up", "refit all bounds bottom up: the conventional baseline", |method| {
        change(method, |how| how.refit(Refit::BottomUp));
    })
    .compared(),
    MethodOption::new("no-proofs", "do not cull patches by normal cones", |method| {
        change(method, |how| how.certificates(false));
    })
    .compared(),
    MethodOption::new("parallel", "use all threads, however small the bodies", |method| {
        change(method, |how| how.always_parallel(true));
    })
    .compared(),
];

fn change(method: &mut Method, to: impl Fn(SphereTree) -> SphereTree) {
    if let Method::SphereTree(how) = method {
        *how = to(*how);
    }
}

impl Culling for SphereTree {
    fn prepare(&self, stage: &mut Stage) {
        self.prepare_with(stage, Bounded::IfItPays);
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        match self.shape {
            Shape::Ball => stream::<Ball>(stage, sinks),
            Shape::Box => stream::<BoxBound>(stage, sinks),
        }
    }

    /// It would gain nothing: bounds are refitted for the whole step.
    fn may_begin_again(&self) -> bool {
        false
    }

    /// With a budget, or for small bodies, one: waves would not pay.
    fn n_workers(&self, stage: &Stage) -> usize {
        let triangles = |body: &Body| body.model.mesh().triangles().len();
        let n_triangles: usize = stage.parts.bodies.iter().map(triangles).sum();
        let is_serial = stage.budget.is_some() || (n_triangles < PARALLEL && !self.always_parallel);
        if is_serial { 1 } else { threads::count() }
    }
}

/// Triangles of all bodies from which on the walk is parallel. Too low, and small queries pay for
/// waves; too high, and middle ones use one thread.
const PARALLEL: usize = 20_000;

/// Bounds that a worker refits at a time.
const GRAIN: usize = 64;

/// What a query leaves behind, so that the next one need not allocate it.
#[derive(Default)]
struct Memory {
    driver: on_demand::Memory,
    /// Boxes around bodies, and the search for overlapping ones.
    roots: Vec<Slabs<6>>,
    sweep: SortAndSweep,
    /// Pairs of bodies that may touch.
    near: Vec<[usize; 2]>,
    /// For each body, what its proofs need.
    proofs: Vec<Proofs>,
    stats: LazyStats,
    /// The start of the query, by its clock.
    start: u64,
}

impl Keep for Memory {}

/// When normals of patches are bounded from the governors of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounded {
    /// Always; with or without a test of contours.
    Always { contour: bool },
    /// For large bodies, as long as few vertices are placed.
    IfItPays,
}

/// What the proofs about a body and itself need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proofs {
    /// There are none.
    None,
    /// All of its vertices, for normal cones.
    Vertices,
    /// The vertices of contours, for bounded normals.
    Contours,
}

impl SphereTree {
    /// Prepares the bodies.
    pub(super) fn prepare_with(&self, stage: &mut Stage, bounded: Bounded) {
        match self.shape {
            Shape::Ball => self.prepare_shape::<Ball>(stage, bounded),
            Shape::Box => self.prepare_shape::<BoxBound>(stage, bounded),
        }
    }

    /// What proofs about a body need.
    fn proofs(&self, body: &mut Body, reach: Reach, bounded: Bounded) -> Proofs {
        if !self.certificates || !body.has_proofs(reach) {
            return Proofs::None;
        }
        let Body { model, placement, kept, .. } = body;
        let (Some(placement), Some(_), Refit::OnDemand) = (placement, model.governors(), self.refit) else {
            return Proofs::Vertices;
        };
        let pays = match bounded {
            Bounded::Always { .. } => true,
            Bounded::IfItPays => {
                self.bounded_from <= model.mesh().triangles().len()
                    && kept.get_or(BoundedState::default).is_due(placement.share_asked())
            }
        };
        if pays { Proofs::Contours } else { Proofs::Vertices }
    }

    fn prepare_shape<B: Bound>(&self, stage: &mut Stage, bounded: Bounded) {
        let mut memory = std::mem::take(stage.parts.memory.get_or(Memory::default));
        memory.stats = LazyStats::default();
        memory.start = stage.now().unwrap_or(0);
        if self.refit == Refit::BottomUp {
            stage.place_all();
        }
        let reach = stage.reach;
        for body in &mut *stage.parts.bodies {
            let lines = &stage.parts.step.lines()[body.vertices.clone()];
            begin_fitting::<B>(body, false, self.refit, reach, lines, &mut memory.stats.skinning);
        }
        near_pairs::<B>(stage, &mut memory);
        memory.proofs.clear();
        memory.proofs.resize(stage.parts.bodies.len(), Proofs::None);
        let start = stage.now();
        for &[i, j] in &memory.near {
            let body = &mut stage.parts.bodies[i];
            if i != j {
                continue;
            }
            let proofs = self.proofs(body, reach, bounded);
            if proofs == Proofs::None {
                continue;
            }
            memory.proofs[i] = proofs;
            let lines = &mut stage.parts.step.lines_mut()[body.vertices.clone()];
            let is_instant = reach.sweep == Sweep::Start;
            if proofs == Proofs::Contours {
                let Body { model, placement, kept, .. } = body;
                if let (Some(deformer), Some(placement)) = (model.deformer(), placement) {
                    let state = kept.get_or(BoundedState::default);
                    let mut placer = Placer { deformer, placement, lines, n_placed: 0 };
                    let contour = bounded != Bounded::Always { contour: false };
                    stage.stats.certificates += state.prove(model, &mut placer, is_instant, contour);
                    memory.stats.skinning.vertices += placer.n_placed;
                }
            } else {
                memory.stats.skinning.vertices += body.place_all(lines);
                let model = &body.model;
                let state = body.kept.get_or(|| PatchState::new(model.derived()));
                stage.stats.certificates += NormalCone::new().prove(state, surface(model, lines), is_instant);
            }
            let body = &mut stage.parts.bodies[i];
            let lines = &stage.parts.step.lines()[body.vertices.clone()];
            begin_fitting::<B>(body, true, self.refit, reach, lines, &mut memory.stats.skinning);
        }
        stage.stats.times.certify += stage.since(start);
        *stage.parts.memory.get_or(Memory::default) = memory;
    }
}

/// The part of the step that the query is about, and the separation.
fn span(stage: &Stage) -> Span {
    Span {
        is_instant: stage.reach.sweep == Sweep::Start,
        until: 1.0,
        margin: match narrow::reach(stage.query.narrow.min_separation) {
            0.0 => 0.0,
            reach => reach as f32 * (1.0 + 8.0 * f32::EPSILON) + f32::MIN_POSITIVE,
        },
    }
}

fn stream<B: Bound>(stage: &mut Stage, sinks: &Sinks) {
    let mut memory = std::mem::take(stage.parts.memory.get_or(Memory::default));
    memory.driver.workspace = Workspace::default();
    let (span, clock) = (span(stage), stage.query.clock);
    let Memory { driver, near, proofs, stats, start, .. } = &mut memory;
    let (bodies, step, limit) = (&mut *stage.parts.bodies, &mut *stage.parts.step, stage.limit);
    let mut bodies = Bodies::<B> { bodies, step, proofs, shape: PhantomData };
    if 1 < sinks.len() {
        stage.stats.certificates += waves::stream(&mut bodies, near, span, limit, stats, sinks);
    } else {
        let sink = &mut *locked(sinks[0]);
        let mut driver = Driver { bodies, near, span, limit, memory: driver, stats, sink };
        match stage.budget {
            None => driver.all(),
            Some(budget) => stage.left = driver.best_first(&Limits { budget, clock, start: *start }),
        }
    }
    stage.stats.bounds_tests += stats.bounds_tests;
    stage.stats.skinning += stats.skinning;
    stage.stats.certificates += memory.driver.workspace.stats;
    *stage.parts.memory.get_or(Memory::default) = memory;
}

/// Finds the pairs of bodies whose roots overlap, ascending, including bodies with themselves.
fn near_pairs<B: Bound>(stage: &mut Stage, memory: &mut Memory) {
    let span = span(stage);
    let Memory { roots, sweep, near, stats, .. } = memory;
    let half = 0.5 * span.margin * (1.0 + 2.0 * f32::EPSILON);
    roots.clear();
    for body in &mut *stage.parts.bodies {
        let lines = &mut stage.parts.step.lines_mut()[body.vertices.clone()];
        let mut side = side::<B>(body, lines);
        // Empty bounds stay empty, however large the margin.
        let slabs = side.box_around(&mut stats.skinning).map_or(Slabs::EMPTY, |mut slabs| {
            slabs.lo.iter_mut().for_each(|lo| *lo = (*lo - half).next_down());
            slabs.hi.iter_mut().for_each(|hi| *hi = (*hi + half).next_up());
            slabs
        });
        roots.push(slabs);
    }
    let of_bodies = &*stage.parts.bodies;
    stats.bounds_tests += sweep.find(roots, |i, j| may_touch(of_bodies, i, j));
    near.clear();
    let (bodies, step) = (&mut *stage.parts.bodies, &mut *stage.parts.step);
    let mut bodies = Bodies::<B> { bodies, step, proofs: &[], shape: PhantomData };
    for &pair in &sweep.pairs {
        if bodies.begin(pair, span, stats).is_some() {
            near.push(pair);
        }
    }
    let of_bodies = &*stage.parts.bodies;
    let with_self = |&i: &usize| may_touch(of_bodies, i, i) && !roots[i].is_empty();
    near.extend((0..of_bodies.len()).filter(with_self).map(|i| [i, i]));
    near.sort_unstable();
    near.retain(|&pair| is_allowed(stage.query, pair));
}

/// The bodies of a query.
struct Bodies<'a, B> {
    bodies: &'a mut [Body],
    step: &'a mut Step,
    /// For each body, what its proofs need; empty if none has any.
    proofs: &'a [Proofs],
    shape: PhantomData<B>,
}

impl<B: Bound> LazyBodies for Bodies<'_, B> {
    type Bound = B;

    fn walk<R>(
        &mut self,
        [i, j]: [usize; 2],
        span: Span,
        workspace: &mut Workspace,
        stats: &mut LazyStats,
        go: impl FnOnce(LazyWalk<Side<B>>) -> R,
    ) -> R {
        let proofs = self.proofs_of([i, j]);
        let lines = self.step.lines_mut();
        match proofs {
            Proofs::None => {}
            Proofs::Vertices => {
                let Body { model, vertices, kept, .. } = &mut self.bodies[i];
                let lines = &lines[vertices.clone()];
                let (trees, state) =
                    kept.get_two::<LazyTrees<B>, PatchState>().expect("they were made ready");
                let tree = lazy_tree(model, true);
                let side = Side { tree, fitted: trees.of(true), vertices: Vertices::Placed(lines) };
                let proofs = NormalCone::new().proofs(&state.cleared, &state.normals, surface(model, lines));
                let certificate: Option<&dyn Certificate> = Some(&proofs);
                return go(LazyWalk {
                    sides: Sides::One(side),
                    span,
                    certificate,
                    scratch: workspace,
                    stats,
                });
            }
            Proofs::Contours => {
                let Body { model, vertices, placement, kept, .. } = &mut self.bodies[i];
                let lines = &mut lines[vertices.clone()];
                let (trees, state) =
                    kept.get_two::<LazyTrees<B>, BoundedState>().expect("they were made ready");
                let tree = lazy_tree(model, true);
                let vertices = match (model.deformer(), placement) {
                    (Some(deformer), Some(placement)) => Vertices::OnDemand(deformer, placement, lines),
                    _ => Vertices::Placed(lines),
                };
                let side = Side { tree, fitted: trees.of(true), vertices };
                let proofs = state.proofs(model);
                let certificate: Option<&dyn Certificate> = Some(&proofs);
                return go(LazyWalk {
                    sides: Sides::One(side),
                    span,
                    certificate,
                    scratch: workspace,
                    stats,
                });
            }
        }
        let sides = sides(self.bodies, lines, [i, j]);
        go(LazyWalk { sides, span, certificate: None, scratch: workspace, stats })
    }

    fn begin(&mut self, pair: [usize; 2], span: Span, stats: &mut LazyStats) -> Option<(Task, [[B; 2]; 2])> {
        let sides = sides(self.bodies, self.step.lines_mut(), pair);
        let scratch = &mut Workspace::default();
        LazyWalk { sides, span, certificate: None, scratch, stats }.begin()
    }

    fn scene(&self) -> Scene<'_> {
        Scene::new(self.bodies, self.step)
    }
}

impl<B: Bound> Bodies<'_, B> {
    /// What the proofs of a pair of bodies need.
    fn proofs_of(&self, [i, j]: [usize; 2]) -> Proofs {
        if i == j { self.proofs.get(i).copied().unwrap_or(Proofs::None) } else { Proofs::None }
    }

    /// The tree that a body is walked by, and its bounds.
    fn tree(&self, body: u32, of_patches: bool) -> Frozen<'_, B> {
        let Body { model, kept, .. } = &self.bodies[body as usize];
        let LazyTrees(trees) = kept.get().expect("they were made ready");
        let fitted = trees[usize::from(of_patches)].as_ref().expect("it was made ready");
        Frozen { tree: lazy_tree(model, of_patches), fitted }
    }

    /// Computes something for each of what is needed, in parallel, and stores it.
    fn compute<T: Send>(
        &mut self,
        needed: &[Needed],
        compute: impl Fn(Frozen<B>, &Needed, &[Line], &mut Gathered) -> T + Sync,
        mut store: impl FnMut(&mut Fitted<B>, &Needed, T),
    ) {
        for of_tree in needed.chunk_by(|a, b| (a.body, a.of_patches) == (b.body, b.of_patches)) {
            let Needed { body, of_patches, .. } = of_tree[0];
            let (tree, lines) = (self.tree(body, of_patches), self.scene().lines(body as usize));
            let computed = threads::map(of_tree.chunks(GRAIN), |chunk| {
                let mut scratch = Gathered::default();
                chunk.iter().map(|needed| compute(tree, needed, lines, &mut scratch)).collect::<Vec<T>>()
            });
            let trees = self.bodies[body as usize].kept.get_mut::<LazyTrees<B>>();
            let fitted = trees.expect("they were made ready").of(of_patches);
            of_tree
                .iter()
                .zip(computed.into_iter().flatten())
                .for_each(|(needed, computed)| store(fitted, needed, computed));
        }
    }
}

impl<B: Bound> WaveBodies for Bodies<'_, B> {
    fn is_of_patches(&self, pair: [usize; 2]) -> bool {
        self.proofs_of(pair) != Proofs::None
    }

    fn frozen<R>(
        &self,
        [i, j]: [usize; 2],
        span: Span,
        workspace: &mut Workspace,
        stats: &mut LazyStats,
        go: impl FnOnce(LazyWalk<Frozen<B>>) -> R,
    ) -> R {
        let of_patches = self.is_of_patches([i, j]);
        let side = |body: usize| self.tree(body as u32, of_patches);
        let sides = if i == j { Sides::One(side(i)) } else { Sides::Two(side(i), side(j)) };
        let Body { model, kept, .. } = &self.bodies[i];
        let go = |certificate: Option<&dyn Certificate>| {
            go(LazyWalk { sides, span, certificate, scratch: workspace, stats })
        };
        match self.proofs_of([i, j]) {
            Proofs::None => go(None),
            Proofs::Vertices => {
                let state = kept.get::<PatchState>().expect("it was made ready");
                let surface = surface(model, self.scene().lines(i));
                go(Some(&NormalCone::new().proofs(&state.cleared, &state.normals, surface)))
            }
            Proofs::Contours => {
                let state = kept.get::<BoundedState>().expect("it was made ready");
                go(Some(&state.proofs(model)))
            }
        }
    }

    fn place(&mut self, body: usize, which: impl Iterator<Item = u32>, stats: &mut LazyStats) {
        let Body { model, placement, vertices, .. } = &mut self.bodies[body];
        if let (Some(deformer), Some(placement)) = (model.deformer(), placement) {
            let lines = &mut self.step.lines_mut()[vertices.clone()];
            stats.skinning.vertices += placement.place(deformer, which, lines);
        }
    }

    fn refit(&mut self, needed: &[Needed], stats: &mut LazyStats) {
        self.compute(
            needed,
            |tree, needed, _, scratch| {
                tree.fitted.computed(tree.tree, needed.node, needed.n as usize, scratch)
            },
            |fitted, needed, four| fitted.put(needed.node, needed.n as usize, four, &mut stats.skinning),
        );
    }

    fn make_boxes(&mut self, leaves: &[Needed], stats: &mut LazyStats) {
        let is_of_body = |a: &Needed, b: &Needed| (a.body, a.of_patches) == (b.body, b.of_patches);
        for of_body in leaves.chunk_by(is_of_body) {
            let model = self.bodies[of_body[0].body as usize].model.clone();
            let tree = lazy_tree(&model, of_body[0].of_patches);
            let of_leaves = of_body.iter().flat_map(|leaf| tree.vertices(leaf.node)).copied();
            self.place(of_body[0].body as usize, of_leaves, stats);
        }
        self.compute(
            leaves,
            |tree, leaf, lines, _| tree.fitted.computed_boxes(tree.tree, leaf.node, lines),
            |fitted, leaf, boxes| _ = fitted.put_boxes(leaf.node, boxes),
        );
    }
}

/// Two bodies, or one, on a walk without proofs.
fn sides<'a, B: Bound>(
    bodies: &'a mut [Body],
    lines: &'a mut [Line],
    [i, j]: [usize; 2],
) -> Sides<Side<'a, B>> {
    if i == j {
        let body = &mut bodies[i];
        let lines = &mut lines[body.vertices.clone()];
        return Sides::One(side(body, lines));
    }
    let (before, behind) = bodies.split_at_mut(j);
    let (first, second) = (&mut before[i], &mut behind[0]);
    let (lines_before, lines_behind) = lines.split_at_mut(second.vertices.start);
    let lines_of_first = &mut lines_before[first.vertices.clone()];
    let lines_of_second = &mut lines_behind[..second.vertices.len()];
    Sides::Two(side(first, lines_of_first), side(second, lines_of_second))
}

/// The bounds of a body, refitted on demand: those of the tree that is best for bounds, and those
/// of the tree of patches.
struct LazyTrees<B: Bound>([Option<Fitted<B>>; 2]);

impl<B: Bound> LazyTrees<B> {
    fn of(&mut self, of_patches: bool) -> &mut Fitted<B> {
        self.0[usize::from(of_patches)].as_mut().expect("it was made ready")
    }
}

impl<B: Bound> Keep for LazyTrees<B> {
    fn memory_bytes(&self, _: &Model) -> usize {
        self.0.iter().flatten().map(Fitted::memory_bytes).sum()
    }
}

/// Prepares a tree, the best one for bounds or that of patches, to be refitted on demand. Refits
/// all of its bounds if `refit` says so, or if the pose is not given by bones. `lines` are the
/// vertices of the body.
fn begin_fitting<B: Bound>(
    body: &mut Body,
    of_patches: bool,
    refit: Refit,
    reach: Reach,
    lines: &[Line],
    stats: &mut Skinning,
) {
    let tree = lazy_tree(&body.model, of_patches);
    let purpose = Purpose { version: body.version, moves: body.moves(), refit, reach };
    let driven = body.model.deformer().zip(body.placement.as_ref());
    let LazyTrees(fitted) = body.kept.get_or(|| LazyTrees::<B>([None, None]));
    let fitted = fitted[usize::from(of_patches)].get_or_insert_with(|| Fitted::new(tree));
    fitted.begin(tree, driven, lines, purpose, stats);
}

/// A body for a walk without proofs. Its vertices are computed on demand.
fn side<'a, B: Bound>(body: &'a mut Body, lines: &'a mut [Line]) -> Side<'a, B> {
    let Body { model, placement, kept, .. } = body;
    let vertices = match (model.deformer(), placement) {
        (Some(deformer), Some(placement)) => Vertices::OnDemand(deformer, placement, lines),
        _ => Vertices::Placed(lines),
    };
    let fitted = kept.get_mut::<LazyTrees<B>>().expect("it was made ready").of(false);
    Side { tree: lazy_tree(model, false), fitted, vertices }
}

/// A tree of a model for refitting on demand: the best one for bounds, or that of patches.
fn lazy_tree(model: &Model, of_patches: bool) -> &LazyTree {
    if of_patches { &model.derived::<PatchLazyTree>().0 } else { &model.derived::<BestLazyTree>().0 }
}

/// The tree that is best for bounds.
#[derive(Debug)]
struct BestLazyTree(LazyTree);

impl Derive for BestLazyTree {
    fn derive(model: &Model) -> BestLazyTree {
        // Binary: nodes nearly as large as their parent are removed afterwards.
        let how = Build { split: Split::SurfaceArea, arity: 2 };
        let rest = model.governed_rest();
        BestLazyTree(LazyTree::new(model.mesh(), &build(model.mesh(), rest, how), rest, model.governors()))
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        self.0.memory_bytes()
    }
}

/// The tree with the nodes of the hierarchy of patches, which proofs are about.
#[derive(Debug)]
struct PatchLazyTree(LazyTree);

impl Derive for PatchLazyTree {
    fn derive(model: &Model) -> PatchLazyTree {
        let hierarchy = &model.derived::<PatchTree>().hierarchy;
        PatchLazyTree(LazyTree::new(model.mesh(), hierarchy, model.governed_rest(), model.governors()))
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        self.0.memory_bytes()
    }
}

impl Model {
    /// Returns the mean radii of the spheres of [`Method::SphereTree`](crate::Method::SphereTree)
    /// at a pose, level by level from the root; empty without triangles.
    ///
    /// Fails if there is no skin, or if the pose does not fit it.
    pub fn sphere_radii(&self, bones: &[Affine]) -> Result<Vec<SphereRadii>, Error> {
        let skin = self.skin().ok_or(Error::ModelWithoutSkin)?;
        skin.check(bones.as_flattened().as_flattened())?;
        Ok(radii(lazy_tree(self, false), self.mesh(), skin, bones))
    }
}
