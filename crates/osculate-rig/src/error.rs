//! The error type of the crate: what was found, where, and what is allowed.

/// Why an input was rejected. Every variant names the faulty element.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A skeleton needs a bone; one of zero length suffices.
    #[error("the skeleton has no bones; it needs at least one, which may have zero length")]
    NoBones,
    /// A bone ends at a joint that does not exist.
    #[error("bone {bone} ends at joint {joint}, but there are {joints} joints")]
    NoSuchJoint {
        /// The bone.
        bone: usize,
        /// The joint that was named.
        joint: u32,
        /// Number of joints.
        joints: usize,
    },
    /// A coordinate of a joint is NaN or infinite.
    #[error("joint {joint} has a non-finite {axis} coordinate ({value})", axis = ["x", "y", "z"][*axis])]
    JointNotFinite {
        /// The joint.
        joint: usize,
        /// Axis of the coordinate: 0, 1 or 2.
        axis: usize,
        /// The value found.
        value: f64,
    },
    /// A bone's parent does not exist.
    #[error("bone {bone} hangs on bone {parent}, but there are {bones} bones")]
    NoSuchParent {
        /// The bone.
        bone: usize,
        /// The parent that was named.
        parent: u32,
        /// Number of bones.
        bones: usize,
    },
    /// Lists that describe the same bones have different lengths.
    #[error("there are {heads} heads but {others} {what}")]
    BoneCount {
        /// Number of heads.
        heads: usize,
        /// What the other list holds.
        what: &'static str,
        /// Its length.
        others: usize,
    },
    /// A setting is out of range.
    #[error("{name} is {value}; it must be {allowed}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// The value found.
        value: f64,
        /// What is allowed, as text.
        allowed: &'static str,
    },
    /// The pose does not fit the mesh.
    #[error(transparent)]
    Pose(#[from] osculate::Error),
}
