//! The observer of a patch, and the side from which it sees the triangles.

use super::DEPTH;
use crate::certificate::cleared::Surface;
use crate::certificate::normals::Normals;
use crate::certificate::observer::PlaneSums;
use crate::math::bernstein::{Bernstein, FILTER_RANGE};
use crate::math::dispatch::dispatch;
use crate::math::real::{Lanes, Real};
use crate::math::vector::{dot, minus};
use crate::motion::{LANES, gather};
use crate::narrow::{Ends, triple, triple_at};
use fearless_simd::{Level, Simd, SimdBase, SimdMask, f64x8};
use std::ops::Range;

/// The side from which triangles are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Their normals point away from the observer: phi is positive.
    Inside,
    /// They point toward it: phi is negative.
    Outside,
}

impl Side {
    /// 1 or -1, the sign of phi.
    pub(super) fn factor(self) -> f64 {
        match self {
            Side::Inside => 1.0,
            Side::Outside => -1.0,
        }
    }

    /// Returns whether phi is proven to have the sign of this side throughout the step.
    pub(super) fn is_certain(self, phi: &Bernstein<4>) -> bool {
        let factor = self.factor();
        Bernstein { c: phi.c.map(|c| factor * c), error: phi.error }.is_positive(DEPTH)
    }
}

/// Maximum number of triangles from which the observer is computed.
const SAMPLES: usize = 64;

/// Returns a moving point from which all triangles may be seen from one side, and that side; `None`
/// if the sampled triangles are seen from both, or the patch is nearly flat. At each end of the
/// step it is the point whose distances from the planes of the triangles are most equal
/// ([`PlaneSums`]).
pub(super) fn observer(
    normals: &Normals,
    surface: Surface,
    triangles: &[Range<usize>],
) -> Option<(Ends<f64>, Side)> {
    let Surface { hierarchy, lines, .. } = surface;
    let n: usize = triangles.iter().map(Range::len).sum();
    let stride = n.div_ceil(SAMPLES).max(1);
    let corner = |i: usize, end: usize| {
        let place = hierarchy.corners()[i][0] as usize;
        lines[hierarchy.vertices()[place] as usize].ends()[end]
    };
    let samples = || triangles.iter().flat_map(|range| range.clone().step_by(stride));
    let first = samples().next()?;
    let mut side = None;
    let mut at = |end: usize| {
        let mut sums = PlaneSums::new(corner(first, end));
        for i in samples() {
            sums.push(normals.unit(i, end), corner(i, end));
        }
        let q = sums.solve().filter(|q| q.iter().all(|x| x.abs() <= FILTER_RANGE))?;
        // In plain f64, to fail early; NaN has no side.
        for i in samples() {
            let phi = dot(normals.unit(i, end), minus(corner(i, end), q));
            let of_this = if 0.0 < phi { Side::Inside } else { Side::Outside };
            if *side.get_or_insert(of_this) != of_this {
                return None;
            }
        }
        Some(q)
    };
    let q = [at(0)?, at(1)?];
    side.map(|side| (q, side))
}

/// Returns whether all triangles are proven to be seen from `q` from this side throughout the step,
/// and to be off the ray of condition 3, with the axis at t = 0.
pub(super) fn all_are_seen(
    surface: Surface,
    triangles: &[Range<usize>],
    q: &Ends<f64>,
    axis: &[f64; 3],
    side: Side,
) -> bool {
    let corners = surface.hierarchy.corners();
    triangles.iter().all(|range| {
        let corners = &corners[range.clone()];
        dispatch!(Level::new(), simd => are_seen(simd, surface, corners, q, axis, side))
    })
}

#[inline(always)]
fn are_seen<S: Simd>(
    simd: S,
    surface: Surface,
    corners: &[[u32; 3]],
    q: &Ends<f64>,
    axis: &[f64; 3],
    side: Side,
) -> bool {
    let (vertices, lines) = (surface.hierarchy.vertices(), surface.lines);
    for corners in corners.chunks(LANES) {
        let gathered = gather(vertices, corners, lines, false);
        let load = |k: usize, i: usize| Lanes(f64x8::from_slice(simd, &gathered[k][i]));
        let corner = |k: usize, end: usize| [load(k, 3 * end), load(k, 3 * end + 1), load(k, 3 * end + 2)];
        let [a0, b0, c0] = [corner(0, 0), corner(1, 0), corner(2, 0)];
        let [a1, b1, c1] = [corner(0, 1), corner(1, 1), corner(2, 1)];
        let splat = |v: [f64; 3]| [a0[0].constant(v[0]), a0[0].constant(v[1]), a0[0].constant(v[2])];
        let from_q = |p: [Lanes<S>; 3], end: usize| minus(p, splat(q[end]));
        let phi = triple(
            &[from_q(a0, 0), from_q(a1, 1)],
            &[minus(b0, a0), minus(b1, a1)],
            &[minus(c0, a0), minus(c1, a1)],
        );
        let sign = phi.sign();
        let certain = if side == Side::Inside { sign.plus } else { sign.minus };
        if !certain.all_true() && !corners.iter().all(|&corners| is_seen(surface, corners, q, side)) {
            return false;
        }
        let (a, b, c, axis) = (from_q(a0, 0), from_q(b0, 0), from_q(c0, 0), splat(*axis));
        let off = triple_at(axis, a, b).sign().plus
            | triple_at(axis, b, c).sign().plus
            | triple_at(axis, c, a).sign().plus;
        if !off.all_true() {
            return false;
        }
    }
    true
}

/// The same for one triangle, with bisection.
fn is_seen(surface: Surface, corners: [u32; 3], q: &Ends<f64>, side: Side) -> bool {
    let [a, b, c] = corners.map(|place| {
        let vertex = surface.hierarchy.vertices()[place as usize];
        surface.lines[vertex as usize].ends()
    });
    side.is_certain(&triple(&super::from(q, &a), &super::from(&a, &b), &super::from(&a, &c)))
}
