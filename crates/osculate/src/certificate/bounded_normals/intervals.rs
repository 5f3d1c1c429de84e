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

use super::facets::{Facet, facets};
use super::fit::fits;
use crate::hierarchy::{Hierarchy, Patches};
use crate::math::vector::{dot, minus, scale};
use crate::motion::Governors;
use crate::threads;

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

/// Patches of fewer triangles have no bounds.
const FEW: usize = 4;

/// Patches whose normals are within an angle of smaller cosine at rest are not tested.
const LEAST_COSINE: f64 = 1.0 / 64.0;

/// Patches with more maps are not tested; bounds of rounding errors rely on it.
const MOST_MAPS: usize = 4000;

/// Nodes per task.
const PARALLEL: usize = 256;

impl NormalIntervals {
    /// Returns the intervals of all nodes of a hierarchy that are patches. Takes time proportional
    /// to the total number of influences below all nodes.
    pub(crate) fn new(hierarchy: &Hierarchy, patches: &Patches, governors: &Governors) -> NormalIntervals {
        let facets = facets(hierarchy, governors.rest());
        let n_nodes = hierarchy.n_nodes();
        let most = (0..governors.rest().len()).map(|v| governors.influences(v).len()).max().unwrap_or(0);
        let is_bounded = most + governors.n_modes() <= MOST_MAPS;
        let builder = Builder { hierarchy, patches, governors, facets: &facets, is_bounded };
        let parts = threads::map((0..n_nodes).step_by(PARALLEL), |first| {
            let mut scratch = Scratch::new(governors.n_maps());
            let mut part = NormalIntervals::default();
            for node in first..n_nodes.min(first + PARALLEL) {
                builder.push(node as u32, &mut scratch, &mut part);
            }
            part
        });
        let mut all = NormalIntervals::default();
        parts.into_iter().for_each(|part| all.append(part));
        all
    }

    fn append(&mut self, part: NormalIntervals) {
        let [rests, shares, modes] = [self.rests.len(), self.shares.len(), self.modes.len()];
        self.kinds
            .extend(part.kinds.iter().map(|&kind| if kind == NEVER { kind } else { kind + rests as u32 }));
        self.rests.extend(part.rests.iter().map(|rest| Rest {
            shares: rest.shares.map(|at| at + shares as u32),
            modes: rest.modes.map(|at| at + modes as u32),
            ..*rest
        }));
        self.shares.extend(part.shares);
        self.modes.extend(part.modes);
        self.fits.extend(part.fits);
    }

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

/// The hull of numbers, each known up to an error.
#[derive(Clone, Copy, Debug)]
struct Hull {
    lo: f64,
    hi: f64,
}

impl Hull {
    const EMPTY: Hull = Hull { lo: f64::INFINITY, hi: f64::NEG_INFINITY };

    #[inline(always)]
    fn add(&mut self, x: f64, error: f64) {
        self.lo = self.lo.min(x - error);
        self.hi = self.hi.max(x + error);
    }

    /// The middle, and the radius rounded up.
    fn middle(self) -> [f32; 2] {
        let middle = (0.5 * (self.lo + self.hi)) as f32;
        let radius = (self.hi - f64::from(middle)).max(f64::from(middle) - self.lo);
        [middle, up(radius)]
    }

    fn middles<const N: usize>(hulls: &[[Hull; 3]; N]) -> [[[f32; 3]; N]; 2] {
        let all = hulls.map(|row| row.map(Hull::middle));
        [0, 1].map(|k: usize| all.map(|row| row.map(|x| x[k])))
    }
}

/// An f32 that is no less.
fn up(x: f64) -> f32 {
    (x as f32).next_up()
}

/// The intervals of a map under construction.
#[derive(Clone, Copy)]
struct Sums {
    map: u32,
    n_triangles: usize,
    weight: Hull,
    rows: [[Hull; 3]; 4],
}

struct Scratch {
    /// For each map, its place in `sums`.
    places: Vec<u32>,
    sums: Vec<Sums>,
    /// The maps of a triangle, with the weights of its corners.
    corners: Vec<(u32, [f64; 3])>,
}

impl Scratch {
    fn new(n_maps: usize) -> Scratch {
        Scratch { places: vec![u32::MAX; n_maps], sums: Vec::new(), corners: Vec::new() }
    }
}

struct Builder<'a> {
    hierarchy: &'a Hierarchy,
    patches: &'a Patches,
    governors: &'a Governors,
    facets: &'a [Facet],
    is_bounded: bool,
}

