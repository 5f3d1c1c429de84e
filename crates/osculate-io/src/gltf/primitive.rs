//! The triangles of one primitive, and what its vertices follow.

use super::attributes::Attributes;
use super::bones::SkinBones;
use super::document::Document;
use super::schema::Primitive as Source;
use crate::bytes::Budget;
use crate::error::{Error, Result, malformed};
use crate::note::counted;
use crate::skin::{Influence, normalize};

/// A primitive as it is in the file, before its vertices are welded.
pub(super) struct Primitive {
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Deltas of the positions for each morph target; empty for targets that do not move them.
    pub(super) targets: Vec<Vec<[f64; 3]>>,
    /// Vertex v has the influences `starts[v]..starts[v + 1]`, sorted by bone; none if it follows its node.
    pub(super) starts: Vec<usize>,
    pub(super) influences: Vec<Influence>,
}

/// What the vertices of a mesh instance follow.
pub(super) enum Binding<'a> {
    /// One bone, the node of the instance.
    Rigid,
    /// The bones of a skin.
    Skin(&'a SkinBones),
}

/// Vertices whose weights say nothing; they follow the root of their skin.
#[derive(Debug, Default)]
pub(super) struct Repaired {
    count: usize,
    first: Vec<String>,
}

impl Repaired {
    fn add(&mut self, vertex: usize, place: &str) {
        if self.first.len() < 3 {
            self.first.push(format!("vertex {vertex} of {place}"));
        }
        self.count += 1;
    }

    /// Returns how many there are and the first of them; `None` if there are none.
    pub(super) fn note(&self) -> Option<String> {
        let more = if self.first.len() < self.count { ", …" } else { "" };
        (0 < self.count).then(|| {
            format!(
                "{} with weights that are negative, no numbers, or all 0: {}{more}; bound to the root of the skin",
                counted(self.count, "vertex", "vertices"),
                self.first.join(", ")
            )
        })
    }
}

/// Returns a primitive, or `None` if it consists of points or lines. `place` names it in errors.
pub(super) fn read(
    document: &Document,
    source: &Source,
    place: &str,
    binding: &Binding,
    repaired: &mut Repaired,
    budget: &mut Budget,
) -> Result<Option<Primitive>> {
    let fault = |problem: String| malformed(document.file, place, problem);
    if source.mode.is_some_and(|mode| mode < 4) {
        return Ok(None);
    }
    let attributes = Attributes::new(document, source, place, budget)?;
    let positions = attributes.numbers("POSITION", "VEC3", 3, budget)?;
    let positions = positions.ok_or_else(|| fault("it has no positions".into()))?;
    budget.charge(positions.len(), 8, || place.to_owned())?;
    let positions: Vec<[f64; 3]> = positions.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
    let n = positions.len();
    let (indices, mode) = attributes.indices(n, budget)?;
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
        Binding::Rigid => {}
        Binding::Skin(bones) => {
            let mut repair = |vertex| repaired.add(vertex, place);
            read_influences(&attributes, &fault, bones, &mut repair, budget, &mut primitive)?;
        }
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

/// Reads all sets of joints and weights. Weights are divided by their sum; a vertex with a weight that is
/// negative or no number, or without any but 0, follows the root of its skin and is told to `repair`.
fn read_influences(
    attributes: &Attributes,
    fault: &dyn Fn(String) -> Error,
    skin: &SkinBones,
    repair: &mut dyn FnMut(usize),
    budget: &mut Budget,
    primitive: &mut Primitive,
) -> Result<()> {
    let n = primitive.positions.len();
    let mut sets = Vec::new();
    while let Some(joints) = attributes.joints(&format!("JOINTS_{}", sets.len()), budget)? {
        let set = sets.len();
        let weights = attributes.numbers(&format!("WEIGHTS_{set}"), "VEC4", 4, budget)?;
        let weights = weights.ok_or_else(|| fault(format!("JOINTS_{set} has no WEIGHTS_{set}")))?;
        if joints.len() != 4 * n || weights.len() != 4 * n {
            return Err(fault(format!("JOINTS_{set} or WEIGHTS_{set} does not have {n} vertices")));
        }
        sets.push((joints, weights));
    }
    if sets.is_empty() {
        return Err(fault("it has a skin, but no JOINTS_0".into()));
    }
    let root = skin.root.ok_or_else(|| fault("its skin has no joints".into()))?;
    let mut vertex_influences: Vec<Influence> = Vec::new();
    for vertex in 0..n {
        vertex_influences.clear();
        let mut is_sound = true;
        for (joints, weights) in &sets {
            for (&joint, &weight) in joints[4 * vertex..4 * vertex + 4].iter().zip(&weights[4 * vertex..]) {
                if weight == 0.0 {
                    continue;
                }
                is_sound &= weight.is_finite() && 0.0 < weight;
                let found = skin.bones.get(joint as usize).copied();
                let bone = found.ok_or_else(|| {
                    let n_joints = skin.bones.len();
                    fault(format!("vertex {vertex} follows joint {joint}, but its skin has {n_joints}"))
                })?;
                vertex_influences.push(Influence { bone, weight });
            }
        }
        if vertex_influences.is_empty() || !is_sound {
            repair(vertex);
            vertex_influences.clear();
            vertex_influences.push(Influence { bone: root, weight: 1.0 });
        }
        normalize(&mut vertex_influences);
        budget.charge(vertex_influences.len(), 2 * size_of::<Influence>(), || {
            "the influences of joints".into()
        })?;
        primitive.influences.extend_from_slice(&vertex_influences);
        primitive.starts.push(primitive.influences.len());
    }
    Ok(())
}
