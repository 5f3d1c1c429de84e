//! A linear program: the point of a box that is farthest behind all of a set of planes.

use crate::math::vector::{dot, minus, plus, scale};

/// A point, and its distance behind the nearest plane; negative if it is in front of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kernel {
    pub(crate) point: [f64; 3],
    pub(crate) delta: f64,
}

/// Up to four coefficients, and the right side last: `a . x <= b`.
type Row = [f64; 5];

/// Planes through points with unit normals, and scratch memory; kept to avoid allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    planes: Vec<([f64; 3], [f64; 3])>,
    /// The rows of the programs in one to four unknowns.
    levels: [Vec<Row>; 4],
}

/// Tolerated violation, in units of half the box.
const SLACK: f64 = 1e-9;

/// Rows with smaller coefficients constrain no unknown.
const LEAST: f64 = 1e-12;

impl Program {
    /// Restarts without planes.
    pub(crate) fn clear(&mut self) {
        self.planes.clear();
    }

    /// Adds the plane through a point. A normal that is zero or not finite is ignored.
    pub(crate) fn push(&mut self, normal: [f64; 3], point: [f64; 3]) {
        let length = dot(normal, normal).sqrt();
        let is_finite = point.iter().all(|x| x.is_finite());
        if is_finite && 1e-145 < length && length.is_finite() {
            self.planes.push((scale(1.0 / length, normal), point));
        }
    }

    /// Maximizes `delta` subject to `n_i . (p_i - q) >= delta` for all planes, with q in the box.
    ///
    /// Seidel's algorithm in the unknowns q and `delta`: rows are processed in random order; if the
    /// current optimum violates one, the new optimum is on that row, and is that of a program with
    /// one unknown less. Expected time proportional to the number of planes; deterministic. In
    /// plain f64: where rows are nearly parallel, q may be slightly off, but `delta` is always that
    /// of q. `None` without planes, or if a side of the box is not finite or inverted.
    pub(crate) fn solve(&mut self, lo: [f64; 3], hi: [f64; 3]) -> Option<Kernel> {
        let is_box = (0..3).all(|k| lo[k] <= hi[k] && (hi[k] - lo[k]).is_finite());
        if self.planes.is_empty() || !is_box {
            return None;
        }
        let center = [0, 1, 2].map(|k: usize| 0.5 * lo[k] + 0.5 * hi[k]);
        let half = [0, 1, 2].map(|k: usize| 0.5 * (hi[k] - lo[k]));
        let longest = half[0].max(half[1]).max(half[2]);
        // The box fits [-1, 1]^3, or is a point.
        let unit = if 0.0 < longest { longest } else { 1.0 };
        let rows = &mut self.levels[3];
        rows.clear();
        let mut largest: f64 = 0.0;
        for (n, p) in &self.planes {
            let offset = dot(*n, minus(*p, center)) / unit;
            if offset.is_finite() {
                largest = largest.max(offset.abs());
                rows.push([n[0], n[1], n[2], 1.0, offset]);
            }
        }
        shuffle(rows);
        let reach = largest + 4.0;
        let bounds = [half[0] / unit, half[1] / unit, half[2] / unit, reach].map(|x| [-x, x]);
        let x = optimum(&mut self.levels, &bounds, [0.0, 0.0, 0.0, 1.0])?;
        let q = plus(center, scale(unit, [x[0], x[1], x[2]]));
        let point = [0, 1, 2].map(|k: usize| q[k].clamp(lo[k], hi[k]));
        let behind = |(n, p): &([f64; 3], [f64; 3])| dot(*n, minus(*p, point));
        Some(Kernel { point, delta: self.planes.iter().map(behind).fold(f64::INFINITY, f64::min) })
    }
}

/// Shuffles with a fixed seed.
fn shuffle(rows: &mut [Row]) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in (1..rows.len()).rev() {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        rows.swap(i, ((state >> 33) % (i as u64 + 1)) as usize);
    }
}

/// Maximizes `objective . x` subject to the rows of the last level and the bounds of each unknown.
/// There are as many unknowns as levels; the levels before the last are scratch memory. `None` if
/// the rows contradict each other by more than the slack; with four unknowns such a row is skipped.
fn optimum(levels: &mut [Vec<Row>], bounds: &[[f64; 2]; 4], objective: [f64; 4]) -> Option<[f64; 4]> {
    let n = levels.len();
    let (rows, below) = levels.split_last_mut()?;
    if below.is_empty() {
        return best_on_line(rows, bounds[0], objective[0]);
    }
    let mut x = [0.0; 4];
    for k in 0..n {
        x[k] = bounds[k][usize::from(0.0 <= objective[k])];
    }
    for (i, row) in rows.iter().enumerate() {
        if value(row, &x, n) <= row[4] + SLACK {
            continue;
        }
        // Eliminates the unknown with the largest coefficient; the last one takes its place:
        // `x_k = start - slope . (the others)`.
        let k = (1..n).fold(0, |best, k| if row[best].abs() < row[k].abs() { k } else { best });
        if row[k].abs() < LEAST {
            return None;
        }
        let start = row[4] / row[k];
        let slope = without([row[0], row[1], row[2], row[3]], k, n).map(|a| a / row[k]);
        let substitute = |a: [f64; 4]| {
            let mut others = without(a, k, n);
            for j in 0..n - 1 {
                others[j] -= a[k] * slope[j];
            }
            others
        };
        let on_plane = &mut below[n - 2];
        on_plane.clear();
        let [s0, s1, s2, s3] = slope;
        on_plane.push([-s0, -s1, -s2, -s3, bounds[k][1] - start]);
        on_plane.push([s0, s1, s2, s3, start - bounds[k][0]]);
        on_plane.extend(rows[..i].iter().map(|&[a, b, c, d, right]| {
            let of_k = [a, b, c, d][k];
            let [a, b, c, d] = substitute([a, b, c, d]);
            [a, b, c, d, right - of_k * start]
        }));
        match optimum(below, &without(*bounds, k, n), substitute(objective)) {
            Some(mut y) => {
                let x_k = (0..n - 1).fold(start, |x, j| x - slope[j] * y[j]);
                y[n - 1] = y[k];
                y[k] = x_k;
                x = y;
            }
            None if n == 4 => {}
            None => return None,
        }
    }
    Some(x)
}

/// The first n - 1 of n items without the one at k, whose place the last one takes.
fn without<T: Copy + Default>(mut items: [T; 4], k: usize, n: usize) -> [T; 4] {
    items[k] = items[n - 1];
    items[n - 1] = T::default();
    items
}

fn value(row: &Row, x: &[f64; 4], n: usize) -> f64 {
    (0..n).map(|k| row[k] * x[k]).sum()
}

/// The same with one unknown.
fn best_on_line(rows: &[Row], [mut lo, mut hi]: [f64; 2], objective: f64) -> Option<[f64; 4]> {
    for &[a, _, _, _, b] in rows {
        if LEAST < a {
            hi = hi.min(b / a);
        } else if a < -LEAST {
            lo = lo.max(b / a);
        } else if b < -SLACK {
            return None;
        }
    }
    if hi + SLACK < lo {
        return None;
    }
    let best = if hi < lo {
        0.5 * (lo + hi)
    } else if 0.0 <= objective {
        hi
    } else {
        lo
    };
    Some([best, 0.0, 0.0, 0.0])
}

#[cfg(test)]
mod tests;
