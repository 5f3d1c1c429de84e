//! Intervals over the triangles of a patch, which bound its normals at any pose; computed once per
//! model.
//!
//! For a triangle at rest, let `g_v` be the gradients of its three hat functions and n its unit
//! normal. A vertex is `p_v = Σ_k w_vk (A_k s_v + t_k)` with `s_v = x0 + d_v + Σ_i q_i m_vi`. With
//! one weight `c_k` of each map for the triangle, the mean of those of its corners, the gradient of
//! the deformation is (paper 003, section 3.3; the patch has its own origin x0)
//!
//! ```text
//! J = Σ_v p_v g_v' = (Σ_k c_k A_k) (I + Σ_i q_i D_i) + Σ_k [A_k | A_k x0 + t_k] J_k + Σ_ik q_i A_k H_ik
//! J_k = Σ_v (w_vk - c_k) [d_v ; 1] g_v'      D_i = Σ_v m_vi g_v'      H_ik = Σ_v (w_vk - c_k) m_vi g_v'
//! ```
//!
//! where I stands for `Σ_v d_v g_v' = I - n n'`: the two differ by a multiple of n', and a gradient
//! maps the area vector of a triangle to that of the deformed one, `cof(J) n`, whatever it does to
//! n itself. (The paper keeps `I - n n'`, which makes bounds wider.)

mod build;
mod cone;
mod hull;
mod maps;
mod modes;

/// A number between `middle - radius` and `middle + radius`.
pub(super) type Middle<const N: usize> = [f32; N];

/// One map of a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub(super) map: u32,
    /// The weights of triangles: middle and radius.
    pub(super) weight: [f32; 2],
    /// The rows of `J_k`: middles and radii.
    pub(super) middle: [Middle<3>; 4],
    pub(super) radius: [Middle<3>; 4],
}

/// One mode of a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModeShare {
    pub(super) mode: u32,
    /// The rows of `D_i`: middles and radii.
    pub(super) middle: [Middle<3>; 3],
    pub(super) radius: [Middle<3>; 3],
    /// Upper bound of `Σ_k |H_ik|` in the Frobenius norm.
    pub(super) blend: f32,
    /// Upper bound of `Σ_v |m_vi| |g_v|` times the distance of weight sums from one.
    pub(super) drift: f32,
}

/// Unit vectors within an angle of a unit axis: its cosine, rounded down, and its sine, rounded up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    pub(super) axis: [f64; 3],
    pub(super) cos: f64,
    pub(super) sin: f64,
}

/// What is known of the normals of a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// The origin of the patch, x0.
    pub(super) origin: [f64; 3],
    /// The unit normals.
    pub(super) cone: Cone,
    /// Upper bounds of `Σ_v |g_v|`, and of the same times the distance of weight sums from one, and
    /// of `Σ_v |d_v| |g_v|` times that distance.
    pub(super) slope: f64,
    pub(super) drift: [f64; 2],
    /// With anchors, an upper bound of `|Σ_k w_vk (s_v - x_k)| Σ_v |g_v|`.
    pub(super) off_anchors: f64,
    /// With anchors, what fits the map along the axis.
    pub(super) normal_fit: [f64; 3],
    /// Sums over all maps of the largest magnitudes of a linear and of a translational entry, for
    /// bounds of rounding errors.
    pub(super) sums: [f64; 2],
    shares: [u32; 2],
    modes: [u32; 2],
}

/// How the normals of the patch of a node are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Not at all: too far apart at rest, too few, or not a patch.
    Never,
    /// By the intervals of this number.
    Bound(u32),
}

const NEVER: u32 = u32::MAX;

/// The intervals of all patches of a model.
#[derive(Debug, Default)]
pub(crate) struct NormalIntervals {
    kinds: Vec<u32>,
    rests: Vec<Rest>,
    shares: Vec<Share>,
    modes: Vec<ModeShare>,
    /// With anchors, for each share the vector that fits the linear part of the patch.
    pub(super) fits: Vec<[f64; 3]>,
}

impl NormalIntervals {
    /// How the normals of the patch of a node are tested.
    #[inline(always)]
    pub(super) fn kind(&self, node: u32) -> Kind {
        match self.kinds[node as usize] {
            NEVER => Kind::Never,
            at => Kind::Bound(at),
        }
    }

    pub(super) fn rest(&self, at: u32) -> &Rest {
        &self.rests[at as usize]
    }

    /// Number of patches with intervals.
    pub(crate) fn n_bounds(&self) -> usize {
        self.rests.len()
    }

    /// The maps of a patch.
    pub(super) fn shares(&self, rest: &Rest) -> &[Share] {
        &self.shares[rest.shares[0] as usize..rest.shares[1] as usize]
    }

    /// The vectors that fit its linear part, one for each of its maps; none without anchors.
    pub(super) fn fits(&self, rest: &Rest) -> &[[f64; 3]] {
        self.fits.get(rest.shares[0] as usize..rest.shares[1] as usize).unwrap_or(&[])
    }

    /// The modes of a patch.
    pub(super) fn modes(&self, rest: &Rest) -> &[ModeShare] {
        &self.modes[rest.modes[0] as usize..rest.modes[1] as usize]
    }

    /// Heap memory of the intervals in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.kinds.as_slice())
            + size_of_val(self.rests.as_slice())
            + size_of_val(self.shares.as_slice())
            + size_of_val(self.modes.as_slice())
            + size_of_val(self.fits.as_slice())
    }
}
