//! Modal deformation, `s = v + Σ q_i d_i`, alone or under a skin.

use super::blend::{PER_MAP, maps_of};
use super::{Affine, Deformer, Governors, Pose, Skin};
use crate::Error;
use std::borrow::Cow;

/// The map of all vertices without a skin.
const IDENTITY: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// Modes: shapes that are sums of displacements, such as the eigenmodes of an elastic body, blend
/// shapes or principal components.
///
/// Mode i displaces each vertex by a vector d_i of its own, times an amplitude q_i that is a
/// parameter of the pose: a vertex v at rest is moved to `s = v + Σ q_i d_i`. Under a skin, the
/// bones are applied to s instead of v.
///
/// The position of a vertex is defined by the f64 operations that compute it: the displacements are
/// added to the vertex at rest in the order of the modes; the weighted bone matrices are summed as
/// by the skin alone, and applied to the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    governors: Governors,
    has_skin: bool,
}

impl Modes {
    /// Returns the modes of vertices at rest, each with a displacement of every vertex.
    ///
    /// Fails with the first vertex that is not finite, and with the first mode that has a different
    /// number of displacements, or one that is not finite.
    pub fn new<M: AsRef<[[f64; 3]]>>(rest: &[[f64; 3]], modes: &[M]) -> Result<Modes, Error> {
        let governors = Governors::new(1, rest, rest.iter().map(|_| [(0, 1.0)]))?.with_modes(modes)?;
        Ok(Modes { governors, has_skin: false })
    }

    /// Returns modes under a skin: its bones move shapes instead of vertices at rest.
    ///
    /// Fails with the first mode that has a different number of displacements, or one that is not
    /// finite.
    pub fn under<M: AsRef<[[f64; 3]]>>(skin: Skin, modes: &[M]) -> Result<Modes, Error> {
        Ok(Modes { governors: skin.into_governors().with_modes(modes)?, has_skin: true })
    }

    /// Number of modes.
    #[must_use]
    pub fn n_modes(&self) -> usize {
        self.governors.n_modes()
    }

    /// Number of bones of the skin; 0 without a skin.
    #[must_use]
    pub fn n_bones(&self) -> usize {
        if self.has_skin { self.governors.n_maps() } else { 0 }
    }

    /// The vertices at rest.
    #[must_use]
    pub fn rest(&self) -> &[[f64; 3]] {
        self.governors.rest()
    }

    /// The displacements of a vertex, one for each mode.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn displacements(&self, vertex: usize) -> &[[f64; 3]] {
        self.governors.displacements(vertex)
    }

    /// The pose with the given amplitudes, and the given maps of bones, of which there are none
    /// without a skin.
    #[must_use]
    pub fn pose(&self, bones: &[Affine], amplitudes: &[f64]) -> Pose<'static> {
        Pose::Parameters(Cow::Owned([bones.as_flattened().as_flattened(), amplitudes].concat()))
    }

    /// Returns the positions of all vertices, for the given maps of bones, of which there are none
    /// without a skin, and the given amplitudes.
    ///
    /// # Panics
    ///
    /// If there are too few bones. Missing amplitudes are zero.
    #[must_use]
    pub fn vertices(&self, bones: &[Affine], amplitudes: &[f64]) -> Vec<[f64; 3]> {
        (0..self.rest().len()).map(|vertex| self.position(vertex, bones, amplitudes)).collect()
    }

    #[inline(always)]
    fn position(&self, vertex: usize, bones: &[Affine], amplitudes: &[f64]) -> [f64; 3] {
        let shape = self.governors.shape(vertex, amplitudes);
        if self.has_skin { self.governors.position(vertex, shape, |bone| bones[bone]) } else { shape }
    }

    /// The maps of bones and the amplitudes, which are the parameters of a pose.
    #[inline(always)]
    fn split<'a>(&self, parameters: &'a [f64]) -> (&'a [Affine], &'a [f64]) {
        let (bones, amplitudes) = parameters.split_at(PER_MAP * self.n_bones());
        (maps_of(bones), amplitudes)
    }
}

/// The parameters are the rows of the maps of the bones, if there is a skin, and then the
/// amplitudes of the modes.
impl Deformer for Modes {
    fn n_vertices(&self) -> usize {
        self.rest().len()
    }

    fn check(&self, parameters: &[f64]) -> Result<f64, Error> {
        let n_parameters = PER_MAP * self.n_bones() + self.n_modes();
        if parameters.len() != n_parameters {
            return Err(Error::ParameterCount { given: parameters.len(), parameters: n_parameters });
        }
        let (bones, amplitudes) = self.split(parameters);
        for mode in 0..amplitudes.len() {
            // With half of the range for rounding. The product of zero and infinity is no number
            // either.
            let reach = self.governors.reach_at(&amplitudes[..=mode]);
            if !(amplitudes[mode].is_finite() && reach <= 0.5 * f64::MAX) {
                return Err(Error::AmplitudeRange { mode, amplitude: amplitudes[mode] });
            }
        }
        let largest = if amplitudes.is_empty() {
            self.governors.largest()
        } else {
            self.governors.reach_at(amplitudes)
        };
        if self.has_skin { Skin::check_bones(bones, largest) } else { Ok(largest) }
    }

    #[inline(always)]
    fn position_at(&self, vertex: usize, parameters: &[f64]) -> [f64; 3] {
        let (bones, amplitudes) = self.split(parameters);
        self.position(vertex, bones, amplitudes)
    }

    fn governors(&self) -> Option<&Governors> {
        Some(&self.governors)
    }

    fn maps<'a>(&self, parameters: &'a [f64]) -> Cow<'a, [Affine]> {
        Cow::Borrowed(if self.has_skin { self.split(parameters).0 } else { &[IDENTITY] })
    }

    fn amplitudes<'a>(&self, parameters: &'a [f64]) -> &'a [f64] {
        self.split(parameters).1
    }

    fn memory_bytes(&self) -> usize {
        self.governors.memory_bytes()
    }
}
