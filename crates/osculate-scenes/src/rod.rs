//! Ropes and bars: a row of bones along y, each blending into the next, and a tube around them.

use crate::rig::Rig;
use crate::scene::Skin;
use crate::skin::skin_of;
use crate::vector::{TAU, Vector, sin_cos};

/// Bones of equal length from the origin up to a height.
pub(crate) fn row_of_bones(name: &str, n: usize, height: f64) -> Rig {
    let mut rig = Rig::default();
    let joints: Vec<Vector> = (0..=n).map(|i| [0.0, height * i as f64 / n as f64, 0.0]).collect();
    rig.chain(name, None, &joints);
    rig
}

/// Binds points to a row of bones by cubic B-splines: a bone affects points within two bone lengths
/// of its middle, with the largest weight at the middle.
pub(crate) fn bind_to_row(rig: &Rig, height: f64, points: &[Vector]) -> Skin {
    let last = rig.bones.len() as i64 - 1;
    let weights = points.iter().map(|point| {
        let place = point[1] / height * (last + 1) as f64 - 0.5;
        let low = place.floor();
        let (t, u) = (place - low, 1.0 - (place - low));
        let parts = [u * u * u, 3.0 * t * t * (t - 2.0) + 4.0, 3.0 * u * u * (u - 2.0) + 4.0, t * t * t];
        let mut of_point: Vec<(u32, f64)> = Vec::new();
        for (i, part) in parts.into_iter().enumerate() {
            // Points beyond the ends belong to the last bones.
            let bone = (low as i64 - 1 + i as i64).clamp(0, last) as u32;
            match of_point.last_mut() {
                Some(entry) if entry.0 == bone => entry.1 += part,
                _ => of_point.push((bone, part)),
            }
        }
        of_point
    });
    skin_of(rig.bones.clone(), weights.collect())
}

/// A tube along y with round ends, from the origin up.
pub(crate) struct Tube {
    /// Vertices around the tube, and rings of them along it; with a vertex at each end that is
    /// twice their product triangles.
    pub(crate) n_sides: usize,
    pub(crate) n_rings: usize,
    /// Rings that round off each end.
    pub(crate) n_cap: usize,
    pub(crate) radius: f64,
    pub(crate) length: f64,
}

impl Tube {
    /// Its triangles and vertices.
    pub(crate) fn surface(&self) -> (Vec<[u32; 3]>, Vec<Vector>) {
        let &Tube { n_sides, n_rings, length, .. } = self;
        let mut points = Vec::with_capacity(n_rings * n_sides + 2);
        for i in 0..n_rings {
            let (y, radius) = self.ring(i);
            for j in 0..n_sides {
                // Every other ring is rotated by half a side.
                let (s, c) = sin_cos(TAU * (j as f64 + 0.5 * (i % 2) as f64) / n_sides as f64);
                points.push([radius * c, y, -radius * s]);
            }
        }
        let [bottom, top] = [points.len() as u32, points.len() as u32 + 1];
        points.extend([[0.0; 3], [0.0, length, 0.0]]);
        let vertex = |i: usize, j: usize| (i * n_sides + j % n_sides) as u32;
        let mut faces = Vec::with_capacity(2 * n_rings * n_sides);
        for j in 0..n_sides {
            faces.push([bottom, vertex(0, j + 1), vertex(0, j)]);
            faces.push([top, vertex(n_rings - 1, j), vertex(n_rings - 1, j + 1)]);
            for i in 0..n_rings - 1 {
                let [a, b, c, d] = [vertex(i, j), vertex(i, j + 1), vertex(i + 1, j), vertex(i + 1, j + 1)];
                faces.extend(if i % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] });
            }
        }
        (faces, points)
    }

    /// The height and the radius of a ring: quarter circles at the ends, evenly spaced in between.
    fn ring(&self, i: usize) -> (f64, f64) {
        let &Tube { n_rings, n_cap, radius, length, .. } = self;
        let from_end = i.min(n_rings - 1 - i);
        if from_end < n_cap {
            let (s, c) = sin_cos(TAU / 4.0 * (from_end + 1) as f64 / (n_cap + 1) as f64);
            let y = radius * (1.0 - c);
            (if i == from_end { y } else { length - y }, radius * s)
        } else {
            let t = (i - n_cap) as f64 / (n_rings - 1 - 2 * n_cap) as f64;
            (radius + t * (length - 2.0 * radius), radius)
        }
    }
}
