//! The result of every reader: a surface and its motion.

use std::sync::Arc;

use crate::cache::Points;
use crate::error::{Error, Result, malformed};
use crate::gltf::Playback;
use crate::governed::Deformer;
use crate::note::{counted, note};
use crate::npz::{BoneFrames, Frames};
use crate::sequence::Files;
use crate::skin::{Affine, Skin};
use crate::stage;

/// The part of a clip that is constant over all frames; shared by the clips of a file.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The triangles; corners are indices of vertices.
    pub faces: Vec<[u32; 3]>,
    /// Number of vertices.
    pub n_vertices: usize,
    /// Names of the objects of the file. There is at least one.
    pub objects: Vec<String>,
    /// The objects that never move and need not be tested against themselves, by their numbers.
    /// Files do not tell, so it is empty for what is read from them.
    pub static_objects: Vec<u32>,
    /// Object of each vertex. The corners of a triangle are in one object.
    pub vertex_object: Vec<u32>,
    /// Bones and vertex weights, if the file has them.
    pub skin: Option<Skin>,
    /// The origin of the vertices, if duplicate vertices were merged (glTF).
    pub welding: Option<Welding>,
    /// Number of skipped elements that are not part of a surface: polygons with fewer than three
    /// corners, triangles with a repeated vertex, and primitives of points or lines.
    pub skipped: usize,
    /// Notes about the file: what was skipped or repaired, and how often. Safe to print.
    pub notes: Vec<String>,
}

/// The origin of the vertices of a surface whose duplicate vertices were merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welding {
    /// Number of vertices that were merged into another one.
    pub welded: usize,
    /// Number of triangles that were dropped because two of their corners were merged.
    pub collapsed: usize,
    /// The first vertex of the file that each vertex represents.
    pub source: Vec<SourceVertex>,
}

/// A vertex of a glTF file, in an instance of its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceVertex {
    /// Index of the node that carries the mesh.
    pub node: u32,
    /// Index of the mesh.
    pub mesh: u32,
    /// Index of the primitive in the mesh.
    pub primitive: u32,
    /// Index of the vertex in the primitive.
    pub vertex: u32,
}

impl Surface {
    /// Returns a surface of one object without a skin.
    pub(crate) fn plain(object: &str, faces: Vec<[u32; 3]>, n_vertices: usize) -> Self {
        Self {
            faces,
            n_vertices,
            objects: vec![object.to_owned()],
            static_objects: Vec::new(),
            vertex_object: vec![0; n_vertices],
            skin: None,
            welding: None,
            skipped: 0,
            notes: Vec::new(),
        }
    }

    /// Adds a note about skipped polygons, if there are any.
    pub(crate) fn note_skipped(&mut self) {
        if 0 < self.skipped {
            let n = counted(self.skipped, "triangle or polygon", "triangles or polygons");
            note(&mut self.notes, &format!("{n} left out, with fewer than three different corners"));
        }
    }

    /// Returns itself if it has triangles, all corners exist, and no triangle joins two objects.
    pub(crate) fn checked(self, file: &str) -> Result<Self> {
        if self.faces.is_empty() {
            return Err(malformed(file, "surface", "there are no triangles"));
        }
        for (i, face) in self.faces.iter().enumerate() {
            let mut objects = [0; 3];
            for (corner, object) in face.iter().zip(&mut objects) {
                *object = *self.vertex_object.get(*corner as usize).ok_or_else(|| {
                    let problem = format!("vertex {corner}, but there are {} vertices", self.n_vertices);
                    malformed(file, format!("triangle {i}"), problem)
                })?;
            }
            if let Some(other) = objects.iter().find(|&&object| object != objects[0]) {
                let problem = format!("its corners belong to the objects {} and {other}", objects[0]);
                return Err(malformed(file, format!("triangle {i}"), problem));
            }
        }
        Ok(self)
    }
}

