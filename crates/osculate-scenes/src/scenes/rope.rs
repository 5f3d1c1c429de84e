//! A rope that is lowered onto the floor and coils up on itself.

use crate::body::skinned;
use crate::rig::{Pose, Turn};
use crate::rod::{Tube, bind_to_row, row_of_bones};
use crate::scene::Scene;
use crate::vector::{TAU, Vector, lerp, normalize, sin_cos, smooth};

const N_FRAMES: usize = 120;
const N_BONES: usize = 199;
const RADIUS: f64 = 0.01;
const LENGTH: f64 = 3.8;
/// 2 × 20 × 1,211 = 48,440 triangles.
const TUBE: Tube = Tube { n_sides: 20, n_rings: 1211, n_cap: 5, radius: RADIUS, length: LENGTH };
/// Radius of the coils.
const COIL: f64 = 0.075;
/// The frame at which the lower end reaches the floor, and the height from which it falls.
const LANDING: f64 = 12.0;
const DROP: f64 = 0.4;

pub(crate) fn rope() -> Scene {
    let (faces, rest) = TUBE.surface();
    let rig = row_of_bones("Rope", N_BONES, LENGTH);
    let maps = (0..N_FRAMES).map(|frame| {
        let t = frame as f64 / LANDING;
        let mut pose = Pose::rest(&rig);
        pose.shift = [0.0, DROP * (1.0 - t.min(1.0) * t.min(1.0)), 0.0];
        let lying = (LENGTH - 0.2) * ((t - 1.0) * LANDING / (N_FRAMES as f64 - LANDING)).max(0.0);
        for (i, turn) in pose.turns.iter_mut().enumerate() {
            let place = LENGTH * (i as f64 + 0.5) / N_BONES as f64;
            // The rope bends from the floor to its upright part over a length of two coil radii.
            let upright = smooth((place - lying) / (2.0 * COIL) + 0.7);
            *turn = Turn::aim(lerp(along_coil(place), [0.0, 1.0, 0.0], upright));
        }
        rig.maps(&pose)
    });
    let maps = maps.collect();
    let about = "A rope is let down onto the floor and coils up; later coils press into those below.";
    let skin = bind_to_row(&rig, LENGTH, &rest);
    skinned("rope", about, (faces, rest), skin, maps)
}

/// The direction of the rope where it lies, at a distance from its lower end.
fn along_coil(place: f64) -> Vector {
    let (s, c) = sin_cos(place / COIL);
    // Each coil lies on the one before, until they get less than a whole thickness of space.
    let rise_per_turn = RADIUS * (2.3 - 0.9 * smooth((place - 0.45 * LENGTH) / (0.1 * LENGTH)));
    normalize([c, rise_per_turn / (TAU * COIL), s])
}
