//! The methods and their options.

use crate::bounds::Volume;
use crate::chromatic::Size;
use crate::setters::setters;

/// How candidate pairs are found. All [complete](Guarantee::Complete) methods give the same answer.
///
/// A method has a name, followed by options after a colon: `bvh`, `bvh:16dop`,
/// `normal-cone:front,radial`. Names are parsed by [`str::parse`] and written by [`Display`]; the
/// [registry](crate::method::registry) lists all names and options.
///
/// [`Display`]: std::fmt::Display
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Method {
    /// For each body, the method that is expected to be the fastest, judged by its size, its
    /// settings and the queries so far: [`Bvh`](Method::Bvh) or [`NormalCone`](Method::NormalCone);
    /// for bodies posed by parameters and not tested against themselves,
    /// [`SphereTree`](Method::SphereTree). [`Stats::auto`](crate::Stats::auto) has the choice and
    /// the reason.
    #[default]
    Auto,
    /// All pairs of triangles: the referee.
    Brute,
    /// Bounding volume hierarchies, refitted to each step.
    Bvh(Volume),
    /// A uniform grid: bounding boxes are compared within its cells.
    SpatialHash,
    /// Normal cones with a contour test: patches that are proven free of self-collisions are
    /// culled.
    NormalCone(NormalCone),
    /// Radial view culling: pairs of triangles that face away from the same observer are culled.
    Radial(Radial),
    /// Sets of triangles of one color that are visible from each other are culled, and adjacent
    /// triangles by their neighbors.
    Chromatic(Chromatic),
    /// Bounding spheres or boxes refitted on demand from the bones of a body: vertices that no
    /// query needs are never computed.
    SphereTree(SphereTree),
    /// Patches that bounds of their normals, from the governors of a body, and a contour test prove
    /// free of self-collisions are culled; vertices that no query needs are never computed.
    BnTree(BnTree),
    /// A culling test of another paper, on hierarchies of the given bounding volume: a baseline.
    Rival(Rival, Volume),
}

/// The guarantee of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Every contact or crossing is reported.
    Complete,
    /// The earliest contact and all simultaneous ones are reported; later ones may be missed. If
    /// nothing is reported, nothing touches.
    FirstContact,
    /// A heuristic: contacts may be missed, even the earliest.
    Nothing,
}

/// How patches are proven free of self-collisions. The proofs hold for surfaces without thickness:
/// with a minimum separation, nothing is culled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NormalCone {
    /// The bounding volumes of the traversal.
    pub volume: Volume,
    /// Whether two adjacent patches are tested as one patch.
    pub pairs: bool,
    /// Whether a contour that fails the test is tested around a second kernel point.
    pub second_kernel: bool,
    /// Whether the edges of short contours that fail the test are compared in pairs.
    pub simple: bool,
    /// Whether a patch that fails the test is tested as seen from a point: for tubes, tips and
    /// other strongly curved parts.
    pub radial: bool,
    /// Whether the self-collision traversal of a body starts where the last one stopped: tests of
    /// adjacent patches that failed in the last step are skipped in most steps. The contacts found
    /// do not depend on it.
    pub front: bool,
}

impl NormalCone {
    /// The options that are fastest on most surfaces.
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

/// How pairs of triangles that face away from the same observer are culled. The argument holds for
/// surfaces without thickness: with a minimum separation, nothing is culled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Radial {
    /// The bounding volumes of the traversal.
    pub volume: Volume,
    /// Whether only the earliest contact and simultaneous ones are guaranteed, as in the paper.
    /// This skips the search for contacts that follow from the first. The paper requires a start
    /// without crossings; here crossings at the start are searched for and taken into account,
    /// unless they are known from the last step. To know them, contacts are followed in steps that
    /// begin where the last one ended.
    pub first_contact: bool,
    /// Whether patches that normal cones prove free of self-collisions are culled as well.
    pub normal_cones: bool,
}

