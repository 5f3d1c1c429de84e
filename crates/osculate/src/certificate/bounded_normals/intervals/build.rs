//! Builds the intervals of all patches of a model.

use super::super::facets::{Facet, facets};
use super::super::fit::fits;
use super::cone::cone;
use super::maps::{Scratch, take_shares};
use super::{Cone, NEVER, NormalIntervals, Rest, Share};
use crate::hierarchy::{Hierarchy, Patches};
use crate::math::vector::{dot, minus};
use crate::motion::Governors;
use crate::threads;

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
}

/// What intervals are built from.
pub(super) struct Builder<'a> {
    hierarchy: &'a Hierarchy,
    patches: &'a Patches,
    pub(super) governors: &'a Governors,
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

    /// Upper bound of the distance of the weight sum of a vertex from one.
    pub(super) fn deviation(&self, v: u32) -> f64 {
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
}

impl Rest {
    fn is_finite(&self) -> bool {
        let numbers =
            [self.slope, self.off_anchors, self.drift[0], self.drift[1], self.sums[0], self.sums[1]];
        numbers.iter().chain(&self.origin).all(|x| x.is_finite())
    }
}
