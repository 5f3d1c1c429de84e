//! The front: where the last walk of a body with itself stopped testing pairs of patches.
//!
//! Each node that is not cleared has a segment: a cut through the pairs of patches below it, that
//! is, the pairs of its children, of their children, and so on. Above the cut are pairs that
//! overlapped and were not cleared. At the cut are pairs that did not overlap, were cleared, or
//! have hopeless proofs. A walk that starts from the cut does not repeat the failed proofs above
//! it.
//!
//! A cut is a property of the tree, not of time, so an old cut is as valid as a new one. Nothing
//! else is kept: overlap and proofs of the pairs at the cut are tested again in each step. Segments
//! of nodes below a cleared node are dropped; a missing segment starts with the children of its
//! node. The cut moves up to a pair that no longer overlaps, or whose proof, tried again from time
//! to time, succeeds.
//!
//! A cut is stored as the pairs above it, one word each. Overlap is tested again there, for the 16
//! pairs of children of two nodes in one operation, which tells which of them to visit. A list of
//! all pairs at the cut would take more memory than all else that a body holds, and would be
//! slower.

use crate::hierarchy::{Hierarchy, WIDTH};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of nodes whose segments are stored and tracked together.
const PART: u32 = 64;

/// A failed proof is tried again once in this many steps: for two patches that have fewer triangles
/// together than [`SMALL`], and for larger ones.
///
/// If too small, proofs fail repeatedly. If too large, pairs that could be cleared as a whole are
/// traversed for longer. Doubling or halving makes no measurable difference.
const PERIODS: [u32; 2] = [4, 16];

/// Proofs for pairs of patches with fewer triangles cost little.
const SMALL: usize = 128;

/// The segments of the nodes of a tree.
#[derive(Debug, Default)]
pub(crate) struct Front {
    parts: Vec<Mutex<Segments>>,
    /// Step counter.
    step: u32,
}

/// Segments of some nodes, ascending: the number of each node, then the words of its pairs. A pair
/// comes before those below it.
#[derive(Debug, Default)]
struct Segments {
    words: Vec<u32>,
    n_segments: usize,
}

/// The pairs of lanes of two nodes, bit `WIDTH a + b` of each half: the lower half has those above
/// the cut, the upper half those whose proofs are hopeless. For the others, a proof is tried if
/// they overlap.
#[derive(Clone, Copy, Default)]
pub(super) struct Word(u32);

const _: () = assert!(2 * WIDTH * WIDTH == 32);

impl Word {
    /// The pairs above the cut.
    #[inline(always)]
    pub(super) fn open(self) -> u32 {
        self.0 & 0xffff
    }

    /// The pairs at the cut whose proofs are hopeless; they are tried only from time to time.
    #[inline(always)]
    pub(super) fn hopeless(self) -> u32 {
        self.0 >> 16
    }

    #[inline(always)]
    pub(super) fn set_open(&mut self, k: usize) {
        self.0 |= 1 << k;
    }

    #[inline(always)]
    pub(super) fn set_hopeless(&mut self, k: usize) {
        self.0 |= 1 << (16 + k);
    }
}

/// A part of the front, tracked by one worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    number: usize,
    /// The first node that is neither cleared nor below a cleared node.
    pub(super) first: u32,
}

impl Part {
    /// One past its last node.
    pub(super) fn end(&self) -> u32 {
        (self.number as u32 + 1) * PART
    }
}

impl Front {
    /// Prepares for a step of a tree of `n_nodes` nodes, which must always be the same tree.
    pub(crate) fn begin(&mut self, n_nodes: usize) {
        self.parts.resize_with(n_nodes.div_ceil(PART as usize), Mutex::default);
        self.step = self.step.wrapping_add(1);
    }

