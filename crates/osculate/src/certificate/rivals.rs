//! Earlier tests from the literature, each with its guarantee.

use super::cleared::{PatchTest, Surface, Workspace};
use super::cones::Cones;
use super::contour::Contour;
use super::masks::{Masks, closest};
use super::simple::{is_counterclockwise, stays_simple};
use super::star::is_star;
use super::stats::Stats;

/// Continuous normal cones, and a contour whose edges are compared in pairs (ICCD; Tang and others
/// 2009). Complete, for patches with one loop.
pub(crate) struct CbcTest<'a>(pub(crate) &'a Cones);

impl PatchTest for CbcTest<'_> {
    fn clears(&self, surface: Surface, node: u32, workspace: &mut Workspace) -> bool {
        let Some(cone) = self.0.cone(node) else { return false };
        workspace.stats.facing += 1;
        let Some((points, error)) = workspace.project(surface, node, cone.axis) else { return false };
        let is_simple = is_counterclockwise(points, error) && stays_simple(points, error);
        workspace.stats.simple += u64::from(is_simple);
        is_simple
    }
}

/// Normal cones and star-shaped contours at an instant (SCT; Schvartzman and others 2010). Complete
/// for crossings.
pub(crate) struct SctTest<'a>(pub(crate) &'a Cones);

impl PatchTest for SctTest<'_> {
    fn clears(&self, surface: Surface, node: u32, workspace: &mut Workspace) -> bool {
        let Some(cone) = self.0.cone(node) else { return false };
        workspace.stats.facing += 1;
        let Some((points, error)) = workspace.project(surface, node, cone.axis) else { return false };
        let points: Vec<[f64; 2]> = points.iter().map(|&[x, y, ..]| [x, y]).collect();
        let is_star = is_star(&points, error);
        workspace.stats.star += u64::from(is_star);
        is_star
    }
}

/// Continuous normal cones without a contour test (MCD; Tang and others 2010). A heuristic: a
/// spiral strip whose normals are within 14 degrees of an axis passes, and self-collides.
pub(crate) struct McdTest<'a>(pub(crate) &'a Cones);

impl PatchTest for McdTest<'_> {
    fn clears(&self, _: Surface, node: u32, workspace: &mut Workspace) -> bool {
        let faces = self.0.cone(node).is_some();
        workspace.stats.facing += u64::from(faces);
        faces
    }
}

/// A common direction of all normals, of a patch or of two that share a path of edges: hierarchical
/// self-collision tests by bit masks (HSC, the baseline of paper 003; Volino and Magnenat-Thalmann
/// 1994).
///
/// With the contour test and proven masks it is complete. Without it, as in the paper, it is a
/// heuristic.
pub(crate) struct HscTest<'a> {
    pub(crate) masks: &'a Masks,
    /// Whether contours are tested. The masks must be proven then.
    pub(crate) contour: bool,
}

impl HscTest<'_> {
    /// Whether the contour in the workspace is simple along a direction of the mask.
    fn proves(mask: u16, contour: &mut Contour, stats: &mut Stats) -> bool {
        let Some(direction) = contour.axis().and_then(|axis| closest(mask, axis)) else { return false };
        contour.project(direction);
        let proof = contour.prove(true);
        proof.into_iter().for_each(|proof| stats.count(proof));
        proof.is_some()
    }
}

impl PatchTest for HscTest<'_> {
    const ASKS_PAIRS: bool = true;
    const IS_PATIENT: bool = false;

    fn clears(&self, surface: Surface, node: u32, workspace: &mut Workspace) -> bool {
        let mask = self.masks.mask(node);
        let Workspace { contour, stats, .. } = workspace;
        stats.facing += u64::from(mask != 0);
        if mask == 0 || !self.contour {
            return mask != 0;
        }
        contour.clear();
        surface.patches.loops(node).for_each(|vertices| contour.push(surface.lines, vertices));
        HscTest::proves(mask, contour, stats)
    }

    /// Patches that meet at a vertex only are no patch: their triangles may touch although they all
    /// face one direction. So only pairs that are glued are tested.
    fn clears_pair(
        &self,
        surface: Surface,
        nodes: [u32; 2],
        vertices: &[u32],
        workspace: &mut Workspace,
    ) -> bool {
        let Workspace { contour, stats, .. } = workspace;
        let [a, b] = nodes.map(|node| self.masks.mask(node));
        let mask = a & b;
        stats.facing += u64::from(mask != 0);
        mask != 0
            && (!self.contour || {
                contour.clear();
                contour.push(surface.lines, vertices);
                HscTest::proves(mask, contour, stats)
            })
    }
}

impl Workspace {
    /// The contour of a node with one loop, projected along a unit axis, and an error bound of its
    /// coordinates.
    fn project(&mut self, surface: Surface, node: u32, axis: [f64; 3]) -> Option<(&[[f64; 4]], f64)> {
        let mut loops = surface.patches.loops(node);
        let (Some(vertices), 0) = (loops.next(), loops.len()) else { return None };
        self.contour.clear();
        self.contour.push(surface.lines, vertices);
        self.contour.project(axis.map(|x| x as f32));
        Some(self.contour.points())
    }
}
