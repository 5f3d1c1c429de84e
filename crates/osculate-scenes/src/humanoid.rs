//! A human body with adjustable proportions: arms held off the body, palms down, facing +z, the
//! left side at +x.

use crate::body::Body;
use crate::vector::{Vector, lerp};

/// Proportions relative to a man of 1.75 m. All are factors.
#[derive(Clone, Copy)]
pub(crate) struct Proportions {
    /// Length of the legs.
    pub(crate) legs: f64,
    /// Length of the trunk.
    pub(crate) trunk: f64,
    /// Thickness of trunk and limbs, and breadth of hips and shoulders.
    pub(crate) girth: f64,
    /// Size of head and hands.
    pub(crate) head: f64,
    /// Bones in the hands.
    pub(crate) hands: Hands,
}

/// The hands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hands {
    /// A hand without joints.
    Stiff,
    /// A thumb of one bone, and all fingers together on two.
    Mitten,
    /// Five fingers of two bones each.
    Fingers,
}

pub(crate) const MAN: Proportions =
    Proportions { legs: 1.0, trunk: 1.0, girth: 1.0, head: 1.0, hands: Hands::Stiff };

/// Height of the hip joints of a man.
const HIP: f64 = 0.92;

impl Proportions {
    /// Maps a point of a man's trunk.
    fn trunk_point(&self, x: f64, y: f64, z: f64) -> Vector {
        [x * self.girth, HIP * self.legs + (y - HIP) * self.trunk, z * self.girth]
    }

    /// Maps a point of a man's legs.
    fn leg_point(&self, x: f64, y: f64, z: f64) -> Vector {
        [x * self.girth, y * self.legs, z * self.girth]
    }
}

/// Builds the body. Bones: `Hips`, `Spine`, `Chest`, `Neck`, `Head`, and on each side `Shoulder`,
/// `UpperArm`, `LowerArm`, `Hand`, `UpperLeg`, `LowerLeg`, `Foot`, `Toes`, and those of the
/// fingers.
pub(crate) fn humanoid(p: &Proportions) -> Body {
    let mut body = Body::new(0.035 * p.girth);
    let at = |y: f64, z: f64| p.trunk_point(0.0, y, z);
    let hips = body.rig.add("Hips", None, at(0.95, 0.0), at(1.06, 0.0));
    let spine = body.rig.extend("Spine", hips, at(1.22, 0.0));
    let chest = body.rig.extend("Chest", spine, at(1.43, -0.01));
    let neck = body.rig.extend("Neck", chest, at(1.53, 0.0));
    let r = |radius: f64| radius * p.girth;
    body.flat_flesh(
        Some(([0.0, 0.0, 1.0], 0.68)),
        (at(0.935, -0.005), r(0.155)),
        &[
            (at(1.07, 0.0), r(0.135), hips),
            (at(1.20, 0.005), r(0.138), spine),
            (at(1.35, 0.0), r(0.158), chest),
            (at(1.42, -0.01), r(0.10), chest),
        ],
    );
    body.flesh((at(1.40, -0.015), r(0.06)), &[(at(1.56, 0.005), r(0.052), neck)]);
    head(&mut body, p, neck);
    for side in [1.0, -1.0] {
        arm(&mut body, p, side, chest);
        leg(&mut body, p, side, hips);
    }
    body
}

fn head(body: &mut Body, p: &Proportions, neck: usize) {
    let base = p.trunk_point(0.0, 1.53, 0.0);
    let at = |x: f64, y: f64, z: f64| [x * p.head, base[1] + (y - 1.53) * p.head, z * p.head];
    let head = body.rig.extend("Head", neck, at(0.0, 1.75, 0.0));
    let r = |radius: f64| radius * p.head;
    let narrow = Some(([1.0, 0.0, 0.0], 0.85));
    body.flat_flesh(narrow, (at(0.0, 1.605, 0.025), r(0.075)), &[(at(0.0, 1.655, 0.0), r(0.1), head)]);
    body.flat_flesh(narrow, (at(0.0, 1.575, 0.055), r(0.045)), &[(at(0.0, 1.56, 0.07), r(0.03), head)]);
    body.flesh((at(0.0, 1.65, 0.09), r(0.014)), &[(at(0.0, 1.61, 0.118), r(0.018), head)]);
    for side in [0.088, -0.088] {
        body.flat_flesh(
            Some(([1.0, 0.0, 0.3], 0.5)),
            (at(side, 1.63, 0.0), r(0.022)),
            &[(at(side, 1.61, 0.0), r(0.018), head)],
        );
    }
}

/// The name of a bone on a side.
fn sided(name: &str, side: f64) -> String {
    format!("{name}.{}", if 0.0 < side { 'L' } else { 'R' })
}

