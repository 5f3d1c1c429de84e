//! The triangles of one primitive, and what its vertices follow.

use super::document::{Document, unsupported};
use super::schema::Primitive as Source;
use crate::bytes::Budget;
use crate::error::{Error, Result, malformed};
use crate::skin::Influence;

/// A primitive as it is in the file, before its vertices are welded.
pub(super) struct Primitive {
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Deltas of the positions for each morph target; empty for targets that do not move them.
    pub(super) targets: Vec<Vec<[f64; 3]>>,
    /// Vertex v has the influences `starts[v]..starts[v + 1]`, sorted by bone.
    pub(super) starts: Vec<usize>,
    pub(super) influences: Vec<Influence>,
}

/// What the vertices of a mesh instance follow.
pub(super) enum Binding<'a> {
    /// One bone, the node itself.
    Rigid(u32),
    /// The bones of a skin, in the order of its joints.
    Skin(&'a [u32]),
}

/// Returns a primitive, or `None` if it consists of points or lines. `place` names it in errors.
pub(super) fn read(
    document: &Document,
    source: &Source,
    place: &str,
    binding: &Binding,
    budget: &mut Budget,
) -> Result<Option<Primitive>> {
    let fault = |problem: String| malformed(document.file, place, problem);
    let mode = source.mode.unwrap_or(4);
    if mode < 4 {
        return Ok(None);
    }
    let position = *source.attributes.get("POSITION").ok_or_else(|| fault("it has no positions".into()))?;
    let is_empty =
        document.root.accessors.get(position).is_some_and(|a| a.buffer_view.is_none() && a.sparse.is_none());
    if let Some(extension) = source.extensions.keys().find(|name| name.contains("draco")).filter(|_| is_empty)
    {
        return Err(unsupported(document.file, extension));
    }
    let positions = document.points(position, budget)?;
    let n = positions.len();
    let indices = match source.indices {
        Some(accessor) => document.indices(accessor, "SCALAR", budget)?,
        None => {
            budget.charge(n, 4, || place.to_owned())?;
            (0..u32::try_from(n).map_err(|_| fault(format!("it has {n} vertices")))?).collect()
        }
    };
    if let Some(index) = indices.iter().find(|&&index| n <= index as usize) {
        return Err(fault(format!("index {index}, but there are {n} vertices")));
    }
    budget.charge(indices.len(), size_of::<[u32; 3]>(), || place.to_owned())?;
    let triangles = triangles(mode, &indices)
        .ok_or_else(|| fault(format!("{} indices with mode {mode} do not make triangles", indices.len())))?;
    let mut targets = Vec::new();
    for (i, target) in source.targets.iter().enumerate() {
        let deltas = match target.get("POSITION") {
            Some(&accessor) => document.points(accessor, budget)?,
            None => Vec::new(),
        };
        if !deltas.is_empty() && deltas.len() != n {
            return Err(fault(format!("morph target {i} has {} vertices instead of {n}", deltas.len())));
        }
        targets.push(deltas);
    }
    let mut primitive = Primitive { positions, triangles, targets, starts: vec![0], influences: Vec::new() };
    budget.charge(n, 8, || place.to_owned())?;
    match binding {
        Binding::Rigid(bone) => {
            budget.charge(n, size_of::<Influence>(), || place.to_owned())?;
            primitive.influences = vec![Influence { bone: *bone, weight: 1.0 }; n];
            primitive.starts = (0..=n).collect();
        }
        Binding::Skin(bones) => read_influences(document, source, &fault, bones, budget, &mut primitive)?,
    }
    Ok(Some(primitive))
}

/// Returns the triangles of a list, a strip or a fan; `None` for unknown modes and incomplete lists.
fn triangles(mode: u32, indices: &[u32]) -> Option<Vec<[u32; 3]>> {
    match (mode, indices) {
        (4, _) if indices.len().is_multiple_of(3) => {
            Some(indices.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect())
        }
        // Every other triangle of a strip is turned, so that all face the same side.
        (5, _) => {
            let turned =
                |(i, w): (usize, &[u32])| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[0], w[2], w[1]] };
            Some(indices.windows(3).enumerate().map(turned).collect())
        }
        (6, []) => Some(Vec::new()),
        (6, [first, rest @ ..]) => Some(rest.windows(2).map(|w| [w[0], w[1], *first]).collect()),
        _ => None,
    }
}

/// Reads all sets of joints and weights. Weights are divided by their sum; a vertex whose weights are all 0
/// follows the first joint that it names.
fn read_influences(
    document: &Document,
    source: &Source,
    fault: &dyn Fn(String) -> Error,
    bones: &[u32],
    budget: &mut Budget,
    primitive: &mut Primitive,
) -> Result<()> {
    let n = primitive.positions.len();
    let mut sets = Vec::new();
    while let Some(&joints) = source.attributes.get(&format!("JOINTS_{}", sets.len())) {
        let set = sets.len();
        let weights = source.attributes.get(&format!("WEIGHTS_{set}"));
        let weights = *weights.ok_or_else(|| fault(format!("JOINTS_{set} has no WEIGHTS_{set}")))?;
        let joints = document.indices(joints, "VEC4", budget)?;
        let weights = document.numbers(weights, "VEC4", budget)?;
        if joints.len() != 4 * n || weights.len() != 4 * n {
            return Err(fault(format!("JOINTS_{set} or WEIGHTS_{set} does not have {n} vertices")));
        }
        sets.push((joints, weights));
    }
    if sets.is_empty() {
        return Err(fault("it has a skin, but no JOINTS_0".into()));
    }
    let mut vertex_influences: Vec<Influence> = Vec::new();
    for vertex in 0..n {
        vertex_influences.clear();
        for (joints, weights) in &sets {
            for (&joint, &weight) in joints[4 * vertex..4 * vertex + 4].iter().zip(&weights[4 * vertex..]) {
                if weight == 0.0 {
                    continue;
                }
                if !(weight.is_finite() && 0.0 < weight) {
                    return Err(fault(format!("vertex {vertex} has the weight {weight}")));
                }
                vertex_influences.push(Influence { bone: bone(bones, joint, vertex, fault)?, weight });
            }
        }
        if vertex_influences.is_empty() {
            let first = bone(bones, sets[0].0[4 * vertex], vertex, fault)?;
            vertex_influences.push(Influence { bone: first, weight: 1.0 });
        }
        // Sorted before the sum, so that vertices with the same weights in another order get the same bits.
        vertex_influences.sort_by_key(|influence| influence.bone);
        vertex_influences.dedup_by(|next, kept| {
            let is_same = next.bone == kept.bone;
            kept.weight += if is_same { next.weight } else { 0.0 };
            is_same
        });
        let sum: f64 = vertex_influences.iter().map(|influence| influence.weight).sum();
        vertex_influences.iter_mut().for_each(|influence| influence.weight /= sum);
        budget.charge(vertex_influences.len(), 2 * size_of::<Influence>(), || {
            "the influences of joints".into()
        })?;
        primitive.influences.extend_from_slice(&vertex_influences);
        primitive.starts.push(primitive.influences.len());
    }
    Ok(())
}

fn bone(bones: &[u32], joint: u32, vertex: usize, fault: &dyn Fn(String) -> Error) -> Result<u32> {
    let found = bones.get(joint as usize).copied();
    found.ok_or_else(|| {
        fault(format!("vertex {vertex} follows joint {joint}, but its skin has {}", bones.len()))
    })
}
