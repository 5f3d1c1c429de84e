//! The test of this library: every triangle of a patch faces one axis throughout the step, and its
//! contour is simple along it (docs/methods/normal-cone.md).
//!
//! The axis is the area vector of the patch, which follows from its contour alone. So no cones are
//! merged: the normals of all triangles of the patch, in one contiguous row, are compared with the
//! axis, and the cone around the axis is as narrow as possible.
//!
//! Two adjacent patches whose contours share one path are glued along it and tested as one patch. A
//! patch that fails may be tested as seen from a point ([`radial_contour`](super::radial_contour)).

use super::cleared::{PatchTest, Surface, Workspace};
use super::contour::Contour;
use super::normals::Normals;
use super::stats::Stats;
use std::ops::Range;

/// Longer contours are not tested by comparing their edges in pairs.
const LONGEST: usize = 64;

/// Proves that patches do not self-collide.
#[derive(Clone, Copy)]
pub(crate) struct ConeTest<'a> {
    pub(crate) normals: &'a Normals,
    /// Whether a second kernel point is tried.
    pub(crate) second_kernel: bool,
    /// Whether the edges of short contours are compared in pairs, if all else fails.
    pub(crate) simple: bool,
    /// Whether a patch that fails is tested as seen from a point. Pairs of patches are not.
    pub(crate) radial: bool,
}

impl ConeTest<'_> {
    /// Whether a patch of these triangles with this contour is proven not to self-collide.
    fn proves(&self, triangles: &[Range<usize>], contour: &mut Contour, stats: &mut Stats) -> bool {
        let Some(axis) = contour.axis() else { return false };
        if !triangles.iter().all(|range| self.normals.all_face(range.clone(), axis)) {
            return false;
        }
        stats.facing += 1;
        contour.project(axis);
        match contour.prove(self.second_kernel) {
            Some(proof) => stats.count(proof),
            None if self.simple && contour.is_simple(LONGEST) => stats.simple += 1,
            None => return false,
        }
        true
    }
}

impl PatchTest for ConeTest<'_> {
    const ASKS_PAIRS: bool = true;

    fn clears(&self, surface: Surface, node: u32, workspace: &mut Workspace) -> bool {
        let Workspace { contour, radial, stats, .. } = workspace;
        contour.clear();
        for vertices in surface.patches.loops(node) {
            contour.push(surface.lines, vertices);
        }
        let triangles = [surface.hierarchy.range(node)];
        if self.proves(&triangles, contour, stats) {
            return true;
        }
        if !self.radial {
            return false;
        }
        radial.clear();
        surface.patches.loops(node).for_each(|vertices| radial.push(vertices));
        let is_proven = radial.proves(self.normals, surface, &triangles);
        stats.radial += u64::from(is_proven);
        is_proven
    }

    fn clears_pair(
        &self,
        surface: Surface,
        nodes: [u32; 2],
        vertices: &[u32],
        workspace: &mut Workspace,
    ) -> bool {
        let Workspace { contour, stats, .. } = workspace;
        contour.clear();
        contour.push(surface.lines, vertices);
        self.proves(&nodes.map(|node| surface.hierarchy.range(node)), contour, stats)
    }
}

#[cfg(test)]
mod tests;
