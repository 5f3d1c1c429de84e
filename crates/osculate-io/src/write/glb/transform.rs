//! Affine maps as translation, rotation and scale.

use crate::skin::Affine;

type Vector = [f64; 3];

/// Scale first, then rotation (imaginary parts first), then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parts {
    pub(super) translation: [f32; 3],
    pub(super) rotation: [f32; 4],
    pub(super) scale: [f32; 3],
}

impl Parts {
    /// Returns the parts of a map, or of a nearby one if it has shear; `None` if it collapses space
    /// to a line, or is too large for f32.
    pub(super) fn of(map: &Affine) -> Option<Self> {
        let columns: [Vector; 3] = std::array::from_fn(|j| [map[0][j], map[1][j], map[2][j]]);
        let mut scale = columns.map(length);
        let mut axes: [Vector; 3] = std::array::from_fn(|j| columns[j].map(|x| x / scale[j]));
        match [0, 1, 2].map(|j| 0.0 < scale[j]) {
            [true, true, true] => {
                // A mirror flips one axis, whichever.
                if dot(cross(axes[0], axes[1]), axes[2]) < 0.0 {
                    scale[0] = -scale[0];
                    axes[0] = axes[0].map(|x| -x);
                }
            }
            [false, true, true] => axes[0] = cross(axes[1], axes[2]),
            [true, false, true] => axes[1] = cross(axes[2], axes[0]),
            [true, true, false] => axes[2] = cross(axes[0], axes[1]),
            [false, false, false] => axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            _ => return None,
        }
        let parts = Self {
            translation: [0, 1, 2].map(|i| map[i][3] as f32),
            rotation: quaternion(axes).map(|x| x as f32),
            scale: scale.map(|x| x as f32),
        };
        let is_finite =
            parts.translation.iter().chain(&parts.rotation).chain(&parts.scale).all(|x| x.is_finite());
        is_finite.then_some(parts)
    }

    /// Returns the map that the parts represent.
    pub(super) fn map(&self) -> Affine {
        let q = self.rotation.map(f64::from);
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [x, y, z, w] = q.map(|x| x / length);
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let ([sx, sy, sz], t) = (self.scale.map(f64::from), self.translation.map(f64::from));
        std::array::from_fn(|i| [rotation[i][0] * sx, rotation[i][1] * sy, rotation[i][2] * sz, t[i]])
    }

    /// Flips the sign of the rotation, which has no meaning, to the one nearer to `before`.
    pub(super) fn follow(&mut self, before: &Self) {
        let dot: f32 = self.rotation.iter().zip(before.rotation).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            self.rotation = self.rotation.map(|x| -x);
        }
    }
}

/// Returns the inverse of a map; `None` if it is singular.
pub(super) fn inverse(map: &Affine) -> Option<Affine> {
    let [a, b, c]: [Vector; 3] = std::array::from_fn(|j| [map[0][j], map[1][j], map[2][j]]);
    let rows = [cross(b, c), cross(c, a), cross(a, b)];
    let determinant = dot(a, rows[0]);
    let offset = [map[0][3], map[1][3], map[2][3]];
    let inverse: Affine = rows.map(|row| {
        let [x, y, z] = row.map(|entry| entry / determinant);
        [x, y, z, -dot([x, y, z], offset)]
    });
    inverse.as_flattened().iter().all(|x| x.is_finite()).then_some(inverse)
}

/// Returns the unit quaternion, imaginary parts first, of the rotation with these orthonormal
/// columns.
///
/// Of the four squares 4x², 4y², 4z², 4w² the largest is at least 1, so there is no division by a
/// small number.
fn quaternion([a, b, c]: [Vector; 3]) -> [f64; 4] {
    let squares = [
        1.0 + a[0] - b[1] - c[2],
        1.0 - a[0] + b[1] - c[2],
        1.0 - a[0] - b[1] + c[2],
        1.0 + a[0] + b[1] + c[2],
    ];
    let sums = [a[1] + b[0], a[2] + c[0], b[2] + c[1]];
    let differences = [b[2] - c[1], c[0] - a[2], a[1] - b[0]];
    let largest = (0..4).fold(0, |best, i| if squares[best] < squares[i] { i } else { best });
    let q = match largest {
        0 => [squares[0], sums[0], sums[1], differences[0]],
        1 => [sums[0], squares[1], sums[2], differences[1]],
        2 => [sums[1], sums[2], squares[2], differences[2]],
        _ => [differences[0], differences[1], differences[2], squares[3]],
    };
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(v: Vector) -> f64 {
    dot(v, v).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skin::compose;

    fn near(a: &Affine, b: &Affine) -> bool {
        a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-6)
    }

    #[test]
    fn parts_make_the_map_again() {
        let halves =
            [[0.5, 0.5, 0.5, 0.5], [0.8, 0.0, 0.0, 0.6], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        for rotation in halves {
            for scale in [[1.0, 1.0, 1.0], [2.0, 0.5, -1.0], [-1.0, -1.0, -1.0], [0.0, 1.0, 2.0], [0.0; 3]] {
                let map = Parts { translation: [1.0, -2.0, 3.0], rotation, scale }.map();
                assert!(near(&Parts::of(&map).expect("no shear").map(), &map), "{rotation:?} {scale:?}");
            }
        }
    }

    #[test]
    fn a_little_shear_is_ignored_and_a_line_is_refused() {
        let sheared = [[1.0, 1e-7, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        assert!(near(&Parts::of(&sheared).unwrap().map(), &sheared));
        assert_eq!(Parts::of(&[[1.0, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4]]), None);
        assert_eq!(Parts::of(&[[1.0, 0.0, 0.0, 1e39], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]), None);
    }

    #[test]
    fn a_map_and_its_inverse_are_one() {
        let map = [[0.0, -2.0, 0.5, 1.0], [2.0, 0.25, 0.0, -3.0], [0.0, 1.0, 0.5, 4.0]];
        let one = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        assert!(near(&compose(&map, &inverse(&map).unwrap()), &one));
        assert_eq!(inverse(&[[0.0; 4]; 3]), None);
    }
}
