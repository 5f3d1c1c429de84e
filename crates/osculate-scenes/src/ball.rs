//! Balls: the six sides of a box as grids, projected to a sphere.

use crate::vector::{Vector, normalize, scale, sin_cos};
use std::collections::HashMap;

/// A box with this many quads along each axis, as unit vectors from its center: 4 (ab + bc + ca)
/// triangles, closed, facing outward.
pub(crate) fn ball(n: [u32; 3]) -> (Vec<[u32; 3]>, Vec<Vector>) {
    let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
    let mut points = Vec::new();
    let mut faces = Vec::with_capacity((4 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0])) as usize);
    let mut vertex = |node: [u32; 3]| {
        *numbers.entry(node).or_insert_with(|| {
            points.push(direction(node, n));
            points.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for end in [0, n[axis]] {
            for i in 0..n[u] {
                for j in 0..n[v] {
                    let mut corner = |du: u32, dv: u32| {
                        let mut node = [0; 3];
                        (node[axis], node[u], node[v]) = (end, i + du, j + dv);
                        vertex(node)
                    };
                    let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    // Diagonals run toward the middle of the side, where the sphere is least
                    // curved.
                    let halves = if (2 * i < n[u]) == (2 * j < n[v]) {
                        [[a, b, c], [a, c, d]]
                    } else {
                        [[a, b, d], [b, c, d]]
                    };
                    faces.extend(halves.map(|[p, q, r]| if end == 0 { [p, r, q] } else { [p, q, r] }));
                }
            }
        }
    }
    (faces, points)
}

/// The unit vector to a node on the surface of the box. Angles, not lengths, are divided evenly.
fn direction(node: [u32; 3], n: [u32; 3]) -> Vector {
    let quarter = std::f64::consts::FRAC_PI_4;
    normalize(std::array::from_fn(|axis| {
        let (s, c) = sin_cos(quarter * (2.0 * f64::from(node[axis]) / f64::from(n[axis]) - 1.0));
        s / c
    }))
}

/// Points spread evenly on a sphere, along a spiral.
pub(crate) fn spread(n: usize) -> Vec<Vector> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let place = |i: usize| {
        let y = 1.0 - (2.0 * i as f64 + 1.0) / n as f64;
        let (s, c) = sin_cos(golden * i as f64);
        let [x, z] = [c, s].map(|part| part * (1.0 - y * y).sqrt());
        [x, y, z]
    };
    (0..n).map(place).collect()
}

/// A ball of some radius around a center.
pub(crate) fn ball_at(n: u32, center: Vector, radius: f64) -> (Vec<[u32; 3]>, Vec<Vector>) {
    let (faces, points) = ball([n; 3]);
    (faces, points.into_iter().map(|point| crate::vector::add(center, scale(point, radius))).collect())
}
