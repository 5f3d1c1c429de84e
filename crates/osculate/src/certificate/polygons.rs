//! Polygons with integer coordinates for tests, and exact predicates on them.

/// A moving polygon: the ends of each vertex, `[t][axis]`.
pub(super) type Motion = Vec<[[i64; 2]; 2]>;

/// The common denominator of positions at the times of [`at`].
pub(super) const PARTS: i64 = 48;

/// The polygon at t = k / PARTS, times PARTS.
pub(super) fn at(motion: &Motion, k: i64) -> Vec<[i64; 2]> {
    motion.iter().map(|[p, q]| [0, 1].map(|x: usize| (PARTS - k) * p[x] + k * q[x])).collect()
}

/// Twice the area of a triangle, positive if counterclockwise.
fn turn(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether two closed segments have a point in common.
fn meet([a, b]: [[i64; 2]; 2], [c, d]: [[i64; 2]; 2]) -> bool {
    let apart = |k: usize| a[k].max(b[k]) < c[k].min(d[k]) || c[k].max(d[k]) < a[k].min(b[k]);
    let one_side = |p: i64, q: i64| 0 < p.signum() * q.signum();
    !apart(0)
        && !apart(1)
        && !one_side(turn(a, b, c), turn(a, b, d))
        && !one_side(turn(c, d, a), turn(c, d, b))
}

/// Whether edges intersect only if consecutive, and then only in their common vertex. Exact for
/// coordinates up to 2^29.
pub(super) fn is_simple(points: &[[i64; 2]]) -> bool {
    let n = points.len();
    let p = |i: usize| points[i % n];
    let folds = |i: usize| {
        let (a, b, c) = (p(i), p(i + 1), p(i + 2));
        let dot = (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]);
        a == b || b == c || (turn(a, b, c) == 0 && 0 < dot)
    };
    let crosses = |i: usize| {
        let end = if i == 0 { n - 1 } else { n };
        (i + 2..end).any(|j| meet([p(i), p(i + 1)], [p(j), p(j + 1)]))
    };
    3 <= n && !(0..n).any(|i| folds(i) || crosses(i))
}

/// Whether a simple polygon is counterclockwise.
pub(super) fn is_counterclockwise(points: &[[i64; 2]]) -> bool {
    (1..points.len()).map(|i| turn(points[0], points[i - 1], points[i])).sum::<i64>() > 0
}

/// The shapes that [`polygon`] makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Around the origin, about as far in each direction.
    Round,
    /// Around the origin, at random distances.
    Star,
    /// Twice around the origin.
    Double,
    /// A band that winds inward, overlapping itself if it is wide.
    Spiral,
    /// Random vertices on a coarse grid: repeated vertices, vertices on edges, folds.
    Coarse,
}

pub(super) const SHAPES: [Shape; 5] =
    [Shape::Round, Shape::Star, Shape::Double, Shape::Spiral, Shape::Coarse];

/// A polygon of `n` or `n + 1` vertices, of a size of some thousands.
pub(super) fn polygon(next: &mut impl FnMut() -> f64, shape: Shape, n: usize) -> Vec<[i64; 2]> {
    let on = |angle: f64, r: f64| [(4000.0 * r * angle.cos()) as i64, (4000.0 * r * angle.sin()) as i64];
    let around = |i: usize, turns: f64| std::f64::consts::TAU * turns * i as f64 / n as f64;
    match shape {
        Shape::Round => (0..n).map(|i| on(around(i, 1.0), 0.9 + 0.1 * next())).collect(),
        Shape::Star => (0..n).map(|i| on(around(i, 1.0) + 0.2 * next(), 0.2 + 0.8 * next())).collect(),
        Shape::Double => (0..n).map(|i| on(around(i, 2.0), 0.6 + 0.4 * next())).collect(),
        Shape::Spiral => {
            let (half, width, turns) = (n.div_ceil(2), 0.5 * next(), 2.5 * next());
            let radius = |i: usize| 1.0 - 0.7 * i as f64 / half as f64;
            let angle = |i: usize| std::f64::consts::TAU * turns * i as f64 / half as f64;
            let outer = (0..half).map(|i| on(angle(i), radius(i)));
            outer.chain((0..half).rev().map(|i| on(angle(i), radius(i) * (1.0 - width)))).collect()
        }
        Shape::Coarse => (0..n).map(|_| [0; 2].map(|_: i64| 1000 * (next() * 5.0) as i64)).collect(),
    }
}

/// A measured coordinate, off by at most `error` from the true one.
pub(super) fn blurred(next: &mut impl FnMut() -> f64, x: i64, error: f64) -> f64 {
    // On a grid of 2^-24, so that the sum is exact.
    x as f64 + error * (2.0 * next() - 1.0)
}
