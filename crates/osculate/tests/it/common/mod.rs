//! Shared by tests: random numbers, and families of queries for the narrow phase.
//!
//! Most families plant a contact: they choose the four points at a time of contact, then send each
//! along a line through its place. [`planted`] does so in floating point, so that the contact is
//! close to where it was meant to be; [`exact_contact`] uses few bits, so that the contact is
//! exactly there, and only maps that keep it there.

mod degenerate;
mod families;
mod rng;
mod surfaces;

use osculate::MovingPoint;
use osculate::narrow::Kind;

pub(crate) use degenerate::DEGENERATE;
pub(crate) use families::FAMILIES;
pub(crate) use rng::Rng;
pub(crate) use surfaces::{ball, closed, ring};

/// A named source of queries.
#[derive(Clone, Copy)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// Makes the four points of a query of the given kind.
    pub(crate) generate: fn(&mut Rng, Kind) -> [MovingPoint; 4],
}

/// How many families there are in both tables.
pub(crate) const N_FAMILIES: usize = FAMILIES.len() + DEGENERATE.len();

/// The families of both tables, by number.
pub(crate) fn family(i: usize) -> &'static Family {
    FAMILIES.get(i).unwrap_or_else(|| &DEGENERATE[i - FAMILIES.len()])
}

/// A random vector with components from `component`.
pub(crate) fn vector(mut component: impl FnMut() -> f64) -> [f64; 3] {
    [component(), component(), component()]
}

/// `a + s b`.
pub(crate) fn add(a: [f64; 3], s: f64, b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + s * b[i])
}

/// The point that is displaced by `displacement` during the step and is at `position` at time t.
pub(crate) fn through(position: [f64; 3], displacement: [f64; 3], t: f64) -> MovingPoint {
    MovingPoint::new(add(position, -t, displacement), add(position, 1.0 - t, displacement))
}

/// Applies a map to all eight positions.
pub(crate) fn map(points: [MovingPoint; 4], mut f: impl FnMut([f64; 3]) -> [f64; 3]) -> [MovingPoint; 4] {
    points.map(|p| MovingPoint::new(f(p.t0), f(p.t1)))
}

/// Where on a feature a contact is planted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    /// Inside the face, or inside both edges.
    Inside,
    /// On a side of the face, or at an end of one edge.
    Border,
    /// On a corner of the face, or at an end of both edges.
    Corner,
    /// Nowhere: just outside the face, in its plane, or past the end of an edge, on its line.
    Outside,
}

/// Four places, features of the given size, that touch up to rounding.
fn touching(rng: &mut Rng, kind: Kind, place: Place, size: f64) -> [[f64; 3]; 4] {
    let mut starts = [-rng.unit(), -rng.unit()];
    match kind {
        Kind::VertexFace => {
            let [a, b, c] = std::array::from_fn(|_| vector(|| size * rng.signed()));
            let (x, y) = (rng.unit(), rng.unit());
            let (v, w) = match place {
                Place::Inside if x + y < 1.0 => (x, y),
                Place::Inside => (1.0 - x, 1.0 - y),
                Place::Border => rng.pick(&[(x, 0.0), (0.0, x), (x, 1.0 - x)]),
                Place::Corner => rng.pick(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]),
                Place::Outside => (x, 1.0 + y - x),
            };
            let p = std::array::from_fn(|i| a[i] + v * (b[i] - a[i]) + w * (c[i] - a[i]));
            [p, a, b, c]
        }
        Kind::EdgeEdge => {
            let x = vector(|| size * rng.signed());
            let [u, v] = std::array::from_fn(|_| vector(|| size * rng.signed()));
            match place {
                Place::Inside => {}
                Place::Border => starts[rng.below(2) as usize] = 0.0,
                Place::Corner => starts = [0.0, 0.0],
                Place::Outside => starts[rng.below(2) as usize] *= -1.0,
            }
            let [s, r] = starts;
            [
                add(x, s, u),
                add(x, s.max(0.0) + rng.unit(), u),
                add(x, r, v),
                add(x, r.max(0.0) + rng.unit(), v),
            ]
        }
    }
}

