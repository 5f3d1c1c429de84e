//! Closed surfaces keep the volume that they enclose.

use super::Object;
use crate::vector::{Vector, add, area_normal, cross, dot, scale, sub};
use std::ops::Range;

/// A closed surface and its volume at rest.
pub(super) struct Volume {
    /// Triangles, facing outward, over the vertices of the surface alone.
    faces: Vec<[u32; 3]>,
    /// The particles of the surface.
    vertices: Range<usize>,
    rest: f64,
}

impl Volume {
    /// The volume of an object whose first vertex has that number; it must be closed.
    pub(super) fn new(object: &Object, first: u32) -> Volume {
        let first = first as usize;
        let vertices = first..first + object.points.len();
        Volume { rest: enclosed(&object.faces, &object.points), faces: object.faces.clone(), vertices }
    }

    /// Moves all particles of the surface so that it encloses its volume at rest again, by a step
    /// of Newton's method along the gradient of the volume, each as far as its mobility lets it.
    /// What is left of a difference is of second order in it. Momentum is kept, if nothing is held.
    ///
    /// A particle a is in the term a · (b × c) / 6 of each of its triangles; so the gradient there
    /// is the sum of b × c over them, by six. As b and c go once around a, that is the same as the
    /// sum of (b − a) × (c − a), which does not depend on where the origin is.
    pub(super) fn keep(&self, positions: &mut [Vector], mobility: &[f64]) {
        let positions = &mut positions[self.vertices.clone()];
        let mobility = &mobility[self.vertices.clone()];
        let missing = self.rest - enclosed(&self.faces, positions);
        let mut gradient = vec![[0.0; 3]; positions.len()];
        for face in &self.faces {
            let part = scale(area_normal(face.map(|vertex| positions[vertex as usize])), 1.0 / 6.0);
            for &vertex in face {
                gradient[vertex as usize] = add(gradient[vertex as usize], part);
            }
        }
        let slope: f64 = gradient.iter().zip(mobility).map(|(&g, &mobile)| mobile * dot(g, g)).sum();
        // A surface without area, or that is held, stays as it is.
        if slope == 0.0 {
            return;
        }
        for ((position, g), &mobile) in positions.iter_mut().zip(gradient).zip(mobility) {
            *position = add(*position, scale(g, mobile * missing / slope));
        }
    }
}

/// The volume within a closed surface that faces outward: the sum of a · (b × c) / 6 over its
/// triangles, seen from its first vertex.
pub(crate) fn enclosed(faces: &[[u32; 3]], points: &[Vector]) -> f64 {
    let Some(&origin) = points.first() else { return 0.0 };
    let of_face = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|vertex| sub(points[vertex as usize], origin));
        dot(a, cross(b, c))
    };
    faces.iter().map(of_face).sum::<f64>() / 6.0
}
