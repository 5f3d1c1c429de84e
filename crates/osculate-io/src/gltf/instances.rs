//! Visibility and placement of meshes: `KHR_node_visibility` and `EXT_mesh_gpu_instancing`.

use super::bones::IDENTITY;
use super::document::Document;
use super::scene::{Local, Scene};
use crate::bytes::Budget;
use crate::error::{Error, Result, malformed};
use crate::skin::Affine;

/// Returns whether each node, or one above it, is hidden.
pub(super) fn hidden(document: &Document, scene: &Scene) -> Vec<bool> {
    let mut is_hidden: Vec<bool> = document.root.nodes.iter().map(|node| node.is_hidden()).collect();
    for &node in &scene.order {
        is_hidden[node] |= scene.parents[node].is_some_and(|parent| is_hidden[parent]);
    }
    is_hidden
}

/// Returns the placements of a node's mesh, relative to the node: once at the node itself, or at
/// its instances. Instances of a mesh with a skin are rejected: their motion is not specified.
pub(super) fn places(document: &Document, node: usize, budget: &mut Budget) -> Result<Vec<Affine>> {
    let Some(instancing) = document.root.nodes[node].instancing() else { return Ok(vec![IDENTITY]) };
    if document.root.nodes[node].skin.is_some() {
        return Err(Error::Unsupported {
            file: document.file.to_owned(),
            what: format!("EXT_mesh_gpu_instancing of a mesh with a skin, in node {node},"),
            advice: "export the instances as nodes".into(),
        });
    }
    let fault = |problem: String| malformed(document.file, format!("the instances of node {node}"), problem);
    let mut read = |name: &str, kind: &str, width: usize| match instancing.attributes.get(name) {
        Some(&accessor) => Ok(Some((document.numbers(accessor, kind, budget)?, width))),
        None => Ok(None),
    };
    let parts = [read("TRANSLATION", "VEC3", 3)?, read("ROTATION", "VEC4", 4)?, read("SCALE", "VEC3", 3)?];
    let mut lengths = parts.iter().flatten().map(|(values, width)| values.len() / width);
    let Some(n) = lengths.next() else { return Ok(vec![IDENTITY]) };
    if let Some(other) = lengths.find(|&other| other != n) {
        return Err(fault(format!("{n} and {other} values; there must be as many of each attribute")));
    }
    budget.charge(n, size_of::<Affine>(), || format!("{n} instances of node {node}"))?;
    let [translation, rotation, scale] = parts;
    let place = |i: usize| {
        let local = Local::Parts {
            translation: row(&translation, i, [0.0; 3]),
            rotation: row(&rotation, i, [0.0, 0.0, 0.0, 1.0]),
            scale: row(&scale, i, [1.0; 3]),
        };
        local.to_affine()
    };
    Ok((0..n).map(place).collect())
}

fn row<const N: usize>(values: &Option<(Vec<f64>, usize)>, i: usize, default: [f64; N]) -> [f64; N] {
    let row = values.as_ref().and_then(|(values, _)| values.get(i * N..(i + 1) * N));
    row.and_then(|row| row.try_into().ok()).unwrap_or(default)
}
