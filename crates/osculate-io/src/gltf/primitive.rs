//! The triangles of one primitive, and the influences of its vertices.

use super::attributes::Attributes;
use super::bones::SkinBones;
use super::document::Document;
use super::schema::Primitive as Source;
use crate::bytes::Budget;
use crate::error::{Error, Result, malformed};
use crate::note::counted;
use crate::skin::{Influence, normalize};

/// A primitive of the file, before its vertices are welded.
pub(super) struct Primitive {
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Deltas of the positions for each morph target; empty for targets that do not move them.
    pub(super) targets: Vec<Vec<[f64; 3]>>,
    /// Vertex v has the influences `starts[v]..starts[v + 1]`, sorted by bone; empty if it follows
    /// its node.
    pub(super) starts: Vec<usize>,
    pub(super) influences: Vec<Influence>,
}

/// The binding of the vertices of a mesh instance.
pub(super) enum Binding<'a> {
    /// One bone, the node of the instance.
    Rigid,
    /// The bones of a skin.
    Skin(&'a SkinBones),
}

/// Vertices with invalid weights.
#[derive(Debug, Default)]
pub(super) struct Repaired {
    /// Without a positive finite weight: they follow the root of their skin.
    unbound: Vertices,
    /// With negative weights, which are clamped to 0.
    negative: Vertices,
}

/// The number of vertices, and the names of the first ones.
#[derive(Debug, Default)]
struct Vertices {
    count: usize,
    first: Vec<String>,
}

impl Vertices {
    fn add(&mut self, vertex: usize, place: &str) {
        if self.first.len() < 3 {
            self.first.push(format!("vertex {vertex} of {place}"));
        }
        self.count += 1;
    }

    fn note(&self, what: &str, done: &str) -> Option<String> {
        let more = if self.first.len() < self.count { ", …" } else { "" };
        let n = counted(self.count, "vertex", "vertices");
        (0 < self.count).then(|| format!("{n} with {what} ({}{more}); {done}", self.first.join(", ")))
    }
}

impl Repaired {
    /// Returns the notes.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let unbound = self
            .unbound
            .note("weights that are no numbers, or none above 0", "bound to the root of the skin");
        unbound.into_iter().chain(self.negative.note("negative weights", "taken as 0"))
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
            read_influences(&attributes, place, &fault, bones, repaired, budget, &mut primitive)?;
        }
    }
    Ok(Some(primitive))
}

/// Returns the triangles of a list, a strip or a fan; `None` for unknown modes and incomplete
/// lists.
fn triangles(mode: u32, indices: &[u32]) -> Option<Vec<[u32; 3]>> {
    match (mode, indices) {
        (4, _) if indices.len().is_multiple_of(3) => {
            Some(indices.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect())
        }
        // Every other triangle of a strip is flipped, so that all face the same side.
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

/// Reads all sets of joints and weights. Negative weights are clamped to 0, and all are normalized.
/// A vertex with a NaN or infinite weight, or with none above 0, follows the root of its skin.
fn read_influences(
    attributes: &Attributes,
    place: &str,
    fault: &dyn Fn(String) -> Error,
    skin: &SkinBones,
    repaired: &mut Repaired,
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
        let (mut is_finite, mut is_negative) = (true, false);
        for (joints, weights) in &sets {
            for (&joint, &weight) in joints[4 * vertex..4 * vertex + 4].iter().zip(&weights[4 * vertex..]) {
                is_finite &= weight.is_finite();
                is_negative |= weight < 0.0;
                if weight <= 0.0 {
                    continue;
                }
                let found = skin.bones.get(joint as usize).copied();
                let bone = found.ok_or_else(|| {
                    let n_joints = skin.bones.len();
                    fault(format!("vertex {vertex} follows joint {joint}, but its skin has {n_joints}"))
                })?;
                vertex_influences.push(Influence { bone, weight });
            }
        }
        if vertex_influences.is_empty() || !is_finite {
            repaired.unbound.add(vertex, place);
            vertex_influences.clear();
            vertex_influences.push(Influence { bone: root, weight: 1.0 });
        } else if is_negative {
            repaired.negative.add(vertex, place);
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
