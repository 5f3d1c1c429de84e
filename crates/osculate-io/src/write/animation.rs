//! The data of a written animation: plain data that a clip, or a generated scene, can be converted
//! to.

use std::borrow::Cow;

use crate::clip::{Clip, Surface};
use crate::error::{Result, malformed};
use crate::governed::Deformer;
use crate::skin::{Affine, Bone, Influence, Skin, find_cycle};

/// A surface in motion. It is checked when it is written.
#[derive(Clone, Debug)]
pub struct Animation<'a> {
    /// Its name, also used in errors.
    pub name: &'a str,
    /// Frames per second.
    pub fps: f64,
    /// The triangles; corners are indices of vertices.
    pub faces: &'a [[u32; 3]],
    /// Names of the objects.
    pub objects: &'a [String],
    /// Object of each vertex. The corners of a triangle are in one object.
    pub vertex_object: &'a [u32],
    /// Its motion.
    pub motion: Motion<'a>,
}

/// The motion of the vertices of an animation.
#[derive(Clone, Debug)]
pub enum Motion<'a> {
    /// For each frame, the positions of all vertices.
    Frames(Cow<'a, [Vec<[f64; 3]>]>),
    /// Bones that move the vertices.
    Bones(Rig<'a>),
    /// Few other parameters that move the vertices.
    Governed(Governed<'a>),
}

/// A deformer and its parameters.
#[derive(Clone, Debug)]
pub struct Governed<'a> {
    /// What moves the vertices.
    pub deformer: &'a Deformer,
    /// For each frame, its parameters.
    pub frames: Cow<'a, [Vec<f64>]>,
    /// The bones under modes, whose matrices are among the parameters. Without them, as for other
    /// deformers, there is no rig.
    pub rig: Option<Rig<'a>>,
}

/// Bones, skinned vertices, and bone motion: `v' = Σ weight · M(bone) · [v, 1]`.
#[derive(Clone, Debug)]
pub struct Rig<'a> {
    /// The bones.
    pub bones: Cow<'a, [Bone]>,
    /// The vertices at rest.
    pub rest: &'a [[f64; 3]],
    /// Vertex v has the influences `starts[v]..starts[v + 1]`.
    pub starts: Cow<'a, [u32]>,
    /// Influences of all vertices.
    pub influences: Cow<'a, [Influence]>,
    /// For each frame, the matrix of each bone, from rest to pose.
    pub matrices: Cow<'a, [Vec<Affine>]>,
}

