//! A scene as plain data, and as a model of the library that is posed by few parameters.

use osculate::deformer::{AnyDeformer, LoopSurface, Modes, Particles};
use osculate::{Error, Mesh, Model, Pose};

/// A model and its animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The name for [`build`](crate::build).
    pub name: String,
    /// A description, in one sentence.
    pub about: String,
    /// Triangles over vertices, counterclockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
    /// The vertices at rest, in meters; y points up.
    pub rest: Vec<[f64; 3]>,
    /// The names of the objects, which are not connected.
    pub objects: Vec<String>,
    /// The objects that never move and need not be tested against themselves, by their numbers.
    pub static_objects: Vec<u32>,
    /// The object that each vertex belongs to.
    pub vertex_object: Vec<u32>,
    /// The bones and vertex weights.
    pub skin: Option<Skin>,
    /// Frames per second.
    pub fps: f64,
    /// Its motion.
    pub motion: Motion,
}

/// An object of a scene as a separate surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its vertices, by their numbers in the scene, ascending.
    pub vertices: Vec<u32>,
    /// Its triangles, over its own vertices, numbered from 0.
    pub faces: Vec<[u32; 3]>,
    /// Whether it never moves and need not be tested against itself.
    pub is_static: bool,
}

impl Part {
    /// The positions of its vertices, from those of the whole scene.
    #[must_use]
    pub fn pose(&self, scene: &[[f64; 3]]) -> Vec<[f64; 3]> {
        self.vertices.iter().map(|&vertex| scene[vertex as usize]).collect()
    }
}

/// A skeleton, and the weights of its bones on the vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The bones; parents come before their children.
    pub bones: Vec<Bone>,
    /// The start of each vertex's influences; one more entry than vertices.
    pub offsets: Vec<u32>,
    /// Bones and their weights, by descending weight. The weights of a vertex are positive and sum
    /// to 1.
    pub influences: Vec<(u32, f64)>,
}

impl Skin {
    /// The bones and weights of a vertex.
    #[must_use]
    pub fn of_vertex(&self, vertex: usize) -> &[(u32, f64)] {
        &self.influences[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }
}

/// A bone at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Its name; the sides of a body end in `.L` and `.R`.
    pub name: String,
    /// The parent bone.
    pub parent: Option<usize>,
    /// The joint about which it rotates.
    pub head: [f64; 3],
    /// Its other end.
    pub tail: [f64; 3],
}

/// An affine map: the rows of a 3 × 4 matrix.
pub type Affine = [[f64; 4]; 3];

/// The motion of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// For each frame, a map from rest to pose for each bone.
    Bones(Vec<Vec<Affine>>),
    /// For each frame, the positions of all vertices.
    Frames(Vec<Vec<[f64; 3]>>),
    /// For each frame, the control points of a subdivision surface.
    Control(LoopSurface, Vec<Vec<[f64; 3]>>),
    /// For each frame and particle, the rows of `[F | y]`: its deformation gradient and position.
    Particles(Particles, Vec<Vec<Affine>>),
    /// For each frame, the amplitudes of modes.
    Modes(Modes, Vec<Vec<f64>>),
}

impl Scene {
    /// Number of frames.
    #[must_use]
    pub fn n_frames(&self) -> usize {
        match &self.motion {
            Motion::Bones(frames) | Motion::Particles(_, frames) => frames.len(),
            Motion::Frames(frames) | Motion::Control(_, frames) => frames.len(),
            Motion::Modes(_, frames) => frames.len(),
        }
    }

