//! The nodes of a hierarchy as patches, and their contours; computed once per model.

use super::Hierarchy;
use crate::Mesh;
use crate::mesh::patch::{Patch, Workspace};
use crate::threads;

/// Nodes per task.
const PARALLEL: u32 = 1024;

/// The contours of all nodes to which the normal cone and contour tests apply.
///
/// For compact patches the memory is proportional to the number of triangles n: the contours of all
/// nodes with about m triangles have about n / sqrt(m) edges in total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patches {
    /// The end of each node's loops in `loop_ends`, which is the start of the next node's.
    node_ends: Vec<usize>,
    /// The end of each loop in `vertices`, which is the start of the next.
    loop_ends: Vec<usize>,
    vertices: Vec<u32>,
}

impl Patches {
    /// Returns the patches of all nodes. Takes time proportional to the total number of triangles
    /// below all nodes, n log n.
    pub(crate) fn of(mesh: &Mesh, hierarchy: &Hierarchy) -> Patches {
        let n_nodes = hierarchy.n_nodes() as u32;
        let parts = threads::map(0..n_nodes.div_ceil(PARALLEL), |task| {
            let (mut patches, mut workspace) = (Patches::default(), Workspace::default());
            for node in task * PARALLEL..n_nodes.min((task + 1) * PARALLEL) {
                patches.push(&Patch::of(mesh, hierarchy.triangles_below(node), &mut workspace));
            }
            patches
        });
        Patches::join(&parts)
    }

    fn push(&mut self, patch: &Patch) {
        if patch.is_eligible() {
            for contour in &patch.loops {
                self.vertices.extend(contour);
                self.loop_ends.push(self.vertices.len());
            }
        }
        self.node_ends.push(self.loop_ends.len());
    }

    fn join(parts: &[Patches]) -> Patches {
        let total = |len: fn(&Patches) -> usize| parts.iter().map(len).sum();
        let mut all = Patches {
            node_ends: Vec::with_capacity(total(|p| p.node_ends.len())),
            loop_ends: Vec::with_capacity(total(|p| p.loop_ends.len())),
            vertices: Vec::with_capacity(total(|p| p.vertices.len())),
        };
        for part in parts {
            let (n_loops, n_vertices) = (all.loop_ends.len(), all.vertices.len());
            all.node_ends.extend(part.node_ends.iter().map(|end| end + n_loops));
            all.loop_ends.extend(part.loop_ends.iter().map(|end| end + n_vertices));
            all.vertices.extend(&part.vertices);
        }
        all
    }

    /// Heap memory of the contours in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.node_ends.as_slice())
            + size_of_val(self.loop_ends.as_slice())
            + size_of_val(self.vertices.as_slice())
    }

    /// Whether the patch of a node is connected, oriented and has a boundary.
    pub(crate) fn is_eligible(&self, node: u32) -> bool {
        self.loops(node).len() != 0
    }

    /// The contour of an eligible node: closed loops of vertices, in the direction of the
    /// triangles, as in [`Patch::loops`]. Empty for a node that is not eligible.
    pub(crate) fn loops(&self, node: u32) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        let node = node as usize;
        let first = if node == 0 { 0 } else { self.node_ends[node - 1] };
        (first..self.node_ends[node]).map(|i| {
            let start = if i == 0 { 0 } else { self.loop_ends[i - 1] };
            &self.vertices[start..self.loop_ends[i]]
        })
    }
}
