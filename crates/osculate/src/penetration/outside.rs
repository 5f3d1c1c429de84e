//! Proofs that nothing of a piece of a crossed triangle is enclosed, from its corners and what
//! crosses it. So what only touches is not divided all along its curve, or around its area.

use super::deepest::{ROUNDING, Sample};
use super::enclosed::{Field, Item};
use crate::math::orient::Point;
use crate::math::vector::{cross, dot, minus, plus, scale};

/// Whether nothing of a piece of a crossed triangle is enclosed, as every region of it that what
/// crosses it leaves has a corner that is not enclosed.
///
/// Regions are known if the piece is whole, if it is cut in two along one line by intersections
/// that pass all of it, or if it is [covered in part](is_covered) by triangles in its plane.
/// Corners count if they are farther from what crosses the piece than the points at which they were
/// decided are away, and than intersections are rounded; bounds of the piece are enlarged by as
/// much.
pub(super) fn is_outside(field: &Field, item: &Item, corners: &[Point; 3], samples: &[Sample; 3]) -> bool {
    let rounding = ROUNDING * field.size();
    let margin = field.blur(item) + rounding;
    let is_out = samples.map(|sample| sample.depth < -margin);
    if samples.iter().any(|sample| sample.is_open || 0.0 < sample.depth) || !is_out.contains(&true) {
        return false;
    }
    let Some(piece) = Grown::new(corners, rounding) else { return false };
    let mut covers: Vec<Grown> = Vec::new();
    for &t in field.coplanar(item) {
        let Some(cover) = Grown::new(&field.corners(t), rounding) else { return false };
        if !piece.is_apart(&cover) {
            covers.push(cover);
        }
    }
    let intersections = field.intersections(item);
    match &covers[..] {
        [] => is_whole_or_cut(&piece, intersections, is_out, samples, rounding),
        // Points of the surface of another component have no depth, and are not enclosed.
        [_] | [_, _] if field.is_of_another(item) => is_covered(&piece, &covers, intersections, is_out),
        _ => false,
    }
}

/// Whether every region of a piece that one line leaves has a corner that is out.
fn is_whole_or_cut(
    piece: &Grown,
    intersections: &[[Point; 2]],
    is_out: [bool; 3],
    samples: &[Sample; 3],
    rounding: f64,
) -> bool {
    let mut cut: Option<[Point; 2]> = None;
    for segment in intersections {
        let Some([start, end]) = piece.part_of(segment) else { continue };
        let along = minus(segment[1], segment[0]);
        let mut part = [start, end].map(|t| plus(segment[0], scale(t, along)));
        let near = |p: Point, q: Point| dot(minus(p, q), minus(p, q)) <= 16.0 * rounding * rounding;
        if let Some(other) = cut {
            if dot(minus(other[1], other[0]), along) < 0.0 {
                part.reverse();
            }
            if !near(part[0], other[0]) || !near(part[1], other[1]) {
                return false;
            }
        }
        if !(0.0 < start && end < 1.0) {
            return false;
        }
        cut = Some(part);
    }
    let Some([from, to]) = cut else { return true };
    let corners = piece.corners;
    let side = |corner: Point| 0.0 < dot(cross(minus(to, from), minus(corner, from)), piece.normal);
    let is_on_line = |k: usize| -rounding <= samples[k].depth;
    let has_witness = |k: usize| (0..3).any(|j| is_out[j] && side(corners[j]) == side(corners[k]));
    (0..3).all(|k| is_on_line(k) || has_witness(k))
}

/// Whether every region of a piece that one or two triangles in its plane leave has a corner that
/// is out, and nothing else crosses it there.
///
/// The triangles are convex. A region without a corner of the piece would touch a side of it in
/// between two points that are covered, or lie in a hole. One convex set, or two, have no hole; and
/// of each side, what they cover is seen to be connected.
fn is_covered(piece: &Grown, covers: &[Grown], intersections: &[[Point; 2]], is_out: [bool; 3]) -> bool {
    let is_in = |p: Point| covers.iter().any(|cover| cover.has(p));
    if !(0..3).all(|k| is_out[k] || is_in(piece.corners[k])) {
        return false;
    }
    let [a, b, c] = piece.corners;
    for side in [[a, b], [b, c], [c, a]] {
        let mut parts = covers.iter().filter_map(|cover| cover.part_of(&side));
        if let (Some([start, end]), Some([other_start, other_end])) = (parts.next(), parts.next())
            && (end < other_start || other_end < start)
        {
            return false;
        }
    }
    intersections.iter().all(|segment| {
        let Some(part) = piece.part_of(segment) else { return true };
        let [from, to] = part.map(|t| plus(segment[0], scale(t, minus(segment[1], segment[0]))));
        covers.iter().any(|cover| cover.has(from) && cover.has(to))
    })
}

/// A triangle whose sides are moved outward by the rounding of intersections.
struct Grown {
    corners: [Point; 3],
    normal: Point,
    squared: f64,
    /// The rounding as a part of the altitudes.
    slack: [f64; 3],
}

impl Grown {
    /// `None` if the triangle has no area.
    fn new(corners: &[Point; 3], rounding: f64) -> Option<Grown> {
        let [a, b, c] = *corners;
        let normal = cross(minus(b, a), minus(c, a));
        let squared = dot(normal, normal);
        let slack = [minus(c, b), minus(a, c), minus(b, a)];
        let slack = slack.map(|side| rounding * (dot(side, side) / squared).sqrt());
        (0.0 < squared).then_some(Grown { corners: *corners, normal, squared, slack })
    }

    /// The weights of a point of its plane; none is negative in the grown triangle.
    fn weights(&self, p: Point) -> [f64; 3] {
        let [a, b, c] = self.corners;
        let v = dot(cross(minus(p, a), minus(c, a)), self.normal) / self.squared;
        let w = dot(cross(minus(b, a), minus(p, a)), self.normal) / self.squared;
        [1.0 - v - w + self.slack[0], v + self.slack[1], w + self.slack[2]]
    }

    fn has(&self, p: Point) -> bool {
        self.weights(p).iter().all(|&weight| 0.0 <= weight)
    }

    /// Whether it shares no point with another one in its plane: a side of either separates them.
    fn is_apart(&self, other: &Grown) -> bool {
        let beyond = |one: &Grown, other: &Grown| {
            let weights = other.corners.map(|corner| one.weights(corner));
            (0..3).any(|k| weights.iter().all(|of_corner| of_corner[k] < 0.0))
        };
        beyond(self, other) || beyond(other, self)
    }

    /// The part of a segment that is in it.
    fn part_of(&self, segment: &[Point; 2]) -> Option<[f64; 2]> {
        let [from, to] = segment.map(|p| self.weights(p));
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        for (from, to) in from.into_iter().zip(to) {
            match (from < 0.0, to < 0.0) {
                (true, true) => return None,
                (true, false) => start = start.max(from / (from - to)),
                (false, true) => end = end.min(from / (from - to)),
                (false, false) => {}
            }
        }
        (start <= end).then_some([start, end])
    }
}
