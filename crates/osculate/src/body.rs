//! A body: an instance of a model, and what is kept for it from step to step.
//!
//! The hierarchy of a model is good at the pose that it was built at. As a body deforms, its refitted bounds become loose, and every
//! query pays for it. A body then gets a hierarchy of its own, built at its present pose, as soon as the queries since the last one was built
//! have paid about as much extra as a new one costs. So the total is never far above twice the best that is possible, whatever the
//! motion. Which answer a query gets does not depend on it.

use crate::bounds::{Reach, Sweep};
use crate::certificate::{
    self, CbcTest, Certified, ConeTest, Instants, McdTest, Proofs, SctTest, Surface, Vmt94Test,
};
use crate::demand::{Ball, Bound, BoxBound, DemandTree, Fitted, Purpose, Side, Vertices};
use crate::hierarchy::build;
use crate::math::bernstein::FILTER_RANGE;
use crate::model::{Model, PatchTree};
use crate::motion::{Line, Skinned};
use crate::query::{Method, NormalCone, Refit, Rival, Volume};
use crate::radial::{self, Sight};
use crate::stats::Skinning;
use crate::temporal::{Evidence, Temporal};
use crate::watched::Watched;
use std::ops::Range;
use std::sync::Arc;

/// What a body may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodySettings {
    /// A static body is never tested against itself or against another static body.
    pub is_static: bool,
    /// Whether the body is tested against itself.
    pub self_contact: bool,
    /// The groups that the body belongs to, a bit each.
    pub groups: u32,
    /// The groups that the body may touch, a bit each. Two bodies are tested if each may touch a group of the other.
    pub touches: u32,
}

impl Default for BodySettings {
    fn default() -> Self {
        BodySettings { is_static: false, self_contact: true, groups: 1, touches: u32::MAX }
    }
}

/// An instance of a model: its place in the vertices of the world, and what is kept from step to step.
pub(crate) struct Body {
    pub(crate) model: Arc<Model>,
    pub(crate) vertices: Range<usize>,
    pub(crate) settings: BodySettings,
    /// The bones, if the pose is given by them. Then a vertex is where it belongs only after it was asked for.
    pub(crate) skinned: Option<Skinned>,
    /// Whether the vertices end the step where they start, unless the pose is given by bones.
    pub(crate) rests: bool,
    /// A number that changes with the pose, and with where the step ends.
    pub(crate) version: u64,
    /// Where the joints are at both ends of a step, if that was said.
    pub(crate) joints: Option<[Vec<[f64; 3]>; 2]>,
    /// Of the tree that is best for bounds.
    temporal: Temporal,
    /// Of the tree of patches, once a method has asked for it.
    of_patches: Option<Temporal>,
    /// Of the tree of clusters, once a method has asked for it.
    pub(crate) watched: Option<Watched>,
    /// Of the tree whose bounds are refitted on demand, once a method has asked for it.
    fitted: FittedShapes,
    /// The tree that the present query walks.
    pub(crate) walked: Tree,
    /// How often in a row proofs were not worth while, and for how many queries they are left out for that reason.
    n_futile: u32,
    n_rests: u32,
}

/// Bounds that are refitted on demand, of each shape that has been asked for: those of the tree that is best for bounds, and those of patches.
#[derive(Default)]
pub(crate) struct FittedShapes {
    balls: [Option<Fitted<Ball>>; 2],
    boxes: [Option<Fitted<BoxBound>>; 2],
}

/// A shape whose bounds a body keeps.
pub(crate) trait KeptShape: Bound {
    fn kept(shapes: &mut FittedShapes) -> &mut [Option<Fitted<Self>>; 2];
}

impl KeptShape for Ball {
    fn kept(shapes: &mut FittedShapes) -> &mut [Option<Fitted<Ball>>; 2] {
        &mut shapes.balls
    }
}

impl KeptShape for BoxBound {
    fn kept(shapes: &mut FittedShapes) -> &mut [Option<Fitted<BoxBound>>; 2] {
        &mut shapes.boxes
    }
}

