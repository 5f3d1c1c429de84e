//! Chromatic decomposition: triangles are divided into sets without adjacent ones, sets are culled
//! against each other by visibility, and adjacent triangles by their neighbors (paper 001).
//!
//! * Stage I: traversal of a hierarchy, as in other methods. If there are set tests, it marks the
//!   triangles that have a candidate pair.
//! * Stage II: set tests among these (`chromatic/sets.rs`, `raster/`), if they are expected to pay.
//!   What they leave is a mask of the next traversal.
//! * Stage III: feature pairs of the candidate pairs of triangles that are not adjacent, and only
//!   these: each feature pair at two triangles around it that share no vertex.
//! * Stage IV: the orphans, feature pairs around which all triangles are adjacent
//!   (`feature/apart.rs`).
//!
//! Guarantee: complete, with a minimum separation, too: a pair of triangles is culled only if these
//! two are proven apart. At an instant, where triangles themselves are compared, adjacent ones are
//! compared as well.

mod adjacent;
mod marks;
mod sets;
mod shown;
mod survivors;

use self::marks::{Marks, mark};
use self::sets::{Decomposition, Outcome, cull};
pub use self::shown::SetStage;
pub(crate) use self::shown::{forget_sets, set_stages};
use self::survivors::Left;
use super::bvh::PlainTree;
use super::patches::{self, PatchState, PatchTree};
use super::{MethodFacts, MethodOption};
use crate::Model;
use crate::body::{Body, Keep, Kept};
use crate::bounds::{BoundedTree, Sweep};
use crate::chromatic::Size;
use crate::engine::{Culling, Stage};
use crate::feature::{Apart, ApartOwner, Owner};
use crate::model::Derive;
use crate::narrow::Kind;
use crate::options::{Chromatic, Method, NormalCone, SetTests};
use crate::raster::{CpuRaster, Raster, RasterFault};
use crate::scene::{Scene, Sinks, finish, locked};
use crate::threads;
use crate::walk::parallel::{self, PairWalk};
use std::sync::Mutex;

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "chromatic",
    line: "culls sets of triangles against each other by visibility, and adjacent triangles by their neighbors",
    method: Method::Chromatic(Chromatic::new()),
    own_options: &[
        MethodOption::new("sets", "cull sets in every step", |method| {
            change(method, |how| how.sets(SetTests::Always));
        })
        .compared(),
        MethodOption::new("no-sets", "cull no sets", |method| {
            change(method, |how| how.sets(SetTests::Never))
        }),
        MethodOption::new(
            "cones",
            "first cull patches that normal cones prove not to touch themselves",
            |method| {
                change(method, |how| how.cones(true));
            },
        )
        .compared(),
        MethodOption::new("clusters-2", "sets of two triangles each", |method| {
            change(method, |how| how.size(Size::Two));
        }),
        MethodOption::new("clusters-4", "sets of four triangles each", |method| {
            change(method, |how| how.size(Size::Four));
        }),
    ],
    has_volume: true,
    gains_from: None,
    is_baseline: false,
};

fn change(method: &mut Method, to: impl Fn(Chromatic) -> Chromatic) {
    if let Method::Chromatic(how) = method {
        *how = to(*how);
    }
}