    /// The parts with nodes that are neither cleared nor below a cleared node, ascending. The
    /// segments of all others are dropped.
    pub(crate) fn parts(&self, hierarchy: &Hierarchy, mut clears: impl FnMut(u32) -> bool) -> Vec<Part> {
        let n_nodes = hierarchy.n_nodes() as u32;
        let (mut parts, mut node) = (Vec::new(), 0);
        for number in 0..self.parts.len() {
            let end = n_nodes.min((number as u32 + 1) * PART);
            let mut first = None;
            while node < end {
                let is_cleared = clears(node);
                first = first.or((!is_cleared).then_some(node));
                node = if is_cleared { hierarchy.end(node) } else { node + 1 };
            }
            match first {
                Some(first) => parts.push(Part { number, first }),
                None => *self.segments(number) = Segments::default(),
            }
        }
        parts
    }

    /// Number of pairs stored.
    pub(crate) fn n_pairs(&self) -> usize {
        let n_pairs = |segments: &Segments| segments.words.len() - segments.n_segments;
        (0..self.parts.len()).map(|number| n_pairs(&self.segments(number))).sum()
    }

    /// Heap memory of the front in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let of_parts: usize = (0..self.parts.len())
            .map(|number| self.segments(number).words.capacity() * size_of::<u32>())
            .sum();
        size_of_val(self.parts.as_slice()) + of_parts
    }

    /// The segments of a part. They are replaced only by complete ones, so they are valid even if a
    /// worker has panicked.
    fn segments(&self, number: usize) -> MutexGuard<'_, Segments> {
        self.parts[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies the segments of a part.
    pub(super) fn load(&self, part: Part, trace: &mut Trace) {
        trace.old.clear();
        trace.old.extend_from_slice(&self.segments(part.number).words);
        trace.new.clear();
        (trace.at, trace.n_segments, trace.step) = (0, 0, self.step);
    }

    /// Replaces the segments of a part by the complete new ones.
    pub(super) fn store(&self, part: Part, trace: &Trace) {
        let Segments { words, n_segments } = &mut *self.segments(part.number);
        words.clear();
        words.shrink_to(2 * trace.new.len());
        words.extend_from_slice(&trace.new);
        *n_segments = trace.n_segments;
    }
}

/// The segments of a part while they are tracked: the old ones are read, the new ones written.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    old: Vec<u32>,
    /// The next word to read.
    at: usize,
    new: Vec<u32>,
    n_segments: usize,
    step: u32,
}

impl Trace {
    /// Begins the segment of a node, whose number is larger than the last one. Returns its start,
    /// and whether there is an old segment to read.
    pub(super) fn begin(&mut self, node: u32) -> (usize, bool) {
        while self.old.get(self.at).is_some_and(|&old| old < node) {
            self.at += 1;
            self.skip();
        }
        let is_known = self.old.get(self.at) == Some(&node);
        self.at += usize::from(is_known);
        self.new.push(node);
        self.n_segments += 1;
        (self.new.len() - 1, is_known)
    }

    /// Ends the segment that starts at `start`. An empty one is not kept.
    pub(super) fn end(&mut self, start: usize) {
        if let [_, 0] = self.new[start..] {
            self.new.truncate(start);
            self.n_segments -= 1;
        }
    }

    /// Whether the failed proof for two nodes of `n_triangles` triangles is tried again in this
    /// step.
    #[inline(always)]
    pub(super) fn is_due(&self, a: u32, b: u32, n_triangles: usize) -> bool {
        let period = PERIODS[usize::from(SMALL <= n_triangles)];
        // The node numbers spread the work over the steps.
        a.wrapping_add(b).wrapping_add(self.step).is_multiple_of(period)
    }

    /// Reads the word of the next pair.
    #[inline(always)]
    pub(super) fn read(&mut self) -> Word {
        self.at += 1;
        Word(self.old[self.at - 1])
    }

    /// Skips the next pair and all pairs below it.
    pub(super) fn skip(&mut self) {
        let mut n_pairs = 1;
        while n_pairs != 0 {
            n_pairs = n_pairs - 1 + self.read().open().count_ones();
        }
    }

    /// Reserves the word of a pair; returns its index.
    #[inline(always)]
    pub(super) fn reserve(&mut self) -> usize {
        self.new.push(0);
        self.new.len() - 1
    }

    #[inline(always)]
    pub(super) fn write(&mut self, place: usize, Word(word): Word) {
        self.new[place] = word;
    }
}
