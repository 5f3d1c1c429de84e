//! Stanford PLY of a surface at an instant, with a color and a number for each triangle.

use crate::error::{Result, malformed};

/// A surface with a color and a number for each triangle. It is checked when it is written.
#[derive(Clone, Copy, Debug)]
pub struct Painted<'a> {
    /// Its name, used in errors.
    pub name: &'a str,
    /// The positions of the vertices.
    pub positions: &'a [[f64; 3]],
    /// The triangles; corners are indices of vertices.
    pub faces: &'a [[u32; 3]],
    /// For each triangle, its color: red, green, blue.
    pub colors: &'a [[u8; 3]],
    /// The name of a property of triangles, of letters, digits and underscores.
    pub property: &'a str,
    /// For each triangle, its value.
    pub values: &'a [u32],
}

/// Returns the bytes of a PLY file, binary and little-endian. Coordinates are doubles, and read
/// back bit for bit.
pub fn ply(painted: &Painted) -> Result<Vec<u8>> {
    painted.check()?;
    let Painted { positions, faces, colors, property, values, .. } = *painted;
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\n\
         element vertex {}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {}\nproperty list uchar uint vertex_indices\n\
         property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uint {property}\n\
         end_header\n",
        positions.len(),
        faces.len()
    )
    .into_bytes();
    bytes.reserve_exact(24 * positions.len() + 20 * faces.len());
    bytes.extend(positions.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    for ((face, color), value) in faces.iter().zip(colors).zip(values) {
        bytes.push(3);
        bytes.extend(face.iter().flat_map(|corner| corner.to_le_bytes()));
        bytes.extend(color);
        bytes.extend(value.to_le_bytes());
    }
    Ok(bytes)
}

impl Painted<'_> {
    pub(super) fn check(&self) -> Result<()> {
        let fault = |place: String, problem: &str| Err(malformed(self.name, place, problem));
        if self.faces.len() != self.colors.len() || self.faces.len() != self.values.len() {
            return fault("colors".into(), "there is not one color and one value for each triangle");
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if self.property.is_empty() || !self.property.chars().all(is_plain) {
            return fault("property".into(), "its name is not made of letters, digits and underscores");
        }
        if let Some(v) = self.positions.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
            return fault(format!("vertex {v}"), "its position is not finite");
        }
        let is_bad = |face: &[u32; 3]| face.iter().any(|&corner| self.positions.len() <= corner as usize);
        match self.faces.iter().position(is_bad) {
            Some(face) => fault(format!("triangle {face}"), "a corner does not exist"),
            None => Ok(()),
        }
    }
}
