//! Earlier tests from the literature, each with its guarantee.

use super::cleared::{PatchTest, Surface, Workspace};
use super::cones::Cones;
use super::masks::Masks;
use super::plug::Verdict;
use super::simple::{is_counterclockwise, stays_simple};
use super::star::is_star;
use super::union::Joined;

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

/// A common direction of all normals, of a patch or of two that share a path of edges, without a
/// contour test (VMT94; Volino and Magnenat-Thalmann 1994). A heuristic.
pub(crate) struct Vmt94Test<'a>(pub(crate) &'a Masks);

impl PatchTest for Vmt94Test<'_> {
    const ASKS_PAIRS: bool = true;

    fn clears(&self, _: Surface, node: u32, workspace: &mut Workspace) -> bool {
        let faces = self.0.mask(node) != 0;
        workspace.stats.facing += u64::from(faces);
        faces
    }

    fn clears_pair(&self, surface: Surface, nodes: [u32; 2], workspace: &mut Workspace) -> Verdict {
        match workspace.union.join(surface.patches, nodes) {
            Joined::Apart => return Verdict::Hopeless,
            Joined::Several => return Verdict::Open,
            Joined::Loop => {}
        }
        let [a, b] = nodes.map(|node| self.0.mask(node));
        let faces = a & b != 0;
        workspace.stats.pairs += 1;
        workspace.stats.facing += u64::from(faces);
        workspace.stats.pairs_cleared += u64::from(faces);
        if faces { Verdict::Cleared } else { Verdict::Open }
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
