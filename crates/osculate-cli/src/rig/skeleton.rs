//! The joints of a skin, the bones between them, and their positions in each frame.

use anyhow::{Result, ensure};
use osculate_io::{Affine, Clip, Skin};

/// Joints, and the segments between them.
#[derive(Clone)]
pub(crate) struct Skeleton {
    joints: Vec<Joint>,
    /// The two joints of each segment. A bone of the skin has one segment, one for each child, or
    /// none.
    bones: Vec<[u32; 2]>,
}

/// A point that moves with a bone of the skin.
#[derive(Clone, Copy)]
struct Joint {
    bone: u32,
    rest: [f64; 3],
}

impl Skeleton {
    /// Returns the skeleton of a skin; fails with the first bone whose position is not finite.
    ///
    /// The first joints are the heads of all bones. A bone ends at its tail, which is the head of a
    /// child if the two coincide. Where tails are not known, it ends at the heads of its children;
    /// without children, at the middle of its vertices, if it has any.
    pub(crate) fn of(skin: &Skin) -> Result<Skeleton> {
        let is_finite = |p: &[f64; 3]| p.iter().all(|x| x.is_finite());
        for (i, bone) in skin.bones.iter().enumerate() {
            let is_somewhere = is_finite(&bone.head) && bone.tail.as_ref().is_none_or(is_finite);
            ensure!(is_somewhere, "bone {i}, '{}': it is at {:?} to {:?}", bone.name, bone.head, bone.tail);
        }
        let mut joints: Vec<Joint> =
            skin.bones.iter().zip(0..).map(|(bone, i)| Joint { bone: i, rest: bone.head }).collect();
        let mut children = vec![Vec::new(); skin.bones.len()];
        for (bone, i) in skin.bones.iter().zip(0_u32..) {
            if let Some(parent) = bone.parent {
                children[parent as usize].push(i);
            }
        }
        let middles = middles(skin);
        let mut bones = Vec::new();
        for ((bone, children), i) in skin.bones.iter().zip(&children).zip(0_u32..) {
            let starts_at = |place: [f64; 3]| {
                children.iter().copied().find(|&child| skin.bones[child as usize].head == place)
            };
            let end = match bone.tail {
                Some(tail) => starts_at(tail).map_or(Some(tail), |child| {
                    bones.push([i, child]);
                    None
                }),
                None if children.is_empty() => middles[i as usize],
                None => {
                    bones.extend(children.iter().map(|&child| [i, child]));
                    None
                }
            };
            if let Some(rest) = end {
                bones.push([i, joints.len() as u32]);
                joints.push(Joint { bone: i, rest });
            }
        }
        Ok(Skeleton { joints, bones })
    }

    /// The segments at rest; single joints, if there are none.
    #[cfg(feature = "rig")]
    pub(super) fn segments(&self) -> Result<osculate_rig::Skeleton, osculate_rig::Error> {
        let alone = (0..self.joints.len() as u32).map(|joint| [joint, joint]);
        let bones = if self.bones.is_empty() { alone.collect() } else { self.bones.clone() };
        osculate_rig::Skeleton::new(self.rest(), bones)
    }

    /// The joints at rest.
    pub(crate) fn rest(&self) -> Vec<[f64; 3]> {
        self.joints.iter().map(|joint| joint.rest).collect()
    }

    /// For each joint, the one at the other end of the segment that leads to it, if there is one.
    pub(crate) fn parents(&self) -> Vec<Option<u32>> {
        let mut parents = vec![None; self.joints.len()];
        for &[from, to] in &self.bones {
            parents[to as usize] = Some(from);
        }
        parents
    }

    /// The joints in a frame; `None` if the clip has no moving bones, or if a position is not
    /// finite.
    pub(crate) fn at(&self, clip: &Clip, frame: usize) -> Result<Option<Vec<[f64; 3]>>> {
        let Some(matrices) = clip.bone_matrices(frame)? else { return Ok(None) };
        let moved = self.joints.iter().map(|joint| image(&matrices[joint.bone as usize], joint.rest));
        let moved: Vec<[f64; 3]> = moved.collect();
        let is_finite = moved.as_flattened().iter().all(|x| x.is_finite());
        Ok(is_finite.then_some(moved))
    }
}

fn image(m: &Affine, p: [f64; 3]) -> [f64; 3] {
    m.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3])
}

/// For each bone, the mean of the vertices at rest, by its weights; `None` if it has no vertices.
fn middles(skin: &Skin) -> Vec<Option<[f64; 3]>> {
    let mut sums = vec![[0.0; 4]; skin.bones.len()];
    for (v, place) in skin.rest.iter().enumerate() {
        for influence in skin.influences(v) {
            let sum = &mut sums[influence.bone as usize];
            (0..3).for_each(|k| sum[k] += influence.weight * place[k]);
            sum[3] += influence.weight;
        }
    }
    let middle = |[x, y, z, weight]: [f64; 4]| [x / weight, y / weight, z / weight];
    sums.into_iter().map(middle).map(|p| p.iter().all(|x| x.is_finite()).then_some(p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use osculate_io::{Bone, Influence};

    fn bone(parent: Option<u32>, head: [f64; 3], tail: Option<[f64; 3]>) -> Bone {
        Bone { name: "bone".to_owned(), parent, head, tail }
    }

    fn skin(bones: Vec<Bone>) -> Skin {
        let last = bones.len() as u32 - 1;
        let vertex = |x| ([x, 0.0, 0.0], vec![Influence { bone: last, weight: 1.0 }]);
        Skin::from_vertices("test", bones, [vertex(4.0), vertex(6.0)]).unwrap()
    }

    #[test]
    fn bones_end_at_children_and_tails() {
        let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [3.0; 3]];
        let with_tails = [bone(None, a, Some(b)), bone(Some(0), b, Some(c)), bone(Some(0), d, Some(a))];
        let skeleton = Skeleton::of(&skin(with_tails.to_vec())).unwrap();
        assert_eq!(skeleton.bones, [[0, 1], [1, 3], [2, 4]]);
        assert_eq!(skeleton.rest(), [a, b, d, c, a]);

        let without = [bone(None, a, None), bone(Some(0), b, None), bone(Some(0), d, None)];
        let skeleton = Skeleton::of(&skin(without.to_vec())).unwrap();
        assert_eq!(skeleton.bones, [[0, 1], [0, 2], [2, 3]]);
        assert_eq!(skeleton.rest(), [a, b, d, [5.0, 0.0, 0.0]]);
    }

    #[test]
    fn a_bone_that_is_nowhere_is_named() {
        let error = Skeleton::of(&skin(vec![bone(None, [f64::NAN, 0.0, 0.0], None)])).err().unwrap();
        assert!(error.to_string().starts_with("bone 0, 'bone'"), "{error}");
    }
}
