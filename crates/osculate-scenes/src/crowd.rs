//! Many instances of a scene, close to each other.

use crate::scene::{Affine, Motion, Scene};
use crate::vector::{Matrix, Vector, add, apply, rotation, scale};

/// The placement of an instance of a scene, and its offset in the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The initial position of the scene's origin.
    pub position: [f64; 3],
    /// Rotation about the y axis, in radians.
    pub heading: f64,
    /// Displacement per frame.
    pub velocity: [f64; 3],
    /// Number of frames that it is ahead.
    pub phase: usize,
}

impl Placement {
    /// Overwrites `positions` with the vertices of the instance at a frame. The clip repeats, so it
    /// should be a cycle.
    pub fn pose(&self, scene: &Scene, frame: usize, positions: &mut Vec<[f64; 3]>) {
        scene.pose((frame + self.phase) % scene.n_frames(), positions);
        let (turn, origin) = self.place(frame);
        positions.iter_mut().for_each(|point| *point = add(apply(&turn, *point), origin));
    }

    /// Returns the bone matrices of the instance at a frame, relative to rest; empty if bones do
    /// not move the scene. They give the positions of [`pose`](Placement::pose), up to rounding.
    #[must_use]
    pub fn bones(&self, scene: &Scene, frame: usize) -> Vec<Affine> {
        let Motion::Bones(frames) = &scene.motion else { return Vec::new() };
        let (turn, origin) = self.place(frame);
        let placed = |map: &Affine| {
            let column = |k: usize| apply(&turn, map.map(|row| row[k]));
            let [x, y, z, moved] = [column(0), column(1), column(2), add(column(3), origin)];
            std::array::from_fn(|i| [x[i], y[i], z[i], moved[i]])
        };
        frames[(frame + self.phase) % frames.len()].iter().map(placed).collect()
    }

    /// The rotation of the scene at a frame, and its origin.
    fn place(&self, frame: usize) -> (Matrix, Vector) {
        let turn = rotation([0.0, 1.0, 0.0], self.heading);
        (turn, add(self.position, scale(self.velocity, frame as f64)))
    }
}

/// Returns placements for `n` instances of a scene, in rows with just the space that its clip
/// needs. They face roughly the same way and walk at slightly different paces, so none touch at
/// first, and neighbors do later. Determined by the seed.
#[must_use]
pub fn crowd(scene: &Scene, n: usize, seed: u64) -> Vec<Placement> {
    let [wide, long] = room(scene);
    let per_row = (1..).find(|&k| n <= k * k).unwrap_or(1);
    let mut random = Random(seed);
    let places = (0..n).map(|i| {
        let (row, column) = ((i / per_row) as f64, (i % per_row) as f64);
        // Every other row is shifted by half a column.
        let x = wide * (column + 0.5 * (row % 2.0) + 0.04 * random.signed());
        let z = long * (row + 0.02 * random.signed());
        let heading = 0.05 * random.signed();
        let pace = 0.025 * (1.0 + 0.3 * random.signed());
        Placement {
            position: [x, 0.0, z],
            heading,
            velocity: apply(&rotation([0.0, 1.0, 0.0], heading), [0.0, 0.0, pace]),
            phase: (random.next() % scene.n_frames() as u64) as usize,
        }
    });
    places.collect()
}

/// The width and length of the space of an instance, with some margin, from every eighth frame.
fn room(scene: &Scene) -> [f64; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let mut pose = Vec::new();
    for frame in (0..scene.n_frames()).step_by(8) {
        scene.pose(frame, &mut pose);
        for point in &pose {
            low = std::array::from_fn(|axis| low[axis].min(point[axis]));
            high = std::array::from_fn(|axis| high[axis].max(point[axis]));
        }
    }
    [1.08 * (high[0] - low[0]), 1.06 * (high[2] - low[2])]
}

/// Pseudorandom numbers: SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between −1 and 1.
    fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