impl Builder<'_> {
    /// Adds the intervals of a node.
    fn push(&self, node: u32, scratch: &mut Scratch, part: &mut NormalIntervals) {
        let kind = if !self.patches.is_eligible(node) || self.hierarchy.range(node).len() < FEW {
            NEVER
        } else {
            let before = [part.shares.len(), part.modes.len(), part.fits.len()];
            self.bound(node, scratch, part).unwrap_or_else(|| {
                part.shares.truncate(before[0]);
                part.modes.truncate(before[1]);
                part.fits.truncate(before[2]);
                NEVER
            })
        };
        part.kinds.push(kind);
    }

    /// Adds the intervals of a patch; returns their number, or `None` if there can be no bound.
    fn bound(&self, node: u32, scratch: &mut Scratch, part: &mut NormalIntervals) -> Option<u32> {
        let (hierarchy, governors) = (self.hierarchy, self.governors);
        let facets = &self.facets[hierarchy.range(node)];
        if !self.is_bounded || facets.iter().any(|facet| !facet.is_known()) {
            return None;
        }
        let (axis, cos) = cone(facets);
        if cos.is_nan() || cos < LEAST_COSINE {
            return None;
        }
        let rest = |v: u32| governors.rest()[v as usize];
        let corners = || {
            let of_triangle = |corners: &[u32; 3]| corners.map(|v| hierarchy.vertices()[v as usize]);
            hierarchy.corners_below(node).iter().map(of_triangle)
        };
        let share = 1.0 / (3 * facets.len()) as f64;
        let mut origin = [0.0; 3];
        for v in corners().flatten() {
            (0..3).for_each(|i| origin[i] += share * rest(v)[i]);
        }
        let (mut slope, mut drift, mut off_anchors): (f64, [f64; 2], f64) = (0.0, [0.0; 2], 0.0);
        for (facet, corners) in facets.iter().zip(corners()) {
            let offsets = corners.map(|v| minus(rest(v), origin));
            self.add(facet, corners, &offsets, scratch);
            let lengths = facet.lengths();
            let sum = lengths[0] + lengths[1] + lengths[2];
            let far = (0..3).map(|v| lengths[v] * dot(offsets[v], offsets[v]).sqrt()).sum::<f64>();
            let away = corners.into_iter().map(|v| self.deviation(v)).fold(0.0, f64::max);
            slope = slope.max(sum);
            drift = [drift[0].max(away * sum), drift[1].max(away * far)];
            let off = corners.into_iter().map(|v| self.off_anchors(v)).fold(0.0, f64::max);
            off_anchors = off_anchors.max(off * sum);
        }
        let (first, first_mode) = (part.shares.len() as u32, part.modes.len() as u32);
        let sums = take_shares(scratch, facets.len(), &mut part.shares);
        let n_maps = part.shares.len() - first as usize;
        let mut normal_fit = [0.0; 3];
        if let Some(anchors) = governors.anchors() {
            let of_patch = part.shares[first as usize..].iter().map(|share| anchors[share.map as usize]);
            normal_fit = fits(&of_patch.collect::<Vec<_>>(), axis, &mut part.fits);
        }
        for mode in 0..governors.n_modes() {
            let of_mode = self.mode(mode, facets, corners(), scratch);
            part.modes.extend(of_mode);
        }
        // A few roundings of sums of non-negative numbers.
        let over = |x: f64| x * (1.0 + 1e-12);
        let rest = Rest {
            origin,
            cone: Cone { axis, cos, sin: over((1.0 - cos * cos).max(0.0).sqrt() + 1e-12) },
            slope: over(slope),
            drift: drift.map(over),
            off_anchors: over(off_anchors),
            sums: sums.map(over),
            normal_fit,
            shares: [first, part.shares.len() as u32],
            modes: [first_mode, part.modes.len() as u32],
        };
        let is_finite = |share: &Share| {
            let rows = share.middle.as_flattened().iter().chain(share.radius.as_flattened());
            rows.chain(&share.weight).all(|x| x.is_finite())
        };
        let all = &part.shares[first as usize..];
        if MOST_MAPS < n_maps || !all.iter().all(is_finite) || !rest.is_finite() {
            return None;
        }
        part.rests.push(rest);
        Some(part.rests.len() as u32 - 1)
    }

    /// Adds a triangle to the intervals of its maps.
    #[inline(always)]
    fn add(&self, facet: &Facet, corners: [u32; 3], offsets: &[[f64; 3]; 3], scratch: &mut Scratch) {
        let Scratch { places, sums, corners: of_maps } = scratch;
        self.weights(corners, of_maps);
        let lengths = facet.lengths();
        // Row r of a gradient of one map is `Σ_v (w_v - c) d_vr g_v'`, off by a multiple of this.
        let mut reach = [0.0; 4];
        for v in 0..3 {
            (0..3).for_each(|r| reach[r] += facet.error * lengths[v] * offsets[v][r].abs());
            reach[3] += facet.error * lengths[v];
        }
        for &(map, weights) in &*of_maps {
            let place = &mut places[map as usize];
            if *place == u32::MAX {
                *place = sums.len() as u32;
                sums.push(Sums { map, n_triangles: 0, weight: Hull::EMPTY, rows: [[Hull::EMPTY; 3]; 4] });
            }
            let sums = &mut sums[*place as usize];
            // Any number may be the weight of the triangle.
            let mean = (weights[0] + weights[1] + weights[2]) / 3.0;
            let most = weights[0].max(weights[1]).max(weights[2]);
            sums.n_triangles += 1;
            sums.weight.add(mean, 0.0);
            let scaled: [[f64; 3]; 3] = std::array::from_fn(|v| scale(weights[v] - mean, facet.gradients[v]));
            for j in 0..3 {
                for r in 0..3 {
                    let x: f64 = (0..3).map(|v| offsets[v][r] * scaled[v][j]).sum();
                    sums.rows[r][j].add(x, reach[r] * most);
                }
                sums.rows[3][j].add(scaled[0][j] + scaled[1][j] + scaled[2][j], reach[3] * most);
            }
        }
    }

    /// Lists the maps of a triangle, with the weights of its corners.
    #[inline(always)]
    fn weights(&self, corners: [u32; 3], of_maps: &mut Vec<(u32, [f64; 3])>) {
        of_maps.clear();
        for (k, v) in corners.into_iter().enumerate() {
            for &(map, weight) in self.governors.influences(v as usize) {
                if weight == 0.0 {
                    continue;
                }
                if let Some(known) = of_maps.iter_mut().find(|known| known.0 == map) {
                    known.1[k] += weight;
                } else {
                    let mut weights = [0.0; 3];
                    weights[k] = weight;
                    of_maps.push((map, weights));
                }
            }
        }
    }

    /// Upper bound of the distance of the weight sum of a vertex from one.
    fn deviation(&self, v: u32) -> f64 {
        let influences = self.governors.influences(v as usize);
        let sum: f64 = influences.iter().map(|influence| influence.1).sum();
        (sum - 1.0).abs() + 4.0 * f64::EPSILON * influences.len() as f64
    }

    /// With anchors, an upper bound of `|Σ_k w_k (v - x_k)|` for a vertex.
    fn off_anchors(&self, v: u32) -> f64 {
        let Some(anchors) = self.governors.anchors() else { return 0.0 };
        let rest = self.governors.rest()[v as usize];
        let (mut sum, mut reach) = ([0.0; 3], 0.0);
        let influences = self.governors.influences(v as usize);
        for &(map, weight) in influences {
            let d = minus(rest, anchors[map as usize]);
            (0..3).for_each(|i| sum[i] += weight * d[i]);
            reach += weight * (d[0].abs() + d[1].abs() + d[2].abs());
        }
        dot(sum, sum).sqrt() + 4.0 * f64::EPSILON * influences.len() as f64 * reach
    }

    /// The intervals of a mode; `None` if it does not move the patch.
    fn mode(
        &self,
        mode: usize,
        facets: &[Facet],
        corners: impl Iterator<Item = [u32; 3]>,
        scratch: &mut Scratch,
    ) -> Option<ModeShare> {
        let mut rows = [[Hull::EMPTY; 3]; 3];
        let (mut blend, mut drift, mut is_moved): (f64, f64, bool) = (0.0, 0.0, false);
        for (facet, corners) in facets.iter().zip(corners) {
            let moved = corners.map(|v| self.governors.displacements(v as usize)[mode]);
            is_moved |= moved != [[0.0; 3]; 3];
            let lengths = facet.lengths();
            for r in 0..3 {
                let error: f64 = (0..3).map(|v| facet.error * lengths[v] * moved[v][r].abs()).sum();
                for j in 0..3 {
                    let x: f64 = (0..3).map(|v| moved[v][r] * facet.gradients[v][j]).sum();
                    rows[r][j].add(x, error);
                }
            }
            let products: [f64; 3] = std::array::from_fn(|v| lengths[v] * dot(moved[v], moved[v]).sqrt());
            self.weights(corners, &mut scratch.corners);
            let mut of_triangle = 0.0;
            for &(_, weights) in &scratch.corners {
                let mean = (weights[0] + weights[1] + weights[2]) / 3.0;
                of_triangle += (0..3).map(|v| (weights[v] - mean).abs() * products[v]).sum::<f64>();
            }
            let away = corners.into_iter().map(|v| self.deviation(v)).fold(0.0, f64::max);
            blend = blend.max(of_triangle);
            drift = drift.max(away * products.iter().sum::<f64>());
        }
        let [middle, radius] = Hull::middles(&rows);
        let over = |x: f64| up(x * (1.0 + 1e-6));
        is_moved.then(|| ModeShare {
            mode: mode as u32,
            middle,
            radius,
            blend: over(blend),
            drift: over(drift),
        })
    }
}