fn arm(body: &mut Body, p: &Proportions, side: f64, chest: usize) {
    let at = |x: f64, y: f64, z: f64| p.trunk_point(side * x, y, z);
    let r = |radius: f64| radius * p.girth;
    let rig = &mut body.rig;
    let shoulder =
        rig.add(&sided("Shoulder", side), Some(chest), at(0.03, 1.40, -0.01), at(0.185, 1.405, -0.01));
    let upper = rig.extend(&sided("UpperArm", side), shoulder, at(0.375, 1.19, -0.015));
    let lower = rig.extend(&sided("LowerArm", side), upper, at(0.545, 1.005, 0.01));
    let wrist = rig.bones[lower].tail;
    // A hand keeps its shape, whatever the trunk: its points are relative to the wrist.
    let hand_at = |along: f64, across: f64, down: f64| {
        let [x, y, z] = [0.64 * along - 0.77 * down, -0.77 * along - 0.64 * down, across];
        [wrist[0] + side * x * p.head, wrist[1] + y * p.head, wrist[2] + z * p.head]
    };
    let hand = rig.extend(&sided("Hand", side), lower, hand_at(0.09, 0.0, 0.0));
    body.flesh(
        (at(0.10, 1.385, -0.01), r(0.066)),
        &[
            (at(0.18, 1.395, -0.01), r(0.062), shoulder),
            (at(0.26, 1.31, -0.012), r(0.052), upper),
            (at(0.375, 1.19, -0.015), r(0.043), upper),
            (at(0.43, 1.13, -0.005), r(0.045), lower),
            (wrist, r(0.030), lower),
        ],
    );
    let fingers: &[(f64, f64)] = if p.hands == Hands::Fingers {
        &[(0.045, 0.07), (0.015, 0.08), (-0.015, 0.075), (-0.045, 0.06)]
    } else {
        &[]
    };
    let s = |size: f64| size * p.head;
    let flat = Some(([side * 0.77, 0.64, 0.0], 0.45));
    let (thumb_start, thumb_end) = (hand_at(0.03, 0.03, 0.0), hand_at(0.085, 0.078, 0.008));
    if fingers.is_empty() {
        let (first, last) = if p.hands == Hands::Mitten {
            let first = body.rig.extend(&sided("Fingers1", side), hand, hand_at(0.135, 0.0, 0.0));
            (first, body.rig.extend(&sided("Fingers2", side), first, hand_at(0.18, 0.0, 0.004)))
        } else {
            (hand, hand)
        };
        let thumb = match p.hands {
            Hands::Mitten => body.rig.add(&sided("Thumb", side), Some(hand), thumb_start, thumb_end),
            _ => hand,
        };
        body.flat_flesh(
            flat,
            (hand_at(0.0, 0.0, 0.0), s(0.032)),
            &[
                (hand_at(0.08, 0.0, 0.0), s(0.045), hand),
                (hand_at(0.13, 0.0, 0.0), s(0.042), first),
                (hand_at(0.165, 0.0, 0.004), s(0.032), last),
            ],
        );
        body.flesh((thumb_start, s(0.017)), &[(thumb_end, s(0.013), thumb)]);
        return;
    }
    body.flat_flesh(flat, (hand_at(0.0, 0.0, 0.0), s(0.034)), &[(hand_at(0.045, 0.0, 0.0), s(0.058), hand)]);
    let blend = std::mem::replace(&mut body.blend, s(0.011));
    for (i, &(across, long)) in fingers.iter().enumerate() {
        let [start, middle, end] =
            [0.0, 0.55, 1.0].map(|t| hand_at(0.085 + long * t, across * (1.0 + 0.3 * t), 0.004 * t));
        finger(body, &format!("Finger{}", i + 1), side, hand, [start, middle, end], s(0.0095));
    }
    finger(body, "Thumb", side, hand, [thumb_start, lerp(thumb_start, thumb_end, 0.6), thumb_end], s(0.014));
    body.blend = blend;
}

fn finger(body: &mut Body, name: &str, side: f64, hand: usize, points: [Vector; 3], radius: f64) {
    let [start, middle, end] = points;
    let first = body.rig.add(&sided(&format!("{name}a"), side), Some(hand), start, middle);
    let second = body.rig.extend(&sided(&format!("{name}b"), side), first, end);
    body.flesh((start, radius), &[(middle, radius * 0.95, first), (end, radius * 0.8, second)]);
}

fn leg(body: &mut Body, p: &Proportions, side: f64, hips: usize) {
    let at = |x: f64, y: f64, z: f64| p.leg_point(side * x, y, z);
    let r = |radius: f64| radius * p.girth;
    let rig = &mut body.rig;
    let upper = rig.add(&sided("UpperLeg", side), Some(hips), at(0.098, HIP, 0.0), at(0.128, 0.50, 0.012));
    let lower = rig.extend(&sided("LowerLeg", side), upper, at(0.142, 0.085, -0.02));
    let foot = rig.extend(&sided("Foot", side), lower, at(0.152, 0.03, 0.10));
    let toes = rig.extend(&sided("Toes", side), foot, at(0.156, 0.025, 0.165));
    body.flesh(
        (at(0.09, 0.90, -0.005), r(0.092)),
        &[
            (at(0.112, 0.70, 0.0), r(0.078), upper),
            (at(0.128, 0.50, 0.012), r(0.056), upper),
            (at(0.134, 0.36, -0.012), r(0.056), lower),
            (at(0.142, 0.10, -0.02), r(0.036), lower),
        ],
    );
    // The soles stay at the same height, so feet do not scale with the legs.
    let sole = |x: f64, y: f64, z: f64| [side * x * p.girth, y * p.girth, z * p.girth];
    body.flat_flesh(
        Some(([0.0, 1.0, 0.0], 0.8)),
        (sole(0.142, 0.04, -0.035), r(0.042)),
        &[(sole(0.152, 0.034, 0.10), r(0.044), foot), (sole(0.156, 0.028, 0.155), r(0.036), toes)],
    );
}
