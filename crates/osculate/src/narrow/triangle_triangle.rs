//! The exact relation of two triangles at an instant, for any shape and any finite coordinates.

mod batch;
mod flat;
mod line;
mod shared;

use std::ops::AddAssign;

pub(crate) use self::batch::{Open, TrianglePairs, decide_pairs};
use self::flat::{axis_of_turn, relation_in_plane};
use self::line::{Intervals, edge_across, segment_through_triangle};
pub use self::shared::Shared;
use crate::Error;
use crate::math::orient::{Plane, Point, Sides};

/// The relation of two closed triangles at an instant. A triangle without area is the segment or
/// the point that its corners span.
///
/// Triangles that share vertices of a mesh always have that part in common: the shared vertex, the
/// shared edge, or the three shared edges of two triangles over the same vertices. This is the
/// forced part. The relation is about the rest. It does not depend on the order of the corners or
/// of the triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[must_use]
pub enum Relation {
    /// They have no point in common beyond the forced part.
    Separate,
    /// They have a point in common beyond the forced part, but neither pierce nor overlap: some
    /// arbitrarily small motion would separate them.
    Touching,
    /// One passes through the other, and every small enough motion of the corners preserves this:
    /// the relative interiors intersect, and the edges of both triangles together span all three
    /// dimensions. Two triangles with area that pierce have a segment in common; a triangle without
    /// area may pierce one with area in a point.
    Piercing,
    /// They are coplanar and have a part of positive area in common. Always the case for two
    /// triangles with area over the same three vertices.
    Overlapping,
}

impl Relation {
    /// Returns whether the triangles intersect beyond their shared vertices or edge. Touching
    /// counts.
    #[inline]
    #[must_use]
    pub fn is_crossing(self) -> bool {
        self != Relation::Separate
    }
}

/// Counts of triangle pairs, by the deciding stage. They can be summed: `pairs` is the sum of all
/// other counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriangleStats {
    /// Pairs decided.
    pub pairs: u64,
    /// Separate because one triangle is strictly on one side of the other's plane (except for
    /// shared corners).
    pub plane_misses: u64,
    /// Separate because their boxes are.
    pub box_misses: u64,
    /// Decided by further signs in f64.
    pub filtered: u64,
    /// Decided with integers for at least one sign.
    pub exact: u64,
}

impl AddAssign for TriangleStats {
    fn add_assign(&mut self, other: TriangleStats) {
        self.pairs += other.pairs;
        self.plane_misses += other.plane_misses;
        self.box_misses += other.box_misses;
        self.filtered += other.filtered;
        self.exact += other.exact;
    }
}

/// Returns the relation of triangles `a` and `b`, given the corners that they share in the mesh.
///
/// Exact for all finite coordinates: orientation signs with a forward error bound, and integers
/// where the bound does not decide. A NaN or infinite coordinate is [`Error::NonFinite`]; its
/// vertex is 0 to 2 for the corners of `a` and 3 to 5 for those of `b`.
#[inline]
pub fn triangle_triangle(
    a: &[[f64; 3]; 3],
    b: &[[f64; 3]; 3],
    shared: Shared,
    stats: &mut TriangleStats,
) -> Result<Relation, Error> {
    let shared = if shared.count() == 0 { shared } else { shared.confirmed(a, b) };
    // A side is certified only if all of its coordinates are finite, so the input needs no check
    // before this.
    let sides_a = Plane::new(b).certified_sides(a);
    if !sides_a.all_on_one_side_but(shared.corners_of_a()) {
        let sides_b = Plane::new(a).certified_sides(b);
        if !sides_b.all_on_one_side_but(shared.corners_of_b()) {
            return decide(a, b, shared, [sides_a, sides_b], stats).map(|decided| decided.relation);
        }
    }
    stats.pairs += 1;
    stats.plane_misses += 1;
    Ok(Relation::Separate)
}

/// Returns the ends of the common segment of two triangles, in f64; both ends are equal, or nearly
/// so, if it is a point. `None` if the triangles are [`Relation::Separate`] or all six corners are
/// coplanar.
///
/// Approximate: each end is where an edge of one triangle meets the plane of the other. The edge is
/// chosen exactly; the position on it is rounded, by less than 2^-27 of the edge's length (and an
/// ulp of the coordinates). An end at a shared vertex is that vertex exactly. Errors as for
/// [`triangle_triangle`].
pub fn intersection_segment(
    a: &[[f64; 3]; 3],
    b: &[[f64; 3]; 3],
    shared: Shared,
) -> Result<Option<[[f64; 3]; 2]>, Error> {
    let sides = [Plane::new(b).certified_sides(a), Plane::new(a).certified_sides(b)];
    let found = crossing(a, b, shared, sides, &mut TriangleStats::default())?;
    Ok(found.and_then(|(_, segment)| segment))
}

