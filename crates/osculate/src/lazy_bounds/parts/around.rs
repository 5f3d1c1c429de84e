//! Balls and boxes around vertices.

use super::super::smallest_ball::smallest_ball;

/// Nearly the smallest enclosing ball of vertices: the center is rounded to f32, the radius rounded
/// up.
pub(super) fn ball_around(rest: &[[f64; 3]], vertices: &[u32]) -> [f32; 4] {
    let points: Vec<[f64; 3]> = vertices.iter().map(|&v| rest[v as usize]).collect();
    let (center, _) = smallest_ball(&points);
    let [x, y, z] = center.map(|x| x as f32);
    let mut most: f64 = 0.0;
    for point in &points {
        let [dx, dy, dz] = [point[0] - f64::from(x), point[1] - f64::from(y), point[2] - f64::from(z)];
        most = most.max(dx * dx + dy * dy + dz * dz);
    }
    // Covers a few roundings in f64 and one in f32.
    [x, y, z, ((most.sqrt() * (1.0 + 1e-15)) as f32).next_up()]
}

/// The center and half extents, rounded up, of a box around points of vertices.
pub(super) fn box_around(vertices: &[u32], point: impl Fn(usize) -> [f64; 3]) -> [[f32; 3]; 2] {
    let mut around = [[0.0; 3]; 2];
    for axis in 0..3 {
        let of_axis = vertices.iter().map(|&v| point(v as usize)[axis]);
        let (lo, hi) = of_axis.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)));
        let center = (0.5 * lo + 0.5 * hi) as f32;
        let half = (hi - f64::from(center)).max(f64::from(center) - lo);
        around[0][axis] = center;
        around[1][axis] = (half as f32).next_up();
    }
    around
}