/// A query with a contact planted up to rounding: features of size `size`, displacements of size
/// `motion`.
pub(crate) fn planted(rng: &mut Rng, kind: Kind, size: f64, motion: f64) -> [MovingPoint; 4] {
    planted_at(rng, kind, Place::Inside, size, [motion; 3])
}

/// A query with a contact planted up to rounding, at the given place and with displacements up to
/// `motion` on each axis.
pub(crate) fn planted_at(
    rng: &mut Rng,
    kind: Kind,
    place: Place,
    size: f64,
    motion: [f64; 3],
) -> [MovingPoint; 4] {
    let places = touching(rng, kind, place, size);
    let t = rng.unit();
    places.map(|place| through(place, motion.map(|m| m * rng.signed()), t))
}

/// Four places in one plane with integer coordinates (sixteenths for the point of a face), in
/// contact exactly as asked.
///
/// `reach` bounds the coordinates of corners and the directions of edges.
fn exactly_touching(rng: &mut Rng, kind: Kind, place: Place, reach: i32) -> [[f64; 3]; 4] {
    match kind {
        Kind::VertexFace => {
            let corners: [[f64; 3]; 3] = std::array::from_fn(|_| vector(|| rng.whole(-reach, reach)));
            // Sixteenths, in a random order.
            let mut weights = match place {
                Place::Inside => {
                    let first = rng.integer(1, 14);
                    let second = rng.integer(1, 15 - first);
                    [first, second, 16 - first - second]
                }
                Place::Border => {
                    let first = rng.integer(1, 15);
                    [first, 16 - first, 0]
                }
                Place::Corner => [16, 0, 0],
                Place::Outside => {
                    let first = rng.integer(0, 17);
                    [first, 17 - first, -1]
                }
            };
            weights.rotate_left(rng.below(3) as usize);
            let p = std::array::from_fn(|i| {
                (0..3).map(|corner| f64::from(weights[corner]) * corners[corner][i]).sum::<f64>() / 16.0
            });
            [p, corners[0], corners[1], corners[2]]
        }
        Kind::EdgeEdge => {
            let x = vector(|| rng.whole(-reach, reach));
            let [u, v] = std::array::from_fn(|_| vector(|| rng.whole(-reach, reach)));
            // Where each edge starts, in multiples of its direction from the common point: at it,
            // before or after it.
            let mut starts = match place {
                Place::Inside => [-1, -1],
                Place::Border => [0, -1],
                Place::Corner => [0, 0],
                Place::Outside => [1, -1],
            };
            starts.rotate_left(rng.below(2) as usize);
            let [s, r] = starts.map(|start| f64::from(start * rng.integer(1, 3)));
            let mut places = [
                add(x, s, u),
                add(x, s.max(0.0) + rng.whole(1, 3), u),
                add(x, r, v),
                add(x, r.max(0.0) + rng.whole(1, 3), v),
            ];
            if rng.one_in(2) {
                places.swap(0, 1);
            }
            if rng.one_in(2) {
                places.swap(2, 3);
            }
            places
        }
    }
}

/// A time of the form i/64, or an end of the step once in four times.
pub(crate) fn dyadic_time(rng: &mut Rng) -> f64 {
    match rng.below(8) {
        0 => 0.0,
        1 => 1.0,
        2 => 0.5,
        _ => rng.whole(1, 63) / 64.0,
    }
}

/// A query in contact exactly at a known place and time, all coordinates with few bits.
pub(crate) fn exact_contact_at(rng: &mut Rng, kind: Kind, place: Place, t: f64) -> [MovingPoint; 4] {
    let reach = rng.pick(&[2, 5, 40]);
    let places = exactly_touching(rng, kind, place, reach);
    let motion = rng.pick(&[1, 4, 50]);
    let points = places.map(|place| through(place, vector(|| rng.whole(-motion, motion)), t));
    shear(rng, points)
}

/// A query in contact exactly at the time returned, and perhaps at others.
pub(crate) fn exact_contact(rng: &mut Rng, kind: Kind) -> ([MovingPoint; 4], f64) {
    let place = rng.pick(&[Place::Inside, Place::Border, Place::Corner]);
    let t = dyadic_time(rng);
    (exact_contact_at(rng, kind, place, t), t)
}

