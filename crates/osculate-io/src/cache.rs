//! Point caches, PC2 and MDD: the positions of all vertices in each frame, for the triangles of an
//! OBJ file.
//!
//! * PC2, little-endian: `POINTCACHE2` and a zero byte; i32 version 1; i32 number of points; f32
//!   first frame; f32 frames per sample; i32 number of samples; f32 positions, sample by sample.
//! * MDD, big-endian: i32 number of frames; i32 number of points; f32 time of each frame in
//!   seconds; f32 positions, frame by frame.
//!
//! The points are the vertices of the OBJ file, in its order; the positions in the OBJ file are not
//! used. Axes and units are those that the cache was exported with: nothing is converted. A sample
//! is a frame of the clip, and the first one is frame 0. The file must have exactly the bytes that
//! its counts announce, and all positions must be finite. The bytes are kept as they are, and take
//! no memory besides those of the file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bytes::{self, Scalar, slice};
use crate::clip::{Clip, Motion};
use crate::error::{Error, Result, malformed};
use crate::note::note;
use crate::shape::Shape;
use crate::{Options, obj, sequence};

/// The kinds of point caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pc2,
    Mdd,
}

const PC2_MAGIC: &[u8] = b"POINTCACHE2\0";
const PC2_HEADER: usize = 32;
const MDD_HEADER: usize = 8;

/// The frames of a cache, in the bytes of its file.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    bytes: Arc<Vec<u8>>,
    /// The first byte of the positions, which reach to the end.
    start: usize,
    is_big_endian: bool,
    n_frames: usize,
    n_points: usize,
}

/// Returns the clip of the cache at `path`, with the triangles of the OBJ file beside it.
pub(crate) fn open(path: &Path, kind: Kind, options: &Options) -> Result<Clip> {
    let file = path.display().to_string();
    let content = bytes::read(path)?;
    let Some(mesh) = mesh_of(path) else {
        let wanted = path.with_extension("obj");
        let problem = format!("{file}: the triangles of a point cache are read from {}", wanted.display());
        return Err(Error::Inputs { problem: format!("{problem}, which is missing") });
    };
    let mesh_name = mesh.display().to_string();
    let shape = obj::read(&bytes::read(&mesh)?, &mesh_name, options.memory)?;
    read(content, kind, &file, shape, &mesh_name, options)
}

/// Returns the OBJ file of the same name beside a cache, or `None` if there is none.
pub(crate) fn mesh_of(path: &Path) -> Option<PathBuf> {
    ["obj", "OBJ"].map(|extension| path.with_extension(extension)).into_iter().find(|mesh| mesh.is_file())
}

/// Returns the clip in the bytes of a cache named `file`, with the triangles of an OBJ file named
/// `mesh`.
pub(crate) fn read(
    bytes: Vec<u8>,
    kind: Kind,
    file: &str,
    shape: Shape,
    mesh: &str,
    options: &Options,
) -> Result<Clip> {
    let bytes = Arc::new(bytes);
    let header = Header { bytes: &bytes, file, is_big_endian: kind == Kind::Mdd };
    let (n_frames, n_points, start) = match kind {
        Kind::Pc2 => header.pc2()?,
        Kind::Mdd => header.mdd()?,
    };
    // The counts are at most 2^31, so nothing overflows.
    let needed = start as u128 + n_frames as u128 * n_points as u128 * 12;
    if needed != bytes.len() as u128 {
        let found = bytes.len();
        let problem = format!("{n_frames} frames of {n_points} points need {needed} bytes, not {found}");
        return Err(malformed(file, "header", problem));
    }
    if n_points != shape.positions.len() {
        let n = shape.positions.len();
        let problem = format!("the cache has {n_points} points, but {mesh} has {n} vertices");
        return Err(malformed(file, "header", problem));
    }
    let is_big_endian = header.is_big_endian;
    let points = Points { bytes: Arc::clone(&bytes), start, is_big_endian, n_frames, n_points };
    let is_finite = |position: &[f64; 3]| position.iter().all(|x| x.is_finite());
    if let Some(i) = points.positions(0, n_frames).position(|position| !is_finite(&position)) {
        let (frame, vertex) = (i / n_points, i % n_points);
        return Err(malformed(file, format!("frame {frame}, vertex {vertex}"), "it is not finite"));
    }

    let name = sequence::stem(Path::new(file));
    let (mut surface, _) = shape.into_surface(mesh, &name)?;
    let fps = match kind {
        Kind::Pc2 => header.pc2_rate(options.fps)?,
        Kind::Mdd if n_frames == 1 => options.fps,
        Kind::Mdd => header.mdd_rate(n_frames).unwrap_or_else(|| {
            note(&mut surface.notes, "the times of the frames do not increase, and are ignored");
            options.fps
        }),
    };
    Ok(Clip { name, fps, surface: Arc::new(surface), motion: Motion::Cache(points) })
}

