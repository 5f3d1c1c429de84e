//! Minimum separation: whether two features come within a distance d > 0 of each other.
//!
//! The vector from one feature to the other, `F(t, u, v)`, is linear in time and in each of the two
//! parameters that select a point of each feature: vertex-face `a + u (b - a) + v (c - a) - p` on
//! the triangle `u + v <= 1`, edge-edge `a + u (b - a) - c - v (d - c)`. On a box of (t, u, v) each
//! component therefore lies between its values at the eight corners. Boxes are examined earliest
//! first: a box on which F is longer than d is dropped, one on which it is at most `(1 + SLACK) d`
//! long is the answer, any other is bisected.

use super::features::Ends;
use super::{Kind, Outcome};
use crate::math::bernstein::{FILTER_RANGE, U};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Maximum relative excess over d of a reported distance. A smaller value reports fewer pairs just
/// out of reach, and examines more boxes.
const SLACK: f64 = 1.0 / 64.0;

/// Maximum number of boxes; then the search returns the earliest time not ruled out.
const MAX_BOXES: usize = 1 << 16;

/// Result of the search.
pub(super) struct Search {
    pub(super) outcome: Outcome,
    /// Whether it stopped at [`MAX_BOXES`]: a hit is then conservative, and may be spurious.
    pub(super) exhausted: bool,
}

/// Decides whether the features come within `separation > 0` of each other, conservatively.
///
/// `Miss` is proven. `Hit { lo, hi }` has `lo = hi`: before `lo` the distance is larger than d, and
/// at `lo` it is at most `(1 + SLACK) d`, up to the rounding of the corner values; if the search
/// was exhausted, only the former holds.
pub(super) fn decide(kind: Kind, points: &[Ends<f64>; 4], separation: f64) -> Search {
    let (points, separation) = in_range(points, separation);
    let within = Within::new(kind, &points, separation);
    let mut boxes = BinaryHeap::from([Box::whole()]);
    let mut outcome = Outcome::Miss;
    let mut n_examined = 0;
    while let Some(here) = boxes.pop() {
        if kind == Kind::VertexFace && 1.0 < here.u.0 + here.v.0 {
            continue;
        }
        let values = within.values(&here);
        if within.is_beyond(&values) {
            continue;
        }
        outcome = Outcome::Hit { lo: here.t.0, hi: here.t.0 };
        n_examined += 1;
        if within.is_inside(&values) || n_examined == MAX_BOXES || !here.cut(&values, &mut boxes) {
            return Search { outcome, exhausted: n_examined == MAX_BOXES };
        }
        outcome = Outcome::Miss;
    }
    Search { outcome, exhausted: false }
}

/// The query with every coordinate in the range of the f64 bounds, scaled down by a power of two if
/// necessary. The rounding of the scaling is far below the error bound of the corner values; the
/// separation is rounded up.
fn in_range(points: &[Ends<f64>; 4], separation: f64) -> ([Ends<f64>; 4], f64) {
    let largest = points.as_flattened().as_flattened().iter().fold(separation, |m, x| m.max(x.abs()));
    if largest <= FILTER_RANGE {
        return (*points, separation);
    }
    // 2^-926, from any f64 to at most 2^98.
    let scale = f64::from_bits((1023 - 926) << 52);
    (points.map(|p| p.map(|end| end.map(|x| x * scale))), (separation * scale).next_up())
}

/// A box of time and the two parameters; all bounds are multiples of 2^-52.
#[derive(Clone, Copy, PartialEq)]
struct Box {
    t: (f64, f64),
    u: (f64, f64),
    v: (f64, f64),
}

impl Box {
    fn whole() -> Box {
        Box { t: (0.0, 1.0), u: (0.0, 1.0), v: (0.0, 1.0) }
    }

    fn sides(&self) -> [(f64, f64); 3] {
        [self.t, self.u, self.v]
    }

    /// Bisects the side along which the values change most and pushes both halves; `false` if no
    /// side can be bisected.
    fn cut(&self, values: &[[f64; 3]; 8], boxes: &mut BinaryHeap<Box>) -> bool {
        // Corner i has the upper end of side k where bit k of i is set.
        let change = |k: usize| {
            let across = (0..8usize).filter(|i| i >> k & 1 == 0).map(|i| (&values[i], &values[i | 1 << k]));
            across.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs())).fold(0.0, f64::max)
        };
        let mut sides = [0, 1, 2].map(|k| (change(k), k));
        sides.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, k) in sides {
            let (lo, hi) = self.sides()[k];
            if f64::EPSILON < hi - lo {
                let mid = 0.5 * (lo + hi);
                boxes.push(self.with(k, (lo, mid)));
                boxes.push(self.with(k, (mid, hi)));
                return true;
            }
        }
        false
    }

    fn with(mut self, k: usize, side: (f64, f64)) -> Box {
        *[&mut self.t, &mut self.u, &mut self.v][k] = side;
        self
    }
}

impl Eq for Box {}

