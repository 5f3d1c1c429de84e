//! Bone weights by heat diffusion: `(L + M H) w_j = M H r_j` for each bone j (Baran and Popović
//! 2007).
//!
//! The matrix is factored once, and solved for blocks of bones, one per worker at a time. Only the
//! heaviest weights of a vertex are kept. So memory does not grow with the number of bones, and the
//! result does not depend on the number of threads.

use crate::stiffness::Heated;
use crate::visibility::Sight;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{LltRef, SymbolicCholesky, factorize_symbolic_cholesky};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use rayon::prelude::*;

/// Number of weights kept per vertex.
const KEPT: usize = 4;

/// Number of bones solved for at a time.
const BLOCK: usize = 16;

/// The heaviest weights of a vertex, descending; equal ones by ascending bone. Unused entries have
/// weight 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Weights {
    bones: [u32; KEPT],
    weights: [f64; KEPT],
    /// The sum of all weights, including those not kept: 1 up to rounding.
    pub(crate) sum: f64,
}

impl Weights {
    /// The heaviest bone.
    pub(crate) fn heaviest(&self) -> u32 {
        self.bones[0]
    }

    /// The weight of a bone; 0 if it is not kept.
    pub(crate) fn of(&self, bone: u32) -> f64 {
        let is_kept = |k: &usize| 0.0 < self.weights[*k] && self.bones[*k] == bone;
        (0..KEPT).find(is_kept).map_or(0.0, |k| self.weights[k])
    }

    /// The weights of a vertex with one bone.
    pub(crate) fn only(bone: u32) -> Weights {
        let mut weights = Weights::default();
        weights.add(bone, 1.0);
        weights
    }

    /// Adds a weight. Bones must come in ascending order. Weights can be negative where triangles
    /// are obtuse; these are not kept.
    fn add(&mut self, bone: u32, weight: f64) {
        self.sum += weight;
        if let Some(place) = self.weights.iter().position(|&kept| kept < weight) {
            self.weights[place..].rotate_right(1);
            self.bones[place..].rotate_right(1);
            (self.weights[place], self.bones[place]) = (weight, bone);
        }
    }
}

/// Returns the weights of each vertex.
///
/// A vertex without a weight has the nearest bone, also if the matrix cannot be factored in f64.
pub(crate) fn weights(matrix: &Heated, sights: &[Sight], n_bones: usize) -> Vec<Weights> {
    let mut weights = vec![Weights::default(); sights.len()];
    if let Some(factor) = Factor::new(matrix) {
        let heaters = heaters(matrix, sights, n_bones);
        let bones: Vec<u32> =
            (0..n_bones as u32).filter(|&bone| !heaters[bone as usize].is_empty()).collect();
        let blocks: Vec<&[u32]> = bones.chunks(BLOCK).collect();
        for several in blocks.chunks(rayon::current_num_threads()) {
            let solve =
                |bones: &&[u32]| factor.solve(bones.iter().map(|&bone| &heaters[bone as usize]), matrix);
            let solutions: Vec<Vec<f64>> = several.par_iter().map(solve).collect();
            for (bones, solution) in several.iter().zip(&solutions) {
                weights.par_iter_mut().with_min_len(4096).enumerate().for_each(|(v, weights)| {
                    for (k, &bone) in bones.iter().enumerate() {
                        weights.add(bone, solution[k * sights.len() + v]);
                    }
                });
            }
        }
    }
    for (weights, sight) in weights.iter_mut().zip(sights) {
        if weights.weights[0] <= 0.0 {
            *weights = Weights::only(sight.bones.first().copied().unwrap_or(0));
        }
    }
    weights
}

/// The vertices that each bone heats.
fn heaters(matrix: &Heated, sights: &[Sight], n_bones: usize) -> Vec<Vec<u32>> {
    let mut heaters = vec![Vec::new(); n_bones];
    for (v, (sight, &heat)) in (0..).zip(sights.iter().zip(&matrix.heat)) {
        for &bone in sight.bones.iter().filter(|_| 0.0 < heat) {
            heaters[bone as usize].push(v);
        }
    }
    heaters
}

/// The Cholesky factor of the matrix.
struct Factor {
    symbolic: SymbolicCholesky<u32>,
    values: Vec<f64>,
}

