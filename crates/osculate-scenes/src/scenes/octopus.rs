//! An octopus that waves its arms and curls them onto each other.

use crate::body::Body;
use crate::remesh::Meshing;
use crate::rig::{Pose, Rig, Turn};
use crate::scene::Scene;
use crate::vector::{TAU, Vector, multiply, rotation, sin, sin_cos, smooth};

const N_FRAMES: usize = 120;
const N_ARMS: usize = 8;
/// Bones of an arm.
const N_JOINTS: usize = 8;

pub(crate) fn octopus() -> Scene {
    let mut body = Body::new(0.08);
    let root = body.rig.add("Body", None, [0.0, 0.0, 0.0], [0.0, 0.16, 0.0]);
    mantle(&mut body, root);
    let arms: Vec<usize> = (0..N_ARMS).map(|i| arm(&mut body, root, i)).collect();
    let rig = body.rig.clone();
    let poses = (0..N_FRAMES).map(|frame| pose(&rig, &arms, frame as f64));
    let about = "An octopus waves its arms, then curls neighboring arms onto each other and lets them go.";
    let how = Meshing { cube: 0.022, evenness: 0.05, n_faces: 47_976 };
    body.scene("octopus", about, &how, 0.9, poses)
}

/// The sack behind the eyes, and the eyes.
fn mantle(body: &mut Body, root: usize) {
    let points =
        [[0.0, 0.16, 0.0], [0.0, 0.30, -0.03], [0.0, 0.42, -0.08], [0.0, 0.53, -0.15], [0.0, 0.62, -0.24]];
    let first = body.rig.chain("Mantle", Some(root), &points);
    body.flesh(
        ([0.0, 0.02, 0.0], 0.15),
        &[
            ([0.0, 0.16, 0.01], 0.13, root),
            (points[1], 0.16, first),
            (points[2], 0.20, first + 1),
            (points[3], 0.19, first + 2),
            ([0.0, 0.58, -0.20], 0.13, first + 3),
        ],
    );
    for (name, x) in [("Eye.L", 0.125), ("Eye.R", -0.125)] {
        let eye = body.rig.add(name, Some(root), [x, 0.19, 0.09], [1.2 * x, 0.20, 0.13]);
        body.ball([x, 0.195, 0.10], 0.055, eye);
    }
}

/// The direction in which an arm leaves the body.
fn outward(i: usize) -> Vector {
    let (s, c) = sin_cos(TAU * (i as f64 + 0.5) / N_ARMS as f64);
    [s, 0.0, c]
}

/// Adds an arm, and returns its first bone.
fn arm(body: &mut Body, root: usize, i: usize) -> usize {
    let [x, _, z] = outward(i);
    let at = |t: f64| {
        let far = 0.12 + 1.25 * t;
        [far * x, 0.02 - 0.10 * smooth(1.6 * t) + 0.06 * t, far * z]
    };
    let joints: Vec<Vector> = (0..=N_JOINTS).map(|j| at(j as f64 / N_JOINTS as f64)).collect();
    let first = body.rig.chain(&format!("Arm{}", i + 1), Some(root), &joints);
    let radius = |j: usize| 0.082 - 0.064 * j as f64 / N_JOINTS as f64;
    let flesh: Vec<_> = (0..N_JOINTS).map(|j| (joints[j + 1], radius(j + 1), first + j)).collect();
    body.flesh((joints[0], radius(0)), &flesh);
    first
}

fn pose(rig: &Rig, arms: &[usize], t: f64) -> Pose {
    let mut pose = Pose::rest(rig);
    let curled = smooth((t - 40.0) / 25.0) * (1.0 - smooth((t - 80.0) / 25.0));
    for (i, &first) in arms.iter().enumerate() {
        let [x, _, z] = outward(i);
        let across = [z, 0.0, -x];
        // Arms bend toward the neighbor with which they form a pair.
        let toward = if i % 2 == 0 { 1.0 } else { -1.0 };
        for j in 0..N_JOINTS {
            let along = j as f64 / N_JOINTS as f64;
            let wave = 0.2 * (0.3 + along) * sin(TAU * (t / 40.0 - along) + 0.8 * i as f64);
            let sideways = rotation([0.0, 1.0, 0.0], toward * curled * (0.05 + 0.6 * along * along));
            let up = rotation(across, -wave - 0.12 * curled * along);
            pose.turns[first + j] = Turn::By(multiply(&sideways, &up));
        }
    }
    let breath = 0.06 * sin(TAU * t / 60.0);
    for j in 0..4 {
        pose.turns[rig.named("Mantle.1") + j] = Turn::about([1.0, 0.0, 0.0], breath);
    }
    pose.shift = [0.0, 0.05 * sin(TAU * t / 60.0), 0.0];
    pose
}
