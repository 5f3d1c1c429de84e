//! Bounded normals (paper 003): whether all triangles of a patch face one axis throughout the step,
//! from the maps that govern its vertices, in time that does not depend on how many there are.
//!
//! [`intervals`] are computed once per model. At a pose they give bounds of the [`gradient`]s of
//! all triangles of a patch, and these the least product of an axis with all of their normals
//! ([`facing`]). The axis is that of the normals at rest, deformed. Only if all normals face it are
//! the vertices of the contour placed, and the contour tested, as in the paper's own outlook: the
//! paper has no contour test, and misses contacts of patches that curl up in their plane.
//!
//! Patches of few triangles have most of their vertices on their contour. All of them are placed,
//! and each triangle is compared with the axis.
//!
//! Guarantee: what is proven holds for the positions that are computed in f64. With the contour
//! test a cleared patch does not self-collide; without it, that is a heuristic.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over the entries of several matrices become vector instructions"
)]

mod facets;
mod facing;
mod fit;
mod gradient;
mod intervals;

use self::gradient::Gradient;
use self::intervals::Kind;
use super::cleared::Workspace;
use super::contour::Contour;
use super::plug::{Asked, Verdict, Weighed};
use super::stats::Stats;
use super::union::Joined;
use crate::hierarchy::{Child, Hierarchy, Patches, WIDTH};
use crate::math::dispatch::dispatch;
use crate::math::vector::{cross, dot, minus};
use crate::motion::Line;
use fearless_simd::Level;
use std::sync::OnceLock;

pub(crate) use self::facing::Facing;
pub(crate) use self::gradient::Governing;
pub(crate) use self::intervals::NormalIntervals;

/// Proves that patches do not self-collide, in two parts: the first needs no vertices, and says
/// which ones the second needs.
#[derive(Clone, Copy)]
pub(crate) struct BoundedTest<'a> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) patches: &'a Patches,
    pub(crate) intervals: &'a NormalIntervals,
    /// The pose at the start of the step, and at its end if it is another one that counts.
    pub(crate) start: &'a Governing,
    pub(crate) end: Option<&'a Governing>,
    /// The bounds of these poses that have been computed; as many as there are intervals.
    pub(crate) bounds: &'a [OnceLock<Box<Facing>>],
    /// Whether contours are tested. If not, nothing is proven.
    pub(crate) contour: bool,
}

