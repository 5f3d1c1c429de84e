//! Connected pieces of the triangles that share a label.

use crate::surface::Surface;

/// Returns the piece of each triangle, numbered in the order of their first triangles, and the
/// number of pieces. Two triangles are in one piece if they have the same label and are connected
/// across edges by such triangles.
pub(crate) fn pieces(surface: Surface, labels: &[u32]) -> (Vec<u32>, usize) {
    const NONE: u32 = u32::MAX;
    let mut pieces = vec![NONE; labels.len()];
    let (mut n_pieces, mut stack) = (0, Vec::new());
    for first in 0..labels.len() {
        if pieces[first] != NONE {
            continue;
        }
        pieces[first] = n_pieces;
        stack.push(first as u32);
        while let Some(triangle) = stack.pop() {
            for other in surface.neighbors(triangle) {
                if pieces[other as usize] == NONE && labels[other as usize] == labels[first] {
                    pieces[other as usize] = n_pieces;
                    stack.push(other);
                }
            }
        }
        n_pieces += 1;
    }
    (pieces, n_pieces as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::tube;

    #[test]
    fn a_label_at_both_ends_of_a_tube_is_two_pieces() {
        let shape = tube(9, 6, 1.0, 9.0);
        let model = shape.model();
        let surface = Surface { mesh: model.mesh(), rest: &shape.points };
        let is_end = |face: &[u32; 3]| face.iter().any(|&v| (shape.points[v as usize][0] - 4.5).abs() > 3.0);
        let labels: Vec<u32> = shape.faces.iter().map(|face| 5 + u32::from(is_end(face))).collect();
        let (pieces, n_pieces) = pieces(surface, &labels);
        assert_eq!(n_pieces, 3);
        for (piece, label) in pieces.iter().zip(&labels) {
            assert_eq!(
                *piece == 1,
                *label == 5,
                "the first triangle is at an end, and the middle comes next"
            );
        }
    }
}
