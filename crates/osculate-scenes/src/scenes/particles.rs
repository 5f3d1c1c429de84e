//! A soft toy moved by 24 particles.
//!
//! Each particle has an affine map, and each vertex is the weighted mean of its images under nearby
//! particles, with weights that fall off smoothly to zero: moving least squares, as in Müller and
//! others, "Point based animation of elastic, plastic and melting objects", 2004. The weights are
//! those of the library.

use crate::body::{Body, moved};
use crate::remesh::{Meshing, mesh};
use crate::scene::{Affine, Motion, Scene};
use crate::vector::{Vector, add, apply, lerp, rotation, scale, sin, smooth, sub};
use osculate::deformer::{Particle, Particles};

const N_FRAMES: usize = 90;
/// A closed surface of 26,402 vertices.
const N_FACES: usize = 52_800;
/// The range of a particle, in meters.
const REACH: f64 = 0.34;
/// Neck, shoulders and hips: the joints of the toy.
const NECK: Vector = [0.0, 0.78, 0.0];
const SHOULDER: Vector = [0.17, 0.66, 0.0];
const HIP: Vector = [0.12, 0.30, 0.0];

pub(crate) fn particles() -> Scene {
    let (faces, rest) = mesh(&toy().field, &Meshing { cube: 0.03, evenness: 0.3, n_faces: N_FACES });
    let places = places();
    let frames = (0..N_FRAMES).map(|frame| places.iter().map(|&place| linear_part(place, frame)).collect());
    let about = "A soft toy claps its hands in front of it, sits down and bows; 24 particles with affine maps move its 26,402 vertices.";
    let at_rest: Vec<Particle> = places.iter().map(|&center| Particle { center, radius: REACH }).collect();
    let particles = Particles::new(&at_rest, &rest).expect("every vertex follows a particle");
    moved("particles", about, (faces, rest), Motion::Particles(particles, frames.collect()))
}

fn mirrored([x, y, z]: Vector) -> [Vector; 2] {
    [[x, y, z], [-x, y, z]]
}

/// Round everywhere: a trunk, a head with ears, arms and legs.
fn toy() -> Body {
    let mut body = Body::new(0.06);
    body.flesh(([0.0, 0.36, 0.0], 0.20), &[([0.0, 0.60, 0.0], 0.17, 0)]);
    body.flesh(([0.0, 0.90, 0.01], 0.165), &[([0.0, 0.88, 0.10], 0.10, 0)]);
    for side in [1.0, -1.0] {
        let at = |[x, y, z]: Vector| [side * x, y, z];
        body.flesh((at([0.12, 1.02, 0.0]), 0.06), &[(at([0.14, 1.05, 0.0]), 0.055, 0)]);
        body.flesh(
            (at(SHOULDER), 0.08),
            &[(at([0.36, 0.62, 0.02]), 0.075, 0), (at([0.52, 0.58, 0.04]), 0.08, 0)],
        );
        body.flesh((at(HIP), 0.11), &[(at([0.17, 0.12, 0.02]), 0.10, 0), (at([0.18, 0.07, 0.10]), 0.085, 0)]);
    }
    body
}

/// The particles at rest: four in the trunk, four in the head, four in each arm and leg.
fn places() -> Vec<Vector> {
    let mut places = vec![[0.0, 0.30, 0.06], [0.0, 0.34, -0.09], [0.0, 0.52, 0.07], [0.0, 0.58, -0.08]];
    places.extend([[0.0, 0.84, 0.10], [0.0, 0.86, -0.06], [0.0, 1.0, 0.0], [0.0, 0.76, 0.0]]);
    for i in 0..4 {
        let t = f64::from(i) / 3.0;
        places.extend(mirrored(lerp([0.21, 0.65, 0.0], [0.52, 0.58, 0.04], t)));
        places.extend(mirrored(lerp([0.13, 0.27, 0.0], [0.18, 0.07, 0.09], t)));
    }
    places
}

/// Deforms a point of the toy: parts rotate about their joints, increasingly with distance.
fn deformed(point: Vector, frame: usize) -> Vector {
    let t = frame as f64;
    let clap = smooth((t - 8.0) / 22.0) * (1.0 - smooth((t - 40.0) / 20.0));
    let bow = smooth((t - 45.0) / 18.0) * (1.0 - smooth((t - 70.0) / 18.0));
    let turned = |point: Vector, center: Vector, axis: Vector, angle: f64| {
        add(center, apply(&rotation(axis, angle), sub(point, center)))
    };
    let side = if point[0] < 0.0 { -1.0 } else { 1.0 };
    let at = |[x, y, z]: Vector| [side * x, y, z];
    let mut p = point;
    let arm = smooth((p[0].abs() - 0.16) / 0.12) * smooth((p[1] - 0.38) / 0.12);
    p = turned(p, at(SHOULDER), [0.0, 1.0, 0.0], -side * (1.75 + 0.12 * sin(0.9 * t)) * clap * arm);
    let leg = smooth((0.36 - p[1]) / 0.2) * smooth((p[0].abs() - 0.02) / 0.08);
    p = turned(p, at(HIP), [1.0, 0.0, 0.0], -1.25 * bow * leg);
    let head = smooth((p[1] - 0.68) / 0.14);
    p = turned(p, NECK, [1.0, 0.0, 0.0], 0.75 * bow * head);
    let upper = smooth((p[1] - 0.25) / 0.5);
    p = turned(p, [0.0, 0.35, 0.0], [1.0, 0.0, 0.0], 0.55 * bow * upper);
    [p[0], p[1] - 0.1 * bow, p[2]]
}

/// The derivative of the deformation at a particle, and where the particle is.
fn linear_part(place: Vector, frame: usize) -> Affine {
    const STEP: f64 = 1e-3;
    let here = deformed(place, frame);
    let slopes: [Vector; 3] = std::array::from_fn(|axis| {
        let mut off = [0.0; 3];
        off[axis] = STEP;
        let [ahead, behind] = [add(place, off), sub(place, off)].map(|point| deformed(point, frame));
        scale(sub(ahead, behind), 0.5 / STEP)
    });
    std::array::from_fn(|i| {
        let row: [f64; 3] = std::array::from_fn(|axis| slopes[axis][i]);
        [row[0], row[1], row[2], here[i]]
    })
}
