//! Linear blend skinning, `v' = Σ w_j (A_j v + t_j)`.

use crate::Error;

/// An affine map `x' = A x + t`: the rows of the 3 × 4 matrix `[A | t]`. Any matrix is legal:
/// rotations, scales, shears.
pub type Affine = [[f64; 4]; 3];

/// Maximum deviation of a vertex's weight sum from one: far more than the rounding of weights
/// stored as f32 or as bytes.
const SUM_TOLERANCE: f64 = 1.0 / 128.0;

/// The bones and weights of each vertex of a model.
///
/// The position of a vertex is defined by the f64 operations that compute it: the weighted bone
/// matrices are summed in the given order, and the sum is applied to the vertex at rest. Computing
/// positions this way always gives the same bits.
///
/// Two instances of one model, a strip with a bone at each end; one end of the upper strip is bent
/// down through the lower one:
///
/// ```
/// use osculate::{Affine, Mesh, Method, Model, Query, Skin, SphereTree, World};
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
/// let query = Query { method: Method::SphereTree(SphereTree::new()), ..Query::all() };
/// let report = world.contacts(&[(upper, &[moved(1.0), moved(-2.0)])], &query)?;
/// assert!(report.found.iter().all(|contact| [lower, upper].iter().all(|body| contact.key.bodies.contains(body))));
/// assert!(0 < report.count && 0 < report.stats.skinning.vertices);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    n_bones: usize,
    rest: Vec<[f64; 3]>,
    /// Vertex v has the influences `starts[v]..starts[v + 1]`.
    starts: Vec<u32>,
    influences: Vec<(u32, f64)>,
    /// Upper bound of the magnitude of all coordinates at rest.
    largest: f64,
    /// Upper bound of the distance of all vertices at rest from the origin.
    reach: f64,
    /// Upper bound of the deviation of all weight sums from one.
    deviation: f64,
}

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
        super::check_finite(rest.iter().zip(rest))?;
        let mut skin = Skin {
            n_bones,
            rest: rest.to_vec(),
            starts: vec![0],
            influences: Vec::new(),
            largest: rest.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs())),
            reach: rest.iter().fold(0.0, |most: f64, &[x, y, z]| most.max(x.hypot(y).hypot(z))).next_up(),
            deviation: 0.0,
        };
        for (vertex, of_vertex) in influences.into_iter().enumerate() {
            let mut sum = 0.0;
            for &(bone, weight) in of_vertex.as_ref() {
                if n_bones <= bone as usize {
                    return Err(Error::NoSuchBone { vertex, bone, bones: n_bones });
                }
                if !(0.0..=f64::MAX).contains(&weight) {
                    return Err(Error::SkinWeight { vertex, bone, weight });
                }
                sum += weight;
                skin.influences.push((bone, weight));
            }
            let deviation = (sum - 1.0_f64).abs();
            if SUM_TOLERANCE < deviation {
                return Err(Error::SkinWeightSum { vertex, sum });
            }
            skin.deviation = skin.deviation.max(deviation);
            skin.starts.push(skin.influences.len() as u32);
        }
        if skin.starts.len() != rest.len() + 1 {
            return Err(Error::OtherSkin { skin: skin.starts.len() - 1, vertices: rest.len() });
        }
        Ok(skin)
    }

    /// Number of bones.
    #[must_use]
    pub fn n_bones(&self) -> usize {
        self.n_bones
    }

    /// The vertices at rest, to which the bone matrices are applied.
    #[must_use]
    pub fn rest(&self) -> &[[f64; 3]] {
        &self.rest
    }

    /// The bones and weights of a vertex.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn influences(&self, vertex: usize) -> &[(u32, f64)] {
        &self.influences[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Returns the positions of all vertices; `bones` has a matrix for each bone.
    ///
    /// # Panics
    ///
    /// If there are too few matrices.
    #[must_use]
    pub fn pose(&self, bones: &[Affine]) -> Vec<[f64; 3]> {
        (0..self.rest.len()).map(|vertex| self.position(vertex, bones)).collect()
    }

    /// The position of a vertex.
    #[inline(always)]
    pub(crate) fn position(&self, vertex: usize, bones: &[Affine]) -> [f64; 3] {
        let mut sum = [[0.0; 4]; 3];
        for &(bone, weight) in self.influences(vertex) {
            let map = &bones[bone as usize];
            for i in 0..3 {
                for k in 0..4 {
                    sum[i][k] += weight * map[i][k];
                }
            }
        }
        let [x, y, z] = self.rest[vertex];
        let mut position = [0.0; 3];
        for i in 0..3 {
            position[i] = sum[i][0] * x + sum[i][1] * y + sum[i][2] * z + sum[i][3];
        }
        position
    }

    /// Returns an upper bound of the magnitude of all coordinates at a pose; fails if the pose does
    /// not fit the skin.
    pub(crate) fn check(&self, bones: &[Affine]) -> Result<f64, Error> {
        if bones.len() != self.n_bones {
            return Err(Error::BoneCount { given: bones.len(), bones: self.n_bones });
        }
        let mut largest: f64 = 0.0;
        for (bone, map) in bones.iter().enumerate() {
            for row in map {
                let entries = row[0].abs() + row[1].abs() + row[2].abs();
                let of_row = entries * self.largest + row[3].abs();
                // Half of the range is reserved for rounding and for weight sums above one. Each
                // row is checked, as a NaN is in no range.
                if ![entries, of_row].iter().all(|x| (0.0..=0.5 * f64::MAX).contains(x)) {
                    return Err(Error::BoneRange { bone });
                }
                largest = largest.max(of_row);
            }
        }
        Ok(largest * (1.0 + 2.0 * SUM_TOLERANCE))
    }

    /// Upper bound of the distance of all vertices at rest from the origin.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// Upper bound of the deviation of all weight sums from one.
    pub(crate) fn deviation(&self) -> f64 {
        self.deviation
    }

    /// Heap memory of the skin in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.rest.as_slice())
            + size_of_val(self.starts.as_slice())
            + size_of_val(self.influences.as_slice())
    }
}
