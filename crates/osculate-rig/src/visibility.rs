//! The nearest bones of a vertex, and whether they see it through the inside of the body.
//!
//! Segment queries replace the distance field of the paper, which took seconds. If the body is open
//! or crosses itself, the visibility of some vertices is wrong, and weights differ slightly.

use crate::Skeleton;
use crate::surface::Surface;
use crate::vector::{Vector, dot, minus, nearest_on_segment, plus};
use osculate::segment::Segments;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Bones whose squared distances differ by less than this share are equally near.
const SAME: f64 = 1e-9;

/// Minimum number of vertices per task.
const JOB: usize = 64;

/// The bones that heat a vertex.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sight {
    /// The nearest bones, all at the same distance, ascending: those that see the vertex, or all if
    /// none does.
    pub(crate) bones: Vec<u32>,
    pub(crate) distance_squared: f64,
    /// Whether these see the vertex.
    pub(crate) is_visible: bool,
}

/// Returns the bones that heat each vertex.
pub(crate) fn sights(surface: Surface, segments: &Segments, skeleton: &Skeleton) -> Vec<Sight> {
    let vertices = (0..surface.rest.len() as u32).into_par_iter().with_min_len(JOB);
    vertices.map(|vertex| sight(surface, segments, skeleton, vertex)).collect()
}

fn sight(surface: Surface, segments: &Segments, skeleton: &Skeleton, vertex: u32) -> Sight {
    let at = surface.rest[vertex as usize];
    let squared = |bone: u32| {
        let arm = minus(nearest_on_segment(skeleton.ends(bone), at), at);
        dot(arm, arm)
    };
    let n_bones = skeleton.bones().len() as u32;
    let distances: Vec<f64> = (0..n_bones).map(squared).collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let limit = least * (1.0 + SAME);
    let is_nearest = |&bone: &u32| distances[bone as usize] <= limit;
    let nearest: Vec<u32> = (0..n_bones).filter(is_nearest).collect();

    let normal = surface.mesh.triangles_of_vertex(vertex).iter();
    let normal = normal.map(|&triangle| surface.facet(triangle).normal).fold([0.0; 3], plus);
    // Bones that meet at a joint have the same nearest point.
    let mut last: Option<(Vector, bool)> = None;
    let mut is_seen = |bone: u32| {
        let from = nearest_on_segment(skeleton.ends(bone), at);
        if let Some((_, is_seen)) = last.filter(|known| known.0 == from) {
            return is_seen;
        }
        let is_seen = dot(normal, minus(from, at)) < 0.0 && is_free(surface, segments, vertex, from);
        last = Some((from, is_seen));
        is_seen
    };
    let visible: Vec<u32> = nearest.iter().copied().filter(|&bone| is_seen(bone)).collect();
    let is_visible = !visible.is_empty();
    Sight { bones: if is_visible { visible } else { nearest }, distance_squared: least, is_visible }
}

/// Whether the segment from a vertex to a point meets no triangles except those around the vertex.
fn is_free(surface: Surface, segments: &Segments, vertex: u32, to: Vector) -> bool {
    let free = segments.crossings(surface.rest[vertex as usize], to, |triangle, _| {
        if surface.mesh.triangles()[triangle as usize].contains(&vertex) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    free.is_continue()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{Shape, tube};

    fn sights_of(shape: &Shape, skeleton: &Skeleton) -> Vec<Sight> {
        let model = shape.model();
        let segments = model.segments(&shape.points).unwrap();
        sights(Surface { mesh: model.mesh(), rest: &shape.points }, &segments, skeleton)
    }

    #[test]
    fn a_bone_sees_the_tube_around_it_and_not_the_one_beside_it() {
        let mut shape = tube(12, 8, 1.0, 6.0);
        let n = shape.points.len();
        shape.append(tube(12, 8, 1.0, 6.0), [0.0, 5.0, 0.0]);
        let skeleton = Skeleton::new(vec![[1.0, 0.0, 0.0], [5.0, 0.0, 0.0]], vec![[0, 1]]).unwrap();
        let sights = sights_of(&shape, &skeleton);
        assert!(sights[..n].iter().all(|sight| sight.is_visible));
        assert!(sights[n..].iter().all(|sight| !sight.is_visible && sight.bones == [0]));
    }

    #[test]
    fn bones_at_a_joint_share_what_is_nearest_to_the_joint() {
        let shape = tube(12, 8, 1.0, 6.0);
        let joints = vec![[0.5, 0.0, 0.0], [3.0, 0.0, 0.0], [5.5, 0.0, 0.0]];
        let skeleton = Skeleton::new(joints, vec![[0, 1], [1, 2], [1, 1]]).unwrap();
        for (sight, point) in sights_of(&shape, &skeleton).iter().zip(&shape.points) {
            let expected: &[u32] = match point[0] {
                x if x < 3.0 => &[0],
                x if 3.0 < x => &[1],
                _ => &[0, 1, 2],
            };
            assert_eq!(sight.bones, expected);
        }
    }
}
