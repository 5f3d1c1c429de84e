//! Meshes with a morph target for each frame but the first.

use serde_json::{Value, json};

use super::super::animation::Animation;
use super::Document;

/// Adds the objects and the weights of their targets to a document.
pub(super) fn add(document: &mut Document, animation: &Animation) {
    let n_targets = animation.n_frames() - 1;
    let parts = std::mem::take(&mut document.parts);
    let mut bases: Vec<Vec<[f32; 3]>> = Vec::new();
    let mut targets: Vec<Vec<Value>> = vec![Vec::new(); parts.len()];
    let mut positions = Vec::new();
    animation.for_each_pose(|pose| {
        if bases.is_empty() {
            let base = |vertex: &u32| pose[*vertex as usize].map(|x| x as f32);
            bases = parts.iter().map(|part| part.vertices.iter().map(base).collect()).collect();
            positions = bases.iter().map(|base| document.buffer.positions(base)).collect();
            return;
        }
        for ((part, base), targets) in parts.iter().zip(&bases).zip(&mut targets) {
            let delta = |(&vertex, base): (&u32, &[f32; 3])| {
                let position = pose[vertex as usize];
                std::array::from_fn(|i| (position[i] - f64::from(base[i])) as f32)
            };
            let deltas: Vec<[f32; 3]> = part.vertices.iter().zip(base).map(delta).collect();
            targets.push(json!({"POSITION": document.buffer.positions(&deltas)}));
        }
    });
    // In frame k, target k - 1 has the weight 1 and all others 0.
    let mut weights = vec![0.0; (n_targets + 1) * n_targets];
    (0..n_targets).for_each(|target| weights[(target + 1) * n_targets + target] = 1.0);
    let weights = (0 < n_targets).then(|| document.buffer.values("SCALAR", &weights));
    for ((part, targets), position) in parts.iter().zip(targets).zip(positions) {
        let corners = document.buffer.corners(&part.corners);
        let mut primitive = json!({"attributes": {"POSITION": position}, "indices": corners});
        let mesh = document.meshes.len();
        if let Some(weights) = weights {
            primitive["targets"] = targets.into();
            document.channel(document.nodes.len(), "weights", weights);
        }
        document.meshes.push(json!({"name": part.name, "primitives": [primitive]}));
        document.root(json!({"name": part.name, "mesh": mesh}));
    }
}
