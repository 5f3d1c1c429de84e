//! Assigns each triangle to a bone, by the weights of its corners.

use crate::Skeleton;
use crate::heat::Weights;
use crate::surface::{Eye, Orientation, Surface};

/// Returns the bone of each triangle.
///
/// A vertex belongs to its heaviest bone, and a triangle to the bone of two of its corners. With
/// three different bones, it takes the heaviest of those from both of whose joints it faces away;
/// if there is none, the bone of an assigned neighbor, repeatedly. A triangle without such a
/// neighbor takes the heaviest of its three bones. The weight of a bone is the sum over the
/// corners.
pub(crate) fn assign(surface: Surface, weights: &[Weights], skeleton: &Skeleton) -> Vec<u32> {
    let mut bones: Vec<Option<u32>> = Vec::with_capacity(surface.n_triangles());
    for (triangle, corners) in (0..).zip(surface.mesh.triangles()) {
        let of_corners = corners.map(|v| weights[v as usize].heaviest());
        let [a, b, c] = of_corners;
        bones.push(if a == b || a == c {
            Some(a)
        } else if b == c {
            Some(b)
        } else {
            let facet = surface.facet(triangle);
            let is_away = |&bone: &u32| {
                let is_positive = |end| facet.orientation(&Eye::Point(end)) == Orientation::Positive;
                skeleton.ends(bone).into_iter().all(is_positive)
            };
            heaviest(of_corners.into_iter().filter(is_away), corners, weights)
        });
    }
    spread(surface, weights, &mut bones);
    let rest = surface.mesh.triangles().iter().zip(bones);
    rest.map(|(corners, bone)| {
        let of_corners = corners.map(|v| weights[v as usize].heaviest());
        bone.or_else(|| heaviest(of_corners.into_iter(), corners, weights)).unwrap_or(of_corners[0])
    })
    .collect()
}

/// The bone of the greatest weight, the first of equal ones.
fn heaviest(bones: impl Iterator<Item = u32>, corners: &[u32; 3], weights: &[Weights]) -> Option<u32> {
    let weight = |bone: u32| corners.iter().map(|&v| weights[v as usize].of(bone)).sum::<f64>();
    bones.map(|bone| (weight(bone), bone)).reduce(|a, b| if a.0 < b.0 { b } else { a }).map(|best| best.1)
}

/// Propagates bones to unassigned triangles, from neighbor to neighbor.
fn spread(surface: Surface, weights: &[Weights], bones: &mut [Option<u32>]) {
    let mut without: Vec<u32> =
        (0..).zip(&*bones).filter(|(_, bone)| bone.is_none()).map(|(t, _)| t).collect();
    loop {
        // The neighbors' bones before this round, so that the order of triangles does not matter.
        let found: Vec<Option<u32>> = without
            .iter()
            .map(|&triangle| {
                let of_neighbors = surface.neighbors(triangle).filter_map(|other| bones[other as usize]);
                heaviest(of_neighbors, &surface.mesh.triangles()[triangle as usize], weights)
            })
            .collect();
        if found.iter().all(Option::is_none) {
            return;
        }
        for (&triangle, bone) in without.iter().zip(found) {
            bones[triangle as usize] = bone;
        }
        without.retain(|&triangle| bones[triangle as usize].is_none());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Shape;

    /// Weights of vertices with one bone each.
    fn at(bones: &[u32]) -> Vec<Weights> {
        bones.iter().map(|&bone| Weights::only(bone)).collect()
    }

    #[test]
    fn two_corners_outvote_one_and_three_bones_are_told_apart_by_their_joints() {
        let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
        let shape = Shape { faces: vec![[0, 1, 2], [2, 1, 3]], points };
        let model = shape.model();
        let surface = Surface { mesh: model.mesh(), rest: &shape.points };
        // Only bone 2 is below.
        let joints = vec![[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
        let skeleton = Skeleton::new(joints, vec![[0, 0], [0, 1], [1, 1], [0, 0]]).unwrap();
        assert_eq!(assign(surface, &at(&[0, 1, 2, 1]), &skeleton), [2, 1]);
        // Nothing is below: the bone of the neighbor, or else the first of equal weights.
        assert_eq!(assign(surface, &at(&[0, 1, 3, 1]), &skeleton), [1, 1]);
        assert_eq!(assign(surface, &at(&[0, 1, 3, 0]), &skeleton), [0, 3]);
    }
}
