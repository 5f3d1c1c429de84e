//! Surfaces that few parameters move: subdivision surfaces, particles and modes.
//!
//! They are evaluated by the deformers of the library, so that positions have the same bits whether
//! a clip or a query computes them. It is the only part of the library that this crate uses.

use osculate::deformer::{AnyDeformer, LoopSurface, Modes, Particles};

use crate::skin::{Affine, Skin};

/// How few parameters move all vertices of a surface.
#[derive(Clone, Debug, PartialEq)]
pub enum Deformer {
    /// Control points of a Loop subdivision surface.
    Control(LoopSurface),
    /// Particles: their deformation gradients and positions.
    Particles(Particles),
    /// Amplitudes of modes; with a skin, the matrices of bones before them.
    Modes(Modes),
}

impl Deformer {
    /// Returns the number of vertices.
    #[must_use]
    pub fn n_vertices(&self) -> usize {
        match self {
            Deformer::Control(surface) => surface.rest().len(),
            Deformer::Particles(particles) => particles.rest().len(),
            Deformer::Modes(modes) => modes.rest().len(),
        }
    }

    /// Returns the positions of the vertices at rest.
    #[must_use]
    pub fn rest(&self) -> &[[f64; 3]] {
        match self {
            Deformer::Control(surface) => surface.rest(),
            Deformer::Particles(particles) => particles.rest(),
            Deformer::Modes(modes) => modes.rest(),
        }
    }

    /// Returns the number of parameters of a frame: three coordinates for each control point,
    /// twelve entries of `[F | y]` for each particle, twelve of its matrix for each bone, an
    /// amplitude for each mode.
    #[must_use]
    pub fn n_parameters(&self) -> usize {
        match self {
            Deformer::Control(surface) => 3 * surface.control().len(),
            Deformer::Particles(particles) => 12 * particles.n_particles(),
            Deformer::Modes(modes) => 12 * modes.n_bones() + modes.n_modes(),
        }
    }

    /// Returns what the parameters are of, such as "control points".
    #[must_use]
    pub fn governors(&self) -> &'static str {
        match self {
            Deformer::Control(_) => "control points",
            Deformer::Particles(_) => "particles",
            Deformer::Modes(modes) if modes.n_bones() == 0 => "modes",
            Deformer::Modes(_) => "bones and modes",
        }
    }

    /// Returns the positions of all vertices for the parameters of a frame.
    pub(crate) fn vertices(&self, parameters: &[f64]) -> Vec<[f64; 3]> {
        match self {
            Deformer::Control(surface) => surface.vertices(parameters.as_chunks().0),
            Deformer::Particles(particles) => particles.vertices(maps(parameters)),
            Deformer::Modes(modes) => {
                let (bones, amplitudes) = parameters.split_at(12 * modes.n_bones());
                modes.vertices(maps(bones), amplitudes)
            }
        }
    }

    /// Returns the matrices of bones among the parameters of a frame; `None` if there are no bones.
    pub(crate) fn bone_matrices(&self, parameters: &[f64]) -> Option<Vec<Affine>> {
        match self {
            Deformer::Modes(modes) if modes.n_bones() != 0 => {
                Some(maps(&parameters[..12 * modes.n_bones()]).to_vec())
            }
            _ => None,
        }
    }
}

impl From<&Deformer> for AnyDeformer {
    fn from(deformer: &Deformer) -> Self {
        match deformer.clone() {
            Deformer::Control(surface) => surface.into(),
            Deformer::Particles(particles) => particles.into(),
            Deformer::Modes(modes) => modes.into(),
        }
    }
}

/// The affine maps with the given entries.
fn maps(entries: &[f64]) -> &[Affine] {
    entries.as_chunks().0.as_chunks().0
}

impl Skin {
    /// Returns the skin as a deformer of the library. Fails if a weight is negative, or if those of
    /// a vertex do not sum to 1.
    pub fn to_deformer(&self) -> Result<osculate::Skin, osculate::Error> {
        let influences = (0..self.rest.len()).map(|vertex| {
            let of_vertex = self.influences(vertex).iter();
            of_vertex.map(|influence| (influence.bone, influence.weight)).collect::<Vec<_>>()
        });
        osculate::Skin::new(self.bones.len(), &self.rest, influences)
    }
}