/// Proofs pay if they clear three of five triangles: the tree of patches is not as good for bounds as the other one.
const PAYING_SHARE: [usize; 2] = [3, 5];

/// Proofs are left out for at most 2^4 - 1 queries.
const MOST_FUTILE: u32 = 4;

/// The trees of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    /// The one that is best for bounds.
    Bounds,
    /// The one whose nodes are connected patches.
    Patches,
    /// The one of the clusters.
    Clusters,
}

impl Body {
    pub(crate) fn new(model: Arc<Model>, vertices: Range<usize>, settings: BodySettings) -> Body {
        let temporal = Temporal::of(&model);
        Body {
            model,
            vertices,
            settings,
            skinned: None,
            rests: true,
            version: 0,
            joints: None,
            temporal,
            of_patches: None,
            watched: None,
            fitted: FittedShapes::default(),
            walked: Tree::Bounds,
            n_futile: 0,
            n_rests: 0,
        }
    }

    /// What is kept of the tree that the present query walks.
    pub(crate) fn temporal(&self) -> &Temporal {
        match self.walked {
            Tree::Bounds => None,
            Tree::Patches => self.of_patches.as_ref(),
            Tree::Clusters => self.watched.as_ref().map(|watched| &watched.temporal),
        }
        .unwrap_or(&self.temporal)
    }

    /// Bytes of memory that are held for the body alone.
    pub(crate) fn memory_bytes(&self) -> usize {
        let of_patches =
            self.of_patches.as_ref().map_or(0, |t| t.memory_bytes(&self.model.patch_tree().hierarchy));
        let watched =
            self.watched.as_ref().map_or(0, |w| w.memory_bytes(&self.model.cluster_tree().hierarchy));
        let skinned = self.skinned.as_ref().map_or(0, Skinned::memory_bytes);
        self.temporal.memory_bytes(&self.model.hierarchy)
            + of_patches
            + watched
            + skinned
            + self.fitted.balls.iter().flatten().map(Fitted::memory_bytes).sum::<usize>()
            + self.fitted.boxes.iter().flatten().map(Fitted::memory_bytes).sum::<usize>()
    }

    /// Whether what is known of a body and itself applies: it is about surfaces without thickness, and coordinates in the range of the filters.
    pub(crate) fn has_proofs(&self, reach: Reach) -> bool {
        self.settings.self_contact
            && !self.settings.is_static
            && reach.margin == 0.0
            && reach.largest <= FILTER_RANGE
    }

    /// Refits the bounds for a method with proofs: those of the tree of patches, or of the other one if there are to be no proofs. Returns whether a hierarchy
    /// was built anew.
    ///
    /// The proofs are left out for a while if they have cleared little.
    pub(crate) fn refit_patches(
        &mut self,
        method: Method,
        volume: Volume,
        lines: &[Line],
        reach: Reach,
    ) -> bool {
        let rests = self.n_rests != 0 && matches!(method, Method::NormalCone(_));
        self.n_rests -= u32::from(rests);
        if !self.has_proofs(reach) || rests {
            return self.refit(volume, lines, reach);
        }
        let hierarchy = &self.model.patch_tree().hierarchy;
        let temporal = self.of_patches.get_or_insert_with(|| Temporal::new(hierarchy.clone(), f64::NAN));
        temporal.refit(volume, lines, reach);
        self.walked = Tree::Patches;
        false
    }

    /// Finds out which patches cannot touch themselves in the step, or at its start, if the tree of patches was refitted for it.
    pub(crate) fn certify(&mut self, method: Method, lines: &[Line], reach: Reach) -> certificate::Stats {
        if self.walked != Tree::Patches {
            return certificate::Stats { bodies_skipped: 1, ..certificate::Stats::default() };
        }
        let stats = self.test_patches(method, lines, reach);
        if !matches!(method, Method::NormalCone(_)) {
            return stats;
        }
        let n_triangles = self.model.mesh().triangles().len();
        let pays = PAYING_SHARE[0] * n_triangles <= PAYING_SHARE[1] * stats.triangles_cleared as usize;
        self.n_futile = if pays { 0 } else { (self.n_futile + 1).min(MOST_FUTILE) };
        self.n_rests = (1 << self.n_futile) - 1;
        stats
    }

