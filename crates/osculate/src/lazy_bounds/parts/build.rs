//! Groups the vertices of a node into parts, and chooses the form of each.

use super::super::anchored::fit;
use super::super::corners::corners;
use super::around::{ball_around, box_around};
use super::influences::{Influences, Weights};
use super::{Form, Part, Parts};

/// Maximum number of corners of a part: with more, a spread costs less and is about as tight.
const MOST_CORNERS: usize = 4;

/// All vertices of a node are one part if the sum of the absolute differences of their weights from
/// the middle is at most this.
const ALIKE: f64 = 0.5;

/// A node keeps parts of several joints if they cost at most this many times as much as parts of
/// one joint each.
const AFFORDED: usize = 2;

impl Parts {
    /// Adds a node with the given vertices, which are reordered.
    pub(crate) fn push(&mut self, influences: &Influences, rest: &[[f64; 3]], vertices: &mut [u32]) {
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
