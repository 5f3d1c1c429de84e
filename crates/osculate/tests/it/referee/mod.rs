//! The referee: an exact answer to a narrow-phase query by other means than the library's, for
//! tests only.
//!
//! All 24 coordinates are scaled by one power of two to integers, so every polynomial in time has
//! integer coefficients. Whether the closed features share a point at time t follows from signs at
//! t:
//!
//! * The four points are coplanar: `f(t) = 0`. Without this there is no common point.
//! * The plane is definite, `|n(t)|^2 > 0`: every weight of the common point is at least zero. The
//!   weights are dot products with n in space, of degree four; nothing is projected on an axis.
//! * It is not, `n(t) = 0`: the triangle is the union of its sides, or the two edges are parallel
//!   or points. Then there is a common point exactly if one of a few points lies on one of a few
//!   segments.
//!
//! If f is not zero throughout, the times of contact are among its roots: each is tested, the
//! earliest first. If f is zero throughout, all that matters is a fixed list of signs; between two
//! neighboring roots of the listed polynomials nothing changes, and because the times of contact
//! are a closed set, the first one is t = 0 or such a root: all are tested. This needs no reasoning
//! about how a contact in a plane begins.

mod algebraic;
mod poly;
mod tests;

use num_bigint::Sign;
use osculate::MovingPoint;
use osculate::narrow::Kind;

pub(crate) use algebraic::Algebraic;
use algebraic::{decode, roots};
use poly::Poly;

/// The earliest t in [0, 1] at which the two closed features share a point, if there is one.
pub(crate) fn first_contact(kind: Kind, points: &[MovingPoint; 4]) -> Option<Algebraic> {
    let features = Features::new(kind, points);
    let coplanarity = features.coplanarity();
    if !coplanarity.is_zero() {
        let mut times = roots(&coplanarity);
        if times.is_empty() {
            return None;
        }
        let plane = features.plane_signs();
        return times.drain(..).find_map(|mut t| features.touch(&plane, &mut t).then_some(t));
    }

    let plane = features.plane_signs();
    if features.touch(&plane, &mut Algebraic::zero()) {
        return Some(Algebraic::zero());
    }
    let mut first: Option<Algebraic> = None;
    for poly in features.critical(&plane).iter().filter(|poly| !poly.is_zero()) {
        for mut t in roots(poly) {
            let is_earlier = first.as_mut().is_none_or(|first| t.compare(first).is_lt());
            if is_earlier && features.touch(&plane, &mut t) {
                first = Some(t);
            }
        }
    }
    first
}

/// Whether the two closed features share a point at the time t in [0, 1].
pub(crate) fn touch_at(kind: Kind, points: &[MovingPoint; 4], t: f64) -> bool {
    let features = Features::new(kind, points);
    let mut t = Algebraic::from_f64(t);
    t.sign_of(&features.coplanarity()) == Sign::NoSign && features.touch(&features.plane_signs(), &mut t)
}

/// A vector with a polynomial for each axis.
type Vector = [Poly; 3];

/// Two features as integer polynomials.
struct Features {
    kind: Kind,
    points: [Vector; 4],
}

/// What decides at a time at which the four points span a definite plane.
struct PlaneSigns {
    /// `|n|^2`: zero exactly where the plane is not definite.
    size: Poly,
    /// The weights of the common point, times `|n|^2`: it belongs to both features exactly if none
    /// is negative.
    weights: Vec<Poly>,
}

/// What decides whether a point lies on a segment.
///
/// With `u`, `v` the vectors from the point to the two ends: it does exactly if u and v have
/// opposite directions or one of them is zero, which is to say `|u x v|^2 = 0` and `u . v <= 0`.
/// This holds for segments of length zero too.
struct SegmentSigns {
    cross_squared: Poly,
    dot: Poly,
}

impl Features {
    fn new(kind: Kind, points: &[MovingPoint; 4]) -> Features {
        let exponents = points.iter().flat_map(|p| p.t0.into_iter().chain(p.t1)).filter(|x| *x != 0.0);
        let lowest = exponents.map(|x| decode(x).1).min().unwrap_or(0);
        let integer = |x: f64| {
            let (mantissa, exponent) = decode(x);
            if x == 0.0 { mantissa } else { mantissa << (exponent - lowest) }
        };
        let vector = |p: &MovingPoint| -> Vector {
            std::array::from_fn(|axis| Poly(vec![integer(p.t0[axis]), integer(p.t1[axis])]))
        };
        Features { kind, points: points.each_ref().map(vector) }
    }

