//! Coloring of the extended dual graph by DSATUR (Brélaz 1979; paper 001, section 4.2).
//!
//! The next primitive is the one with the most distinct colors among its neighbors, of these the
//! one with the most neighbors, then the one of lowest index. It takes the smallest free color.
//! With k neighbors it never takes a color above k, so only its first k + 1 colors are kept, as
//! bits.

use super::NONE;
use super::graph::{Extended, Graph, Neighbors, Stamps};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Primitives with more neighbors than this are colored first, those with the most before others,
/// so that the bits of the others take linear memory. They are close to a vertex with very many
/// primitives, which all need different colors in any order.
const MANY: u32 = 1023;

/// Colors the primitives that have the color [`NONE`], such that any two at distance one or two
/// have different colors, if this holds for those with a color.
///
/// Takes time `O(E log V)` for V primitives without a color, and E edges of the extended dual graph
/// at them, and memory `O(V)`.
pub(super) fn complete(graph: &Graph, colors: &mut [u32]) {
    let mut extended = Extended::new(graph);
    let mut order: Vec<u32> = (0..graph.len() as u32).filter(|&p| colors[p as usize] == NONE).collect();
    let mut degrees = vec![0; graph.len()];
    for &p in &order {
        degrees[p as usize] = extended.of(p).len() as u32;
    }
    // Stable, so that equal degrees are ordered by index.
    order.sort_by_key(|&p| Reverse(degrees[p as usize]));
    let n_first = order.partition_point(|&p| MANY < degrees[p as usize]);
    let (first, order) = order.split_at(n_first);

    let mut taken = Stamps::new(first.first().map_or(0, |&p| degrees[p as usize] as usize + 1));
    for &p in first {
        taken.forget();
        let limit = degrees[p as usize];
        for &q in extended.of(p) {
            let color = colors[q as usize];
            if color <= limit {
                taken.is_new(color);
            }
        }
        // One of these colors is free, as there are more of them than neighbors.
        colors[p as usize] = (0..=limit).find(|&color| taken.is_new(color)).unwrap_or(limit);
    }

    let mut open = Open::new(graph.len(), order, &degrees);
    if order.len() < graph.len() {
        for &p in order {
            for &q in extended.of(p) {
                open.forbid(p, colors[q as usize]);
            }
        }
    }
    while let Some((p, color)) = open.pop(colors) {
        colors[p as usize] = color;
        for &q in extended.of(p) {
            if colors[q as usize] == NONE {
                open.forbid(q, color);
            }
        }
    }
}

/// The primitives without a color.
struct Open<'a> {
    /// By falling degree, then by rising index; the place in it is the rank.
    order: &'a [u32],
    ranks: Vec<u32>,
    /// Where the bits of each primitive start.
    starts: Vec<usize>,
    /// The colors of the neighbors of each primitive.
    bits: Vec<u64>,
    /// The number of colors among them.
    counts: Vec<u32>,
    /// The ranks of the primitives with a number of colors, and of others whose number has grown.
    buckets: Vec<BinaryHeap<Reverse<u32>>>,
    /// No bucket above this one has an entry.
    top: usize,
}

impl<'a> Open<'a> {
    fn new(n: usize, order: &'a [u32], degrees: &[u32]) -> Open<'a> {
        let mut ranks = vec![NONE; n];
        for (&p, rank) in order.iter().zip(0..) {
            ranks[p as usize] = rank;
        }
        let mut starts = Vec::with_capacity(n + 1);
        let mut n_words = 0;
        for (&rank, &degree) in ranks.iter().zip(degrees) {
            starts.push(n_words);
            n_words += if rank == NONE { 0 } else { degree as usize / 64 + 1 };
        }
        starts.push(n_words);
        let n_buckets = order.first().map_or(0, |&p| degrees[p as usize] as usize) + 1;
        let mut buckets = vec![BinaryHeap::new(); n_buckets];
        buckets[0] = (0..order.len() as u32).map(Reverse).collect();
        Open { order, ranks, starts, bits: vec![0; n_words], counts: vec![0; n], buckets, top: 0 }
    }

    /// A neighbor of p has this color, or [`NONE`].
    #[inline]
    fn forbid(&mut self, p: u32, color: u32) {
        let p = p as usize;
        let word = self.starts[p] + color as usize / 64;
        if self.starts[p + 1] <= word {
            return; // A color that p cannot take.
        }
        let bit = 1 << (color % 64);
        if self.bits[word] & bit == 0 {
            self.bits[word] |= bit;
            self.counts[p] += 1;
            let count = self.counts[p] as usize;
            self.buckets[count].push(Reverse(self.ranks[p]));
            self.top = self.top.max(count);
        }
    }

    /// The next primitive, and the smallest color that is free for it.
    fn pop(&mut self, colors: &[u32]) -> Option<(u32, u32)> {
        loop {
            let Some(Reverse(rank)) = self.buckets[self.top].pop() else {
                if self.top == 0 {
                    return None;
                }
                self.top -= 1;
                continue;
            };
            let p = self.order[rank as usize];
            if colors[p as usize] != NONE || self.counts[p as usize] as usize != self.top {
                continue;
            }
            let bits = &self.bits[self.starts[p as usize]..self.starts[p as usize + 1]];
            let full = bits.iter().take_while(|&&word| word == u64::MAX).count();
            // Not all words are full, as there are more bits than neighbors.
            let ones = bits.get(full).map_or(0, |word| word.trailing_ones());
            return Some((p, 64 * full as u32 + ones));
        }
    }
}

/// Checks colors, which are below a given number.
pub(super) struct Checker<'a> {
    neighbors: Neighbors<'a>,
    seen: Stamps,
}

impl<'a> Checker<'a> {
    pub(super) fn new(graph: &'a Graph, n_colors: usize) -> Checker<'a> {
        Checker { neighbors: Neighbors::new(graph), seen: Stamps::new(n_colors) }
    }

    /// Whether p and its neighbors have different colors. If this holds for all primitives, then
    /// (1) two neighbors have different colors, and (2) a primitive has at most one neighbor of any
    /// color.
    pub(super) fn is_valid(&mut self, colors: &[u32], p: u32) -> bool {
        self.seen.forget();
        self.seen.is_new(colors[p as usize]);
        self.neighbors.of(p).iter().all(|&q| self.seen.is_new(colors[q as usize]))
    }
}

/// A lower bound of the number of colors: the largest number of primitives that are a primitive or
/// its neighbors, as these need different colors. 0 without primitives.
pub(super) fn lower_bound(graph: &Graph) -> usize {
    let mut neighbors = Neighbors::new(graph);
    (0..graph.len() as u32).map(|p| neighbors.of(p).len() + 1).max().unwrap_or(0)
}
