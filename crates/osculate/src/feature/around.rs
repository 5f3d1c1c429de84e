//! The classes of triangles around the features of a body with clusters.

use super::live::{Code, class};
use crate::Mesh;

/// A set of classes: bit k for class k. [`BORDER`] is set where there are several clusters.
pub(super) type Classes = u8;

/// Set for a vertex on triangles of several clusters.
pub(super) const BORDER: Classes = 1 << 7;

/// The classes around each vertex, and which triangles are the first of their code around their
/// features; kept from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    /// For each vertex.
    pub(super) classes: Vec<Classes>,
    /// The same before some triangles became uncertain, in the wake of a contact; meaningless
    /// before that.
    pub(super) before: Vec<Classes>,
    /// For each triangle, the features around which no earlier triangle has the same code: bit k
    /// for corner k, bit 3 + k for the edge from corner k to the next.
    pub(super) firsts: Vec<u8>,
}

impl Around {
    /// Starts with the given codes, in which all triangles face away.
    pub(crate) fn begin(&mut self, mesh: &Mesh, codes: &[Code], is_border: &[bool]) {
        self.classes.clear();
        self.classes.extend(is_border.iter().map(|&is_border| if is_border { BORDER | 1 } else { 1 }));
        self.firsts.clear();
        self.firsts.extend((0..codes.len() as u32).map(|t| firsts(mesh, codes, t)));
    }

    /// Updates after the codes of triangles have changed.
    pub(crate) fn update(&mut self, mesh: &Mesh, codes: &[Code], changed: &[u32]) {
        let mut vertices: Vec<u32> = changed.iter().flat_map(|&t| mesh.triangles()[t as usize]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let mut triangles = Vec::new();
        for v in vertices {
            let around = mesh.triangles_of_vertex(v);
            let all = around.iter().fold(0, |all, &t| all | 1 << class(codes[t as usize]));
            let classes = &mut self.classes[v as usize];
            *classes = *classes & BORDER | all;
            triangles.extend_from_slice(around);
        }
        triangles.sort_unstable();
        triangles.dedup();
        for t in triangles {
            self.firsts[t as usize] = firsts(mesh, codes, t);
        }
    }

    /// Updates after triangles have become uncertain, and keeps the previous classes.
    pub(crate) fn widen(&mut self, mesh: &Mesh, codes: &[Code], fresh: &[u32]) {
        self.before.clone_from(&self.classes);
        self.update(mesh, codes, fresh);
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.classes.as_slice())
            + size_of_val(self.before.as_slice())
            + size_of_val(self.firsts.as_slice())
    }
}

/// The features around which no earlier triangle has the code of the given one.
pub(super) fn firsts(mesh: &Mesh, codes: &[Code], triangle: u32) -> u8 {
    let code = codes[triangle as usize];
    let is_first =
        |around: &[u32]| !around.iter().take_while(|&&t| t < triangle).any(|&t| codes[t as usize] == code);
    let (corners, edges) = (mesh.triangles()[triangle as usize], mesh.triangle_edges()[triangle as usize]);
    (0..3).fold(0, |bits, k| {
        let corner = is_first(mesh.triangles_of_vertex(corners[k]));
        let edge = is_first(mesh.triangles_of_edge(edges[k]));
        bits | u8::from(corner) << k | u8::from(edge) << (3 + k)
    })
}

/// Whether there is more than one class or cluster.
#[inline(always)]
pub(super) fn is_mixed(classes: Classes) -> bool {
    classes & (classes - 1) != 0
}