impl Culling for Chromatic {
    fn prepare(&self, stage: &mut Stage) {
        let is_instant = stage.reach.sweep == Sweep::Start;
        let is_meant = |body: &Body| body.settings.self_contact && !body.settings.is_static;
        let drops_adjacent = !is_instant || self.sets != SetTests::Never;
        if drops_adjacent {
            stage.prepare_models_of(is_meant, |model| _ = model.derived::<Apart>());
        }
        if self.cones {
            patches::prepare(&self.proofs(), stage);
        } else {
            self.volume.prepare(stage);
        }
        if drops_adjacent {
            // Bodies that share a model do not each compute its table.
            stage.prepare_models_of(is_meant, |model| adjacent::prepare_model(model, self.cones));
            threads::for_each(stage.parts.bodies.iter_mut().filter(|body| is_meant(body)), |body| {
                let tree = self.tree(body).hierarchy.clone();
                adjacent::prepare(body, &tree);
            });
        }
        let memory = stage.parts.memory.get_or(Memory::default);
        memory.outcomes.clear();
        let uses_sets = match self.sets {
            SetTests::Always => true,
            SetTests::Never => false,
            SetTests::Auto => memory.is_dense,
        };
        if uses_sets {
            stage.prepare_models_of(is_meant, |model| _ = Decomposition::of(model, self.size));
            self.cull_sets(stage);
        }
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        let bodies = &*stage.parts.bodies;
        let (is_instant, volume) = (stage.reach.sweep == Sweep::Start, stage.volume(self.volume));
        let of_bodies = apart_owners(bodies, if is_instant { &[] } else { &stage.pairs });
        let owners: Vec<([usize; 2], &dyn Owner)> = (0..)
            .zip(&of_bodies)
            .filter_map(|(i, owner)| Some(([i, i], owner.as_ref()? as &dyn Owner)))
            .collect();
        let scene = Scene { owners: &owners, ..Scene::new(bodies, stage.parts.step) };
        let memory = stage.parts.memory.get_or(Memory::default);
        let walk = |&pair: &[usize; 2]| {
            let outcome = memory.outcomes.binary_search_by_key(&pair, |known| known.0);
            let outcome = outcome.ok().map(|at| &memory.outcomes[at].1);
            self.walk(&scene, pair, &of_bodies, outcome)
        };
        let walks: Vec<PairWalk<Left>> = stage.pairs.iter().map(walk).collect();
        parallel::stream(&scene, volume, &walks, sinks);
        stream_orphans(&scene, &of_bodies, sinks);
        finish(&scene, sinks);
        let n_pairs: u64 = sinks.iter().map(|sink| locked(sink).stats().pairs).sum();
        let n_triangles: usize = bodies.iter().map(|body| body.model.mesh().triangles().len()).sum();
        if memory.outcomes.is_empty() {
            memory.is_dense = DENSE * n_triangles as u64 <= n_pairs;
        }
    }
}

/// The number of candidate pairs per triangle from which on tests of sets are expected to pay: they
/// take about a microsecond per triangle and axis, and a candidate pair some ten nanoseconds.
const DENSE: u64 = 256;

impl Chromatic {
    /// The proofs about patches, if they are wanted.
    fn proofs(&self) -> NormalCone {
        NormalCone::new().volume(self.volume)
    }

