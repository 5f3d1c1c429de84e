//! Straightens borders: triangles mostly surrounded by another cluster move there.

use crate::surface::Surface;

/// Moves triangles to the cluster of two or more of their neighbors, if fewer neighbors are in
/// their own, until none is left to move. Returns the number of moves.
///
/// If several clusters qualify, the one with the most neighbors is taken, and the first of equal
/// ones. Triangles are processed in ascending order, in rounds; after the first round only those
/// next to a moved one.
///
/// Each move decreases the number of neighboring pairs in different clusters, so this terminates.
pub(crate) fn refine(surface: Surface, clusters: &mut [u32]) -> usize {
    let mut round: Vec<u32> = (0..clusters.len() as u32).collect();
    let mut n_moved = 0;
    while !round.is_empty() {
        let mut next = Vec::new();
        for triangle in round {
            if let Some(better) = better(surface, clusters, triangle) {
                clusters[triangle as usize] = better;
                next.extend(surface.neighbors(triangle));
                n_moved += 1;
            }
        }
        next.sort_unstable();
        next.dedup();
        round = next;
    }
    n_moved
}

/// The cluster to which a triangle should move.
fn better(surface: Surface, clusters: &[u32], triangle: u32) -> Option<u32> {
    let own = clusters[triangle as usize];
    let in_cluster =
        |c: u32| surface.neighbors(triangle).filter(|&other| clusters[other as usize] == c).count();
    let others = surface.neighbors(triangle).map(|other| clusters[other as usize]).filter(|&c| c != own);
    let (n, best) =
        others.map(|c| (in_cluster(c), c)).reduce(|a, b| if (b.0, a.1) > (a.0, b.1) { b } else { a })?;
    (2 <= n && in_cluster(own) < n).then_some(best)
}

/// Number of neighboring pairs in different clusters: of border edges, if each edge has at most two
/// triangles.
#[cfg(test)]
pub(crate) fn n_border_edges(surface: Surface, clusters: &[u32]) -> usize {
    let differs =
        |t: u32| surface.neighbors(t).filter(|&n| clusters[n as usize] != clusters[t as usize]).count();
    (0..clusters.len() as u32).map(differs).sum::<usize>() / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{Shape, tube};

    #[test]
    fn a_zigzag_becomes_straight() {
        let shape = tube(20, 12, 1.0, 8.0);
        let model = shape.model();
        let surface = Surface { mesh: model.mesh(), rest: &shape.points };
        // The first corner decides, so that every other triangle of a ring is on either side.
        let mut clusters: Vec<u32> =
            shape.faces.iter().map(|face| u32::from(4.0 < shape.points[face[1] as usize][0])).collect();
        let lone = clusters.len() - 30;
        clusters[lone] = 7;
        let before = n_border_edges(surface, &clusters);
        assert!(0 < refine(surface, &mut clusters));
        let after = n_border_edges(surface, &clusters);
        assert!(after < before && after == 12, "{before} {after}");
        assert_ne!(clusters[lone], 7, "a triangle in the midst of another cluster");
        assert_eq!(refine(surface, &mut clusters), 0, "nothing is left to do");
    }

    #[test]
    fn random_clusters_of_any_mesh_come_to_an_end() {
        // A book of pages at one edge, beside a tube.
        let mut shape = tube(10, 9, 1.0, 4.0);
        let pages = (0..5).map(|k| [0, 1, 2 + k]).collect();
        let points = (0..7).map(|k| [f64::from(k), f64::from(k * k), 1.0]).collect();
        shape.append(Shape { faces: pages, points }, [0.0; 3]);
        let model = shape.model();
        let surface = Surface { mesh: model.mesh(), rest: &shape.points };
        let mut state = 1_u32;
        for _ in 0..50 {
            let mut clusters: Vec<u32> = shape
                .faces
                .iter()
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 30
                })
                .collect();
            let before = n_border_edges(surface, &clusters);
            let n_moved = refine(surface, &mut clusters);
            assert!(n_border_edges(surface, &clusters) + n_moved <= before);
        }
    }
}