impl Radial {
    /// All contacts, with moving boxes.
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

/// How sets of primitives without adjacent ones are culled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chromatic {
    /// The bounding volumes of the traversal.
    pub volume: Volume,
    /// Whether sets are culled against each other by visibility.
    pub sets: SetTests,
    /// The largest number of triangles of a primitive.
    pub size: Size,
    /// Whether patches that [normal cones](Method::NormalCone) prove not to touch themselves are
    /// culled first.
    pub cones: bool,
}

impl Chromatic {
    /// Triangles with moving boxes, and set tests where they are expected to pay.
    #[must_use]
    pub const fn new() -> Chromatic {
        Chromatic { volume: Volume::MovingAabb, sets: SetTests::Auto, size: Size::One, cones: false }
    }

    setters!(volume: Volume, sets: SetTests, size: Size, cones: bool);
}

/// Whether sets are culled against each other by visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetTests {
    /// If the last query had so many candidate pairs that tests of sets are expected to pay.
    Auto,
    /// In every query.
    Always,
    /// In none.
    Never,
}

impl Default for Chromatic {
    fn default() -> Self {
        Chromatic::new()
    }
}

/// Which bounding volumes are refitted on demand, and how.
///
/// For bodies posed by [vertices](crate::Pose), all bounds are refitted bottom-up whenever they
/// have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SphereTree {
    /// The bounding volume of the patches.
    pub shape: Shape,
    /// Which bounding volumes are refitted.
    pub refit: Refit,
    /// Whether patches that are proven free of self-collisions are culled: by bounded normals, as
    /// in [`BnTree`], or by normal cones, which need all vertices of the body.
    pub certificates: bool,
    /// The number of triangles of a body from which on its normals are bounded, if bounding volumes
    /// are refitted on demand, and as long as that takes few vertices.
    pub bounded_from: usize,
    /// Whether several threads are used however small the bodies are. Otherwise a query uses one
    /// thread for fewer than 20,000 triangles, where that is faster. A query with a budget always
    /// uses one.
    pub always_parallel: bool,
}

impl SphereTree {
    /// Spheres, refitted on demand, with proofs.
    #[must_use]
    pub const fn new() -> SphereTree {
        SphereTree {
            shape: Shape::Ball,
            refit: Refit::OnDemand,
            certificates: true,
            bounded_from: 65_536,
            always_parallel: false,
        }
    }

    setters!(shape: Shape, refit: Refit, certificates: bool, bounded_from: usize, always_parallel: bool);
}

impl Default for SphereTree {
    fn default() -> Self {
        SphereTree::new()
    }
}

/// How the normals of patches are used that are bounded from the governors of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BnTree {
    /// Whether the contours of patches are tested. Without it, contacts of patches that curl up in
    /// their plane are missed.
    pub contour: bool,
    /// Whether several threads are used however small the bodies are, as in [`SphereTree`].
    pub always_parallel: bool,
}

impl BnTree {
    /// With the contour test.
    #[must_use]
    pub const fn new() -> BnTree {
        BnTree { contour: true, always_parallel: false }
    }

    setters!(contour: bool, always_parallel: bool);
}

impl Default for BnTree {
    fn default() -> Self {
        BnTree::new()
    }
}

/// Bounding volumes that can be refitted from the bones alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// Spheres.
    Ball,
    /// Axis-aligned boxes.
    Box,
}

/// Which bounding volumes are refitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refit {
    /// Those that the traversal needs, each at most once per query.
    OnDemand,
    /// All, bottom-up, from the positions of all vertices: the conventional baseline.
    BottomUp,
}

/// Culling tests of other papers, for comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rival {
    /// Common directions of all normals of a patch, and of two adjacent patches, as bit masks that
    /// are computed bottom-up (Volino and Magnenat-Thalmann 1994; HSC in the paper on bounded
    /// normal trees).
    Hsc {
        /// Whether contours are tested, and directions proven for the whole step. Otherwise
        /// directions are common at both ends of the step, which is a heuristic.
        contour: bool,
    },
    /// Normal cones and star-shaped contours at an instant; for crossings only (Schvartzman and
    /// others 2010).
    Sct,
    /// Normal cones over the step, and contours whose edges are compared in pairs (Tang and others
    /// 2009).
    Cbc,
    /// Normal cones over the step; no contour test. A heuristic (Tang and others 2010).
    Mcd,
}
