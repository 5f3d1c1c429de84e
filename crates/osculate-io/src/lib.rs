//! Reads meshes and their motion from files (glTF, FBX, USD, Alembic, PLY, OBJ, NPZ, and the point
//! caches PC2 and MDD), and [writes](mod@write) reports and animations.
//!
//! Every input becomes a list of [`Clip`]s: a surface of triangles and a sequence of frames. Frames
//! are evaluated on demand, in f64; an animation is never expanded in memory. If the file has a
//! skeleton, [`Skin`] has the bones of each vertex. [`Deformer`] has what else moves all vertices
//! by few parameters: control points, particles or modes.
//!
//! No file content makes the readers panic. Memory is charged before it is allocated, at most 512
//! MB plus 20 times the size of the file, or [`Options::memory`]; more is an error. Polygons are
//! cut into triangles, and triangles with a repeated vertex are skipped; coordinates are passed on
//! as they are, NaN included, except that those of point caches must be finite.
//! [`Surface::notes`] lists what was skipped or repaired, and text from files is made [`printable`]
//! before it becomes part of a message. Triangles of glTF, FBX, USD and Alembic meshes that a
//! mirror turns inside out at rest are turned, too.
//!
//! From a glTF file (.vrm is one, too) the default scene is read, with one object for each visible
//! node with a mesh, or for each of its instances (`EXT_mesh_gpu_instancing`). Every vertex has
//! bones: the joints of its skin, or the node of its mesh. Weights are normalized, with negative
//! ones clamped to 0; a vertex with a weight that is not a number, or with none above 0, follows
//! the root of its skin: the first joint without another one above it. Vertices that no pose can
//! separate are merged, see [`Welding`]. Clips are sampled from time 0 to the last key. Meshes may
//! be compressed with Draco or meshopt, and quantized; visibility is that at rest.
//!
//! FBX files have a clip for each take, in meters with Y up, and need the feature `fbx` (on by
//! default) and a C compiler. A USD file is one clip, in meters with Y up, and needs the feature
//! `usd`: UsdSkel, moving points and transforms, composed of all layers that are found. The parser
//! of its layers runs in a thread of its own, whose panics become errors; the first of these files
//! sets a panic hook that is silent about this thread, and passes on all else. An Alembic file is
//! one clip, from its first sample to its last, in its own axes and unit. All three are sampled at
//! their own frame rates. Every vertex keeps its place in the file, and has bones: the joints of
//! its skin, or the node or transform of its mesh.
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
mod governed;
mod clip;
mod shape;
mod zip;
mod ply;
mod obj;
mod npz;
mod sequence;
mod cache;
mod tally;
mod mirrored;
mod gltf;
mod stage;
mod abc;
#[cfg(feature = "fbx")]
mod fbx;
#[cfg(not(feature = "fbx"))]
#[path = "fbx/absent.rs"]
mod fbx;
// What stands for a reader is tested in builds with the reader, too.
#[cfg(all(test, feature = "fbx"))]
#[path = "fbx/absent.rs"]
mod fbx_absent;
#[cfg(feature = "usd")]
mod usd;
#[cfg(not(feature = "usd"))]
#[path = "usd/absent.rs"]
mod usd;
#[cfg(all(test, feature = "usd"))]
#[path = "usd/absent.rs"]
mod usd_absent;
pub mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use clip::{Clip, SourceVertex, Surface, Welding};
pub use error::{Error, Result};
pub use governed::Deformer;
pub use printable::printable;
pub use skin::{Affine, Bone, Influence, Skin};

use clip::Motion;

/// Options of the readers.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The only animation of a glTF or FBX file to read; all of them by default.
    pub clip: Option<String>,
    /// Frames per second: the sampling rate of glTF clips, and the rate of files without one. A
    /// positive number; 30 by default.
    pub fps: f64,
    /// Memory limit for reading a file, in bytes besides its own; 512 MB plus 20 times the size of
    /// the file by default. A file that announces or expands to more is rejected before the memory
    /// is allocated.
    pub memory: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { clip: None, fps: 30.0, memory: None }
    }
}

/// The file formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Gltf,
    Npz,
    Ply,
    Obj,
    Cache(cache::Kind),
    Fbx,
    Abc,
    Usd,
}

impl Format {
    /// Returns the format of a path's extension.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_string_lossy().to_ascii_lowercase().as_str() {
            "gltf" | "glb" | "vrm" => Some(Format::Gltf),
            "npz" => Some(Format::Npz),
            "ply" => Some(Format::Ply),
            "obj" => Some(Format::Obj),
            "pc2" => Some(Format::Cache(cache::Kind::Pc2)),
            "mdd" => Some(Format::Cache(cache::Kind::Mdd)),
            "fbx" => Some(Format::Fbx),
            "abc" => Some(Format::Abc),
            "usd" | "usda" | "usdc" | "usdz" => Some(Format::Usd),
            _ => None,
        }
    }
}

