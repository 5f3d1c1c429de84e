//! 3-D vectors.

pub(crate) type Vector = [f64; 3];

pub(crate) fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(factor: f64, a: Vector) -> Vector {
    [factor * a[0], factor * a[1], factor * a[2]]
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

/// Returns the parameter s in `a + s (b - a)`, from 0 to 1, of the point of the segment nearest to
/// `p`; 0 for a segment without length.
pub(crate) fn place_on_segment([a, b]: [Vector; 2], p: Vector) -> f64 {
    let along = minus(b, a);
    let s = dot(minus(p, a), along) / dot(along, along);
    // NaN without length.
    if s <= 0.0 || s.is_nan() { 0.0 } else { s.min(1.0) }
}

/// Returns the point of the segment nearest to `p`. At an end it is exactly the end, so that it is
/// the same point for all segments that meet there.
pub(crate) fn nearest_on_segment(segment: [Vector; 2], p: Vector) -> Vector {
    match place_on_segment(segment, p) {
        s if s <= 0.0 => segment[0],
        s if 1.0 <= s => segment[1],
        s => plus(segment[0], scale(s, minus(segment[1], segment[0]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_between_the_ends_or_one_of_them() {
        let bone = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]];
        assert_eq!(nearest_on_segment(bone, [1.0, 5.0, 0.0]), [1.0, 0.0, 0.0]);
        assert_eq!(nearest_on_segment(bone, [-3.0, 5.0, 0.0]), bone[0]);
        assert_eq!(nearest_on_segment(bone, [9.0, 5.0, 0.0]), bone[1]);
        let point = [[1.0, 2.0, 3.0]; 2];
        assert_eq!(nearest_on_segment(point, [9.0, 5.0, 0.0]), point[0]);
    }
}
