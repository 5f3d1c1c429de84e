//! The families of queries, and their table.

use osculate::MovingPoint;
use osculate::narrow::Kind;

use super::{
    Family, Place, Rng, add, dyadic_time, exact_contact, exact_contact_at, map, planted, planted_at, shear,
    tangential_contact, through, vector,
};

type Points = [MovingPoint; 4];

/// Every family, by name.
pub(crate) const FAMILIES: &[Family] = &[
    Family { name: "generic", generate: generic },
    Family { name: "fast motion", generate: fast_motion },
    Family { name: "tiny motion", generate: tiny_motion },
    Family { name: "far away", generate: far_away },
    Family { name: "far away and small", generate: far_away_and_small },
    Family { name: "grid of 3", generate: |rng, _| grid(rng, 1) },
    Family { name: "grid of 5", generate: |rng, _| grid(rng, 2) },
    Family { name: "grid of 3, some at rest", generate: grid_some_at_rest },
    Family { name: "in an axis plane", generate: in_an_axis_plane },
    Family { name: "in a tilted plane", generate: in_a_tilted_plane },
    Family { name: "in a turning plane", generate: in_a_turning_plane },
    Family { name: "needles", generate: needles },
    Family { name: "almost on a border", generate: |rng, kind| almost(rng, kind, Place::Border) },
    Family { name: "almost on a corner", generate: |rng, kind| almost(rng, kind, Place::Corner) },
    Family { name: "rounded to a coarse grid", generate: rounded },
    Family { name: "exactly inside", generate: |rng, kind| exactly(rng, kind, Place::Inside) },
    Family { name: "exactly on a border", generate: |rng, kind| exactly(rng, kind, Place::Border) },
    Family { name: "exactly on a corner", generate: |rng, kind| exactly(rng, kind, Place::Corner) },
    Family { name: "exactly outside", generate: |rng, kind| exactly(rng, kind, Place::Outside) },
    Family { name: "nudged by an ulp", generate: nudged },
    Family { name: "at rest", generate: at_rest },
    Family { name: "on parallel lines", generate: on_parallel_lines },
    Family { name: "without extent", generate: without_extent },
    Family { name: "duplicated points", generate: duplicated },
    Family { name: "contact at the start", generate: |rng, kind| at_an_end(rng, kind, 0.0) },
    Family { name: "contact at the end", generate: |rng, kind| at_an_end(rng, kind, 1.0) },
    Family { name: "double root", generate: double_root },
    Family { name: "axes of different size", generate: axes_of_different_size },
    Family { name: "random exponents", generate: random_exponents },
    Family { name: "near the limits of f64", generate: near_the_limits },
];

/// Coordinates and displacements of the order of one; a contact planted in half of the queries.
fn generic(rng: &mut Rng, kind: Kind) -> Points {
    let motion = rng.pick(&[0.1, 0.5, 1.0]);
    if rng.one_in(2) {
        return planted(rng, kind, 1.0, motion);
    }
    std::array::from_fn(|_| through(vector(|| rng.signed()), vector(|| motion * rng.signed()), rng.unit()))
}

/// Displacements much larger than the features, so that coplanarity often has three roots.
fn fast_motion(rng: &mut Rng, kind: Kind) -> Points {
    let motion = rng.pick(&[4.0, 20.0, 1000.0]);
    if rng.one_in(3) {
        return planted(rng, kind, 1.0, motion);
    }
    std::array::from_fn(|_| through(vector(|| rng.signed()), vector(|| motion * rng.signed()), 0.5))
}

/// Displacements from 1e-6 to 1e-12 of the size, with a contact planted, or just off.
fn tiny_motion(rng: &mut Rng, kind: Kind) -> Points {
    let motion = 10f64.powi(-rng.integer(6, 12));
    let mut points = planted(rng, kind, 1.0, motion);
    if rng.one_in(2) {
        let off = vector(|| motion * rng.signed());
        points[0] = MovingPoint::new(add(points[0].t0, 1.0, off), add(points[0].t1, 1.0, off));
    }
    points
}

/// A generic query moved far from the origin, with the rounding that this brings.
fn far_away(rng: &mut Rng, kind: Kind) -> Points {
    let offset = vector(|| rng.pick(&[1e6, -1e6, 0.0]));
    let points = generic(rng, kind);
    map(points, |p| add(p, 1.0, offset))
}

/// Features of a size from 1e-2 to 1e-8 far from the origin: down to about a hundred units in the
/// last place.
fn far_away_and_small(rng: &mut Rng, kind: Kind) -> Points {
    let offset = vector(|| rng.pick(&[1e6, -1e6, 123_456.789]));
    let size = 10f64.powi(-rng.integer(2, 8));
    let points = generic(rng, kind);
    map(points, |p| add(offset, size, p))
}

