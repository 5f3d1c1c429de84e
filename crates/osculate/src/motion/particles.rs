//! Vertices that follow particles, by moving least squares.

use super::blend::{PER_MAP, maps_of};
use super::{Affine, Deformer, Governors, Pose, check_finite};
use crate::Error;
use std::borrow::Cow;

/// A particle at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// The position.
    pub center: [f64; 3],
    /// Vertices closer than this follow the particle.
    pub radius: f64,
}

/// Particles that move the vertices of a model, as in point-based animation (Müller and others,
/// "Point based animation of elastic, plastic and melting objects", 2004).
///
/// With x_k the position of particle k at rest, y_k its position at a pose, and F_k its deformation
/// gradient, a vertex v at rest is moved to `Σ w_k (y_k + F_k (v - x_k))`. The weights are
/// `(1 - r² / h_k²)³` at a distance r below the radius h_k, and zero beyond it, divided by their
/// sum.
///
/// The position of a vertex is defined by the f64 operations that compute it: the maps
/// `[F_k | y_k - F_k x_k]` are weighted and summed in the order of the particles, and the sum is
/// applied to the vertex at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Particles {
    governors: Governors,
    particles: Vec<Particle>,
}

impl Particles {
    /// Returns the particles of vertices at rest. Takes time in proportion to the product of their
    /// numbers.
    ///
    /// Fails with the first particle whose position is not finite, or whose radius is not finite
    /// and positive; with the first vertex that is not finite, or that no particle reaches; and
    /// with the first particle that reaches no vertex.
    pub fn new(particles: &[Particle], rest: &[[f64; 3]]) -> Result<Particles, Error> {
        check_finite(rest.iter().zip(rest))?;
        for (particle, &Particle { center, radius }) in particles.iter().enumerate() {
            if let Some(axis) = center.iter().position(|x| !x.is_finite()) {
                return Err(Error::ParticleNotFinite { particle, axis, value: center[axis] });
            }
            if !(radius.is_finite() && 0.0 < radius) {
                return Err(Error::ParticleRadius { particle, radius });
            }
        }
        let mut is_followed = vec![false; particles.len()];
        let mut influences = Vec::new();
        for (vertex, v) in rest.iter().enumerate() {
            let felt = (0..).zip(particles).map(|(k, particle)| (k, particle.kernel(v)));
            let mut of_vertex: Vec<(u32, f64)> = felt.filter(|&(_, weight)| 0.0 < weight).collect();
            let sum: f64 = of_vertex.iter().map(|&(_, weight)| weight).sum();
            if of_vertex.is_empty() {
                return Err(Error::VertexWithoutParticle { vertex });
            }
            for (k, weight) in &mut of_vertex {
                is_followed[*k as usize] = true;
                *weight /= sum;
            }
            influences.push(of_vertex);
        }
        if let Some(particle) = is_followed.iter().position(|&is_followed| !is_followed) {
            return Err(Error::IdleParticle { particle });
        }
        let governors = Governors::new(particles.len(), rest, influences)?;
        Ok(Particles { governors, particles: particles.to_vec() })
    }

    /// Number of particles.
    #[must_use]
    pub fn n_particles(&self) -> usize {
        self.particles.len()
    }

    /// The particles at rest.
    #[must_use]
    pub fn particles(&self) -> &[Particle] {
        &self.particles
    }

    /// The vertices at rest.
    #[must_use]
    pub fn rest(&self) -> &[[f64; 3]] {
        self.governors.rest()
    }

    /// The particles that a vertex follows, ascending, with their weights.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn influences(&self, vertex: usize) -> &[(u32, f64)] {
        self.governors.influences(vertex)
    }

    /// The pose at which particle k has the position and the deformation gradient given by the rows
    /// of `[F_k | y_k]`.
    #[must_use]
    pub fn pose<'a>(&self, particles: &'a [Affine]) -> Pose<'a> {
        Pose::from(particles)
    }

    /// Returns the positions of all vertices; `particles` has the rows of `[F_k | y_k]` for each
    /// particle.
    ///
    /// # Panics
    ///
    /// If there are too few.
    #[must_use]
    pub fn vertices(&self, particles: &[Affine]) -> Vec<[f64; 3]> {
        (0..self.rest().len()).map(|vertex| self.position(vertex, particles)).collect()
    }

    /// The map of a particle, `[F_k | y_k - F_k x_k]`.
    #[inline(always)]
    fn map(&self, k: usize, particles: &[Affine]) -> Affine {
        let mut map = particles[k];
        let [x, y, z] = self.particles[k].center;
        for row in &mut map {
            row[3] -= row[0] * x + row[1] * y + row[2] * z;
        }
        map
    }

    #[inline(always)]
    fn position(&self, vertex: usize, particles: &[Affine]) -> [f64; 3] {
        self.governors.position(vertex, self.rest()[vertex], |k| self.map(k, particles))
    }
}

impl Particle {
    /// The kernel `(1 - r² / h²)³` at a point; zero outside of the radius. The point is divided by
    /// h first, so that squares of large distances do not overflow to a wrong sign.
    fn kernel(&self, point: &[f64; 3]) -> f64 {
        let squares = (0..3).map(|i| ((point[i] - self.center[i]) / self.radius).powi(2));
        let part = 1.0 - squares.sum::<f64>();
        // Also false for what is not a number, and for what is too far away.
        if 0.0 < part { part * part * part } else { 0.0 }
    }
}

/// The parameters are the rows of `[F_k | y_k]` for each particle.
impl Deformer for Particles {
    fn n_vertices(&self) -> usize {
        self.rest().len()
    }

    fn check(&self, parameters: &[f64]) -> Result<f64, Error> {
        let n_parameters = PER_MAP * self.n_particles();
        if parameters.len() != n_parameters {
            return Err(Error::ParameterCount { given: parameters.len(), parameters: n_parameters });
        }
        let particles = maps_of(parameters);
        let maps = (0..self.n_particles()).map(|k| self.map(k, particles));
        Governors::check_maps(maps, self.governors.largest())
            .map_err(|particle| Error::ParticleRange { particle })
    }

    #[inline(always)]
    fn position_at(&self, vertex: usize, parameters: &[f64]) -> [f64; 3] {
        self.position(vertex, maps_of(parameters))
    }

    fn governors(&self) -> Option<&Governors> {
        Some(&self.governors)
    }

    fn maps<'a>(&self, parameters: &'a [f64]) -> Cow<'a, [Affine]> {
        let particles = maps_of(parameters);
        (0..self.n_particles()).map(|k| self.map(k, particles)).collect()
    }

    fn memory_bytes(&self) -> usize {
        self.governors.memory_bytes() + size_of_val(self.particles.as_slice())
    }
}
