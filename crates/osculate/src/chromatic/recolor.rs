//! Local recoloring after a cut: most primitives keep their colors.
//!
//! A vertex is unchanged if all primitives around it come from primitives around one old vertex; a
//! vertex that a cut has split in two is unchanged in this sense on both sides. A primitive keeps
//! its color if it, its neighbors, and all their vertices are unchanged. Then every primitive at
//! distance one or two comes from an old one at such a distance, so that two that keep their colors
//! satisfy the constraints because the old ones did. All others, within two rings of a change, are
//! colored anew around them.

use super::graph::Graph;
use super::primitives::{self, Primitives};
use super::{NONE, Size};
use crate::Mesh;

/// The old primitive of each old triangle, and its graph and colors.
pub(super) struct Old<'a> {
    pub(super) primitives: &'a Primitives,
    pub(super) graph: &'a Graph,
    pub(super) colors: &'a [u32],
}

/// Returns the primitives of a mesh, and for each the old one that it comes from or [`NONE`], no
/// old one twice. `from` has the old triangle of each triangle or [`NONE`]; missing entries, and
/// those that are not old triangles, count as [`NONE`], and so do those that occur twice.
///
/// The triangles of an old primitive remain a primitive as far as they are connected by edges.
/// Other triangles become new primitives, in pairs if the size allows it.
pub(super) fn inherit(
    mesh: &Mesh,
    rest: &[[f64; 3]],
    size: Size,
    old: &Primitives,
    from: &[u32],
) -> (Primitives, Vec<u32>) {
    let n = mesh.triangles().len();
    let n_old = old.of_triangle().len();
    let mut uses = vec![0u8; n_old];
    for &t in from.iter().take(n).filter(|&&t| (t as usize) < n_old) {
        uses[t as usize] = uses[t as usize].saturating_add(1);
    }
    // The old primitive of each triangle.
    let origin: Vec<u32> = (0..n)
        .map(|t| match from.get(t) {
            Some(&t) if uses.get(t as usize) == Some(&1) => old.of_triangle()[t as usize],
            _ => NONE,
        })
        .collect();
    let mut labels: Vec<u32> = (0..n as u32).collect();
    if size != Size::One {
        let mut is_done = vec![false; n];
        let mut open = Vec::new();
        for first in 0..n as u32 {
            if origin[first as usize] == NONE || is_done[first as usize] {
                continue;
            }
            is_done[first as usize] = true;
            open.push(first);
            while let Some(t) = open.pop() {
                labels[t as usize] = first;
                let sides = mesh.triangle_edges()[t as usize];
                for &u in sides.iter().flat_map(|&e| mesh.triangles_of_edge(e)) {
                    if origin[u as usize] == origin[t as usize] && !is_done[u as usize] {
                        is_done[u as usize] = true;
                        open.push(u);
                    }
                }
            }
        }
        // Those with an origin are their own mates, and take no part.
        let mates = origin.iter().zip(0..).map(|(&origin, t)| if origin == NONE { NONE } else { t });
        let own: Vec<u32> = (0..n as u32).collect();
        let order = primitives::longest_first(mesh, rest);
        let mates = primitives::greedy(mesh, &order, &own, mates.collect());
        for (label, mate) in labels.iter_mut().zip(primitives::join(&mates)) {
            *label = (*label).min(mate);
        }
    }
    let primitives = Primitives::of_labels(labels);
    let mut is_used = vec![false; old.len()];
    let origins = (0..primitives.len() as u32).map(|p| {
        let origin = origin[primitives.triangles(p)[0] as usize];
        let is_first = origin != NONE && !std::mem::replace(&mut is_used[origin as usize], true);
        if is_first { origin } else { NONE }
    });
    let origins = origins.collect();
    (primitives, origins)
}

/// Returns the colors of primitives that keep that of their origin, and [`NONE`] for the others.
pub(super) fn kept(graph: &Graph, origins: &[u32], old: &Old) -> Vec<u32> {
    let is_unchanged = |v: u32| {
        let origin = |p: u32| origins[p as usize];
        let around = graph.primitives(v);
        let Some(&first) = around.first() else { return true };
        around.iter().all(|&p| origin(p) != NONE)
            && (old.graph.vertices(origin(first)).iter())
                .any(|w| around.iter().all(|&p| old.graph.vertices(origin(p)).contains(w)))
    };
    let mut is_near = vec![false; graph.n_vertices()];
    for v in (0..graph.n_vertices() as u32).filter(|&v| !is_unchanged(v)) {
        for &w in graph.primitives(v).iter().flat_map(|&p| graph.vertices(p)) {
            is_near[w as usize] = true;
        }
    }
    let color = |p: u32| {
        let is_kept = graph.vertices(p).iter().all(|&v| !is_near[v as usize]);
        if is_kept { old.colors[origins[p as usize] as usize] } else { NONE }
    };
    (0..graph.len() as u32).map(color).collect()
}
