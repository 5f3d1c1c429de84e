//! Objects that are mirrored at rest. A mirror turns a surface inside out, so viewers show the
//! other side of its triangles; they are turned here, so that all readers agree about what is
//! outside.

use crate::clip::Surface;
use crate::skin::Affine;

/// Turns the triangles of objects that are mirrored by the matrices of their bones at rest: of most
/// of its vertices, the bone with the greatest weight has a negative determinant.
pub(crate) fn turn_by_bones(surface: &mut Surface, rest: &[Affine]) {
    let Some(skin) = surface.skin.take() else { return };
    let bone = |vertex: usize| rest.get(skin.dominant_bone(vertex)? as usize);
    turn(surface, |vertex| bone(vertex).is_some_and(is_mirror));
    surface.skin = Some(skin);
}

/// Turns the triangles of objects of which most vertices are mirrored.
pub(crate) fn turn(surface: &mut Surface, is_mirrored: impl Fn(usize) -> bool) {
    // The number of vertices that are mirrored, minus those that are not.
    let mut surplus = vec![0i64; surface.objects.len()];
    for (vertex, &object) in surface.vertex_object.iter().enumerate() {
        surplus[object as usize] += if is_mirrored(vertex) { 1 } else { -1 };
    }
    for [first, second, third] in &mut surface.faces {
        if 0 < surplus[surface.vertex_object[*first as usize] as usize] {
            std::mem::swap(second, third);
        }
    }
}

/// Whether a map mirrors.
pub(crate) fn is_mirror(map: &Affine) -> bool {
    determinant(map) < 0.0
}

/// Returns the determinant of the linear part of a map.
fn determinant([a, b, c]: &Affine) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn determinants() {
        assert_eq!(determinant(&[[2.0, 0.0, 0.0, 5.0], [0.0, 0.0, 3.0, 5.0], [0.0, 1.0, 0.0, 5.0]]), -6.0);
        assert_eq!(determinant(&[[1.0, 2.0, 3.0, 0.0], [0.0, 1.0, 4.0, 0.0], [5.0, 6.0, 0.0, 0.0]]), 1.0);
    }
}