impl Rest {
    fn is_finite(&self) -> bool {
        let numbers =
            [self.slope, self.off_anchors, self.drift[0], self.drift[1], self.sums[0], self.sums[1]];
        numbers.iter().chain(&self.origin).all(|x| x.is_finite())
    }
}

/// Adds the intervals of all maps of a patch of `n` triangles, and forgets them. Returns sums of
/// magnitudes of the linear and of the translational entries.
fn take_shares(scratch: &mut Scratch, n: usize, shares: &mut Vec<Share>) -> [f64; 2] {
    let mut magnitudes = [0.0; 2];
    for mut sums in scratch.sums.drain(..) {
        scratch.places[sums.map as usize] = u32::MAX;
        if sums.n_triangles != n {
            // The others do not follow the map.
            sums.weight.add(0.0, 0.0);
            sums.rows.as_flattened_mut().iter_mut().for_each(|hull| hull.add(0.0, 0.0));
        }
        let [middle, radius] = Hull::middles(&sums.rows);
        let magnitude = |r: usize, j: usize| f64::from(middle[r][j].abs()) + f64::from(radius[r][j]);
        let most = |r: usize| magnitude(r, 0).max(magnitude(r, 1)).max(magnitude(r, 2));
        let weight = sums.weight.middle();
        magnitudes[0] += f64::from(weight[0] + weight[1]) + most(0) + most(1) + most(2);
        magnitudes[1] += most(3);
        shares.push(Share { map: sums.map, weight, middle, radius });
    }
    magnitudes
}

