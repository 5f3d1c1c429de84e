//! Pairs of adjacent patches that a body has tested, kept from step to step.
//!
//! How two patches are glued follows from the mesh alone, so it is computed when a pair is first
//! met. A pair that fails in several steps in a row is not tested for some steps, like a
//! [patch](super::cleared): its proof is tried below it at once. This is the update front of paper
//! 003 (section 4.3) between patches.

use super::patience::Patience;
use super::union::{Joined, Union};
use crate::hash::OfNumbers;
use crate::hierarchy::Patches;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Two patches, neither of which is below the other.
#[derive(Debug)]
pub(super) enum Pair {
    /// They have no edge in common.
    Apart,
    /// They cannot be glued to a patch with one loop.
    Several,
    /// They are glued.
    Glued {
        /// Their common contour.
        contour: Box<[u32]>,
        patience: Patience,
    },
}

/// The pairs of a body.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// Those of earlier steps, which are looked up without a lock.
    known: Table,
    /// The number of their entries and vertices, as a measure of their memory.
    size: usize,
    /// Those that were first met in this step.
    fresh: Mutex<Table>,
}

type Table = HashMap<[u32; 2], Arc<Pair>, OfNumbers>;

/// Most entries and vertices that are kept, as a multiple of the number of nodes.
const MOST: usize = 64;

impl Pairs {
    /// How two patches are glued; `union` is scratch memory.
    pub(super) fn get(&self, patches: &Patches, nodes: [u32; 2], union: &mut Union) -> Arc<Pair> {
        if let Some(pair) = self.known.get(&nodes) {
            return pair.clone();
        }
        if let Some(pair) = self.fresh.lock().unwrap_or_else(PoisonError::into_inner).get(&nodes) {
            return pair.clone();
        }
        let pair = Arc::new(match union.join(patches, nodes) {
            Joined::Apart => Pair::Apart,
            Joined::Several => Pair::Several,
            Joined::Loop => Pair::Glued { contour: union.contour().into(), patience: Patience::default() },
        });
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner).entry(nodes).or_insert(pair).clone()
    }

    /// Begins a step. Forgets all pairs if there are too many.
    pub(super) fn begin(&mut self, n_nodes: usize) {
        let fresh = self.fresh.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.size += fresh.values().map(|pair| pair.size()).sum::<usize>();
        self.known.extend(fresh.drain());
        if MOST * n_nodes < self.size {
            self.known.clear();
            self.size = 0;
        }
    }

    /// Heap memory in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        let fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        let of_pair = |pair: &Arc<Pair>| size_of::<Pair>() + 40 + 4 * pair.n_vertices();
        self.known.values().chain(fresh.values()).map(of_pair).sum()
    }
}

impl Pair {
    fn n_vertices(&self) -> usize {
        if let Pair::Glued { contour, .. } = self { contour.len() } else { 0 }
    }

    /// Its vertices, and a few more for the entry.
    fn size(&self) -> usize {
        8 + self.n_vertices()
    }
}
