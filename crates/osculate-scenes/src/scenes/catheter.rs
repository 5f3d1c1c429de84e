//! A catheter is pushed into a tree of blood vessels, along one of its branches, and too far.
//!
//! It has as many triangles as the benchmark of path planning for a catheter in paper 001: 10,000
//! that bend, and 83,000 that do not move.

use crate::body::FPS;
use crate::field::Field;
use crate::rig::{Pose, Rig, Turn};
use crate::rod::{Tube, bind_to_row, row_of_bones};
use crate::scene::{Affine, Bone, Motion, Scene, Skin};
use crate::vector::{UNIT, Vector, add, normalize, scale, sub, turn_about};
use crate::vessel::Vessel;

const N_FRAMES: usize = 100;
/// From this frame on the wall gives way.
const TOO_FAR: usize = 86;
const N_BONES: usize = 110;
const RADIUS: f64 = 0.0008;
const LENGTH: f64 = 0.22;
/// 2 × 10 × 500 = 10,000 triangles.
const TUBE: Tube = Tube { n_sides: 10, n_rings: 500, n_cap: 3, radius: RADIUS, length: LENGTH };
const N_VESSEL: usize = 83_000;
/// The inlet of the vessel: a little above the tip of the catheter at rest.
const INLET: Vector = [0.0, LENGTH + 0.001, 0.0];
/// How far the catheter is pushed from frame to frame.
const FEED: f64 = 0.0021;
/// The distance that the catheter is kept from the wall.
const GAP: f64 = 0.000_25;
/// How much farther it may leave the vessels in each frame when it is pushed too far, and how far
/// beyond the end of the route it may get.
const YIELD: f64 = 0.0001;
const BEYOND: f64 = 0.03;
/// Passes over the center line in a frame.
const PASSES: usize = 60;

pub(crate) fn catheter() -> Scene {
    let about = "A catheter of 10,000 triangles is pushed into a tree of blood vessels of 83,000, which does not move. Nothing touches up to frame 89; \
                 then it is pushed too far, rubs along the wall and passes through it.";
    let vessel = Vessel::new(INLET);
    let (mut faces, mut rest) = TUBE.surface();
    let n_catheter = rest.len();
    let rig = row_of_bones("Catheter", N_BONES, LENGTH);
    let mut skin = bind_to_row(&rig, LENGTH, &rest);
    let (wall, points) = vessel.surface(N_VESSEL);
    faces.extend(wall.iter().map(|face| face.map(|vertex| n_catheter as u32 + vertex)));
    hold(&mut skin, &points);
    rest.extend(points);
    let mut vertex_object = vec![0; n_catheter];
    vertex_object.resize(rest.len(), 1);
    let still = turn_about(&UNIT, [0.0; 3], [0.0; 3]);
    let maps = center_lines().into_iter().map(|line| {
        let mut maps = maps(&rig, &line);
        maps.push(still);
        maps
    });
    Scene {
        name: "catheter".to_owned(),
        about: about.to_owned(),
        faces,
        rest,
        objects: vec!["Catheter".to_owned(), "Vessel".to_owned()],
        static_objects: vec![1],
        vertex_object,
        skin: Some(skin),
        fps: FPS,
        motion: Motion::Bones(maps.collect()),
    }
}

/// The center line of the vessels that the catheter is pushed through, from the inlet on.
pub(crate) fn route() -> Vec<Vector> {
    Vessel::new(INLET).route.iter().map(|place| place.0).collect()
}

/// Adds vertices that a bone of their own holds in place.
fn hold(skin: &mut Skin, points: &[Vector]) {
    let bone = skin.bones.len() as u32;
    let tail = add(INLET, [0.0, 0.05, 0.0]);
    skin.bones.push(Bone { name: "Vessel".to_owned(), parent: None, head: INLET, tail });
    for _ in points {
        skin.influences.push((bone, 1.0));
        skin.offsets.push(skin.influences.len() as u32);
    }
}

/// The maps of the bones that put them on a center line.
fn maps(rig: &Rig, line: &[Vector]) -> Vec<Affine> {
    let mut pose = Pose::rest(rig);
    pose.shift = line[0];
    for (turn, ends) in pose.turns.iter_mut().zip(line.windows(2)) {
        *turn = Turn::aim(sub(ends[1], ends[0]));
    }
    rig.maps(&pose)
}

/// The center line at each frame: an elastic rod of constant length, straight below the inlet.
pub(crate) fn center_lines() -> Vec<Vec<Vector>> {
    let route = Vessel::new(INLET).tube(BEYOND);
    let mut line: Vec<Vector> =
        (0..=N_BONES).map(|i| [0.0, LENGTH * i as f64 / N_BONES as f64, 0.0]).collect();
    let mut lines = vec![line.clone()];
    for frame in 1..N_FRAMES {
        let gap = GAP - YIELD * frame.saturating_sub(TOO_FAR) as f64;
        push(&mut line, &route, gap);
        lines.push(line.clone());
    }
    lines
}

/// Pushes a center line forward along itself, and lets it relax inside of the vessels of the route.
fn push(line: &mut [Vector], route: &Field, gap: f64) {
    let piece = LENGTH / N_BONES as f64;
    let last = line.len() - 1;
    let (tip, ahead) = (line[last], sub(line[last], line[last - 1]));
    for i in 0..last {
        line[i] = add(line[i], scale(normalize(sub(line[i + 1], line[i])), FEED));
    }
    line[last] = add(tip, scale(normalize(ahead), FEED));
    // What has not entered yet is held.
    let first = line.iter().position(|place| INLET[1] < place[1]).unwrap_or(last + 1);
    for _ in 0..PASSES {
        for i in first..=last {
            let place = unbent(line, i);
            let wall = route.sample(place);
            let excess = (wall.distance + RADIUS + gap).max(0.0);
            line[i] = sub(place, scale(wall.gradient, excess));
        }
        for i in first..=last {
            line[i] = add(line[i - 1], scale(normalize(sub(line[i], line[i - 1])), piece));
        }
    }
}

/// Where a point of a line has to be for the least bending energy: the sum of the squares of all
/// second differences.
fn unbent(line: &[Vector], i: usize) -> Vector {
    let (mut sum, mut weight) = ([0.0; 3], 0.0);
    for j in i.max(2) - 1..=(i + 1).min(line.len() - 2) {
        // The second difference at j, without the part of point i.
        let factor = if i == j { -2.0 } else { 1.0 };
        let whole = add(sub(line[j - 1], scale(line[j], 2.0)), line[j + 1]);
        sum = sub(sum, scale(sub(whole, scale(line[i], factor)), factor));
        weight += factor * factor;
    }
    scale(sum, 1.0 / weight)
}
