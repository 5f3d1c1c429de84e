//! Virtual caps: surfaces with holes are closed by fans of triangles from their rims to the means
//! of the rims (docs/methods/radial-view.md, caps).
//!
//! A fan over a rim closes any surface, including one that branches or is not oriented: each edge
//! is on as many triangles as its traversals in the two directions differ. The caps move linearly
//! with the step, as the rims do. They are not tested for contacts: every triangle that may touch
//! one during the step counts as uncertain.

use super::tree::{ClusterTree, Rim};
use crate::bounds::{Bounds, Projection, Reach, Slabs};
use crate::hierarchy::{Child, Hierarchy};
use crate::motion::Line;

/// The triangles whose bounds overlap those of a cap during the step, ascending.
pub(crate) fn near_caps<const N: usize>(
    tree: &ClusterTree,
    bounds: &Bounds<N>,
    lines: &[Line],
    reach: Reach,
) -> Vec<u32> {
    let projection = Projection::<N>::new(reach);
    let mut near = Vec::new();
    for rim in &tree.rims {
        let middle = mean(rim, lines);
        for edge in &rim.edges {
            let [a, b] = edge.map(|v| lines[v as usize].ends());
            overlapping(&tree.hierarchy, bounds, &projection.of_triangle([a, b, middle]), &mut near);
        }
    }
    near.sort_unstable();
    near.dedup();
    near
}

/// The mean of the vertices of a rim, at both ends of the step. Its accuracy does not matter: it
/// defines the cap.
fn mean(rim: &Rim, lines: &[Line]) -> [[f64; 3]; 2] {
    let share = 1.0 / rim.vertices.len() as f64;
    let mut mean = [[0.0; 3]; 2];
    for &v in &rim.vertices {
        let ends = lines[v as usize].ends();
        for (mean, end) in mean.iter_mut().zip(ends) {
            (0..3).for_each(|i| mean[i] += share * end[i]);
        }
    }
    mean
}

/// Adds the triangles whose bounds overlap the given ones.
fn overlapping<const N: usize>(
    hierarchy: &Hierarchy,
    bounds: &Bounds<N>,
    cap: &Slabs<N>,
    near: &mut Vec<u32>,
) {
    let mut stack = vec![0];
    while let Some(node) = stack.pop() {
        let mut lanes = bounds.node(node).overlaps(cap);
        while lanes != 0 {
            match hierarchy.child(node, lanes.trailing_zeros() as usize) {
                Child::Node(child) => stack.push(child),
                Child::Triangle(t) => near.push(t),
                Child::None => {}
            }
            lanes &= lanes - 1;
        }
    }
}
