//! NPZ archives: an animation as frames, as a skin with the matrices of its bones, or as few other
//! parameters that move all vertices.
//!
//! * Frames: `faces` (m, 3) and `frames` (k, n, 3).
//! * A skin: `rest_vertices` (n, 3), `faces`, `joints` and `weights` (n, j), `bone_matrices` (k, b,
//!   3, 4), `bone_names`, `bone_parents` (-1 for none), `bone_heads` (b, 3), optional `bone_tails`.
//!   Weights are normalized if their sum is not 1, with negative ones clamped to 0; a vertex with a
//!   weight that is not a number, or with none above 0, follows the first bone without a parent.
//!
//! * A Loop subdivision surface: `control_faces` (m, 3), `control_vertices` (k, c, 3), whose first
//!   frame is at rest, and `subdivision_levels`. Vertices and triangles are those of
//!   [`LoopSurface`](osculate::deformer::LoopSurface); if there are `faces`, too, they must be the
//!   same.
//! * Particles: `rest_vertices`, `faces`, `particle_rest` (p, 3), `particle_radii` (p) and
//!   `particle_matrices` (k, p, 3, 4), the rows of `[F | y]`: the deformation gradient and the
//!   position of a particle, as in [`Particles`](osculate::deformer::Particles).
//! * Modes: `rest_vertices`, `faces`, `modes` (m, n, 3) and `amplitudes` (k, m), as in
//!   [`Modes`](osculate::deformer::Modes). With the arrays of a skin, its bones move the displaced
//!   vertices.
//!
//! The numbers of the last three must be finite. All forms may have `vertex_object` (n), the object
//! of each vertex, and `fps`. Other arrays are not decompressed. An archive with the arrays of two
//! forms is rejected, except that `frames` take precedence over a skin.

mod governed;
mod npy;

use std::sync::Arc;

use crate::Options;
use crate::bytes::Budget;
use crate::clip::{Clip, Motion, Surface};
use crate::error::{Result, malformed};
use crate::note::{counted, note};
use crate::shape::is_degenerate;
use crate::skin::{Affine, Bone, Influence, Skin, find_cycle};
use crate::zip;
use npy::Array;

/// The frames of an archive, in their stored type.
#[derive(Clone, Debug)]
pub(crate) struct Frames {
    array: Arc<Array>,
}

impl Frames {
    pub(crate) fn n_frames(&self) -> usize {
        self.array.shape()[0]
    }

    /// Appends the positions of an existing frame.
    pub(crate) fn pose(&self, frame: usize, out: &mut Vec<[f64; 3]>) {
        let n = self.array.shape()[1];
        out.reserve(n);
        self.array.for_each(frame * n * 3, n, |position| out.push(position));
    }
}

/// The bone matrices of all frames of an archive, in their stored type.
#[derive(Clone, Debug)]
pub(crate) struct BoneFrames {
    array: Arc<Array>,
}

impl BoneFrames {
    pub(crate) fn n_frames(&self) -> usize {
        self.array.shape()[0]
    }

    /// Returns the matrix of each bone in an existing frame.
    pub(crate) fn matrices(&self, frame: usize) -> Vec<Affine> {
        let n = self.array.shape()[1];
        let mut matrices = Vec::with_capacity(n);
        self.array.for_each(frame * n * 12, n, |m: [f64; 12]| {
            matrices.push(std::array::from_fn(|i| std::array::from_fn(|j| m[4 * i + j])));
        });
        matrices
    }
}

/// Maximum deviation of a vertex's weight sum from one without normalization: that of weights
/// stored as f32 or as bytes. The format defines positions by the weights in the file; normalizing
/// all of them would change the last bits of files written by this crate.
const SUM_TOLERANCE: f64 = 1.0 / 128.0;

