//! Reads what few parameters move: subdivision surfaces, particles and modes.

use osculate::deformer::{LoopSurface, Modes, Particle, Particles};

use super::npy::Array;
use super::{Archive, Moving};
use crate::clip::{Governed, Motion};
use crate::error::Result;
use crate::governed::Deformer;

/// Bytes for each weight of a vertex while a deformer is built.
const PER_WEIGHT: usize = 48;

impl Archive<'_> {
    /// Returns a subdivision surface: `control_faces`, `control_vertices`, `subdivision_levels`.
    /// The control points of the first frame are those at rest.
    pub(super) fn control(&mut self) -> Result<Moving> {
        let array = self.array("control_vertices")?;
        array.check_shape(&[None, None, Some(3)])?;
        let n_points = array.shape()[1];
        let frames = self.parameters(&array, "control point", 3)?;
        let faces = self.triangles("control_faces")?;
        let levels = self.levels()?;
        for (i, face) in faces.iter().enumerate() {
            if let Some(corner) = face.iter().find(|&&corner| n_points <= corner as usize) {
                let problem = format!("triangle {i} names control point {corner} of {n_points}");
                return Err(self.fault("control_faces", problem));
            }
        }
        let Some(rest) = frames.first() else { return Err(array.fault("there are no frames")) };
        let n_weights = n_weights(&faces, n_points, levels);
        self.budget.charge(n_weights, PER_WEIGHT, || format!("{levels} levels of subdivision"))?;
        let surface = LoopSurface::new(&faces, rest.as_chunks().0, levels);
        let surface = surface.map_err(|error| self.fault("control_faces", error.to_string()))?;
        if self.has("faces") {
            let (given, expected) = (self.faces()?, surface.triangles());
            let is_other = |i: &usize| given.get(*i) != expected.get(*i);
            if let Some(i) = (0..given.len().max(expected.len())).find(is_other) {
                let problem = format!("triangle {i} is not that of the subdivided control mesh");
                return Err(self.fault("faces", problem));
            }
        }
        Ok(Moving {
            faces: surface.triangles().to_vec(),
            n_vertices: surface.rest().len(),
            skin: None,
            motion: Motion::governed(Governed { deformer: Deformer::Control(surface), frames }),
        })
    }

    fn levels(&mut self) -> Result<usize> {
        let array = self.array("subdivision_levels")?;
        match array.to_integers(&mut self.budget)?[..] {
            [levels] if (0..32).contains(&levels) => Ok(levels as usize),
            _ => Err(array.fault("it must hold one number from 0 to 31")),
        }
    }

    /// Returns vertices that follow particles: `rest_vertices`, `faces`, `particle_rest`,
    /// `particle_radii`, `particle_matrices`.
    pub(super) fn particles(&mut self) -> Result<Moving> {
        let array = self.array("particle_matrices")?;
        array.check_shape(&[None, None, Some(3), Some(4)])?;
        let n = array.shape()[1];
        let frames = self.parameters(&array, "particle", 12)?;
        let rest = self.finite_points("rest_vertices", "vertex", None)?;
        let centers = self.finite_points("particle_rest", "particle", Some(n))?;
        let radii = self.array("particle_radii")?;
        radii.check_shape(&[Some(n)])?;
        let values = radii.to_f64(&mut self.budget)?;
        if let Some(i) = values.iter().position(|radius| !(radius.is_finite() && 0.0 < *radius)) {
            return Err(radii.fault(format!("particle {i} has radius {}, which must be positive", values[i])));
        }
        let particles: Vec<Particle> =
            centers.iter().zip(values).map(|(&center, radius)| Particle { center, radius }).collect();
        // Charged vertex by vertex, so that particles that reach everything end at the budget.
        for v in &rest {
            let reaches = |particle: &&Particle| {
                let squares = (0..3).map(|i| ((v[i] - particle.center[i]) / particle.radius).powi(2));
                squares.sum::<f64>() < 1.0
            };
            let n_reached = particles.iter().filter(reaches).count();
            self.budget.charge(1 + n_reached, PER_WEIGHT, || "the weights of particles".into())?;
        }
        let particles = Particles::new(&particles, &rest);
        let particles = particles.map_err(|error| self.fault("particle_rest", error.to_string()))?;
        let deformer = Deformer::Particles(particles);
        Ok(Moving {
            faces: self.faces()?,
            n_vertices: rest.len(),
            skin: None,
            motion: Motion::governed(Governed { deformer, frames }),
        })
    }

    /// Returns vertices displaced by modes: `rest_vertices`, `faces`, `modes`, `amplitudes`; and
    /// the arrays of a skin, if there are bones, too.
    pub(super) fn modes(&mut self) -> Result<Moving> {
        let array = self.array("amplitudes")?;
        array.check_shape(&[None, None])?;
        let (n_frames, n_modes) = (array.shape()[0], array.shape()[1]);
        let mut frames = self.parameters(&array, "mode", 1)?;
        let rest = self.finite_points("rest_vertices", "vertex", None)?;
        let array = self.array("modes")?;
        array.check_shape(&[Some(n_modes), Some(rest.len()), Some(3)])?;
        array.check_numbers()?;
        // As read, and as kept by vertices.
        let n = n_modes.saturating_mul(rest.len());
        self.budget.charge(n, 2 * size_of::<[f64; 3]>(), || "array 'modes'".into())?;
        let mut modes: Vec<Vec<[f64; 3]>> = Vec::new();
        for mode in 0..n_modes {
            let mut of_mode = Vec::with_capacity(rest.len());
            array.for_each(3 * mode * rest.len(), rest.len(), |displacement| of_mode.push(displacement));
            modes.push(of_mode);
        }
        let skin = if self.has("bone_matrices") {
            let matrices = self.array("bone_matrices")?;
            matrices.check_shape(&[Some(n_frames), None, Some(3), Some(4)])?;
            let skin = self.skin(matrices.shape()[1])?;
            let bones = self.parameters(&matrices, "bone", 12)?;
            for (frame, mut bones) in frames.iter_mut().zip(bones) {
                bones.append(frame);
                *frame = bones;
            }
            Some(skin)
        } else {
            None
        };
        self.budget.charge(rest.len(), PER_WEIGHT, || "the vertices of modes".into())?;
        let modes = match &skin {
            None => Modes::new(&rest, &modes),
            Some(skin) => skin.to_deformer().and_then(|skin| Modes::under(skin, &modes)),
        };
        let modes = modes.map_err(|error| array.fault(error.to_string()))?;
        Ok(Moving {
            faces: self.faces()?,
            n_vertices: rest.len(),
            skin,
            motion: Motion::governed(Governed { deformer: Deformer::Modes(modes), frames }),
        })
    }

    /// Returns the values of each frame of an array, all of them finite. A row of `per_row` values
    /// belongs to one `thing`.
    fn parameters(&mut self, array: &Array, thing: &str, per_row: usize) -> Result<Vec<Vec<f64>>> {
        let values = array.to_f64(&mut self.budget)?;
        let n_frames = array.shape()[0];
        let per_frame: usize = array.shape()[1..].iter().product();
        if let Some(i) = values.iter().position(|value| !value.is_finite()) {
            let (frame, row) = (i / per_frame, i % per_frame / per_row);
            return Err(array.fault(format!("{thing} {row} of frame {frame} is not finite")));
        }
        self.budget.charge(values.len(), 8, || "the parameters of frames".into())?;
        self.budget.charge(n_frames, size_of::<Vec<f64>>(), || "the parameters of frames".into())?;
        Ok((0..n_frames).map(|i| values[i * per_frame..(i + 1) * per_frame].to_vec()).collect())
    }

    /// Returns points, one for each `thing`, all of them finite.
    fn finite_points(&mut self, name: &str, thing: &str, n: Option<usize>) -> Result<Vec<[f64; 3]>> {
        let points = self.points(name, n)?;
        match points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
            Some(i) => Err(self.fault(name, format!("{thing} {i} is not finite"))),
            None => Ok(points),
        }
    }
}

/// Upper bound of the number of weights of a subdivided control mesh, and of its vertices: a vertex
/// in a control triangle depends on the neighbors of the corners.
fn n_weights(faces: &[[u32; 3]], n_points: usize, levels: usize) -> usize {
    let mut valence = vec![1_usize; n_points];
    faces.iter().flatten().for_each(|&corner| valence[corner as usize] += 1);
    let side = 1_usize << levels;
    let per_triangle = (side + 1).saturating_mul(side + 2) / 2;
    let of_face = |face: &[u32; 3]| match levels {
        0 => 3,
        _ => per_triangle
            .saturating_mul(2 + face.iter().map(|&corner| valence[corner as usize]).sum::<usize>()),
    };
    faces.iter().map(of_face).fold(n_points, usize::saturating_add)
}