    /// Zero exactly where the four points are coplanar: a polynomial of degree three.
    fn coplanarity(&self) -> Poly {
        let [o, a, b, c] = &self.points;
        dot(&sub(a, o), &cross(&sub(b, o), &sub(c, o)))
    }

    fn plane_signs(&self) -> PlaneSigns {
        match self.kind {
            // With A, B, C the vectors from the point p to the corners, n = (b-a) x (c-a) = AxB +
            // BxC + CxA. In the plane, p = (wa a + wb b + wc c) / |n|^2 with wa = n . BxC, wb = n .
            // CxA, wc = n . AxB; their sum is
            // |n|^2. The point is in the triangle exactly if all three are at least zero.
            Kind::VertexFace => {
                let [p, a, b, c] = &self.points;
                let (a, b, c) = (sub(a, p), sub(b, p), sub(c, p));
                let (ab, bc, ca) = (cross(&a, &b), cross(&b, &c), cross(&c, &a));
                let normal = add(&add(&ab, &bc), &ca);
                let weights = vec![dot(&normal, &bc), dot(&normal, &ca), dot(&normal, &ab)];
                PlaneSigns { size: dot(&normal, &normal), weights }
            }
            // Lines a + s u and c + r v, with w = c - a and n = u x v. Where they meet, w = s u - r
            // v, so that w x v = s n and w x u = r n: s |n|^2 = n . wxv and r |n|^2 = n . wxu. They
            // meet in one point, because n is not zero and w is coplanar with u and v. It is on
            // both edges exactly if 0 <= s, r <= 1.
            Kind::EdgeEdge => {
                let [a, b, c, d] = &self.points;
                let (u, v, w) = (sub(b, a), sub(d, c), sub(c, a));
                let normal = cross(&u, &v);
                let size = dot(&normal, &normal);
                let s = dot(&normal, &cross(&w, &v));
                let r = dot(&normal, &cross(&w, &u));
                let weights = vec![size.sub(&s), size.sub(&r), s, r];
                PlaneSigns { size, weights }
            }
        }
    }

    /// What decides where the plane is not definite: there is contact exactly if one of these
    /// points is on its segment.
    fn segment_signs(&self) -> Vec<SegmentSigns> {
        let [p, q, r, s] = &self.points;
        let on = |point: &Vector, end0: &Vector, end1: &Vector| {
            let (u, v) = (sub(end0, point), sub(end1, point));
            let normal = cross(&u, &v);
            SegmentSigns { cross_squared: dot(&normal, &normal), dot: dot(&u, &v) }
        };
        match self.kind {
            // The corners are collinear, so the triangle is its longest side, or one point: the
            // union of its sides.
            Kind::VertexFace => vec![on(p, q, r), on(p, r, s), on(p, s, q)],
            // Edges that are parallel meet only on one line, in a closed interval whose ends are
            // ends of edges. An edge of length zero is its own end.
            Kind::EdgeEdge => vec![on(p, r, s), on(q, r, s), on(r, p, q), on(s, p, q)],
        }
    }

    /// Whether the features share a point at a time at which the four points are coplanar.
    fn touch(&self, plane: &PlaneSigns, t: &mut Algebraic) -> bool {
        if t.sign_of(&plane.size) != Sign::NoSign {
            plane.weights.iter().all(|weight| t.sign_of(weight) != Sign::Minus)
        } else {
            self.segment_signs().iter().any(|segment| {
                t.sign_of(&segment.dot) != Sign::Plus && t.sign_of(&segment.cross_squared) == Sign::NoSign
            })
        }
    }

    /// Polynomials whose signs decide on every open interval without a root of one of them, if the
    /// four points are always coplanar.
    ///
    /// If `|n|^2` is not zero throughout, it is positive on such an interval and the weights
    /// decide; the times at which it is zero are roots, tested one by one. If it is zero
    /// throughout, the segments decide always.
    fn critical(&self, plane: &PlaneSigns) -> Vec<Poly> {
        if !plane.size.is_zero() {
            std::iter::once(&plane.size).chain(&plane.weights).cloned().collect()
        } else {
            self.segment_signs().into_iter().flat_map(|s| [s.cross_squared, s.dot]).collect()
        }
    }
}

fn add(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i].add(&b[i]))
}

fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i].sub(&b[i]))
}

fn dot(a: &Vector, b: &Vector) -> Poly {
    a[0].mul(&b[0]).add(&a[1].mul(&b[1])).add(&a[2].mul(&b[2]))
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j].mul(&b[k]).sub(&a[k].mul(&b[j]))
    })
}
