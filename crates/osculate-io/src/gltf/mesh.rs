//! A mesh shared by all its instances: decoded and welded once.

use super::document::Document;
use super::primitive::{self, Binding, Repaired};
use super::weld::weld;
use crate::bytes::Budget;
use crate::error::{Result, malformed};
use crate::shape::is_degenerate;
use crate::skin::Influence;

/// The kept vertices of a mesh, and its triangles.
pub(super) struct Mesh {
    pub(super) positions: Vec<[f64; 3]>,
    /// Vertex v has the influences `starts[v]..starts[v + 1]`; none if the mesh has no skin.
    starts: Vec<u32>,
    influences: Vec<Influence>,
    /// The primitive and vertex in the file that each vertex represents.
    pub(super) source: Vec<(u32, u32)>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// For each morph target, the vertices that it moves at weight 1, and by how much.
    pub(super) targets: Vec<Vec<(u32, [f64; 3])>>,
    pub(super) welded: usize,
    pub(super) collapsed: usize,
    /// Number of primitives of points or lines.
    pub(super) skipped: usize,
    /// Memory that was charged for the mesh.
    pub(super) bytes: u64,
}

/// Returns a mesh with `n_targets` morph targets, bound to a skin or to its node.
pub(super) fn read(
    document: &Document,
    index: usize,
    n_targets: usize,
    binding: &Binding,
    repaired: &mut Repaired,
    budget: &mut Budget,
) -> Result<Mesh> {
    let what = || format!("mesh {index}");
    let mark = budget.mark();
    let mut mesh = Mesh {
        positions: Vec::new(),
        starts: vec![0],
        influences: Vec::new(),
        source: Vec::new(),
        triangles: Vec::new(),
        targets: vec![Vec::new(); n_targets],
        welded: 0,
        collapsed: 0,
        skipped: 0,
        bytes: 0,
    };
    let mut primitives = Vec::new();
    let mut numbers = Vec::new();
    for (i, source) in document.root.meshes[index].primitives.iter().enumerate() {
        let place = format!("primitive {i} of mesh {index}");
        budget.charge(1, 256, || place.clone())?;
        match primitive::read(document, source, &place, binding, repaired, budget)? {
            Some(primitive) => {
                primitives.push(primitive);
                numbers.push(i as u32);
            }
            None => mesh.skipped += 1,
        }
    }
    let n: usize = primitives.iter().map(|p| p.positions.len()).sum();
    if u32::try_from(n).is_err() {
        return Err(malformed(document.file, what(), "there are 2^32 vertices or more"));
    }
    // The maps for welding. Every target is compared for every vertex.
    budget.charge(n, 80, what)?;
    budget.charge(n.saturating_add(4), 8usize.saturating_mul(n_targets), what)?;
    let welded = weld(&primitives, n_targets);
    let n_kept = welded.kept.len();
    let is_skinned = matches!(binding, Binding::Skin(_));
    let n_influences: usize = match is_skinned {
        true => welded.kept.iter().map(|&(p, v)| primitives[p as usize].influences(v as usize).len()).sum(),
        false => 0,
    };
    let n_triangles: usize = primitives.iter().map(|p| p.triangles.len()).sum();
    let before = budget.mark();
    budget.charge(n_kept, 36, what)?;
    budget.charge(n_influences, size_of::<Influence>(), what)?;
    budget.charge(n_triangles, 12, what)?;
    mesh.positions.reserve_exact(n_kept);
    mesh.source.reserve_exact(n_kept);
    mesh.influences.reserve_exact(n_influences);
    mesh.triangles.reserve_exact(n_triangles);
    for (i, &(p, vertex)) in welded.kept.iter().enumerate() {
        let primitive = &primitives[p as usize];
        mesh.positions.push(primitive.positions[vertex as usize]);
        mesh.source.push((numbers[p as usize], vertex));
        if is_skinned {
            mesh.influences.extend_from_slice(primitive.influences(vertex as usize));
            mesh.starts.push(mesh.influences.len() as u32);
        }
        for (target, deltas) in mesh.targets.iter_mut().enumerate() {
            let delta = primitive.delta(target, vertex as usize);
            if delta != [0.0; 3] {
                budget.charge(1, 64, what)?;
                deltas.push((i as u32, delta));
            }
        }
    }
    mesh.welded = n - n_kept;
    for (primitive, of) in primitives.iter().zip(&welded.of) {
        for triangle in &primitive.triangles {
            let triangle = triangle.map(|corner| of[corner as usize]);
            if is_degenerate(&triangle) {
                mesh.collapsed += 1;
            } else {
                mesh.triangles.push(triangle);
            }
        }
    }
    // The primitives are released, the mesh stays.
    mesh.bytes = budget.since(before);
    budget.release(mark);
    budget.keep(mesh.bytes);
    Ok(mesh)
}

impl Mesh {
    /// Returns the influences of a vertex; empty if the mesh has no skin.
    pub(super) fn influences(&self, vertex: usize) -> &[Influence] {
        match self.starts.get(vertex..vertex + 2) {
            Some(ends) => &self.influences[ends[0] as usize..ends[1] as usize],
            None => &[],
        }
    }

    /// Returns the total number of influences of the vertices of an instance.
    pub(super) fn n_influences(&self) -> usize {
        if self.influences.is_empty() { self.positions.len() } else { self.influences.len() }
    }
}
