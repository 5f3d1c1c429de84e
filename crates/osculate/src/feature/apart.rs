//! An owner that never needs adjacent triangles: a feature pair is tested by two triangles that
//! share no vertex (paper 001, section 5.4; stage IV).
//!
//! The bounds of adjacent triangles always overlap, so on a smooth surface most candidate pairs are
//! adjacent ones, and nearly all of their feature pairs are far from a contact. But if triangles A
//! and B are proven apart, so is every feature of A from every feature of B, whichever other
//! triangles are around them. One pair of triangles around two features is enough, and it may be
//! chosen in advance: here the pair that is farthest apart at rest, as that one is most likely to
//! be culled. Most feature pairs of adjacent triangles have such hosts on the far sides of the two
//! features. Those that have none, because all triangles around the two features are adjacent, are
//! [orphans](Orphans): few, most of them at the boundary, and tested one by one in every step.
//!
//! Which pair is chosen affects speed only. A feature pair whose representatives are not adjacent
//! is left to these. To choose the farthest hosts for all feature pairs within two rings takes five
//! times as long, once per model; it saves a fifth of the feature tests of cloth, and no time.
//!
//! Here triangles are adjacent if they share a vertex that is not a [hub](HUB). Triangles around a
//! hub test what they represent, as without this owner: their guests and orphans would be too many.
//!
//! Valid only if a pair of triangles is culled because these two triangles are proven apart.

use super::Orphans;
use super::orphans::hosts;
use super::ownership::{Owner, Pairs, Representatives, TriangleFeatures, represented};
use super::unfold::{FeaturePair, feature_pair};
use crate::Mesh;
use crate::narrow::Kind;
use crate::threads;
use std::ops::Range;

/// Which non-adjacent triangles of a mesh test feature pairs that adjacent ones represent, and the
/// orphans.
#[derive(Clone, Debug)]
pub(crate) struct Apart {
    /// The row of triangle t are the guests from `starts[t]` to `starts[t + 1]`, ascending.
    starts: Vec<u32>,
    guests: Vec<Guests>,
    pub(crate) orphans: Orphans,
    has_hubs: bool,
}

/// A vertex of more triangles is a hub. The number of feature pairs between triangles around a
/// vertex is quadratic in that of the triangles.
const HUB: usize = 32;

pub(super) fn is_hub(mesh: &Mesh, vertex: u32) -> bool {
    HUB < mesh.triangles_of_vertex(vertex).len()
}

/// The feature pairs that two non-adjacent triangles test in addition to those that they represent.
/// They are in the row of the triangle with the smaller number.
#[derive(Clone, Copy, Debug, Default)]
struct Guests {
    /// The other triangle.
    with: u32,
    pairs: Pairs,
}

impl Apart {
    /// Chooses hosts by the given rest pose. Takes time proportional to the number of triangles, if
    /// no vertex has many.
    pub(crate) fn new(mesh: &Mesh, rest: &[[f64; 3]], representatives: &Representatives) -> Apart {
        let n = mesh.triangles().len();
        let choice = Choice { mesh, representatives, centers: centers(mesh, rest) };
        let of_chunks = threads::map(0..N_CHUNKS, |chunk| {
            let [start, end] = [chunk, chunk + 1].map(|k| (n * k / N_CHUNKS) as u32);
            choice.moves(start..end)
        });
        let mut orphans = Orphans::default();
        for (_, of_chunk) in &of_chunks {
            of_chunk.iter().for_each(|&(kind, pair)| orphans.push(kind, pair));
        }
        orphans.sort();
        let moves = || of_chunks.iter().flat_map(|(moves, _)| moves);
        // Sorted by the first triangle, then each row by the second.
        let mut starts = vec![0_u32; n + 1];
        moves().for_each(|&([first, _], _)| starts[first as usize + 1] += 1);
        (0..n).for_each(|t| starts[t + 1] += starts[t]);
        let mut ends = starts.clone();
        let mut all = vec![Guests::default(); starts[n] as usize];
        for &([first, with], pairs) in moves() {
            let end = &mut ends[first as usize];
            all[*end as usize] = Guests { with, pairs };
            *end += 1;
        }
        let mut guests = Vec::with_capacity(all.len());
        for t in 0..n {
            let row = &mut all[starts[t] as usize..starts[t + 1] as usize];
            row.sort_unstable_by_key(|guests| guests.with);
            starts[t] = guests.len() as u32;
            for of_pair in row.chunk_by(|x, y| x.with == y.with) {
                let pairs = of_pair.iter().fold(0, |pairs, guests| pairs | guests.pairs);
                guests.push(Guests { pairs, ..of_pair[0] });
            }
        }
        starts[n] = guests.len() as u32;
        guests.shrink_to_fit();
        let has_hubs = (0..mesh.n_vertices() as u32).any(|v| is_hub(mesh, v));
        Apart { starts, guests, orphans, has_hubs }
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let table = size_of_val(self.starts.as_slice()) + size_of_val(self.guests.as_slice());
        table + self.orphans.memory_bytes()
    }

    /// The feature pairs that two triangles, in this order, test in addition.
    #[inline(always)]
    fn guests(&self, a: u32, b: u32) -> Pairs {
        let (first, second) = (a.min(b), a.max(b));
        let [start, end] = [0, 1].map(|k| self.starts[first as usize + k] as usize);
        let row = &self.guests[start..end];
        let pairs = row.iter().find(|guests| guests.with == second).map_or(0, |guests| guests.pairs);
        if a < b { pairs } else { transposed(pairs) }
    }
}

