//! Trees of surface patches over the triangles of a mesh, built once per model.

mod build;
mod clusters;
mod contours;
mod curve;
mod patches;
mod planes;

pub(crate) use build::build;
pub use build::{Build, Split};
pub(crate) use clusters::build_clusters;
pub(crate) use contours::Patches;
pub(crate) use curve::build_quickly;

use std::ops::Range;

/// Maximum number of children of a node. Four children are tested against four in a few vector
/// comparisons.
pub(crate) const WIDTH: usize = 4;

/// The content of a slot of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Child {
    None,
    Node(u32),
    Triangle(u32),
}

/// A tree over the triangles of a mesh, with one triangle per leaf and up to [`WIDTH`] children per
/// node.
///
/// Nodes are in depth-first order: a child comes after its parent, and the nodes below a node are a
/// contiguous range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hierarchy {
    slots: Vec<[u32; WIDTH]>,
    /// For each node, one past the last node below it.
    ends: Vec<u32>,
    /// The triangles in depth-first order.
    order: Vec<u32>,
    /// The vertices in the order of their first appearance in `order`.
    vertices: Vec<u32>,
    /// The corners of the triangles in `order`, as indices into `vertices`: contiguous for passes
    /// over all triangles.
    corners: Vec<[u32; 3]>,
    /// For each node, the range of its triangles in `order`.
    ranges: Vec<[u32; 2]>,
}

const EMPTY: u32 = u32::MAX;
const LEAF: u32 = 1 << 31;

impl Hierarchy {
    /// Number of nodes; zero for a mesh without triangles. The root is node 0.
    pub(crate) fn n_nodes(&self) -> usize {
        self.slots.len()
    }

    /// Heap memory of the tree in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.slots.as_slice())
            + size_of_val(self.ends.as_slice())
            + size_of_val(self.order.as_slice())
            + size_of_val(self.vertices.as_slice())
            + size_of_val(self.corners.as_slice())
            + size_of_val(self.ranges.as_slice())
    }

    #[inline(always)]
    pub(crate) fn child(&self, node: u32, lane: usize) -> Child {
        self.children(node)(lane)
    }

    /// The contents of the slots of a node, by lanes.
    #[inline(always)]
    pub(crate) fn children(&self, node: u32) -> impl Fn(usize) -> Child + '_ {
        let slots = &self.slots[node as usize];
        |lane| match slots[lane] {
            EMPTY => Child::None,
            leaf if leaf & LEAF != 0 => Child::Triangle(leaf & !LEAF),
            node => Child::Node(node),
        }
    }

    /// One past the last node below `node`.
    pub(crate) fn end(&self, node: u32) -> u32 {
        self.ends[node as usize]
    }

    /// The triangles below `node`, in depth-first order.
    pub(crate) fn triangles_below(&self, node: u32) -> &[u32] {
        &self.order[self.range(node)]
    }

    /// All triangles, in depth-first order.
    pub(crate) fn triangles(&self) -> &[u32] {
        &self.order
    }

    /// The vertices in the order of their first appearance in depth-first order; those without a
    /// triangle are omitted.
    pub(crate) fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// The corners of the triangles below `node`, in depth-first order, as indices into
    /// [`vertices`](Hierarchy::vertices).
    pub(crate) fn corners_below(&self, node: u32) -> &[[u32; 3]] {
        &self.corners[self.range(node)]
    }

    /// The corners of all triangles, in depth-first order.
    pub(crate) fn corners(&self) -> &[[u32; 3]] {
        &self.corners
    }

    /// The range of the triangles below `node` in depth-first order.
    pub(crate) fn range(&self, node: u32) -> Range<usize> {
        let [start, end] = self.ranges[node as usize];
        start as usize..end as usize
    }

    /// Panics unless the tree contains every triangle of a mesh of `n_triangles` exactly once, with
    /// parents before children.
    #[cfg(test)]
    pub(crate) fn assert_well_formed(&self, n_triangles: usize) {
        let mut seen = vec![0; n_triangles];
        let mut parents = vec![0; self.n_nodes()];
        for node in 0..self.n_nodes() as u32 {
            let mut n_children = 0;
            let mut below = Vec::new();
            for lane in 0..WIDTH {
                match self.child(node, lane) {
                    Child::None => continue,
                    Child::Triangle(t) => {
                        seen[t as usize] += 1;
                        below.push(t);
                    }
                    Child::Node(child) => {
                        assert!(node < child && self.end(child) <= self.end(node));
                        parents[child as usize] += 1;
                        below.extend(self.triangles_below(child));
                    }
                }
                n_children += 1;
            }
            assert!(0 < n_children && (1 < n_children || n_triangles == 1));
            assert_eq!(self.triangles_below(node), below, "below a node is what is below its children");
        }
        assert!(seen.iter().all(|&n| n == 1), "each triangle once");
        assert!(parents.iter().skip(1).all(|&n| n == 1), "each node but the root has one parent");
        assert_eq!(self.order.len(), n_triangles);
        assert_eq!(self.corners.len(), n_triangles);
    }
}

#[cfg(test)]
mod tests;
