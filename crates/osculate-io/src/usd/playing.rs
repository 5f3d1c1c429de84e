//! The pose of the prims of a scene at a time, from what was read of their attributes.

use std::fmt;

use super::numbers::Numbers;
use super::samples::Samples;
use super::skel::{Animation, Blend, Skeleton};
use super::xform::Xform;
use crate::error::Result;
use crate::skin::{Affine, compose};
use crate::stage::Source;

/// A prim and its transform.
pub(super) struct Node {
    /// The prim above, which comes before.
    pub(super) parent: Option<usize>,
    pub(super) xform: Xform,
}

/// What a bone follows.
pub(super) enum Bone {
    Node(usize),
    /// A joint of a skeleton, and the map from rest positions into its space.
    Joint {
        skeleton: usize,
        joint: usize,
        into_joint: Affine,
    },
}

/// Points that move, from the first vertex of their mesh on.
pub(super) struct Cached {
    pub(super) first: usize,
    pub(super) points: Samples<Numbers>,
}

/// The scene of a file.
pub(super) struct Playing {
    pub(super) file: String,
    /// The map from the axes and unit of the file to meters with Y up.
    pub(super) world: Affine,
    pub(super) time_codes_per_second: f64,
    pub(super) nodes: Vec<Node>,
    pub(super) bones: Vec<Bone>,
    pub(super) skeletons: Vec<Skeleton>,
    pub(super) animations: Vec<Animation>,
    pub(super) meshes: Vec<Cached>,
    pub(super) blends: Vec<Blend>,
}

impl fmt::Debug for Playing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Playing({}, {} nodes)", self.file, self.nodes.len())
    }
}

impl Playing {
    /// Returns the time code of a moment. At rest, it is before all samples.
    fn code(&self, time: Option<f64>) -> f64 {
        time.map_or(f64::NEG_INFINITY, |time| time * self.time_codes_per_second)
    }

    /// Returns the times of all that moves, in time codes.
    pub(super) fn moving(&self) -> impl Iterator<Item = &[f64]> {
        let nodes = self.nodes.iter().flat_map(|node| node.xform.moving());
        let points = self.meshes.iter().filter_map(|mesh| mesh.points.moving());
        nodes.chain(points).chain(self.animations.iter().flat_map(Animation::moving))
    }
}

impl Source for Playing {
    /// At rest, skeletons are in their rest pose.
    fn matrices(&self, time: Option<f64>) -> Result<Vec<Affine>> {
        let code = self.code(time);
        let mut maps: Vec<Affine> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let above = node.parent.filter(|_| !node.xform.is_reset);
            maps.push(compose(above.map_or(&self.world, |above| &maps[above]), &node.xform.at(code)));
        }
        let of_skeletons: Vec<Vec<Affine>> = self
            .skeletons
            .iter()
            .map(|skeleton| skeleton.joints(&self.animations, time.map(|_| code)))
            .collect();
        let bones = self.bones.iter().map(|bone| match bone {
            Bone::Node(node) => maps[*node],
            Bone::Joint { skeleton, joint, into_joint } => {
                let world = &maps[self.skeletons[*skeleton].node];
                compose(&compose(world, &of_skeletons[*skeleton][*joint]), into_joint)
            }
        });
        Ok(bones.collect())
    }

    fn pose(&self, time: Option<f64>, positions: &mut [[f64; 3]]) -> Result<Vec<Affine>> {
        if time.is_some() {
            let code = self.code(time);
            for mesh in &self.meshes {
                let n = mesh.points.first().len() / 3;
                for (i, position) in positions.iter_mut().skip(mesh.first).take(n).enumerate() {
                    *position = mesh.points.triple(code, i);
                }
            }
            for blend in &self.blends {
                let (animation, place) = blend.weight;
                if let Some(weights) = self.animations.get(animation).and_then(|a| a.weights.as_ref()) {
                    blend.apply(weights.get(code, place), positions);
                }
            }
        }
        self.matrices(time)
    }

    fn has_shapes(&self) -> bool {
        !self.blends.is_empty() || !self.meshes.is_empty()
    }
}
