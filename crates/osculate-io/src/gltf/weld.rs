//! Merges the vertices of a mesh instance that always coincide.
//!
//! Exporters split a vertex where its texture coordinates, normals or materials differ. Two
//! vertices are merged if their positions, their influences and their deltas in every morph target
//! are equal; then no pose can separate them.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use super::primitive::Primitive;
use crate::skin::Influence;

/// The vertices of all primitives of an instance, in order, and their merging.
pub(super) struct Welded {
    /// Primitive and vertex of each kept vertex.
    pub(super) kept: Vec<(u32, u32)>,
    /// For each primitive, the kept vertex of each of its vertices.
    pub(super) of: Vec<Vec<u32>>,
}

/// Returns the kept vertices of the primitives: the first of equal ones.
pub(super) fn weld(primitives: &[Primitive], n_targets: usize) -> Welded {
    // Randomly seeded, so that no file can provoke collisions.
    let state = RandomState::new();
    let mut last_with: HashMap<u64, u32> = HashMap::new();
    // The previous kept vertex with the same hash, or the vertex itself.
    let mut previous: Vec<u32> = Vec::new();
    let mut welded = Welded { kept: Vec::new(), of: Vec::new() };
    for (p, primitive) in primitives.iter().enumerate() {
        let mut of = Vec::with_capacity(primitive.positions.len());
        for vertex in 0..primitive.positions.len() {
            let mut hasher = state.build_hasher();
            for word in words(primitive, vertex, n_targets) {
                hasher.write_u64(word);
            }
            let hash = hasher.finish();
            let new = welded.kept.len() as u32;
            let mut candidate = last_with.get(&hash).copied();
            let found = loop {
                let Some(at) = candidate else { break None };
                let (q, other) = welded.kept[at as usize];
                let other = words(&primitives[q as usize], other as usize, n_targets);
                if other.eq(words(primitive, vertex, n_targets)) {
                    break Some(at);
                }
                candidate = Some(previous[at as usize]).filter(|&before| before != at);
            };
            of.push(found.unwrap_or_else(|| {
                previous.push(last_with.insert(hash, new).unwrap_or(new));
                welded.kept.push((p as u32, vertex as u32));
                new
            }));
        }
        welded.of.push(of);
    }
    welded
}

/// Returns everything that determines the motion of a vertex, as bits.
fn words(primitive: &Primitive, vertex: usize, n_targets: usize) -> impl Iterator<Item = u64> + '_ {
    // Adding 0 makes -0 and 0 equal.
    let bits = |v: [f64; 3]| v.map(|x| (x + 0.0).to_bits());
    let deltas = (0..n_targets).flat_map(move |target| bits(primitive.delta(target, vertex)));
    let influences =
        primitive.influences(vertex).iter().flat_map(|i| [u64::from(i.bone), i.weight.to_bits()]);
    bits(primitive.positions[vertex]).into_iter().chain(deltas).chain(influences)
}

impl Primitive {
    /// Returns the influences of a vertex; empty if it follows its node.
    pub(super) fn influences(&self, vertex: usize) -> &[Influence] {
        match self.starts.get(vertex..vertex + 2) {
            Some(ends) => &self.influences[ends[0]..ends[1]],
            None => &[],
        }
    }

    /// Returns the displacement of a vertex by a morph target.
    pub(super) fn delta(&self, target: usize, vertex: usize) -> [f64; 3] {
        self.targets.get(target).and_then(|deltas| deltas.get(vertex)).copied().unwrap_or([0.0; 3])
    }
}