/// The motion of the vertices of a clip.
#[derive(Clone, Debug)]
pub(crate) enum Motion {
    Still(Arc<Vec<[f64; 3]>>),
    Poses(Arc<Poses>),
    Matrices(Arc<Vec<Vec<Affine>>>),
    Governed(Arc<Governed>),
    Frames(Frames),
    Bones(BoneFrames),
    Files(Files),
    Cache(Points),
    Scene(Playback),
    Stage(stage::Playback),
}

/// Poses in memory.
#[derive(Clone, Debug)]
pub(crate) struct Poses {
    frames: Vec<Vec<[f64; 3]>>,
    rest: Option<Vec<[f64; 3]>>,
}

/// Few parameters that move all vertices.
#[derive(Clone, Debug)]
pub(crate) struct Governed {
    pub(crate) deformer: Deformer,
    /// For each frame, its parameters.
    pub(crate) frames: Vec<Vec<f64>>,
}

impl Motion {
    pub(crate) fn governed(governed: Governed) -> Self {
        Motion::Governed(Arc::new(governed))
    }
}

/// A surface in motion: a sequence of frames, each a pose of all vertices.
///
/// Frames are evaluated on demand, in f64. Coordinates are those of the file; they are not checked
/// for NaN and infinity.
#[derive(Clone, Debug)]
pub struct Clip {
    /// Name of the animation in the file, or of the file.
    pub name: String,
    /// Frames per second.
    pub fps: f64,
    /// The moving surface.
    pub surface: Arc<Surface>,
    pub(crate) motion: Motion,
}

impl Clip {
    /// Returns a clip of poses in memory. If the surface has a skin, its bones name the parts of
    /// the surface, and do not move it. Fails if there are no poses, if one has a different number
    /// of vertices than the surface, or if the surface is invalid.
    pub fn from_poses(name: &str, fps: f64, surface: Surface, poses: Vec<Vec<[f64; 3]>>) -> Result<Self> {
        Self::from_poses_and_rest(name, fps, surface, poses, None)
    }

    /// The same, with the positions of the vertices at [rest](Self::rest), if there are any.
    pub fn from_poses_and_rest(
        name: &str,
        fps: f64,
        surface: Surface,
        frames: Vec<Vec<[f64; 3]>>,
        rest: Option<Vec<[f64; 3]>>,
    ) -> Result<Self> {
        check_frames(name, frames.iter().map(Vec::len), surface.n_vertices, "vertices")?;
        if let Some(rest) = rest.as_ref().filter(|rest| rest.len() != surface.n_vertices) {
            let problem = format!("{} vertices, but the surface has {}", rest.len(), surface.n_vertices);
            return Err(malformed(name, "rest", problem));
        }
        let surface = Arc::new(surface.checked(name)?);
        let motion = Motion::Poses(Arc::new(Poses { frames, rest }));
        Ok(Self { name: name.to_owned(), fps, surface, motion })
    }

    /// Returns a clip of a surface with a skin, moved by a matrix for each bone and frame. Fails if
    /// there are no frames, if one has a different number of matrices than the skin has bones, or
    /// if the surface is invalid or has no skin.
    pub fn from_matrices(name: &str, fps: f64, surface: Surface, frames: Vec<Vec<Affine>>) -> Result<Self> {
        let Some(skin) = &surface.skin else {
            return Err(malformed(name, "skin", "there is none"));
        };
        check_frames(name, frames.iter().map(Vec::len), skin.bones.len(), "bones")?;
        let surface = Arc::new(surface.checked(name)?);
        Ok(Self { name: name.to_owned(), fps, surface, motion: Motion::Matrices(Arc::new(frames)) })
    }

