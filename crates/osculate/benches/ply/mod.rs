//! The vertices and triangles of a binary big-endian PLY file, as the cloth-ball frames are stored.

use std::error::Error;
use std::path::Path;

/// Positions and triangles.
pub(crate) type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// Reads a file whose vertices are three floats and whose faces are a byte, 3, and three integers.
pub(crate) fn read_ply(path: &Path) -> Result<Surface, Box<dyn Error>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let fault = |what: &str| format!("{}: {what}", path.display());
    const END: &[u8] = b"end_header\n";
    let end = bytes.windows(END.len()).position(|window| window == END).ok_or_else(|| fault("no header"))?;
    let header = std::str::from_utf8(&bytes[..end])?;
    if !header.contains("binary_big_endian") {
        return Err(fault("not binary_big_endian").into());
    }
    let count = |name: &str| -> Result<usize, Box<dyn Error>> {
        let line = header.lines().find_map(|line| line.strip_prefix(&format!("element {name} ")));
        Ok(line.ok_or_else(|| fault(&format!("no {name}")))?.trim().parse()?)
    };
    let (n_vertices, n_faces) = (count("vertex")?, count("face")?);
    let body = &bytes[end + END.len()..];
    if body.len() != 12 * n_vertices + 13 * n_faces {
        return Err(fault("elements of another size").into());
    }
    let word = |row: &[u8], i: usize| [row[i], row[i + 1], row[i + 2], row[i + 3]];
    let (vertices, faces) = body.split_at(12 * n_vertices);
    let vertices =
        vertices.chunks(12).map(|row| [0, 4, 8].map(|i| f64::from(f32::from_be_bytes(word(row, i)))));
    let faces = faces.chunks(13).map(|row| [1, 5, 9].map(|i| u32::from_be_bytes(word(row, i))));
    Ok((vertices.collect(), faces.collect()))
}
