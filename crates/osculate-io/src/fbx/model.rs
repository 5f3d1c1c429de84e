//! The meshes of a scene as one surface with one set of bones.

use std::collections::HashMap;

use super::visibility::{Visibility, is_lower_level};
use crate::bytes::Budget;
use crate::clip::Surface;
use crate::error::{Result, malformed};
use crate::skin::{Affine, Influence, compose};
use crate::stage::{Builder, Polygons, n_unbound};

/// A node, and the map from rest positions into its space.
pub(super) struct Joint {
    pub(super) node: usize,
    pub(super) into_node: Affine,
    /// Its matrix at rest.
    bound: Affine,
}

/// A blend deformer, and the first vertex of a mesh that it moves.
pub(super) struct Blend {
    channels: Vec<usize>,
    first: u32,
}

/// What moves the vertices of the surface.
#[derive(Default)]
pub(super) struct Model {
    pub(super) joints: Vec<Joint>,
    pub(super) blends: Vec<Blend>,
}

/// Returns the surface of all visible meshes, with an object for each node with a mesh, and what
/// moves it.
pub(super) fn read(scene: &ufbx::Scene, file: &str, budget: &mut Budget) -> Result<(Model, Surface)> {
    let mut reader = Reader {
        builder: Builder::new(file, budget),
        model: Model::default(),
        bone_of: HashMap::new(),
        visibility: Visibility::of(scene),
        n_lower: 0,
    };
    for node in &scene.nodes {
        if let Some(mesh) = &node.mesh {
            reader.add(node, mesh)?;
        }
    }
    let Reader { mut builder, model, n_lower, .. } = reader;
    let parents: Vec<Option<usize>> = scene
        .nodes
        .iter()
        .map(|node| node.parent.as_ref().map(|parent| parent.element.typed_id as usize))
        .collect();
    let nodes: Vec<usize> = model.joints.iter().map(|joint| joint.node).collect();
    builder.link(&nodes, &parents)?;
    builder.tally.say(
        n_lower,
        "mesh left out, as it is a lower level of detail",
        "meshes left out, as they are lower levels of detail",
    );
    for warning in &scene.metadata.warnings {
        builder.tally.add(&format!("{} ({} times)", &warning.description[..], warning.count));
    }
    Ok((model, builder.finish()?))
}

struct Reader<'a> {
    builder: Builder<'a>,
    model: Model,
    /// Bone of each node and map; skins often share both.
    bone_of: HashMap<(usize, [[u64; 4]; 3]), u32>,
    visibility: Visibility,
    n_lower: usize,
}