/// The bytes of a cache, of any length.
struct Header<'a> {
    bytes: &'a [u8],
    file: &'a str,
    is_big_endian: bool,
}

impl Header<'_> {
    /// Returns the numbers of samples and points of a PC2 file, and the first byte of positions.
    fn pc2(&self) -> Result<(usize, usize, usize)> {
        if !self.bytes.starts_with(PC2_MAGIC) {
            return Err(malformed(self.file, "header", "the file does not begin with POINTCACHE2"));
        }
        let version = self.number(Scalar::I32, 12)?;
        if version != 1.0 {
            return Err(malformed(self.file, "header", format!("version {version} is not read, only 1")));
        }
        Ok((self.count(28, "frames")?, self.count(16, "points")?, PC2_HEADER))
    }

    /// Returns the frames per second of a PC2 file in a scene that has `fps` of them: `fps` divided
    /// by the frames per sample, which must be a positive number.
    fn pc2_rate(&self, fps: f64) -> Result<f64> {
        let per_sample = self.number(Scalar::F32, 24)?;
        let rate = fps / per_sample;
        if rate.is_finite() && 0.0 < rate {
            return Ok(rate);
        }
        let problem = format!("{per_sample} frames per sample, which must be a positive number");
        Err(malformed(self.file, "header", problem))
    }

    /// Returns the numbers of frames and points of an MDD file, and the first byte of positions.
    fn mdd(&self) -> Result<(usize, usize, usize)> {
        let (n_frames, n_points) = (self.count(0, "frames")?, self.count(4, "points")?);
        Ok((n_frames, n_points, MDD_HEADER.saturating_add(n_frames.saturating_mul(4))))
    }

    /// Returns the frames per second of an MDD file of at least two frames, evenly spaced from the
    /// first time to the last: (n - 1) / (last - first). `None` if the times are not finite and
    /// strictly increasing.
    ///
    /// Times are rounded to f32; if a rate in thousandths has the same last time, it is returned:
    /// 30 rather than 29.9999996.
    fn mdd_rate(&self, n_frames: usize) -> Option<f64> {
        let time = |frame: usize| self.number(Scalar::F32, MDD_HEADER + 4 * frame).ok();
        let (first, last) = (time(0)?, time(n_frames - 1)?);
        let is_increasing = (1..n_frames).all(|frame| time(frame - 1) < time(frame));
        if !(is_increasing && first.is_finite() && last.is_finite()) {
            return None;
        }
        let n_steps = (n_frames - 1) as f64;
        let rate = n_steps / (last - first);
        let rounded = (rate * 1000.0).round() / 1000.0;
        Some(if (first + n_steps / rounded) as f32 == last as f32 { rounded } else { rate })
    }

    /// Returns the positive number at byte `at`.
    fn count(&self, at: usize, what: &str) -> Result<usize> {
        let n = self.number(Scalar::I32, at)?;
        if 0.0 < n {
            return Ok(n as usize);
        }
        Err(malformed(self.file, "header", format!("{n} {what}, but there must be at least one")))
    }

    fn number(&self, scalar: Scalar, at: usize) -> Result<f64> {
        let bytes = slice(self.bytes, at, scalar.size());
        let bytes = bytes.ok_or_else(|| malformed(self.file, format!("byte {at}"), "the file ends here"))?;
        Ok(scalar.to_f64(bytes, self.is_big_endian))
    }
}

impl Points {
    pub(crate) fn n_frames(&self) -> usize {
        self.n_frames
    }

    /// Appends the positions of an existing frame.
    pub(crate) fn pose(&self, frame: usize, out: &mut Vec<[f64; 3]>) {
        out.extend(self.positions(frame, 1));
    }

    /// Returns the positions of `n` existing frames from the `first` on.
    fn positions(&self, first: usize, n: usize) -> impl Iterator<Item = [f64; 3]> {
        let size = 12 * self.n_points;
        let bytes = slice(&self.bytes, self.start + first * size, n * size).unwrap_or_default();
        let coordinate = |bytes: &[u8]| Scalar::F32.to_f64(bytes, self.is_big_endian);
        bytes.chunks_exact(12).map(move |p| [&p[..4], &p[4..8], &p[8..]].map(coordinate))
    }
}