/// A query that touches exactly at a known time without a change of sides: a double root of
/// coplanarity.
///
/// At time t all lies in a plane z = 0, and the two points in contact have the same velocity in z.
pub(crate) fn tangential_contact(rng: &mut Rng, kind: Kind, place: Place) -> ([MovingPoint; 4], f64) {
    let t = dyadic_time(rng);
    let mut flat = |reach: i32| [rng.whole(-reach, reach), rng.whole(-reach, reach), 0.0];
    let (places, displacements): ([[f64; 3]; 4], [[f64; 3]; 4]) = match kind {
        Kind::VertexFace => {
            let corners: [[f64; 3]; 3] = std::array::from_fn(|_| flat(6));
            let mut moves: [[f64; 3]; 4] = std::array::from_fn(|_| flat(6));
            moves[1..].iter_mut().for_each(|m| m[2] = rng.whole(-6, 6));
            let mut weights = match place {
                Place::Inside => rng.pick(&[[0.5, 0.25, 0.25], [0.125, 0.25, 0.625], [0.0625, 0.5, 0.4375]]),
                Place::Border => rng.pick(&[[0.5, 0.5, 0.0], [0.125, 0.875, 0.0]]),
                Place::Corner => [1.0, 0.0, 0.0],
                Place::Outside => [0.5, 0.625, -0.125],
            };
            weights.rotate_left(rng.below(3) as usize);
            let weighted =
                |i: usize, of: &[[f64; 3]]| (0..3).map(|corner| weights[corner] * of[corner][i]).sum();
            moves[0][2] = weighted(2, &moves[1..]);
            let p = [weighted(0, &corners), weighted(1, &corners), 0.0];
            ([p, corners[0], corners[1], corners[2]], moves)
        }
        Kind::EdgeEdge => {
            let (x, u, v) = (flat(6), flat(6), flat(6));
            let mut moves: [[f64; 3]; 4] = std::array::from_fn(|_| flat(6));
            // Where on each edge the lines meet: in the middle, at its start, or before its start
            // by its length.
            let [s, r] = match place {
                Place::Inside => [0.5, 0.5],
                Place::Border => [0.0, 0.5],
                Place::Corner => [0.0, 0.0],
                Place::Outside => [-1.0, 0.5],
            };
            // u and v are half an edge each. The velocity of the start of the second edge follows
            // from the rest.
            let edge = |s: f64, u| [add(x, -2.0 * s, u), add(x, 2.0 - 2.0 * s, u)];
            let ([a, b], [c, d]) = (edge(s, u), edge(r, v));
            moves.iter_mut().for_each(|m| m[2] = rng.whole(-6, 6));
            let velocity = (1.0 - s) * moves[0][2] + s * moves[1][2];
            moves[2][2] = (velocity - r * moves[3][2]) / (1.0 - r);
            ([a, b, c, d], moves)
        }
    };
    let points = std::array::from_fn(|i| through(places[i], displacements[i], t));
    (shear(rng, points), t)
}

/// Permutes the axes, shears by integers, adds an integer motion and scales by a power of two:
/// exact for coordinates with few bits, and without effect on contacts and their times.
pub(crate) fn shear(rng: &mut Rng, mut points: [MovingPoint; 4]) -> [MovingPoint; 4] {
    let shift = rng.below(3) as usize;
    let flip = rng.one_in(2);
    points = map(points, |mut p| {
        p.rotate_left(shift);
        if flip {
            p.swap(0, 1);
        }
        p
    });
    if rng.one_in(2) {
        let [xy, yz, zx] = vector(|| rng.whole(-2, 2));
        points = map(points, |[x, y, z]| {
            let x = x + xy * y;
            let y = y + yz * z;
            [x, y, z + zx * x]
        });
    }
    if rng.one_in(2) {
        let [from, to] = std::array::from_fn(|_| vector(|| rng.whole(-9, 9)));
        points = points.map(|p| MovingPoint::new(add(p.t0, 1.0, from), add(p.t1, 1.0, to)));
    }
    let scale = 2f64.powi(rng.integer(-6, 6));
    map(points, |p| p.map(|x| x * scale))
}
