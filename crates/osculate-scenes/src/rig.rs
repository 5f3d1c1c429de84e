//! Skeletons and their poses.

use crate::scene::{Affine, Bone};
use crate::vector::{
    Matrix, UNIT, Vector, add, apply, multiply, normalize, rotation, rotation_between, sub, transform,
    turn_about,
};

/// A skeleton under construction.
#[derive(Clone, Default)]
pub(crate) struct Rig {
    pub(crate) bones: Vec<Bone>,
}

/// The motion of a bone relative to its parent.
#[derive(Clone, Copy, Default)]
pub(crate) enum Turn {
    /// Nothing.
    #[default]
    Still,
    /// A rotation about its head, given as if all else were at rest.
    By(Matrix),
    /// Points in a direction in the space of the root, by the least rotation from where its parent
    /// takes it, and rotates about itself by an angle. The direction need not be a unit vector.
    Aim(Vector, f64),
}

impl Turn {
    pub(crate) fn about(axis: Vector, angle: f64) -> Turn {
        Turn::By(rotation(axis, angle))
    }

    pub(crate) fn aim(direction: Vector) -> Turn {
        Turn::Aim(direction, 0.0)
    }
}

/// A pose of a skeleton.
#[derive(Clone)]
pub(crate) struct Pose {
    /// Translation of the roots.
    pub(crate) shift: Vector,
    /// Rotation of the roots about their heads, before anything else.
    pub(crate) facing: Matrix,
    /// The motion of each bone.
    pub(crate) turns: Vec<Turn>,
}

impl Pose {
    pub(crate) fn rest(rig: &Rig) -> Pose {
        Pose { shift: [0.0; 3], facing: UNIT, turns: vec![Turn::Still; rig.bones.len()] }
    }
}

impl Rig {
    /// Adds a bone, and returns its number.
    pub(crate) fn add(&mut self, name: &str, parent: Option<usize>, head: Vector, tail: Vector) -> usize {
        self.bones.push(Bone { name: name.to_owned(), parent, head, tail });
        self.bones.len() - 1
    }

    /// Adds a bone that starts at the tail of its parent.
    pub(crate) fn extend(&mut self, name: &str, parent: usize, tail: Vector) -> usize {
        self.add(name, Some(parent), self.bones[parent].tail, tail)
    }

    /// Adds a chain of bones through points, named `name.1` and so on; returns the number of the
    /// first.
    pub(crate) fn chain(&mut self, name: &str, parent: Option<usize>, points: &[Vector]) -> usize {
        let first = self.bones.len();
        for (i, ends) in points.windows(2).enumerate() {
            let parent = if i == 0 { parent } else { Some(first + i - 1) };
            self.add(&format!("{name}.{}", i + 1), parent, ends[0], ends[1]);
        }
        first
    }

    /// The number of the bone of that name, which must exist.
    pub(crate) fn named(&self, name: &str) -> usize {
        self.bones.iter().position(|bone| bone.name == name).expect("a bone of the skeleton")
    }

    /// The maps from rest to a pose.
    pub(crate) fn maps(&self, pose: &Pose) -> Vec<Affine> {
        let mut turned: Vec<Matrix> = Vec::with_capacity(self.bones.len());
        let mut maps: Vec<Affine> = Vec::with_capacity(self.bones.len());
        for (bone, &turn) in self.bones.iter().zip(&pose.turns) {
            let (base, head) = match bone.parent {
                Some(parent) => (turned[parent], transform(&maps[parent], bone.head)),
                None => (pose.facing, add(bone.head, pose.shift)),
            };
            let own = match turn {
                Turn::Still => base,
                Turn::By(rotation) => multiply(&base, &rotation),
                Turn::Aim(direction, roll) => {
                    let axis = normalize(sub(bone.tail, bone.head));
                    let now = normalize(apply(&base, axis));
                    let wanted = normalize(apply(&pose.facing, direction));
                    let aimed = multiply(&rotation_between(now, wanted), &base);
                    multiply(&aimed, &rotation(axis, roll))
                }
            };
            turned.push(own);
            maps.push(turn_about(&own, bone.head, head));
        }
        maps
    }
}