/// A crossing, with its [segment](intersection_segment).
pub(crate) type Found = (Relation, Option<[Point; 2]>);

/// Returns how triangles `a` and `b` cross, if they do, from the certified sides of the corners of
/// `a` relative to the plane of `b` and vice versa. Errors as for [`triangle_triangle`].
pub(crate) fn crossing(
    a: &[Point; 3],
    b: &[Point; 3],
    shared: Shared,
    certified: [Sides; 2],
    stats: &mut TriangleStats,
) -> Result<Option<Found>, Error> {
    let shared = shared.confirmed(a, b);
    let Decided { relation, sides: [sides_a, sides_b] } = decide(a, b, shared, certified, stats)?;
    if !relation.is_crossing() {
        return Ok(None);
    }
    let segment = match (sides_a.all_zero(), sides_b.all_zero()) {
        (true, true) => None,
        (false, false) => Some(Intervals::new(a, b, sides_a, sides_b).common(a, b)),
        (false, true) => Some([edge_across(a, sides_a).crossing(b); 2]),
        (true, false) => Some([edge_across(b, sides_b).crossing(a); 2]),
    };
    Ok(Some((relation, segment)))
}

/// A relation, with the sides of the corners of `a` relative to the plane of `b` and vice versa. If
/// the triangles cross, the sides are exact.
struct Decided {
    relation: Relation,
    sides: [Sides; 2],
}

/// Decides a pair that the first stage of [`triangle_triangle`] does not prove separate, from the
/// sides certified so far.
#[inline(never)]
fn decide(
    a: &[Point; 3],
    b: &[Point; 3],
    shared: Shared,
    mut sides: [Sides; 2],
    stats: &mut TriangleStats,
) -> Result<Decided, Error> {
    check_finite(a, b)?;
    stats.pairs += 1;
    if boxes_separate(a, b) {
        stats.box_misses += 1;
        return Ok(Decided { relation: Relation::Separate, sides });
    }
    let mut exact = 0;
    let relation = relation(a, b, shared, &mut sides, &mut exact);
    if exact == 0 {
        stats.filtered += 1
    } else {
        stats.exact += 1
    }
    Ok(Decided { relation, sides })
}

fn relation(
    a: &[Point; 3],
    b: &[Point; 3],
    shared: Shared,
    sides: &mut [Sides; 2],
    exact: &mut u64,
) -> Relation {
    let [sides_a, sides_b] = sides;
    if shared.count() == 3 {
        // A triangle without area consists of its shared edges.
        let has_area = axis_of_turn(a, exact).is_some();
        return if has_area { Relation::Overlapping } else { Relation::Separate };
    }
    sides_a.complete(b, a, shared.corners_of_a(), exact);
    if sides_a.all_on_one_side_but(shared.corners_of_a()) {
        return Relation::Separate;
    }
    if sides_a.all_zero() && axis_of_turn(b, exact).is_some() {
        // All in the plane of `b`: the other sides are not needed, and cost most when they are
        // zero.
        return relation_in_plane(a, b, shared, exact);
    }
    sides_b.complete(a, b, shared.corners_of_b(), exact);
    if sides_b.all_on_one_side_but(shared.corners_of_b()) {
        return Relation::Separate;
    }
    // The sides of `a` are all zero if it is in the plane of `b`, or if `b` has no area and so no
    // plane.
    match (sides_a.all_zero(), sides_b.all_zero()) {
        (false, false) => Intervals::new(a, b, *sides_a, *sides_b).relation(shared.count() > 0, exact),
        (true, true) => relation_in_plane(a, b, shared, exact),
        // One has no area and meets the other's plane in one point; a shared corner is that point.
        _ if shared.count() > 0 => Relation::Separate,
        (false, true) => segment_through_triangle(a, *sides_a, b, exact),
        (true, false) => segment_through_triangle(b, *sides_b, a, exact),
    }
}

fn boxes_separate(a: &[Point; 3], b: &[Point; 3]) -> bool {
    (0..3).any(|k| {
        let range = |t: &[Point; 3]| (t[0][k].min(t[1][k]).min(t[2][k]), t[0][k].max(t[1][k]).max(t[2][k]));
        let (a, b) = (range(a), range(b));
        a.1 < b.0 || b.1 < a.0
    })
}

fn check_finite(a: &[Point; 3], b: &[Point; 3]) -> Result<(), Error> {
    for (vertex, point) in a.iter().chain(b).enumerate() {
        if let Some(axis) = point.iter().position(|x| !x.is_finite()) {
            return Err(Error::NonFinite { vertex, axis, t: 0, value: point[axis] });
        }
    }
    Ok(())
}
