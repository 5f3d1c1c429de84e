//! The surface at rest: triangles, neighbors, and orientations relative to observers.

use crate::vector::{Vector, cross, dot, length, minus, nearest_on_segment, place_on_segment, plus, scale};
use osculate::Mesh;
use osculate::method::Observer;

/// A mesh at a validated pose.
#[derive(Clone, Copy)]
pub(crate) struct Surface<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) rest: &'a [Vector],
}

/// The orientation of a triangle relative to an observer: it faces away (positive), it faces the
/// observer (negative), or neither holds everywhere. Computed in f64, as it affects only speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Orientation {
    Positive,
    Negative,
    Mixed,
}

/// A point or a segment as an observer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Eye {
    Point(Vector),
    Segment([Vector; 2]),
}

impl Eye {
    /// The position of an observer, or `None` for a free one.
    pub(crate) fn of(observer: Observer, joints: &[Vector]) -> Option<Eye> {
        match observer {
            Observer::Joint(joint) => Some(Eye::Point(joints[joint as usize])),
            Observer::Bone(ends) => Some(Eye::Segment(ends.map(|joint| joints[joint as usize]))),
            Observer::Free => None,
        }
    }
}

/// A triangle at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    pub(crate) corners: [Vector; 3],
    /// `(p1 - p0) x (p2 - p0)`: twice as long as the area.
    pub(crate) normal: Vector,
}

impl Surface<'_> {
    pub(crate) fn n_triangles(&self) -> usize {
        self.mesh.triangles().len()
    }

    pub(crate) fn facet(&self, triangle: u32) -> Facet {
        let corners = self.mesh.triangles()[triangle as usize].map(|v| self.rest[v as usize]);
        let [a, b, c] = corners;
        Facet { corners, normal: cross(minus(b, a), minus(c, a)) }
    }

    /// The triangles that share an edge with a triangle, once for each shared edge.
    pub(crate) fn neighbors(&self, triangle: u32) -> impl Iterator<Item = u32> {
        let edges = self.mesh.triangle_edges()[triangle as usize];
        let of_edges = edges.into_iter().flat_map(|edge| self.mesh.triangles_of_edge(edge));
        of_edges.copied().filter(move |&other| other != triangle)
    }
}

impl Facet {
    /// Returns the orientation of the triangle relative to the observer.
    ///
    /// For a point q that is the sign of `n . (p0 - q)`. For a segment it is that of
    /// `psi_i = n . (p_i - p'_i)` for all three corners, where p'_i is the point of the segment
    /// nearest to p_i; with A0 and A1 the values of the first formula for the ends, and s_i the
    /// parameter of p'_i, `psi_i = (1 - s_i) A0 + s_i A1`.
    pub(crate) fn orientation(&self, eye: &Eye) -> Orientation {
        let seen_from = |q: Vector| dot(self.normal, minus(self.corners[0], q));
        let signs = match eye {
            Eye::Point(q) => [seen_from(*q); 3],
            Eye::Segment(ends) => {
                let [first, second] = ends.map(seen_from);
                self.corners.map(|p| {
                    let s = place_on_segment(*ends, p);
                    (1.0 - s) * first + s * second
                })
            }
        };
        if signs.iter().all(|&sign| 0.0 < sign) {
            Orientation::Positive
        } else if signs.iter().all(|&sign| sign < 0.0) {
            Orientation::Negative
        } else {
            Orientation::Mixed
        }
    }

    /// Whether the triangle faces away from the observer, and the angle between its normal and the
    /// direction from there to its center has a cosine above `least_cosine`.
    pub(crate) fn is_admissible(&self, eye: &Eye, least_cosine: f64) -> bool {
        let [a, b, c] = self.corners;
        let middle = scale(1.0 / 3.0, plus(plus(a, b), c));
        let from = match eye {
            Eye::Point(q) => *q,
            Eye::Segment(ends) => nearest_on_segment(*ends, middle),
        };
        let direction = minus(middle, from);
        least_cosine * length(self.normal) * length(direction) < dot(self.normal, direction)
            && self.orientation(eye) == Orientation::Positive
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facet(corners: [Vector; 3]) -> Facet {
        let [a, b, c] = corners;
        Facet { corners, normal: cross(minus(b, a), minus(c, a)) }
    }

    #[test]
    fn a_triangle_is_seen_from_one_side_of_its_plane() {
        let up = facet([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]);
        assert_eq!(up.orientation(&Eye::Point([5.0, 5.0, 0.0])), Orientation::Positive);
        assert_eq!(up.orientation(&Eye::Point([0.0, 0.0, 2.0])), Orientation::Negative);
        assert_eq!(up.orientation(&Eye::Point([7.0, 0.0, 1.0])), Orientation::Mixed);
        assert!(up.is_admissible(&Eye::Point([0.0; 3]), 0.5));
        assert!(!up.is_admissible(&Eye::Point([5.0, 5.0, 0.0]), 0.5), "it is seen at a flat angle");
        assert!(!up.is_admissible(&Eye::Point([0.0, 0.0, 2.0]), -1.0));
    }

    #[test]
    fn corners_can_disagree_about_a_segment() {
        // Its plane separates the ends of the segment.
        let slanted = facet([[4.0, 5.0, 0.2], [6.0, 5.0, -0.2], [4.0, 6.0, 0.2]]);
        let bone = Eye::Segment([[0.0; 3], [10.0, 0.0, 0.0]]);
        assert_eq!(slanted.orientation(&bone), Orientation::Mixed);
        let above = facet([[4.0, 0.0, 1.0], [6.0, 0.0, 1.0], [4.0, 1.0, 1.0]]);
        assert_eq!(above.orientation(&bone), Orientation::Positive);
        let none = facet([[1.0; 3]; 3]);
        assert_eq!(none.orientation(&bone), Orientation::Mixed, "no area");
        assert!(!none.is_admissible(&bone, 0.1));
    }
}
