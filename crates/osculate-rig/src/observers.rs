//! The observers of bones: one of the joints, or the whole bone.

use crate::surface::{Eye, Orientation, Surface};
use crate::{Settings, Skeleton};
use osculate::method::Observer;
use rayon::prelude::*;

/// The numbers of triangles that face away from an observer, and that face it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) positive: usize,
    pub(crate) negative: usize,
}

/// Counts the orientations of triangles relative to an observer.
pub(crate) fn tally(surface: Surface, triangles: &[u32], eye: &Eye) -> Tally {
    let mut tally = Tally::default();
    for &triangle in triangles {
        match surface.facet(triangle).orientation(eye) {
            Orientation::Positive => tally.positive += 1,
            Orientation::Negative => tally.negative += 1,
            Orientation::Mixed => {}
        }
    }
    tally
}

/// Returns the observer of each bone for its triangles; for a bone without triangles, its first
/// joint.
///
/// It is the bone as a segment if more than a share alpha of the triangles face each of the joints,
/// and less than that share the segment. Otherwise it is the joint that more triangles face away
/// from, then the one that fewer face, then the first.
pub(crate) fn observers(
    surface: Surface,
    bone_of_triangle: &[u32],
    skeleton: &Skeleton,
    settings: &Settings,
) -> Vec<Observer> {
    let mut triangles = vec![Vec::new(); skeleton.bones().len()];
    for (triangle, &bone) in (0..).zip(bone_of_triangle) {
        triangles[bone as usize].push(triangle);
    }
    let observer = |(bone, triangles): (usize, &Vec<u32>)| {
        let (joints, ends) = (skeleton.bones()[bone], skeleton.ends(bone as u32));
        let [first, second] = ends.map(|end| tally(surface, triangles, &Eye::Point(end)));
        let share = |tally: Tally| tally.negative as f64 / triangles.len().max(1) as f64;
        let limit = settings.negative_share;
        if settings.segments
            && ends[0] != ends[1]
            && limit < share(first)
            && limit < share(second)
            && share(tally(surface, triangles, &Eye::Segment(ends))) < limit
        {
            return Observer::Bone(joints);
        }
        let rank = |tally: Tally| (tally.positive, std::cmp::Reverse(tally.negative));
        Observer::Joint(if rank(first) < rank(second) { joints[1] } else { joints[0] })
    };
    triangles.par_iter().enumerate().map(observer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::tube;

    #[test]
    fn a_tube_is_seen_from_an_end_and_a_wavy_one_from_the_bone() {
        let shape = tube(40, 12, 1.0, 12.0);
        let skeleton = Skeleton::new(vec![[1.0, 0.0, 0.0], [11.0, 0.0, 0.0]], vec![[0, 1]]).unwrap();
        let observer = |points: &[[f64; 3]], settings: &Settings| {
            let model = shape.model();
            let surface = Surface { mesh: model.mesh(), rest: points };
            observers(surface, &vec![0; shape.faces.len()], &skeleton, settings)[0]
        };
        let mut points = shape.points.clone();
        assert_eq!(observer(&points, &Settings::default()), Observer::Joint(0));
        // A horn: from the narrow end its wide part is hidden behind itself, from the wide end
        // nothing is.
        for p in &mut points {
            let thickness = 0.2 + 0.02 * p[0] * p[0];
            *p = [p[0], thickness * p[1], thickness * p[2]];
        }
        assert_eq!(observer(&points, &Settings::default()), Observer::Joint(1));
        // Waves, whose far flanks are hidden behind their crests from both ends.
        for p in &mut points {
            let thickness = 1.0 + 0.3 * (2.0 * p[0]).sin();
            let r = (p[1] * p[1] + p[2] * p[2]).sqrt();
            let factor = if 0.0 < r { thickness / r } else { 0.0 };
            *p = [p[0], factor * p[1], factor * p[2]];
        }
        assert_eq!(observer(&points, &Settings::default()), Observer::Bone([0, 1]));
        let only_joints = Settings { segments: false, ..Settings::default() };
        assert!(matches!(observer(&points, &only_joints), Observer::Joint(_)));
    }
}