/// Number of parts of a mesh that threads take at once.
const N_CHUNKS: usize = 64;

/// The owner for a body with itself, and a mask that drops the pairs of triangles that test nothing
/// because they are adjacent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ApartOwner<'a> {
    pub(crate) apart: &'a Apart,
    pub(crate) mesh: &'a Mesh,
    pub(crate) representatives: &'a Representatives,
}

impl Owner for ApartOwner<'_> {
    fn owned(&self, triangles: &[[u32; 2]], owned: &mut Vec<Pairs>) {
        owned.extend(triangles.iter().map(|&[a, b]| {
            if self.are_adjacent(a, b) {
                return 0;
            }
            let [first, second] = [a, b].map(|t| self.representatives.of(t));
            represented(first, second, true) | self.apart.guests(a, b)
        }));
    }
}

impl ApartOwner<'_> {
    /// Whether two triangles share a vertex that is not a hub.
    #[inline(always)]
    pub(crate) fn are_adjacent(&self, a: u32, b: u32) -> bool {
        let [first, second] = [a, b].map(|t| self.representatives.of(t));
        first.meets(second) && (!self.apart.has_hubs || are_adjacent(self.mesh, first, second))
    }
}

/// Whether two triangles share a vertex that is not a hub.
fn are_adjacent(mesh: &Mesh, a: &TriangleFeatures, b: &TriangleFeatures) -> bool {
    a.corners.iter().any(|&v| b.corners.contains(&v) && !is_hub(mesh, v))
}

/// The feature pairs of two triangles in the other order.
#[inline(always)]
fn transposed(pairs: Pairs) -> Pairs {
    let vertex_face = (pairs & 7) << 3 | pairs >> 3 & 7;
    let edges = pairs >> 6;
    // The diagonals of the table of three by three move by 0, 2 and 4 places.
    let transposed = edges & 0b100_010_001
        | (edges & 0b000_100_010) << 2
        | edges >> 2 & 0b000_100_010
        | (edges & 0b000_000_100) << 4
        | edges >> 4 & 0b000_000_100;
    vertex_face | transposed << 6
}

/// Three times the centroids of triangles.
fn centers(mesh: &Mesh, rest: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let center = |corners: &[u32; 3]| {
        let [p, q, r] = corners.map(|v| rest[v as usize]);
        [0, 1, 2].map(|k| p[k] + q[k] + r[k])
    };
    mesh.triangles().iter().map(center).collect()
}

/// What the choice of hosts depends on.
struct Choice<'a> {
    mesh: &'a Mesh,
    representatives: &'a Representatives,
    centers: Vec<[f64; 3]>,
}

/// Two triangles, ascending, and the bit of a feature pair that they test.
type Move = ([u32; 2], Pairs);

impl Choice<'_> {
    /// The moves of feature pairs whose representatives are adjacent, the first of them in a range,
    /// and the orphans among these.
    fn moves(&self, range: Range<u32>) -> (Vec<Move>, Vec<(Kind, FeaturePair)>) {
        let (mut moves, mut orphans, mut neighbors) = (Vec::new(), Vec::new(), Vec::new());
        for a in range {
            let first = self.representatives.of(a);
            neighbors.clear();
            for &v in first.corners.iter().filter(|&&v| !is_hub(self.mesh, v)) {
                neighbors.extend(self.mesh.triangles_of_vertex(v).iter().filter(|&&b| a < b));
            }
            neighbors.sort_unstable();
            neighbors.dedup();
            for &b in &neighbors {
                let second = self.representatives.of(b);
                let all = represented(first, second, true);
                for k in (0..15).filter(|k| all >> k & 1 != 0) {
                    let (kind, pair) = feature_pair(k, (a, first), (b, second));
                    match self.farthest(kind, pair.ids) {
                        None => orphans.push((kind, pair)),
                        Some(hosts) => {
                            let [x, y] = hosts.map(|t| (t, self.representatives.of(t)));
                            moves.push((hosts, bit(kind, pair.ids, x, y)));
                        }
                    }
                }
            }
        }
        (moves, orphans)
    }

    /// The hosts of a feature pair, ascending, that are farthest apart among those that are not
    /// adjacent; `None` for an orphan.
    fn farthest(&self, kind: Kind, ids: [u32; 2]) -> Option<[u32; 2]> {
        let mut farthest: Option<([u32; 2], f64)> = None;
        for [a, b] in hosts(self.mesh, kind, ids) {
            if are_adjacent(self.mesh, self.representatives.of(a), self.representatives.of(b)) {
                continue;
            }
            let [x, y] = [a, b].map(|t| self.centers[t as usize]);
            let distance: f64 = (0..3).map(|k| (x[k] - y[k]) * (x[k] - y[k])).sum();
            // If distances overflow, any host will do.
            if farthest.is_none_or(|(_, least)| least < distance) {
                farthest = Some(([a.min(b), a.max(b)], distance));
            }
        }
        farthest.map(|(host, _)| host)
    }
}

/// The bit of a feature pair of two triangles.
fn bit(kind: Kind, ids: [u32; 2], a: (u32, &TriangleFeatures), b: (u32, &TriangleFeatures)) -> Pairs {
    let is_pair = |&k: &usize| {
        let (of_kind, pair) = feature_pair(k, a, b);
        (of_kind, pair.ids) == (kind, ids)
    };
    1 << (0..15).find(is_pair).expect("they are its hosts")
}

#[cfg(test)]
mod tests;