impl Reader<'_> {
    /// Adds the mesh of a node.
    fn add(&mut self, node: &ufbx::Node, mesh: &ufbx::Mesh) -> Result<()> {
        if !self.builder.tally.reads(self.visibility.of_node(node)) {
            return Ok(());
        }
        if is_lower_level(node) {
            self.n_lower += 1;
            return Ok(());
        }
        let name = if node.element.name.is_empty() { &mesh.element.name } else { &node.element.name };
        let name = if name.is_empty() { format!("node {}", node.element.typed_id) } else { name.to_string() };
        let what = || format!("mesh '{name}'");
        let file = self.builder.file;
        let n = mesh.vertices.len();
        self.builder.budget.charge(mesh.faces.len() + mesh.num_indices, 4, what)?;
        let counts: Vec<u32> = mesh.faces.iter().map(|face| face.num_indices).collect();
        let mut corners: Vec<u32> = Vec::with_capacity(mesh.num_indices);
        for face in &mesh.faces {
            let range = face.index_begin as usize..face.index_begin as usize + face.num_indices as usize;
            let found = mesh.vertex_indices.get(range);
            corners.extend_from_slice(found.ok_or_else(|| malformed(file, what(), "a face has no corners"))?);
        }
        if let Some(corner) = corners.iter().find(|&&corner| n <= corner as usize) {
            return Err(malformed(file, what(), format!("corner {corner}, but there are {n} vertices")));
        }
        let skin = mesh.skin_deformers.iter().next();
        let mut bone_of_cluster = Vec::new();
        if let Some(skin) = skin {
            let is_linear =
                matches!(skin.skinning_method, ufbx::SkinningMethod::Linear | ufbx::SkinningMethod::Rigid);
            self.builder.tally.n_other_skins += usize::from(!is_linear);
            for cluster in &skin.clusters {
                let bone = match &cluster.bone_node {
                    Some(bone) => {
                        let into_bone = affine(&cluster.geometry_to_bone);
                        let bound = compose(&affine(&cluster.bind_to_world), &into_bone);
                        Some(self.bone(bone, into_bone, bound)?)
                    }
                    None => None,
                };
                bone_of_cluster.push(bone);
            }
        }
        let bound = |vertex: usize, out: &mut Vec<Influence>| {
            let Some((skin, of)) = skin.and_then(|skin| Some((skin, skin.vertices.get(vertex)?))) else {
                return;
            };
            let range = of.weight_begin as usize..of.weight_begin as usize + of.num_weights as usize;
            for weight in skin.weights.get(range).unwrap_or_default() {
                let bone = bone_of_cluster.get(weight.cluster_index as usize).copied().flatten();
                if let Some(bone) = bone.filter(|_| weight.weight.is_finite() && 0.0 < weight.weight) {
                    out.push(Influence { bone, weight: weight.weight });
                }
            }
        };
        let n_unbound = n_unbound(n, bound);
        self.builder.tally.n_unbound += if skin.is_some() { n_unbound } else { 0 };
        let rigid = match n_unbound {
            0 => None,
            _ => Some(self.bone(node, affine(&node.geometry_to_node), affine(&node.geometry_to_world))?),
        };
        let influences = |vertex: usize, out: &mut Vec<Influence>| {
            bound(vertex, out);
            if let Some(bone) = rigid.filter(|_| out.is_empty()) {
                out.push(Influence { bone, weight: 1.0 });
            }
            Ok(())
        };
        let positions = mesh.vertices.iter().map(|p| [p.x, p.y, p.z]);
        let polygons = Polygons { counts: &counts, corners: &corners, is_flipped: mesh.reversed_winding };
        let first = self.builder.mesh(&name, positions, &polygons, influences)?;
        for blend in &mesh.blend_deformers {
            self.builder.budget.charge(blend.channels.len(), 16, what)?;
            let channels = blend.channels.iter().map(|channel| channel.element.typed_id as usize).collect();
            self.model.blends.push(Blend { channels, first });
        }
        Ok(())
    }

    /// Returns the bone of a node, with the map into its space; adds it if it is new.
    fn bone(&mut self, node: &ufbx::Node, into_node: Affine, bound: Affine) -> Result<u32> {
        let index = node.element.typed_id as usize;
        let key = (index, into_node.map(|row| row.map(f64::to_bits)));
        if let Some(&bone) = self.bone_of.get(&key) {
            return Ok(bone);
        }
        let name = match &node.element.name[..] {
            "" => format!("node {index}"),
            name => name.to_owned(),
        };
        let bone = self.builder.bone(&name, &into_node)?;
        self.model.joints.push(Joint { node: index, into_node, bound });
        self.bone_of.insert(key, bone);
        Ok(bone)
    }
}

impl Model {
    /// Returns the matrix of each bone at rest.
    pub(super) fn rest(&self) -> Vec<Affine> {
        self.joints.iter().map(|joint| joint.bound).collect()
    }

    /// Moves rest positions by the blend shapes of a moment: `p' = p + Σ weight · offset`.
    pub(super) fn shape(&self, moment: &ufbx::Scene, positions: &mut [[f64; 3]]) {
        for blend in &self.blends {
            let first = blend.first as usize;
            for channel in &blend.channels {
                for key in &moment.blend_channels[*channel].keyframes {
                    let weight = key.effective_weight;
                    if weight == 0.0 {
                        continue;
                    }
                    let moved = key.shape.offset_vertices.iter().zip(&key.shape.position_offsets);
                    for (&vertex, offset) in moved {
                        if let Some(position) = positions.get_mut(first + vertex as usize) {
                            for (x, d) in position.iter_mut().zip([offset.x, offset.y, offset.z]) {
                                *x += weight * d;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns a matrix by its rows.
pub(super) fn affine(m: &ufbx::Matrix) -> Affine {
    [[m.m00, m.m01, m.m02, m.m03], [m.m10, m.m11, m.m12, m.m13], [m.m20, m.m21, m.m22, m.m23]]
}