/// A unit axis, and a lower bound of the cosines of the angles between it and the normals: those of
/// nearly the smallest enclosing cone, by steps toward the farthest normal.
fn cone(facets: &[Facet]) -> ([f64; 3], f64) {
    /// Steps toward the farthest normal.
    const STEPS: usize = 12;
    let unit = |v: [f64; 3]| scale(1.0 / dot(v, v).sqrt(), v);
    let mut sum = [0.0; 3];
    for facet in facets {
        (0..3).for_each(|i| sum[i] += facet.normal[i]);
    }
    let mut axis = unit(sum);
    let mut best = (axis, f64::NEG_INFINITY);
    for step in 0..STEPS {
        let mut farthest = (f64::INFINITY, axis);
        for facet in facets {
            let cos = dot(facet.normal, axis);
            if cos < farthest.0 {
                farthest = (cos, facet.normal);
            }
        }
        if best.1 < farthest.0 {
            best = (axis, farthest.0);
        }
        if farthest.0 < -0.5 {
            break;
        }
        let share = 1.0 / (step + 3) as f64;
        axis = unit(std::array::from_fn(|i| axis[i] + share * (farthest.1[i] - axis[i])));
    }
    // The normals are off by at most 2^-22.
    (best.0, best.1 - 1.0 / 2_097_152.0)
}
