//! A man who walks a few steps, stops, folds his arms tightly, and walks on.

use crate::humanoid::{MAN, humanoid};
use crate::remesh::Meshing;
use crate::scene::Scene;
use crate::vector::{TAU, sin, smooth};
use crate::walk::{Gait, aim, ground, walk};

const N_FRAMES: usize = 90;
/// Frames of one cycle of two steps.
const CYCLE: f64 = 32.0;

pub(crate) fn figure() -> Scene {
    let body = humanoid(&MAN);
    let rig = body.rig.clone();
    let mut way = 0.0;
    let mut cycles = 0.1;
    let poses = (0..N_FRAMES).map(|frame| {
        let t = frame as f64;
        let walking = 1.0 - smooth((t - 28.0) / 8.0) * (1.0 - smooth((t - 68.0) / 8.0));
        let raised = smooth((t - 30.0) / 12.0) * (1.0 - smooth((t - 57.0) / 12.0));
        let folded = smooth((t - 38.0) / 10.0) * (1.0 - smooth((t - 52.0) / 10.0));
        // Never quite still: arms at rest would make no new contacts.
        let squeeze = 0.05 * sin(TAU * t / 16.0);
        cycles += walking / CYCLE;
        way += 1.3 / 30.0 * walking;
        let gait = Gait { phase: cycles, stride: 0.42 * walking, swing: 0.4 * walking, spread: 0.3 };
        let mut pose = walk(&rig, &gait);
        for (side, x, high) in [("L", 1.0, 0.08), ("R", -1.0, -0.06)] {
            let mut toward = |bone: &str, direction: [f64; 3], part: f64| {
                aim(&rig, &mut pose, &format!("{bone}.{side}"), direction, part);
            };
            // First forward, so that the hands do not brush the thighs, then across.
            toward("UpperArm", [0.2 * x, -0.85, 0.62], raised);
            for bone in ["LowerArm", "Hand"] {
                toward(bone, [0.1 * x, 0.2, 1.0], raised);
            }
            toward("LowerArm", [-0.95 * x, 0.2 + high + squeeze, 0.0], folded);
            toward("Hand", [-0.95 * x, 0.2 + high, -0.25], folded);
        }
        ground(&rig, &mut pose);
        pose.shift[2] = way;
        pose
    });
    let about =
        "A man walks, folds his arms tightly until they pass into each other and his chest, and walks on.";
    let how = Meshing { cube: 0.018, evenness: 0.03, n_faces: 8000 };
    body.scene("figure", about, &how, 0.5, poses)
}
