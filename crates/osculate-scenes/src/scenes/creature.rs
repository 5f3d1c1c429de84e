//! A creature on four legs with 56 bones, horns, a fin and a long tail, with which it slaps its
//! flank as it walks.

use crate::body::Body;
use crate::quadruped::{ACROSS, LEGS, add_tail};
use crate::remesh::Meshing;
use crate::rig::{Pose, Rig, Turn};
use crate::scene::Scene;
use crate::vector::{TAU, Vector, add, lerp, sin, smooth};
use crate::walk::ground;

/// Two cycles of four steps.
const N_FRAMES: usize = 64;
/// Bones of the tail, and the number of those that bend when it slaps.
const N_TAIL: usize = 12;
const N_TAIL_BASE: usize = 6;
/// The joints of a leg on the left, from the shoulder down.
const FORE: [Vector; 6] = [
    [0.09, 0.85, 0.38],
    [0.15, 0.72, 0.42],
    [0.17, 0.49, 0.35],
    [0.17, 0.23, 0.39],
    [0.17, 0.06, 0.41],
    [0.17, 0.035, 0.52],
];
const HIND: [Vector; 6] = [
    [0.08, 0.80, -0.38],
    [0.14, 0.73, -0.38],
    [0.17, 0.49, -0.26],
    [0.17, 0.26, -0.45],
    [0.17, 0.06, -0.41],
    [0.17, 0.035, -0.30],
];
const LEG_RADII: [f64; 6] = [0.10, 0.10, 0.068, 0.048, 0.042, 0.038];

pub(crate) fn creature() -> Scene {
    let mut body = Body::new(0.06);
    let (hips, chest) = trunk(&mut body);
    for leg in &LEGS {
        let (parent, joints) = if leg.is_fore { (chest, FORE) } else { (hips, HIND) };
        leg.add(&mut body, parent, joints, LEG_RADII);
    }
    head(&mut body, chest);
    let rig = body.rig.clone();
    let poses = (0..N_FRAMES).map(|frame| pose(&rig, frame as f64));
    let about =
        "A creature walks on the spot on four legs and slaps its flank with its tail; the clip is a cycle.";
    let how = Meshing { cube: 0.022, evenness: 0.03, n_faces: 13_590 };
    body.scene("creature", about, &how, 0.6, poses)
}

/// The back with its fin, and the tail. Returns the bones to which the legs are attached.
fn trunk(body: &mut Body) -> (usize, usize) {
    let back =
        [[0.0, 0.80, -0.25], [0.0, 0.83, -0.08], [0.0, 0.85, 0.09], [0.0, 0.86, 0.26], [0.0, 0.87, 0.37]];
    let hips = body.rig.add("Hips", None, [0.0, 0.79, -0.42], back[0]);
    let spine = body.rig.chain("Spine", Some(hips), &back);
    let chest = body.rig.extend("Chest", spine + 3, [0.0, 0.90, 0.48]);
    body.flat_flesh(
        Some((ACROSS, 0.82)),
        ([0.0, 0.77, -0.40], 0.17),
        &[
            (back[0], 0.165, hips),
            ([0.0, 0.80, -0.08], 0.165, spine),
            ([0.0, 0.80, 0.09], 0.18, spine + 1),
            ([0.0, 0.80, 0.26], 0.20, spine + 2),
            ([0.0, 0.82, 0.36], 0.19, spine + 3),
            ([0.0, 0.86, 0.44], 0.15, chest),
        ],
    );
    let tail_at = |t: f64| [0.0, 0.80 - 0.30 * t + 0.12 * t * t, -0.45 - 1.15 * t];
    let joints: Vec<Vector> = (0..=N_TAIL).map(|i| tail_at(i as f64 / N_TAIL as f64)).collect();
    add_tail(body, hips, &joints, 0.105, 0.088);
    body.blend = 0.03;
    for i in 0..4 {
        let foot = add(lerp(back[i], back[i + 1], 0.5), [0.0, 0.10, 0.0]);
        let tip = add(foot, [0.0, 0.17, -0.07]);
        let fin = body.rig.add(&format!("Fin.{}", i + 1), Some(spine + i), foot, tip);
        body.flat_flesh(Some((ACROSS, 0.55)), (foot, 0.05), &[(tip, 0.016, fin)]);
    }
    body.blend = 0.06;
    (hips, chest)
}

