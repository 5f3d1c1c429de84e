//! Governed vertices: each is a convex combination of affine maps of its shape, which is its rest
//! position or a sum of modes.

use super::{check_finite, survey};
use crate::Error;

/// How far the sum of the weights of a vertex may be from one: far more than the error of weights
/// stored as f32 or as bytes.
pub(super) const SUM_TOLERANCE: f64 = 1.0 / 128.0;

/// The affine maps that govern each vertex, with weights: `p = Σ w_k (A_k s + t_k)`, where the
/// weights are not negative and sum to one. The shape s is the vertex v at rest; with modes, it is
/// `s = v + Σ q_i d_i`, with a displacement d_i of the vertex for each mode, and an amplitude q_i
/// of the mode that is a parameter of the pose.
///
/// Bounds of many vertices can be computed from the maps and amplitudes alone. They hold for exact
/// arithmetic and weights that sum to one, and are widened by the effects of rounding and
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
    /// For each map, a point that it moves, if the maps have no linear part.
    anchors: Option<Vec<[f64; 3]>>,
    largest_anchor: f64,
    /// Number of modes, and for each vertex, its displacement in each of them.
    n_modes: usize,
    displacements: Vec<[f64; 3]>,
    /// For each mode, upper bounds of the lengths of displacements.
    mode_reach: Vec<f64>,
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
            largest: survey(rest).0,
            reach: reach(rest),
            deviation: 0.0,
            anchors: None,
            largest_anchor: 0.0,
            n_modes: 0,
            displacements: Vec::new(),
            mode_reach: Vec::new(),
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

    /// The same governors with an anchor for each map. Map k must be a translation `[0 | y_k]` at
    /// every pose, and the rest position of a vertex `Σ w_k x_k`, up to rounding, where x_k are the
    /// anchors. So any linear map A can be split off: `p = A v + Σ w_k (y_k - A x_k)`.
    pub(crate) fn with_anchors(self, anchors: Vec<[f64; 3]>) -> Governors {
        debug_assert_eq!(anchors.len(), self.n_maps);
        Governors { largest_anchor: survey(&anchors).0, anchors: Some(anchors), ..self }
    }

    /// The same governors with modes, each with a displacement of every vertex.
    ///
    /// Fails with the first mode that has a different number of displacements, or one that is not
    /// finite.
    pub(crate) fn with_modes<M: AsRef<[[f64; 3]]>>(mut self, modes: &[M]) -> Result<Governors, Error> {
        let vertices = self.rest.len();
        for (mode, of_mode) in modes.iter().map(AsRef::as_ref).enumerate() {
            if of_mode.len() != vertices {
                return Err(Error::ModeLength { mode, given: of_mode.len(), vertices });
            }
            for (vertex, displacement) in of_mode.iter().enumerate() {
                if let Some(axis) = displacement.iter().position(|x| !x.is_finite()) {
                    return Err(Error::ModeNotFinite { mode, vertex, axis, value: displacement[axis] });
                }
            }
        }
        self.n_modes = modes.len();
        self.displacements =
            (0..vertices).flat_map(|v| modes.iter().map(move |mode| mode.as_ref()[v])).collect();
        self.mode_reach = modes.iter().map(|mode| reach(mode.as_ref())).collect();
        Ok(self)
    }

    /// The governors of some vertices, which exist, in the given order.
    pub(super) fn part(&self, vertices: &[u32]) -> Result<Governors, Error> {
        let of_vertices = || vertices.iter().map(|&vertex| vertex as usize);
        let rest: Vec<[f64; 3]> = of_vertices().map(|vertex| self.rest[vertex]).collect();
        let influences = of_vertices().map(|vertex| self.influences(vertex));
        let mut part = Governors::new(self.n_maps, &rest, influences)?;
        if let Some(anchors) = &self.anchors {
            part = part.with_anchors(anchors.clone());
        }
        let mode = |mode| of_vertices().map(|vertex| self.displacements(vertex)[mode]).collect();
        let modes: Vec<Vec<[f64; 3]>> = (0..self.n_modes).map(mode).collect();
        part.with_modes(&modes)
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

    /// Upper bound of the lengths of all displacements.
    pub(crate) fn largest_displacement(&self) -> f64 {
        self.mode_reach.iter().fold(0.0, |most: f64, &reach| most.max(reach))
    }

    /// Upper bound of the distance of all weight sums from one.
    pub(crate) fn deviation(&self) -> f64 {
        self.deviation
    }

    /// For each map, a point that it moves, if the maps have no linear part; see
    /// [`with_anchors`](Self::with_anchors).
    pub(crate) fn anchors(&self) -> Option<&[[f64; 3]]> {
        self.anchors.as_deref()
    }

    /// The largest magnitude of a coordinate of an anchor; zero without anchors.
    pub(crate) fn largest_anchor(&self) -> f64 {
        self.largest_anchor
    }

    /// Number of modes.
    pub(crate) fn n_modes(&self) -> usize {
        self.n_modes
    }

    /// The displacements of a vertex, one for each mode.
    #[inline(always)]
    pub(crate) fn displacements(&self, vertex: usize) -> &[[f64; 3]] {
        &self.displacements[vertex * self.n_modes..(vertex + 1) * self.n_modes]
    }

    /// The shape of a vertex, `v + Σ q_i d_i`, summed in order; the vertex at rest without modes.
    #[inline(always)]
    pub(crate) fn shape(&self, vertex: usize, amplitudes: &[f64]) -> [f64; 3] {
        let mut shape = self.rest[vertex];
        for (amplitude, displacement) in amplitudes.iter().zip(self.displacements(vertex)) {
            for i in 0..3 {
                shape[i] += amplitude * displacement[i];
            }
        }
        shape
    }

    /// Upper bound of the distance of all shapes from the origin, at given amplitudes; also of what
    /// [`shape`](Self::shape) computes: its rounding errors are a tiny fraction of the sum of all
    /// lengths.
    pub(crate) fn reach_at(&self, amplitudes: &[f64]) -> f64 {
        if amplitudes.is_empty() {
            return self.reach;
        }
        let lengths =
            amplitudes.iter().zip(&self.mode_reach).map(|(amplitude, reach)| amplitude.abs() * reach);
        // Two roundings for each term; a product may also underflow.
        let rounding = 1.0 + 4.0 * (amplitudes.len() as f64 + 2.0) * f64::EPSILON;
        lengths.fold(self.reach, |sum, length| sum + length) * rounding + f64::MIN_POSITIVE
    }

    /// Heap memory of the governors in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.rest.as_slice())
            + size_of_val(self.starts.as_slice())
            + size_of_val(self.influences.as_slice())
            + self.anchors.as_ref().map_or(0, |anchors| size_of_val(anchors.as_slice()))
            + size_of_val(self.displacements.as_slice())
            + size_of_val(self.mode_reach.as_slice())
    }
}

/// Upper bound of the distance of points from the origin.
fn reach(points: &[[f64; 3]]) -> f64 {
    points.iter().fold(0.0, |most: f64, &[x, y, z]| most.max(x.hypot(y).hypot(z))).next_up()
}
