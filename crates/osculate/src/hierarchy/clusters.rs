//! A tree for each cluster of triangles, under a tree of the clusters (paper 000, section 4.4).

use super::build::{Grown, graft, subtree};
use super::planes::{self, Item};
use super::{Hierarchy, WIDTH};
use crate::Mesh;
use crate::threads;

/// A cluster with its tree.
struct Cluster {
    grown: Option<Grown>,
    n_triangles: usize,
    center: [f32; 3],
}

/// Returns the tree over the triangles of `mesh` at a pose in which each cluster has its own node.
/// The trees of clusters are split by surface area, the tree above them at the median of their
/// centers.
///
/// The tree does not depend on the number of threads.
pub(crate) fn build_clusters(mesh: &Mesh, positions: &[[f64; 3]], of_triangle: &[u32]) -> Hierarchy {
    let mut items = planes::items(mesh, positions);
    if items.is_empty() {
        return Hierarchy::default();
    }
    let cluster_of = |item: &Item| of_triangle[item.triangle as usize];
    items.sort_by_key(cluster_of);
    let parts: Vec<&mut [Item]> = items.chunk_by_mut(|a, b| cluster_of(a) == cluster_of(b)).collect();
    let mut clusters: Vec<Cluster> = threads::map(parts, |part| {
        let center = part.iter().fold([0.0; 3], |sum, item| [0, 1, 2].map(|i| sum[i] + item.center()[i]));
        let n_triangles = part.len();
        let grown = match part {
            [leaf] => Grown::Leaf(leaf.triangle),
            part => {
                Grown::Tree(subtree(part, WIDTH, &planes::by_surface_area, &mut planes::Scratch::default()))
            }
        };
        Cluster { grown: Some(grown), n_triangles, center: center.map(|x| x / n_triangles as f32) }
    });
    let mut tree = match join(&mut clusters) {
        Grown::Tree(tree) => tree,
        leaf @ Grown::Leaf(_) => graft(vec![leaf], 1),
    };
    tree.number_vertices(mesh);
    tree
}

/// The tree over one or more clusters.
fn join(clusters: &mut [Cluster]) -> Grown {
    if let [one] = clusters {
        return one.grown.take().expect("each cluster is taken once");
    }
    let n_triangles = clusters.iter().map(|cluster| cluster.n_triangles).sum();
    let mut parts = vec![clusters];
    while parts.len() < WIDTH {
        let Some(largest) = (0..parts.len()).filter(|&i| 1 < parts[i].len()).max_by_key(|&i| parts[i].len())
        else {
            break;
        };
        let (left, right) = halve(parts.remove(largest));
        parts.insert(largest, right);
        parts.insert(largest, left);
    }
    Grown::Tree(graft(parts.into_iter().map(join).collect(), n_triangles))
}

/// Splits clusters in two halves along the longest extent of their centers.
fn halve(clusters: &mut [Cluster]) -> (&mut [Cluster], &mut [Cluster]) {
    let extent = |i: usize| {
        let (mut lo, mut hi) = (f32::INFINITY, f32::NEG_INFINITY);
        for cluster in clusters.iter() {
            (lo, hi) = (lo.min(cluster.center[i]), hi.max(cluster.center[i]));
        }
        hi - lo
    };
    let axis = (1..3).fold(0, |best, i| if extent(best) < extent(i) { i } else { best });
    clusters.sort_by(|a, b| a.center[axis].total_cmp(&b.center[axis]));
    clusters.split_at_mut(clusters.len() / 2)
}
