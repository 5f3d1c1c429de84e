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

use super::anchored::{Anchored, anchored, fit};
use super::corners::corners;
use super::maps::Maps;
use super::smallest_ball::smallest_ball;
use crate::motion::Governors;
use std::collections::HashMap;

/// Maximum number of corners of a part: with more, a spread costs less and is about as tight.
const MOST_CORNERS: usize = 4;

/// All vertices of a node are one part if the sum of the absolute differences of their weights from
/// the middle is at most this.
const ALIKE: f64 = 0.5;

/// A node keeps parts of several joints if they cost at most this many times as much as parts of
/// one joint each.
const AFFORDED: usize = 2;

/// The joints and weights of governed vertices; weights are normalized to a sum of one.
pub(super) struct Influences<'a> {
    governors: &'a Governors,
    /// The set of joints of each vertex.
    set_of: Vec<u32>,
    /// The joints of each set, ascending.
    sets: Vec<Vec<u32>>,
}

impl<'a> Influences<'a> {
    pub(super) fn new(governors: &'a Governors) -> Influences<'a> {
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut sets = Vec::new();
        let set_of = (0..governors.rest().len()).map(|v| {
            let mut set: Vec<u32> =
                governors.influences(v).iter().filter(|i| i.1 != 0.0).map(|i| i.0).collect();
            set.sort_unstable();
            set.dedup();
            *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() as u32 - 1
            })
        });
        Influences { set_of: set_of.collect(), sets, governors }
    }
}

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

    /// Adds a node with the given vertices, which are reordered.
    pub(super) fn push(&mut self, influences: &Influences, rest: &[[f64; 3]], vertices: &mut [u32]) {
        vertices.sort_unstable_by_key(|&v| (influences.set_of[v as usize], v));
        let same = |&a: &u32, &b: &u32| influences.set_of[a as usize] == influences.set_of[b as usize];
        let sets = vertices.chunk_by(same);
        let mut joints: Vec<u32> =
            sets.clone().flat_map(|set| influences.joints_of(set[0]).iter().copied()).collect();
        joints.sort_unstable();
        joints.dedup();
        if !vertices.is_empty() {
            let whole = Weights::new(influences, vertices, &joints);
            // A part of points costs little, however many they are.
            let is_anchored = influences.governors.anchors().is_some();
            if sets.clone().count() == 1 || whole.together <= ALIKE || is_anchored {
                self.push_several(influences, rest, vertices, &joints, &whole);
            } else {
                let n_before = (self.parts.len(), self.joints.len(), self.weights.len());
                for set in sets {
                    let of_set = influences.joints_of(set[0]);
                    self.push_several(influences, rest, set, of_set, &Weights::new(influences, set, of_set));
                }
                let cost: usize = self.parts[n_before.0..].iter().map(Part::cost).sum();
                if AFFORDED * joints.len() * Part::COST_OF_ONE < cost {
                    self.parts.truncate(n_before.0);
                    self.boxes.truncate(n_before.0);
                    self.displacements.truncate(n_before.0 * self.n_modes);
                    self.joints.truncate(n_before.1);
                    self.intervals.truncate(n_before.1);
                    self.weights.truncate(n_before.2);
                    for &joint in &joints {
                        let follows = |&&v: &&u32| influences.joints_of(v).contains(&joint);
                        let of_joint: Vec<u32> = vertices.iter().filter(follows).copied().collect();
                        self.push_part(influences, rest, &of_joint, &[joint], &[[1.0; 2]], Form::One);
                    }
                }
            }
        }
        self.ends.push(self.parts.len() as u32);
    }

    /// Adds a part whose vertices follow the given joints, or some of them, and chooses its form.
    fn push_several(
        &mut self,
        influences: &Influences,
        rest: &[[f64; 3]],
        vertices: &[u32],
        joints: &[u32],
        weights: &Weights,
    ) {
        let Weights { lo, hi, middle, together } = weights;
        let form = if joints.len() == 1 {
            Form::One
        } else if 2 < joints.len()
            && influences.governors.anchors().is_none()
            && let Some(rows) = corners(lo, hi, MOST_CORNERS)
        {
            self.weights.extend(rows.iter().map(|&weight| weight as f32));
            Form::Corners((rows.len() / joints.len()) as u8)
        } else {
            self.weights.extend_from_slice(middle);
            // In f32, the middle does not quite sum to one; the error counts as a difference, too.
            let sum: f64 = middle.iter().map(|&weight| f64::from(weight)).sum();
            let share = 0.5 * (together + (sum - 1.0).abs());
            self.weights.push(share as f32 * (1.0 + (8.0 + joints.len() as f32) * f32::EPSILON));
            if influences.governors.anchors().is_some() { Form::Anchored } else { Form::Spread }
        };
        let down = |x: f64| (x as f32).next_down().max(0.0);
        let intervals: Vec<[f32; 2]> =
            lo.iter().zip(hi).map(|(&lo, &hi)| [down(lo), (hi as f32).next_up()]).collect();
        self.push_part(influences, rest, vertices, joints, &intervals, form);
    }

    /// Adds a part whose weights, if it has any, have just been added.
    fn push_part(
        &mut self,
        influences: &Influences,
        rest: &[[f64; 3]],
        vertices: &[u32],
        joints: &[u32],
        intervals: &[[f32; 2]],
        form: Form,
    ) {
        let n_weights = match form {
            Form::One => 0,
            Form::Corners(rows) => usize::from(rows) * joints.len(),
            Form::Spread | Form::Anchored => joints.len() + 1,
        };
        self.parts.push(Part {
            ball: ball_around(rest, vertices),
            joint: joints[0],
            joints_from: self.joints.len() as u32,
            weights_from: (self.weights.len() - n_weights) as u32,
            n_joints: joints.len() as u32,
            fits_from: self.fits.len() as u32,
            form,
        });
        let around = box_around(vertices, |v| rest[v]);
        self.boxes.push(around);
        let governors = influences.governors;
        if let (Form::Anchored, Some(anchors)) = (form, governors.anchors()) {
            let anchors: Vec<[f64; 3]> = joints.iter().map(|&joint| anchors[joint as usize]).collect();
            let middle = &self.weights[self.weights.len() - n_weights..][..joints.len()];
            self.fits.extend(fit(&anchors, middle, around[0]));
        }
        self.n_modes = governors.n_modes();
        let of_mode = |mode: usize| box_around(vertices, |v| governors.displacements(v)[mode]);
        self.displacements.extend((0..self.n_modes).map(of_mode));
        self.joints.extend_from_slice(joints);
        self.intervals.extend_from_slice(intervals);
        self.most_joints = self.most_joints.max(joints.len());
    }
}

