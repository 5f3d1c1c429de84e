//! What is asked of a world.

use crate::body_id::BodyId;
use crate::bounds::Volume;
use crate::contact::ContactKey;
use crate::narrow::Settings;
use std::collections::HashSet;

/// How much is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Want {
    /// Everything.
    #[default]
    All,
    /// A contact with the least `lo`: of those, the one with the least `hi`, then the first in the
    /// order of reports.
    Earliest,
    /// Whether there is any.
    Any,
    /// How many there are.
    Count,
}

/// How candidate pairs are found. All methods that are [complete](Guarantee::Complete) give the
/// same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All pairs of triangles: the referee.
    Brute,
    /// A walk over bounding volume hierarchies, refitted to each step.
    Bvh(Volume),
    /// A uniform grid: boxes are compared within its cells.
    SpatialHash,
    /// A walk that leaves out patches which are proven not to touch themselves: normal cones with a
    /// contour test.
    NormalCone(NormalCone),
    /// A walk that leaves out pairs of triangles which face away from one observer: radial view
    /// culling.
    Radial(Radial),
    /// A walk over a tree of bounds that are refitted where it goes, from the bones of a body:
    /// vertices that nobody asks for are never moved.
    SphereTree(SphereTree),
    /// A walk over such volumes that leaves out patches by one of the tests that were known before;
    /// to compare with.
    Rival(Rival, Volume),
}

/// What is known of the answers of a method.
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

/// How patches are proven not to touch themselves. The proofs speak of surfaces without thickness:
/// with a minimum separation, nothing is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Whether a walk starts where the last one of the same body stopped: proofs for two adjacent
    /// patches that were in vain in the last step are left out in most steps. Which contacts are
    /// found does not depend on it.
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
}

impl Default for NormalCone {
    fn default() -> Self {
        NormalCone::new()
    }
}

/// How pairs of triangles that face away from one observer are left out. This too speaks of
/// surfaces without thickness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Radial {
    /// The bounding volumes of the walk.
    pub volume: Volume,
    /// Whether only the earliest contact is guaranteed, and those at the same time: what the
    /// paper's method is for. It does without the search for later contacts in the wake of the
    /// first. The paper asks for a start that is free of crossings; here those at the start are
    /// looked for and taken into account, unless it is known from the step before that there are
    /// none.
    pub first_contact: bool,
}

impl Radial {
    /// Every contact, and boxes that move.
    #[must_use]
    pub const fn new() -> Radial {
        Radial { volume: Volume::MovingAabb, first_contact: false }
    }
}

impl Default for Radial {
    fn default() -> Self {
        Radial::new()
    }
}

/// The bounds of a tree that is refitted on demand, and how.
///
/// Bodies that are posed by [vertices](crate::Pose) have no bones; theirs are refitted from the
/// leaves up whenever they have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SphereTree {
    /// What bounds the patches.
    pub shape: Shape,
    /// Which bounds are refitted.
    pub refit: Refit,
    /// Whether patches of a body that is tested against itself are left out if they are proven not
    /// to touch themselves. The proofs take all vertices.
    pub certificates: bool,
}

impl SphereTree {
    /// Balls, on demand, with proofs.
    #[must_use]
    pub const fn new() -> SphereTree {
        SphereTree { shape: Shape::Ball, refit: Refit::OnDemand, certificates: true }
    }
}

impl Default for SphereTree {
    fn default() -> Self {
        SphereTree::new()
    }
}

/// Bounds that can be refitted from bones alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Balls.
    Ball,
    /// Axis-aligned boxes.
    Box,
}

/// Which bounds are refitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refit {
    /// Those that the walk asks for, each at most once for a pose.
    OnDemand,
    /// All, from the leaves up, around vertices that have all been moved: what was done before.
    BottomUp,
}

/// What a query may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many bounds are refitted, and a few more.
    Refits(u64),
    /// So many nanoseconds, by the [clock](Query::clock) of the query; it is looked at every few
    /// microseconds.
    Nanoseconds(u64),
}

/// Tests for patches that were known before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Returns nanoseconds since some moment that stays the same. The library has no clock of its own.
pub type Clock = fn() -> u64;

/// Decides which bodies may touch which.
pub type BodyFilter<'a> = &'a (dyn Fn(BodyId, BodyId) -> bool + Sync);

/// A query: what is wanted, how it is found, and what does not count.
#[derive(Clone, Copy, Default)]
pub struct Query<'a> {
    /// How much is wanted.
    pub want: Want,
    /// How candidates are found.
    pub method: Method,
    /// Width of the time bracket, and minimum separation.
    pub narrow: Settings,
    /// Contacts of one body whose features are at most this many edges apart are left out; 0 leaves
    /// out none.
    pub exclude_rings: u32,
    /// Contacts that are known already, and left out.
    pub known: Option<&'a HashSet<ContactKey>>,
    /// Tells the time, for [`Stats::times`](crate::Stats::times); without it nothing is measured.
    pub clock: Option<Clock>,
    /// Pairs of bodies, or a body and itself, to leave out: those for which it returns `false`.
    /// Methods with a hierarchy ask only about bodies whose bounds overlap.
    pub filter: Option<BodyFilter<'a>>,
}

impl Query<'_> {
    /// Asks for everything.
    #[must_use]
    pub fn all() -> Self {
        Query::default()
    }

    /// Asks for the earliest contact.
    #[must_use]
    pub fn earliest() -> Self {
        Query { want: Want::Earliest, ..Query::default() }
    }

    /// Asks whether there is anything.
    #[must_use]
    pub fn any() -> Self {
        Query { want: Want::Any, ..Query::default() }
    }

    /// Asks how many there are.
    #[must_use]
    pub fn count() -> Self {
        Query { want: Want::Count, ..Query::default() }
    }
}