    fn test_patches(&mut self, method: Method, lines: &[Line], reach: Reach) -> certificate::Stats {
        let PatchTree { hierarchy, patches } = self.model.patch_tree();
        let Some(Temporal { evidence, front, .. }) = &mut self.of_patches else {
            return certificate::Stats::default();
        };
        let Evidence { cleared, normals, cones, masks } = evidence;
        let surface = Surface { hierarchy, patches, lines };
        let is_instant = reach.sweep == Sweep::Start;
        match method {
            Method::NormalCone(NormalCone { second_kernel, simple, radial, front: keeps_front, .. }) => {
                if keeps_front {
                    front.begin(hierarchy.n_nodes());
                }
                normals.refit(hierarchy, lines, is_instant);
                cleared.refit(surface, &ConeTest { normals, second_kernel, simple, radial })
            }
            Method::Rival(Rival::Vmt94, _) => {
                masks.refit(hierarchy, lines, if is_instant { Instants::Start } else { Instants::Ends });
                cleared.refit(surface, &Vmt94Test(masks))
            }
            Method::Rival(rival, _) => {
                cones.refit(hierarchy, lines);
                match rival {
                    Rival::Sct => cleared.refit(surface, &SctTest(cones)),
                    Rival::Cbc => cleared.refit(surface, &CbcTest(cones)),
                    _ => cleared.refit(surface, &McdTest(cones)),
                }
            }
            Method::Brute
            | Method::Bvh(_)
            | Method::SpatialHash
            | Method::Radial(_)
            | Method::SphereTree(_) => certificate::Stats::default(),
        }
    }

    /// Refits the bounds, in a new hierarchy if the present one has become too loose. Returns whether it had.
    ///
    /// `lines` are the vertices of the body.
    pub(crate) fn refit(&mut self, volume: Volume, lines: &[Line], reach: Reach) -> bool {
        self.walked = Tree::Bounds;
        let looseness = self.temporal.refit(volume, lines, reach);
        if !(self.model.build.split.is_geometric() && self.temporal.is_worth_a_rebuild(looseness)) {
            return false;
        }
        let pose: Vec<[f64; 3]> = lines.iter().map(|line| line.ends()[0]).collect();
        let hierarchy = build(self.model.mesh(), &pose, self.model.build);
        self.temporal = Temporal::new(Arc::new(hierarchy), f64::NAN);
        self.temporal.looseness_as_built = self.temporal.refit(volume, lines, reach);
        true
    }

    /// Refits the bounds of the tree of clusters, or of the other one if observers do not help. Returns whether a hierarchy was built anew.
    pub(crate) fn refit_clusters(&mut self, volume: Volume, lines: &[Line], reach: Reach) -> bool {
        if !self.has_proofs(reach) {
            return self.refit(volume, lines, reach);
        }
        let model = &self.model;
        let watched = self.watched.get_or_insert_with(|| Watched::new(model.cluster_tree()));
        watched.refit(model, volume, lines, reach);
        self.walked = Tree::Clusters;
        false
    }

    /// The present query walks no tree.
    pub(crate) fn walk_nothing(&mut self) {
        self.walked = Tree::Bounds;
    }

    /// What is kept for the clusters, if the present query walks them.
    pub(crate) fn watching(&mut self) -> Option<(&mut Watched, &Model)> {
        match (self.walked, &mut self.watched) {
            (Tree::Clusters, Some(watched)) => Some((watched, &self.model)),
            _ => None,
        }
    }

