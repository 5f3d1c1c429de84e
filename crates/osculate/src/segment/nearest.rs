//! The nearest point of a surface.

use super::Segments;
use crate::bounds::Slabs;
use crate::hierarchy::{Child, WIDTH};
use crate::math::orient::Point;
use crate::math::vector::{dot, minus, plus, scale};

/// The point of a surface that is nearest to a given point, in f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The triangle that contains the point.
    pub triangle: u32,
    /// The point.
    pub point: [f64; 3],
    /// Its distance.
    pub distance: f64,
}

impl Segments<'_> {
    /// Returns the nearest point to `from` of the triangles for which `only` holds, if its distance
    /// is less than `within`. Of several, that of the first triangle in the order of the hierarchy.
    ///
    /// The distance is rounded, by a few units in the last place of the coordinates in f32.
    #[must_use]
    pub fn nearest(&self, from: [f64; 3], within: f64, only: impl Fn(u32) -> bool) -> Option<Nearest> {
        self.nearest_until(from, within, -1.0, only)
    }

    /// The same, but any point at a distance of at most `enough` may be returned.
    pub(crate) fn nearest_until(
        &self,
        from: [f64; 3],
        within: f64,
        enough: f64,
        only: impl Fn(u32) -> bool,
    ) -> Option<Nearest> {
        let mut found: Option<Nearest> = None;
        let mut least = within * within;
        if self.hierarchy.n_nodes() == 0 || from.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let mut stack = vec![(0.0, 0)];
        let mut near: Vec<(f64, u32)> = Vec::with_capacity(WIDTH);
        while let Some((bound, node)) = stack.pop() {
            if least <= bound {
                continue;
            }
            if found.is_some_and(|found| found.distance <= enough) {
                break;
            }
            let wide = self.bounds.node(node);
            near.clear();
            for lane in 0..WIDTH {
                let child = self.hierarchy.child(node, lane);
                if child == Child::None {
                    continue;
                }
                let bound = distance_squared_to_box(&from, &wide.lane(lane));
                if least <= bound {
                    continue;
                }
                match child {
                    Child::None => {}
                    Child::Node(child) => near.push((bound, child)),
                    Child::Triangle(triangle) if only(triangle) => {
                        let point = nearest_in_triangle(&from, &self.corners(triangle));
                        let away = minus(point, from);
                        let squared = dot(away, away);
                        if squared < least {
                            least = squared;
                            found = Some(Nearest { triangle, point, distance: squared.sqrt() });
                        }
                    }
                    Child::Triangle(_) => {}
                }
            }
            // The nearest child is taken first.
            near.sort_by(|a, b| b.0.total_cmp(&a.0));
            stack.extend_from_slice(&near);
        }
        found
    }
}

/// A lower bound of the squared distance of a point to bounds, but for the rounding of the bounds.
fn distance_squared_to_box(p: &Point, bounds: &Slabs<3>) -> f64 {
    (0..3)
        .map(|i| {
            let (lo, hi) = (f64::from(bounds.lo[i].next_down()), f64::from(bounds.hi[i].next_up()));
            let away = (lo - p[i]).max(p[i] - hi).max(0.0);
            away * away
        })
        .sum()
}

/// Returns the nearest point to `p` of a closed triangle, in f64. A triangle without area is the
/// segment or the point that its corners span.
pub(crate) fn nearest_in_triangle(p: &Point, [a, b, c]: &[Point; 3]) -> Point {
    let (ab, ac, ap) = (minus(*b, *a), minus(*c, *a), minus(*p, *a));
    // The projection of p onto the plane is a + v ab + w ac, by the normal equations.
    let (aa, bb, cross) = (dot(ab, ab), dot(ac, ac), dot(ab, ac));
    let (pa, pb) = (dot(ap, ab), dot(ap, ac));
    let determinant = aa * bb - cross * cross;
    let (v, w) = (bb * pa - cross * pb, aa * pb - cross * pa);
    if 0.0 < determinant && 0.0 <= v && 0.0 <= w && v + w <= determinant {
        return plus(*a, plus(scale(v / determinant, ab), scale(w / determinant, ac)));
    }
    let on_edges = [(a, b), (b, c), (c, a)].map(|(from, to)| nearest_in_segment(p, from, to));
    let away = |q: &Point| dot(minus(*q, *p), minus(*q, *p));
    let [first, rest @ ..] = on_edges;
    rest.into_iter().fold(first, |best, next| if away(&next) < away(&best) { next } else { best })
}

/// Returns the nearest point to `p` of a closed segment, in f64.
pub(crate) fn nearest_in_segment(p: &Point, from: &Point, to: &Point) -> Point {
    let along = minus(*to, *from);
    let squared = dot(along, along);
    let t = if 0.0 < squared { (dot(minus(*p, *from), along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    plus(*from, scale(t, along))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;
    use crate::{Mesh, Model};

    /// Against a dense sampling of the triangle.
    #[test]
    fn the_nearest_point_of_a_triangle_is_no_farther_than_any_sample() {
        let mut random = random(7);
        for round in 0..300 {
            let mut point = || [0; 3].map(|_| random() * 2.0 - 1.0);
            let mut corners = [point(), point(), point()];
            if round % 5 == 0 {
                corners[2] = corners[round % 3];
            }
            let p = point();
            let nearest = nearest_in_triangle(&p, &corners);
            let away = |q: Point| dot(minus(q, p), minus(q, p)).sqrt();
            let n = 40;
            let mut least = f64::INFINITY;
            for i in 0..=n {
                for j in 0..=n - i {
                    let [v, w] = [i, j].map(|k| f64::from(k) / f64::from(n));
                    let q = plus(
                        scale(1.0 - v - w, corners[0]),
                        plus(scale(v, corners[1]), scale(w, corners[2])),
                    );
                    least = least.min(away(q));
                }
            }
            assert!(away(nearest) <= least + 1e-12 && least <= away(nearest) + 0.08, "{round}");
        }
    }

    /// Against all triangles of a random soup.
    #[test]
    fn the_nearest_triangle_is_found_among_those_asked_for() {
        let mut random = random(3);
        let points: Vec<Point> = (0..150).map(|_| [0; 3].map(|_| random() * 4.0)).collect();
        let faces: Vec<[u32; 3]> = (0..50).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let model = Model::new(Mesh::new(faces.clone(), points.len()).unwrap(), &points).unwrap();
        let segments = model.segments(&points).unwrap();
        for modulus in [1, 3] {
            for _ in 0..200 {
                let p = [0; 3].map(|_| random() * 5.0 - 0.5);
                let only = |t: u32| t.is_multiple_of(modulus);
                let all = faces.iter().zip(0..).filter(|&(_, t)| only(t)).map(|(face, _)| {
                    let q = nearest_in_triangle(&p, &face.map(|v| points[v as usize]));
                    dot(minus(q, p), minus(q, p)).sqrt()
                });
                let least = all.fold(f64::INFINITY, f64::min);
                let found = segments.nearest(p, f64::INFINITY, only).unwrap();
                assert!(only(found.triangle) && (found.distance - least).abs() < 1e-12);
                assert_eq!(segments.nearest(p, 0.9 * least, only), None);
            }
        }
    }
}
