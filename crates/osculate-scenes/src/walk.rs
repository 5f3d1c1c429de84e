//! Human gait: directions of the bones as functions of the phase, and interpolated poses.

use crate::rig::{Pose, Rig, Turn};
use crate::vector::{TAU, Vector, apply, lerp, normalize, sin, sin_cos, sub, transform};

/// A gait.
#[derive(Clone, Copy)]
pub(crate) struct Gait {
    /// The phase: completed cycles.
    pub(crate) phase: f64,
    /// Swing of the legs, in radians.
    pub(crate) stride: f64,
    /// Swing of the arms, in radians.
    pub(crate) swing: f64,
    /// Distance of the arms from the body, as a slope.
    pub(crate) spread: f64,
}

/// The pose of a walking human skeleton, with the lower foot on the ground. A stride of zero is
/// standing.
pub(crate) fn walk(rig: &Rig, gait: &Gait) -> Pose {
    let mut pose = Pose::rest(rig);
    let along = |slope: f64, pitch: f64| {
        let (s, c) = sin_cos(pitch);
        [slope, -c, s]
    };
    for (letter, side, lead) in [('L', 1.0, 0.0), ('R', -1.0, 0.5)] {
        let phase = TAU * (gait.phase + lead);
        let effort = gait.stride / 0.45;
        let thigh = gait.stride * sin(phase) + 0.06 * effort;
        // The knee bends while the leg comes forward.
        let lift = sin(phase + 0.25 * TAU + 0.2).max(0.0);
        let shin = thigh - 0.08 - effort * (0.06 + 0.7 * lift * lift);
        let (s, c) = sin_cos(0.55 * shin + 0.15 * effort * sin(phase));
        let sole = |y: f64, z: f64| [side * 0.08, y * c + z * s, z * c - y * s];
        let arm = -gait.swing * sin(phase);
        for (bone, direction) in [
            ("UpperLeg", along(side * 0.06, thigh)),
            ("LowerLeg", along(side * 0.02, shin)),
            ("Foot", sole(-0.45, 1.0)),
            ("Toes", sole(-0.05, 1.0)),
            ("UpperArm", along(side * gait.spread, arm - 0.05)),
            ("LowerArm", along(side * 0.6 * gait.spread, arm + 0.2 + 0.4 * gait.swing.max(arm))),
            ("Hand", along(side * 0.3 * gait.spread, arm + 0.3 + 0.4 * gait.swing.max(arm))),
        ] {
            pose.turns[rig.named(&format!("{bone}.{letter}"))] = Turn::aim(direction);
        }
    }
    let sway = gait.stride * sin(TAU * gait.phase);
    let up = [0.0, 1.0, 0.0];
    pose.turns[rig.named("Hips")] = Turn::about(up, -0.2 * sway);
    pose.turns[rig.named("Spine")] = Turn::about(up, 0.3 * sway);
    pose.turns[rig.named("Chest")] = Turn::about(up, 0.3 * sway);
    pose.turns[rig.named("Head")] = Turn::about(up, -0.35 * sway);
    ground(rig, &mut pose);
    pose
}

/// Moves a pose vertically until the lower foot is as high as at rest.
pub(crate) fn ground(rig: &Rig, pose: &mut Pose) {
    pose.shift[1] = 0.0;
    let maps = rig.maps(pose);
    let feet = rig.bones.iter().zip(&maps).filter(|(bone, _)| bone.name.starts_with("Foot"));
    let rises =
        feet.flat_map(|(bone, map)| [bone.head, bone.tail].map(|point| transform(map, point)[1] - point[1]));
    pose.shift[1] = -rises.fold(f64::INFINITY, f64::min);
}

/// Turns a bone toward a direction, by a fraction of the way from its direction in the pose.
///
/// Bones whose direction is not set yet follow their parents, and do not change at a fraction of 0.
pub(crate) fn aim(rig: &Rig, pose: &mut Pose, bone: &str, direction: Vector, part: f64) {
    if part == 0.0 {
        return;
    }
    let bone = rig.named(bone);
    let now = match pose.turns[bone] {
        Turn::Aim(now, _) => normalize(now),
        _ => {
            let facing = pose.facing;
            let map = rig.maps(pose)[bone];
            let ends = [rig.bones[bone].head, rig.bones[bone].tail].map(|point| transform(&map, point));
            let inverse = std::array::from_fn(|i| std::array::from_fn(|j| facing[j][i]));
            normalize(apply(&inverse, sub(ends[1], ends[0])))
        }
    };
    pose.turns[bone] = Turn::aim(lerp(now, normalize(direction), part));
}
