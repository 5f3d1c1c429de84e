//! Governed vertices: each is a convex combination of affine maps of its rest position.

use super::check_finite;
use crate::Error;

/// How far the sum of the weights of a vertex may be from one: far more than the error of weights
/// stored as f32 or as bytes.
pub(super) const SUM_TOLERANCE: f64 = 1.0 / 128.0;

/// The affine maps that govern each vertex, with weights: `v' = Σ w_k (A_k v + t_k)`, where the
/// weights are not negative and sum to one.
///
/// Bounds of many vertices can be computed from the maps alone. They hold for exact arithmetic and
/// weights that sum to one, and are widened by the effects of rounding and
/// [`deviation`](Self::deviation).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Governors {
    n_maps: usize,
    rest: Vec<[f64; 3]>,
    /// Vertex v has the influences `starts[v]..starts[v + 1]`.
    starts: Vec<u32>,
    influences: Vec<(u32, f64)>,
    /// Upper bound of the magnitude of all coordinates at rest.
    largest: f64,
    /// Upper bound of the distance of all vertices at rest from the origin.
    reach: f64,
    /// Upper bound of the distance of all weight sums from one.
    deviation: f64,
}

impl Governors {
    /// Returns the governors of vertices at rest, from the maps and weights of each.
    ///
    /// Fails with the first vertex that has a nonexistent map, a negative or non-finite weight, a
    /// weight sum more than 1/128 from one, or a non-finite position; and if the number of
    /// influence lists differs from the number of vertices.
    pub(crate) fn new<V: AsRef<[(u32, f64)]>>(
        n_maps: usize,
        rest: &[[f64; 3]],
        influences: impl IntoIterator<Item = V>,
    ) -> Result<Governors, Error> {
        check_finite(rest.iter().zip(rest))?;
        let mut governors = Governors {
            n_maps,
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
                if n_maps <= bone as usize {
                    return Err(Error::NoSuchBone { vertex, bone, bones: n_maps });
                }
                if !(0.0..=f64::MAX).contains(&weight) {
                    return Err(Error::SkinWeight { vertex, bone, weight });
                }
                sum += weight;
                governors.influences.push((bone, weight));
            }
            let deviation = (sum - 1.0_f64).abs();
            if SUM_TOLERANCE < deviation {
                return Err(Error::SkinWeightSum { vertex, sum });
            }
            governors.deviation = governors.deviation.max(deviation);
            governors.starts.push(governors.influences.len() as u32);
        }
        if governors.starts.len() != rest.len() + 1 {
            return Err(Error::OtherSkin { skin: governors.starts.len() - 1, vertices: rest.len() });
        }
        Ok(governors)
    }

    /// Number of maps.
    pub(crate) fn n_maps(&self) -> usize {
        self.n_maps
    }

    /// The vertices at rest, to which the maps are applied.
    pub(crate) fn rest(&self) -> &[[f64; 3]] {
        &self.rest
    }

    /// The maps that govern a vertex, and their weights.
    #[inline(always)]
    pub(crate) fn influences(&self, vertex: usize) -> &[(u32, f64)] {
        &self.influences[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Upper bound of the magnitude of all coordinates at rest.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// Upper bound of the distance of all vertices at rest from the origin.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// Upper bound of the distance of all weight sums from one.
    pub(crate) fn deviation(&self) -> f64 {
        self.deviation
    }

    /// Heap memory of the governors in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.rest.as_slice())
            + size_of_val(self.starts.as_slice())
            + size_of_val(self.influences.as_slice())
    }
}
