//! The bones of a scene: joints of skins, and nodes with meshes without a skin.

use std::collections::HashMap;
use std::rc::Rc;

use super::document::Document;
use super::scene::{Joint, Scene, from_columns};
use crate::bytes::Budget;
use crate::error::{Result, malformed};
use crate::skin::{Affine, Bone, origin_of};

pub(super) const IDENTITY: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// The bones of a skin.
pub(super) struct SkinBones {
    /// In the order of its joints.
    pub(super) bones: Vec<u32>,
    /// The first bone without another one of them above it; `None` if there are none.
    pub(super) root: Option<u32>,
}

/// All requested bones.
#[derive(Default)]
pub(super) struct Bones {
    pub(super) list: Vec<Bone>,
    /// What moves each bone.
    pub(super) joints: Vec<Joint>,
    /// Bone of each node and map; skins often share both.
    of_node: HashMap<(usize, [[u64; 4]; 3]), u32>,
    of_skin: HashMap<usize, Rc<SkinBones>>,
}

impl Bones {
    /// Returns the bones of a skin.
    pub(super) fn of_skin(
        &mut self,
        index: usize,
        document: &Document,
        scene: &Scene,
        budget: &mut Budget,
    ) -> Result<Rc<SkinBones>> {
        if let Some(bones) = self.of_skin.get(&index) {
            return Ok(bones.clone());
        }
        let fault = |problem: String| malformed(document.file, format!("skin {index}"), problem);
        let skin = document.root.skins.get(index).ok_or_else(|| fault("it does not exist".into()))?;
        let n = skin.joints.len();
        budget.charge(n, 16, || format!("skin {index}"))?;
        let mark = budget.mark();
        let matrices = match skin.inverse_bind_matrices {
            Some(accessor) => document.numbers(accessor, "MAT4", budget)?,
            None => Vec::new(),
        };
        if skin.inverse_bind_matrices.is_some() && matrices.len() < 16 * n {
            return Err(fault(format!("{n} joints, but {} inverse bind matrices", matrices.len() / 16)));
        }
        budget.release(mark);
        let mut bones = Vec::with_capacity(n);
        for (i, &joint) in skin.joints.iter().enumerate() {
            if scene.locals.len() <= joint {
                return Err(fault(format!("its joint {i} is node {joint}, which does not exist")));
            }
            let inverse_bind = matrices.get(16 * i..16 * i + 16).map_or(IDENTITY, from_columns);
            let what = || format!("a joint of skin {index}");
            bones.push(self.of_node(joint, inverse_bind, &format!("joint {i}"), document, budget, what)?);
        }
        let root = self.link(&bones, scene, budget)?;
        let bones = Rc::new(SkinBones { bones, root });
        self.of_skin.insert(index, bones.clone());
        Ok(bones)
    }

    /// Returns the bone of a node, with `rest` the map into its space; adds it if it is new.
    /// `unnamed` is its name if the node has none.
    pub(super) fn of_node(
        &mut self,
        node: usize,
        rest: Affine,
        unnamed: &str,
        document: &Document,
        budget: &mut Budget,
        what: impl FnOnce() -> String,
    ) -> Result<u32> {
        let key = (node, rest.map(|row| row.map(f64::to_bits)));
        if let Some(&bone) = self.of_node.get(&key) {
            return Ok(bone);
        }
        let name = document.root.nodes[node].name.as_deref().filter(|name| !name.is_empty());
        let name = name.unwrap_or(unnamed).to_owned();
        budget.charge(1, 768 + name.len(), what)?;
        let bone = self.list.len() as u32;
        let head = origin_of(&rest).unwrap_or([0.0; 3]);
        self.list.push(Bone { name, parent: None, head, tail: None });
        self.joints.push(Joint { node, inverse_bind: rest });
        self.of_node.insert(key, bone);
        Ok(bone)
    }

    /// Sets the parents of the bones of a skin: the nearest ancestors among them. Returns the first
    /// without.
    fn link(&mut self, bones: &[u32], scene: &Scene, budget: &mut Budget) -> Result<Option<u32>> {
        let mark = budget.mark();
        budget.charge(scene.order.len(), 16, || "the ancestors of joints".into())?;
        let nearest = self.nearest(bones.iter().rev().copied(), scene);
        for &bone in bones {
            let parent = scene.parents[self.joints[bone as usize].node];
            self.list[bone as usize].parent = parent.and_then(|parent| nearest[parent]);
        }
        budget.release(mark);
        Ok(bones.iter().copied().find(|&bone| self.list[bone as usize].parent.is_none()))
    }

    /// Sets the parent of bones without one, such as a sword in a hand, to the nearest ancestor of
    /// any skin.
    pub(super) fn attach_rest(&mut self, scene: &Scene) {
        let nearest = self.nearest((0..self.list.len() as u32).rev(), scene);
        for (bone, joint) in self.list.iter_mut().zip(&self.joints) {
            let above = scene.parents[joint.node].and_then(|parent| nearest[parent]);
            bone.parent = bone.parent.or(above);
        }
    }

    /// Returns for each node the bone among `bones` at the node, the last of several, or the
    /// nearest one above.
    fn nearest(&self, bones: impl Iterator<Item = u32>, scene: &Scene) -> Vec<Option<u32>> {
        let mut nearest = vec![None; scene.order.len()];
        for bone in bones {
            nearest[self.joints[bone as usize].node] = Some(bone);
        }
        for &node in &scene.order {
            let above = scene.parents[node].and_then(|parent| nearest[parent]);
            nearest[node] = nearest[node].or(above);
        }
        nearest
    }
}
