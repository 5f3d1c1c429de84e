//! The pose of the nodes of a scene at a time.

use std::fmt;
use std::sync::Arc;

use super::model::{Model, affine};
use crate::error::{Result, malformed};
use crate::skin::{Affine, compose};
use crate::stage::Source;

/// A take of a file, or its nodes as they are.
pub(super) struct Playing {
    pub(super) shared: Arc<(ufbx::SceneRoot, Model)>,
    /// The index of the take.
    pub(super) stack: Option<usize>,
    /// Memory that the evaluation of a frame may take.
    pub(super) limit: usize,
    pub(super) file: String,
}

impl fmt::Debug for Playing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Playing({}, {:?})", self.file, self.stack)
    }
}

impl Playing {
    /// Returns the scene at a time.
    fn evaluate(&self, time: f64) -> Result<Option<ufbx::SceneRoot>> {
        let (scene, _) = &*self.shared;
        let Some(stack) = self.stack else { return Ok(None) };
        let allocator = || ufbx::AllocatorOpts { memory_limit: self.limit, ..Default::default() };
        let options = ufbx::EvaluateOpts {
            temp_allocator: allocator(),
            result_allocator: allocator(),
            ..Default::default()
        };
        let moment = ufbx::evaluate_scene(scene, &scene.anim_stacks[stack].anim, time, options);
        moment.map(Some).map_err(|error| {
            malformed(&self.file, format!("take {stack}, {time} s"), error.description.to_string())
        })
    }

    fn matrices_of(&self, moment: &ufbx::Scene) -> Vec<Affine> {
        let joints = self.shared.1.joints.iter();
        joints
            .map(|joint| compose(&affine(&moment.nodes[joint.node].node_to_world), &joint.into_node))
            .collect()
    }
}

impl Source for Playing {
    fn matrices(&self, time: Option<f64>) -> Result<Vec<Affine>> {
        self.pose(time, &mut [])
    }

    /// At rest, skins are in their bind poses, and all else is where the nodes put it.
    fn pose(&self, time: Option<f64>, positions: &mut [[f64; 3]]) -> Result<Vec<Affine>> {
        let (scene, model) = &*self.shared;
        let Some(time) = time else {
            if !positions.is_empty() {
                model.shape(scene, positions);
            }
            return Ok(model.rest());
        };
        let moment = self.evaluate(time)?;
        let moment: &ufbx::Scene = moment.as_deref().unwrap_or(scene);
        if !positions.is_empty() {
            model.shape(moment, positions);
        }
        Ok(self.matrices_of(moment))
    }

    fn has_shapes(&self) -> bool {
        !self.shared.1.blends.is_empty()
    }
}
