//! A hand that closes to a fist.

use crate::body::Body;
use crate::remesh::Meshing;
use crate::rig::{Pose, Rig, Turn};
use crate::scene::Scene;
use crate::vector::{Vector, add, multiply, normalize, rotation, scale, smooth};

const N_FRAMES: usize = 90;

/// A finger: its name, the position of its knuckle, its sideways lean, and the length of its bones
/// relative to the middle finger.
const FINGERS: [(&str, [f64; 2], f64, f64); 4] = [
    ("Index", [0.036, 0.092], 0.13, 0.92),
    ("Middle", [0.012, 0.096], 0.03, 1.0),
    ("Ring", [-0.012, 0.091], -0.08, 0.93),
    ("Little", [-0.035, 0.081], -0.19, 0.74),
];

pub(crate) fn hand() -> Scene {
    let mut body = Body::new(0.008);
    let root = body.rig.add("Hand", None, [0.0, -0.06, 0.0], [0.0, 0.01, 0.0]);
    let flat = |part: f64| Some(([0.0, 0.0, 1.0], part));
    body.flat_flesh(
        flat(0.75),
        ([0.0, -0.075, 0.0], 0.030),
        &[([0.0, 0.0, 0.0], 0.027, root), ([0.0, 0.02, 0.0], 0.034, root)],
    );
    body.flat_flesh(flat(0.27), ([0.004, 0.02, 0.0], 0.036), &[([0.0, 0.07, 0.0], 0.041, root)]);
    for finger in FINGERS {
        add_finger(&mut body, root, finger);
    }
    let thumb = [[0.024, 0.008, 0.006], [0.050, 0.040, 0.016], [0.066, 0.072, 0.020], [0.074, 0.098, 0.020]];
    let first = body.rig.chain("Thumb", Some(root), &thumb);
    body.flesh(
        (thumb[0], 0.016),
        &[(thumb[1], 0.0135, first), (thumb[2], 0.0110, first + 1), (thumb[3], 0.0085, first + 2)],
    );
    let rig = body.rig.clone();
    let poses = (0..N_FRAMES).map(|frame| pose(&rig, frame as f64));
    let about = "An open hand closes to a fist, finger by finger, and opens again.";
    body.scene("hand", about, &Meshing { cube: 0.006, evenness: 0.012, n_faces: 11_208 }, 0.6, poses)
}

fn add_finger(body: &mut Body, root: usize, (name, [x, y], lean, long): (&str, [f64; 2], f64, f64)) {
    let knuckle: Vector = [x, y, 0.0];
    let direction = normalize([lean, 1.0, 0.0]);
    let at = |far: f64| add(knuckle, scale(direction, far * long));
    let points = [[0.5 * x, 0.02, 0.0], knuckle, at(0.044), at(0.071), at(0.090)];
    let first = body.rig.chain(name, Some(root), &points);
    let thick = 0.6 + 0.4 * long;
    let radii = [0.0150, 0.0112, 0.0090, 0.0084, 0.0072].map(|radius| radius * thick);
    let flesh: Vec<_> = (0..4).map(|i| (points[i + 1], radii[i + 1], first + i)).collect();
    body.flesh((points[0], radii[0]), &flesh);
}

fn pose(rig: &Rig, t: f64) -> Pose {
    let mut pose = Pose::rest(rig);
    let closed = |late: f64| smooth((t - 8.0 - late) / 30.0) * (1.0 - smooth((t - 50.0 - late) / 30.0));
    for (i, (name, _, lean, _)) in FINGERS.into_iter().enumerate() {
        let part = closed(3.0 * (3 - i) as f64);
        let first = rig.named(&format!("{name}.1"));
        // Fingers draw together as they bend, but not quite.
        let together = rotation([0.0, 0.0, 1.0], 0.45 * lean * part);
        for (joint, angle) in [(1, 1.40), (2, 1.75), (3, 1.0)] {
            let bend = rotation([1.0, 0.0, 0.0], angle * part);
            pose.turns[first + joint] = Turn::By(if joint == 1 { multiply(&together, &bend) } else { bend });
        }
    }
    let part = closed(10.0);
    let thumb = rig.named("Thumb.1");
    pose.turns[thumb] = Turn::about([0.0, 1.0, 0.0], -0.75 * part);
    pose.turns[thumb + 1] = Turn::about([0.0, 0.0, 1.0], 0.5 * part);
    pose.turns[thumb + 2] = Turn::about([0.0, 0.0, 1.0], 0.7 * part);
    pose
}
