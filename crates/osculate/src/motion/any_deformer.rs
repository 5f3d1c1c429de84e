//! A deformer of any kind.

use super::{Deformer, LoopSurface, Modes, Particles, Skin};
use std::sync::Arc;

/// A deformer of any kind, shared by the models that have it.
#[derive(Clone, Debug)]
pub struct AnyDeformer(pub(crate) Arc<dyn Deformer>);

impl From<Skin> for AnyDeformer {
    fn from(skin: Skin) -> Self {
        AnyDeformer(Arc::new(skin))
    }
}

impl From<LoopSurface> for AnyDeformer {
    fn from(surface: LoopSurface) -> Self {
        AnyDeformer(Arc::new(surface))
    }
}

impl From<Particles> for AnyDeformer {
    fn from(particles: Particles) -> Self {
        AnyDeformer(Arc::new(particles))
    }
}

impl From<Modes> for AnyDeformer {
    fn from(modes: Modes) -> Self {
        AnyDeformer(Arc::new(modes))
    }
}
