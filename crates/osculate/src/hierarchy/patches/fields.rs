//! Fields over a set of faces, by which it is cut.

use super::{Face, neighbors};

/// Weight of the variance of normals, relative to the variance of positions, if the normals point
/// in all directions. With less, patches bend more than necessary; with more, they become long and
/// narrow. Of 0, 1/4, 1, 2, 4 and 16, this value has the fewest nodes on the cloth step above those
/// that a cone and a contour clear, and is near the best on bodies; on a shirt 1 is better.
const NORMALS: f32 = 2.0;

/// Rounds of averaging that smooth the distances along the surface, which are integers.
const ROUNDS: usize = 8;

/// The current field, and scratch memory.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) values: Vec<f32>,
    pub(super) steps: Vec<u32>,
    pub(super) queue: Vec<u32>,
}

impl Scratch {
    /// The coordinate of each face along the axis of largest variance: of positions, or of
    /// positions and normals, with normals weighted by [`NORMALS`].
    pub(super) fn principal(&mut self, faces: &[Face], with_normals: bool) {
        let point = |f: &Face| {
            let ([x, y, z], [u, v, w]) = (f.center, f.normal);
            [x, y, z, u, v, w]
        };
        let share = 1.0 / faces.len() as f32;
        let mut mean = [0f32; 6];
        faces.iter().for_each(|f| add(&mut mean, 1.0, point(f)));
        mean = mean.map(|x| x * share);
        let mut covariance = [[0f32; 6]; 6];
        for face in faces {
            let mut p = point(face);
            add(&mut p, -1.0, mean);
            for i in 0..6 {
                for j in 0..6 {
                    covariance[i][j] += p[i] * p[j];
                }
            }
        }
        let spread = (0..3).map(|i| covariance[i][i]).sum::<f32>() * share;
        let scale = if with_normals { (NORMALS * spread).sqrt() } else { 0.0 };
        let scale = [1.0, 1.0, 1.0, scale, scale, scale];
        for i in 0..6 {
            for j in 0..6 {
                covariance[i][j] *= scale[i] * scale[j];
            }
        }
        let axis = largest_axis(&covariance);
        let weights = [0, 1, 2, 3, 4, 5].map(|i| axis[i] * scale[i]);
        self.values.clear();
        self.values.extend(faces.iter().map(|f| {
            let mut p = point(f);
            add(&mut p, -1.0, mean);
            (0..6).map(|i| p[i] * weights[i]).sum::<f32>()
        }));
    }

    /// The distance, in steps across edges, from one of two faces that are far apart, minus that
    /// from the other; smoothed. Each sublevel set would be connected except for the smoothing and
    /// for ties.
    pub(super) fn between_far_ends(&mut self, faces: &[Face]) {
        self.sweep(faces, 0);
        let one = *self.queue.last().expect("faces");
        self.sweep(faces, one);
        let other = *self.queue.last().expect("faces");
        self.values.clear();
        self.values.extend(self.steps.iter().map(|&d| d as f32));
        self.sweep(faces, other);
        self.values.iter_mut().zip(&self.steps).for_each(|(value, &d)| *value -= d as f32);
        for _ in 0..ROUNDS {
            let values = &self.values;
            let average = |face: u32| {
                let (n, sum) = neighbors(faces, face)
                    .fold((1.0, values[face as usize]), |(n, sum), j| (n + 1.0, sum + values[j as usize]));
                sum / n
            };
            self.values = (0..faces.len() as u32).map(average).collect();
        }
    }

    /// Number of steps from a face to all connected faces; `queue` has them in breadth-first order.
    pub(super) fn sweep(&mut self, faces: &[Face], from: u32) {
        self.steps.clear();
        self.steps.resize(faces.len(), super::NONE);
        self.queue.clear();
        self.queue.push(from);
        self.steps[from as usize] = 0;
        let mut done = 0;
        while let Some(&face) = self.queue.get(done) {
            done += 1;
            for other in neighbors(faces, face) {
                if self.steps[other as usize] == super::NONE {
                    self.steps[other as usize] = self.steps[face as usize] + 1;
                    self.queue.push(other);
                }
            }
        }
    }
}

#[inline(always)]
fn add(sum: &mut [f32; 6], factor: f32, p: [f32; 6]) {
    sum.iter_mut().zip(p).for_each(|(s, x)| *s += factor * x);
}

/// The approximate eigenvector of the largest eigenvalue of a positive matrix, by power iteration
/// from its longest column.
fn largest_axis(matrix: &[[f32; 6]; 6]) -> [f32; 6] {
    let longest = (1..6).fold(0, |best, i| if matrix[best][best] < matrix[i][i] { i } else { best });
    let mut axis = matrix[longest];
    for _ in 0..12 {
        let largest = axis.iter().fold(0f32, |m, x| m.max(x.abs()));
        if largest <= 0.0 {
            return [0.0; 6];
        }
        axis = axis.map(|x| x / largest);
        let mut image = [0f32; 6];
        for i in 0..6 {
            add(&mut image, axis[i], matrix[i]);
        }
        axis = image;
    }
    let length = axis.iter().map(|x| x * x).sum::<f32>().sqrt();
    if 0.0 < length { axis.map(|x| x / length) } else { [0.0; 6] }
}