impl PartialOrd for Box {
    fn partial_cmp(&self, other: &Box) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The greatest box is examined next: the earliest; among equally early ones the narrowest in time,
/// for a depth-first search; the remaining keys make the order total.
impl Ord for Box {
    fn cmp(&self, other: &Box) -> Ordering {
        let key = |b: &Box| [b.t.0, b.t.1, b.u.1 - b.u.0, b.v.1 - b.v.0, b.u.0, b.v.0];
        let keys = key(self).into_iter().zip(key(other));
        keys.map(|(a, b)| b.total_cmp(&a)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// The query, and the lengths with which corner values are compared.
struct Within<'a> {
    kind: Kind,
    points: &'a [Ends<f64>; 4],
    /// Bound of the rounding error of a corner value, for each axis.
    error: [f64; 3],
    /// Squares of d and of `(1 + SLACK) d`, rounded up and down.
    beyond_squared: f64,
    inside_squared: f64,
}

impl Within<'_> {
    fn new(kind: Kind, points: &[Ends<f64>; 4], separation: f64) -> Within<'_> {
        // With every coordinate below M: linear interpolation is off by 2.1 u M, a point of a
        // feature by at most 27.5 u M, the difference by 36 u M (vertex-face; 33 u M edge-edge).
        // Subnormal products add a few 2^-1074.
        let error = [0, 1, 2].map(|axis| {
            let largest = points.iter().flatten().fold(0.0, |m: f64, end| m.max(end[axis].abs()));
            50.0 * U * largest + 64.0 * f64::from_bits(1)
        });
        let far = separation * (1.0 + SLACK);
        Within {
            kind,
            points,
            error,
            beyond_squared: (separation * separation).next_up(),
            inside_squared: (far * far) * (1.0 - 8.0 * U),
        }
    }

    /// The values of F at the corners of a box; bits 0, 1, 2 of the index select the end of t, u,
    /// v.
    fn values(&self, at: &Box) -> [[f64; 3]; 8] {
        let pick = |(lo, hi): (f64, f64), upper: bool| if upper { hi } else { lo };
        let points = [at.t.0, at.t.1]
            .map(|t| self.points.map(|p| [0, 1, 2].map(|i| (1.0 - t) * p[0][i] + t * p[1][i])));
        std::array::from_fn(|corner| {
            let [p, q, r, s] = &points[corner & 1];
            let (u, v) = (pick(at.u, corner & 2 != 0), pick(at.v, corner & 4 != 0));
            [0, 1, 2].map(|i| match self.kind {
                Kind::VertexFace => (q[i] + ((r[i] - q[i]) * u + (s[i] - q[i]) * v)) - p[i],
                Kind::EdgeEdge => (p[i] + (q[i] - p[i]) * u) - (r[i] + (s[i] - r[i]) * v),
            })
        })
    }

    /// For each axis, the least and the greatest magnitude of F in the box.
    fn magnitudes(&self, values: &[[f64; 3]; 8]) -> [(f64, f64); 3] {
        [0, 1, 2].map(|i| {
            let lo = values.iter().fold(f64::INFINITY, |m, v| m.min(v[i])) - self.error[i];
            let hi = values.iter().fold(f64::NEG_INFINITY, |m, v| m.max(v[i])) + self.error[i];
            (lo.max(-hi).max(0.0), hi.max(-lo))
        })
    }

    /// Whether F is longer than d throughout the box. The sum of squares is rounded at most 6
    /// times, at worst down.
    fn is_beyond(&self, values: &[[f64; 3]; 8]) -> bool {
        let least_squared = self.magnitudes(values).iter().map(|m| m.0 * m.0).sum::<f64>();
        self.beyond_squared < least_squared * (1.0 - 8.0 * U)
    }

    /// Whether F is at most `(1 + SLACK) d` long throughout the box.
    fn is_inside(&self, values: &[[f64; 3]; 8]) -> bool {
        self.magnitudes(values).iter().map(|m| m.1 * m.1).sum::<f64>() <= self.inside_squared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;

    /// Two corners, one of each feature, that coincide at a time t, on each axis
    /// `(k - j) a0 + j a1 = (k - j) b0 + j b1` with `t = j / k`: not exactly in f64, but the box in
    /// which they meet is not dropped.
    #[test]
    fn a_box_in_which_the_features_touch_is_not_dropped() {
        let mut next = random(51);
        let mut whole = |size: f64| (next() * size).floor();
        let mut n_apart = 0;
        for round in 0..1000 {
            let (k, j) = (1024.0, 1.0 + whole(1023.0));
            let axes = [(); 3].map(|()| {
                let (m, gap) = (2f64.powi(41) + whole(2f64.powi(24)) * 65_537.0, 1.0 + whole(1e6));
                let b = [j * m + whole(100.0), -(k - j) * m + whole(100.0)];
                [[b[0] - j * gap, b[1] + (k - j) * gap], b]
            });
            let [a, b] = [0, 1].map(|corner| [0, 1].map(|end| axes.map(|on_axis| on_axis[corner][end])));
            let far = [[0; 3].map(|_| whole(2f64.powi(50))); 2];
            let kind = [Kind::VertexFace, Kind::EdgeEdge][round % 2];
            let points = if kind == Kind::VertexFace { [a, b, far, far] } else { [a, far, b, far] };
            let within = Within::new(kind, &points, 1.0 / 1024.0);
            let t = j / k;
            let values = within.values(&Box { t: (t, t), u: (0.0, 0.0), v: (0.0, 0.0) });
            n_apart += usize::from(values[0] != [0.0; 3]);
            assert!(!within.is_beyond(&values), "{kind:?} {points:?} {t}");
        }
        assert!(500 < n_apart, "{n_apart}");
    }
}
