//! A sequence of mesh files as the frames of one animation, in natural order of their names.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::clip::{Clip, Motion, Surface};
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::{Format, Options, bytes, obj, ply};

/// The files of a sequence; each is read when its pose is requested.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    paths: Arc<Vec<PathBuf>>,
    memory: Option<u64>,
}

/// Returns the clip whose frames are the given files, sorted by name. Only the first file is read
/// now.
pub(crate) fn open(mut paths: Vec<PathBuf>, options: &Options) -> Result<Clip> {
    paths.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
    let Some(first) = paths.first() else {
        return Err(Error::Inputs { problem: "there are no .ply or .obj files to read".into() });
    };
    let name = stem(first);
    let file = first.display().to_string();
    let (surface, positions) = read(first, options.memory)?.into_surface(&file, &name)?;
    let motion = match paths.len() {
        1 => Motion::Still(Arc::new(positions)),
        _ => Motion::Files(Files { paths: Arc::new(paths), memory: options.memory }),
    };
    Ok(Clip { name, fps: options.fps, surface: Arc::new(surface), motion })
}

/// Returns the .ply and .obj files in a folder. Fails for a mix of both.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let io = |error| Error::Io { path: folder.to_owned(), error };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if matches!(Format::of(&path), Some(Format::Ply | Format::Obj)) && path.is_file() {
            paths.push(path);
        }
    }
    let n_ply = paths.iter().filter(|path| Format::of(path) == Some(Format::Ply)).count();
    let problem = match (n_ply, paths.len()) {
        (_, 0) => "there are no .ply or .obj files in it".to_owned(),
        (ply, all) if 0 < ply && ply < all => format!("it holds {ply} .ply and {} .obj files", all - ply),
        _ => return Ok(paths),
    };
    Err(Error::Inputs { problem: format!("{}: {problem}", folder.display()) })
}

/// Returns the name of a file without folder and extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(path: &Path, memory: Option<u64>) -> Result<Shape> {
    let name = path.display().to_string();
    let bytes = bytes::read(path)?;
    let read = if Format::of(path) == Some(Format::Obj) { obj::read } else { ply::read };
    read(&bytes, &name, memory)
}

impl Files {
    pub(crate) fn n_frames(&self) -> usize {
        self.paths.len()
    }

    /// Replaces `out` by the positions in the file of an existing frame.
    pub(crate) fn pose(&self, frame: usize, surface: &Surface, out: &mut Vec<[f64; 3]>) -> Result<()> {
        let shape = read(&self.paths[frame], self.memory)?;
        let difference = if shape.positions.len() != surface.n_vertices {
            format!("it has {} vertices instead of {}", shape.positions.len(), surface.n_vertices)
        } else if shape.faces.len() != surface.faces.len() {
            format!("it has {} triangles instead of {}", shape.faces.len(), surface.faces.len())
        } else if let Some(i) = (0..shape.faces.len()).find(|&i| shape.faces[i] != surface.faces[i]) {
            format!("triangle {i} is {:?} instead of {:?}", shape.faces[i], surface.faces[i])
        } else {
            *out = shape.positions;
            return Ok(());
        };
        let name = |frame: usize| self.paths[frame].display().to_string();
        Err(Error::FacesDiffer { file: name(frame), first: name(0), difference })
    }
}

/// Compares names so that "frame2" comes before "frame10": runs of digits count as numbers. Names
/// that are equal in this sense ("a01", "a1") are compared as text, so the order never depends on
/// that of the input.
pub(crate) fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a.as_bytes(), b.as_bytes());
    while let (Some(&c), Some(&d)) = (x.first(), y.first()) {
        let (order, n, m) = if c.is_ascii_digit() && d.is_ascii_digit() {
            let (n, m) = (digits(x), digits(y));
            let (p, q) = (significant(&x[..n]), significant(&y[..m]));
            (p.len().cmp(&q.len()).then_with(|| p.cmp(q)), n, m)
        } else {
            (c.cmp(&d), 1, 1)
        };
        if order != Ordering::Equal {
            return order;
        }
        (x, y) = (&x[n..], &y[m..]);
    }
    x.len().cmp(&y.len()).then_with(|| a.cmp(b))
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn significant(digits: &[u8]) -> &[u8] {
    &digits[digits.iter().take_while(|&&byte| byte == b'0').count()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let sorted = ["a", "a1", "a2b3", "a2b20", "a10", "a010b", "b0", "b00", "b1"];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(natural_order(a, b), i.cmp(&j), "{a} {b}");
            }
        }
        let long = "9".repeat(400);
        assert_eq!(natural_order(&long, &format!("{long}0")), Ordering::Less);
    }
}