/// Integer coordinates from `-reach` to `reach`.
fn grid(rng: &mut Rng, reach: i32) -> Points {
    std::array::from_fn(|_| {
        MovingPoint::new(vector(|| rng.whole(-reach, reach)), vector(|| rng.whole(-reach, reach)))
    })
}

/// Coordinates -1, 0 and 1, each point at rest once in two times.
fn grid_some_at_rest(rng: &mut Rng, _: Kind) -> Points {
    grid(rng, 1).map(|p| if rng.one_in(2) { MovingPoint::new(p.t0, p.t0) } else { p })
}

/// A coordinate that is a small integer, or any number.
fn mixed_coordinate(rng: &mut Rng, integers: bool) -> f64 {
    if integers { rng.whole(-3, 3) } else { 3.0 * rng.signed() }
}

/// All four points in a plane across an axis, at rest or moving along it.
fn in_an_axis_plane(rng: &mut Rng, _: Kind) -> Points {
    let integers = rng.one_in(2);
    let axis = rng.below(3) as usize;
    let level = [mixed_coordinate(rng, false), mixed_coordinate(rng, false)];
    std::array::from_fn(|_| {
        let [mut t0, mut t1] = std::array::from_fn(|_| vector(|| mixed_coordinate(rng, integers)));
        (t0[axis], t1[axis]) = (level[0], level[1]);
        MovingPoint::new(t0, t1)
    })
}

/// All four points in a tilted plane at rest or in translation, exactly: integer combinations of
/// integer directions.
fn in_a_tilted_plane(rng: &mut Rng, _: Kind) -> Points {
    let [u, v] = std::array::from_fn(|_| vector(|| rng.whole(-3, 3)));
    let scale = 2f64.powi(rng.integer(-20, 0));
    // Many bits once in two times: 20 of them in the plane coordinates, still exact.
    let (reach, unit) = if rng.one_in(2) { (3, 1.0) } else { (1 << 20, 2f64.powi(-18)) };
    let origin = [vector(|| rng.whole(-5, 5)), vector(|| rng.whole(-5, 5))];
    std::array::from_fn(|_| {
        let [t0, t1] = std::array::from_fn(|end| {
            let (x, y) = (unit * rng.whole(-reach, reach), unit * rng.whole(-reach, reach));
            add(add(origin[end], x, u), y, v).map(|c| c * scale)
        });
        MovingPoint::new(t0, t1)
    })
}

/// All four points in a plane that turns and shears, exactly: fixed coordinates in a moving frame,
/// or on a moving line.
fn in_a_turning_plane(rng: &mut Rng, _: Kind) -> Points {
    let frames: [[[f64; 3]; 3]; 2] =
        std::array::from_fn(|_| std::array::from_fn(|_| vector(|| rng.whole(-4, 4))));
    let on_a_line = rng.one_in(4);
    std::array::from_fn(|_| {
        let (x, y) = (rng.whole(-3, 3), if on_a_line { 0.0 } else { rng.whole(-3, 3) });
        let [t0, t1] = frames.map(|[origin, u, v]| add(add(origin, x, u), y, v));
        MovingPoint::new(t0, t1)
    })
}

/// Triangles nearly without area and edges nearly without length, with a contact planted.
fn needles(rng: &mut Rng, kind: Kind) -> Points {
    let thin = 10f64.powi(-rng.integer(3, 14));
    let motion = if rng.one_in(2) { 1.0 } else { thin };
    let mut points = planted(rng, kind, 1.0, motion);
    if rng.one_in(2) {
        // Pull all points toward a line in the direction (1, 1/2, 1/4): a map in space keeps the
        // planted contact.
        points = map(points, |[x, y, z]| [x, 0.5 * x + thin * y, 0.25 * x + thin * z]);
    } else {
        // Bring the second point of an edge, or a corner, close to its neighbor.
        let (from, to) = (points[2], points[3]);
        let near = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] + thin * (b[i] - a[i]));
        points[3] = MovingPoint::new(near(from.t0, to.t0), near(from.t1, to.t1));
        if rng.one_in(2) {
            let aim = rng.pick(&[points[2], points[3]]);
            points[0] = MovingPoint::new(points[0].t0, add(aim.t1, thin * rng.signed(), [1.0, 1.0, 1.0]));
        }
    }
    points
}

