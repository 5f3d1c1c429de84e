//! The smallest enclosing ball of points.

use crate::math::vector::{cross, dot, minus, plus, scale};

/// Maximum number of pivots. About ten are needed.
const MOST_PIVOTS: usize = 256;

/// How many pivots may lead to a ball that is not larger than the one before.
const MOST_STANDSTILLS: usize = 16;

/// From this number of points on, the search starts with the ball of a sample: every `STRIDE`-th
/// point.
const MANY: usize = 512;
const STRIDE: usize = 16;

/// How far a point may be outside, as a fraction of the squared radius.
const SLACK: f64 = 1e-13;

/// Half extents for which no product of five differences leaves the range of f64, by a wide margin.
const PLAIN: std::ops::Range<f64> = 1e-40..1e40;

/// The center and radius of the smallest ball that contains all points.
///
/// Welzl's algorithm with Gärtner's pivots: while a point is outside, the farthest one joins the
/// support, at most four points that determine the ball. Except for rounding, each ball is larger
/// than the one before; a limit on their number guarantees termination. The result depends only on
/// the points and their order. In plain f64: if rounding ends the search early, the ball may be
/// slightly too large, but the radius is always the distance from the returned center to the
/// farthest point, rounded up. The center is in the bounding box of the points. The radius is 0 if
/// they coincide; center and radius are 0 without points. For finite points the center is finite,
/// and so is the radius, unless it exceeds `f64::MAX`.
pub(crate) fn smallest_ball(points: &[[f64; 3]]) -> ([f64; 3], f64) {
    let Some([lo, hi]) = bounds(points) else { return ([0.0; 3], 0.0) };
    if lo == hi {
        return (lo, 0.0);
    }
    // The best center is in the bounding box; clamping a center to it increases no distance to a
    // point.
    let inside = |center: [f64; 3]| [0, 1, 2].map(|k: usize| center[k].max(lo[k]).min(hi[k]));
    let extent = largest([0, 1, 2].map(|k: usize| 0.5 * hi[k] - 0.5 * lo[k]));
    if PLAIN.contains(&extent) {
        let center = inside(search(points).center);
        let (_, square) = farthest(points, center);
        return (center, round_up(square.sqrt()));
    }
    // Differences of quarters do not overflow; `unit` is a power of two that scales them to
    // about 1.
    let part = if extent < 1.0 { 1.0 } else { 0.25 };
    let exponent = largest([0, 1, 2].map(|k: usize| part * hi[k] - part * lo[k])).to_bits() >> 52;
    let unit = f64::from_bits(2046_u64.saturating_sub(exponent).max(1) << 52);
    let from = |a: [f64; 3]| move |p: &[f64; 3]| scale(unit, minus(scale(part, *p), scale(part, a)));
    let scaled: Vec<[f64; 3]> = points.iter().map(from(lo)).collect();
    let offset = search(&scaled).center.map(|x| x / unit);
    let center = inside(plus(scale(part, lo), offset).map(|x| x / part));
    let square = points.iter().map(from(center)).map(|d| dot(d, d)).fold(0.0, f64::max);
    (center, round_up(square.sqrt() / unit).next_up() / part)
}

/// An upper bound of the exact distance, if it was computed with at most six roundings.
fn round_up(distance: f64) -> f64 {
    distance * (1.0 + 4.0 * f64::EPSILON)
}

fn largest([x, y, z]: [f64; 3]) -> f64 {
    x.max(y).max(z)
}

/// The bounding box; `None` without points.
fn bounds(points: &[[f64; 3]]) -> Option<[[f64; 3]; 2]> {
    let first = *points.first()?;
    let (groups, rest) = points.as_chunks::<4>();
    let mut lo = [first; 4];
    let mut hi = [first; 4];
    let join = |lo: &mut [f64; 3], hi: &mut [f64; 3], p: &[f64; 3]| {
        for k in 0..3 {
            lo[k] = if p[k] < lo[k] { p[k] } else { lo[k] };
            hi[k] = if hi[k] < p[k] { p[k] } else { hi[k] };
        }
    };
    for group in groups {
        for i in 0..4 {
            join(&mut lo[i], &mut hi[i], &group[i]);
        }
    }
    for p in rest {
        join(&mut lo[0], &mut hi[0], p);
    }
    for i in 1..4 {
        let (l, h) = (lo[i], hi[i]);
        join(&mut lo[0], &mut hi[0], &l);
        join(&mut lo[0], &mut hi[0], &h);
    }
    Some([lo[0], hi[0]])
}

