//! A long box that is twisted until it buckles and forms a loop, like a twisted cord.

use crate::body::skinned;
use crate::rig::{Pose, Turn};
use crate::rod::{bind_to_row, row_of_bones};
use crate::scene::Scene;
use crate::vector::{TAU, Vector, sin_cos, smooth, sub, transform};
use std::collections::HashMap;

const N_FRAMES: usize = 90;
const N_BONES: usize = 33;
/// Squares across the box and along it: 4 × 16² + 8 × 16 × 188 = 25,088 triangles.
const ACROSS: i32 = 16;
const ALONG: i32 = 188;
/// Side of a square.
const SQUARE: f64 = 0.018;

pub(crate) fn twisted_box() -> Scene {
    let (faces, rest) = surface();
    let height = SQUARE * f64::from(ALONG);
    let rig = row_of_bones("Box", N_BONES, height);
    let maps = (0..N_FRAMES).map(|frame| {
        let t = frame as f64;
        let twist = 1.25 * TAU * smooth(t / 40.0) * (1.0 - smooth((t - 58.0) / 30.0));
        let looped = smooth((t - 25.0) / 30.0) * (1.0 - smooth((t - 55.0) / 28.0));
        let mut pose = Pose::rest(&rig);
        for (i, turn) in pose.turns.iter_mut().enumerate() {
            let place = (i as f64 + 0.5) / N_BONES as f64 - 0.5;
            // The middle bends by nearly a whole turn; a slope along z lets the ends pass beside
            // each other, though not quite.
            let (s, c) = sin_cos(0.88 * TAU * looped * (smooth(0.5 + place / 0.7) - 0.5));
            *turn = Turn::Aim([s, c, 0.085 * looped], twist / N_BONES as f64);
        }
        let middle = rig.bones[N_BONES / 2].head;
        let moved = transform(&rig.maps(&pose)[N_BONES / 2], middle);
        pose.shift = sub(middle, moved);
        rig.maps(&pose)
    });
    let maps = maps.collect();
    let about = "A long box is twisted until it forms a loop, whose ends press into each other as they pass.";
    let skin = bind_to_row(&rig, height, &rest);
    skinned("box", about, (faces, rest), skin, maps)
}

/// The surface of the box, in squares cut along alternating diagonals.
fn surface() -> (Vec<[u32; 3]>, Vec<Vector>) {
    let n = [ACROSS, ALONG, ACROSS];
    let mut numbers: HashMap<[i32; 3], u32> = HashMap::new();
    let (mut faces, mut points) = (Vec::new(), Vec::new());
    let mut vertex = |node: [i32; 3]| {
        *numbers.entry(node).or_insert_with(|| {
            let [x, y, z] = node.map(f64::from);
            let half = 0.5 * f64::from(ACROSS);
            points.push([SQUARE * (x - half), SQUARE * y, SQUARE * (z - half)]);
            points.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (level, is_far) in [(0, false), (n[axis], true)] {
            for i in 0..n[u] {
                for j in 0..n[v] {
                    let mut corner = |du: i32, dv: i32| {
                        let mut node = [0; 3];
                        (node[axis], node[u], node[v]) = (level, i + du, j + dv);
                        vertex(node)
                    };
                    let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    let both = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                    faces.extend(both.map(|[p, q, r]| if is_far { [p, q, r] } else { [p, r, q] }));
                }
            }
        }
    }
    (faces, points)
}
