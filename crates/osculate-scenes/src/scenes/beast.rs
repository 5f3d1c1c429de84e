//! A cat-like animal of 244,736 triangles and 40 bones, which walks, or runs and jumps.

use crate::body::{Body, skinned};
use crate::quadruped::{ACROSS, LEGS, add_tail};
use crate::remesh::{Meshing, mesh};
use crate::rig::{Pose, Rig, Turn};
use crate::scene::{Affine, Scene};
use crate::skin::bind;
use crate::subdivide::subdivided;
use crate::vector::{TAU, Vector, dot, lerp, scale, sin, smooth, sub};
use crate::walk::ground;

const N_FRAMES: usize = 64;
/// Triangles before each is split into four. The cat of the paper on bounded normals has 244,735; a
/// closed surface has an even number.
const N_COARSE: usize = 61_184;
const N_TAIL: usize = 8;
/// The joints of a leg on the left, from the shoulder down.
const FORE: [Vector; 6] = [
    [0.07, 0.64, 0.30],
    [0.10, 0.53, 0.34],
    [0.11, 0.36, 0.27],
    [0.11, 0.17, 0.30],
    [0.11, 0.045, 0.32],
    [0.11, 0.035, 0.40],
];
const HIND: [Vector; 6] = [
    [0.06, 0.59, -0.40],
    [0.10, 0.54, -0.40],
    [0.12, 0.36, -0.30],
    [0.12, 0.20, -0.45],
    [0.12, 0.045, -0.42],
    [0.12, 0.035, -0.34],
];
const LEG_RADII: [f64; 6] = [0.08, 0.082, 0.058, 0.042, 0.042, 0.038];

pub(crate) fn beast_walk() -> Scene {
    let about = "An animal walks slowly on the spot; its tail brushes its hind legs now and then. Up to 6 bones for each vertex.";
    beast("beast-walk", about, walk)
}

pub(crate) fn beast_jump() -> Scene {
    let about = "An animal runs and jumps: it crouches, stretches and lands, and is pinched at its joints. Up to 6 bones for each vertex.";
    beast("beast-jump", about, jump)
}

fn beast(name: &str, about: &str, pose: fn(&Rig, f64) -> Pose) -> Scene {
    let body = body();
    let (faces, rest) = mesh(&body.field, &Meshing { cube: 0.02, evenness: 0.06, n_faces: N_COARSE });
    let maps: Vec<Vec<Affine>> =
        (0..N_FRAMES).map(|frame| body.rig.maps(&pose(&body.rig, frame as f64))).collect();
    let skin = bind(body.rig.bones.clone(), &body.field, &faces, &rest, 0.5);
    let n_coarse = rest.len();
    let mut scene = subdivided(&skinned(name, about, (faces, rest), skin, maps), 1);
    // New vertices are moved from the middles of edges onto the shape itself.
    for point in &mut scene.rest[n_coarse..] {
        let sample = body.field.sample(*point);
        let slope_sq = dot(sample.gradient, sample.gradient).max(0.25);
        *point = sub(*point, scale(sample.gradient, sample.distance / slope_sq));
    }
    scene
}

