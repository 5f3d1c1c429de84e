//! The methods and their options.

use crate::bounds::Volume;
use crate::setters::setters;

/// How candidate pairs are found. All methods that are [complete](Guarantee::Complete) give the
/// same answer.
///
/// A method has a name, with its options behind a colon: `bvh`, `bvh:16dop`,
/// `normal-cone:front,radial`. It is parsed by [`str::parse`] and written by [`Display`]; all names
/// and options are listed in the [registry](crate::method::registry).
///
/// [`Display`]: std::fmt::Display
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// All pairs of triangles: the referee.
    Brute,
    /// Bounding volume hierarchies, refitted to each step.
    Bvh(Volume),
    /// A uniform grid: boxes are compared within its cells.
    SpatialHash,
    /// Normal cones with a contour test: patches that are proven not to touch themselves are
    /// culled.
    NormalCone(NormalCone),
    /// Radial view culling: pairs of triangles that face away from one observer are culled.
    Radial(Radial),
    /// Bounding spheres or boxes that are refitted on demand, from the bones of a body: vertices
    /// that no query needs are never moved.
    SphereTree(SphereTree),
    /// A culling test of another paper, over hierarchies of the given volume: a baseline.
    Rival(Rival, Volume),
}

/// What a method guarantees about its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Every contact or crossing is reported.
    Complete,
    /// The earliest contact is reported, and all that happen with it; later ones may be missed. If
    /// nothing is reported, nothing touches.
    FirstContact,
    /// A heuristic: contacts may be missed, the first one among them.
    Nothing,
}

/// How patches are proven not to touch themselves. The proofs are about surfaces without thickness:
/// with a minimum separation, nothing is culled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NormalCone {
    /// The bounding volumes of the walk.
    pub volume: Volume,
    /// Whether two adjacent patches are tested as one.
    pub pairs: bool,
    /// Whether a contour that fails is tested around a second kernel point.
    pub second_kernel: bool,
    /// Whether the edges of short contours that fail are compared in pairs.
    pub simple: bool,
    /// Whether a patch that fails is tested as seen from a point: for tubes, tips and other parts
    /// that curve around.
    pub radial: bool,
    /// Whether the traversal of a body starts where its last one stopped: tests of two adjacent
    /// patches that failed in the last step are skipped in most steps. Which contacts are found
    /// does not depend on it.
    pub front: bool,
}

impl NormalCone {
    /// What is fastest on most surfaces.
    #[must_use]
    pub const fn new() -> NormalCone {
        NormalCone {
            volume: Volume::MovingAabb,
            pairs: true,
            second_kernel: true,
            simple: false,
            radial: false,
            front: false,
        }
    }

    setters!(volume: Volume, pairs: bool, second_kernel: bool, simple: bool, radial: bool, front: bool);
}

impl Default for NormalCone {
    fn default() -> Self {
        NormalCone::new()
    }
}

/// How pairs of triangles that face away from one observer are culled. The argument is about
/// surfaces without thickness: with a minimum separation, nothing is culled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Radial {
    /// The bounding volumes of the walk.
    pub volume: Volume,
    /// Whether only the earliest contact is guaranteed, and those at the same time, as in the
    /// paper. This skips the search for contacts that follow from the first. The paper requires a
    /// start without crossings; here crossings at the start are found and taken into account,
    /// unless the last step is known to have ended without any.
    pub first_contact: bool,
    /// Whether patches that normal cones prove not to touch themselves are culled as well.
    pub normal_cones: bool,
}

impl Radial {
    /// Every contact, and boxes that move.
    #[must_use]
    pub const fn new() -> Radial {
        Radial { volume: Volume::MovingAabb, first_contact: false, normal_cones: false }
    }

    setters!(volume: Volume, first_contact: bool, normal_cones: bool);
}

impl Default for Radial {
    fn default() -> Self {
        Radial::new()
    }
}

/// Which bounding volumes are refitted on demand, and how.
///
/// Bodies that are posed by [vertices](crate::Pose) have no bones; their bounds are refitted bottom
/// up whenever they have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SphereTree {
    /// What bounds the patches.
    pub shape: Shape,
    /// Which bounds are refitted.
    pub refit: Refit,
    /// Whether patches of a body that is tested against itself are culled if normal cones prove
    /// that they do not touch themselves. The proofs need all vertices.
    pub certificates: bool,
    /// Whether several threads are used however small the bodies are. Otherwise a query uses one
    /// thread for fewer than 20,000 triangles, where that is faster. A query with a budget always
    /// uses one.
    pub always_parallel: bool,
}

impl SphereTree {
    /// Balls, on demand, with proofs.
    #[must_use]
    pub const fn new() -> SphereTree {
        SphereTree { shape: Shape::Ball, refit: Refit::OnDemand, certificates: true, always_parallel: false }
    }

    setters!(shape: Shape, refit: Refit, certificates: bool, always_parallel: bool);
}

impl Default for SphereTree {
    fn default() -> Self {
        SphereTree::new()
    }
}

/// Bounding volumes that can be refitted from bones alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// Balls.
    Ball,
    /// Axis-aligned boxes.
    Box,
}

/// Which bounding volumes are refitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refit {
    /// Those that the walk asks for, each at most once for a pose.
    OnDemand,
    /// All, bottom up, around vertices that have all been moved: the conventional baseline.
    BottomUp,
}

/// Culling tests of other papers, for comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rival {
    /// Common directions of all normals of a patch, and of two adjacent ones, at the ends of the
    /// step; no test of the contour. A heuristic (Volino and Magnenat-Thalmann 1994).
    Vmt94,
    /// Normal cones and star-shaped contours at an instant: for crossings only (Schvartzman and
    /// others 2010).
    Sct,
    /// Normal cones throughout the step, and contours whose edges are compared in pairs (Tang and
    /// others 2009).
    Cbc,
    /// Normal cones throughout the step; no test of the contour. A heuristic (Tang and others
    /// 2010).
    Mcd,
}

impl Default for Method {
    fn default() -> Self {
        Method::Bvh(Volume::default())
    }
}
