//! A ball with 820 soft spikes is squashed, and its spikes are bent into each other.

use crate::ball::{ball, spread};
use crate::body::FPS;
use crate::scene::{Motion, Scene};
use crate::vector::{TAU, Vector, add, cross, dot, normalize, scale, sin, sin_cos, smooth, sub};

const N_FRAMES: usize = 20;
const N_SPIKES: usize = 820;
/// Quads along the axes of the box of the ball: 4 (ab + bc + ca) is a million.
const BOX: [u32; 3] = [256, 277, 336];
/// Height of the spikes, in radii of the ball.
const HEIGHT: f64 = 0.38;
/// The foot of a spike: the cosine of the angle to its axis.
const FOOT: f64 = 0.9983;

pub(crate) fn spikes() -> Scene {
    let (faces, directions) = topology();
    let axes = spread(N_SPIKES);
    let owners = owners(&directions, &axes);
    let heights: Vec<f64> = directions
        .iter()
        .zip(&owners)
        .map(|(&at, &spike)| HEIGHT * rise(dot(at, axes[spike as usize])))
        .collect();
    let pose = |frame: usize| -> Vec<Vector> {
        let t = frame as f64 / (N_FRAMES - 1) as f64;
        let squash = smooth(2.5 * t - 0.4) * (1.0 - smooth(2.5 * t - 1.4));
        let of_vertex = |i: usize| place(directions[i], heights[i], owners[i] as usize, &axes, squash);
        (0..directions.len()).map(of_vertex).collect()
    };
    let frames: Vec<Vec<Vector>> = (0..N_FRAMES).map(pose).collect();
    Scene {
        name: "spikes".to_owned(),
        about: "A ball of a million triangles with 820 soft spikes is squashed and springs back; its spikes are bent into each other."
            .to_owned(),
        faces,
        rest: frames[0].clone(),
        objects: vec!["Ball".to_owned()],
        static_objects: Vec::new(),
        vertex_object: vec![0; directions.len()],
        skin: None,
        fps: FPS,
        motion: Motion::Frames(frames),
    }
}

/// The ball without its spikes.
pub(crate) fn topology() -> (Vec<[u32; 3]>, Vec<Vector>) {
    ball(BOX)
}

/// The nearest spike of each vertex. Spikes are sorted along y, so that only those at about the
/// same height are tested.
fn owners(directions: &[Vector], axes: &[Vector]) -> Vec<u32> {
    let n = axes.len() as f64;
    let nearest = |&at: &Vector| {
        let row = ((1.0 - at[1]) * 0.5 * n) as usize;
        let reach = 80;
        let near = row.saturating_sub(reach)..(row + reach).min(axes.len());
        near.max_by(|&i, &j| dot(at, axes[i]).total_cmp(&dot(at, axes[j]))).unwrap_or(0) as u32
    };
    directions.iter().map(nearest).collect()
}

/// The height of a spike at an angle from its axis, given by its cosine: 1 on the axis, 0 at the
/// foot and beyond.
fn rise(cosine: f64) -> f64 {
    smooth((cosine - FOOT) / (1.0 - FOOT))
}

/// The position of a vertex when the ball is squashed by `squash`, from 0 to 1.
fn place(direction: Vector, height: f64, spike: usize, axes: &[Vector], squash: f64) -> Vector {
    let axis = axes[spike];
    // Each spike bends its own way: toward the equator, and to one side or the other.
    let side = normalize(cross([0.3, 0.9, 0.2], axis));
    let turn = 1.2 * sin(TAU * 0.618 * spike as f64 * spike as f64);
    let (s, c) = sin_cos(turn);
    let away = add(scale(side, s), scale(cross(side, axis), c));
    // An arc of the length of the spike, with the same angle for all spikes.
    let angle = 1.5 * squash * height / HEIGHT;
    let (up, across) = if angle < 1e-9 {
        (height, 0.0)
    } else {
        let radius = height / angle;
        let (s, c) = sin_cos(angle);
        (radius * s, radius * (1.0 - c))
    };
    // The foot stays on the ball; its offset from the axis rotates with the spike.
    let off = sub(direction, scale(axis, dot(direction, axis)));
    let (s, c) = sin_cos(angle);
    let along = dot(off, away);
    let turned = add(sub(off, scale(away, along)), add(scale(away, along * c), scale(axis, -along * s)));
    let foot = scale(axis, dot(direction, axis));
    let [x, y, z] = add(add(foot, turned), add(scale(axis, up), scale(away, across)));
    [x * (1.0 + 0.22 * squash), 1.4 + y * (1.0 - 0.45 * squash) - 0.5 * squash, z * (1.0 + 0.22 * squash)]
}
