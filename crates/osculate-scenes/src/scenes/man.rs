//! A man with 27 bones who claps his hands as he walks on the spot.

use crate::humanoid::{Hands, MAN, Proportions, humanoid};
use crate::remesh::Meshing;
use crate::scene::Scene;
use crate::vector::{TAU, sin, smooth};
use crate::walk::{Gait, aim, ground, walk};

/// Two cycles of two steps.
const N_FRAMES: usize = 64;

pub(crate) fn man() -> Scene {
    let body = humanoid(&Proportions { girth: 1.05, hands: Hands::Mitten, ..MAN });
    let rig = body.rig.clone();
    let poses = (0..N_FRAMES).map(|frame| {
        let t = frame as f64;
        let raised = smooth((t - 4.0) / 14.0) * (1.0 - smooth((t - 46.0) / 14.0));
        // Three claps, eight frames apart.
        let beat = sin(TAU / 2.0 * (t - 20.0) / 8.0);
        let clap = if (20.0..44.0).contains(&t) { beat * beat } else { 0.0 };
        let inward = 0.2 + 0.62 * clap;
        let gait = Gait { phase: t / 32.0, stride: 0.36, swing: 0.34 * (1.0 - raised), spread: 0.28 };
        let mut pose = walk(&rig, &gait);
        for (side, x) in [("L", 1.0), ("R", -1.0)] {
            let mut toward = |bone: &str, direction: [f64; 3]| {
                aim(&rig, &mut pose, &format!("{bone}.{side}"), direction, raised);
            };
            toward("UpperArm", [0.3 * x, -0.75, 0.6]);
            toward("LowerArm", [-inward * x, 0.12, 0.9]);
            toward("Hand", [-inward * x, 0.2, 0.9]);
        }
        ground(&rig, &mut pose);
        pose
    });
    let about = "A man walks on the spot and claps his hands three times; the clip is a cycle.";
    let how = Meshing { cube: 0.018, evenness: 0.03, n_faces: 8270 };
    body.scene("man", about, &how, 0.5, poses)
}
