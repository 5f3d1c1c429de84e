//! Results of queries.

use crate::body_id::BodyId;
use crate::narrow::{ContactPoint, Kind, Relation};
use crate::stats::Stats;

/// Identifies a contact by its two features, independently of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContactKey {
    /// The bodies of the two features.
    pub bodies: [BodyId; 2],
    /// The kind of the features.
    pub kind: Kind,
    /// Vertex and triangle, or edge and edge, each numbered within its own mesh.
    pub features: [u32; 2],
}

/// A vertex and a face, or two edges, that share no vertex and touch during a step.
///
/// In an edge-edge contact, the edge of the body added earlier comes first; within one body, the
/// edge with the smaller number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contact {
    /// The features in contact.
    pub key: ContactKey,
    /// The vertices of the first feature, then those of the second, each numbered within its own
    /// mesh.
    pub vertices: [u32; 4],
    /// The first contact is in `[lo, hi]`, and none is before `lo`; see
    /// [`Outcome::Hit`](crate::narrow::Outcome::Hit).
    pub lo: f64,
    /// Upper end of the bracket of the first contact.
    pub hi: f64,
    /// Contact point, normal, weights and distance at `lo`.
    pub at: ContactPoint,
}

/// A vertex and a face, or two edges, that share no vertex and are close at an instant; ordered as
/// in a [`Contact`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Proximity {
    /// The features.
    pub key: ContactKey,
    /// The vertices of the first feature, then those of the second, each numbered within its own
    /// mesh.
    pub vertices: [u32; 4],
    /// Their distance and closest points.
    pub at: ContactPoint,
}

impl From<&Contact> for Proximity {
    fn from(contact: &Contact) -> Proximity {
        Proximity { key: contact.key, vertices: contact.vertices, at: contact.at }
    }
}

/// Two triangles that intersect at an instant beyond their shared vertices or edge.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Crossing {
    /// The bodies of the two triangles.
    pub bodies: [BodyId; 2],
    /// The triangles, each numbered within its own mesh.
    pub triangles: [u32; 2],
    /// The kind of intersection.
    pub relation: Relation,
    /// The intersection segment in f64; see
    /// [`intersection_segment`](crate::narrow::intersection_segment).
    pub segment: Option<[[f64; 3]; 2]>,
}

/// The answer to a query: contacts or crossings, sorted, with statistics.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report<T> {
    /// The results, sorted by bodies and features: all for [`Results::All`](crate::Results::All),
    /// one of the earliest contacts for [`Results::Earliest`](crate::Results::Earliest), empty for
    /// the others.
    pub found: Vec<T>,
    /// Number of results; for [`Results::Any`](crate::Results::Any), one if there is any.
    pub count: u64,
    /// Counts and times of the query.
    pub stats: Stats,
}

/// The answer to a query with a [budget](crate::Budget): the results so far, and the remaining
/// pairs of patches.
///
/// It is never wrong: every reported result is correct, and if no pair remains, the results are
/// complete.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartialReport<T> {
    /// The results so far, as for any query.
    pub report: Report<T>,
    /// Pairs of patches that may touch and were not tested, in no particular order.
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
    /// Bounding balls of the patches at the start of the step: center and radius.
    pub balls: [([f32; 3], f32); 2],
}