fn head(body: &mut Body, chest: usize) {
    let points =
        [[0.0, 0.90, 0.48], [0.0, 0.99, 0.60], [0.0, 1.09, 0.69], [0.0, 1.18, 0.76], [0.0, 1.25, 0.83]];
    let neck = body.rig.chain("Neck", Some(chest), &points);
    let radii = [0.14, 0.115, 0.095, 0.088, 0.09];
    let flesh: Vec<_> = (0..4).map(|i| (points[i + 1], radii[i + 1], neck + i)).collect();
    body.flesh((points[0], radii[0]), &flesh);
    let head = body.rig.extend("Head", neck + 3, [0.0, 1.22, 1.10]);
    body.flesh(
        ([0.0, 1.26, 0.85], 0.10),
        &[([0.0, 1.24, 0.98], 0.075, head), ([0.0, 1.225, 1.09], 0.055, head)],
    );
    body.blend = 0.03;
    let jaw = body.rig.add("Jaw", Some(head), [0.0, 1.19, 0.86], [0.0, 1.10, 1.04]);
    body.flesh(([0.0, 1.19, 0.87], 0.06), &[([0.0, 1.10, 1.04], 0.035, jaw)]);
    for (letter, side) in [('L', 1.0), ('R', -1.0)] {
        for (name, points, radii) in [
            ("Horn", [[0.05, 1.33, 0.86], [0.09, 1.44, 0.79], [0.11, 1.52, 0.69]], [0.035, 0.027, 0.016]),
            ("Ear", [[0.08, 1.28, 0.82], [0.16, 1.31, 0.77], [0.24, 1.31, 0.72]], [0.035, 0.035, 0.016]),
        ] {
            let points = points.map(|[x, y, z]| [side * x, y, z]);
            let first = body.rig.chain(&format!("{name}.{letter}"), Some(head), &points);
            body.flesh(
                (points[0], radii[0]),
                &[(points[1], radii[1], first), (points[2], radii[2], first + 1)],
            );
        }
    }
}

fn pose(rig: &Rig, t: f64) -> Pose {
    let mut pose = Pose::rest(rig);
    let up = [0.0, 1.0, 0.0];
    let cycle = TAU * t / 32.0;
    for leg in &LEGS {
        let (swing, lift) = leg.stride(cycle);
        let angles = if leg.is_fore {
            [0.10 * swing, 0.28 * swing - 0.15 * lift, 0.55 * lift, 0.45 * lift, -0.6 * lift]
        } else {
            [0.08 * swing, 0.28 * swing - 0.30 * lift, 0.50 * lift, -0.15 * lift, 0.2 * lift]
        };
        leg.turn(rig, &mut pose, angles);
    }
    let slap = smooth((t - 12.0) / 20.0) * (1.0 - smooth((t - 36.0) / 20.0));
    let tail = rig.named("Tail.1");
    for i in 0..N_TAIL {
        let wave = 0.07 * sin(cycle - 0.5 * i as f64) * (1.0 - slap);
        pose.turns[tail + i] = Turn::about(up, wave - slap * if i < N_TAIL_BASE { 0.56 } else { 0.13 });
    }
    for i in 0..4 {
        pose.turns[rig.named("Spine.1") + i] = Turn::about(up, 0.03 * sin(cycle - 0.4 * i as f64));
        pose.turns[rig.named("Neck.1") + i] = Turn::about(ACROSS, 0.04 * sin(2.0 * cycle - 0.5 * i as f64));
    }
    pose.turns[rig.named("Jaw")] = Turn::about(ACROSS, 0.12 + 0.12 * sin(cycle));
    ground(rig, &mut pose);
    pose
}
