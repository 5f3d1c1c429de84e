//! A man who walks in a circle; for some steps his arms hang so close that his hands brush his
//! thighs.

use crate::humanoid::{MAN, Proportions, humanoid};
use crate::remesh::Meshing;
use crate::scene::Scene;
use crate::vector::{TAU, rotation, sin_cos, smooth};
use crate::walk::{Gait, walk};

const N_FRAMES: usize = 160;
/// Frames of one cycle of two steps.
const CYCLE: f64 = 32.0;
/// Radius of the circle.
const CIRCLE: f64 = 1.1;

pub(crate) fn walker() -> Scene {
    let body = humanoid(&Proportions { girth: 1.08, ..MAN });
    let rig = body.rig.clone();
    let poses = (0..N_FRAMES).map(|frame| {
        let t = frame as f64;
        let close = smooth((t - 50.0) / 12.0) * (1.0 - smooth((t - 100.0) / 12.0));
        let gait = Gait { phase: t / CYCLE, stride: 0.40, swing: 0.36, spread: 0.30 - 0.28 * close };
        let mut pose = walk(&rig, &gait);
        let turned = TAU * t / N_FRAMES as f64;
        let (s, c) = sin_cos(turned);
        pose.facing = rotation([0.0, 1.0, 0.0], turned);
        pose.shift = [-CIRCLE * c, pose.shift[1], CIRCLE * s];
        pose
    });
    let about = "A man walks in a circle; half-way his arms hang close and his hands brush his thighs.";
    let how = Meshing { cube: 0.018, evenness: 0.03, n_faces: 20_000 };
    body.scene("walker", about, &how, 0.6, poses)
}
