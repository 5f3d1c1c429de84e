//! Clusters of triangles and their observers.

use crate::Error;

/// The observer of a cluster. It affects only speed, not which contacts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observer {
    /// A joint.
    Joint(u32),
    /// The segment between two joints.
    Bone([u32; 2]),
    /// A point chosen for each step such that all triangles of the cluster face away from it, if
    /// there is one.
    Free,
}

/// A partition of the triangles of a mesh into clusters, and an observer for each.
///
/// Any partition and any observers are correct: clusters need not be connected, nor observers
/// inside the body. Methods that use them are fast if nearly all triangles of a cluster face away
/// from its observer.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    of_triangle: Vec<u32>,
    observers: Vec<Observer>,
    joints: Vec<[f64; 3]>,
}

impl Clusters {
    /// Returns the clusters with the given number for each triangle, the observers of the clusters,
    /// and their joints at the rest pose.
    ///
    /// Fails with the first triangle whose cluster has no observer, the first observer at a
    /// nonexistent joint, or the first joint that is not finite.
    pub fn new(
        of_triangle: Vec<u32>,
        observers: Vec<Observer>,
        joints: Vec<[f64; 3]>,
    ) -> Result<Clusters, Error> {
        if let Some(triangle) = of_triangle.iter().position(|&c| observers.len() <= c as usize) {
            let (cluster, clusters) = (of_triangle[triangle], observers.len());
            return Err(Error::NoSuchCluster { triangle, cluster, clusters });
        }
        for (cluster, observer) in observers.iter().enumerate() {
            let named = match observer {
                Observer::Joint(joint) => [*joint, *joint],
                Observer::Bone(joints) => *joints,
                Observer::Free => continue,
            };
            if let Some(&joint) = named.iter().find(|&&joint| joints.len() <= joint as usize) {
                return Err(Error::NoSuchJoint { cluster, joint, joints: joints.len() });
            }
        }
        check_joints(&joints)?;
        Ok(Clusters { of_triangle, observers, joints })
    }

    /// The clusters with the given number for each triangle, each less than the number of
    /// observers, which use no joints.
    pub(super) fn of_parts(of_triangle: Vec<u32>, observers: Vec<Observer>) -> Clusters {
        Clusters { of_triangle, observers, joints: Vec::new() }
    }

    /// The cluster of each triangle.
    #[must_use]
    pub fn of_triangles(&self) -> &[u32] {
        &self.of_triangle
    }

    /// The observer of each cluster.
    #[must_use]
    pub fn observers(&self) -> &[Observer] {
        &self.observers
    }

    /// The joints at the rest pose.
    #[must_use]
    pub fn joints(&self) -> &[[f64; 3]] {
        &self.joints
    }

    /// Number of clusters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.observers.len()
    }

    /// Whether there are no clusters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.observers.is_empty()
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.of_triangle.as_slice())
            + size_of_val(self.observers.as_slice())
            + size_of_val(self.joints.as_slice())
    }
}

/// Fails with the first joint that is not finite.
pub(crate) fn check_joints(joints: &[[f64; 3]]) -> Result<(), Error> {
    for (joint, position) in joints.iter().enumerate() {
        if let Some(axis) = position.iter().position(|x| !x.is_finite()) {
            return Err(Error::JointNotFinite { joint, axis, value: position[axis] });
        }
    }
    Ok(())
}
