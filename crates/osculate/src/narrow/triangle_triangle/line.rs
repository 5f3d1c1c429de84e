//! Two triangles in different planes, compared on the intersection line of the planes.
//!
//! Each triangle cuts the line L of both planes in an interval, and the triangles intersect where
//! the intervals do. An interval ends where an edge crosses L, so comparing two ends is one
//! orientation sign of two edges (Guigue and Devillers 2003). Their test is extended here to
//! distinguish touching from piercing, and to edges that end on L.

use super::Relation;
use crate::math::orient::{Point, Sides, crossing_parameter, orient3d};

/// An edge that meets the other triangle's plane in exactly one point.
#[derive(Clone, Copy)]
pub(super) struct Edge<'a> {
    ends: [&'a Point; 2],
    /// The exact sides of its ends.
    sides: [i8; 2],
}

impl<'a> Edge<'a> {
    /// The edge between two corners of a triangle on the given sides.
    fn new(triangle: &'a [Point; 3], sides: Sides, corners: [usize; 2]) -> Edge<'a> {
        Edge { ends: corners.map(|i| &triangle[i]), sides: corners.map(|i| sides.at(i)) }
    }

    /// Returns where it meets the plane, in f64; exactly an end that is in the plane.
    pub(super) fn crossing(&self, plane: &[Point; 3]) -> Point {
        let [p, q] = self.ends;
        let t = match self.sides {
            [0, _] => 0.0,
            [_, 0] => 1.0,
            _ => crossing_parameter(plane, p, q),
        };
        point_between(p, q, t)
    }
}

/// The intervals that two triangles of positive area, in different planes, cut from the line of
/// both planes. The line is directed along `n_A x n_B`, each normal being `(p1 - p0) x (p2 - p0)`.
pub(super) struct Intervals<'a> {
    /// Lower and upper end.
    a: [Edge<'a>; 2],
    b: [Edge<'a>; 2],
    /// Product of the sides from which the edges of A and of B come.
    sigma: i8,
    /// Each triangle has corners strictly on both sides of the other's plane.
    straddling: bool,
}

impl<'a> Intervals<'a> {
    /// Returns the intervals of triangles whose corners are on the given sides of each other's
    /// plane. Neither triple of sides is all zero, or all of one strict sign.
    pub(super) fn new(a: &'a [Point; 3], b: &'a [Point; 3], sides_a: Sides, sides_b: Sides) -> Self {
        let (mut a_ends, sigma_a) = edges_across(a, sides_a);
        let (mut b_ends, sigma_b) = edges_across(b, sides_b);
        // Seen with n_A toward the viewer and n_B up, L points to the left. A triangle p, q, r
        // runs counterclockwise, so with p above, the edge pq crosses L to the left of pr. For B
        // the roles of the normals are swapped.
        if sigma_a > 0 {
            a_ends.reverse();
        }
        if sigma_b < 0 {
            b_ends.reverse();
        }
        let straddling = sides_a.straddle() && sides_b.straddle();
        Intervals { a: a_ends, b: b_ends, sigma: sigma_a * sigma_b, straddling }
    }

    /// Returns the relation of the triangles, given whether they share a vertex.
    pub(super) fn relation(&self, share_vertex: bool, exact: &mut u64) -> Relation {
        let [a_low, a_high] = self.a;
        let [b_low, b_high] = self.b;
        let first = self.order(a_low, b_high, exact);
        if first < 0 {
            return Relation::Separate;
        }
        let second = -self.order(a_high, b_low, exact);
        if second < 0 {
            return Relation::Separate;
        }
        let more_than_an_end = first > 0 && second > 0;
        // A shared vertex is an end of both intervals, so they have more in common only if they
        // overlap in length.
        if share_vertex && !more_than_an_end {
            Relation::Separate
        } else if more_than_an_end && self.straddling {
            Relation::Piercing
        } else {
            Relation::Touching
        }
    }

    /// Returns the common part of the intervals in f64, for triangles that are known to intersect.
    pub(super) fn common(&self, plane_a: &[Point; 3], plane_b: &[Point; 3]) -> [Point; 2] {
        [0, 1].map(|end| {
            let (on_a, on_b) = (self.a[end], self.b[end]);
            let order = self.order(on_a, on_b, &mut 0);
            // The greater of the lower ends, the lesser of the upper ends.
            let b_is_within = if end == 0 { order > 0 } else { order < 0 };
            if b_is_within { on_b.crossing(plane_a) } else { on_a.crossing(plane_b) }
        })
    }

    /// Returns the sign of (where `b` crosses L) - (where `a` does), along L.
    ///
    /// Let X and Y be these points, u = p - q on `a` and v = r - s on `b`. Then
    /// `det(q - p, r - p, s - p)` is `det(u, Y - X, v)`, and for `Y - X = n_A x n_B` that is
    /// `(v . n_A)(u . n_B)`, of the sign of `sigma`. It vanishes only for X = Y, since neither edge
    /// is in L.
    fn order(&self, a: Edge, b: Edge, exact: &mut u64) -> i8 {
        let ([p, q], [r, s]) = (a.ends, b.ends);
        self.sigma * orient3d(p, q, r, s, exact)
    }
}

/// Returns the edges pq and pr of the triangle that meet the other plane in one point each, and the
/// side from which they come, p, q, r being in the triangle's own cyclic order. So p is alone
/// strictly on its side, or it is in the plane with the others on one side.
fn edges_across(triangle: &[Point; 3], sides: Sides) -> ([Edge<'_>; 2], i8) {
    let i = sides.alone().unwrap_or(0);
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let sigma = if sides.at(i) != 0 { sides.at(i) } else { -sides.at(j) };
    ([[i, j], [i, k]].map(|corners| Edge::new(triangle, sides, corners)), sigma)
}

/// Returns the relation of a segment, the hull of the collinear corners of `thin`, and a triangle
/// with area whose plane it meets in one point. `sides` are the sides of the corners of `thin`.
pub(super) fn segment_through_triangle(
    thin: &[Point; 3],
    sides: Sides,
    triangle: &[Point; 3],
    exact: &mut u64,
) -> Relation {
    let [p, q] = edge_across(thin, sides).ends;
    // The line passes the three edges on the same side if and only if it passes through the
    // triangle.
    let hands: [i8; 3] = std::array::from_fn(|i| orient3d(p, q, &triangle[i], &triangle[(i + 1) % 3], exact));
    if hands.contains(&1) && hands.contains(&-1) {
        Relation::Separate
    } else if !hands.contains(&0) && sides.straddle() {
        Relation::Piercing
    } else {
        Relation::Touching
    }
}

/// Returns the edge between two corners between which the triangle meets the other plane: one
/// highest, one lowest.
pub(super) fn edge_across(triangle: &[Point; 3], sides: Sides) -> Edge<'_> {
    let side = |i: &usize| sides.at(*i);
    let (top, bottom) = ((0..3).max_by_key(side).unwrap_or(0), (0..3).min_by_key(side).unwrap_or(0));
    Edge::new(triangle, sides, [top, bottom])
}

/// Returns `(1 - t) p + t q` in f64; p and q themselves for t = 0 and t = 1, and no overflow in
/// between.
pub(super) fn point_between(p: &Point, q: &Point, t: f64) -> Point {
    std::array::from_fn(|k| (1.0 - t) * p[k] + t * q[k])
}