impl Factor {
    /// Returns `None` if the matrix is empty or, numerically, not positive definite.
    fn new(matrix: &Heated) -> Option<Factor> {
        let n = matrix.heat.len();
        if n == 0 || !matrix.values.iter().all(|x| x.is_finite()) {
            return None;
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &matrix.starts, None, &matrix.rows);
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Lower, Default::default(), Default::default()).ok()?;
        let mut values = vec![0.0; symbolic.len_val()];
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        symbolic
            .factorize_numeric_llt(
                &mut values,
                SparseColMatRef::new(pattern, &matrix.values),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut MemBuffer::new(scratch)),
                Default::default(),
            )
            .ok()?;
        Some(Factor { symbolic, values })
    }

    /// Returns one solution column for each list of heated vertices.
    fn solve<'a>(&self, heated: impl ExactSizeIterator<Item = &'a Vec<u32>>, matrix: &Heated) -> Vec<f64> {
        let (n, n_columns) = (matrix.heat.len(), heated.len());
        let mut columns = vec![0.0; n * n_columns];
        for (column, vertices) in columns.chunks_mut(n).zip(heated) {
            for &v in vertices {
                column[v as usize] = matrix.heat[v as usize];
            }
        }
        let scratch = self.symbolic.solve_in_place_scratch::<f64>(n_columns, Par::Seq);
        LltRef::<u32, f64>::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(&mut columns, n, n_columns),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
        );
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Skeleton;
    use crate::shapes::{Shape, tube};
    use crate::surface::Surface;
    use crate::visibility::sights;

    fn weights_of(shape: &Shape, skeleton: &Skeleton, strength: f64) -> Vec<Weights> {
        let model = shape.model();
        let surface = Surface { mesh: model.mesh(), rest: &shape.points };
        let sights = sights(surface, &model.segments(&shape.points).unwrap(), skeleton);
        let matrix = Heated::new(surface, &sights, strength);
        weights(&matrix, &sights, skeleton.bones().len())
    }

    #[test]
    fn weights_of_a_vertex_sum_to_one() {
        let scene = osculate_scenes::build("hand").unwrap();
        let bones = &scene.skin.as_ref().unwrap().bones;
        let heads: Vec<_> = bones.iter().map(|bone| bone.head).collect();
        let tails: Vec<_> = bones.iter().map(|bone| bone.tail).collect();
        let made = Skeleton::from_bones(&heads, Some(&tails), &vec![None; heads.len()]).unwrap();
        let shape = Shape { faces: scene.faces, points: scene.rest };
        let weights = weights_of(&shape, &made.skeleton, 1.0);
        for of_vertex in &weights {
            assert!((of_vertex.sum - 1.0).abs() < 1e-9, "{of_vertex:?}");
            assert!(of_vertex.weights.is_sorted_by(|a, b| b <= a));
        }
        let used = weights.iter().map(Weights::heaviest).collect::<std::collections::HashSet<_>>();
        assert!(3 * bones.len() / 4 <= used.len(), "{} of {} bones", used.len(), bones.len());
    }

    #[test]
    fn weights_pass_from_bone_to_bone_along_a_tube() {
        let shape = tube(30, 10, 1.0, 10.0);
        let joints = vec![[0.0; 3], [5.0, 0.0, 0.0], [10.0, 0.0, 0.0]];
        let skeleton = Skeleton::new(joints, vec![[0, 1], [1, 2]]).unwrap();
        for (weights, point) in weights_of(&shape, &skeleton, 1.0).iter().zip(&shape.points) {
            let expected = 0.5 - 0.5 * (point[0] - 5.0).signum() * (1.0 - (-(point[0] - 5.0).abs()).exp());
            assert!((weights.of(0) - expected).abs() < 0.05, "{weights:?} {point:?}");
            assert_eq!(weights.of(7), 0.0);
        }
    }

    #[test]
    fn components_that_no_bone_sees_take_the_nearest() {
        let mut shape = tube(10, 8, 1.0, 6.0);
        let n = shape.points.len();
        shape.append(tube(10, 8, 1.0, 6.0), [0.0, 40.0, 0.0]);
        shape.points.push([3.0, 39.0, 0.0]);
        let joints = vec![[0.0; 3], [6.0, 0.0, 0.0], [3.0, 20.0, 0.0]];
        let skeleton = Skeleton::new(joints, vec![[0, 1], [2, 2]]).unwrap();
        let weights = weights_of(&shape, &skeleton, 1.0);
        assert!(weights[..n].iter().all(|weights| 0.9 < weights.of(0)));
        assert!(
            weights[n..].iter().all(|weights| 0.999 < weights.of(1)),
            "also the vertex without a triangle"
        );
    }

    #[test]
    fn surfaces_without_area_have_weights() {
        let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let shape = Shape { faces: vec![[0, 1, 2], [2, 1, 3], [0, 3, 1]], points };
        let skeleton = Skeleton::new(vec![[0.0; 3], [1.0; 3]], vec![[0, 0], [1, 1]]).unwrap();
        assert!(weights_of(&shape, &skeleton, 1.0).iter().all(|weights| 0.0 < weights.weights[0]));
    }
}
