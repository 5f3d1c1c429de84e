//! From where a problem is looked at.

use osculate_io::write::Measure;

use super::marks::Mark;

/// A ball that is looked at, and the direction from it to the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    pub(super) center: [f64; 3],
    pub(super) radius: f64,
    /// Of length 1.
    pub(super) direction: [f64; 3],
}

/// Directions that are tried, around the axis y; and heights, as multiples of the radius.
const AROUND: usize = 16;
const HEIGHTS: [f64; 3] = [0.25, 0.7, -0.35];

/// Points of a problem that should be seen.
const SAMPLES: usize = 12;

/// The view of a problem: of some directions, that from which the least of the two parts, whose
/// triangles are given, lies before the place; of equal ones, that which points most away from the
/// middle of the parts.
pub(super) fn view(
    pose: &[[f64; 3]],
    triangles: &[[u32; 3]],
    mark: &Mark,
    measure: &Measure,
    size: f64,
) -> View {
    let center = measure.point;
    let reach = measure.extent.max(3.0 * measure.depth.unwrap_or(0.0));
    let radius = (0.9 * reach).clamp(0.05 * size, 0.6 * size).max(f64::MIN_POSITIVE);
    let points: Vec<[f64; 3]> = mark.curves.iter().flatten().copied().collect();
    let step = points.len().div_ceil(SAMPLES).max(1);
    let samples: Vec<[f64; 3]> = points.iter().copied().step_by(step).chain([center]).collect();
    let n = triangles.len().max(1) as f64;
    let mut middle = [0.0; 3];
    for p in triangles.iter().map(|face| pose[face[0] as usize]) {
        (0..3).for_each(|k| middle[k] += p[k] / n);
    }
    let away = unit(minus(center, middle));
    let mut best = (f64::INFINITY, [0.0, 0.0, 1.0]);
    for height in HEIGHTS {
        for i in 0..AROUND {
            let angle = i as f64 / AROUND as f64 * std::f64::consts::TAU;
            let direction = unit([angle.sin(), height, angle.cos()]);
            let hidden: usize = samples.iter().map(|&from| in_front(pose, triangles, from, direction)).sum();
            let score =
                hidden as f64 / samples.len() as f64 - 0.6 * dot(direction, away) - 0.1 * direction[2]
                    + 0.2 * (height - HEIGHTS[0]).abs();
            if score < best.0 {
                best = (score, direction);
            }
        }
    }
    View { center, radius, direction: best.1 }
}

/// A view of a whole pose.
pub(super) fn overview(pose: &[[f64; 3]]) -> View {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for p in pose {
        for k in 0..3 {
            bounds[0][k] = bounds[0][k].min(p[k]);
            bounds[1][k] = bounds[1][k].max(p[k]);
        }
    }
    let center = [0, 1, 2].map(|k| 0.5 * (bounds[0][k] + bounds[1][k]));
    let across = minus(bounds[1], bounds[0]);
    let radius = (0.5 * dot(across, across).sqrt()).max(f64::MIN_POSITIVE);
    View { center, radius, direction: unit([0.55, 0.3, 1.0]) }
}

/// Number of triangles that a ray meets, but for those that it starts in.
fn in_front(pose: &[[f64; 3]], triangles: &[[u32; 3]], from: [f64; 3], direction: [f64; 3]) -> usize {
    let is_met = |face: &&[u32; 3]| {
        let [a, b, c] = face.map(|v| pose[v as usize]);
        let (u, v) = (minus(b, a), minus(c, a));
        let p = cross(direction, v);
        let scale = dot(u, p);
        let s = minus(from, a);
        let q = cross(s, u);
        let (x, y, t) = (dot(s, p) / scale, dot(direction, q) / scale, dot(v, q) / scale);
        // NaN, for what is parallel, is not met. A picture needs no exact answer.
        let reach = 1e-3 * (dot(u, u) + dot(v, v)).sqrt();
        0.0 <= x && 0.0 <= y && x + y <= 1.0 && reach < t
    };
    triangles.iter().filter(is_met).count()
}

pub(super) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A vector of length 1; zero stays zero.
pub(super) fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = dot(a, a).sqrt();
    if 0.0 < length { a.map(|x| x / length) } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_is_not_looked_through() {
        // A place behind a wall at z = 1; all else is free.
        let pose = [[-9.0, -9.0, 1.0], [9.0, -9.0, 1.0], [0.0, 20.0, 1.0]];
        let measure = Measure { extent: 1.0, ..Measure::default() };
        let found = view(&pose, &[[0, 1, 2]], &Mark::default(), &measure, 10.0);
        assert_eq!(in_front(&pose, &[[0, 1, 2]], [0.0; 3], [0.0, 0.0, 1.0]), 1);
        assert_eq!(in_front(&pose, &[[0, 1, 2]], [0.0; 3], [0.0, 0.0, -1.0]), 0);
        assert!(found.direction[2] <= 0.2, "{found:?}");
        assert!((dot(found.direction, found.direction) - 1.0).abs() < 1e-12);
        assert_eq!(found.radius, 0.9);
    }
}
