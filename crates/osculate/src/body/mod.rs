//! A body: an instance of a model, its pose, and what methods keep for it from step to step.

mod kept;

pub(crate) use kept::{Keep, Kept};

use crate::Model;
use crate::bounds::Reach;
use crate::math::bernstein::FILTER_RANGE;
use crate::motion::Skinned;
use std::ops::Range;
use std::sync::Arc;

/// What a body may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodySettings {
    /// A static body is never tested against itself or against another static body.
    pub is_static: bool,
    /// Whether the body is tested against itself.
    pub self_contact: bool,
    /// The groups that the body belongs to, a bit each.
    pub groups: u32,
    /// The groups that the body may touch, a bit each. Two bodies are tested if each may touch a
    /// group of the other.
    pub touches: u32,
}

impl Default for BodySettings {
    fn default() -> Self {
        BodySettings { is_static: false, self_contact: true, groups: 1, touches: u32::MAX }
    }
}

/// An instance of a model: its place in the vertices of the world, and what is kept from step to
/// step.
pub(crate) struct Body {
    pub(crate) model: Arc<Model>,
    pub(crate) vertices: Range<usize>,
    pub(crate) settings: BodySettings,
    /// The bones, if the pose is given by them. Then a vertex is where it belongs only after it was
    /// asked for.
    pub(crate) skinned: Option<Skinned>,
    /// Whether the vertices end the step where they start, unless the pose is given by bones.
    pub(crate) rests: bool,
    /// A number that changes with the pose, and with where the step ends.
    pub(crate) version: u64,
    /// What methods keep.
    pub(crate) kept: Kept,
}

impl Body {
    pub(crate) fn new(model: Arc<Model>, vertices: Range<usize>, settings: BodySettings) -> Body {
        Body { model, vertices, settings, skinned: None, rests: true, version: 0, kept: Kept::default() }
    }

    /// Bytes of memory that are held for the body alone.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.skinned.as_ref().map_or(0, Skinned::memory_bytes) + self.kept.memory_bytes(&self.model)
    }

    /// Whether what is known of a body and itself applies: it is about surfaces without thickness,
    /// and coordinates in the range of the filters.
    pub(crate) fn has_proofs(&self, reach: Reach) -> bool {
        self.settings.self_contact
            && !self.settings.is_static
            && reach.margin == 0.0
            && reach.largest <= FILTER_RANGE
    }
}
