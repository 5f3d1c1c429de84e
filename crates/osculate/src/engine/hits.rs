//! Hits: what workers collect of a contact, and how contacts are made of them.
//!
//! Hits are a third of the size of contacts. They are sorted, and only then get their contact
//! points, so that these are computed in lanes and written once.

use crate::body::Body;
use crate::contact::{Contact, ContactKey};
use crate::narrow::{ContactPoint, contact_point, contact_points};
use crate::{Step, threads};

/// A contact without its contact point.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub(super) key: ContactKey,
    /// The vertices of the two features, by their numbers in the world.
    pub(super) query: [u32; 4],
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Hit {
    /// The contact.
    pub(super) fn contact(&self, bodies: &[Body], step: &Step) -> Contact {
        let points = self.query.map(|v| step.point(v as usize));
        self.contact_at(bodies, contact_point(self.key.kind, &points, self.lo))
    }

    fn contact_at(&self, bodies: &[Body], at: ContactPoint) -> Contact {
        let &Hit { key, query, lo, hi } = self;
        Contact { key, vertices: vertices(bodies, key, query), lo, hi, at }
    }

    /// The key as a number: bodies, kind and features, which are below 2^31.
    fn rank(&self) -> u128 {
        let ContactKey { bodies: [a, b], kind, features: [e, f] } = self.key;
        let features = (kind as u64) << 63 | u64::from(e) << 32 | u64::from(f);
        u128::from(a.0) << 96 | u128::from(b.0) << 64 | u128::from(features)
    }
}

/// The vertices of two features, each numbered within its own mesh.
pub(super) fn vertices(bodies: &[Body], key: ContactKey, query: [u32; 4]) -> [u32; 4] {
    let start = key.bodies.map(|body| bodies[body.index()].vertices.start as u32);
    [0, 1, 2, 3].map(|k| query[k] - start[usize::from(key.kind.n_first() <= k)])
}

/// Sorts hits by their keys.
pub(super) fn sort(hits: &mut [Hit]) {
    threads::sort_by_key(hits, Hit::rank);
}

/// Number of hits whose contact points are computed together.
const CHUNK: usize = 1024;

/// Returns what `make` makes of the contacts of sorted hits, in their order.
pub(super) fn contacts<T: Send>(
    hits: &[Hit],
    bodies: &[Body],
    step: &Step,
    make: impl Fn(Contact) -> Option<T> + Sync,
) -> Vec<T> {
    if hits.is_empty() {
        return Vec::new();
    }
    let n_parts = threads::count().min(hits.len().div_ceil(CHUNK));
    let parts = hits.chunks(hits.len().div_ceil(n_parts)).enumerate();
    let mut made = threads::map(parts, |(i, part)| {
        // The first part takes the others.
        let mut made = Vec::with_capacity(if i == 0 { hits.len() } else { part.len() });
        let (mut queries, mut times) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
        for of_kind in part.chunk_by(|a, b| a.key.kind == b.key.kind) {
            for chunk in of_kind.chunks(CHUNK) {
                queries.clear();
                times.clear();
                queries.extend(chunk.iter().map(|hit| hit.query));
                times.extend(chunk.iter().map(|hit| hit.lo));
                contact_points(chunk[0].key.kind, step, &queries, &times, &mut |i, at| {
                    made.extend(make(chunk[i].contact_at(bodies, at)));
                });
            }
        }
        made
    })
    .into_iter();
    let mut all = made.next().unwrap_or_default();
    made.for_each(|mut part| all.append(&mut part));
    all
}
