//! Soft balls fall into a bowl.

use crate::ball::{ball, ball_at};
use crate::scene::Scene;
use crate::simulated::Clip;
use crate::solver::{Handling, Material, Object, Settings};
use crate::vector::{Vector, scale, smooth};

const N_FRAMES: usize = 80;
/// From this frame on the balls may pass through each other.
const TANGLES: usize = 65;
/// 12 · 20² = 4,800 triangles for each ball.
const BALL: u32 = 20;
const RADIUS: f64 = 0.19;
/// The initial centers of the balls.
const CENTERS: [Vector; 4] =
    [[-0.21, 0.66, -0.06], [0.20, 0.72, 0.08], [0.0, 1.12, -0.10], [-0.03, 1.54, 0.04]];
/// 12 · 18² = 3,888 triangles.
const BOWL: u32 = 18;
/// The radii of the inner and the outer side of the bowl, which is half a ball around a center at
/// that height.
const BOWL_RADII: [f64; 2] = [0.5, 0.56];
const BOWL_HEIGHT: f64 = 0.56;

pub(crate) fn jelly() -> Scene {
    let about = "Four soft balls of 4,800 triangles each fall into a bowl of 3,888 and squash each other. Nothing touches up to frame 64; \
                 from then on the balls are kept off the bowl but not off each other, and sink into each other.";
    Clip {
        name: "jelly",
        about,
        version: 1,
        objects: objects(),
        settings: Settings {
            drag: 2.0,
            stretching: 0.1,
            thickness: 0.004,
            // With more friction, surfaces pressed against the bowl crumple.
            friction: 0.1,
            ..Settings::CLOTH
        },
        n_frames: N_FRAMES,
        handling: &|frame| if frame < TANGLES { Handling::Full } else { Handling::ObstaclesOnly },
        held: &|_, rest| rest,
        push: &|_, _| [0.0; 3],
    }
    .scene()
}

/// The balls, and the bowl below them.
pub(crate) fn objects() -> Vec<(&'static str, Object)> {
    let soft = |center: Vector| {
        let (faces, points) = ball_at(BALL, center, RADIUS);
        Object { faces, points, spans: Vec::new(), held: Vec::new(), material: Material::Soft }
    };
    let (faces, directions) = ball([BOWL; 3]);
    let points: Vec<Vector> = directions.into_iter().map(on_bowl).collect();
    let held = (0..points.len() as u32).collect();
    let bowl = Object { faces, points, spans: Vec::new(), held, material: Material::Obstacle };
    let names = ["Ball.1", "Ball.2", "Ball.3", "Ball.4"];
    let balls = names.into_iter().zip(CENTERS.map(soft));
    balls.chain([("Bowl", bowl)]).collect()
}

/// The upper half of a ball, turned down into the lower: the outside becomes the inside of the
/// bowl.
fn on_bowl([x, y, z]: Vector) -> Vector {
    let [inner, outer] = BOWL_RADII;
    let radius = outer + (inner - outer) * smooth(2.5 * y + 0.5);
    let [x, y, z] = scale([x, -y.abs(), z], radius);
    [x, y + BOWL_HEIGHT, z]
}
