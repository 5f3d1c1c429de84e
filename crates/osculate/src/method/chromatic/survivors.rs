//! The mask: pairs of triangles that are not adjacent, and that no set test has proven apart.

use super::sets::Decomposition;
use crate::feature::{AdjacentSlots, ApartOwner};
use crate::hierarchy::{Child, Hierarchy, WIDTH};
use crate::mask::Mask;

/// What set tests left of the triangles of a body, in a pair with another or with itself.
#[derive(Default)]
pub(super) struct Survivors {
    /// For each triangle, whether a pair with it may be left.
    pub(super) triangles: Vec<bool>,
    /// For each primitive, the sets that it is proven to be apart from, except for its neighbors.
    pub(super) apart: Vec<u32>,
    /// For each node, the slots with a surviving triangle below them.
    lanes: Vec<u8>,
}

impl Survivors {
    /// Finds the nodes with surviving triangles.
    pub(super) fn new(triangles: Vec<bool>, apart: Vec<u32>, hierarchy: &Hierarchy) -> Survivors {
        let mut lanes = vec![0u8; hierarchy.n_nodes()];
        // A child comes after its parent.
        for node in (0..hierarchy.n_nodes()).rev() {
            lanes[node] = (0..WIDTH).fold(0, |set, lane| {
                let survives = match hierarchy.child(node as u32, lane) {
                    Child::None => false,
                    Child::Node(child) => lanes[child as usize] != 0,
                    Child::Triangle(triangle) => triangles[triangle as usize],
                };
                set | u8::from(survives) << lane
            });
        }
        Survivors { triangles, apart, lanes }
    }
}

/// The mask of two bodies, or of a body with itself.
#[derive(Clone, Copy)]
pub(super) struct Left<'a> {
    /// For a body with itself: drops adjacent triangles, by the table of its tree if they are in
    /// nodes that are compared as a whole. Not at an instant.
    pub(super) own: Option<(ApartOwner<'a>, &'a AdjacentSlots)>,
    /// What set tests left of both bodies, if there were any.
    pub(super) survivors: Option<[&'a Survivors; 2]>,
    /// For a body with itself: its sets.
    pub(super) sets: Option<&'a Decomposition>,
}

impl Left<'_> {
    /// Whether no set test has proven two triangles apart.
    #[inline(always)]
    fn may_meet(&self, [first, second]: [&Survivors; 2], a: u32, b: u32) -> bool {
        if !first.triangles[a as usize] || !second.triangles[b as usize] {
            return false;
        }
        // Two bodies are two sets; a triangle that is apart from the other body does not survive.
        let Some(sets) = self.sets else { return true };
        let [p, q] = [a, b].map(|t| sets.coloring.primitives()[t as usize]);
        let [of_p, of_q] = [p, q].map(|p| sets.coloring.colors()[p as usize]);
        let is_apart = |p: u32, set: u32| first.apart[p as usize].checked_shr(set).unwrap_or(0) & 1 != 0;
        !(is_apart(p, of_q) || is_apart(q, of_p)) || sets.are_neighbors(p, q)
    }
}

impl Mask for Left<'_> {
    type Counts = ();

    #[inline(always)]
    fn within(&self, node: u32) -> bool {
        self.own.is_none_or(|(_, adjacent)| !adjacent.all_adjacent(node))
            && self.survivors.is_none_or(|[first, _]| first.lanes[node as usize] != 0)
    }

    #[inline(always)]
    fn slots(&self, a: u32, b: u32) -> u32 {
        let surviving = self.survivors.map_or(u32::MAX, |[first, second]| {
            SPREAD[first.lanes[a as usize] as usize] * u32::from(second.lanes[b as usize])
        });
        surviving & !self.own.map_or(0, |(_, adjacent)| adjacent.of(a, b))
    }

    #[inline(always)]
    fn slots_of_first(&self, a: u32, _: u32) -> u32 {
        self.survivors.map_or(u32::MAX, |[first, _]| u32::from(first.lanes[a as usize]))
    }

    #[inline(always)]
    fn slots_of_second(&self, _: u32, b: u32) -> u32 {
        self.survivors.map_or(u32::MAX, |[_, second]| u32::from(second.lanes[b as usize]))
    }

    #[inline(always)]
    fn keeps(&self, a: u32, b: u32) -> bool {
        self.own.is_none_or(|(owner, _)| owner.keeps(a, b))
            && self.survivors.is_none_or(|survivors| self.may_meet(survivors, a, b))
    }
}

/// Bit i of a set of slots, moved to bit `WIDTH i`.
const SPREAD: [u32; 1 << WIDTH] = {
    let mut table = [0; 1 << WIDTH];
    let mut set = 0;
    while set < 1 << WIDTH {
        let mut i = 0;
        while i < WIDTH {
            table[set] |= ((set >> i & 1) as u32) << (WIDTH * i);
            i += 1;
        }
        set += 1;
    }
    table
};
