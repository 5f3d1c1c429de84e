//! Cuts a hole of an exact number of triangles into a surface.

use crate::vector::Vector;
use std::collections::{BTreeSet, HashMap};

/// Removes the lowest triangles of a closed surface, exactly `n` of them, and the vertices that
/// remain in no triangle. The hole grows from the lowest triangle on, and stays in one piece with
/// one rim that meets no vertex twice, so the rest is a manifold, too.
///
/// # Panics
///
/// If the surface is not closed, or has too few triangles for such a hole.
pub(crate) fn cut_lowest(faces: &[[u32; 3]], points: &[Vector], n: usize) -> (Vec<[u32; 3]>, Vec<Vector>) {
    let beside: HashMap<[u32; 2], usize> = faces
        .iter()
        .enumerate()
        .flat_map(|(face, &[a, b, c])| [([a, b], face), ([b, c], face), ([c, a], face)])
        .collect();
    let height = |face: usize| faces[face].map(|vertex| points[vertex as usize][1]).iter().sum::<f64>();
    let mut by_height: Vec<usize> = (0..faces.len()).collect();
    by_height.sort_by(|&a, &b| height(a).total_cmp(&height(b)));
    let mut rank = vec![0; faces.len()];
    by_height.iter().enumerate().for_each(|(i, &face)| rank[face] = i);

    let mut is_cut = vec![false; faces.len()];
    let mut is_on_rim = vec![false; points.len()];
    // The ranks of triangles at the rim.
    let mut next: BTreeSet<usize> = BTreeSet::from([0]);
    for n_cut in 0..n {
        let allowed = next.iter().copied().find(|&rank| {
            let face = by_height[rank];
            let open = open_edges(faces[face], &beside, &is_cut);
            match open.as_slice() {
                [_, _, _] => n_cut == 0,
                // With two edges in common, the vertex between them leaves the rim.
                [_] => true,
                // With one, the vertex opposite to it joins the rim.
                [[_, b], [c, _]] if b == c => !is_on_rim[*b as usize],
                _ => false,
            }
        });
        let found = allowed.expect("the surface is large enough for the hole");
        next.remove(&found);
        let face = by_height[found];
        let [a, b, c] = faces[face];
        is_cut[face] = true;
        for [u, v] in [[a, b], [b, c], [c, a]] {
            let other = beside[&[v, u]];
            if !is_cut[other] {
                next.insert(rank[other]);
            }
        }
        for (vertex, opposite) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            let [u, v] = opposite;
            let is_left = [[vertex, u], [v, vertex]].iter().all(|&[p, q]| is_cut[beside[&[q, p]]]);
            is_on_rim[vertex as usize] = n_cut == 0 || !is_left;
        }
    }
    compact(faces.iter().zip(&is_cut).filter(|(_, is_cut)| !**is_cut).map(|(face, _)| *face), points)
}

/// The edges of a triangle without a removed triangle beside them, so that two come in the order in
/// which one ends where the other begins.
fn open_edges([a, b, c]: [u32; 3], beside: &HashMap<[u32; 2], usize>, is_cut: &[bool]) -> Vec<[u32; 2]> {
    let is_open = |[u, v]: [u32; 2]| !is_cut[beside[&[v, u]]];
    let edges = [[a, b], [b, c], [c, a]];
    // From the edge behind a closed one.
    let first = (0..3).find(|&i| is_open(edges[i]) && !is_open(edges[(i + 2) % 3])).unwrap_or(0);
    (0..3).map(|i| edges[(first + i) % 3]).filter(|&edge| is_open(edge)).collect()
}

/// The triangles with only the vertices that they use, in their order.
fn compact(faces: impl Iterator<Item = [u32; 3]>, points: &[Vector]) -> (Vec<[u32; 3]>, Vec<Vector>) {
    let mut faces: Vec<[u32; 3]> = faces.collect();
    let mut number = vec![u32::MAX; points.len()];
    faces.iter().flatten().for_each(|&vertex| number[vertex as usize] = 0);
    let mut kept = Vec::new();
    for (number, &point) in number.iter_mut().zip(points).filter(|(number, _)| **number == 0) {
        *number = kept.len() as u32;
        kept.push(point);
    }
    faces.iter_mut().flatten().for_each(|vertex| *vertex = number[*vertex as usize]);
    (faces, kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ball::ball_at;
    use osculate::Mesh;

    #[test]
    fn holes_of_any_size_leave_a_surface_with_one_rim() {
        let (faces, points) = ball_at(4, [0.0; 3], 1.0);
        for n in 1..faces.len() - 1 {
            let (rest, places) = cut_lowest(&faces, &points, n);
            assert_eq!(rest.len(), faces.len() - n);
            let found = Mesh::new(rest.clone(), places.len()).unwrap().describe();
            assert!(found.is_manifold() && found.is_oriented() && !found.is_closed(), "{n}: {found:?}");
            assert_eq!((found.components, found.isolated_vertices), (1, 0), "{n}");
            let mut edges: Vec<[u32; 2]> = rest
                .iter()
                .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect();
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(places.len() + rest.len(), edges.len() + 1, "{n}: it is a disk");
        }
    }
}
