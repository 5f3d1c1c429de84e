//! A dwarf with 45 bones, ten fingers, a hat, and a beard that he buries in his belly as he nods.

use crate::body::Body;
use crate::humanoid::{Hands, Proportions, humanoid};
use crate::remesh::Meshing;
use crate::rig::Turn;
use crate::scene::Scene;
use crate::vector::{TAU, add, lerp, sin, smooth};
use crate::walk::{Gait, walk};

/// Two cycles of two steps.
const N_FRAMES: usize = 56;

pub(crate) fn dwarf() -> Scene {
    let dwarf = Proportions { legs: 0.62, trunk: 0.85, girth: 1.45, head: 1.4, hands: Hands::Fingers };
    let mut body = humanoid(&dwarf);
    let beard = add_beard_and_hat(&mut body);
    let rig = body.rig.clone();
    let poses = (0..N_FRAMES).map(|frame| {
        let t = frame as f64;
        let gait = Gait { phase: t / 28.0, stride: 0.38, swing: 0.3, spread: 0.5 };
        let mut pose = walk(&rig, &gait);
        let nod = smooth((t - 14.0) / 12.0) * (1.0 - smooth((t - 30.0) / 14.0));
        let side = [1.0, 0.0, 0.0];
        pose.turns[rig.named("Neck")] = Turn::about(side, 0.25 * nod);
        pose.turns[rig.named("Head")] = Turn::about(side, 0.35 * nod);
        for i in 0..3 {
            let swing = 0.05 * sin(TAU * t / 14.0 - 0.8 * i as f64);
            pose.turns[beard + i] = Turn::about(side, swing + 0.18 * nod);
        }
        pose
    });
    let about =
        "A dwarf walks on the spot and nods, and his beard sinks into his belly; the clip is a cycle.";
    let how = Meshing { cube: 0.014, evenness: 0.004, n_faces: 1664 };
    body.scene("dwarf", about, &how, 0.5, poses)
}

/// Returns the first bone of the beard.
fn add_beard_and_hat(body: &mut Body) -> usize {
    let head = body.rig.named("Head");
    let (chin, top) = (body.rig.bones[head].head, body.rig.bones[head].tail);
    let points =
        [[0.0, 0.06, 0.12], [0.0, -0.02, 0.25], [0.0, -0.15, 0.32], [0.0, -0.27, 0.34]].map(|p| add(chin, p));
    let beard = body.rig.chain("Beard", Some(head), &points);
    body.flat_flesh(
        Some(([0.0, 0.3, 1.0], 0.6)),
        (points[0], 0.085),
        &[(points[1], 0.095, beard), (points[2], 0.07, beard + 1), (points[3], 0.02, beard + 2)],
    );
    // A bull neck, between a large head and broad shoulders.
    let neck = body.rig.named("Neck");
    let middle = lerp(body.rig.bones[neck].head, body.rig.bones[neck].tail, 0.6);
    body.ball(middle, 0.14, neck);
    let tip = add(top, [0.0, 0.26, -0.06]);
    let hat = body.rig.extend("Hat", head, tip);
    body.flesh((add(top, [0.0, -0.04, -0.01]), 0.125), &[(tip, 0.02, hat)]);
    beard
}
