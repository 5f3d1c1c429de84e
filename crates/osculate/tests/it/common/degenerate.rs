//! Families of queries that are nearly all degenerate: parts that shrink to a point, coincident
//! surfaces, features that are points or segments.

use osculate::MovingPoint;
use osculate::narrow::Kind;

use super::{Family, Place, Rng, add, exact_contact_at, map, planted, planted_at, shear, vector};

type Points = [MovingPoint; 4];

/// Every family of this file, by name.
pub(crate) const DEGENERATE: &[Family] = &[
    Family { name: "shrinking to a point", generate: shrinking },
    Family { name: "growing from a point", generate: |rng, kind| backward(shrinking(rng, kind)) },
    Family { name: "shrinking in part", generate: shrinking_in_part },
    Family { name: "points and segments", generate: points_and_segments },
    Family { name: "surfaces in the same place", generate: surfaces_in_the_same_place },
    Family { name: "moving as one", generate: moving_as_one },
    Family { name: "moving as one but for an ulp", generate: nearly_as_one },
    Family { name: "turned grid", generate: turned_grid },
    Family { name: "rounded to f32", generate: rounded_to_f32 },
    Family { name: "as many bits as words hold", generate: widest },
    Family { name: "three factors", generate: three_factors },
    Family { name: "three factors but for an ulp", generate: nearly_three_factors },
];

fn backward(points: Points) -> Points {
    points.map(|p| MovingPoint::new(p.t1, p.t0))
}

/// Rounded to f32, as the coordinates of files are.
fn to_f32(p: [f64; 3]) -> [f64; 3] {
    p.map(|x| f64::from(x as f32))
}

fn in_f32_sometimes(rng: &mut Rng, points: Points) -> Points {
    if rng.one_in(2) { map(points, to_f32) } else { points }
}

/// A starting query: small integers, or a contact up to rounding.
fn any(rng: &mut Rng, kind: Kind) -> Points {
    match rng.below(3) {
        0 => std::array::from_fn(|_| {
            MovingPoint::new(vector(|| rng.whole(-2, 2)), vector(|| rng.whole(-2, 2)))
        }),
        1 => planted(rng, kind, 1.0, 0.5),
        _ => {
            let place = rng.pick(&[Place::Inside, Place::Border, Place::Corner]);
            planted_at(rng, kind, place, 1.0, [0.1; 3])
        }
    }
}

/// The remaining fraction of the size at the end of the step.
fn remains(rng: &mut Rng) -> f64 {
    rng.pick(&[0.0, 0.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 2f64.powi(-30)])
}

/// All four points contract to one point, completely or almost.
fn shrinking(rng: &mut Rng, kind: Kind) -> Points {
    let center = if rng.one_in(3) { [0.0; 3] } else { vector(|| 3.0 * rng.signed()) };
    let scale = remains(rng);
    let points = any(rng, kind).map(|p| MovingPoint::new(p.t0, add(center, scale, p.t1)));
    in_f32_sometimes(rng, points)
}

/// Some of the points do so, the others rest or move arbitrarily.
fn shrinking_in_part(rng: &mut Rng, kind: Kind) -> Points {
    let points = any(rng, kind);
    let center = points[rng.below(4) as usize].t1;
    let scale = remains(rng);
    let points = points.map(|p| match rng.below(4) {
        0 => p,
        1 => MovingPoint::new(p.t0, p.t0),
        _ => MovingPoint::new(p.t0, add(center, scale, p.t1)),
    });
    in_f32_sometimes(rng, points)
}

/// Four points of which at most three are different, at an end or throughout.
fn points_and_segments(rng: &mut Rng, kind: Kind) -> Points {
    let source = any(rng, kind);
    let n = rng.integer(1, 3) as u64;
    std::array::from_fn(|_| {
        let (from, to) = (source[rng.below(n) as usize], source[rng.below(n) as usize]);
        MovingPoint::new(from.t0, if rng.one_in(3) { to.t1 } else { from.t1 })
    })
}

/// A rotation about an axis through the origin, and a translation.
fn pose(rng: &mut Rng) -> impl Fn([f64; 3]) -> [f64; 3] + use<> {
    let (sin, cos) = (3.0 * rng.signed()).sin_cos();
    let (shift, turn) = (vector(|| rng.signed()), rng.below(3) as usize);
    move |mut p| {
        p.rotate_left(turn);
        let [x, y, z] = p;
        add([cos * x - sin * y, sin * x + cos * y, z], 1.0, shift)
    }
}

/// Points of one flat grid, moved by the pose of a bone and rounded: two coincident layers of it.
fn surfaces_in_the_same_place(rng: &mut Rng, _: Kind) -> Points {
    let (first, last) = (pose(rng), pose(rng));
    let at_rest = rng.one_in(3);
    let rounding = rng.one_in(2);
    std::array::from_fn(|_| {
        let p = [0.25 * rng.whole(0, 2), 0.25 * rng.whole(0, 2), 0.125];
        let (t0, t1) = (first(p), if at_rest { first(p) } else { last(p) });
        if rounding { MovingPoint::new(to_f32(t0), to_f32(t1)) } else { MovingPoint::new(t0, t1) }
    })
}

