//! Surfaces for unit tests.

use crate::vector::{Vector, plus};
use osculate::{Mesh, Model};

/// Triangles over points.
pub(crate) struct Shape {
    pub(crate) faces: Vec<[u32; 3]>,
    pub(crate) points: Vec<Vector>,
}

impl Shape {
    pub(crate) fn model(&self) -> Model {
        Model::new(Mesh::new(self.faces.clone(), self.points.len()).unwrap(), &self.points).unwrap()
    }

    /// Adds another shape, translated.
    pub(crate) fn append(&mut self, other: Shape, by: Vector) {
        let first = self.points.len() as u32;
        self.faces.extend(other.faces.iter().map(|face| face.map(|v| v + first)));
        self.points.extend(other.points.iter().map(|&p| plus(p, by)));
    }
}

/// A closed tube along the x axis, from 0 to `length`: `n_rings` stretches of `2 n_around`
/// triangles, and a cone of `n_around` at each end.
pub(crate) fn tube(n_rings: u32, n_around: u32, radius: f64, length: f64) -> Shape {
    let mut points = vec![[-0.5 * radius, 0.0, 0.0], [length + 0.5 * radius, 0.0, 0.0]];
    for ring in 0..=n_rings {
        for k in 0..n_around {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(n_around)).sin_cos();
            points.push([length * f64::from(ring) / f64::from(n_rings), radius * cos, radius * sin]);
        }
    }
    let at = |ring: u32, k: u32| 2 + ring * n_around + k % n_around;
    let mut faces = Vec::new();
    for k in 0..n_around {
        faces.push([0, at(0, k + 1), at(0, k)]);
        for ring in 0..n_rings {
            let [a, b, c, d] = [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)];
            faces.extend([[a, b, c], [a, c, d]]);
        }
        faces.push([1, at(n_rings, k), at(n_rings, k + 1)]);
    }
    Shape { faces, points }
}