    /// The objects as separate surfaces.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = (0..self.objects.len() as u32)
            .map(|object| Part {
                vertices: Vec::new(),
                faces: Vec::new(),
                is_static: self.static_objects.contains(&object),
            })
            .collect();
        let mut number = Vec::with_capacity(self.vertex_object.len());
        for (vertex, &object) in (0..).zip(&self.vertex_object) {
            let vertices = &mut parts[object as usize].vertices;
            number.push(vertices.len() as u32);
            vertices.push(vertex);
        }
        for face in &self.faces {
            let object = self.vertex_object[face[0] as usize];
            parts[object as usize].faces.push(face.map(|vertex| number[vertex as usize]));
        }
        parts
    }

    /// How few parameters move the vertices; `None` if each is moved by itself. Positions are then
    /// bit by bit those of [`pose`](Scene::pose).
    ///
    /// Fails if the skin is not valid, which it is for all scenes of this crate.
    pub fn deformer(&self) -> Result<Option<AnyDeformer>, Error> {
        Ok(match (&self.motion, &self.skin) {
            (Motion::Bones(_), Some(skin)) => {
                let influences = (0..self.rest.len()).map(|vertex| skin.of_vertex(vertex));
                Some(osculate::Skin::new(skin.bones.len(), &self.rest, influences)?.into())
            }
            (Motion::Control(surface, _), _) => Some(surface.clone().into()),
            (Motion::Particles(particles, _), _) => Some(particles.clone().into()),
            (Motion::Modes(modes, _), _) => Some(modes.clone().into()),
            (Motion::Bones(_), None) | (Motion::Frames(_), _) => None,
        })
    }

    /// The whole scene as one model, with its [deformer](Scene::deformer) if it has one. Fails if
    /// it is not valid.
    pub fn model(&self) -> Result<Model, Error> {
        let model = Model::new(Mesh::new(self.faces.clone(), self.rest.len())?, &self.rest)?;
        match self.deformer()? {
            Some(deformer) => model.with_deformer(deformer),
            None => Ok(model),
        }
    }

    /// The pose of the [model](Scene::model) at a frame: the parameters of its deformer, or
    /// positions without one.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    #[must_use]
    pub fn model_pose(&self, frame: usize) -> Pose<'_> {
        match &self.motion {
            Motion::Bones(frames) => Pose::from(&frames[frame]),
            Motion::Frames(frames) => Pose::from(&frames[frame]),
            Motion::Control(surface, frames) => surface.pose(&frames[frame]),
            Motion::Particles(particles, frames) => particles.pose(&frames[frame]),
            Motion::Modes(_, frames) => Pose::parameters(&frames[frame]),
        }
    }

    /// Overwrites `positions` with the vertices at a frame. With a skin, each is moved by the sum
    /// of w M over its influences, in their order: then the positions are bit by bit those of an
    /// exported NPZ file.
    ///
    /// # Panics
    ///
    /// If there is no such frame, or bones move the scene and there is no skin.
    pub fn pose(&self, frame: usize, positions: &mut Vec<[f64; 3]>) {
        positions.clear();
        match &self.motion {
            Motion::Frames(frames) => positions.extend_from_slice(&frames[frame]),
            Motion::Control(surface, frames) => positions.extend(surface.vertices(&frames[frame])),
            Motion::Particles(particles, frames) => positions.extend(particles.vertices(&frames[frame])),
            Motion::Modes(modes, frames) => positions.extend(modes.vertices(&[], &frames[frame])),
            Motion::Bones(frames) => {
                let skin = self.skin.as_ref().expect("bones move a skin");
                let maps = &frames[frame];
                positions.extend(self.rest.iter().enumerate().map(|(vertex, &[x, y, z])| {
                    let mut blended = [[0.0; 4]; 3];
                    for &(bone, weight) in skin.of_vertex(vertex) {
                        for (out, &entry) in
                            blended.as_flattened_mut().iter_mut().zip(maps[bone as usize].as_flattened())
                        {
                            *out += weight * entry;
                        }
                    }
                    blended.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_vertices_of_their_own() {
        let rest: Vec<[f64; 3]> = (0..7).map(|i| [f64::from(i), 0.0, 1.0]).collect();
        let scene = Scene {
            name: "two".to_owned(),
            about: String::new(),
            faces: vec![[6, 0, 2], [1, 3, 5], [0, 4, 2]],
            motion: Motion::Frames(vec![rest.clone()]),
            rest,
            objects: vec!["even".to_owned(), "odd".to_owned()],
            static_objects: vec![1],
            vertex_object: vec![0, 1, 0, 1, 0, 1, 0],
            skin: None,
            fps: 30.0,
        };
        let even = Part { vertices: vec![0, 2, 4, 6], faces: vec![[3, 0, 1], [0, 2, 1]], is_static: false };
        let odd = Part { vertices: vec![1, 3, 5], faces: vec![[0, 1, 2]], is_static: true };
        assert_eq!(odd.pose(&scene.rest), [1.0, 3.0, 5.0].map(|x| [x, 0.0, 1.0]));
        assert_eq!(scene.parts(), [even, odd]);
    }
}
