//! A fork with three prongs, moved by ten modes.
//!
//! Each prong bends like a beam that is clamped at its foot, to the side in two modes and forward
//! in one, and the whole fork twists a little. The modes are not computed from an elastic body;
//! they have its shapes: w(s) along the prong, and the turn of its cross sections, −r w'(s).

use crate::body::{Body, moved};
use crate::remesh::{Meshing, mesh};
use crate::scene::{Motion, Scene};
use crate::vector::{TAU, Vector, sin, smooth};
use osculate::deformer::Modes;

const N_FRAMES: usize = 90;
/// A closed surface of 20,002 vertices.
const N_FACES: usize = 40_000;
/// The prongs: their distances, where they part, and their length from there on.
const SPACING: f64 = 0.17;
const FOOT: f64 = 0.58;
const LENGTH: f64 = 0.72;
/// Modes of each prong.
const PER_PRONG: usize = 3;

pub(crate) fn modal() -> Scene {
    let (faces, rest) = mesh(&fork().field, &Meshing { cube: 0.02, evenness: 0.3, n_faces: N_FACES });
    let mut modes: Vec<Vec<Vector>> = Vec::new();
    for prong in [-1.0, 0.0, 1.0] {
        for mode in 0..PER_PRONG {
            modes.push(rest.iter().map(|&point| bend(point, prong, mode)).collect());
        }
    }
    modes.push(rest.iter().map(|&point| twist(point)).collect());
    let modes = Modes::new(&rest, &modes).expect("displacements are finite");
    let about = "A fork with three prongs is struck and swings until its prongs touch; ten modes move its 20,002 vertices.";
    moved("modal", about, (faces, rest), Motion::Modes(modes, (0..N_FRAMES).map(amplitudes).collect()))
}

/// A handle, a bar across it, and three prongs.
fn fork() -> Body {
    let mut body = Body::new(0.05);
    body.flesh(([0.0, 0.0, 0.0], 0.045), &[([0.0, 0.5, 0.0], 0.05, 0)]);
    body.flesh(([-SPACING, 0.5, 0.0], 0.05), &[([SPACING, 0.5, 0.0], 0.05, 0)]);
    for x in [-SPACING, 0.0, SPACING] {
        body.flesh(([x, 0.5, 0.0], 0.05), &[([x, FOOT + LENGTH - 0.04, 0.0], 0.04, 0)]);
    }
    body
}

/// The displacement of a point by a mode of a prong, at the amplitude at which the tip moves by one
/// meter: bending to the side without and with a node, and bending forward.
fn bend([x, y, z]: Vector, prong: f64, mode: usize) -> Vector {
    let s = (y - FOOT) / LENGTH;
    let from_axis = x - prong * SPACING;
    if s <= 0.0 || 0.5 * SPACING < from_axis.abs() {
        return [0.0; 3];
    }
    // The shape of the axis, and its derivative by y; both are zero at the foot.
    let (shape, slope) = match mode {
        0 | 2 => (s * s * (3.0 - s) / 2.0, (3.0 * s - 1.5 * s * s) / LENGTH),
        _ => (s * s * (4.0 * s - 3.0), (12.0 * s * s - 6.0 * s) / LENGTH),
    };
    if mode == 2 { [0.0, -z * slope, shape] } else { [shape, -from_axis * slope, 0.0] }
}

/// The displacement of a point by twisting about the handle, per radian at the tips.
fn twist([x, y, z]: Vector) -> Vector {
    let turn = smooth(y / (FOOT + LENGTH));
    [turn * z, 0.0, -turn * x]
}

/// The amplitudes at a frame: oscillations that swell and fade away.
fn amplitudes(frame: usize) -> Vec<f64> {
    let t = frame as f64;
    let loud = smooth((t - 6.0) / 24.0) * (1.0 - smooth((t - 46.0) / 40.0));
    let swing = |size: f64, period: f64| loud * size * sin(TAU * t / period);
    let mut all = Vec::new();
    // The outer prongs swing against each other, the middle one more slowly.
    for (side, period) in [(1.0, 23.0), (0.35, 31.0), (-1.0, 23.0)] {
        all.extend([side * swing(0.1, period), side * swing(0.012, 9.0), swing(0.05 - 0.02 * side, 37.0)]);
    }
    all.push(swing(0.12, 41.0));
    all
}
