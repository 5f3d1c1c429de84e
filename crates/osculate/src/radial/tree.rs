//! Data computed once for the clusters of a model: their hierarchy, their borders, and the rims of
//! the surface.

use super::follow::Follower;
use super::{Clusters, Observer};
use crate::Mesh;
use crate::feature::{Orphans, Representatives};
use crate::hierarchy::{Child, Hierarchy, WIDTH, build_clusters};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A node with triangles of several clusters.
pub(crate) const SEVERAL: u32 = u32::MAX;

/// A side without a neighbor.
pub(crate) const NONE: u32 = u32::MAX;

/// Clusters with their hierarchy. A cluster with triangles of several components of the mesh is
/// split by component: the argument about two classes applies to one closed surface.
#[derive(Clone, Debug)]
pub(crate) struct ClusterTree {
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(crate) clusters: Vec<Cluster>,
    /// The cluster of each triangle.
    pub(crate) of_triangle: Vec<u32>,
    /// The position of each triangle in depth-first order.
    pub(crate) place_of: Vec<u32>,
    /// The slot of each triangle: lane `slot % WIDTH` of node `slot / WIDTH`.
    pub(crate) slot_of: Vec<u32>,
    /// The slot of each node except the root.
    pub(crate) above: Vec<u32>,
    /// The cluster of each node, or [`SEVERAL`].
    pub(crate) of_node: Vec<u32>,
    /// For each vertex, whether it is on triangles of several clusters.
    pub(crate) is_border: Vec<bool>,
    /// For each triangle, whether it has a vertex on a border.
    pub(crate) has_border: Vec<bool>,
    /// For each triangle, whether no adjacent triangle has a vertex on a border.
    pub(crate) is_inner: Vec<bool>,
    pub(crate) orphans: Orphans,
    pub(crate) rims: Vec<Rim>,
    /// For each triangle, its neighbor across each side: [`NONE`] unless exactly these two have the
    /// edge, in opposite directions.
    pub(crate) neighbors: Vec<[u32; 3]>,
}

/// A cluster.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    /// Its triangles, in depth-first order.
    pub(crate) range: Range<usize>,
    pub(crate) observer: Observer,
    /// How the observer follows the vertices of the cluster: a point, or the two ends of a segment.
    pub(crate) follower: Follower,
}

/// A connected part of the boundary of the surface: edges that triangles do not traverse equally
/// often in both directions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rim {
    pub(crate) vertices: Vec<u32>,
    pub(crate) edges: Vec<[u32; 2]>,
}

impl ClusterTree {
    /// Prepares the clusters of a mesh at its rest pose.
    pub(crate) fn new(
        mesh: &Mesh,
        rest: &[[f64; 3]],
        representatives: &Representatives,
        given: &Clusters,
    ) -> ClusterTree {
        // Numbered by first appearance.
        let mut numbers: HashMap<[u32; 2], u32> = HashMap::new();
        let mut observers = Vec::new();
        let of_triangle: Vec<u32> = std::iter::zip(given.of_triangles(), mesh.components())
            .map(|(&cluster, &component)| {
                *numbers.entry([cluster, component]).or_insert_with(|| {
                    observers.push(given.observers()[cluster as usize]);
                    observers.len() as u32 - 1
                })
            })
            .collect();
        let hierarchy = build_clusters(mesh, rest, &of_triangle);
        let of_node = clusters_of_nodes(&hierarchy, &of_triangle);
        let mut ranges = vec![0..0; observers.len()];
        for (i, &t) in hierarchy.triangles().iter().enumerate() {
            let range: &mut Range<usize> = &mut ranges[of_triangle[t as usize] as usize];
            *range = if range.end == 0 { i..i + 1 } else { range.start..i + 1 };
        }
        let clusters = std::iter::zip(ranges, observers).map(|(range, observer)| {
            let triangles = &hierarchy.triangles()[range.clone()];
            let follower = Follower::new(mesh, rest, triangles, observer, given.joints());
            Cluster { range, observer, follower }
        });
        let clusters = clusters.collect();
        let is_border: Vec<bool> = (0..mesh.n_vertices() as u32)
            .map(|v| {
                let star = mesh.triangles_of_vertex(v);
                star.iter().any(|&t| of_triangle[t as usize] != of_triangle[star[0] as usize])
            })
            .collect();
        let has_border: Vec<bool> =
            mesh.triangles().iter().map(|c| c.iter().any(|&v| is_border[v as usize])).collect();
        let is_near_border: Vec<bool> = (0..mesh.n_vertices() as u32)
            .map(|v| mesh.triangles_of_vertex(v).iter().any(|&t| has_border[t as usize]))
            .collect();
        let is_inner = mesh.triangles().iter().map(|c| !c.iter().any(|&v| is_near_border[v as usize]));
        let is_inner = is_inner.collect();
        let orphans = Orphans::of(mesh, representatives, &of_triangle);
        let (neighbors, rims) = (neighbors(mesh), rims(mesh));
        let mut place_of = vec![0; of_triangle.len()];
        for (place, &t) in (0..).zip(hierarchy.triangles()) {
            place_of[t as usize] = place;
        }
        let (mut slot_of, mut above) = (vec![0; of_triangle.len()], vec![0; hierarchy.n_nodes()]);
        for slot in 0..(WIDTH * hierarchy.n_nodes()) as u32 {
            match hierarchy.child(slot / WIDTH as u32, slot as usize % WIDTH) {
                Child::Triangle(t) => slot_of[t as usize] = slot,
                Child::Node(node) => above[node as usize] = slot,
                Child::None => {}
            }
        }
        let hierarchy = Arc::new(hierarchy);
        ClusterTree {
            hierarchy,
            clusters,
            of_triangle,
            place_of,
            slot_of,
            above,
            of_node,
            is_border,
            has_border,
            is_inner,
            orphans,
            rims,
            neighbors,
        }
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let of_rim = |rim: &Rim| size_of_val(rim.vertices.as_slice()) + size_of_val(rim.edges.as_slice());
        self.hierarchy.memory_bytes()
            + self.clusters.iter().map(|c| size_of::<Cluster>() + c.follower.memory_bytes()).sum::<usize>()
            + size_of_val(self.of_triangle.as_slice())
            + size_of_val(self.place_of.as_slice())
            + size_of_val(self.slot_of.as_slice())
            + size_of_val(self.above.as_slice())
            + size_of_val(self.of_node.as_slice())
            + size_of_val(self.is_border.as_slice())
            + size_of_val(self.has_border.as_slice())
            + size_of_val(self.is_inner.as_slice())
            + self.orphans.memory_bytes()
            + self.rims.iter().map(of_rim).sum::<usize>()
            + size_of_val(self.neighbors.as_slice())
    }
}

