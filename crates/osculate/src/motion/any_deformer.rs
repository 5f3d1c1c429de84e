//! A deformer of any kind.

use super::part::Part;
use super::{Deformer, Line, LoopSurface, Modes, Particles, Skin};
use crate::Error;
use std::any::Any;
use std::sync::Arc;

/// A deformer of any kind, shared by the models that have it.
#[derive(Clone, Debug)]
pub struct AnyDeformer(pub(crate) Arc<dyn Deformer>);

impl AnyDeformer {
    /// Number of vertices.
    #[must_use]
    pub fn n_vertices(&self) -> usize {
        self.0.n_vertices()
    }

    /// Returns the positions of all vertices for the parameters of a pose. Fails if their number is
    /// wrong, or if positions are not finite.
    pub fn vertices(&self, parameters: &[f64]) -> Result<Vec<[f64; 3]>, Error> {
        self.0.check(parameters)?;
        let all: Vec<u32> = (0..self.n_vertices() as u32).collect();
        let mut lines = vec![Line([0.0; 8]); all.len()];
        self.0.place(parameters, None, &all, &mut lines);
        Ok(lines.iter().map(|line| line.ends()[0]).collect())
    }

    /// Returns the deformer of some vertices, in the given order, which has the same parameters and
    /// gives the same positions. Fails with the first vertex that does not exist.
    pub fn part(&self, vertices: &[u32]) -> Result<AnyDeformer, Error> {
        if vertices.iter().copied().eq(0..self.n_vertices() as u32) {
            return Ok(self.clone());
        }
        let part = Part::new(self.0.clone(), vertices)?;
        let whole: &dyn Any = &*self.0;
        // A part of a skin is a skin.
        let Some(skin) = whole.downcast_ref::<Skin>() else { return Ok(AnyDeformer(Arc::new(part))) };
        let rest: Vec<[f64; 3]> = vertices.iter().map(|&v| skin.rest()[v as usize]).collect();
        let influences = vertices.iter().map(|&v| skin.influences(v as usize));
        Ok(Skin::new(skin.n_bones(), &rest, influences)?.into())
    }
}

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
