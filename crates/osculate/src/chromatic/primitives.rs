//! Primitives: clusters of one, two or four triangles (paper 001, section 8, names clusters as
//! future work).
//!
//! Fewer and larger primitives mean fewer colors. Any partition is correct. A good one has few
//! clusters, and turns a triangulated grid back into its quads, so that it can be colored as a
//! grid.

use super::rows::Rows;
use super::{NONE, Size};
use crate::Mesh;

/// A partition of the triangles of a mesh into edge-connected clusters, numbered in the order of
/// their first triangles.
#[derive(Clone, Debug)]
pub(super) struct Primitives {
    of_triangle: Vec<u32>,
    /// The triangles of each cluster, ascending.
    triangles: Rows,
}

impl Primitives {
    /// Clusters of at most `size` triangles. `rest` has the positions of the vertices at rest,
    /// which only choose between partitions; a missing one counts as the origin.
    pub(super) fn of(mesh: &Mesh, rest: &[[f64; 3]], size: Size) -> Primitives {
        let n = mesh.triangles().len();
        if size == Size::One {
            return Primitives { of_triangle: (0..n as u32).collect(), triangles: Rows::identity(n) };
        }
        let order = longest_first(mesh, rest);
        let pairs = Primitives::of_labels(join(&pair(mesh, &order)));
        if size == Size::Two { pairs } else { pairs.paired(mesh, &order) }
    }

    /// The partition with one cluster for each label; labels are below the number of triangles.
    pub(super) fn of_labels(mut labels: Vec<u32>) -> Primitives {
        let mut numbers = vec![NONE; labels.len()];
        let mut n_clusters = 0;
        for label in &mut labels {
            let number = &mut numbers[*label as usize];
            if *number == NONE {
                *number = n_clusters;
                n_clusters += 1;
            }
            *label = *number;
        }
        let triangles = Rows::group(n_clusters as usize, labels.iter().copied().zip(0..));
        Primitives { of_triangle: labels, triangles }
    }

    /// Two clusters each become one, across the longest edges.
    fn paired(&self, mesh: &Mesh, order: &[u32]) -> Primitives {
        let label = join(&greedy(mesh, order, &self.of_triangle, vec![NONE; self.len()]));
        Primitives::of_labels(self.of_triangle.iter().map(|&cluster| label[cluster as usize]).collect())
    }

    /// Number of clusters.
    pub(super) fn len(&self) -> usize {
        self.triangles.len()
    }

    /// The cluster of each triangle.
    pub(super) fn of_triangle(&self) -> &[u32] {
        &self.of_triangle
    }

    /// The triangles of a cluster, ascending.
    pub(super) fn triangles(&self, cluster: u32) -> &[u32] {
        self.triangles.row(cluster)
    }

    /// Heap memory in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(self.of_triangle.as_slice()) + self.triangles.memory_bytes()
    }
}

/// The edges of two or more triangles, longest first, equal ones by index.
pub(super) fn longest_first(mesh: &Mesh, rest: &[[f64; 3]]) -> Vec<u32> {
    let position = |v: u32| rest.get(v as usize).copied().unwrap_or_default();
    let squared_length = |[a, b]: [u32; 2]| {
        let (a, b) = (position(a), position(b));
        (0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum::<f64>()
    };
    let inner = (0..mesh.edges().len() as u32).filter(|&e| 2 <= mesh.triangles_of_edge(e).len());
    let mut order: Vec<(f64, u32)> = inner.map(|e| (squared_length(mesh.edges()[e as usize]), e)).collect();
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, e)| e).collect()
}

/// Pairs groups of triangles that share an edge, in the order of the edges. `mates` has the mate of
/// each group, or [`NONE`]; a group that is its own mate stays alone.
pub(super) fn greedy(mesh: &Mesh, order: &[u32], group: &[u32], mut mates: Vec<u32>) -> Vec<u32> {
    for &e in order {
        let mut waiting = NONE;
        for &t in mesh.triangles_of_edge(e) {
            let g = group[t as usize];
            if mates[g as usize] != NONE || g == waiting {
                continue;
            }
            if waiting == NONE {
                waiting = g;
            } else {
                mates[g as usize] = waiting;
                mates[waiting as usize] = g;
                waiting = NONE;
            }
        }
    }
    mates
}

/// The label of each group: the smaller index of it and its mate.
pub(super) fn join(mates: &[u32]) -> Vec<u32> {
    mates.iter().zip(0..).map(|(&mate, g)| g.min(mate)).collect()
}

