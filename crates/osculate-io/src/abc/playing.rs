//! The pose of the objects of a file at a time, from the samples in its bytes.

use std::fmt;
use std::sync::Arc;

use super::ogawa::Ogawa;
use super::polymesh::Points;
use super::xform::Xform;
use crate::error::Result;
use crate::skin::{Affine, compose};
use crate::stage::{IDENTITY, Source};
use crate::tally::Seen;

/// An object and its transform.
pub(super) struct Node {
    pub(super) parent: Option<usize>,
    pub(super) xform: Xform,
    pub(super) seen: Seen,
    /// The bone that stands for it, if meshes follow it.
    pub(super) bone: Option<u32>,
}

/// The points of a mesh, and its first vertex.
pub(super) struct Cached {
    pub(super) first: usize,
    pub(super) points: Points,
}

/// The objects of a file, parents before children, and what was checked about them.
pub(super) struct Playing {
    pub(super) bytes: Arc<Vec<u8>>,
    pub(super) file: String,
    pub(super) nodes: Vec<Node>,
    /// The node of each bone.
    pub(super) bones: Vec<usize>,
    pub(super) meshes: Vec<Cached>,
}

impl fmt::Debug for Playing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Playing({}, {} meshes)", self.file, self.meshes.len())
    }
}

impl Playing {
    fn ogawa(&self) -> Ogawa<'_> {
        Ogawa { bytes: &self.bytes, file: &self.file }
    }
}

impl Source for Playing {
    fn matrices(&self, time: Option<f64>) -> Result<Vec<Affine>> {
        let ogawa = self.ogawa();
        let time = time.unwrap_or(f64::NEG_INFINITY);
        let mut maps: Vec<Affine> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let local = node.xform.at(&ogawa, time)?;
            let inherits = node.xform.inherits(&ogawa, time)?;
            maps.push(match node.parent.filter(|_| inherits) {
                Some(parent) => compose(&maps[parent], &local),
                None => local,
            });
        }
        Ok(self.bones.iter().map(|&node| maps.get(node).copied().unwrap_or(IDENTITY)).collect())
    }

    fn pose(&self, time: Option<f64>, positions: &mut [[f64; 3]]) -> Result<Vec<Affine>> {
        if let Some(time) = time {
            for mesh in &self.meshes {
                let of_mesh = positions.get_mut(mesh.first..mesh.first + mesh.points.n);
                mesh.points.at(&self.ogawa(), time, of_mesh.unwrap_or_default())?;
            }
        }
        self.matrices(time)
    }

    fn has_rest(&self) -> bool {
        false
    }

    fn has_shapes(&self) -> bool {
        self.meshes.iter().any(|mesh| mesh.points.moving().is_some())
    }
}