/// A contact on a border or a corner up to rounding, which decides between hit and miss.
///
/// In most, motion is small or along one axis, so that the position changes little during the step.
fn almost(rng: &mut Rng, kind: Kind, place: Place) -> Points {
    let mut motion = [rng.pick(&[1.0, 1e-3, 1e-9, 1e-13]); 3];
    if rng.one_in(2) {
        motion = [0.0; 3];
        motion[rng.below(3) as usize] = rng.pick(&[10.0, 1.0, 1e-6]);
    }
    planted_at(rng, kind, place, 1.0, motion)
}

/// A planted query rounded to a grid of 2^-2 to 2^-6.
fn rounded(rng: &mut Rng, kind: Kind) -> Points {
    let step = 2f64.powi(-rng.integer(2, 6));
    let points = planted(rng, kind, 1.0, 1.0);
    map(points, |p| p.map(|x| (x / step).round() * step))
}

/// A contact exactly at a place and at a time i/64.
fn exactly(rng: &mut Rng, kind: Kind, place: Place) -> Points {
    let t = dyadic_time(rng);
    exact_contact_at(rng, kind, place, t)
}

/// An exact contact, with one to three of the coordinates that are not zero moved by one unit in
/// the last place.
fn nudged(rng: &mut Rng, kind: Kind) -> Points {
    let mut points = if rng.one_in(2) { exact_contact(rng, kind).0 } else { double_root(rng, kind) };
    for _ in 0..rng.integer(1, 3) {
        let point = &mut points[rng.below(4) as usize];
        let end = if rng.one_in(2) { &mut point.t0 } else { &mut point.t1 };
        let x = &mut end[rng.below(3) as usize];
        if *x != 0.0 {
            *x = if rng.one_in(2) { x.next_up() } else { x.next_down() };
        }
    }
    points
}

/// Nothing moves: small integers, or an exact contact.
fn at_rest(rng: &mut Rng, kind: Kind) -> Points {
    let t = if rng.one_in(2) { 0.0 } else { 1.0 };
    let place = rng.pick(&[Place::Inside, Place::Border, Place::Corner, Place::Outside]);
    let points = if rng.one_in(2) { grid(rng, 1) } else { exact_contact_at(rng, kind, place, t) };
    points.map(|p| if t == 0.0 { MovingPoint::new(p.t0, p.t0) } else { MovingPoint::new(p.t1, p.t1) })
}

/// Edges that are parallel at both ends of the step or at one; triangles whose corners are
/// collinear.
fn on_parallel_lines(rng: &mut Rng, kind: Kind) -> Points {
    let reach = rng.pick(&[1, 2, 5]);
    let always = rng.one_in(2);
    let fixed = rng.one_in(2).then(|| vector(|| rng.whole(-reach, reach)));
    let mut places: [[[f64; 3]; 4]; 2] = std::array::from_fn(|end| {
        let direction = fixed.unwrap_or_else(|| vector(|| rng.whole(-reach, reach)));
        let mut own = || vector(|| rng.whole(-reach, reach));
        if end == 1 && !always {
            return [own(), own(), own(), own()];
        }
        let (first, second) = (own(), own());
        let steps: [f64; 3] = std::array::from_fn(|_| rng.whole(-2, 2));
        let of_line = |from, step: usize| add(from, steps[step], direction);
        match kind {
            Kind::VertexFace => [first, second, of_line(second, 1), of_line(second, 2)],
            Kind::EdgeEdge => [first, of_line(first, 0), second, of_line(second, 1)],
        }
    });
    // Shift the first feature's last pose so that a point of it meets one of the second at t = 1/2.
    if rng.one_in(2) {
        let moved = if kind == Kind::VertexFace { 1 } else { 2 };
        let (i, j) = (rng.below(moved as u64) as usize, moved + rng.below(4 - moved as u64) as usize);
        let shift: [f64; 3] = std::array::from_fn(|axis| {
            let gap = places[0][j][axis] - places[0][i][axis];
            places[1][j][axis] + gap - places[1][i][axis]
        });
        places[1][..moved].iter_mut().for_each(|p| *p = add(*p, 1.0, shift));
    }
    let points = std::array::from_fn(|i| MovingPoint::new(places[0][i], places[1][i]));
    shear(rng, points)
}