/// 1 + 4 + 1 bones of the trunk, 8 of the tail, 20 of the legs, 3 of the neck and head, a jaw and 2
/// ears: 40.
fn body() -> Body {
    let mut body = Body::new(0.06);
    let back =
        [[0.0, 0.60, -0.30], [0.0, 0.62, -0.14], [0.0, 0.62, 0.02], [0.0, 0.62, 0.18], [0.0, 0.63, 0.30]];
    let hips = body.rig.add("Hips", None, [0.0, 0.58, -0.44], back[0]);
    let spine = body.rig.chain("Spine", Some(hips), &back);
    let chest = body.rig.extend("Chest", spine + 3, [0.0, 0.66, 0.40]);
    body.flat_flesh(
        Some((ACROSS, 0.85)),
        ([0.0, 0.56, -0.42], 0.13),
        &[
            (back[0], 0.13, hips),
            ([0.0, 0.58, -0.14], 0.125, spine),
            ([0.0, 0.57, 0.02], 0.135, spine + 1),
            ([0.0, 0.57, 0.18], 0.145, spine + 2),
            ([0.0, 0.59, 0.30], 0.14, spine + 3),
            ([0.0, 0.63, 0.38], 0.115, chest),
        ],
    );
    let joints: Vec<Vector> = (0..=N_TAIL)
        .map(|i| lerp([0.0, 0.61, -0.50], [0.0, 0.38, -1.25], i as f64 / N_TAIL as f64))
        .collect();
    add_tail(&mut body, hips, &joints, 0.055, 0.030);
    for leg in &LEGS {
        let (parent, joints) = if leg.is_fore { (chest, FORE) } else { (hips, HIND) };
        leg.add(&mut body, parent, joints, LEG_RADII);
    }
    let points = [[0.0, 0.68, 0.40], [0.0, 0.77, 0.49], [0.0, 0.84, 0.55]];
    let neck = body.rig.chain("Neck", Some(chest), &points);
    body.flesh((points[0], 0.10), &[(points[1], 0.085, neck), (points[2], 0.085, neck + 1)]);
    let head = body.rig.extend("Head", neck + 1, [0.0, 0.84, 0.74]);
    body.flesh(
        ([0.0, 0.87, 0.57], 0.105),
        &[([0.0, 0.85, 0.66], 0.085, head), ([0.0, 0.835, 0.72], 0.06, head)],
    );
    body.blend = 0.03;
    let jaw = body.rig.add("Jaw", Some(head), [0.0, 0.80, 0.60], [0.0, 0.77, 0.71]);
    body.flesh(([0.0, 0.80, 0.60], 0.05), &[([0.0, 0.775, 0.70], 0.035, jaw)]);
    for (letter, side) in [('L', 1.0), ('R', -1.0)] {
        let points = [[side * 0.06, 0.95, 0.57], [side * 0.095, 1.04, 0.55]];
        let ear = body.rig.add(&format!("Ear.{letter}"), Some(head), points[0], points[1]);
        body.flat_flesh(Some(([0.0, 0.0, 1.0], 0.6)), (points[0], 0.045), &[(points[1], 0.018, ear)]);
    }
    body
}

fn walk(rig: &Rig, t: f64) -> Pose {
    let mut pose = Pose::rest(rig);
    let cycle = TAU * t / 32.0;
    for leg in &LEGS {
        let (swing, lift) = leg.stride(cycle);
        let angles = if leg.is_fore {
            [0.10 * swing, 0.28 * swing - 0.15 * lift, 0.45 * lift, 0.35 * lift, -0.5 * lift]
        } else {
            [0.08 * swing, 0.26 * swing - 0.25 * lift, 0.40 * lift, -0.15 * lift, 0.2 * lift]
        };
        leg.turn(rig, &mut pose, angles);
    }
    let hangs = smooth((t - 16.0) / 14.0) * (1.0 - smooth((t - 40.0) / 14.0));
    let tail = rig.named("Tail.1");
    for i in 0..N_TAIL {
        let wave = sin(cycle - 0.5 * i as f64) * (0.08 + 0.05 * hangs);
        let drop = hangs * if i < 3 { -0.38 } else { -0.10 };
        pose.turns[tail + i] = if i % 2 == 0 {
            Turn::about(ACROSS, 2.0 * drop)
        } else {
            Turn::about([0.0, 1.0, 0.0], 2.0 * wave)
        };
    }
    ground(rig, &mut pose);
    pose
}

fn jump(rig: &Rig, t: f64) -> Pose {
    let mut pose = Pose::rest(rig);
    let crouch = |start: f64| smooth((t - start) / 9.0) * (1.0 - smooth((t - start - 11.0) / 7.0));
    let (crouched, stretched) = (crouch(6.0) + crouch(42.0), crouch(22.0));
    for leg in &LEGS {
        let angles = if leg.is_fore {
            [0.15, -0.85, 1.75, 0.55, -0.6].map(|a| a * crouched)
        } else {
            [0.1, -1.0, 1.35, -0.75, 0.4].map(|a| a * crouched)
        };
        let reach = if leg.is_fore { -0.75 } else { 0.75 };
        let shares = [0.3, 0.7, 0.15, 0.0, 0.2];
        let mixed = std::array::from_fn(|i| angles[i] + reach * shares[i] * stretched);
        leg.turn(rig, &mut pose, mixed);
    }
    pose.turns[rig.named("Hips")] = Turn::about(ACROSS, -0.22 * crouched);
    for i in 0..4 {
        // The back is rounded in a crouch and hollow in the air.
        pose.turns[rig.named("Spine.1") + i] = Turn::about(ACROSS, 0.12 * crouched - 0.08 * stretched);
    }
    for i in 0..2 {
        pose.turns[rig.named("Neck.1") + i] = Turn::about(ACROSS, 0.10 * crouched - 0.15 * stretched);
    }
    let tail = rig.named("Tail.1");
    for i in 0..N_TAIL {
        pose.turns[tail + i] = Turn::about(ACROSS, 0.12 * stretched - 0.30 * crouched);
    }
    ground(rig, &mut pose);
    pose.shift[1] += 0.5 * stretched;
    pose
}
