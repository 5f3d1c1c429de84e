//! What a query reports.

use crate::body_id::BodyId;
use crate::narrow::{ContactPoint, Kind, Relation};
use crate::stats::Stats;

/// Which two features: enough to tell one contact from another, whatever the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContactKey {
    /// The bodies of the two features.
    pub bodies: [BodyId; 2],
    /// What the features are.
    pub kind: Kind,
    /// Vertex and triangle, or edge and edge, each numbered within its own mesh.
    pub features: [u32; 2],
}

/// A vertex and a face, or two edges, that share no vertex and touch during a step.
///
/// In a contact of two edges, that of the body added earlier comes first, and within one body the
/// one with the smaller number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contact {
    /// Which features.
    pub key: ContactKey,
    /// The vertices of the first feature, then those of the second, each numbered within its own
    /// mesh.
    pub vertices: [u32; 4],
    /// The first contact is in `[lo, hi]`, and none is before `lo`; see
    /// [`Outcome::Hit`](crate::narrow::Outcome::Hit).
    pub lo: f64,
    /// Upper end of the bracket of the first contact.
    pub hi: f64,
    /// Point, normal and weights at `lo`.
    pub at: ContactPoint,
}

/// Two triangles that intersect at an instant beyond what their shared vertices or edge force.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Crossing {
    /// The bodies of the two triangles.
    pub bodies: [BodyId; 2],
    /// The triangles, each numbered within its own mesh.
    pub triangles: [u32; 2],
    /// How they meet.
    pub relation: Relation,
    /// Where they meet, in f64; see [`intersection_segment`](crate::narrow::intersection_segment).
    pub segment: Option<[[f64; 3]; 2]>,
}

/// The answer to a query: contacts or crossings, sorted, and how they were found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report<T> {
    /// What was found, sorted by bodies and features: everything for
    /// [`Results::All`](crate::Results::All), one of the earliest for
    /// [`Results::Earliest`](crate::Results::Earliest), nothing for the others.
    pub found: Vec<T>,
    /// How many were found; for [`Results::Any`](crate::Results::Any), one if there is any.
    pub count: u64,
    /// How the work was done.
    pub stats: Stats,
}

/// The answer to a query that had a [budget](crate::Budget): what was found, and what is left to be
/// looked at.
///
/// It is never wrong: what was found is there, and if nothing is left, nothing else is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartialReport<T> {
    /// What was found so far, as for any query.
    pub report: Report<T>,
    /// Pairs of patches that may touch and were not looked at, in no particular order.
    pub left: Vec<OpenPair>,
}

impl<T> PartialReport<T> {
    /// Whether anything was found; `None` if the budget did not suffice to tell.
    #[must_use]
    pub fn answer(&self) -> Option<bool> {
        match (self.report.count, self.left.is_empty()) {
            (0, false) => None,
            (count, _) => Some(count != 0),
        }
    }
}

/// Two patches that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OpenPair {
    /// Their bodies, which may be one.
    pub bodies: [BodyId; 2],
    /// Balls around the patches at the start of the step: center and radius.
    pub balls: [([f32; 3], f32); 2],
}