impl<'a> BoundedTest<'a> {
    /// Bounds of the normals of a patch, computed once for the poses.
    fn facing(&self, at: u32) -> &'a Facing {
        self.bounds[at as usize].get_or_init(|| {
            let rest = self.intervals.rest(at);
            let gradient = |pose| dispatch!(Level::new(), _simd => Gradient::new(self.intervals, rest, pose));
            Box::new(Facing::new(rest.cone, gradient(self.start), self.end.map(gradient)))
        })
    }

    /// Whether all triangles of a patch are proven to face an axis, by the bound of the patch, or
    /// by those of patches some levels below it.
    fn faces(&self, node: u32, axis: [f32; 3], levels: u32) -> bool {
        let Kind::Bound(at) = self.intervals.kind(node) else { return false };
        let mut lanes = 0..WIDTH;
        self.facing(at).faces(axis)
            || levels != 0
                && lanes.all(|lane| match self.hierarchy.child(node, lane) {
                    Child::None => true,
                    Child::Triangle(_) => false,
                    Child::Node(child) => self.faces(child, axis, levels - 1),
                })
    }

    /// What is known of a patch without its vertices.
    pub(super) fn weigh(&self, node: u32, stats: &mut Stats) -> Weighed {
        match self.intervals.kind(node) {
            Kind::Never => Weighed::Known(Verdict::Open),
            Kind::Exact => Weighed::Asks(Asked::default()),
            Kind::Bound(at) => match self.facing(at).axis().filter(|&axis| self.faces(node, axis, LEVELS)) {
                None => Weighed::Known(Verdict::Open),
                Some(_) if !self.contour => {
                    stats.facing += 1;
                    Weighed::Known(Verdict::Cleared)
                }
                axis => Weighed::Asks(Asked { axis, n_contour: 0 }),
            },
        }
    }

    /// Lists the vertices that [`confirm`](Self::confirm) needs.
    pub(super) fn list(&self, node: u32, vertices: &mut Vec<u32>) {
        self.patches.loops(node).for_each(|contour| vertices.extend_from_slice(contour));
        self.list_exact(node, vertices);
    }

    /// Lists the vertices of a patch whose triangles are compared one by one.
    fn list_exact(&self, node: u32, vertices: &mut Vec<u32>) {
        if self.intervals.kind(node) == Kind::Exact {
            let corners = self.hierarchy.corners_below(node).as_flattened();
            vertices.extend(corners.iter().map(|&v| self.hierarchy.vertices()[v as usize]));
        }
    }

    /// Whether a patch is proven not to self-collide, after its vertices were placed.
    pub(super) fn confirm(&self, node: u32, asked: Asked, lines: &[Line], workspace: &mut Workspace) -> bool {
        let Workspace { contour, stats, .. } = workspace;
        contour.clear();
        self.patches.loops(node).for_each(|vertices| contour.push(lines, vertices));
        self.proves(&[node], asked.axis, lines, contour, stats)
    }

    /// What is known of two patches, neither of which is below the other, without their vertices;
    /// lists the vertices that [`confirm_pair`](Self::confirm_pair) needs, those of the common
    /// contour first.
    pub(super) fn weigh_pair(
        &self,
        nodes: [u32; 2],
        workspace: &mut Workspace,
        vertices: &mut Vec<u32>,
    ) -> Weighed {
        match workspace.union.join(self.patches, nodes) {
            Joined::Apart => return Weighed::Known(Verdict::Hopeless),
            Joined::Several => return Weighed::Known(Verdict::Open),
            Joined::Loop => {}
        }
        let stats = &mut workspace.stats;
        stats.pairs += 1;
        let mut axis = None;
        match nodes.map(|node| self.intervals.kind(node)) {
            [Kind::Never, _] | [_, Kind::Never] => return Weighed::Known(Verdict::Open),
            [Kind::Bound(a), Kind::Bound(b)] => {
                let [n, m] = nodes.map(|node| self.hierarchy.range(node).len() as f32);
                let [Some(of_a), Some(of_b)] = [a, b].map(|at| self.facing(at).axis()) else {
                    return Weighed::Known(Verdict::Open);
                };
                let sum: [f32; 3] = std::array::from_fn(|i| n * of_a[i] + m * of_b[i]);
                let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
                let between = sum.map(|x| x / length);
                if !nodes.iter().all(|&node| self.faces(node, between, LEVELS)) {
                    return Weighed::Known(Verdict::Open);
                }
                if !self.contour {
                    stats.facing += 1;
                    stats.pairs_cleared += 1;
                    return Weighed::Known(Verdict::Cleared);
                }
                axis = Some(between);
            }
            _ => {}
        }
        let start = vertices.len();
        vertices.extend_from_slice(workspace.union.contour());
        let n_contour = (vertices.len() - start) as u32;
        nodes.iter().for_each(|&node| self.list_exact(node, vertices));
        Weighed::Asks(Asked { axis, n_contour })
    }

    /// Whether two patches are proven not to touch, after their vertices were placed.
    pub(super) fn confirm_pair(
        &self,
        nodes: [u32; 2],
        asked: Asked,
        vertices: &[u32],
        lines: &[Line],
        workspace: &mut Workspace,
    ) -> bool {
        let Workspace { contour, stats, .. } = workspace;
        contour.clear();
        contour.push(lines, &vertices[..asked.n_contour as usize]);
        let is_proven = self.proves(&nodes, asked.axis, lines, contour, stats);
        stats.pairs_cleared += u64::from(is_proven);
        is_proven
    }

    /// Whether patches that are glued along their contours, with this common contour, are proven
    /// not to self-collide; `axis` is one that all bounds face, if there is one.
    fn proves(
        &self,
        nodes: &[u32],
        axis: Option<[f32; 3]>,
        lines: &[Line],
        contour: &mut Contour,
        stats: &mut Stats,
    ) -> bool {
        // The area vector of the patch, which its contour gives, is mostly the better axis.
        let faces = |node: u32, axis: [f32; 3]| match self.intervals.kind(node) {
            Kind::Exact => self.faces_exactly(node, axis, lines),
            Kind::Never | Kind::Bound(_) => self.faces(node, axis, LEVELS),
        };
        let of_area = contour.axis().filter(|&axis| nodes.iter().all(|&node| faces(node, axis)));
        let of_bounds =
            || axis.filter(|&axis| nodes.iter().all(|&node| self.faces_exactly(node, axis, lines)));
        let axis = of_area.or_else(of_bounds);
        axis.is_some_and(|axis| self.has_simple_contour(axis, contour, stats))
    }

    /// Whether a contour is proven to be simple along an axis that all triangles face.
    fn has_simple_contour(&self, axis: [f32; 3], contour: &mut Contour, stats: &mut Stats) -> bool {
        stats.facing += 1;
        if !self.contour {
            return true;
        }
        contour.project(axis);
        let proof = contour.prove(true);
        proof.into_iter().for_each(|proof| stats.count(proof));
        proof.is_some()
    }

    /// Whether all triangles of a patch face an axis throughout the step, if they are to be
    /// compared one by one.
    fn faces_exactly(&self, node: u32, axis: [f32; 3], lines: &[Line]) -> bool {
        if self.intervals.kind(node) != Kind::Exact {
            return true;
        }
        let line = |v: u32| lines[self.hierarchy.vertices()[v as usize] as usize].ends();
        let mut triangles = self.hierarchy.corners_below(node).iter();
        triangles.all(|corners| faces(corners.map(line), axis, self.end.is_none()))
    }
}

/// Levels of patches below a patch whose bounds are tried. Normals and gradients of smaller patches
/// have smaller bounds; so larger patches pass, which have shorter contours in total.
const LEVELS: u32 = 2;

/// The product of an axis with a control normal is off by at most this multiple of the product of
/// two edges, also for an axis that is off by 2^-40: some 50 roundings of 2^-53.
const FACES: f64 = 1.0 / 274_877_906_944.0; // 2^-38

/// Whether a triangle faces an axis throughout the step, or at its start: all control normals have
/// a positive product with it, also if the axis is off by 2^-40.
fn faces(corners: [[[f64; 3]; 2]; 3], axis: [f32; 3], is_instant: bool) -> bool {
    let axis = axis.map(f64::from);
    let edge = |k: usize, end: usize| minus(corners[k][end], corners[0][end]);
    let largest = |v: [f64; 3]| v[0].abs().max(v[1].abs()).max(v[2].abs());
    let (e0, f0) = (edge(1, 0), edge(2, 0));
    let (e1, f1) = if is_instant { (e0, f0) } else { (edge(1, 1), edge(2, 1)) };
    let area = largest(e0).max(largest(e1)) * largest(f0).max(largest(f1));
    let least = FACES * area + 1e-200;
    least < dot(axis, cross(e0, f0))
        && (is_instant
            || least < dot(axis, cross(e1, f1))
                && least < 0.5 * (dot(axis, cross(e0, f1)) + dot(axis, cross(e1, f0))))
}

#[cfg(test)]
mod tests;