    /// Returns a clip of a surface moved by a deformer, with its parameters in each frame. Fails if
    /// there are no frames, if one has a different number of parameters, if the surface has a
    /// different number of vertices, or if it is invalid. Modes under a skin need a surface with
    /// that skin.
    pub fn from_deformer(
        name: &str,
        fps: f64,
        surface: Surface,
        deformer: Deformer,
        frames: Vec<Vec<f64>>,
    ) -> Result<Self> {
        check_frames(name, frames.iter().map(Vec::len), deformer.n_parameters(), "parameters")?;
        if deformer.n_vertices() != surface.n_vertices {
            let problem =
                format!("{} vertices, but the surface has {}", deformer.n_vertices(), surface.n_vertices);
            return Err(malformed(name, "deformer", problem));
        }
        let n_bones = deformer.bone_matrices(&frames[0]).map(|matrices| matrices.len());
        if n_bones != surface.skin.as_ref().map(|skin| skin.bones.len()) {
            return Err(malformed(name, "deformer", "its bones are not those of the surface"));
        }
        let surface = Arc::new(surface.checked(name)?);
        let motion = Motion::governed(Governed { deformer, frames });
        Ok(Self { name: name.to_owned(), fps, surface, motion })
    }

    /// Returns the number of frames, at least 1.
    #[must_use]
    pub fn n_frames(&self) -> usize {
        match &self.motion {
            Motion::Still(_) => 1,
            Motion::Poses(poses) => poses.frames.len(),
            Motion::Matrices(frames) => frames.len(),
            Motion::Governed(governed) => governed.frames.len(),
            Motion::Frames(frames) => frames.n_frames(),
            Motion::Bones(bones) => bones.n_frames(),
            Motion::Files(files) => files.n_frames(),
            Motion::Cache(points) => points.n_frames(),
            Motion::Scene(playback) => playback.n_frames(),
            Motion::Stage(playback) => playback.n_frames(),
        }
    }

    /// Returns the time of a frame in seconds. The last frame of a glTF clip is at its end, which
    /// may be less than 1 / fps after the one before.
    #[must_use]
    pub fn time(&self, frame: usize) -> f64 {
        match &self.motion {
            Motion::Scene(playback) => playback.time(frame),
            Motion::Stage(playback) => playback.time(frame),
            _ => frame as f64 / self.fps,
        }
    }

    /// Replaces the content of `out` by the positions of all vertices in a frame.
    ///
    /// Fails if there is no such frame. For a sequence of files, reads the file now, and fails if
    /// it is missing, damaged, or has different triangles than the first.
    pub fn pose(&self, frame: usize, out: &mut Vec<[f64; 3]>) -> Result<()> {
        self.check_frame(frame)?;
        out.clear();
        match &self.motion {
            Motion::Still(positions) => out.extend_from_slice(positions),
            Motion::Poses(poses) => out.extend_from_slice(&poses.frames[frame]),
            Motion::Governed(governed) => out.extend(governed.deformer.vertices(&governed.frames[frame])),
            Motion::Frames(frames) => frames.pose(frame, out),
            Motion::Files(files) => files.pose(frame, &self.surface, out)?,
            Motion::Cache(points) => points.pose(frame, out),
            Motion::Stage(playback) => {
                if let Some(skin) = &self.surface.skin {
                    playback.pose(Some(frame), skin, out)?;
                }
            }
            Motion::Matrices(_) | Motion::Bones(_) | Motion::Scene(_) => {
                if let (Some(skin), Some(matrices)) = (&self.surface.skin, self.bone_matrices(frame)?) {
                    out.extend_from_slice(&skin.rest);
                    if let Motion::Scene(playback) = &self.motion {
                        playback.morph(frame, out);
                    }
                    skin.blend(&matrices, out);
                }
            }
        }
        Ok(())
    }

