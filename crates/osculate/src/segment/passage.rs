//! How a segment passes a triangle.

use crate::math::orient::{Point, orient3d};
use crate::narrow::{Shared, TriangleStats, triangle_triangle};

/// How a segment passes a triangle that it intersects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passage {
    /// Through an interior point of the triangle, from below to above, which is the side of the
    /// normal: out of a body that the triangle bounds.
    Outward,
    /// Through an interior point of the triangle, from above to below.
    Inward,
    /// Otherwise: an end of the segment is on the triangle, or the segment meets an edge or a
    /// corner, or is coplanar.
    Touching,
}

impl Passage {
    /// Returns exactly how the segment passes the triangle, or `None` if they do not intersect.
    ///
    /// With p and q the ends and a, b, c the corners: if p and q are not on one side of the plane
    /// of the triangle, and not both in it, the line through them meets the plane in one point of
    /// the segment. That point is in the triangle if the signs of (p, q, a, b), (p, q, b, c) and
    /// (p, q, c, a) do not contradict each other, and on its boundary if one of them is zero.
    pub(super) fn of(p: &Point, q: &Point, [a, b, c]: &[Point; 3]) -> Option<Passage> {
        let exact = &mut 0;
        let from = orient3d(a, b, c, p, exact);
        let to = orient3d(a, b, c, q, exact);
        if from == 0 && to == 0 {
            // Coplanar, or the triangle has no area.
            return meet(&[*p, *q, *q], &[*a, *b, *c]).then_some(Passage::Touching);
        }
        if from == to {
            return None;
        }
        let turns = [(a, b), (b, c), (c, a)].map(|(u, v)| orient3d(p, q, u, v, exact));
        match (turns.contains(&1), turns.contains(&-1)) {
            (true, true) => None,
            _ if turns.contains(&0) || from == 0 || to == 0 => Some(Passage::Touching),
            _ if from < to => Some(Passage::Outward),
            _ => Some(Passage::Inward),
        }
    }
}

/// Whether two triangles have a point in common, exactly. Segments and points are triangles without
/// area, with a corner named twice or three times.
pub(super) fn meet(first: &[Point; 3], second: &[Point; 3]) -> bool {
    let relation = triangle_triangle(first, second, Shared::NONE, &mut TriangleStats::default());
    relation.is_ok_and(|relation| relation.is_crossing())
}