/// The first of the points farthest from a center, and its squared distance.
fn farthest(points: &[[f64; 3]], center: [f64; 3]) -> ([f64; 3], f64) {
    let square = |p: &[f64; 3]| {
        let d = minus(*p, center);
        dot(d, d)
    };
    let one_by_one = |points: &[[f64; 3]], start: ([f64; 3], f64)| {
        points.iter().fold(start, |best, p| if best.1 < square(p) { (*p, square(p)) } else { best })
    };
    let (groups, rest) = points.as_chunks::<8>();
    let mut best = -1.0;
    let mut at: &[[f64; 3]] = &[];
    for group in groups {
        let [a, b, c, d, e, f, g, h] = [0, 1, 2, 3, 4, 5, 6, 7].map(|i: usize| square(&group[i]));
        let larger = |x: f64, y: f64| if x < y { y } else { x };
        let most = larger(larger(larger(a, b), larger(c, d)), larger(larger(e, f), larger(g, h)));
        if best < most {
            best = most;
            at = group;
        }
    }
    one_by_one(rest, one_by_one(at, (center, -1.0)))
}

/// A ball and its support: it is the smallest ball around these points.
#[derive(Clone, Copy, Debug)]
struct Ball {
    center: [f64; 3],
    /// The squared radius.
    square: f64,
    support: [[f64; 3]; 4],
    count: usize,
}

/// The best ball found: the one with the least distance from its center to the farthest point.
/// There must be at least one point.
fn search(points: &[[f64; 3]]) -> Ball {
    let mut ball = if points.len() < MANY {
        Ball { center: points[0], square: 0.0, support: [points[0]; 4], count: 1 }
    } else {
        search(&points.iter().step_by(STRIDE).copied().collect::<Vec<_>>())
    };
    let mut best = (ball, f64::INFINITY);
    let mut standstills = 0;
    for _ in 0..MOST_PIVOTS {
        let (pivot, square) = farthest(points, ball.center);
        if square < best.1 {
            best = (ball, square);
        }
        // The center is rounded to the local spacing of f64.
        let grid = largest(ball.center.map(f64::abs)) * f64::EPSILON;
        if square <= ball.square * (1.0 + SLACK) + 4.0 * grid * ball.square.sqrt() {
            break;
        }
        let next = ball.with(pivot);
        if next.square <= ball.square {
            // The ball grew by less than rounding, and its center may still be better; or rounding
            // makes the search cycle.
            standstills += 1;
            if standstills == MOST_STANDSTILLS {
                break;
            }
        }
        ball = next;
    }
    best.0
}

impl Ball {
    /// The smallest ball around the support and a pivot outside of the ball; the pivot is on its
    /// surface.
    ///
    /// Among the balls determined by the pivot and one to three points of the support, it is the
    /// one whose center is closest to the farthest of all five points; of equal ones, the one with
    /// the smaller support.
    fn with(&self, pivot: [f64; 3]) -> Self {
        let n = self.count;
        let others = self.support.map(|p| minus(p, pivot));
        let mut best = (0.0, [0.0; 3], HOLDS[0]);
        for &held_by in HOLDS.iter().filter(|hold| hold.iter().all(|&i| i < n)) {
            let offset = match *held_by {
                [i] => Some(scale(0.5, others[i])),
                [i, j] => center_of_triangle(others[i], others[j]),
                [i, j, k] => center_of_tetrahedron(others[i], others[j], others[k]),
                _ => None,
            };
            let Some(offset) = offset else { continue };
            let own = dot(offset, offset);
            let square = others[..n].iter().fold(own, |most, &p| {
                let d = minus(p, offset);
                most.max(dot(d, d))
            });
            if held_by == HOLDS[0] || square < best.0 {
                best = (square, offset, held_by);
            }
            // A ball determined by some points that contains all points is the smallest.
            if square <= own * (1.0 + 4.0 * f64::EPSILON) {
                break;
            }
        }
        let (square, offset, held_by) = best;
        let mut support = [pivot; 4];
        for (place, &i) in support[1..].iter_mut().zip(held_by) {
            *place = self.support[i];
        }
        Self { center: plus(pivot, offset), square, support, count: 1 + held_by.len() }
    }
}

