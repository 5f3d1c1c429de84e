//! Minimum separation in exact arithmetic: whether, and when, two features come within d, for any
//! finite coordinates.
//!
//! The closest points of two features are inside of a part of each: a vertex, an edge, or a face.
//! For each pair of parts, the distance of the points, lines or planes through them is d at the
//! roots of a polynomial in t, and the foot points are inside of the parts where other polynomials
//! are not negative:
//!
//! * two vertices, g apart: `g.g - d^2`;
//! * a vertex p and an edge e from a: with `w = p - a`, `|w x e|^2 - d^2 e.e`, where `0 <= w.e` and
//!   `0 <= e.e - w.e`;
//! * a vertex and a face, or two edges: with the coplanarity cubic f and the normal n,
//!   `f^2 - d^2 n.n`, where the foot points are inside.
//!
//! The features are within d at t = 0, or first at a root of one of these polynomials at which its
//! conditions hold. A polynomial that is zero throughout can be left out: if the features are not
//! within d at the start, a foot point enters its part through the rim, where a smaller part has
//! the same distance; for two vertices, d is their distance at the start.
//!
//! In big integers, by counting sign variations. It is needed only where d is tiny in comparison
//! with the features or their motion, or where they rotate at a distance of about d.

use super::super::features::Ends;
use super::super::{Kind, Outcome};
use crate::math::dyadic::Dyadic;
use crate::math::integer::IntegerPoints;
use crate::math::polynomial::Polynomial;
use crate::math::sturm::Roots;

type Vector = [Polynomial; 3];

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}

fn dot(a: &Vector, b: &Vector) -> Polynomial {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

/// Two parts of the features.
struct Parts {
    /// Zero or negative where the points, lines or planes through the parts are at most d apart.
    excess: Polynomial,
    /// Not negative where the closest points of these are inside of the parts.
    inside: Vec<Polynomial>,
    /// Positive unless the parts are degenerate; then smaller parts are as close.
    size: Option<Polynomial>,
}

impl Parts {
    /// Whether the conditions hold, by the signs of polynomials at an instant.
    fn are_met(&self, sign: impl Fn(&Polynomial) -> i8) -> bool {
        self.size.as_ref().is_none_or(|size| sign(size) != 0) && self.inside.iter().all(|h| 0 <= sign(h))
    }
}

/// The points of a query and the square of d, as integers over a common power of two.
struct Query {
    points: [Vector; 4],
    squared: Polynomial,
}

impl Query {
    fn new(points: &[Ends<f64>; 4], separation: f64) -> Query {
        let distance = [separation, 0.0, 0.0];
        let given: [&[f64; 3]; 9] =
            std::array::from_fn(|i| if i < 8 { &points[i / 2][i % 2] } else { &distance });
        let integers = IntegerPoints::new(given).big();
        let d = &integers[8][0];
        Query {
            points: std::array::from_fn(|k| {
                let (t0, t1) = (&integers[2 * k], &integers[2 * k + 1]);
                std::array::from_fn(|i| Polynomial::new(vec![t0[i].clone(), &t1[i] - &t0[i]]))
            }),
            squared: Polynomial::new(vec![d * d]),
        }
    }

    fn span(&self, from: usize, to: usize) -> Vector {
        [0, 1, 2].map(|i| &self.points[to][i] - &self.points[from][i])
    }

    fn vertices(&self, a: usize, b: usize) -> Parts {
        let g = self.span(a, b);
        Parts { excess: &dot(&g, &g) - &self.squared, inside: Vec::new(), size: None }
    }

    fn vertex_and_edge(&self, p: usize, a: usize, b: usize) -> Parts {
        let (w, e) = (self.span(a, p), self.span(a, b));
        let (across, length_squared, along) = (cross(&w, &e), dot(&e, &e), dot(&w, &e));
        Parts {
            excess: &dot(&across, &across) - &(&self.squared * &length_squared),
            inside: vec![along.clone(), &length_squared - &along],
            size: Some(length_squared),
        }
    }

    /// The parts with normal `n`, which are `f / |n|` apart.
    fn with_normal(&self, f: &Polynomial, n: &Vector, inside: Vec<Polynomial>) -> Parts {
        let size = dot(n, n);
        Parts { excess: &(f * f) - &(&self.squared * &size), inside, size: Some(size) }
    }

    /// The foot is inside of the face if it is on the left of each edge.
    fn vertex_and_face(&self) -> Parts {
        let n = cross(&self.span(1, 2), &self.span(1, 3));
        let sides = [(1, 2), (2, 3), (3, 1)];
        let inside = sides.map(|(a, b)| dot(&n, &cross(&self.span(a, b), &self.span(a, 0))));
        self.with_normal(&dot(&n, &self.span(1, 0)), &n, inside.into())
    }

    /// With r from the start of the first edge e to that of the second edge f, the parameters of
    /// the closest points are `n.(r x f)` and `n.(r x e)`, over `n.n`.
    fn edges(&self) -> Parts {
        let (e, f, r) = (self.span(0, 1), self.span(2, 3), self.span(0, 2));
        let n = cross(&e, &f);
        let (s, v, one) = (dot(&n, &cross(&r, &f)), dot(&n, &cross(&r, &e)), dot(&n, &n));
        let (rest_s, rest_v) = (&one - &s, &one - &v);
        self.with_normal(&dot(&n, &r), &n, vec![s, rest_s, v, rest_v])
    }

    /// All pairs of parts.
    fn parts(&self, kind: Kind) -> Vec<Parts> {
        let features = kind.features();
        let vertices = features.gaps.iter().map(|&(a, b)| self.vertices(a, b));
        let edges = features.on_segment.iter().map(|&(p, a, b)| self.vertex_and_edge(p, a, b));
        let whole = match kind {
            Kind::VertexFace => self.vertex_and_face(),
            Kind::EdgeEdge => self.edges(),
        };
        vertices.chain(edges).chain([whole]).collect()
    }
}

/// Decides whether the distance of two features falls to `separation` or below, exactly. A hit has
/// a bracket of at most `time_width`.
#[cold]
pub(in super::super) fn decide(
    kind: Kind,
    points: &[Ends<f64>; 4],
    separation: f64,
    time_width: f64,
) -> Outcome {
    let parts = Query::new(points, separation).parts(kind);
    let zero = Dyadic::zero();
    let sign_at_start = |h: &Polynomial| h.sign_at(&zero);
    if parts.iter().any(|parts| sign_at_start(&parts.excess) <= 0 && parts.are_met(sign_at_start)) {
        return Outcome::Hit { lo: 0.0, hi: 0.0 };
    }
    // The smallest ends enclose the first time, and are at most as far apart as the bracket with
    // the smallest lower end.
    let mut first: Option<(f64, f64)> = None;
    for parts in parts.iter().filter(|parts| !parts.excess.has_one_sign()) {
        let roots = Roots::of(&parts.excess);
        let met = roots.iter().find(|root| parts.are_met(|h| roots.sign(root, h)));
        if let Some((lo, hi)) = met.map(|root| roots.bracket(root, time_width)) {
            first = Some(first.map_or((lo, hi), |first| (first.0.min(lo), first.1.min(hi))));
        }
    }
    first.map_or(Outcome::Miss, |(lo, hi)| Outcome::Hit { lo, hi })
}
