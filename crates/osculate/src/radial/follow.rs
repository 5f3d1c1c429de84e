//! An observer that follows the surface, as a fixed affine combination of the vertices of its
//! cluster.

use super::Observer;
use super::free::best;
use crate::Mesh;
use crate::math::vector::{dot, minus};
use crate::motion::Line;

/// One point, or the two ends of a segment, that move with vertices.
///
/// A point is moved by the affine map that best fits the motion of the vertices from rest, in the
/// least-squares sense. That is linear in the positions: `q = sum w_i p_i` with
/// `w_i = 1/n + (r_i - c) . G^-1 (q_rest - c)`, where c is the mean of the n vertices r_i at rest
/// and `G = sum (r_i - c) (r_i - c)^T`. If they are coplanar, or nearly so, the point moves with
/// their mean.
#[derive(Clone, Debug)]
pub(crate) struct Follower {
    vertices: Vec<u32>,
    /// For each vertex, its weights for the two points.
    weights: Vec<[f64; 2]>,
}

/// The observer of a cluster during a step: a point, or a segment, whose ends move linearly.
/// `[t][axis]`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Eye {
    Point([[f64; 3]; 2]),
    Segment([[[f64; 3]; 2]; 2]),
}

impl Follower {
    /// Makes the observer of a cluster of triangles follow their vertices. A free observer starts
    /// at its best position at rest.
    pub(crate) fn new(
        mesh: &Mesh,
        rest: &[[f64; 3]],
        triangles: &[u32],
        observer: Observer,
        joints: &[[f64; 3]],
    ) -> Follower {
        let mut vertices: Vec<u32> = triangles.iter().flat_map(|&t| mesh.triangles()[t as usize]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let share = 1.0 / vertices.len() as f64;
        let mut mean = [0.0; 3];
        for &v in &vertices {
            (0..3).for_each(|i| mean[i] += share * rest[v as usize][i]);
        }
        let ends = match observer {
            Observer::Joint(joint) => [joints[joint as usize]; 2],
            Observer::Bone(ends) => ends.map(|joint| joints[joint as usize]),
            Observer::Free => [best(mesh, triangles, |v| rest[v as usize]).unwrap_or(mean); 2],
        };
        let mut moments = [[0.0; 3]; 3];
        for &v in &vertices {
            let arm = minus(rest[v as usize], mean);
            for (row, x) in moments.iter_mut().zip(arm) {
                (0..3).for_each(|j| row[j] += x * arm[j]);
            }
        }
        let pulls = ends.map(|end| solve(&moments, minus(end, mean)));
        let weights = vertices.iter().map(|&v| {
            let arm = minus(rest[v as usize], mean);
            pulls.map(|pull| share + dot(arm, pull))
        });
        Follower { weights: weights.collect(), vertices }
    }

    /// The positions of the two points at both ends of a step.
    pub(crate) fn ends(&self, lines: &[Line]) -> [[[f64; 3]; 2]; 2] {
        let mut ends = [[[0.0; 3]; 2]; 2];
        for (&v, weights) in self.vertices.iter().zip(&self.weights) {
            let line = &lines[v as usize].0;
            for (end, weight) in ends.iter_mut().zip(weights) {
                for i in 0..3 {
                    end[0][i] += weight * line[i];
                    end[1][i] += weight * line[i + 4];
                }
            }
        }
        ends
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.vertices.as_slice()) + size_of_val(self.weights.as_slice())
    }
}

/// The solution of a symmetric 3 x 3 system; zero if it is singular, or nearly so.
fn solve(m: &[[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
    let cofactors = [0, 1, 2].map(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        [0, 1, 2].map(|a| {
            let (b, c) = ((a + 1) % 3, (a + 2) % 3);
            m[j][b] * m[k][c] - m[j][c] * m[k][b]
        })
    });
    let determinant = dot(m[0], cofactors[0]);
    let trace = m[0][0] + m[1][1] + m[2][2];
    // The threshold affects only how well the observer follows.
    let is_regular = 1e-9 * trace * trace * trace < determinant;
    if is_regular { [0, 1, 2].map(|i| dot(cofactors[i], b) / determinant) } else { [0.0; 3] }
}