    /// The tree that a body is walked by.
    fn tree<'a>(&self, body: &'a Body) -> &'a BoundedTree {
        if self.cones { PatchState::tree_of(body) } else { PlainTree::of(body) }
    }

    /// The walk of two bodies, or of a body with itself, where tests of sets have left something.
    fn walk<'a>(
        &self,
        scene: &Scene<'a>,
        [i, j]: [usize; 2],
        owners: &[Option<ApartOwner<'a>>],
        outcome: Option<&'a Outcome>,
    ) -> PairWalk<'a, Left<'a>> {
        let survivors = outcome
            .map(|Outcome { survivors: [first, second], .. }| [first, if i == j { first } else { second }]);
        let sets =
            (i == j && outcome.is_some()).then(|| Decomposition::of(&scene.bodies[i].model, self.size));
        let table = || adjacent::of(&scene.bodies[i], &self.tree(&scene.bodies[i]).hierarchy);
        let own = owners[i].filter(|_| i == j).map(|owner| (owner, table()));
        let mask = Left { own, survivors, sets };
        let walk = match self.cones {
            true => patches::walk(&self.proofs(), scene, [i, j]),
            false => PairWalk::plain([i, j], |body| PlainTree::of(&scene.bodies[body])),
        };
        PairWalk { mask: Some(mask), ..walk }
    }

    /// Stages I and II: marks the triangles that have a candidate pair, and culls their sets.
    fn cull_sets(&self, stage: &mut Stage) {
        let mut memory = std::mem::take(stage.parts.memory.get_or(Memory::default));
        let scene = Scene::new(stage.parts.bodies, stage.parts.step);
        let n_triangles = |body: usize| scene.bodies[body].model.mesh().triangles().len();
        let marks: Vec<Marks> =
            stage.pairs.iter().map(|&pair| Marks::new(pair, pair.map(n_triangles))).collect();
        let owners = apart_owners(scene.bodies, &stage.pairs);
        let walk = |&pair: &[usize; 2]| self.walk(&scene, pair, &owners, None);
        let walks: Vec<PairWalk<Left>> = stage.pairs.iter().map(walk).collect();
        let volume = stage.volume(self.volume);
        let stats = mark(&marks, |sinks| _ = parallel::stream(&scene, volume, &walks, sinks));
        drop(walks);
        let start = stage.now();
        for of_pair in marks {
            let pair = of_pair.bodies;
            let mut own = CpuRaster;
            let raster: &mut dyn Raster = match &mut memory.raster {
                Some(given) => &mut **given.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner),
                None => &mut own,
            };
            let trees = of_pair.bodies.map(|body| &*self.tree(&scene.bodies[body]).hierarchy);
            let outcome = cull(&scene, of_pair, trees, stage.reach, self.size, raster);
            if outcome.fault.is_some() {
                memory.raster = None;
                memory.fault.clone_from(&outcome.fault);
            }
            stage.stats.sets += outcome.stats;
            memory.outcomes.push((pair, outcome));
        }
        stage.stats += stats;
        stage.stats.times.certify += stage.since(start);
        *stage.parts.memory.get_or(Memory::default) = memory;
    }
}

/// What is kept between queries, and between the stages of one.
#[derive(Default)]
struct Memory {
    /// The rasterizer that was given, if any.
    raster: Option<Mutex<Box<dyn Raster>>>,
    /// Why it gave up.
    fault: Option<RasterFault>,
    /// What set tests found out in this query, by pairs of bodies, ascending.
    outcomes: Vec<([usize; 2], Outcome)>,
    /// Whether the last query had so many candidate pairs that set tests are expected to pay.
    is_dense: bool,
}

impl Keep for Memory {}

/// Sets the rasterizer of a world.
pub(crate) fn set_raster(kept: &mut Kept, raster: Option<Box<dyn Raster>>) {
    let memory = kept.get_or(Memory::default);
    memory.raster = raster.map(Mutex::new);
    memory.fault = None;
}

/// Why the rasterizer of a world gave up.
pub(crate) fn raster_fault(kept: &Kept) -> Option<&RasterFault> {
    kept.get::<Memory>()?.fault.as_ref()
}

/// For each body that is tested with itself, its owner and mask.
fn apart_owners<'a>(bodies: &'a [Body], pairs: &[[usize; 2]]) -> Vec<Option<ApartOwner<'a>>> {
    let mut owners = vec![None; bodies.len()];
    for &[i, _] in pairs.iter().filter(|[i, j]| i == j) {
        let model = &*bodies[i].model;
        let (mesh, representatives) = (model.mesh(), model.representatives());
        owners[i] = Some(ApartOwner { apart: model.derived(), mesh, representatives });
    }
    owners
}

/// Stage IV: hands the orphans to a sink.
fn stream_orphans(scene: &Scene, owners: &[Option<ApartOwner>], sinks: &Sinks) {
    let mut sink = locked(sinks[0]);
    for (i, owner) in owners.iter().enumerate() {
        let Some(ApartOwner { apart, .. }) = owner else { continue };
        sink.begin([i, i]);
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            sink.features(scene, kind, apart.orphans.pairs(kind));
        }
    }
}

impl Derive for Apart {
    fn derive(model: &Model) -> Apart {
        Apart::new(model.mesh(), model.rest(), model.representatives())
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        self.memory_bytes()
    }
}