/// Edges of length zero and triangles with equal corners, throughout.
fn without_extent(rng: &mut Rng, kind: Kind) -> Points {
    let place = rng.pick(&[Place::Inside, Place::Border, Place::Corner]);
    let t = dyadic_time(rng);
    let mut points = if rng.one_in(2) { grid(rng, 1) } else { exact_contact_at(rng, kind, place, t) };
    match rng.below(4) {
        0 => points[1] = points[rng.pick(&[0, 2])],
        1 => points[3] = points[2],
        2 => {
            points[1] = if kind == Kind::VertexFace { points[2] } else { points[0] };
            points[3] = points[2];
        }
        _ => {
            // A point that runs into the feature that is left.
            let (from, to) = (points[0].t0, add(points[2].t0, 1.0, points[2].t1));
            let aimed = MovingPoint::new(from, add(to, -1.0, from));
            points[3] = points[2];
            points[0] = aimed;
            if kind == Kind::EdgeEdge {
                points[1] = aimed;
            }
        }
    }
    points
}

/// Points that coincide at the start, at the end or throughout.
fn duplicated(rng: &mut Rng, kind: Kind) -> Points {
    let mut points = match rng.below(3) {
        0 => grid(rng, 2),
        1 => generic(rng, kind),
        _ => exact_contact(rng, kind).0,
    };
    for _ in 0..rng.integer(1, 2) {
        let from = points[rng.below(4) as usize];
        let to = &mut points[rng.below(4) as usize];
        match rng.below(4) {
            0 => to.t0 = from.t0,
            1 => to.t1 = from.t1,
            2 => *to = from,
            _ => to.t1 = from.t0,
        }
    }
    points
}

/// A contact exactly at an end of the step, inside, on a border or on a corner; once in four times
/// missed by little.
fn at_an_end(rng: &mut Rng, kind: Kind, t: f64) -> Points {
    let place = rng.pick(&[Place::Inside, Place::Border, Place::Corner]);
    let mut points = exact_contact_at(rng, kind, place, t);
    if rng.one_in(4) {
        let end = if t == 0.0 { &mut points[0].t0 } else { &mut points[0].t1 };
        let x = &mut end[rng.below(3) as usize];
        *x += rng.pick(&[-1.0, 1.0]) * 2f64.powi(-rng.integer(10, 30));
    }
    points
}

/// A touch without a change of sides; once in five times next to the feature.
fn double_root(rng: &mut Rng, kind: Kind) -> Points {
    let places = [Place::Inside, Place::Inside, Place::Border, Place::Corner, Place::Outside];
    let place = rng.pick(&places);
    tangential_contact(rng, kind, place).0
}

/// An exact contact with each axis scaled by its own power of two, from 2^-1000 to 2^300.
fn axes_of_different_size(rng: &mut Rng, kind: Kind) -> Points {
    let (low, high) = (rng.pick(&[-30, -100, -400, -1000]), rng.pick(&[30, 90, 90, 300]));
    let scale = vector(|| 2f64.powi(rng.integer(low, high)));
    let points = if rng.one_in(4) { nudged(rng, kind) } else { exact_contact(rng, kind).0 };
    map(points, |p| std::array::from_fn(|i| p[i] * scale[i]))
}

/// Every coordinate with its own exponent; once in two times a point is sent through the middle of
/// the others.
fn random_exponents(rng: &mut Rng, kind: Kind) -> Points {
    let reach = rng.pick(&[3, 12, 60]);
    let mut number = || rng.signed() * 2f64.powi(rng.integer(-reach, reach));
    let mut points = std::array::from_fn(|_| {
        let t0 = vector(&mut number);
        MovingPoint::new(t0, vector(&mut number))
    });
    if rng.one_in(2) {
        // At t = 1 the point is on the other side of a place in the face, or of the middle of the
        // other edge.
        let [p, q, r, s] = points.map(|p| p.t1);
        let from = if kind == Kind::VertexFace { points[0].t0 } else { p };
        let beyond = std::array::from_fn(|i| {
            let aim = match kind {
                Kind::VertexFace => q[i] / 4.0 + r[i] / 2.0 + s[i] / 4.0,
                Kind::EdgeEdge => r[i] / 2.0 + s[i] / 2.0,
            };
            2.0 * aim - from[i]
        });
        points[if kind == Kind::VertexFace { 0 } else { 1 }].t1 = beyond;
    }
    points
}

/// Another query scaled until numbers overflow or lose bits when multiplied, or lose bits already;
/// or almost.
fn near_the_limits(rng: &mut Rng, kind: Kind) -> Points {
    let points = match rng.below(3) {
        0 => generic(rng, kind),
        1 => grid(rng, 2),
        _ => exact_contact(rng, kind).0,
    };
    let (low, high) = rng.pick(&[(85, 110), (300, 1010), (-400, -300), (-1000, -400), (-1074, -1000)]);
    let exponent = rng.integer(low, high);
    // In two steps: the factor itself may be out of range.
    let half = exponent / 2;
    map(points, |p| p.map(|x| x * 2f64.powi(half) * 2f64.powi(exponent - half)))
}
