//! Linear blend skinning, `v' = Σ w_j (A_j v + t_j)`.

use super::blend::{PER_MAP, maps_of};
use super::{Deformer, Governors};
use crate::Error;
use std::borrow::Cow;

/// An affine map `x' = A x + t`: the rows of the 3 × 4 matrix `[A | t]`. Any matrix is legal:
/// rotations, scales, shears.
pub type Affine = [[f64; 4]; 3];

/// The bones and weights of each vertex of a model.
///
/// The position of a vertex is defined by the f64 operations that compute it: the weighted bone
/// matrices are summed in the given order, and the sum is applied to the vertex at rest. Computing
/// positions this way always gives the same bits.
///
/// Two instances of a strip with a bone at each end; one end of the upper strip is bent down
/// through the lower one:
///
/// ```
/// use osculate::method::SphereTree;
/// use osculate::{Affine, Mesh, Method, Model, Query, Skin, World};
/// use std::sync::Arc;
///
/// let rest: Vec<[f64; 3]> = (0..10).map(|v| [f64::from(v / 2), f64::from(v % 2), 0.0]).collect();
/// let triangles = (0..8).map(|v| if v % 2 == 0 { [v, v + 2, v + 1] } else { [v, v + 1, v + 2] }).collect();
/// let weights = rest.iter().map(|p| [(0, 1.0 - p[0] / 4.0), (1, p[0] / 4.0)]);
/// let skin = Skin::new(2, &rest, weights)?;
/// let arm = Arc::new(Model::new(Mesh::new(triangles, 10)?, &rest)?.with_skin(skin)?);
///
/// let moved = |z: f64| -> Affine { [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, z]] };
/// let mut world = World::new();
/// let lower = world.add(arm.clone(), &[moved(0.0); 2])?;
/// let upper = world.add(arm, &[moved(1.0); 2])?;
/// let query = Query::all().method(Method::SphereTree(SphereTree::new()));
/// let report = world.contacts(&[(upper, &[moved(1.0), moved(-2.0)])], &query)?;
/// assert!(report.found.iter().all(|contact| [lower, upper].iter().all(|body| contact.key.bodies.contains(body))));
/// assert!(0 < report.count && 0 < report.stats.skinning.vertices);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Skin(Governors);

impl Skin {
    /// Returns the skin of vertices at rest, with the bones and weights of each.
    ///
    /// Fails with the first vertex that has a nonexistent bone, a negative or non-finite weight, a
    /// weight sum more than 1/128 from one (normalize the weights first), or a non-finite position;
    /// and if the number of influence lists differs from the number of vertices.
    pub fn new<V: AsRef<[(u32, f64)]>>(
        n_bones: usize,
        rest: &[[f64; 3]],
        influences: impl IntoIterator<Item = V>,
    ) -> Result<Skin, Error> {
        Governors::new(n_bones, rest, influences).map(Skin)
    }

    /// Number of bones.
    #[must_use]
    pub fn n_bones(&self) -> usize {
        self.0.n_maps()
    }

    /// The vertices at rest, to which the bone matrices are applied.
    #[must_use]
    pub fn rest(&self) -> &[[f64; 3]] {
        self.0.rest()
    }

    /// The bones and weights of a vertex.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn influences(&self, vertex: usize) -> &[(u32, f64)] {
        self.0.influences(vertex)
    }

    /// Returns the positions of all vertices; `bones` has a matrix for each bone.
    ///
    /// # Panics
    ///
    /// If there are too few matrices.
    #[must_use]
    pub fn pose(&self, bones: &[Affine]) -> Vec<[f64; 3]> {
        (0..self.rest().len()).map(|vertex| self.position(vertex, bones)).collect()
    }

    /// The position of a vertex.
    #[inline(always)]
    fn position(&self, vertex: usize, bones: &[Affine]) -> [f64; 3] {
        self.0.position(vertex, self.rest()[vertex], |bone| bones[bone])
    }

    /// Returns a bound of the magnitude of all coordinates, if the coordinates of shapes are at
    /// most `largest`. Fails with the first bone that is out of range.
    pub(super) fn check_bones(bones: &[Affine], largest: f64) -> Result<f64, Error> {
        Governors::check_maps(bones.iter().copied(), largest).map_err(|bone| Error::BoneRange { bone })
    }

    /// The governors of the skin.
    pub(super) fn into_governors(self) -> Governors {
        self.0
    }
}

/// The parameters are the rows of the maps of the bones.
impl Deformer for Skin {
    fn n_vertices(&self) -> usize {
        self.rest().len()
    }

    fn check(&self, parameters: &[f64]) -> Result<f64, Error> {
        let bones = maps_of(parameters);
        if parameters.len() != PER_MAP * bones.len() {
            return Err(Error::ParameterCount {
                given: parameters.len(),
                parameters: PER_MAP * self.n_bones(),
            });
        }
        if bones.len() != self.n_bones() {
            return Err(Error::BoneCount { given: bones.len(), bones: self.n_bones() });
        }
        Skin::check_bones(bones, self.0.largest())
    }

    #[inline(always)]
    fn position_at(&self, vertex: usize, parameters: &[f64]) -> [f64; 3] {
        self.position(vertex, maps_of(parameters))
    }

    fn governors(&self) -> Option<&Governors> {
        Some(&self.0)
    }

    fn maps<'a>(&self, parameters: &'a [f64]) -> Cow<'a, [Affine]> {
        Cow::Borrowed(maps_of(parameters))
    }

    fn memory_bytes(&self) -> usize {
        self.0.memory_bytes()
    }
}