/// Returns the clip in the bytes of an NPZ file. The rate of the options is used if the file has
/// none.
pub(crate) fn read(bytes: &[u8], file: &str, stem: &str, options: &Options) -> Result<Clip> {
    let mut archive = Archive {
        bytes,
        file,
        members: zip::directory(bytes, file)?,
        budget: Budget::new(file, bytes.len(), options.memory),
        notes: Vec::new(),
    };
    let Moving { motion, n_vertices, skin, mut faces } = archive.moving()?;
    let fps = archive.fps()?.unwrap_or(options.fps);
    let n_faces = faces.len();
    faces.retain(|face| !is_degenerate(face));
    let skipped = n_faces - faces.len();
    let mut surface = Surface::plain(stem, faces, n_vertices);
    surface.notes = archive.notes.split_off(0);
    surface.skipped = skipped;
    surface.note_skipped();
    if archive.has("vertex_object") {
        (surface.vertex_object, surface.objects) = archive.objects(n_vertices)?;
    }
    surface.skin = skin;
    let clip = Clip { name: stem.to_owned(), fps, surface: Arc::new(surface.checked(file)?), motion };
    if clip.n_frames() == 0 {
        return Err(malformed(file, "archive", "there are no frames"));
    }
    Ok(clip)
}

/// What moves, and how.
struct Moving {
    motion: Motion,
    n_vertices: usize,
    skin: Option<Skin>,
    faces: Vec<[u32; 3]>,
}

struct Archive<'a> {
    bytes: &'a [u8],
    file: &'a str,
    members: Vec<zip::Member>,
    budget: Budget,
    notes: Vec<String>,
}