fn clusters_of_nodes(hierarchy: &Hierarchy, of_triangle: &[u32]) -> Vec<u32> {
    let of_node = |node: u32| {
        // The triangles of a cluster are contiguous, so the two ends suffice.
        let below = hierarchy.triangles_below(node);
        let [first, last] = [below[0], below[below.len() - 1]].map(|t| of_triangle[t as usize]);
        if first == last { first } else { SEVERAL }
    };
    (0..hierarchy.n_nodes() as u32).map(of_node).collect()
}

/// The neighbors of each triangle across its sides.
fn neighbors(mesh: &Mesh) -> Vec<[u32; 3]> {
    let across = |t: u32| {
        [0, 1, 2].map(|k| match *mesh.triangles_of_edge(mesh.triangle_edges()[t as usize][k]) {
            [a, b] if direction(mesh, a, t, k) != direction(mesh, b, t, k) => a ^ b ^ t,
            _ => NONE,
        })
    };
    (0..mesh.triangles().len() as u32).map(across).collect()
}

/// Whether a triangle traverses the side `k` of triangle `of` from its first to its last vertex.
fn direction(mesh: &Mesh, triangle: u32, of: u32, k: usize) -> bool {
    let corners = mesh.triangles()[of as usize];
    passes(mesh.triangles()[triangle as usize], [corners[k], corners[(k + 1) % 3]])
}

fn passes(corners: [u32; 3], edge: [u32; 2]) -> bool {
    (0..3).any(|k| [corners[k], corners[(k + 1) % 3]] == edge)
}

/// The rims of a mesh, each connected by shared vertices.
fn rims(mesh: &Mesh) -> Vec<Rim> {
    let is_open = |&(e, edge): &(u32, [u32; 2])| {
        let around = mesh.triangles_of_edge(e);
        let n_forth = around.iter().filter(|&&t| passes(mesh.triangles()[t as usize], edge)).count();
        2 * n_forth != around.len()
    };
    let open: Vec<[u32; 2]> =
        (0..).zip(mesh.edges().iter().copied()).filter(is_open).map(|(_, edge)| edge).collect();
    // For each vertex on a rim, its open edges.
    let mut at_vertex: HashMap<u32, Vec<usize>> = HashMap::new();
    for (i, edge) in open.iter().enumerate() {
        edge.iter().for_each(|&v| at_vertex.entry(v).or_default().push(i));
    }
    let mut is_taken = vec![false; open.len()];
    let mut rims = Vec::new();
    for first in 0..open.len() {
        if is_taken[first] {
            continue;
        }
        is_taken[first] = true;
        let (mut rim, mut waiting) = (Rim::default(), vec![first]);
        while let Some(i) = waiting.pop() {
            rim.edges.push(open[i]);
            for v in open[i] {
                for &other in at_vertex.remove(&v).iter().flatten() {
                    if !is_taken[other] {
                        is_taken[other] = true;
                        waiting.push(other);
                    }
                }
            }
        }
        rim.vertices = rim.edges.concat();
        rim.vertices.sort_unstable();
        rim.vertices.dedup();
        rims.push(rim);
    }
    rims
}
