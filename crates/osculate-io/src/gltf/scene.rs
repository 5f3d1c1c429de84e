//! The node graph: parents, and transforms at a given time.

use super::animation::{Animation, Target};
use super::document::Document;
use crate::bytes::Budget;
use crate::error::{Result, malformed};
use crate::skin::{Affine, compose};

/// The transform of a node relative to its parent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Local {
    Matrix(Affine),
    /// Scale first, then rotation (imaginary parts first), then translation.
    Parts {
        translation: [f64; 3],
        rotation: [f64; 4],
        scale: [f64; 3],
    },
}

/// A node and the map from the rest positions of its vertices into its space.
#[derive(Debug)]
pub(super) struct Joint {
    pub(super) node: usize,
    pub(super) inverse_bind: Affine,
}

/// A mesh instance whose rest positions depend on morph weights.
#[derive(Debug)]
pub(super) struct Morph {
    pub(super) node: usize,
    /// Weights of targets that are not animated, one for each target.
    pub(super) weights: Vec<f64>,
    /// For each target, the vertices that it moves at weight 1, and by how much.
    pub(super) targets: Vec<Vec<(u32, [f64; 3])>>,
}

/// All nodes of a file, and the joints and morphs that move vertices.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) locals: Vec<Local>,
    pub(super) parents: Vec<Option<usize>>,
    /// Nodes, parents before children.
    pub(super) order: Vec<usize>,
    /// Number of morph targets of each node.
    pub(super) n_morphs: Vec<usize>,
    pub(super) joints: Vec<Joint>,
    pub(super) morphs: Vec<Morph>,
}

impl Scene {
    /// Returns the nodes of a document. Fails for a node with two parents, or that is its own
    /// ancestor.
    pub(super) fn read(document: &Document, budget: &mut Budget) -> Result<Self> {
        let nodes = &document.root.nodes;
        // The data of a node, and the two transforms that a pose needs.
        budget.charge(nodes.len(), 384, || format!("{} nodes", nodes.len()))?;
        let fault = |node: usize, problem: String| malformed(document.file, format!("node {node}"), problem);
        let mut parents = vec![None; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            for &child in &node.children {
                match parents.get_mut(child) {
                    None => return Err(fault(i, format!("its child {child} does not exist"))),
                    Some(Some(other)) => {
                        return Err(fault(child, format!("it is a child of {other} and of {i}")));
                    }
                    Some(parent) => *parent = Some(i),
                }
            }
        }
        // Breadth-first from the roots; nodes on a cycle are never reached.
        let mut order: Vec<usize> = (0..nodes.len()).filter(|&node| parents[node].is_none()).collect();
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            order.extend_from_slice(&nodes[node].children);
            next += 1;
        }
        if order.len() < nodes.len() {
            let mut is_met = vec![false; nodes.len()];
            order.iter().for_each(|&node| is_met[node] = true);
            let node = is_met.iter().position(|met| !met).unwrap_or(0);
            return Err(fault(node, "it is its own ancestor, or a descendant of such a node".into()));
        }
        let mut n_morphs = vec![0; nodes.len()];
        for (node, n) in nodes.iter().zip(&mut n_morphs) {
            let mesh = node.mesh.and_then(|mesh| document.root.meshes.get(mesh));
            *n = mesh.map_or(0, |mesh| mesh.primitives.iter().map(|p| p.targets.len()).max().unwrap_or(0));
        }
        let locals = nodes.iter().map(|node| match &node.matrix {
            Some(m) => Local::Matrix(from_columns(&m[..])),
            None => Local::Parts {
                translation: node.translation.as_deref().copied().unwrap_or([0.0; 3]),
                rotation: node.rotation.as_deref().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]),
                scale: node.scale.as_deref().copied().unwrap_or([1.0; 3]),
            },
        });
        let locals = locals.collect();
        Ok(Self { locals, parents, order, n_morphs, joints: Vec::new(), morphs: Vec::new() })
    }

    /// Returns the matrix of each joint, from rest to the pose at a time; without an animation, the
    /// pose of the nodes.
    pub(super) fn matrices(&self, animation: Option<&Animation>, time: f64) -> Vec<Affine> {
        let globals = self.globals(animation, time);
        self.joints.iter().map(|joint| compose(&globals[joint.node], &joint.inverse_bind)).collect()
    }

    /// Returns the map of each node into the space of the world.
    pub(super) fn globals(&self, animation: Option<&Animation>, time: f64) -> Vec<Affine> {
        let mut locals = self.locals.clone();
        let mut value = Vec::new();
        for channel in animation.map_or(&[][..], |animation| &animation.channels) {
            let Local::Parts { translation, rotation, scale } = &mut locals[channel.node] else { continue };
            let part: &mut [f64] = match channel.target {
                Target::Translation => translation,
                Target::Rotation => rotation,
                Target::Scale => scale,
                Target::Weights => continue,
            };
            channel.sample(time, &mut value);
            part.copy_from_slice(&value);
        }
        let mut globals: Vec<Affine> = vec![[[0.0; 4]; 3]; locals.len()];
        for &node in &self.order {
            let local = locals[node].to_affine();
            globals[node] = match self.parents[node] {
                Some(parent) => compose(&globals[parent], &local),
                None => local,
            };
        }
        globals
    }

    /// Moves rest positions by the morph targets at a time.
    pub(super) fn morph(&self, animation: Option<&Animation>, time: f64, positions: &mut [[f64; 3]]) {
        let mut weights = Vec::new();
        for morph in &self.morphs {
            weights.clone_from(&morph.weights);
            for channel in animation.map_or(&[][..], |animation| &animation.channels) {
                if channel.node == morph.node && channel.target == Target::Weights {
                    channel.sample(time, &mut weights);
                }
            }
            for (&weight, target) in weights.iter().zip(&morph.targets) {
                if weight == 0.0 {
                    continue;
                }
                for (vertex, delta) in target {
                    let position = &mut positions[*vertex as usize];
                    for (coordinate, delta) in position.iter_mut().zip(delta) {
                        *coordinate += weight * delta;
                    }
                }
            }
        }
    }
}

/// Returns the affine part of a column-major 4x4 matrix.
pub(super) fn from_columns(m: &[f64]) -> Affine {
    std::array::from_fn(|i| std::array::from_fn(|j| m[4 * j + i]))
}

impl Local {
    /// Returns the map. Rotations are normalized; one of length 0 is the identity.
    pub(super) fn to_affine(self) -> Affine {
        let (t, q, s) = match self {
            Local::Matrix(matrix) => return matrix,
            Local::Parts { translation, rotation, scale } => (translation, rotation, scale),
        };
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [x, y, z, w] = if 0.0 < length { q.map(|x| x / length) } else { [0.0, 0.0, 0.0, 1.0] };
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        std::array::from_fn(|i| {
            let row = rotation[i];
            [row[0] * s[0], row[1] * s[1], row[2] * s[2], t[i]]
        })
    }
}
