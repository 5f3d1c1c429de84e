//! Legs and gait of four-legged animals.

use crate::body::Body;
use crate::rig::{Pose, Rig, Turn};
use crate::vector::{TAU, Vector, sin};

/// A leg.
pub(crate) struct Leg {
    pub(crate) name: &'static str,
    pub(crate) is_fore: bool,
    /// 1 on the left, −1 on the right.
    side: f64,
    /// When it is lifted, as a fraction of the walk cycle.
    lead: f64,
}

pub(crate) const LEGS: [Leg; 4] = [
    Leg { name: "Hind.L", is_fore: false, side: 1.0, lead: 0.0 },
    Leg { name: "Fore.L", is_fore: true, side: 1.0, lead: 0.25 },
    Leg { name: "Hind.R", is_fore: false, side: -1.0, lead: 0.5 },
    Leg { name: "Fore.R", is_fore: true, side: -1.0, lead: 0.75 },
];
/// The bones of a leg, from the trunk down.
const PARTS: [&str; 5] = ["Shoulder", "UpperLeg", "LowerLeg", "Foot", "Toes"];
pub(crate) const ACROSS: Vector = [1.0, 0.0, 0.0];

impl Leg {
    /// Adds the leg to a body, through joints given for the left side, with the radii there.
    pub(crate) fn add(&self, body: &mut Body, parent: usize, joints: [Vector; 6], radii: [f64; 6]) {
        let joints = joints.map(|[x, y, z]| [self.side * x, y, z]);
        let first = body.rig.bones.len();
        for (i, part) in PARTS.iter().enumerate() {
            let parent = if i == 0 { parent } else { first + i - 1 };
            body.rig.add(&format!("{part}.{}", self.name), Some(parent), joints[i], joints[i + 1]);
        }
        let flesh: Vec<_> = (0..5).map(|i| (joints[i + 1], radii[i + 1], first + i)).collect();
        body.flesh((joints[0], radii[0]), &flesh);
    }

    /// Rotates the bones of the leg, forward and back.
    pub(crate) fn turn(&self, rig: &Rig, pose: &mut Pose, angles: [f64; 5]) {
        for (part, angle) in PARTS.iter().zip(angles) {
            pose.turns[rig.named(&format!("{part}.{}", self.name))] = Turn::about(ACROSS, angle);
        }
    }

    /// How far back and how high the leg is at an angle of the walk cycle: from −1 to 1, and from 0
    /// to 1.
    pub(crate) fn stride(&self, cycle: f64) -> (f64, f64) {
        let phase = cycle + TAU * self.lead;
        (-sin(phase), sin(phase + 0.25 * TAU).max(0.0))
    }
}

/// Adds a tail through joints, with a radius that decreases by `loss` to its end.
pub(crate) fn add_tail(body: &mut Body, parent: usize, joints: &[Vector], radius: f64, loss: f64) {
    let tail = body.rig.chain("Tail", Some(parent), joints);
    let n = joints.len() - 1;
    let radius = |i: usize| radius - loss * i as f64 / n as f64;
    let flesh: Vec<_> = (0..n).map(|i| (joints[i + 1], radius(i + 1), tail + i)).collect();
    body.flesh((joints[0], radius(0)), &flesh);
}