/// The points of the support that may determine a ball together with the pivot.
const HOLDS: [&[usize]; 14] = [
    &[0],
    &[1],
    &[2],
    &[3],
    &[0, 1],
    &[0, 2],
    &[1, 2],
    &[0, 3],
    &[1, 3],
    &[2, 3],
    &[0, 1, 2],
    &[0, 1, 3],
    &[0, 2, 3],
    &[1, 2, 3],
];

/// The center of the circle through 0, a and b, as their mean with nonnegative weights:
/// `|a|^2 b . (b - a)` for b, and so on in turn. `None` if an angle is obtuse, since a smaller ball
/// exists then, or if the area is zero.
fn center_of_triangle(a: [f64; 3], b: [f64; 3]) -> Option<[f64; 3]> {
    let side = minus(a, b);
    let [at_0, at_a, at_b] = [dot(a, b), dot(a, side), -dot(b, side)];
    if !(0.0 <= at_0 && 0.0 <= at_a && 0.0 <= at_b) {
        return None;
    }
    let [w_0, w_a, w_b] = [dot(side, side) * at_0, dot(b, b) * at_a, dot(a, a) * at_b];
    let sum = w_0 + w_a + w_b;
    (0.0 < sum).then(|| plus(scale(w_a / sum, a), scale(w_b / sum, b)))
}

