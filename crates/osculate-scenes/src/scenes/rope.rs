//! A rope that is lowered onto the floor and coils up on itself.

use crate::body::skinned;
use crate::rig::{Pose, Turn};
use crate::rod::{bind_to_row, row_of_bones};
use crate::scene::Scene;
use crate::vector::{TAU, Vector, lerp, normalize, sin_cos, smooth};

const N_FRAMES: usize = 120;
const N_BONES: usize = 199;
/// Vertices around the rope, and rings of them along it; with a vertex at each end that is 2 × 20 ×
/// 1,211 = 48,440 triangles.
const N_SIDES: usize = 20;
const N_RINGS: usize = 1211;
/// Rings that round off each end.
const N_CAP: usize = 5;
const RADIUS: f64 = 0.01;
const LENGTH: f64 = 3.8;
/// Radius of the coils.
const COIL: f64 = 0.075;
/// The frame at which the lower end reaches the floor, and the height from which it falls.
const LANDING: f64 = 12.0;
const DROP: f64 = 0.4;

pub(crate) fn rope() -> Scene {
    let (faces, rest) = tube();
    let rig = row_of_bones("Rope", N_BONES, LENGTH);
    let maps = (0..N_FRAMES).map(|frame| {
        let t = frame as f64 / LANDING;
        let mut pose = Pose::rest(&rig);
        pose.shift = [0.0, DROP * (1.0 - t.min(1.0) * t.min(1.0)), 0.0];
        let lying = (LENGTH - 0.2) * ((t - 1.0) * LANDING / (N_FRAMES as f64 - LANDING)).max(0.0);
        for (i, turn) in pose.turns.iter_mut().enumerate() {
            let place = LENGTH * (i as f64 + 0.5) / N_BONES as f64;
            // The rope bends from the floor to its upright part over a length of two coil radii.
            let upright = smooth((place - lying) / (2.0 * COIL) + 0.7);
            *turn = Turn::aim(lerp(along_coil(place), [0.0, 1.0, 0.0], upright));
        }
        rig.maps(&pose)
    });
    let maps = maps.collect();
    let about = "A rope is let down onto the floor and coils up; later coils press into those below.";
    let skin = bind_to_row(&rig, LENGTH, &rest);
    skinned("rope", about, (faces, rest), skin, maps)
}

/// The direction of the rope where it lies, at a distance from its lower end.
fn along_coil(place: f64) -> Vector {
    let (s, c) = sin_cos(place / COIL);
    // Each coil lies on the one before, until they get less than a whole thickness of space.
    let rise_per_turn = RADIUS * (2.3 - 0.9 * smooth((place - 0.45 * LENGTH) / (0.1 * LENGTH)));
    normalize([c, rise_per_turn / (TAU * COIL), s])
}

/// A tube along y with round ends.
fn tube() -> (Vec<[u32; 3]>, Vec<Vector>) {
    // Height and radius of each ring: quarter circles at the ends, evenly spaced in between.
    let ring = |i: usize| {
        let from_end = i.min(N_RINGS - 1 - i);
        if from_end < N_CAP {
            let (s, c) = sin_cos(TAU / 4.0 * (from_end + 1) as f64 / (N_CAP + 1) as f64);
            let y = RADIUS * (1.0 - c);
            (if i == from_end { y } else { LENGTH - y }, RADIUS * s)
        } else {
            let t = (i - N_CAP) as f64 / (N_RINGS - 1 - 2 * N_CAP) as f64;
            (RADIUS + t * (LENGTH - 2.0 * RADIUS), RADIUS)
        }
    };
    let mut points = Vec::with_capacity(N_RINGS * N_SIDES + 2);
    for i in 0..N_RINGS {
        let (y, radius) = ring(i);
        for j in 0..N_SIDES {
            // Every other ring is rotated by half a side.
            let (s, c) = sin_cos(TAU * (j as f64 + 0.5 * (i % 2) as f64) / N_SIDES as f64);
            points.push([radius * c, y, -radius * s]);
        }
    }
    let [bottom, top] = [points.len() as u32, points.len() as u32 + 1];
    points.extend([[0.0; 3], [0.0, LENGTH, 0.0]]);
    let vertex = |i: usize, j: usize| (i * N_SIDES + j % N_SIDES) as u32;
    let mut faces = Vec::with_capacity(2 * N_RINGS * N_SIDES);
    for j in 0..N_SIDES {
        faces.push([bottom, vertex(0, j + 1), vertex(0, j)]);
        faces.push([top, vertex(N_RINGS - 1, j), vertex(N_RINGS - 1, j + 1)]);
        for i in 0..N_RINGS - 1 {
            let [a, b, c, d] = [vertex(i, j), vertex(i, j + 1), vertex(i + 1, j), vertex(i + 1, j + 1)];
            faces.extend(if i % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] });
        }
    }
    (faces, points)
}