impl Part {
    /// The cost of a part of one joint, in operations on vectors of four.
    const COST_OF_ONE: usize = 12;

    /// The cost of the part.
    fn cost(&self) -> usize {
        let n = self.n_joints as usize;
        match self.form {
            Form::One => Part::COST_OF_ONE,
            Form::Corners(rows) => 5 * n + usize::from(rows) * (n + 8),
            Form::Spread => 9 * n + 10,
            Form::Anchored => 12 * n + 20,
        }
    }
}

impl Influences<'_> {
    /// The joints of a vertex, ascending. There is at least one, as its weights sum to about one.
    fn joints_of(&self, vertex: u32) -> &[u32] {
        &self.sets[self.set_of[vertex as usize] as usize]
    }

    /// The weights of a vertex for a superset of its joints, normalized to a sum of one.
    fn weights(&self, vertex: u32, joints: &[u32], weights: &mut Vec<f64>) {
        weights.clear();
        weights.resize(joints.len(), 0.0);
        let mut sum = 0.0;
        for &(joint, weight) in self.governors.influences(vertex as usize) {
            if let Ok(k) = joints.binary_search(&joint) {
                weights[k] += weight;
                sum += weight;
            }
        }
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
}

/// Bounds of the weights of vertices.
struct Weights {
    /// The least and the greatest weight of each joint.
    lo: Vec<f64>,
    hi: Vec<f64>,
    /// The middle of these, normalized to a sum of one.
    middle: Vec<f32>,
    /// The largest sum of absolute differences of the weights of a vertex from the middle.
    together: f64,
}

impl Weights {
    fn new(influences: &Influences, vertices: &[u32], joints: &[u32]) -> Weights {
        let n = joints.len();
        let (mut lo, mut hi) = (vec![f64::INFINITY; n], vec![f64::NEG_INFINITY; n]);
        let mut weights = Vec::new();
        for &v in vertices {
            influences.weights(v, joints, &mut weights);
            for k in 0..n {
                lo[k] = lo[k].min(weights[k]);
                hi[k] = hi[k].max(weights[k]);
            }
        }
        let sum: f64 = (0..n).map(|k| 0.5 * (lo[k] + hi[k])).sum();
        let middle: Vec<f32> = (0..n).map(|k| (0.5 * (lo[k] + hi[k]) / sum) as f32).collect();
        let mut together: f64 = 0.0;
        for &v in vertices {
            influences.weights(v, joints, &mut weights);
            together = together.max((0..n).map(|k| (weights[k] - f64::from(middle[k])).abs()).sum());
        }
        // Weights that sum to exactly one differ from those computed by a few roundings.
        let slack = 2.0 * (n as f64 + 4.0) * f64::EPSILON;
        lo.iter_mut().for_each(|lo| *lo *= 1.0 - slack);
        hi.iter_mut().for_each(|hi| *hi = (*hi * (1.0 + slack)).min(1.0));
        Weights { lo, hi, middle, together }
    }
}

/// Nearly the smallest enclosing ball of vertices: the center is rounded to f32, the radius rounded
/// up.
fn ball_around(rest: &[[f64; 3]], vertices: &[u32]) -> [f32; 4] {
    let points: Vec<[f64; 3]> = vertices.iter().map(|&v| rest[v as usize]).collect();
    let (center, _) = smallest_ball(&points);
    let [x, y, z] = center.map(|x| x as f32);
    let mut most: f64 = 0.0;
    for point in &points {
        let [dx, dy, dz] = [point[0] - f64::from(x), point[1] - f64::from(y), point[2] - f64::from(z)];
        most = most.max(dx * dx + dy * dy + dz * dz);
    }
    // Covers a few roundings in f64 and one in f32.
    [x, y, z, ((most.sqrt() * (1.0 + 1e-15)) as f32).next_up()]
}

/// The center and half extents, rounded up, of a box around points of vertices.
fn box_around(vertices: &[u32], point: impl Fn(usize) -> [f64; 3]) -> [[f32; 3]; 2] {
    let mut around = [[0.0; 3]; 2];
    for axis in 0..3 {
        let of_axis = vertices.iter().map(|&v| point(v as usize)[axis]);
        let (lo, hi) = of_axis.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)));
        let center = (0.5 * lo + 0.5 * hi) as f32;
        let half = (hi - f64::from(center)).max(f64::from(center) - lo);
        around[0][axis] = center;
        around[1][axis] = (half as f32).next_up();
    }
    around
}
