//! Skeletons: joints, and bones between them.

use crate::Error;
use crate::vector::Vector;
use std::collections::HashMap;

/// Joints at the rest pose, and bones, each of which connects two joints. A bone may connect a
/// joint with itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Vector>,
    bones: Vec<[u32; 2]>,
}

/// A skeleton made from the bones of a file, and the origin of its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct FromBones {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// The given bone that each bone of the skeleton is, or is a part of.
    pub bone_of: Vec<u32>,
    /// The given bone that each joint moves with: the first one whose head it is, or else the first
    /// one whose tail it is.
    pub carrier_of: Vec<u32>,
}

impl Skeleton {
    /// Returns the skeleton of these joints and bones.
    ///
    /// Fails if there is no bone, with the first joint that is not finite, or with the first bone
    /// that names a nonexistent joint.
    pub fn new(joints: Vec<[f64; 3]>, bones: Vec<[u32; 2]>) -> Result<Skeleton, Error> {
        if bones.is_empty() {
            return Err(Error::NoBones);
        }
        for (joint, position) in joints.iter().enumerate() {
            if let Some(axis) = position.iter().position(|x| !x.is_finite()) {
                return Err(Error::JointNotFinite { joint, axis, value: position[axis] });
            }
        }
        for (bone, ends) in bones.iter().enumerate() {
            if let Some(&joint) = ends.iter().find(|&&joint| joints.len() <= joint as usize) {
                return Err(Error::NoSuchJoint { bone, joint, joints: joints.len() });
            }
        }
        Ok(Skeleton { joints, bones })
    }

    /// Returns the skeleton of bones as stored in files: their heads, their tails if known, and
    /// their parents.
    ///
    /// There is one joint for each position; positions are the same only if all coordinates are
    /// equal. If tails are given, bone i goes from head to tail. If not, a bone goes to the head of
    /// each of its children, in as many parts as it has children, and a bone without children has
    /// zero length at its head.
    ///
    /// Fails as [`new`](Skeleton::new) does; or if the lists differ in length; or with the first
    /// bone whose parent does not exist.
    pub fn from_bones(
        heads: &[[f64; 3]],
        tails: Option<&[[f64; 3]]>,
        parents: &[Option<u32>],
    ) -> Result<FromBones, Error> {
        for (what, others) in [("parents", parents.len()), ("tails", tails.map_or(heads.len(), <[_]>::len))] {
            if others != heads.len() {
                return Err(Error::BoneCount { heads: heads.len(), what, others });
            }
        }
        let n_bones = heads.len();
        for (bone, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent.filter(|&parent| n_bones <= parent as usize) {
                return Err(Error::NoSuchParent { bone, parent, bones: n_bones });
            }
        }
        let mut made = Joints::default();
        let starts: Vec<u32> = heads.iter().zip(0..).map(|(&head, bone)| made.at(head, bone)).collect();
        let (mut bones, mut bone_of) = (Vec::new(), Vec::new());
        for (bone, &start) in (0..).zip(&starts) {
            let first = bones.len();
            match tails {
                Some(tails) => bones.push([start, made.at(tails[bone as usize], bone)]),
                None => {
                    let children = parents.iter().zip(&starts).filter(|(parent, _)| **parent == Some(bone));
                    bones.extend(children.map(|(_, &end)| [start, end]));
                }
            }
            if bones.len() == first {
                bones.push([start, start]);
            }
            bone_of.resize(bones.len(), bone);
        }
        let skeleton = Skeleton::new(made.positions, bones)?;
        Ok(FromBones { skeleton, bone_of, carrier_of: made.carriers })
    }

    /// The joints at the rest pose.
    #[must_use]
    pub fn joints(&self) -> &[[f64; 3]] {
        &self.joints
    }

    /// The two joints of each bone.
    #[must_use]
    pub fn bones(&self) -> &[[u32; 2]] {
        &self.bones
    }

    /// The positions of the two ends of a bone.
    pub(crate) fn ends(&self, bone: u32) -> [Vector; 2] {
        self.bones[bone as usize].map(|joint| self.joints[joint as usize])
    }

    /// Number of bones at each joint.
    pub(crate) fn branches(&self) -> Vec<u32> {
        let mut branches = vec![0; self.joints.len()];
        for &[a, b] in &self.bones {
            branches[a as usize] += 1;
            branches[b as usize] += u32::from(a != b);
        }
        branches
    }
}

/// Joints in order of first appearance, and the first bone of each.
#[derive(Default)]
struct Joints {
    positions: Vec<Vector>,
    carriers: Vec<u32>,
    numbers: HashMap<[u64; 3], u32>,
}

impl Joints {
    fn at(&mut self, position: Vector, bone: u32) -> u32 {
        // Adding 0 makes -0 and 0 equal.
        *self.numbers.entry(position.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
            self.positions.push(position);
            self.carriers.push(bone);
            self.positions.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADS: [Vector; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, -1.0, 0.0]];
    const PARENTS: [Option<u32>; 4] = [None, Some(0), Some(1), Some(1)];

    #[test]
    fn faults_name_the_bone_or_the_joint() {
        let refused = |joints: &[Vector], bones: &[[u32; 2]]| {
            Skeleton::new(joints.to_vec(), bones.to_vec()).unwrap_err().to_string()
        };
        assert!(refused(&HEADS, &[]).starts_with("the skeleton has no bones"));
        assert_eq!(refused(&HEADS, &[[0, 1], [1, 4]]), "bone 1 ends at joint 4, but there are 4 joints");
        let joint = [[0.0, f64::NAN, 0.0]];
        assert_eq!(refused(&joint, &[[0, 0]]), "joint 0 has a non-finite y coordinate (NaN)");
        let orphan = Skeleton::from_bones(&HEADS, None, &[None, Some(7), None, None]).unwrap_err();
        assert_eq!(orphan.to_string(), "bone 1 hangs on bone 7, but there are 4 bones");
        let short = Skeleton::from_bones(&HEADS, Some(&HEADS[1..]), &PARENTS).unwrap_err();
        assert_eq!(short.to_string(), "there are 4 heads but 3 tails");
        assert!(Skeleton::from_bones(&[], None, &[]).is_err());
    }

    #[test]
    fn ends_at_the_same_place_are_one_joint() {
        let tails = [HEADS[1], [1.0, -0.0, 0.0], [1.0, 2.0, 0.0], [1.0, -2.0, 0.0]];
        let made = Skeleton::from_bones(&HEADS, Some(&tails), &PARENTS).unwrap();
        assert_eq!(made.skeleton.joints().len(), 6);
        assert_eq!(made.skeleton.bones(), [[0, 1], [1, 1], [2, 4], [3, 5]]);
        assert_eq!(made.bone_of, [0, 1, 2, 3]);
        assert_eq!(made.carrier_of, [0, 1, 2, 3, 2, 3]);
        assert_eq!(made.skeleton.branches(), [1, 2, 1, 1, 1, 1]);
    }

    #[test]
    fn without_tails_a_bone_goes_to_each_of_its_children() {
        let made = Skeleton::from_bones(&HEADS, None, &PARENTS).unwrap();
        assert_eq!(made.skeleton.bones(), [[0, 1], [1, 2], [1, 3], [2, 2], [3, 3]]);
        assert_eq!(made.bone_of, [0, 1, 1, 2, 3]);
        assert_eq!(made.carrier_of, [0, 1, 2, 3]);
    }
}