impl Archive<'_> {
    fn find(&self, name: &str) -> Option<usize> {
        self.members.iter().position(|member| member.name.strip_suffix(".npy") == Some(name))
    }

    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn array(&mut self, name: &str) -> Result<Array> {
        let missing = || malformed(self.file, "archive", format!("the array '{name}' is missing"));
        let member = &self.members[self.find(name).ok_or_else(missing)?];
        let content = zip::extract(self.bytes, member, self.file, &mut self.budget)?;
        Array::parse(content, name, self.file, &mut self.budget)
    }

    /// Returns an error that names an array.
    fn fault(&self, array: &str, problem: impl Into<String>) -> crate::Error {
        malformed(self.file, format!("array '{array}'"), problem)
    }

    /// Returns the form of the archive that its arrays have.
    fn moving(&mut self) -> Result<Moving> {
        const FORMS: [&str; 4] = ["frames", "control_vertices", "particle_matrices", "amplitudes"];
        let forms: Vec<&str> = FORMS.into_iter().filter(|name| self.has(name)).collect();
        match forms[..] {
            ["frames"] => self.frames(),
            ["control_vertices"] => self.control(),
            ["particle_matrices"] => self.particles(),
            ["amplitudes"] => self.modes(),
            [first, second, ..] => {
                let problem = format!(
                    "there are both an array '{first}' and '{second}'; one of them moves the vertices"
                );
                Err(malformed(self.file, "archive", problem))
            }
            _ if self.has("rest_vertices") => self.skinned(),
            _ => {
                let problem = format!("there is no array '{}' or 'rest_vertices'", FORMS.join("', '"));
                Err(malformed(self.file, "archive", problem))
            }
        }
    }

    fn frames(&mut self) -> Result<Moving> {
        let array = self.array("frames")?;
        array.check_shape(&[None, None, Some(3)])?;
        array.check_numbers()?;
        let n_vertices = array.shape()[1];
        let motion = Motion::Frames(Frames { array: Arc::new(array) });
        Ok(Moving { motion, n_vertices, skin: None, faces: self.faces()? })
    }

    fn skinned(&mut self) -> Result<Moving> {
        let array = self.array("bone_matrices")?;
        array.check_shape(&[None, None, Some(3), Some(4)])?;
        array.check_numbers()?;
        let skin = self.skin(array.shape()[1])?;
        let motion = Motion::Bones(BoneFrames { array: Arc::new(array) });
        Ok(Moving { motion, n_vertices: skin.rest.len(), skin: Some(skin), faces: self.faces()? })
    }

    fn faces(&mut self) -> Result<Vec<[u32; 3]>> {
        self.triangles("faces")
    }

    /// Returns the triangles of an array; their corners are checked later.
    fn triangles(&mut self, name: &str) -> Result<Vec<[u32; 3]>> {
        let array = self.array(name)?;
        array.check_shape(&[None, Some(3)])?;
        let values = array.to_integers(&mut self.budget)?;
        self.budget.charge(values.len(), 4, || format!("array '{name}'"))?;
        let mut faces = Vec::with_capacity(values.len() / 3);
        for (i, face) in values.chunks_exact(3).enumerate() {
            let mut corners = [0; 3];
            for (corner, &value) in corners.iter_mut().zip(face) {
                let fault = |_| array.fault(format!("triangle {i} names vertex {value}"));
                *corner = u32::try_from(value).map_err(fault)?;
            }
            faces.push(corners);
        }
        Ok(faces)
    }

    /// Returns the object of each vertex and the names of the objects.
    fn objects(&mut self, n_vertices: usize) -> Result<(Vec<u32>, Vec<String>)> {
        let array = self.array("vertex_object")?;
        array.check_shape(&[Some(n_vertices)])?;
        let values = array.to_integers(&mut self.budget)?;
        let mut vertex_object = Vec::with_capacity(n_vertices);
        for (vertex, &value) in values.iter().enumerate() {
            // At most as many objects as vertices, so that a large number cannot require as many
            // names.
            let object = u32::try_from(value).ok().filter(|&object| (object as usize) < n_vertices);
            vertex_object
                .push(object.ok_or_else(|| array.fault(format!("vertex {vertex} is in object {value}")))?);
        }
        let n = vertex_object.iter().max().map_or(1, |&last| last as usize + 1);
        self.budget.charge(n, 64, || format!("the names of {n} objects"))?;
        Ok((vertex_object, (0..n).map(|object| format!("object {object}")).collect()))
    }

    fn fps(&mut self) -> Result<Option<f64>> {
        if !self.has("fps") {
            return Ok(None);
        }
        let array = self.array("fps")?;
        match array.to_f64(&mut self.budget)?[..] {
            [fps] if fps.is_finite() && 0.0 < fps => Ok(Some(fps)),
            _ => Err(array.fault("it must hold one positive number")),
        }
    }

    fn points(&mut self, name: &str, n: Option<usize>) -> Result<Vec<[f64; 3]>> {
        let array = self.array(name)?;
        array.check_shape(&[n, Some(3)])?;
        array.check_numbers()?;
        let n = array.shape()[0];
        self.budget.charge(n, size_of::<[f64; 3]>(), || format!("array '{name}'"))?;
        let mut points = Vec::with_capacity(n);
        array.for_each(0, n, |point| points.push(point));
        Ok(points)
    }

    fn skin(&mut self, n_bones: usize) -> Result<Skin> {
        let rest = self.points("rest_vertices", None)?;
        let bones = self.bones(n_bones)?;
        let (joints, weights) = (self.array("joints")?, self.array("weights")?);
        joints.check_shape(&[Some(rest.len()), None])?;
        let per_vertex = joints.shape()[1];
        weights.check_shape(&[Some(rest.len()), Some(per_vertex)])?;
        let joint_values = joints.to_integers(&mut self.budget)?;
        let weight_values = weights.to_f64(&mut self.budget)?;
        let n = weight_values.iter().filter(|&&weight| weight != 0.0).count();
        if u32::try_from(n).is_err() {
            return Err(weights.fault("it holds 2^32 weights or more"));
        }
        if n_bones == 0 {
            return Err(joints.fault("there are no bones"));
        }
        self.budget.charge(n.max(rest.len()), size_of::<Influence>(), || "the influences of bones".into())?;
        self.budget.charge(rest.len(), 64, || "the influences of bones".into())?;
        let root = bones.iter().position(|bone| bone.parent.is_none()).unwrap_or(0) as u32;
        let mut skin = Skin::new(bones);
        skin.reserve(rest.len(), n.max(rest.len()));
        let (mut unbound, mut negative, mut scaled) = (Vec::new(), Vec::new(), Vec::new());
        let mut influences = Vec::new();
        for (vertex, &position) in rest.iter().enumerate() {
            influences.clear();
            let (mut is_finite, mut is_negative) = (true, false);
            for i in vertex * per_vertex..(vertex + 1) * per_vertex {
                let (weight, joint) = (weight_values[i], joint_values[i]);
                is_finite &= weight.is_finite();
                is_negative |= weight < 0.0;
                if weight <= 0.0 {
                    continue;
                }
                let bone = u32::try_from(joint).ok().filter(|&bone| (bone as usize) < n_bones);
                let bone = bone.ok_or_else(|| {
                    joints
                        .fault(format!("vertex {vertex} follows bone {joint}, but there are {n_bones} bones"))
                })?;
                influences.push(Influence { bone, weight });
            }
            if influences.is_empty() || !is_finite {
                unbound.push(vertex);
                influences.clear();
                influences.push(Influence { bone: root, weight: 1.0 });
            } else if is_negative {
                negative.push(vertex);
            }
            let sum: f64 = influences.iter().map(|influence| influence.weight).sum();
            if SUM_TOLERANCE < (sum - 1.0).abs() {
                influences.iter_mut().for_each(|influence| influence.weight /= sum);
                scaled.push(vertex);
            }
            skin.push(position, &influences);
        }
        let notes = [
            (unbound, "weights that are no numbers, or none above 0", "bound to the root of the skin"),
            (negative, "negative weights", "taken as 0"),
            (scaled, "weights whose sum is not 1", "divided by their sum"),
        ];
        for (vertices, what, done) in notes {
            self.note(&vertices, what, done);
        }
        Ok(skin)
    }

    /// Adds a note about vertices, if there are any.
    fn note(&mut self, vertices: &[usize], what: &str, done: &str) {
        if vertices.is_empty() {
            return;
        }
        let first: Vec<String> = vertices.iter().take(3).map(usize::to_string).collect();
        let more = if 3 < vertices.len() { ", …" } else { "" };
        let n = counted(vertices.len(), "vertex", "vertices");
        note(&mut self.notes, &format!("{n} with {what} ({}{more}); {done}", first.join(", ")));
    }

    fn bones(&mut self, n: usize) -> Result<Vec<Bone>> {
        let array = self.array("bone_names")?;
        array.check_shape(&[Some(n)])?;
        let names = array.to_texts(&mut self.budget)?;
        let array = self.array("bone_parents")?;
        array.check_shape(&[Some(n)])?;
        let mut parents = Vec::new();
        for (bone, parent) in array.to_integers(&mut self.budget)?.into_iter().enumerate() {
            parents.push(match u32::try_from(parent) {
                Ok(parent) if (parent as usize) < n => Some(parent),
                _ if parent == -1 => None,
                _ => return Err(array.fault(format!("bone {bone} has the parent {parent} of {n} bones"))),
            });
        }
        if let Some(bone) = find_cycle(&parents) {
            return Err(array.fault(format!("bone {bone} is its own ancestor")));
        }
        let heads = self.points("bone_heads", Some(n))?;
        let tails = if self.has("bone_tails") { Some(self.points("bone_tails", Some(n))?) } else { None };
        self.budget.charge(n, size_of::<Bone>(), || format!("{n} bones"))?;
        let bone =
            |(i, name)| Bone { name, parent: parents[i], head: heads[i], tail: tails.as_ref().map(|t| t[i]) };
        Ok(names.into_iter().enumerate().map(bone).collect())
    }
}
