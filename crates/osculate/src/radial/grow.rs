//! Clusters without a skeleton: parts of the surface that face away from some point
//! (docs/methods/radial-view.md).
//!
//! From the root of the tree of patches down, a patch becomes a cluster if there is a point from
//! which nearly all of it is seen from the inside. Then adjacent clusters are merged as long as
//! there is such a point for both, those with the longest border first. The work is bounded, and
//! the result is deterministic. Any partition is correct; a good one has few clusters, and few
//! triangles that do not face away from the point.

mod merge;

use self::merge::merge;
use super::clusters::{Clusters, Observer};
use super::seek::Seeker;
use crate::Mesh;
use crate::hierarchy::{Child, Hierarchy, WIDTH};

/// Patches of at most this many triangles become clusters unconditionally.
const SMALL: usize = 32;

/// Returns clusters of a mesh at its rest pose, each with a free observer: a partition of the
/// triangles, numbered in the order of their first triangles.
///
/// `hierarchy` is a tree of patches of the mesh. A cluster of more than [`SMALL`] triangles is
/// within one component of the mesh.
pub(crate) fn grow(mesh: &Mesh, rest: &[[f64; 3]], hierarchy: &Hierarchy) -> Clusters {
    let mut seeker = Seeker::new(mesh, 0..mesh.triangles().len() as u32, |v| rest[v as usize]);
    let mut parts: Vec<Vec<u32>> = Vec::new();
    let mut open = if hierarchy.n_nodes() == 0 { Vec::new() } else { vec![0] };
    while let Some(node) = open.pop() {
        let triangles = hierarchy.triangles_below(node);
        let is_one_piece = || {
            let component = mesh.components()[triangles[0] as usize];
            triangles.iter().all(|&t| mesh.components()[t as usize] == component)
        };
        if triangles.len() <= SMALL || is_one_piece() && seeker.sees(&[triangles]) {
            parts.push(triangles.to_vec());
            continue;
        }
        for lane in (0..WIDTH).rev() {
            match hierarchy.child(node, lane) {
                Child::Node(child) => open.push(child),
                Child::Triangle(triangle) => parts.push(vec![triangle]),
                Child::None => {}
            }
        }
    }
    let mut of_triangle = merge(mesh, parts, &mut seeker);
    let mut numbers = vec![u32::MAX; of_triangle.len()];
    let mut n_clusters = 0;
    for cluster in &mut of_triangle {
        let number = &mut numbers[*cluster as usize];
        if *number == u32::MAX {
            *number = n_clusters;
            n_clusters += 1;
        }
        *cluster = *number;
    }
    Clusters::of_parts(of_triangle, vec![Observer::Free; n_clusters as usize])
}

#[cfg(test)]
mod tests;
