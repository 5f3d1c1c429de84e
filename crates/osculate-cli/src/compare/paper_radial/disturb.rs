//! Displaced joints (paper, section 7, robustness).
//!
//! Each joint is displaced by s r u in each frame, where r is its distance from the nearest vertex
//! and u a random direction. With s above 1 it may be outside the body.

use crate::bodies::JointEnds;
use crate::compare::runner::Ends;

/// How far joints are displaced, and how many of them.
#[derive(Clone, Copy)]
pub(super) struct Disturbance {
    /// The displacement, as a multiple of the distance to the nearest vertex.
    pub(super) size: f64,
    /// The share of the joints that are displaced.
    pub(super) share: f64,
}

/// The displacements of the paper.
pub(super) const DISTURBANCES: [Disturbance; 5] = [
    Disturbance { size: 0.1, share: 1.0 },
    Disturbance { size: 0.2, share: 1.0 },
    Disturbance { size: 0.3, share: 1.0 },
    Disturbance { size: 1.2, share: 0.2 },
    Disturbance { size: 1.4, share: 0.2 },
];

impl Disturbance {
    pub(super) fn words(&self) -> String {
        format!("{:.0} % of the joints by {}", 100.0 * self.share, self.size)
    }
}

/// Returns the joints of consecutive steps, displaced. The end of a step and the start of the next
/// are one frame with one displacement. The same joints are displaced in all frames.
pub(super) fn disturbed(
    joints: &[Option<JointEnds>],
    steps: &[Ends],
    disturbance: Disturbance,
) -> Vec<Option<JointEnds>> {
    let n_joints = joints.iter().flatten().next().map_or(0, |ends| ends[0].len());
    let is_chosen = chosen(n_joints, disturbance.share);
    // The frames are the starts of all steps and the end of the last.
    let displaced = |step: usize, end: usize| {
        let ends = joints[step].as_ref()?;
        let mut random = Random(0x5eed_0000 + (step + end) as u64);
        let displace = |(&joint, &is_chosen): (&[f64; 3], &bool)| {
            let direction = random.direction();
            if !is_chosen {
                return joint;
            }
            let length = disturbance.size * distance_to_nearest(joint, &steps[step][end]);
            std::array::from_fn(|k| joint[k] + length * direction[k])
        };
        Some(ends[end].iter().zip(&is_chosen).map(displace).collect::<Vec<_>>())
    };
    (0..joints.len()).map(|step| displaced(step, 0).zip(displaced(step, 1)).map(<[_; 2]>::from)).collect()
}

/// A random choice of this share of joints, rounded up.
fn chosen(n_joints: usize, share: f64) -> Vec<bool> {
    let mut random = Random(0x5eed);
    let mut order: Vec<(u64, usize)> = (0..n_joints).map(|joint| (random.next(), joint)).collect();
    order.sort_unstable();
    let n_chosen = (share * n_joints as f64).ceil() as usize;
    let mut is_chosen = vec![false; n_joints];
    order.iter().take(n_chosen).for_each(|&(_, joint)| is_chosen[joint] = true);
    is_chosen
}

fn distance_to_nearest(joint: [f64; 3], vertices: &[[f64; 3]]) -> f64 {
    let squared = |p: &[f64; 3]| (0..3).map(|k| (p[k] - joint[k]) * (p[k] - joint[k])).sum::<f64>();
    let least = vertices.iter().map(squared).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least.sqrt() } else { 0.0 }
}

/// Random numbers, the same for the same seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A unit vector: points of a cube are drawn until one is in its ball.
    fn direction(&mut self) -> [f64; 3] {
        loop {
            let p: [f64; 3] =
                std::array::from_fn(|_| (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0);
            let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..=1.0).contains(&length) {
                return p.map(|x| x / length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_displaced_by_a_share_of_their_distance_from_the_surface() {
        let [a, b] = [[[0.0; 3], [9.0, 0.0, 0.0]], [[1.0; 3], [9.0, 3.0, 0.0]]].map(Vec::from);
        let vertices = vec![[0.0, 0.0, 2.0], [9.0, 0.0, 0.0]];
        let steps = vec![vec![vertices.clone(), vertices.clone()]; 2];
        let joints = vec![Some([a.clone(), b.clone()]), Some([b.clone(), a.clone()])];
        let displaced = disturbed(&joints, &steps, Disturbance { size: 0.5, share: 1.0 });
        let [first, second] = [0, 1].map(|step: usize| displaced[step].as_ref().unwrap());
        assert_eq!(first[1], second[0], "one frame");
        assert_ne!(first[0], second[1], "another frame");
        let moved = |from: [f64; 3], to: [f64; 3]| {
            (0..3).map(|k| (from[k] - to[k]) * (from[k] - to[k])).sum::<f64>().sqrt()
        };
        for (joint, length) in [(0, 1.0), (1, 0.0)] {
            assert!((moved(a[joint], first[0][joint]) - length).abs() < 1e-12);
        }
        assert_eq!(chosen(10, 0.2).iter().filter(|&&is| is).count(), 2);
        assert_eq!(chosen(4, 0.2).iter().filter(|&&is| is).count(), 1);
    }
}
