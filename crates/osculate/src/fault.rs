//! Faults of meshes and poses.

use std::fmt;

/// Maximum number of vertices: their numbers leave the highest bit of a `u32` free, which feature
/// pairs use as a flag.
pub(crate) const MAX_VERTICES: usize = i32::MAX as usize;

/// Maximum number of triangles: the numbers of their corners and edges leave that bit free too.
pub(crate) const MAX_TRIANGLES: usize = i32::MAX as usize / 3;

/// Number of faults that are printed in full.
const SHOWN: usize = 10;

/// A fault of a mesh or a pose. Every variant names the faulty element.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshFault {
    /// A corner of a triangle is not a vertex.
    #[error(
        "triangle {triangle} names vertex {vertex} at corner {corner}, but there are {n_vertices} vertices"
    )]
    VertexOutOfRange {
        /// Index of the triangle.
        triangle: usize,
        /// Corner of the triangle: 0, 1 or 2.
        corner: usize,
        /// The vertex index found there.
        vertex: u32,
        /// Number of vertices of the mesh.
        n_vertices: usize,
    },
    /// Two or three corners of a triangle are one vertex.
    #[error("triangle {triangle} names vertex {vertex} more than once")]
    RepeatedCorner {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex that is repeated.
        vertex: u32,
    },
    /// There are more triangles than can be numbered.
    #[error("there are {found} triangles; at most {allowed} can be numbered")]
    TooManyTriangles {
        /// Number of triangles.
        found: usize,
        /// The largest number allowed.
        allowed: usize,
    },
    /// There are more vertices than can be numbered.
    #[error("there are {found} vertices; at most {allowed} can be numbered")]
    TooManyVertices {
        /// Number of vertices.
        found: usize,
        /// The largest number allowed.
        allowed: usize,
    },
    /// A pose has too few or too many positions.
    #[error("the pose has {found} positions, but the mesh has {expected} vertices")]
    PoseLength {
        /// Number of positions.
        found: usize,
        /// Number of vertices of the mesh.
        expected: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a non-finite {axis} coordinate ({value})", axis = ["x", "y", "z"][*axis])]
    NonFinite {
        /// Index of the vertex.
        vertex: usize,
        /// Axis of the coordinate: 0, 1 or 2.
        axis: usize,
        /// The value found.
        value: f64,
    },
}

/// All faults of a mesh or a pose, in the order of its elements; never empty.
///
/// Prints the first ten, and the number of further ones.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFaults(Vec<MeshFault>);

impl MeshFaults {
    /// All faults.
    #[must_use]
    pub fn faults(&self) -> &[MeshFault] {
        &self.0
    }

    fn check(faults: Vec<MeshFault>) -> Result<(), MeshFaults> {
        if faults.is_empty() { Ok(()) } else { Err(MeshFaults(faults)) }
    }
}

impl fmt::Display for MeshFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [fault] = &self.0[..] {
            return fault.fmt(f);
        }
        let shown: Vec<String> = self.0.iter().take(SHOWN).map(MeshFault::to_string).collect();
        write!(f, "{} faults: {}", self.0.len(), shown.join("; "))?;
        match self.0.len() - shown.len() {
            0 => Ok(()),
            rest => write!(f, "; and {rest} more"),
        }
    }
}

impl std::error::Error for MeshFaults {}

/// Fails with every fault of a list of triangles over `n_vertices` vertices.
pub(crate) fn check_triangles(triangles: &[[u32; 3]], n_vertices: usize) -> Result<(), MeshFaults> {
    let mut faults = check_counts(triangles.len(), n_vertices);
    for (triangle, corners) in triangles.iter().enumerate() {
        for (corner, &vertex) in corners.iter().enumerate() {
            if n_vertices <= vertex as usize {
                faults.push(MeshFault::VertexOutOfRange { triangle, corner, vertex, n_vertices });
            }
        }
        let &[a, b, c] = corners;
        if a == b || a == c {
            faults.push(MeshFault::RepeatedCorner { triangle, vertex: a });
        } else if b == c {
            faults.push(MeshFault::RepeatedCorner { triangle, vertex: b });
        }
    }
    MeshFaults::check(faults)
}

fn check_counts(n_triangles: usize, n_vertices: usize) -> Vec<MeshFault> {
    let mut faults = Vec::new();
    if MAX_TRIANGLES < n_triangles {
        faults.push(MeshFault::TooManyTriangles { found: n_triangles, allowed: MAX_TRIANGLES });
    }
    if MAX_VERTICES < n_vertices {
        faults.push(MeshFault::TooManyVertices { found: n_vertices, allowed: MAX_VERTICES });
    }
    faults
}

/// Fails with every fault of a pose of a mesh with `n_vertices` vertices.
pub(crate) fn check_pose(positions: &[[f64; 3]], n_vertices: usize) -> Result<(), MeshFaults> {
    let mut faults = Vec::new();
    if positions.len() != n_vertices {
        faults.push(MeshFault::PoseLength { found: positions.len(), expected: n_vertices });
    }
    for (vertex, position) in positions.iter().enumerate() {
        for (axis, &value) in position.iter().enumerate() {
            if !value.is_finite() {
                faults.push(MeshFault::NonFinite { vertex, axis, value });
            }
        }
    }
    MeshFaults::check(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_up_to_the_limits_are_accepted() {
        assert_eq!(check_counts(0, 0), []);
        assert_eq!(check_counts(MAX_TRIANGLES, MAX_VERTICES), []);
        assert_eq!(
            check_counts(MAX_TRIANGLES + 1, MAX_VERTICES + 1),
            [
                MeshFault::TooManyTriangles { found: 715_827_883, allowed: 715_827_882 },
                MeshFault::TooManyVertices { found: 2_147_483_648, allowed: 2_147_483_647 },
            ]
        );
    }
}
