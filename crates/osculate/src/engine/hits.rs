//! Hits: what workers collect of a contact, and how contacts are made of them.
//!
//! Hits are less than half the size of contacts. Only their order is computed; then contact points
//! are computed in that order, in lanes, and written once.

use crate::body::Body;
use crate::contact::{Contact, ContactKey};
use crate::narrow::{ContactPoint, Kind, contact_point, contact_points};
use crate::{Step, radix, threads};

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
        self.contact_at(
            vertices(bodies, self.key, self.query),
            contact_point(self.key.kind, &points, self.lo),
        )
    }

    /// The contact, with these vertices and this contact point.
    #[inline(always)]
    pub(super) fn contact_at(&self, vertices: [u32; 4], at: ContactPoint) -> Contact {
        let &Hit { key, lo, hi, .. } = self;
        Contact { key, vertices, lo, hi, at }
    }

    /// The key as a number: bodies, kind and features, which are below 2^31.
    fn rank(&self) -> u128 {
        let ContactKey { bodies: [a, b], kind, features: [e, f] } = self.key;
        let features = (kind as u64) << 63 | u64::from(e) << 32 | u64::from(f);
        u128::from(a.0) << 96 | u128::from(b.0) << 64 | u128::from(features)
    }
}

/// The vertices of two features, each numbered within its own mesh.
#[inline]
pub(super) fn vertices(bodies: &[Body], key: ContactKey, [a, b, c, d]: [u32; 4]) -> [u32; 4] {
    let [first, second] = key.bodies.map(|body| bodies[body.index()].vertices.start as u32);
    match key.kind {
        Kind::VertexFace => [a - first, b - second, c - second, d - second],
        Kind::EdgeEdge => [a - first, b - first, c - second, d - second],
    }
}

/// Returns the indices of the hits in the order of their keys.
pub(super) fn order(hits: &[Hit]) -> Vec<u32> {
    let key = |&Hit { key: ContactKey { bodies: [a, b], kind, features: [e, f] }, .. }: &Hit| {
        [a.0, b.0, kind as u32, e, f]
    };
    radix::order(hits, key).unwrap_or_else(|| {
        let n = u32::try_from(hits.len()).expect("fewer than 2^32 hits");
        let mut order: Vec<u32> = (0..n).collect();
        threads::sort_by_key(&mut order, |&i| hits[i as usize].rank());
        order
    })
}

/// Number of hits whose contact points are computed together, few enough to stay in the L1 cache.
const CHUNK: usize = 256;

/// Returns what `make` makes of hits, their vertices as in [`vertices`] and their contact points,
/// in the given order. If they are `at_rest`, nothing moves.
pub(super) fn contacts<T: Send>(
    hits: &[Hit],
    order: &[u32],
    bodies: &[Body],
    step: &Step,
    at_rest: bool,
    make: impl Fn(&Hit, [u32; 4], ContactPoint) -> Option<T> + Sync,
) -> Vec<T> {
    if order.is_empty() {
        return Vec::new();
    }
    let n_parts = threads::count().min(order.len().div_ceil(CHUNK));
    let parts = order.chunks(order.len().div_ceil(n_parts)).enumerate();
    let mut made = threads::map(parts, |(i, part)| {
        // The first part takes the others.
        let mut made = Vec::with_capacity(if i == 0 { order.len() } else { part.len() });
        let (mut queries, mut times) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
        let mut near: Vec<Hit> = Vec::with_capacity(CHUNK);
        for chunk in part.chunks(CHUNK) {
            // Copied first, so that the processor waits for many of them at once.
            near.clear();
            near.extend(chunk.iter().map(|&i| hits[i as usize]));
            for of_kind in near.chunk_by(|a, b| a.key.kind == b.key.kind) {
                queries.clear();
                times.clear();
                queries.extend(of_kind.iter().map(|hit| hit.query));
                times.extend(of_kind.iter().map(|hit| hit.lo));
                let times = if at_rest { None } else { Some(&times[..]) };
                contact_points(of_kind[0].key.kind, step, &queries, times, &mut |i, at| {
                    let hit = &of_kind[i];
                    if let Some(one) = make(hit, vertices(bodies, hit.key, hit.query), at) {
                        made.push(one);
                    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body_id::BodyId;
    use crate::random::random;

    /// Keys that fit into 64 bits with an index, and keys that do not.
    #[test]
    fn hits_are_in_the_order_of_their_keys() {
        let mut next = random(31);
        for (n, most) in [(0, 1.0), (1, 1.0), (1000, 1.0), (1000, 40.0), (5000, 1e3), (5000, 2e9)] {
            let mut whole = || (next() * most) as u32;
            let hits: Vec<Hit> = (0..n)
                .map(|i| Hit {
                    key: ContactKey {
                        bodies: [BodyId(whole()), BodyId(whole())],
                        kind: [Kind::VertexFace, Kind::EdgeEdge][i % 2],
                        features: [whole(), whole()],
                    },
                    query: [0; 4],
                    lo: 0.0,
                    hi: 0.0,
                })
                .collect();
            let parts = |hit: &Hit| [hit.key.bodies[0].0, hit.key.bodies[1].0, hit.key.features[0]];
            assert_eq!(radix::order(&hits, parts).is_some(), most < 1e9);
            let order = order(&hits);
            assert!(order.is_sorted_by_key(|&i| hits[i as usize].key), "{n} {most}");
            let mut all = order;
            all.sort_unstable();
            assert!(all.into_iter().eq(0..n as u32));
        }
    }
}
