//! The parts of a node: its vertices grouped by the joints they follow. Each part has a ball at
//! rest and bounds of its weights.
//!
//! A vertex of a part is `Σ w_j (A_j v + t_j)` over the joints of the part, with v in the ball and
//! weights in the polytope `W = {l <= w <= h, Σ w = 1}`. (Every vertex is in a part that has all of
//! its joints. That all parts together have all joints, as printed in the paper, does not suffice.)
//! Three forms bound it for any maps:
//!
//! - *One joint*: the ball, moved.
//! - *Corners*: a ball for each corner of W, the combination of the moved balls with its weights.
//!   Any convex set that contains these balls contains the part.
//! - *Spread*, where there are too many corners: let m be the middle of the weights, c_j the
//!   centers of the moved balls, and o = Σ m_j c_j. The differences w - m sum to zero, so
//!   `Σ w_j c_j - o = P (x - y)` with x and y in the hull of the c_j, and P half of the sum of the
//!   absolute differences. So one ball around o suffices, widened by P times the diagonal of the
//!   box around the c_j. It takes one pass over the joints, where there may be exponentially many
//!   corners; for two joints it gives the same ball.
//!
//! Joints without linear maps, the control points of subdivision surfaces, are one part per node in
//! a fourth form; see `anchored.rs`.
//!
//! Unlike in the paper, each part has a ball of its own: one ball of all vertices of the node,
//! moved by the bones of a hand and of a foot, would be as large as the body. Where a node near the
//! root has so many parts that this costs too much, they are replaced by parts of one joint, each
//! with a ball around all vertices that follow the joint at all. This suffices because the bound of
//! the node is convex: it contains every convex combination of what it contains.

mod around;
mod build;
mod influences;

use super::anchored::{Anchored, anchored};
use super::maps::Maps;

pub(super) use self::influences::Influences;

/// How a part is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One joint.
    One,
    /// This many corners: rows of weights, one weight per joint.
    Corners(u8),
    /// The middle of the weights, followed by half of the largest sum of absolute differences of
    /// the weights of a vertex from it.
    Spread,
    /// The same for points without a linear map, with a fit for each; see `anchored.rs`.
    Anchored,
}

/// Vertices of a node that follow the joints of the part, or some of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The ball at rest: center and radius.
    ball: [f32; 4],
    /// The first joint.
    pub(super) joint: u32,
    /// The offsets of the joints and of the weights.
    joints_from: u32,
    weights_from: u32,
    n_joints: u32,
    /// The offset of the fits of an anchored part.
    fits_from: u32,
    pub(super) form: Form,
}

/// The parts of all nodes of a tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// The end of the parts of each node.
    ends: Vec<u32>,
    parts: Vec<Part>,
    /// For each part, the center and half extents of its box at rest.
    boxes: Vec<[[f32; 3]; 2]>,
    /// For each part and each mode, the center and half extents of the box of the displacements.
    displacements: Vec<[[f32; 3]; 2]>,
    n_modes: usize,
    /// For each joint of an anchored part, its anchor relative to the center of the box, and the
    /// vector of the fit.
    fits: Vec<[[f32; 3]; 2]>,
    joints: Vec<u32>,
    /// For each of these joints, the least and the greatest weight.
    intervals: Vec<[f32; 2]>,
    weights: Vec<f32>,
    /// The largest number of joints of a part.
    most_joints: usize,
}

impl Parts {
    /// The parts of a node.
    #[inline(always)]
    pub(super) fn of(&self, node: u32) -> std::ops::Range<usize> {
        let node = node as usize;
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        start as usize..self.ends[node] as usize
    }

    #[inline(always)]
    pub(super) fn part(&self, part: usize) -> &Part {
        &self.parts[part]
    }

    /// The center and half extents of a box around the shapes of a part: at rest without modes.
    #[inline(always)]
    pub(super) fn box_of(&self, part: usize, maps: &Maps) -> [[f32; 3]; 2] {
        let [center, half] = self.boxes[part];
        if self.n_modes == 0 { [center, half] } else { self.displaced(part, maps, center, half) }
    }

