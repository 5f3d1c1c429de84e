//! Patches: sets of triangles of a mesh as surfaces, and their contours.
//!
//! A patch consists of its triangles glued along shared edges only. Where only a vertex is shared,
//! it is split: a pinched vertex counts once for each fan of triangles around it, and the contour
//! passes it once for each open fan. So two triangles that meet in a vertex are two pieces, each
//! with its own loop.

use super::Mesh;
use super::union_find::UnionFind;

const NONE: u32 = u32::MAX;

/// The surface of a set of triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    /// The closed loops of boundary edges, each as its vertices, with every edge in the direction
    /// of its triangle; the last vertex is followed by the first. A vertex appears once for each
    /// open fan around it. Sorted by their first side in the order of the given triangles. Empty if
    /// the patch is not oriented.
    pub(crate) loops: Vec<Vec<u32>>,
    /// Whether all triangles are connected by shared edges.
    pub(crate) is_connected: bool,
    /// Whether no edge has more than two triangles of the patch.
    pub(crate) is_manifold: bool,
    /// Whether no two triangles of the patch traverse an edge in the same direction; implies
    /// manifold.
    pub(crate) is_oriented: bool,
    /// Euler characteristic: vertices, after splitting, minus edges plus triangles.
    #[cfg(test)]
    pub(crate) euler: i64,
}

impl Patch {
    /// Describes the patch of these triangles, which must be distinct. Takes time proportional to
    /// their number (except for the first use of the workspace with a mesh, which allocates one
    /// word for each edge of the mesh).
    ///
    /// # Panics
    ///
    /// If there is no such triangle.
    pub(crate) fn of(mesh: &Mesh, triangles: &[u32], workspace: &mut Workspace) -> Patch {
        workspace.glue(mesh, triangles);
        let is_manifold = !workspace.branches;
        let is_oriented = is_manifold && !workspace.is_misoriented;
        Patch {
            loops: if is_oriented { workspace.trace() } else { Vec::new() },
            is_connected: workspace.pieces.n_sets() <= 1,
            is_manifold,
            is_oriented,
            #[cfg(test)]
            euler: workspace.euler(triangles.len()),
        }
    }

    /// Whether the normal cone and contour tests apply: the patch is connected, oriented and has a
    /// boundary.
    pub(crate) fn is_eligible(&self) -> bool {
        self.is_connected && self.is_oriented && !self.loops.is_empty()
    }

    /// Whether the patch is a disk: connected, manifold, oriented, with one loop and no handles.
    #[cfg(test)]
    pub(crate) fn is_disk(&self) -> bool {
        self.is_connected && self.is_oriented && self.loops.len() == 1 && self.euler == 1
    }
}

/// Scratch memory for [`Patch::of`], reusable for meshes of any size.
///
/// The sides and corners of the triangles of the patch are numbered 3i + k: side k of triangle i of
/// the patch starts at corner k.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    /// For each edge of the mesh, the first side of the patch that lies on it; `NONE` between uses.
    side_of_edge: Vec<u32>,
    /// For each side: its vertex at the start, and the other side on the same edge or `NONE`.
    sides: Vec<Side>,
    /// Triangles of the patch, merged over shared edges.
    pieces: UnionFind,
    /// Corners, merged into fans.
    fans: UnionFind,
    n_edges: usize,
    /// Whether an edge has more than two sides.
    branches: bool,
    /// Whether a side has the same direction as the first one on its edge.
    is_misoriented: bool,
}

#[derive(Clone, Copy, Debug)]
struct Side {
    start: u32,
    twin: u32,
}

impl Workspace {
    /// Glues the triangles along shared edges.
    fn glue(&mut self, mesh: &Mesh, triangles: &[u32]) {
        if self.side_of_edge.len() < mesh.edges().len() {
            self.side_of_edge.resize(mesh.edges().len(), NONE);
        }
        self.sides.clear();
        self.pieces.reset(triangles.len());
        self.fans.reset(3 * triangles.len());
        self.n_edges = 0;
        self.branches = false;
        self.is_misoriented = false;

        let corners = triangles.iter().flat_map(|&t| mesh.triangles()[t as usize]);
        self.sides.extend(corners.map(|start| Side { start, twin: NONE }));
        let edges = || triangles.iter().flat_map(|&t| mesh.triangle_edges()[t as usize]);
        for (edge, side) in edges().zip(0..) {
            match self.side_of_edge[edge as usize] {
                NONE => {
                    self.side_of_edge[edge as usize] = side;
                    self.n_edges += 1;
                }
                first => self.join(first, side),
            }
        }
        edges().for_each(|edge| self.side_of_edge[edge as usize] = NONE);
    }

    /// Joins a side to the first one on its edge.
    fn join(&mut self, first: u32, side: u32) {
        let is_misoriented = self.start(first) == self.start(side);
        self.is_misoriented |= is_misoriented;
        self.branches |= self.sides[first as usize].twin != NONE;
        self.sides[first as usize].twin = side;
        self.sides[side as usize].twin = first;

        self.pieces.union(first / 3, side / 3);
        let (tail, head) = (side, next_side(side));
        let (tail, head) = if is_misoriented { (tail, head) } else { (head, tail) };
        self.fans.union(first, tail);
        self.fans.union(next_side(first), head);
    }

    fn start(&self, side: u32) -> u32 {
        self.sides[side as usize].start
    }

    #[cfg(test)]
    fn euler(&self, n_triangles: usize) -> i64 {
        self.fans.n_sets() as i64 - self.n_edges as i64 + n_triangles as i64
    }

    /// Traces the loops of an oriented patch. Each side is passed once and crossed once at most:
    /// linear time.
    fn trace(&mut self) -> Vec<Vec<u32>> {
        let mut loops = Vec::new();
        for first in 0..self.sides.len() as u32 {
            if self.sides[first as usize].twin != NONE {
                continue;
            }
            let mut contour = Vec::new();
            let mut side = first;
            // A passed side becomes its own twin. The loop ends where it started: at the end of
            // each boundary side is an open fan, which has one boundary side that enters and one
            // that leaves.
            while self.sides[side as usize].twin == NONE {
                contour.push(self.start(side));
                self.sides[side as usize].twin = side;
                side = next_side(side);
                // Around the fan, across shared edges, to the boundary or to a side already passed.
                loop {
                    let twin = self.sides[side as usize].twin;
                    if twin == NONE || twin == side {
                        break;
                    }
                    side = next_side(twin);
                }
            }
            loops.push(contour);
        }
        loops
    }
}

/// The next side of the same triangle.
fn next_side(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}

#[cfg(test)]
mod tests;
