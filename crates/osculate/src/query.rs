//! What is asked of a world.

use crate::contact::{BodyId, ContactKey};
use crate::narrow::Settings;
use std::collections::HashSet;

/// How much is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Want {
    /// Everything.
    #[default]
    All,
    /// A contact with the least `lo`: of those, the one with the least `hi`, then the first in the order of reports.
    Earliest,
    /// Whether there is any.
    Any,
    /// How many there are.
    Count,
}

/// The bounding volumes of a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Volume {
    /// Axis-aligned boxes at both ends of the step, which move with it. Tighter than boxes of the whole step wherever things move
    /// farther than they are large. At an instant nothing moves, and 16-DOPs are taken instead.
    #[default]
    MovingAabb,
    /// Axis-aligned boxes of the whole step.
    Aabb,
    /// Discrete oriented polytopes of 16 planes.
    Dop16,
    /// Discrete oriented polytopes of 18 planes.
    Dop18,
    /// Discrete oriented polytopes of 24 planes.
    Dop24,
}

/// How candidate pairs are found. Every method here is complete: it reports every contact of the step, and all give the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All pairs of triangles: the referee.
    Brute,
    /// A walk over bounding volume hierarchies, refitted to each step.
    Bvh(Volume),
    /// A uniform grid: boxes are compared within its cells.
    SpatialHash,
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
    /// Contacts of one body whose features are at most this many edges apart are left out; 0 leaves out none.
    pub exclude_rings: u32,
    /// Contacts that are known already, and left out.
    pub known: Option<&'a HashSet<ContactKey>>,
    /// Tells the time, for [`Stats::times`](crate::Stats::times); without it nothing is measured.
    pub clock: Option<Clock>,
    /// Pairs of bodies, or a body and itself, to leave out: those for which it returns `false`. Methods with a hierarchy ask only
    /// about bodies whose bounds overlap.
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
