//! Poses of bodies, given by vertices or by the parameters of a deformer.

use super::Affine;
use std::borrow::Cow;

/// The pose of a body at an instant: a position for each vertex; or, if its model has a deformer
/// such as a [skin](crate::Skin), the parameters of the deformer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Pose<'a> {
    /// The positions of the vertices.
    Vertices(Cow<'a, [[f64; 3]]>),
    /// The parameters of the deformer: for a skin, the rows of the maps that take its bones from
    /// rest to the pose, twelve numbers per bone; for others, see [`deformer`](crate::deformer).
    /// Vertices are computed when a query needs them.
    Parameters(Cow<'a, [f64]>),
}

impl<'a> Pose<'a> {
    /// The pose with the given parameters of a deformer.
    #[must_use]
    pub fn parameters(parameters: &'a [f64]) -> Pose<'a> {
        Pose::Parameters(Cow::Borrowed(parameters))
    }
}

impl<'a> From<&'a [[f64; 3]]> for Pose<'a> {
    fn from(vertices: &'a [[f64; 3]]) -> Self {
        Pose::Vertices(Cow::Borrowed(vertices))
    }
}

impl<'a> From<&'a Vec<[f64; 3]>> for Pose<'a> {
    fn from(vertices: &'a Vec<[f64; 3]>) -> Self {
        Pose::Vertices(Cow::Borrowed(vertices))
    }
}

impl<'a, const N: usize> From<&'a [[f64; 3]; N]> for Pose<'a> {
    fn from(vertices: &'a [[f64; 3]; N]) -> Self {
        Pose::Vertices(Cow::Borrowed(vertices))
    }
}

impl<'a> From<&'a [Affine]> for Pose<'a> {
    fn from(bones: &'a [Affine]) -> Self {
        Pose::Parameters(Cow::Borrowed(bones.as_flattened().as_flattened()))
    }
}

impl<'a> From<&'a Vec<Affine>> for Pose<'a> {
    fn from(bones: &'a Vec<Affine>) -> Self {
        Pose::from(bones.as_slice())
    }
}

impl<'a, const N: usize> From<&'a [Affine; N]> for Pose<'a> {
    fn from(bones: &'a [Affine; N]) -> Self {
        Pose::from(bones.as_slice())
    }
}

/// The same pose.
impl<'a> From<&'a Pose<'_>> for Pose<'a> {
    fn from(pose: &'a Pose<'_>) -> Self {
        match pose {
            Pose::Vertices(vertices) => Pose::Vertices(Cow::Borrowed(vertices)),
            Pose::Parameters(parameters) => Pose::Parameters(Cow::Borrowed(parameters)),
        }
    }
}