    /// Finds out what the observers see in the step, if the present query walks the clusters. If it is not known which triangles are suspect at its start, that follows from the pairs
    /// of triangles that cross there.
    pub(crate) fn look(
        &mut self,
        lines: &[Line],
        crossings: impl Iterator<Item = [u32; 2]>,
    ) -> radial::Stats {
        let (Tree::Clusters, Some(watched)) = (self.walked, &mut self.watched) else {
            return radial::Stats::default();
        };
        if !watched.knows(lines) {
            watched.begin(&self.model, lines, crossings);
        }
        watched.look(&self.model, self.joints.as_ref(), lines)
    }

    /// Which pairs of the body with itself are worth a look, if the present query walks the clusters.
    pub(crate) fn sight(&self) -> Option<Sight<'_>> {
        match (self.walked, &self.watched) {
            (Tree::Clusters, Some(watched)) => Some(watched.sight(&self.model)),
            _ => None,
        }
    }

    /// Gets ready to refit bounds on demand, or refits them all if the method says so or the pose is not given by bones: those of the tree that is best for bounds, or
    /// of patches. `lines` are the vertices of the body.
    pub(crate) fn begin_fitting<B: KeptShape>(
        &mut self,
        of_patches: bool,
        refit: Refit,
        reach: Reach,
        lines: &[Line],
        stats: &mut Skinning,
    ) {
        self.walked = Tree::Bounds;
        let tree = demand_tree(&self.model, of_patches);
        let moves = self.skinned.as_ref().map_or(!self.rests, Skinned::moves);
        let skin = self.model.skin().zip(self.skinned.as_ref());
        let purpose = Purpose { version: self.version, moves, refit, reach };
        let fitted = &mut B::kept(&mut self.fitted)[usize::from(of_patches)];
        fitted.get_or_insert_with(|| Fitted::new(tree)).begin(tree, skin, lines, purpose, stats);
    }

    /// Finds out which patches cannot touch themselves, for a walk whose bounds are refitted on demand.
    pub(crate) fn prove(&mut self, lines: &[Line], reach: Reach) -> certificate::Stats {
        let hierarchy = &self.model.patch_tree().hierarchy;
        self.of_patches.get_or_insert_with(|| Temporal::new(hierarchy.clone(), f64::NAN));
        self.test_patches(Method::NormalCone(NormalCone::new()), lines, reach)
    }

    /// The body on a walk whose bounds are refitted on demand, and what was [proven](Body::prove) of it, if that is to be asked: then all vertices must be where they belong.
    pub(crate) fn on_walk<'a, B: KeptShape>(
        &'a mut self,
        lines: &'a mut [Line],
        is_proven: bool,
    ) -> (Side<'a, B>, Certified<'a, ConeTest<'a>>) {
        let tree = demand_tree(&self.model, is_proven);
        let fitted = &mut B::kept(&mut self.fitted)[usize::from(is_proven)];
        let fitted = fitted.get_or_insert_with(|| Fitted::new(tree));
        let proof = self.of_patches.as_ref().filter(|_| is_proven);
        if let Some(Temporal { evidence, .. }) = proof {
            let (lines, PatchTree { hierarchy, patches }) = (&*lines, self.model.patch_tree());
            let NormalCone { second_kernel, simple, radial, .. } = NormalCone::new();
            let test = ConeTest { normals: &evidence.normals, second_kernel, simple, radial };
            let surface = Surface { hierarchy, patches, lines };
            let proofs = Proofs { cleared: &evidence.cleared, surface, test: Some(test) };
            let side = Side { tree, fitted, vertices: Vertices::Placed(lines) };
            return (side, Certified(Some(proofs)));
        }
        let vertices = match (self.model.skin(), &mut self.skinned) {
            (Some(skin), Some(skinned)) => Vertices::OnDemand(skin, skinned, lines),
            _ => Vertices::Placed(lines),
        };
        (Side { tree, fitted, vertices }, Certified(None))
    }
}

/// The tree of a model whose bounds are refitted on demand: the one that is best for bounds, or that of patches.
fn demand_tree(model: &Model, of_patches: bool) -> &DemandTree {
    if of_patches { model.demand_patches() } else { model.demand_tree() }
}
