//! Reads meshes and their motion from files (glTF, PLY, OBJ and NPZ), and [writes](mod@write)
//! reports and animations.
//!
//! Every input becomes a list of [`Clip`]s: a surface of triangles and a row of frames. A frame is
//! evaluated when it is asked for, in f64; an animation is never expanded in memory. Where the file
//! has a skeleton, [`Skin`] tells which bones a vertex follows.
//!
//! Nothing that a file contains makes the readers panic. Memory is counted before it is taken, at
//! most 512 MB and 20 times the size of the file, or what [`Options::memory`] says; more is an
//! error. Polygons are cut into triangles, and triangles of which two corners are one vertex are
//! left out; coordinates are passed on as they are, NaN included. What was left out or mended is
//! told by [`Surface::notes`], and texts from files are made [`printable`] before they become part
//! of a message.
//!
//! Of a glTF file (.vrm is one, too) the default scene is read, with one object for each visible
//! node that carries a mesh, or for each of its instances (`EXT_mesh_gpu_instancing`). Every vertex
//! has bones: the joints of its skin, else the node of its mesh. Weights are divided by their sum,
//! negative ones being taken as 0; a vertex with a weight that is no number, or with none above 0,
//! follows the root of its skin: the first joint that has no other above it. Vertices that no pose
//! can take apart are joined, see [`Welding`]. Clips are sampled from time 0 to the last key.
//! Meshes may be packed with Draco or meshopt, and quantized; visibility is that at rest.
//!
//! ```
//! # fn main() -> Result<(), osculate_io::Error> {
//! let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let clips = osculate_io::read_bytes(text, "square.obj", &Default::default())?;
//! let mut pose = Vec::new();
//! clips[0].pose(0, &mut pose)?;
//! assert_eq!(clips[0].surface.faces, [[0, 1, 2], [0, 2, 3]]);
//! assert_eq!(pose[2], [1.0, 1.0, 0.0]);
//! # Ok(())
//! # }
//! ```

mod printable;
mod note;
mod error;
mod bytes;
mod skin;
mod clip;
mod shape;
mod ply;
mod obj;
mod npz;
mod sequence;
mod gltf;
pub mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use clip::{Clip, SourceVertex, Surface, Welding};
pub use error::{Error, Result};
pub use printable::printable;
pub use skin::{Affine, Bone, Influence, Skin};

use clip::Motion;

/// What to read from files that hold several things.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Name of the one animation of a glTF file to read; all of them by default.
    pub clip: Option<String>,
    /// Frames per second: the rate at which glTF clips are sampled, and the speed of files that do
    /// not tell theirs. A positive number; 30 by default.
    pub fps: f64,
    /// Bytes of memory that reading a file may take beside its own bytes; 512 MB and 20 times the
    /// size of the file by default. A file that announces or unpacks to more is refused before it
    /// is taken.
    pub memory: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { clip: None, fps: 30.0, memory: None }
    }
}

/// The kinds of files that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Gltf,
    Npz,
    Ply,
    Obj,
}

impl Format {
    /// Returns the format that the extension of a path names.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_string_lossy().to_ascii_lowercase().as_str() {
            "gltf" | "glb" | "vrm" => Some(Format::Gltf),
            "npz" => Some(Format::Npz),
            "ply" => Some(Format::Ply),
            "obj" => Some(Format::Obj),
            _ => None,
        }
    }
}

/// Returns the clips of the inputs.
///
/// .ply and .obj files, and folders of them, together are the frames of one clip, in natural order
/// of their names. Each .glb, .gltf, .vrm and .npz file has clips of its own. The two kinds cannot
/// be mixed.
pub fn open(inputs: &[PathBuf], options: &Options) -> Result<Vec<Clip>> {
    check(options)?;
    let mut frames = Vec::new();
    let mut clips = Vec::new();
    for path in inputs {
        if path.is_dir() {
            frames.extend(sequence::list(path)?);
            continue;
        }
        match format_of(path)? {
            Format::Ply | Format::Obj => frames.push(path.clone()),
            Format::Npz => {
                let content = bytes::read(path)?;
                clips.push(npz::read(&content, &path.display().to_string(), &sequence::stem(path), options)?);
            }
            Format::Gltf => {
                let content = bytes::read(path)?;
                let name = path.display().to_string();
                clips.extend(gltf::read(&content, &name, &sequence::stem(path), path.parent(), options)?);
            }
        }
    }
    match (clips.is_empty(), frames.is_empty()) {
        (true, _) => Ok(vec![sequence::open(frames, options)?]),
        (false, true) => Ok(clips),
        (false, false) => {
            let problem =
                "meshes (.ply, .obj) and animations (.glb, .gltf, .vrm, .npz) cannot be read together";
            Err(Error::Inputs { problem: problem.into() })
        }
    }
}

/// Returns the clips in the bytes of a file; the extension of `name` tells the format.
///
/// A glTF file must hold its buffers itself, as it does in a GLB.
pub fn read_bytes(bytes: &[u8], name: &str, options: &Options) -> Result<Vec<Clip>> {
    check(options)?;
    let path = Path::new(name);
    let stem = sequence::stem(path);
    let shape = match format_of(path)? {
        Format::Npz => return Ok(vec![npz::read(bytes, name, &stem, options)?]),
        Format::Gltf => return gltf::read(bytes, name, &stem, None, options),
        Format::Ply => ply::read(bytes, name, options.memory)?,
        Format::Obj => obj::read(bytes, name, options.memory)?,
    };
    let (surface, positions) = shape.into_surface(name, &stem)?;
    let motion = Motion::Still(Arc::new(positions));
    Ok(vec![Clip { name: stem, fps: options.fps, surface: Arc::new(surface), motion }])
}

fn format_of(path: &Path) -> Result<Format> {
    Format::of(path).ok_or_else(|| Error::Inputs {
        problem: format!(
            "{}: files of this kind are not read; known are .glb, .gltf, .vrm, .npz, .ply and .obj",
            path.display()
        ),
    })
}

fn check(options: &Options) -> Result<()> {
    if options.fps.is_finite() && 0.0 < options.fps {
        return Ok(());
    }
    Err(Error::Setting { name: "fps", value: options.fps, allowed: "a positive number" })
}
