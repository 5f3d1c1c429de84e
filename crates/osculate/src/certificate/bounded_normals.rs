//! Bounded normals (paper 003): whether all triangles of a patch face one axis throughout the step,
//! from the maps that govern its vertices, in time that does not depend on how many there are.
//!
//! [`intervals`] are computed once per model. At a pose they give bounds of the [`gradient`]s of
//! all triangles of a patch, and these the least product of an axis with all of their normals
//! ([`facing`]). The axis is that of the normals at rest, deformed. Only if all normals face it are
//! the vertices of the contour placed, and the contour tested, as in the paper's own outlook: the
//! paper has no contour test, and misses contacts of patches that curl up in their plane.
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
use super::contour::Proof;
use super::plug::{Asked, Verdict, Weighed};
use super::stats::Stats;
use crate::hierarchy::{Child, Hierarchy, Patches, WIDTH};
use crate::math::dispatch::dispatch;
use crate::motion::Line;
use fearless_simd::Level;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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
    /// Which of them are used.
    pub(crate) used: &'a [AtomicBool],
    /// Whether contours are tested. If not, nothing is proven.
    pub(crate) contour: bool,
}

impl<'a> BoundedTest<'a> {
    /// Bounds of the normals of a patch, which are used.
    fn facing(&self, at: u32) -> &'a Facing {
        self.used[at as usize].store(true, Relaxed);
        self.bound(at)
    }

    /// Bounds of the normals of a patch, computed once for the poses.
    pub(crate) fn bound(&self, at: u32) -> &'a Facing {
        self.bounds[at as usize].get_or_init(|| {
            let cone = self.intervals.rest(at).cone;
            let end = self.end.map(|end| self.gradient(at, end));
            Box::new(Facing::new(cone, self.gradient(at, self.start), end))
        })
    }

    fn gradient(&self, at: u32, pose: &Governing) -> Gradient {
        let rest = self.intervals.rest(at);
        dispatch!(Level::new(), _simd => Gradient::new(self.intervals, rest, pose))
    }

    /// Computes the bounds of the normals of a patch; from those of a step that ended where this
    /// one starts, if there are any.
    pub(crate) fn go_on(&self, at: u32, last: Option<Box<Facing>>) {
        match (last, self.end) {
            (Some(mut last), Some(end)) => {
                last.go_on(self.gradient(at, end));
                _ = self.bounds[at as usize].set(last);
            }
            _ => _ = self.bound(at),
        }
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
        let Kind::Bound(at) = self.intervals.kind(node) else { return Weighed::Known(Verdict::Open) };
        let axis = self.facing(at).axis().filter(|&axis| self.faces(node, axis, LEVELS));
        self.weighed(axis, stats)
    }

    fn weighed(&self, axis: Option<[f32; 3]>, stats: &mut Stats) -> Weighed {
        let Some(axis) = axis else { return Weighed::Known(Verdict::Open) };
        stats.facing += 1;
        if self.contour { Weighed::Asks(Asked { axis }) } else { Weighed::Known(Verdict::Cleared) }
    }

    /// Lists the vertices that [`confirm`](Self::confirm) needs.
    pub(super) fn list(&self, node: u32, vertices: &mut Vec<u32>) {
        self.patches.loops(node).for_each(|contour| vertices.extend_from_slice(contour));
    }

    /// Whether a patch is proven not to self-collide, after its vertices were placed.
    pub(super) fn confirm(&self, node: u32, asked: Asked, lines: &[Line], workspace: &mut Workspace) -> bool {
        self.proves(&[node], self.patches.loops(node), asked.axis, lines, workspace)
    }

    /// What is known of two patches that are glued to one with this contour, without their
    /// vertices; lists those that [`confirm_pair`](Self::confirm_pair) needs.
    pub(super) fn weigh_pair(
        &self,
        nodes: [u32; 2],
        contour: &[u32],
        stats: &mut Stats,
        vertices: &mut Vec<u32>,
    ) -> Weighed {
        stats.pairs += 1;
        let weighed = self.weighed(self.axis_between(nodes), stats);
        match weighed {
            Weighed::Known(Verdict::Cleared) => stats.pairs_cleared += 1,
            Weighed::Known(_) => {}
            Weighed::Asks(_) => vertices.extend_from_slice(contour),
        }
        weighed
    }

    /// An axis that two patches face, if the one between theirs is.
    fn axis_between(&self, nodes: [u32; 2]) -> Option<[f32; 3]> {
        let mut sum = [0.0; 3];
        for node in nodes {
            let Kind::Bound(at) = self.intervals.kind(node) else { return None };
            let (axis, n) = (self.facing(at).axis()?, self.hierarchy.range(node).len() as f32);
            (0..3).for_each(|i| sum[i] += n * axis[i]);
        }
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        let between = sum.map(|x| x / length);
        nodes.iter().all(|&node| self.faces(node, between, LEVELS)).then_some(between)
    }

    /// Whether two patches are proven not to touch, after the vertices of their contour were
    /// placed.
    pub(super) fn confirm_pair(
        &self,
        nodes: [u32; 2],
        asked: Asked,
        vertices: &[u32],
        lines: &[Line],
        workspace: &mut Workspace,
    ) -> bool {
        let is_proven = self.proves(&nodes, [vertices].into_iter(), asked.axis, lines, workspace);
        workspace.stats.pairs_cleared += u64::from(is_proven);
        is_proven
    }

    /// Whether patches that are glued along their contours to one with these loops, and that face
    /// an axis, are proven not to self-collide.
    fn proves<'l>(
        &self,
        nodes: &[u32],
        loops: impl ExactSizeIterator<Item = &'l [u32]> + Clone,
        axis: [f32; 3],
        lines: &[Line],
        workspace: &mut Workspace,
    ) -> bool {
        let Workspace { contour, stats, .. } = workspace;
        if loops.len() == 1
            && let Some(vertices) = loops.clone().next()
            && contour.is_monotone(lines, vertices, axis)
        {
            stats.count(Proof::Monotone);
            return true;
        }
        // The area vector of the patch, which its contour gives, may be the better axis.
        contour.clear();
        loops.for_each(|vertices| contour.push(lines, vertices));
        let of_area = contour.axis().filter(|&axis| nodes.iter().all(|&node| self.faces(node, axis, LEVELS)));
        contour.project(of_area.unwrap_or(axis));
        let proof = contour.prove(true);
        proof.into_iter().for_each(|proof| stats.count(proof));
        proof.is_some()
    }
}

/// Levels of patches below a patch whose bounds are tried. Normals and gradients of smaller patches
/// have smaller bounds; so larger patches pass, which have shorter contours in total.
const LEVELS: u32 = 5;

#[cfg(test)]
mod tests;
