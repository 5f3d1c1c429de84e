//! Merges adjacent clusters.

use crate::Mesh;
use crate::radial::seek::Seeker;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Maximum number of triangle tests per triangle of the mesh; then merging ends.
const MOST_LOOKS: usize = 64;

/// Merges adjacent parts as long as there is a point that sees both, in the order of most shared
/// edges, then of the smallest numbers. Returns the part number of each triangle, with gaps. A pair
/// that failed is retried when one of the two has grown.
pub(super) fn merge(mesh: &Mesh, mut parts: Vec<Vec<u32>>, seeker: &mut Seeker) -> Vec<u32> {
    let mut of_triangle = vec![0; mesh.triangles().len()];
    for (part, triangles) in (0..).zip(&parts) {
        triangles.iter().for_each(|&t| of_triangle[t as usize] = part);
    }
    let mut borders = borders(mesh, &of_triangle, parts.len());
    // Number of changes of each part.
    let mut ages = vec![0_u32; parts.len()];
    let mut queue = BinaryHeap::new();
    for (a, others) in (0..).zip(&borders) {
        queue.extend(others.range(a + 1..).map(|(&b, &n)| (n, Reverse([a, b]), [0, 0])));
    }
    let limit = seeker.n_looks + MOST_LOOKS * of_triangle.len();
    while let Some((_, Reverse([a, b]), ages_then)) = queue.pop() {
        let is_past = [a, b].map(|part| ages[part as usize]) != ages_then;
        if is_past || !seeker.sees(&[&parts[a as usize], &parts[b as usize]]) {
            continue;
        }
        if limit < seeker.n_looks {
            break;
        }
        // The smaller part is merged into the larger one.
        let (a, b) = if parts[a as usize].len() < parts[b as usize].len() { (b, a) } else { (a, b) };
        let moved = std::mem::take(&mut parts[b as usize]);
        parts[a as usize].extend(moved);
        ages[a as usize] += 1;
        ages[b as usize] += 1;
        for (other, n) in std::mem::take(&mut borders[b as usize]) {
            let others = &mut borders[other as usize];
            others.remove(&b);
            if other != a {
                *others.entry(a).or_insert(0) += n;
                *borders[a as usize].entry(other).or_insert(0) += n;
            }
        }
        for (&other, &n) in &borders[a as usize] {
            let pair = [a.min(other), a.max(other)];
            queue.push((n, Reverse(pair), pair.map(|part| ages[part as usize])));
        }
    }
    for (part, triangles) in (0..).zip(&parts) {
        triangles.iter().for_each(|&t| of_triangle[t as usize] = part);
    }
    of_triangle
}

/// For each part, the number of edges that it shares with each other part.
fn borders(mesh: &Mesh, of_triangle: &[u32], n_parts: usize) -> Vec<BTreeMap<u32, u32>> {
    let mut borders = vec![BTreeMap::new(); n_parts];
    for edge in 0..mesh.edges().len() as u32 {
        for pair in mesh.triangles_of_edge(edge).windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|t| of_triangle[t as usize]);
            if a != b {
                *borders[a as usize].entry(b).or_insert(0) += 1;
                *borders[b as usize].entry(a).or_insert(0) += 1;
            }
        }
    }
    borders
}