    /// The center of the box of a part at rest.
    #[inline(always)]
    pub(super) fn center(&self, part: usize) -> [f32; 3] {
        self.boxes[part][0]
    }

    /// A ball around the shapes of a part: at rest without modes.
    #[inline(always)]
    pub(super) fn ball_of(&self, part: usize, maps: &Maps) -> [f32; 4] {
        let ball = self.parts[part].ball;
        if self.n_modes == 0 {
            return ball;
        }
        let [x, y, z, r] = ball;
        let [[x, y, z], half] = self.displaced(part, maps, [x, y, z], [0.0; 3]);
        let [a, b, c] = half.map(f64::from);
        let radius = f64::from(r) + (a * a + b * b + c * c).sqrt();
        [x, y, z, ((radius * (1.0 + 1e-15)) as f32).next_up()]
    }

    /// The center and half extents of a part at rest, displaced by the modes: with the box m_i ±
    /// h_i of the displacements of mode i, the center is shifted by `Σ q_i m_i`, and the half
    /// extents grow by `Σ |q_i| h_i`.
    ///
    /// Sums are in f64. Each of the 2 n products and 2 n sums has an error of at most 2^-53 times
    /// the sum of all magnitudes, which is at most twice the reach of the shapes: `|m_i| + h_i` is
    /// the largest coordinate of a displacement, rounded up. So 2^-48 (n + 1) times the reach
    /// covers the errors of both sums; half extents are widened by that and rounded up. The center
    /// is rounded to f32; that error counts in `maps.rs`.
    #[inline(never)]
    fn displaced(&self, part: usize, maps: &Maps, center: [f32; 3], half: [f32; 3]) -> [[f32; 3]; 2] {
        let n = self.n_modes;
        let boxes = &self.displacements[n * part..n * (part + 1)];
        let (mut o, mut h) = (center.map(f64::from), half.map(f64::from));
        for (amplitude, [m, half]) in maps.amplitudes.iter().zip(boxes) {
            for i in 0..3 {
                o[i] += amplitude * f64::from(m[i]);
                h[i] += amplitude.abs() * f64::from(half[i]);
            }
        }
        let slack = maps.reach * (n as f64 + 1.0) * f64::EPSILON * 16.0;
        [o.map(|x| x as f32), h.map(|x| ((x + slack) as f32).next_up())]
    }

    /// The joints of a part.
    #[inline(always)]
    pub(super) fn joints(&self, part: &Part) -> &[u32] {
        &self.joints[part.joints_from as usize..][..part.n_joints as usize]
    }

    /// The least and the greatest weight of each joint of a part.
    #[inline(always)]
    pub(super) fn intervals(&self, part: &Part) -> &[[f32; 2]] {
        &self.intervals[part.joints_from as usize..][..part.n_joints as usize]
    }

    /// The weights of a part, in the layout of its form.
    #[inline(always)]
    pub(super) fn weights(&self, part: &Part) -> &[f32] {
        let n = part.n_joints as usize;
        let n_weights = match part.form {
            Form::One => 0,
            Form::Corners(rows) => usize::from(rows) * n,
            Form::Spread | Form::Anchored => n + 1,
        };
        &self.weights[part.weights_from as usize..][..n_weights]
    }

    /// Where the vertices of an anchored part are.
    #[inline(always)]
    pub(super) fn anchored(&self, at: usize, maps: &Maps) -> Anchored {
        let part = &self.parts[at];
        let (joints, fits) = (self.joints(part), &self.fits[part.fits_from as usize..]);
        let (middle, share) = self.weights(part).split_at(joints.len());
        anchored(joints, middle, share[0], &fits[..joints.len()], self.boxes[at][1], maps)
    }

    /// The largest number of joints of a part.
    pub(super) fn most_joints(&self) -> usize {
        self.most_joints
    }

    /// Heap memory of the parts in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(self.ends.as_slice())
            + size_of_val(self.parts.as_slice())
            + size_of_val(self.boxes.as_slice())
            + size_of_val(self.displacements.as_slice())
            + size_of_val(self.fits.as_slice())
            + size_of_val(self.joints.as_slice())
            + size_of_val(self.intervals.as_slice())
            + size_of_val(self.weights.as_slice())
    }
}