impl Rig<'_> {
    /// Returns the influences of a vertex.
    pub(super) fn of_vertex(&self, vertex: usize) -> &[Influence] {
        &self.influences[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

impl<'a> Animation<'a> {
    /// Returns the animation of a clip, all of whose frames are evaluated.
    ///
    /// It has bones if these alone determine the poses, or the parameters of a deformer that does;
    /// with morph targets it has frames. A last frame at an odd time is moved to a multiple of 1 /
    /// fps.
    pub fn of_clip(clip: &'a Clip) -> Result<Self> {
        let surface: &Surface = &clip.surface;
        let frames = 0..clip.n_frames();
        let matrices = frames.clone().map(|frame| clip.bone_matrices(frame));
        let matrices: Option<Vec<_>> = matrices.collect::<Result<_>>()?;
        let rig = surface.skin.as_ref().zip(matrices).map(|(skin, matrices)| rig(skin, matrices));
        let motion = match (clip.deformer(), rig) {
            (Some(deformer), rig) => {
                let parameters = frames.filter_map(|frame| clip.parameters(frame)).map(<[f64]>::to_vec);
                Motion::Governed(Governed { deformer, frames: parameters.collect(), rig })
            }
            (None, Some(rig)) if !clip.has_morphs() => Motion::Bones(rig),
            (None, _) => {
                let pose = |frame| {
                    let mut pose = Vec::new();
                    clip.pose(frame, &mut pose).map(|()| pose)
                };
                Motion::Frames(frames.map(pose).collect::<Result<_>>()?)
            }
        };
        let Surface { faces, objects, vertex_object, .. } = surface;
        Ok(Self { name: &clip.name, fps: clip.fps, faces, objects, vertex_object, motion })
    }

    /// Returns the number of frames.
    #[must_use]
    pub fn n_frames(&self) -> usize {
        match &self.motion {
            Motion::Frames(frames) => frames.len(),
            Motion::Bones(rig) => rig.matrices.len(),
            Motion::Governed(governed) => governed.frames.len(),
        }
    }

    /// Returns the number of vertices.
    pub(super) fn n_vertices(&self) -> usize {
        match &self.motion {
            Motion::Frames(frames) => frames.first().map_or(0, Vec::len),
            Motion::Bones(rig) => rig.rest.len(),
            Motion::Governed(governed) => governed.deformer.n_vertices(),
        }
    }

    /// Calls `visit` with the positions in each frame of a checked animation, in order.
    pub(super) fn for_each_pose(&self, mut visit: impl FnMut(&[[f64; 3]])) {
        match &self.motion {
            Motion::Frames(frames) => frames.iter().for_each(|frame| visit(frame)),
            Motion::Governed(Governed { deformer, frames, .. }) => {
                frames.iter().for_each(|parameters| visit(&deformer.vertices(parameters)));
            }
            Motion::Bones(rig) => {
                let mut skin = Skin::new(Vec::new());
                for (vertex, &rest) in rig.rest.iter().enumerate() {
                    skin.push(rest, rig.of_vertex(vertex));
                }
                let mut pose = Vec::new();
                for matrices in rig.matrices.iter() {
                    pose.clear();
                    pose.extend_from_slice(rig.rest);
                    skin.blend(matrices, &mut pose);
                    visit(&pose);
                }
            }
        }
    }

    /// Returns an error unless all parts are consistent and all numbers finite.
    pub(super) fn check(&self) -> Result<()> {
        let fault = |place: String, problem: &str| Err(malformed(self.name, place, problem));
        let n = self.n_vertices();
        if !(self.fps.is_finite() && 0.0 < self.fps) {
            return fault("fps".into(), "it must be a positive number");
        }
        if self.n_frames() == 0 || self.faces.is_empty() {
            return fault("animation".into(), "there are no frames or no triangles");
        }
        if self.vertex_object.len() != n {
            return fault("vertex_object".into(), "it does not have an entry for each vertex");
        }
        if let Some(v) = self.vertex_object.iter().position(|&object| self.objects.len() <= object as usize) {
            return fault(format!("vertex {v}"), "its object does not exist");
        }
        for (i, face) in self.faces.iter().enumerate() {
            let objects = face.map(|corner| self.vertex_object.get(corner as usize));
            if objects[0].is_none() || objects[1..].iter().any(|&object| object != objects[0]) {
                return fault(format!("triangle {i}"), "a corner does not exist, or is in another object");
            }
        }
        match &self.motion {
            Motion::Frames(frames) => {
                let is_bad = |frame: &Vec<[f64; 3]>| frame.len() != n || !are_finite(frame.as_flattened());
                match frames.iter().position(is_bad) {
                    Some(i) => fault(
                        format!("frame {i}"),
                        "it has another number of vertices, or they are not finite",
                    ),
                    None => Ok(()),
                }
            }
            Motion::Bones(rig) => match rig.find_fault() {
                Some((place, problem)) => fault(place, problem),
                None => Ok(()),
            },
            Motion::Governed(governed) => match governed.find_fault(self.faces) {
                Some((place, problem)) => fault(place, problem),
                None => Ok(()),
            },
        }
    }
}

impl Governed<'_> {
    /// Returns a place and its fault.
    fn find_fault(&self, faces: &[[u32; 3]]) -> Option<(String, &'static str)> {
        let n = self.deformer.n_parameters();
        let is_bad = |parameters: &Vec<f64>| parameters.len() != n || !are_finite(parameters);
        if let Some(frame) = self.frames.iter().position(is_bad) {
            let problem = "it has another number of parameters than the deformer, or they are not finite";
            return Some((format!("frame {frame}"), problem));
        }
        let n_bones = match self.deformer {
            Deformer::Control(surface) if surface.triangles() != faces => {
                return Some(("faces".into(), "they are not those of the subdivided control mesh"));
            }
            Deformer::Modes(modes) => modes.n_bones(),
            _ => 0,
        };
        match &self.rig {
            Some(rig) if rig.bones.len() == n_bones => rig.find_fault(),
            None if n_bones == 0 => None,
            _ => Some(("bones".into(), "they are not those of the deformer")),
        }
    }
}

impl Rig<'_> {
    /// Returns a place and its fault.
    fn find_fault(&self) -> Option<(String, &'static str)> {
        let n = self.rest.len();
        let ends_fit = self.starts.first() == Some(&0)
            && self.starts.last().map(|&end| end as usize) == Some(self.influences.len());
        if self.starts.len() != n + 1 || !ends_fit {
            return Some(("influences".into(), "they do not fit the vertices"));
        }
        if !are_finite(self.rest.as_flattened()) {
            return Some(("rest".into(), "a position is not finite"));
        }
        if let Some(v) = self.starts.windows(2).position(|ends| ends[1] <= ends[0]) {
            return Some((format!("vertex {v}"), "it follows no bone"));
        }
        let is_bad = |i: &Influence| self.bones.len() <= i.bone as usize || !i.weight.is_finite();
        if self.influences.iter().any(is_bad) {
            return Some(("influences".into(), "a bone does not exist, or a weight is not finite"));
        }
        let parents: Vec<Option<u32>> = self.bones.iter().map(|bone| bone.parent).collect();
        if parents.iter().flatten().any(|&parent| self.bones.len() <= parent as usize)
            || find_cycle(&parents).is_some()
        {
            return Some(("bones".into(), "a parent does not exist, or is a descendant"));
        }
        if !self.bones.iter().all(|bone| are_finite(&bone.head) && bone.tail.is_none_or(|t| are_finite(&t))) {
            return Some(("bones".into(), "an end is not finite"));
        }
        let is_bad = |matrices: &Vec<Affine>| {
            matrices.len() != self.bones.len() || !are_finite(matrices.as_flattened().as_flattened())
        };
        let frame = self.matrices.iter().position(is_bad)?;
        Some((
            format!("frame {frame}"),
            "it has another number of matrices than bones, or they are not finite",
        ))
    }
}

fn are_finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

fn rig(skin: &Skin, matrices: Vec<Vec<Affine>>) -> Rig<'_> {
    let (mut starts, mut influences) = (vec![0], Vec::new());
    for vertex in 0..skin.rest.len() {
        influences.extend_from_slice(skin.influences(vertex));
        starts.push(influences.len() as u32);
    }
    Rig {
        bones: Cow::Borrowed(&skin.bones),
        rest: &skin.rest,
        starts: starts.into(),
        influences: influences.into(),
        matrices: matrices.into(),
    }
}