/// Returns the mate of each triangle, or [`NONE`]. Of several pairings, each component takes the
/// one with the most pairs, and the first of those: across the edges of one of three directions, if
/// all inner vertices have six triangles, those with the longest edges first; across the longest
/// edges; each triangle with the next one, as in files of split quads.
fn pair(mesh: &Mesh, order: &[u32]) -> Vec<u32> {
    let n = mesh.triangles().len();
    let own: Vec<u32> = (0..n as u32).collect();
    let directions = directions(mesh);
    // How long the edges are in each direction, by their places in the order.
    let mut lengths = vec![[0u64; 3]; mesh.n_components()];
    let sides = |t: u32| mesh.triangle_edges()[t as usize];
    for (&e, place) in order.iter().zip(0..) {
        let t = mesh.triangles_of_edge(e)[0];
        let component = mesh.components()[t as usize] as usize;
        let side = sides(t).iter().position(|&side| side == e);
        let direction = side.map_or(LOST, |side| directions[t as usize][side]);
        if let Some(length) = lengths[component].get_mut(direction as usize) {
            *length += order.len() as u64 - place;
        }
    }
    let along: [Vec<u32>; 3] = std::array::from_fn(|rank| {
        let mate = |t: u32| {
            let length = &lengths[mesh.components()[t as usize] as usize];
            let mut by_length = [0u8, 1, 2];
            by_length.sort_by_key(|&d| std::cmp::Reverse(length[d as usize]));
            let side = directions[t as usize].iter().position(|&d| d == by_length[rank]);
            match side.map(|side| mesh.triangles_of_edge(sides(t)[side])) {
                Some(&[a, b]) => a ^ b ^ t,
                _ => NONE,
            }
        };
        own.iter().map(|&t| mate(t)).collect()
    });
    let mut next = vec![NONE; n];
    for t in 1..n {
        let shares_edge = || sides(t as u32).iter().any(|e| sides(t as u32 - 1).contains(e));
        if next[t - 1] == NONE && shares_edge() {
            (next[t - 1], next[t]) = (t as u32, t as u32 - 1);
        }
    }
    let [first, second, third] = along;
    let longest = greedy(mesh, order, &own, vec![NONE; n]);
    let pairings = [first, second, third, longest, next];
    let mut counts = vec![[0u32; 5]; mesh.n_components()];
    for (pairing, i) in pairings.iter().zip(0..) {
        for (&mate, &component) in pairing.iter().zip(mesh.components()) {
            counts[component as usize][i] += u32::from(mate != NONE);
        }
    }
    let best = |counts: &[u32; 5]| (0..5).max_by_key(|&i| (counts[i], std::cmp::Reverse(i)));
    let best: Vec<usize> = counts.iter().map(|counts| best(counts).unwrap_or(0)).collect();
    (0..n).map(|t| pairings[best[mesh.components()[t] as usize]][t]).collect()
}

/// No direction.
const LOST: u8 = 3;

/// Returns the direction of each side of each triangle: 0, 1 or 2, and opposite sides of two
/// triangles that share an edge have the same; [`LOST`] in components without such directions. A
/// surface has them if, for example, it is a disk, and all its inner vertices have six triangles.
fn directions(mesh: &Mesh) -> Vec<[u8; 3]> {
    let mut directions = vec![[LOST; 3]; mesh.triangles().len()];
    let mut is_lost = vec![false; mesh.n_components()];
    let mut open = Vec::new();
    for seed in 0..mesh.triangles().len() {
        let component = mesh.components()[seed] as usize;
        if directions[seed] != [LOST; 3] || is_lost[component] {
            continue;
        }
        directions[seed] = [0, 1, 2];
        open.push(seed as u32);
        while let Some(t) = open.pop() {
            let corners = mesh.triangles()[t as usize];
            let ways = directions[t as usize];
            for (side, &e) in mesh.triangle_edges()[t as usize].iter().enumerate() {
                let &[a, b] = mesh.triangles_of_edge(e) else { continue };
                let u = a ^ b ^ t;
                // The side from the first end of the edge to the apex is opposite to the side of
                // the other triangle from its apex to the second end.
                let [from, to] = [corners[side], corners[(side + 1) % 3]];
                let [at_from, at_to] = [ways[(side + 2) % 3], ways[(side + 1) % 3]];
                let others = mesh.triangles()[u as usize];
                let expected = [0, 1, 2].map(|k| {
                    let ends = [others[k], others[(k + 1) % 3]];
                    match (ends.contains(&from), ends.contains(&to)) {
                        (true, true) => ways[side],
                        (true, false) => at_to,
                        _ => at_from,
                    }
                });
                let found = &mut directions[u as usize];
                if *found == [LOST; 3] {
                    *found = expected;
                    open.push(u);
                } else if *found != expected {
                    is_lost[component] = true;
                    open.clear();
                    break;
                }
            }
        }
    }
    for (ways, &component) in directions.iter_mut().zip(mesh.components()) {
        if is_lost[component as usize] {
            *ways = [LOST; 3];
        }
    }
    directions
}