/// The center of the sphere through 0, a, b and c:
/// `(|a|^2 b x c + |b|^2 c x a + |c|^2 a x b) / (2 a . (b x c))`. `None` if it is outside of the
/// tetrahedron, since a smaller ball exists then, or if the volume is zero.
fn center_of_tetrahedron(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Option<[f64; 3]> {
    let [n_a, n_b, n_c] = [cross(b, c), cross(c, a), cross(a, b)];
    let volume = dot(a, n_a);
    let sum = plus(plus(scale(dot(a, a), n_a), scale(dot(b, b), n_b)), scale(dot(c, c), n_c));
    let center = scale(0.5 / volume, sum);
    let [w_a, w_b, w_c] = [n_a, n_b, n_c].map(|n| dot(center, n) / volume);
    let is_inside = 0.0 <= w_a && 0.0 <= w_b && 0.0 <= w_c && w_a + w_b + w_c <= 1.0;
    (is_inside && center.iter().all(|x| x.is_finite())).then_some(center)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        let d = minus(a, b);
        dot(d, d).sqrt()
    }

    /// The ball, checked to contain the points.
    fn ball(points: &[[f64; 3]]) -> ([f64; 3], f64) {
        let (center, radius) = smallest_ball(points);
        assert!(center.iter().all(|x| x.is_finite()) && 0.0 <= radius, "{center:?} {radius}");
        let most = points.iter().map(|&p| distance(p, center)).fold(0.0, f64::max);
        if most.is_finite() && 1e-140 < most {
            assert!(most <= radius && radius <= most * (1.0 + 1e-14), "{most} {radius}");
        }
        (center, radius)
    }

    /// Solves a linear system, the right side in the last column, by elimination with pivots;
    /// `None` if singular.
    fn solve(mut m: [[f64; 4]; 3], n: usize) -> Option<[f64; 3]> {
        for k in 0..n {
            let row = (k..n).max_by(|&i, &j| m[i][k].abs().total_cmp(&m[j][k].abs()))?;
            m.swap(k, row);
            if m[k][k] == 0.0 {
                return None;
            }
            for i in (0..n).filter(|&i| i != k) {
                let factor = m[i][k] / m[k][k];
                m[i] = [0, 1, 2, 3].map(|j: usize| m[i][j] - factor * m[k][j]);
            }
        }
        Some([0, 1, 2].map(|k: usize| if k < n { m[k][3] / m[k][k] } else { 0.0 }))
    }

    /// The least radius over all supports: the center is equidistant from the support, and in its
    /// affine hull.
    fn brute_force(points: &[[f64; 3]]) -> f64 {
        let n = points.len();
        let mut least = f64::INFINITY;
        for bits in 1_usize..1 << n {
            if 4 < bits.count_ones() {
                continue;
            }
            let chosen: Vec<_> = (0..n).filter(|i| bits >> i & 1 == 1).map(|i| points[i]).collect();
            let sides: Vec<_> = chosen[1..].iter().map(|&p| minus(p, chosen[0])).collect();
            let mut m = [[0.0; 4]; 3];
            for i in 0..sides.len() {
                for j in 0..sides.len() {
                    m[i][j] = 2.0 * dot(sides[i], sides[j]);
                }
                m[i][3] = dot(sides[i], sides[i]);
            }
            let Some(x) = solve(m, sides.len()) else { continue };
            let center = sides.iter().zip(x).fold(chosen[0], |c, (&side, x)| plus(c, scale(x, side)));
            if !center.iter().all(|x| x.is_finite()) {
                continue;
            }
            least = least.min(points.iter().map(|&p| distance(p, center)).fold(0.0, f64::max));
        }
        least
    }

    /// The ball cannot be smaller, as it contains the points.
    fn is_smallest(points: &[[f64; 3]]) {
        let (center, radius) = ball(points);
        let least = brute_force(points);
        let grid = f64::EPSILON * largest(center.map(f64::abs));
        assert!(radius <= (1.0 + 1e-9) * least + 2.0 * grid, "{radius} {least} {points:?}");
    }

    #[test]
    fn no_points_one_point_and_the_same_point() {
        assert_eq!(smallest_ball(&[]), ([0.0; 3], 0.0));
        assert_eq!(smallest_ball(&[[1.0, 2.0, 3.0]]), ([1.0, 2.0, 3.0], 0.0));
        assert_eq!(smallest_ball(&[[1.0, 2.0, 3.0]; 700]), ([1.0, 2.0, 3.0], 0.0));
        let (center, radius) = ball(&[[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
        assert_eq!(center, [2.0, 0.0, 0.0]);
        assert!((1.0..1.0 + 1e-14).contains(&radius));
    }

    #[test]
    fn random_points_as_by_brute_force() {
        let mut r = random(1);
        for round in 0..3000 {
            let n = 2 + round % 8;
            // Some sets are flat, some thin, some far from the origin.
            let shape = [[1.0, 1.0, 1.0], [1.0, 1.0, 1e-3], [1.0, 1e-3, 1e-3]][round / 8 % 3];
            let far = [0.0, 0.0, 100.0][round / 24 % 3];
            let points: Vec<_> = (0..n).map(|_| shape.map(|s| far + s * (2.0 * r() - 1.0))).collect();
            is_smallest(&points);
        }
    }

    #[test]
    fn points_of_small_grids_as_by_brute_force() {
        let mut r = random(2);
        for round in 0..6000 {
            let n = 2 + round % 8;
            let steps = [2.0, 3.0, 5.0, 9.0][round / 8 % 4];
            let shape = [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]][round / 32 % 3];
            let points: Vec<_> = (0..n).map(|_| shape.map(|s| s * (r() * steps).floor())).collect();
            is_smallest(&points);
        }
    }

    #[test]
    fn points_moved_by_little_as_by_brute_force() {
        let mut r = random(3);
        for round in 0..6000 {
            let n = 4 + round % 6;
            let noise = [1e-15, 1e-12, 1e-9, 1e-6][round / 6 % 4];
            let steps = [2.0, 3.0, 5.0][round / 24 % 3];
            let points: Vec<_> =
                (0..n).map(|_| [0; 3].map(|_| (r() * steps).floor() + noise * r())).collect();
            is_smallest(&points);
        }
    }

    #[test]
    fn whole_grids_and_spheres() {
        for (x, y, z) in [(12, 12, 12), (40, 40, 1), (900, 1, 1), (2, 2, 2), (30, 7, 3), (1, 17, 64)] {
            let mut points = Vec::new();
            for i in 0..x * y * z {
                points.push([i % x, i / x % y, i / x / y].map(f64::from));
            }
            let (center, radius) = ball(&points);
            let corner = [x, y, z].map(|n| f64::from(n - 1) / 2.0);
            assert!(distance(center, corner) < 1e-6 * (1.0 + radius));
            assert!((radius - dot(corner, corner).sqrt()).abs() <= 1e-12 * radius);
        }
        // All integer points at the distance 65 from the origin.
        let range = -65_i32..=65;
        let mut points = Vec::new();
        for x in range.clone() {
            for y in range.clone() {
                for z in range.clone().filter(|z| x * x + y * y + z * z == 65 * 65) {
                    points.push([x, y, z].map(f64::from));
                }
            }
        }
        assert!(100 < points.len());
        assert!((ball(&points).1 - 65.0).abs() < 1e-11);
        // Rounded points on a sphere, and on a cap of it.
        let mut r = random(4);
        for least in [-1.0, 0.8] {
            let mut on_sphere = Vec::new();
            while on_sphere.len() < 20_000 {
                let p = [0; 3].map(|_| 2.0 * r() - 1.0);
                let unit = scale(1.0 / dot(p, p).sqrt(), p);
                if least <= unit[2] {
                    on_sphere.push(plus(scale(3.0, unit), [7.0, -5.0, 2.0]));
                }
            }
            let (_, radius) = ball(&on_sphere);
            assert!(radius <= 3.0 + 1e-12);
            assert!(least < 0.0 || radius < 1.801);
        }
    }

    #[test]
    fn many_points_are_contained_by_a_ball_that_is_held() {
        let mut r = random(5);
        for n in [100, 511, 512, 5000, 100_000] {
            let points: Vec<_> = (0..n).map(|_| [r(), 2.0 * r(), 0.3 * r()]).collect();
            let (center, radius) = ball(&points);
            // No direction leads to a smaller ball.
            for _ in 0..50 {
                let direction = [0; 3].map(|_| 2e-6 * r() - 1e-6);
                let moved = plus(center, direction);
                let most = points.iter().map(|&p| distance(p, moved)).fold(0.0, f64::max);
                assert!(radius * (1.0 - 1e-12) <= most);
            }
        }
    }

    #[test]
    fn any_scale() {
        let mut r = random(6);
        let points: Vec<_> = (0..600).map(|_| [0; 3].map(|_| 2.0 * r() - 1.0)).collect();
        let (_, radius) = ball(&points);
        for factor in [1e150, 1e200, 1e300, 1e307, 1e-60, 1e-150, 1e-200, 1e-300, 1e-305] {
            let scaled: Vec<_> = points.iter().map(|&p| scale(factor, p)).collect();
            let (_, other) = ball(&scaled);
            assert!((other / factor - radius).abs() <= 1e-10 * radius, "{factor} {other}");
        }
        let (center, radius) = smallest_ball(&[[f64::MAX; 3], [-f64::MAX; 3], [0.0, f64::MAX, 0.0]]);
        assert_eq!(radius, f64::INFINITY);
        assert!(center.iter().all(|x| x.is_finite()));
        let (_, radius) = smallest_ball(&[[f64::MAX, 0.0, 0.0], [0.0; 3], [1.0, 2.0, 3.0]]);
        assert!((radius / f64::MAX - 0.5).abs() < 1e-14);
        let least = 5e-324;
        let (center, radius) = ball(&[[0.0; 3], [least, 0.0, 0.0], [0.0, least, 0.0], [7.0 * least; 3]]);
        assert!(largest(center) <= 7.0 * least && 6.0 * least <= radius && radius <= 14.0 * least);
        let (center, radius) = ball(&[[1e305, 0.0, 0.0], [1e305, least, 0.0]]);
        assert!(center[0] == 1e305 && radius <= 2.0 * least && least <= radius);
    }

    #[test]
    fn the_same_for_the_same_points() {
        let mut r = random(7);
        let points: Vec<_> = (0..2000).map(|_| [r(), r(), r()]).collect();
        assert_eq!(smallest_ball(&points), smallest_ball(&points));
    }
}
