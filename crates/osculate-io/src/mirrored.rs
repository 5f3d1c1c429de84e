//! Objects that are mirrored at rest. A mirror turns a surface inside out, so viewers show the
//! other side of its triangles; they are turned here, so that all readers agree about what is
//! outside.

use crate::clip::Surface;
use crate::skin::Affine;

/// Turns the triangles of objects that are mirrored by the matrices of their bones at rest: if most
/// of its vertices follow bones most whose determinants are negative.
pub(crate) fn turn(surface: &mut Surface, rest: &[Affine]) {
    let Some(skin) = &surface.skin else { return };
    let is_mirror: Vec<bool> = rest.iter().map(|matrix| determinant(matrix) < 0.0).collect();
    if !is_mirror.contains(&true) {
        return;
    }
    // The number of vertices that are mirrored, minus those that are not.
    let mut surplus = vec![0i64; surface.objects.len()];
    for (vertex, &object) in surface.vertex_object.iter().enumerate() {
        let bone = skin.dominant_bone(vertex).map(|bone| bone as usize);
        let is_mirrored = bone.and_then(|bone| is_mirror.get(bone)) == Some(&true);
        surplus[object as usize] += if is_mirrored { 1 } else { -1 };
    }
    for [first, second, third] in &mut surface.faces {
        if 0 < surplus[surface.vertex_object[*first as usize] as usize] {
            std::mem::swap(second, third);
        }
    }
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
