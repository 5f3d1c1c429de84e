//! Pairs of adjacent patches that a body has tested, kept from step to step.
//!
//! How two patches are glued follows from the mesh alone, so it is computed when a pair is first
//! met. A pair that fails in several steps in a row is not tested for some steps, like a
//! [patch](super::cleared): its proof is tried below it at once. This is the update front of paper
//! 003 (section 4.3) between patches.

use super::patience::Patience;
use super::union::{Joined, Union};
use crate::hierarchy::Patches;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

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
        contour: Vec<u32>,
        patience: Patience,
    },
}

/// The pairs of a body.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    pairs: RwLock<HashMap<[u32; 2], Arc<Pair>, BuildHasherDefault<NodeHasher>>>,
}

/// Most vertices of all contours that are kept, as a multiple of the number of nodes.
const MOST: usize = 64;

impl Pairs {
    /// How two patches are glued; `union` is scratch memory.
    pub(super) fn get(&self, patches: &Patches, nodes: [u32; 2], union: &mut Union) -> Arc<Pair> {
        if let Some(pair) = self.pairs.read().unwrap_or_else(PoisonError::into_inner).get(&nodes) {
            return pair.clone();
        }
        let pair = Arc::new(match union.join(patches, nodes) {
            Joined::Apart => Pair::Apart,
            Joined::Several => Pair::Several,
            Joined::Loop => Pair::Glued { contour: union.contour().to_vec(), patience: Patience::default() },
        });
        self.pairs.write().unwrap_or_else(PoisonError::into_inner).entry(nodes).or_insert(pair).clone()
    }

    /// Forgets all pairs if there are too many.
    pub(crate) fn trim(&mut self, n_nodes: usize) {
        let pairs = self.pairs.get_mut().unwrap_or_else(PoisonError::into_inner);
        if n_nodes < pairs.len() && MOST * n_nodes < pairs.values().map(|pair| pair.n_vertices()).sum() {
            pairs.clear();
        }
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let pairs = self.pairs.read().unwrap_or_else(PoisonError::into_inner);
        let of_pair = |pair: &Arc<Pair>| size_of::<Pair>() + 40 + 4 * pair.n_vertices();
        pairs.values().map(of_pair).sum()
    }
}

impl Pair {
    fn n_vertices(&self) -> usize {
        if let Pair::Glued { contour, .. } = self { contour.len() } else { 0 }
    }
}

/// Hashes the numbers of nodes by a multiplication.
#[derive(Default)]
struct NodeHasher(u64);

impl Hasher for NodeHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(4) {
            let number = chunk.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
            self.write_u64(number);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}