    /// Replaces the content of `out` by the positions of all vertices at rest, in no frame: the
    /// pose of the nodes of a glTF file without its animation, the rest positions of a skin or of
    /// what modes or particles move, or those given with poses. Returns `false` if the clip has no
    /// such pose.
    pub fn rest(&self, out: &mut Vec<[f64; 3]>) -> bool {
        out.clear();
        match (&self.motion, &self.surface.skin) {
            (Motion::Scene(playback), Some(skin)) => {
                out.extend_from_slice(&skin.rest);
                let still = playback.still();
                still.morph(0, out);
                skin.blend(&still.matrices(0), out);
            }
            (Motion::Stage(playback), Some(skin)) => {
                return playback.has_rest() && playback.pose(None, skin, out).is_ok();
            }
            (Motion::Matrices(_) | Motion::Bones(_), Some(skin)) => out.extend_from_slice(&skin.rest),
            (Motion::Governed(governed), _) => out.extend_from_slice(governed.deformer.rest()),
            (Motion::Poses(poses), _) => match &poses.rest {
                Some(rest) => out.extend_from_slice(rest),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// Returns the matrix of each bone in a frame, from rest to pose; `None` if the clip has no
    /// skin.
    ///
    /// Morph targets of a glTF mesh, and modes, change the rest positions before the matrices are
    /// applied; so the matrices alone determine the pose only for clips without them, see
    /// [`Self::has_morphs`].
    pub fn bone_matrices(&self, frame: usize) -> Result<Option<Vec<Affine>>> {
        self.check_frame(frame)?;
        Ok(match &self.motion {
            Motion::Matrices(frames) => Some(frames[frame].clone()),
            Motion::Bones(bones) => Some(bones.matrices(frame)),
            Motion::Scene(playback) => Some(playback.matrices(frame)),
            Motion::Stage(playback) => Some(playback.matrices(frame)?),
            Motion::Governed(governed) => governed.deformer.bone_matrices(&governed.frames[frame]),
            _ => None,
        })
    }

    /// Returns whether morph targets or modes change the rest positions of some vertices.
    #[must_use]
    pub fn has_morphs(&self) -> bool {
        match &self.motion {
            Motion::Scene(playback) => playback.has_morphs(),
            Motion::Stage(playback) => playback.has_shapes(),
            Motion::Governed(governed) => matches!(governed.deformer, Deformer::Modes(_)),
            _ => false,
        }
    }

    /// Returns whether the bones of the skin alone move the vertices, from their rest positions.
    #[must_use]
    pub fn follows_bones(&self) -> bool {
        match &self.motion {
            Motion::Matrices(_) | Motion::Bones(_) => true,
            Motion::Scene(playback) => !playback.has_morphs(),
            Motion::Stage(playback) => !playback.has_shapes(),
            _ => false,
        }
    }

    /// Returns what moves the vertices, if that is a deformer other than a skin alone.
    #[must_use]
    pub fn deformer(&self) -> Option<&Deformer> {
        match &self.motion {
            Motion::Governed(governed) => Some(&governed.deformer),
            _ => None,
        }
    }

    /// Returns the parameters of the [deformer](Self::deformer) in a frame; `None` if there is
    /// none, or no such frame.
    #[must_use]
    pub fn parameters(&self, frame: usize) -> Option<&[f64]> {
        match &self.motion {
            Motion::Governed(governed) => governed.frames.get(frame).map(Vec::as_slice),
            _ => None,
        }
    }

    fn check_frame(&self, frame: usize) -> Result<()> {
        let frames = self.n_frames();
        if frame < frames {
            return Ok(());
        }
        Err(Error::NoSuchFrame { clip: self.name.clone(), frame, frames })
    }
}

/// Fails unless there are frames, and each has `expected` elements.
fn check_frames(
    clip: &str,
    lengths: impl ExactSizeIterator<Item = usize>,
    expected: usize,
    of: &str,
) -> Result<()> {
    if lengths.len() == 0 {
        return Err(malformed(clip, "frames", "there are none"));
    }
    for (frame, length) in lengths.enumerate() {
        if length != expected {
            let problem = format!("{length} {of}, but the surface has {expected}");
            return Err(malformed(clip, format!("frame {frame}"), problem));
        }
    }
    Ok(())
}
