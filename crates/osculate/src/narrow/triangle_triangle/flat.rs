//! Triangles that no side of a plane separates: both coplanar, or both without area.
//!
//! Coplanar triangles are compared in a projection along an axis that keeps the plane
//! two-dimensional, where convex sets are disjoint if and only if the line of an edge of one of
//! them separates them. On a line, points are ordered lexicographically by their coordinates. Both
//! hold for a triangle without area as well, which is the segment or the point that its corners
//! span.

use super::{Relation, Shared};
use crate::math::orient::{Point, orient2d, orient3d};

/// Returns the relation of two triangles each of which has all corners in the plane of the other. A
/// triangle without area has no plane and passes for any.
pub(super) fn relation_in_plane(a: &[Point; 3], b: &[Point; 3], shared: Shared, exact: &mut u64) -> Relation {
    let axis = match axis_of_turn(a, exact).or_else(|| axis_of_turn(b, exact)) {
        Some(axis) => axis,
        None => {
            let ([p, q], [r, s]) = (ends(a), ends(b));
            if orient3d(&p, &q, &r, &s, exact) != 0 {
                return Relation::Separate;
            }
            let turns = [[p, q, r], [p, q, s], [p, r, s]];
            match turns.iter().find_map(|turn| axis_of_turn(turn, exact)) {
                Some(axis) => axis,
                None => return relation_on_line([p, q], [r, s], shared_ends(a, shared)),
            }
        }
    };

    let (from_a, from_b) = (separation(axis, a, b, exact), separation(axis, b, a, exact));
    if !from_a.interiors && !from_b.interiors {
        return Relation::Overlapping;
    }
    let meet = match shared.corners().next() {
        None => !from_a.closed && !from_b.closed,
        // Cones at the shared vertex: near it, each triangle is its cone, and the intersection is
        // convex.
        Some((i, j)) if shared.count() == 1 => {
            let (cone_a, cone_b) = ([a[(i + 1) % 3], a[(i + 2) % 3]], [b[(j + 1) % 3], b[(j + 2) % 3]]);
            cone_a.iter().any(|ray| in_cone(axis, &a[i], ray, &cone_b, exact))
                || cone_b.iter().any(|ray| in_cone(axis, &a[i], ray, &cone_a, exact))
        }
        // Triangles on either side of a shared edge have only that in common; so do a triangle and
        // a segment along its edge, and two segments that share a zero-length edge but not their
        // direction.
        Some(_) => false,
    };
    if meet { Relation::Touching } else { Relation::Separate }
}

/// Returns an axis along which the projections of the three points are not collinear; `None` if the
/// points are collinear.
pub(super) fn axis_of_turn([p, q, r]: &[Point; 3], exact: &mut u64) -> Option<usize> {
    (0..3).find(|axis| orient2d(*axis, p, q, r, exact) != 0)
}

/// What the edge lines of a triangle separate from it in a projection.
struct Separation {
    /// Some line has the other triangle strictly on its far side: the closed triangles are
    /// disjoint.
    closed: bool,
    /// Some line has the other triangle on its far side or on itself: the open triangles are
    /// disjoint. Always true for a triangle without area, which has no interior.
    interiors: bool,
}

fn separation(axis: usize, triangle: &[Point; 3], other: &[Point; 3], exact: &mut u64) -> Separation {
    let inner = orient2d(axis, &triangle[0], &triangle[1], &triangle[2], exact);
    let mut found = Separation { closed: false, interiors: false };
    for i in 0..3 {
        let (p, q) = (&triangle[i], &triangle[(i + 1) % 3]);
        let sides = other.map(|r| orient2d(axis, p, q, &r, exact));
        // Without area there is no inner side, and both strict sides are far sides.
        found.closed |= [1, -1].iter().any(|far| *far != inner && sides == [*far; 3]);
        found.interiors |= sides.iter().all(|side| side * inner <= 0);
    }
    found
}

/// Returns whether the ray from `apex` through `ray` is in the cone that the rays from `apex`
/// through the two points span. A point equal to the apex spans nothing.
fn in_cone(axis: usize, apex: &Point, ray: &Point, [first, second]: &[Point; 2], exact: &mut u64) -> bool {
    if ray == apex {
        return false;
    }
    let turn = orient2d(axis, apex, first, second, exact);
    if turn != 0 {
        return turn * orient2d(axis, apex, first, ray, exact) >= 0
            && turn * orient2d(axis, apex, ray, second, exact) >= 0;
    }
    [first, second].into_iter().any(|edge| {
        edge != apex && orient2d(axis, apex, edge, ray, exact) == 0 && (edge < apex) == (ray < apex)
    })
}

/// Returns the relation of two segments on one line, which share the segment `forced` or nothing.
/// Each is given by its ends in lexicographic order.
fn relation_on_line(a: [Point; 2], b: [Point; 2], forced: Option<[Point; 2]>) -> Relation {
    let low = if a[0] < b[0] { b[0] } else { a[0] };
    let high = if b[1] < a[1] { b[1] } else { a[1] };
    let meet = match forced {
        None => low <= high,
        Some(forced) => low < forced[0] || forced[1] < high,
    };
    if meet { Relation::Touching } else { Relation::Separate }
}

/// Returns the lexicographically first and last corner: the ends of a triangle without area.
fn ends(corners: &[Point]) -> [Point; 2] {
    let mut ends = [corners[0]; 2];
    for corner in corners {
        if *corner < ends[0] {
            ends[0] = *corner;
        }
        if ends[1] < *corner {
            ends[1] = *corner;
        }
    }
    ends
}

fn shared_ends(a: &[Point; 3], shared: Shared) -> Option<[Point; 2]> {
    let mut corners = shared.corners().map(|(i, _)| a[i]);
    let first = corners.next()?;
    Some(ends(&[first, corners.next().unwrap_or(first)]))
}
