//! The joints and weights of vertices, and bounds of them.

use crate::motion::Governors;
use std::collections::HashMap;

/// The joints and weights of governed vertices; weights are normalized to a sum of one.
pub(crate) struct Influences<'a> {
    pub(super) governors: &'a Governors,
    /// The set of joints of each vertex.
    pub(super) set_of: Vec<u32>,
    /// The joints of each set, ascending.
    sets: Vec<Vec<u32>>,
}

impl<'a> Influences<'a> {
    pub(crate) fn new(governors: &'a Governors) -> Influences<'a> {
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

    /// The joints of a vertex, ascending. There is at least one, as its weights sum to about one.
    pub(super) fn joints_of(&self, vertex: u32) -> &[u32] {
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
pub(super) struct Weights {
    /// The least and the greatest weight of each joint.
    pub(super) lo: Vec<f64>,
    pub(super) hi: Vec<f64>,
    /// The middle of these, normalized to a sum of one.
    pub(super) middle: Vec<f32>,
    /// The largest sum of absolute differences of the weights of a vertex from the middle.
    pub(super) together: f64,
}

impl Weights {
    pub(super) fn new(influences: &Influences, vertices: &[u32], joints: &[u32]) -> Weights {
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