/// Returns the clips of the inputs.
///
/// .ply and .obj files, and folders of them, together are the frames of one clip, in natural order
/// of their names. Each .glb, .gltf, .vrm, .fbx, .usd, .usda, .usdc, .usdz, .abc and .npz file has
/// its own clips, and each .pc2 and .mdd file has one: a point cache, whose triangles are those of
/// the .obj file of the same name beside it. The two kinds cannot be mixed.
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
            Format::Cache(kind) => clips.push(cache::open(path, kind, options)?),
            Format::Abc => {
                let content = Arc::new(bytes::read(path)?);
                clips.push(abc::read(content, &path.display().to_string(), &sequence::stem(path), options)?);
            }
            Format::Usd => {
                let content = bytes::read(path)?;
                let name = path.display().to_string();
                clips.push(usd::read(content, &name, &sequence::stem(path), Some(path), options)?);
            }
            Format::Fbx => {
                let content = bytes::read(path)?;
                clips.extend(fbx::read(
                    &content,
                    &path.display().to_string(),
                    &sequence::stem(path),
                    options,
                )?);
            }
        }
    }
    match (clips.is_empty(), frames.is_empty()) {
        (true, _) => Ok(vec![sequence::open(frames, options)?]),
        (false, true) => Ok(clips),
        (false, false) => {
            let problem = "meshes (.ply, .obj) and animations (.glb, .gltf, .vrm, .fbx, .usd, .abc, .npz, .pc2, .mdd) \
                           cannot be read together; a point cache is given without its .obj file";
            Err(Error::Inputs { problem: problem.into() })
        }
    }
}

/// Returns the files that [`open`] reads for one input: the file itself and the external buffers of
/// a glTF file or the .obj file of a point cache, or the frames in a folder, sorted by name.
///
/// What a damaged file refers to, and a missing .obj file, is left out; opening says what is wrong.
pub fn files_of(input: &Path) -> Result<Vec<PathBuf>> {
    if input.is_dir() {
        let mut frames = sequence::list(input)?;
        frames.sort();
        return Ok(frames);
    }
    let mut files = vec![input.to_owned()];
    match format_of(input)? {
        Format::Gltf => {
            let folder = input.parent().unwrap_or(Path::new(""));
            files.extend(gltf::external_buffers(&bytes::read(input)?).iter().map(|path| folder.join(path)));
        }
        Format::Cache(_) => files.extend(cache::mesh_of(input)),
        Format::Usd => files.extend(usd::external_layers(input)),
        Format::Npz | Format::Ply | Format::Obj | Format::Fbx | Format::Abc => {}
    }
    Ok(files)
}

/// Whether a path names a file that can be read, by its extension.
#[must_use]
pub fn is_readable(path: &Path) -> bool {
    Format::of(path).is_some()
}

/// Returns the clips in the bytes of a file; the extension of `name` determines the format.
///
/// A glTF file must contain its buffers, as a GLB does. For a point cache, see [`read_cache`].
pub fn read_bytes(bytes: &[u8], name: &str, options: &Options) -> Result<Vec<Clip>> {
    check(options)?;
    let path = Path::new(name);
    let stem = sequence::stem(path);
    let shape = match format_of(path)? {
        Format::Npz => return Ok(vec![npz::read(bytes, name, &stem, options)?]),
        Format::Gltf => return gltf::read(bytes, name, &stem, None, options),
        Format::Fbx => return fbx::read(bytes, name, &stem, options),
        Format::Usd => return Ok(vec![usd::read(bytes.to_vec(), name, &stem, None, options)?]),
        Format::Abc => return Ok(vec![abc::read(Arc::new(bytes.to_vec()), name, &stem, options)?]),
        Format::Ply => ply::read(bytes, name, options.memory)?,
        Format::Obj => obj::read(bytes, name, options.memory)?,
        Format::Cache(_) => {
            let problem = format!("{name}: a point cache has no triangles, and is read with an .obj file");
            return Err(Error::Inputs { problem });
        }
    };
    let (surface, positions) = shape.into_surface(name, &stem)?;
    let motion = Motion::Still(Arc::new(positions));
    Ok(vec![Clip { name: stem, fps: options.fps, surface: Arc::new(surface), motion }])
}

/// Returns the clip in the bytes of a point cache, with the triangles in the bytes of an OBJ file
/// (`mesh`). The extension of `name`, .pc2 or .mdd, determines the format; in errors, the OBJ file
/// has the same name with its own extension.
pub fn read_cache(cache: Vec<u8>, name: &str, mesh: &[u8], options: &Options) -> Result<Clip> {
    check(options)?;
    let path = Path::new(name);
    let Format::Cache(kind) = format_of(path)? else {
        return Err(Error::Inputs { problem: format!("{name}: point caches are .pc2 and .mdd files") });
    };
    let mesh_name = path.with_extension("obj").display().to_string();
    let shape = obj::read(mesh, &mesh_name, options.memory)?;
    cache::read(cache, kind, name, shape, &mesh_name, options)
}

fn format_of(path: &Path) -> Result<Format> {
    Format::of(path).ok_or_else(|| Error::Inputs {
        problem: format!(
            "{}: files of this kind are not read; known are .glb, .gltf, .vrm, .fbx, .usd, .usda, .usdc, .usdz, \
             .abc, .npz, .pc2, .mdd, .ply and .obj",
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