/// Four places that touch, or nearly do, with one displacement for all.
fn moving_as_one(rng: &mut Rng, kind: Kind) -> Points {
    let place = rng.pick(&[Place::Inside, Place::Border, Place::Corner, Place::Outside]);
    let points = if rng.one_in(2) { exact_contact_at(rng, kind, place, 0.0) } else { any(rng, kind) };
    let displacement =
        if rng.one_in(2) { vector(|| rng.whole(-3, 3)) } else { vector(|| 0.1 * rng.signed()) };
    let points = points.map(|p| MovingPoint::new(p.t0, add(p.t0, 1.0, displacement)));
    in_f32_sometimes(rng, points)
}

/// The same with coordinates off by a unit in the last place.
fn nearly_as_one(rng: &mut Rng, kind: Kind) -> Points {
    let points = moving_as_one(rng, kind);
    nudge(rng, points)
}

fn nudge(rng: &mut Rng, mut points: Points) -> Points {
    for _ in 0..rng.integer(1, 4) {
        let point = &mut points[rng.below(4) as usize];
        let end = if rng.one_in(2) { &mut point.t0 } else { &mut point.t1 };
        let x = &mut end[rng.below(3) as usize];
        // Next to zero the exponent changes completely, which other families cover.
        if *x != 0.0 {
            *x = if rng.one_in(2) { x.next_up() } else { x.next_down() };
        }
    }
    points
}

/// Small integers in space, rotated by generic angles, and rounded.
fn turned_grid(rng: &mut Rng, _: Kind) -> Points {
    let (first, last) = (pose(rng), pose(rng));
    let points = std::array::from_fn(|_| {
        let p = vector(|| rng.whole(-1, 1));
        let q = if rng.one_in(2) { p } else { vector(|| rng.whole(-1, 1)) };
        MovingPoint::new(first(p), last(q))
    });
    in_f32_sometimes(rng, points)
}

/// Contacts up to rounding to f32, near the origin or far from it.
fn rounded_to_f32(rng: &mut Rng, kind: Kind) -> Points {
    let offset = vector(|| rng.pick(&[0.0, 1.0, 100.0]));
    let motion = rng.pick(&[0.0, 1e-7, 1e-4, 1.0]);
    let place = rng.pick(&[Place::Inside, Place::Border, Place::Corner]);
    let points = planted_at(rng, kind, place, 1.0, [motion; 3]);
    map(points, |p| to_f32(add(p, 1.0, offset)))
}

/// Coordinates from a few that need, together, the most bits that the exact stage in machine words
/// takes; in half of the queries two features end in a point.
fn widest(rng: &mut Rng, _: Kind) -> Points {
    let largest = ((1u64 << 53) - 1) as f64 * 2f64.powi(66);
    let numbers =
        [0.0, 1.0, largest, largest * 0.5, rng.signed() * largest, rng.signed() * largest].map(f64::trunc);
    let mut points: Points = std::array::from_fn(|_| {
        let mut place = || vector(|| rng.pick(&numbers) * rng.pick(&[-1.0, 1.0]));
        MovingPoint::new(place(), place())
    });
    if rng.one_in(2) {
        points[0].t1 = points[2].t1;
    }
    points
}

/// A coplanarity cubic that is a product of three linear ones, with roots that are dyadic, not
/// dyadic, close together, or the same.
fn three_factors(rng: &mut Rng, kind: Kind) -> Points {
    // A linear function by its values at 0 and 1: its root is at from / (from - to).
    let pool = [
        (-1.0, 1.0),
        (-1.0, 3.0),
        (-3.0, 1.0),
        (-1.0, 2.0),
        (-2.0, 1.0),
        (-3.0, 5.0),
        (-5.0, 11.0),
        (0.0, 1.0),
        (-1.0, 0.0),
        (1.0, 2.0),
        (-10000.0, 20000.0),
        (-10001.0, 19999.0),
        (-10001.0, 20000.0),
        (-1048577.0, 1048575.0),
        (1.0, 1.0),
        (0.0, 0.0),
    ];
    let axis = |rng: &mut Rng, k: usize| {
        let ((from, to), sign) = (rng.pick(&pool), rng.pick(&[-1.0, 1.0]));
        let mut ends = [[0.0; 3]; 2];
        (ends[0][k], ends[1][k]) = (sign * from, sign * to);
        MovingPoint::new(ends[0], ends[1])
    };
    let sum = |a: MovingPoint, b: MovingPoint| MovingPoint::new(add(a.t0, 1.0, b.t0), add(a.t1, 1.0, b.t1));
    let origin = MovingPoint::new([0.0; 3], [0.0; 3]);
    let [d, e, f] = [axis(rng, 0), axis(rng, 1), axis(rng, 2)];
    let points = match kind {
        Kind::VertexFace => [d, origin, e, f],
        Kind::EdgeEdge => [origin, e, d, sum(d, f)],
    };
    shear(rng, points)
}

/// The same with coordinates off by a unit in the last place.
fn nearly_three_factors(rng: &mut Rng, kind: Kind) -> Points {
    let points = three_factors(rng, kind);
    nudge(rng, points)
}
