//! Meshes that follow the joints of a skin.

use serde_json::{Map, Value, json};

use super::super::animation::Rig;
use super::skeleton::Skeleton;
use super::transform::Parts;
use super::{Document, Part};
use crate::skin::Influence;

/// Adds the joints, their keys, and the objects to a document.
pub(super) fn add(document: &mut Document, rig: &Rig, skeleton: &Skeleton) {
    // The joints of a skin need a common ancestor.
    let first = document.root(Value::Null) + 1;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); rig.bones.len()];
    let mut roots = Vec::new();
    for (bone, parent) in skeleton.parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent as usize].push(first + bone),
            None => roots.push(first + bone),
        }
    }
    document.nodes[first - 1] = json!({"name": "skeleton", "children": roots});
    for ((bone, children), locals) in rig.bones.iter().zip(children).zip(&skeleton.locals) {
        let Parts { translation, rotation, scale } = locals[0];
        let mut node = json!({"name": bone.name, "translation": translation.map(f64::from),
            "rotation": rotation.map(f64::from), "scale": scale.map(f64::from)});
        if !children.is_empty() {
            node["children"] = children.into();
        }
        document.nodes.push(node);
        add_keys(document, document.nodes.len() - 1, locals);
    }
    let inverse_binds = skeleton
        .heads
        .iter()
        .flat_map(|&[x, y, z]| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0]);
    let inverse_binds = document.buffer.values("MAT4", &inverse_binds.collect::<Vec<f32>>());
    let joints: Vec<usize> = (first..first + rig.bones.len()).collect();
    document.skins.push(json!({"joints": joints, "inverseBindMatrices": inverse_binds}));
    for part in std::mem::take(&mut document.parts) {
        let attributes = attributes(document, rig, &part);
        let corners = document.buffer.corners(&part.corners);
        let primitive = json!({"attributes": attributes, "indices": corners});
        let mesh = document.meshes.len();
        document.meshes.push(json!({"name": part.name, "primitives": [primitive]}));
        document.root(json!({"name": part.name, "mesh": mesh, "skin": 0}));
    }
}

/// Gets a property of a transform.
type Get = fn(&Parts) -> &[f32];

/// Adds a key for each frame to the animated properties of a joint.
fn add_keys(document: &mut Document, node: usize, locals: &[Parts]) {
    let is_moving = |get: Get| locals.iter().any(|parts| get(parts) != get(&locals[0]));
    let properties: [(&str, &str, Get); 3] = [
        ("translation", "VEC3", |parts| &parts.translation),
        ("rotation", "VEC4", |parts| &parts.rotation),
        ("scale", "VEC3", |parts| &parts.scale),
    ];
    for (path, kind, get) in properties.into_iter().filter(|&(_, _, get)| is_moving(get)) {
        let values: Vec<f32> = locals.iter().flat_map(get).copied().collect();
        let output = document.buffer.values(kind, &values);
        document.channel(node, path, output);
    }
}

/// Adds positions, joints and weights of an object, and returns their accessors.
fn attributes(document: &mut Document, rig: &Rig, part: &Part) -> Value {
    let positions: Vec<[f32; 3]> =
        part.vertices.iter().map(|&vertex| rig.rest[vertex as usize].map(|x| x as f32)).collect();
    let influences: Vec<Vec<Influence>> =
        part.vertices.iter().map(|&vertex| merged(rig.of_vertex(vertex as usize))).collect();
    let mut attributes = Map::new();
    attributes.insert("POSITION".into(), document.buffer.positions(&positions).into());
    let n_sets = influences.iter().map(|of_vertex| of_vertex.len().div_ceil(4)).max().unwrap_or(0);
    for set in 0..n_sets {
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        for of_vertex in &influences {
            for i in 4 * set..4 * set + 4 {
                let influence = of_vertex.get(i);
                joints.push(influence.map_or(0, |influence| influence.bone as u16));
                weights.push(influence.map_or(0.0, |influence| influence.weight as f32));
            }
        }
        attributes.insert(format!("JOINTS_{set}"), document.buffer.joints(&joints).into());
        attributes.insert(format!("WEIGHTS_{set}"), document.buffer.weights(&weights).into());
    }
    attributes.into()
}

/// Returns influences without zero weights, and each bone once, as the format requires.
fn merged(influences: &[Influence]) -> Vec<Influence> {
    let mut merged: Vec<Influence> = Vec::with_capacity(influences.len());
    for influence in influences.iter().filter(|influence| 0.0 < influence.weight as f32) {
        match merged.iter_mut().find(|other| other.bone == influence.bone) {
            Some(other) => other.weight += influence.weight,
            None => merged.push(*influence),
        }
    }
    merged
}
