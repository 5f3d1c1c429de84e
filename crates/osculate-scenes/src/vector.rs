//! Vectors, rotations and affine maps. Only +, −, ×, / and square roots are used, which round the
//! same on every machine; that is why sines are computed here and not by the platform.

use crate::scene::Affine;

pub(crate) type Vector = [f64; 3];
/// Rows of a 3 × 3 matrix.
pub(crate) type Matrix = [Vector; 3];

pub(crate) const TAU: f64 = std::f64::consts::TAU;
pub(crate) const UNIT: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: Vector, s: f64) -> Vector {
    a.map(|x| x * s)
}

pub(crate) fn lerp(a: Vector, b: Vector, t: f64) -> Vector {
    add(a, scale(sub(b, a), t))
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The unit vector along `a`; zero for zero.
pub(crate) fn normalize(a: Vector) -> Vector {
    let l = length(a);
    if l == 0.0 { a } else { scale(a, 1.0 / l) }
}

pub(crate) fn distance(a: Vector, b: Vector) -> f64 {
    length(sub(a, b))
}

/// Twice the area of a triangle times its unit normal.
pub(crate) fn area_normal([a, b, c]: [Vector; 3]) -> Vector {
    cross(sub(b, a), sub(c, a))
}

/// From 0 at `t = 0` to 1 at `t = 1`, flat at both ends and beyond.
pub(crate) fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Sine and cosine, accurate to about 1e-15 for angles of a turn or two.
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    let quarter = (angle / (TAU / 4.0)).round();
    let x = angle - quarter * (TAU / 4.0);
    let x2 = x * x;
    // Taylor series on [−π/4, π/4]; the omitted terms are below 1e-17.
    let (mut sin, mut cos) = (1.0, 1.0);
    for n in (1..=9).rev() {
        let n = f64::from(n);
        sin = 1.0 - sin * x2 / ((2.0 * n) * (2.0 * n + 1.0));
        cos = 1.0 - cos * x2 / ((2.0 * n - 1.0) * (2.0 * n));
    }
    sin *= x;
    match quarter.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

pub(crate) fn sin(angle: f64) -> f64 {
    sin_cos(angle).0
}

pub(crate) fn apply(m: &Matrix, v: Vector) -> Vector {
    m.map(|row| dot(row, v))
}

pub(crate) fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| std::array::from_fn(|j| row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]))
}

/// The rotation by an angle about a unit axis.
pub(crate) fn rotation([x, y, z]: Vector, angle: f64) -> Matrix {
    let (s, c) = sin_cos(angle);
    let d = 1.0 - c;
    [
        [c + x * x * d, x * y * d - z * s, x * z * d + y * s],
        [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
        [z * x * d - y * s, z * y * d + x * s, c + z * z * d],
    ]
}

/// The least rotation that takes one unit vector to another; they must not be opposite.
pub(crate) fn rotation_between(from: Vector, to: Vector) -> Matrix {
    // c I + [v]× + v vᵀ / (1 + c), with v = from × to.
    let [x, y, z] = cross(from, to);
    let c = dot(from, to);
    let d = 1.0 / (1.0 + c);
    [
        [c + x * x * d, x * y * d - z, x * z * d + y],
        [y * x * d + z, c + y * y * d, y * z * d - x],
        [z * x * d - y, z * y * d + x, c + z * z * d],
    ]
}

/// The map that rotates about `center` and then moves the center to `to`.
pub(crate) fn turn_about(r: &Matrix, center: Vector, to: Vector) -> Affine {
    let moved = sub(to, apply(r, center));
    std::array::from_fn(|i| [r[i][0], r[i][1], r[i][2], moved[i]])
}

pub(crate) fn transform(m: &Affine, [x, y, z]: Vector) -> Vector {
    m.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_are_sines() {
        for i in -300..300 {
            let angle = f64::from(i) * 0.037;
            let (s, c) = sin_cos(angle);
            assert!((s - angle.sin()).abs() < 4e-15 && (c - angle.cos()).abs() < 4e-15, "{angle}");
        }
    }

    #[test]
    fn rotations_take_one_to_the_other() {
        let (a, b) = (normalize([1.0, 2.0, -3.0]), normalize([0.5, -1.0, 4.0]));
        assert!(distance(apply(&rotation_between(a, b), a), b) < 1e-15);
    }
}
