//! Features that are close: distances and normals compared with exact ones, which way normals
//! point, and thick queries that do not depend on the method.

use crate::common::{N_FAMILIES, Rng, family, vector as vector_of};
use crate::distance::moving::time_within;
use crate::distance::{cross, dot, exact, length, sub};
use crate::methods::complete_methods;
use osculate::narrow::{ContactPoint, Kind, Outcome, Settings, Stats, contact_point, decide, stages};
use osculate::{BodySettings, Error, Mesh, Method, Model, MovingPoint, Proximity, Query, SinkFlow, World};
use std::sync::{Arc, Mutex};

type Points = [MovingPoint; 4];

fn vector(rng: &mut Rng) -> [f64; 3] {
    vector_of(|| rng.signed())
}

/// A close pair: of a family of degenerate and ordinary queries, or two features moved to a small
/// distance of each other, possibly degenerate.
fn close_pair(rng: &mut Rng, kind: Kind, i: usize) -> Points {
    if i.is_multiple_of(4) {
        return (family(i / 4 % N_FAMILIES).generate)(rng, kind);
    }
    let mut points: [[f64; 3]; 4] = std::array::from_fn(|_| vector(rng));
    let n_first = if kind == Kind::VertexFace { 1 } else { 2 };
    match rng.below(8) {
        // Nearly parallel edges, nearly flat faces.
        0 => {
            let tilt = rng.pick(&[0.0, 1e-12, 1e-9, 1e-6, 1e-3]);
            let along = sub(points[1], points[0]);
            points[3] = std::array::from_fn(|k| points[2][k] + 0.7 * along[k] + tilt * rng.signed());
        }
        1 => points[3] = points[2],
        2 => points = points.map(|p| p.map(|x| (2.0 * x).round())),
        _ => {}
    }
    // Move the first feature close to a point of the second, in some direction.
    let (s, u, v) = (rng.unit(), rng.unit(), rng.unit());
    let (of_first, of_second): ([f64; 3], [f64; 3]) = match kind {
        Kind::VertexFace => {
            let [a, b] = if u + v < 1.0 { [u, v] } else { [1.0 - u, 1.0 - v] };
            (
                points[0],
                std::array::from_fn(|k| (1.0 - a - b) * points[1][k] + a * points[2][k] + b * points[3][k]),
            )
        }
        Kind::EdgeEdge => (
            std::array::from_fn(|k| (1.0 - s) * points[0][k] + s * points[1][k]),
            std::array::from_fn(|k| (1.0 - u) * points[2][k] + u * points[3][k]),
        ),
    };
    let gap = rng.pick(&[1.0, 0.1, 1e-3, 1e-6]);
    let shift: [f64; 3] = std::array::from_fn(|k| of_second[k] - of_first[k] + gap * rng.signed());
    for point in &mut points[..n_first] {
        *point = std::array::from_fn(|k| point[k] + shift[k]);
    }
    let speed = rng.pick(&[0.0, gap, 1.0]);
    points.map(|p| MovingPoint::new(p, std::array::from_fn(|k| p[k] + speed * rng.signed())))
}

/// The largest difference of coordinates between point 0 and the others at a time.
fn size(points: &Points, t: f64) -> f64 {
    let at = points.map(|p| -> [f64; 3] { std::array::from_fn(|i| (1.0 - t) * p.t0[i] + t * p.t1[i]) });
    at.iter().flat_map(|p| sub(*p, at[0])).fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn is_ordinary(points: &Points) -> bool {
    let values = || points.iter().flat_map(|p| [p.t0, p.t1]).flatten();
    values().all(|x| x == 0.0 || (1e-60..1e60).contains(&x.abs()))
}

#[test]
fn distances_and_normals_of_close_pairs() {
    let mut n_apart = 0;
    for i in 0..100_000_usize {
        let mut rng = Rng::for_item(61, i as u64);
        let kind = if i.is_multiple_of(2) { Kind::VertexFace } else { Kind::EdgeEdge };
        let points = close_pair(&mut rng, kind, i / 2);
        let t = if rng.one_in(2) { rng.unit() } else { rng.pick(&[0.0, 0.5, 1.0]) };
        let found = contact_point(kind, &points, t);
        let expected = exact::distance(kind, &points, t);
        let size = size(&points, t);
        let error = size / (1u64 << 46) as f64 + f64::from_bits(1);
        let context = || format!("{i}: {kind:?} {points:?} at {t}: {found:?}");
        assert!(expected.is_at_most(found.distance + error), "{}", context());
        let less = found.distance - error;
        assert!(less <= 0.0 || !expected.is_at_most(less), "{}", context());
        if size * 1e-14 < found.distance {
            let direction = expected.direction();
            assert!(length(sub(found.normal, direction)) < 1e-9, "{} {direction:?}", context());
            n_apart += 1;
        } else if !expected.is_at_most(size / (1u128 << 90) as f64) {
            assert!(0.0 < dot(found.normal, expected.direction()), "{}", context());
        }
    }
    assert!(60_000 < n_apart, "{n_apart}");
}

/// Panics unless the answer about two features that move is true: if it is a hit, they are at most
/// d (1 + 1/64) apart at some time in its bracket; and at all times before it, or at all times if
/// there is none, they are more than d apart.
fn check_promise(kind: Kind, points: &Points, d: f64, outcome: Outcome, context: impl Fn() -> String) {
    let end = match outcome {
        Outcome::Miss => 1.0,
        Outcome::Hit { lo, hi } => {
            let reach = d * (1.0 + 1.0 / 64.0);
            assert!(time_within(kind, points, [lo, hi], reach).is_some(), "too far: {}", context());
            if lo == 0.0 {
                return;
            }
            lo.next_down()
        }
    };
    let within = time_within(kind, points, [0.0, end], d);
    assert!(within.is_none(), "within d at {within:?}: {}", context());
}

/// Two features that touch at a time, exactly, and what is known of them then.
struct Touching {
    points: Points,
    t: f64,
    /// Perpendicular to the face, or to both edges; zero if they are degenerate.
    perpendicular: [f64; 3],
    /// Along the features if they are degenerate; zero if they are points.
    along: [f64; 3],
    /// How the first feature moves relative to the second where they touch, times a positive
    /// number.
    motion: [f64; 3],
}

/// Touching features with coordinates and weights of few digits, so that nothing is rounded: inside
/// of a face, or of both edges; some degenerate.
fn touching(rng: &mut Rng, kind: Kind) -> Touching {
    let mut whole = |size: i32| vector_of(|| rng.whole(-size, size));
    let (place, mut e, mut f) = (whole(8), whole(8), whole(8));
    let motions = [0; 4].map(|_| whole(4));
    match rng.below(8) {
        // On one line, of which a part may be a point; or all in one point.
        0 => {
            let factor = rng.whole(-1, 2);
            f = e.map(|x| factor * x);
        }
        1 => (e, f) = ([0.0; 3], [0.0; 3]),
        _ => {}
    }
    // The points at the time of contact, and weights whose sum is that of each feature.
    let mut part = || rng.whole(1, 4);
    let (at, weights) = match kind {
        Kind::VertexFace => {
            let (v, w) = (0.125 * part(), 0.125 * part() - 0.0625);
            let corner: [f64; 3] = std::array::from_fn(|i| place[i] - v * e[i] - w * f[i]);
            let other = |edge: [f64; 3]| std::array::from_fn(|i| corner[i] + edge[i]);
            ([place, corner, other(e), other(f)], [1.0, 1.0 - v - w, v, w])
        }
        Kind::EdgeEdge => {
            let (u, v) = (0.25 * part() - 0.125, 0.25 * part() - 0.125);
            let on = |edge: [f64; 3], s: f64| std::array::from_fn(|i| place[i] + s * edge[i]);
            ([on(e, -u), on(e, 1.0 - u), on(f, -v), on(f, 1.0 - v)], [1.0 - u, u, 1.0 - v, v])
        }
    };
    let t = rng.pick(&[0.0, 0.25, 0.5, 1.0]);
    let mut motions = match rng.below(8) {
        0 => [motions[0]; 4],
        // Along the features.
        1 => motions.map(|m| e.map(|x| 0.25 * m[0] * x)),
        _ => motions,
    };
    let perpendicular = cross(e, f);
    if perpendicular == [0.0; 3] {
        // Where they touch is not unique: each feature moves as one.
        motions = match kind {
            Kind::VertexFace => [motions[0], motions[1], motions[1], motions[1]],
            Kind::EdgeEdge => [motions[0], motions[0], motions[2], motions[2]],
        };
    }
    let point = |k: usize| {
        let end = |s: f64| std::array::from_fn(|i| at[k][i] + s * motions[k][i]);
        MovingPoint::new(end(-t), end(1.0 - t))
    };
    let sign =
        |k: usize| if k < if kind == Kind::VertexFace { 1 } else { 2 } { weights[k] } else { -weights[k] };
    Touching {
        points: [0, 1, 2, 3].map(point),
        t,
        perpendicular,
        along: if dot(f, f) < dot(e, e) { e } else { f },
        motion: std::array::from_fn(|i| (0..4).map(|k| sign(k) * motions[k][i]).sum()),
    }
}

/// The normal of features that touch is on the side that the first one comes from.
#[test]
fn touching_features_are_pushed_back_to_where_they_come_from() {
    let (mut n_sides, mut n_at_rest, mut n_degenerate) = (0, 0, [0; 4]);
    for i in 0..40_000_usize {
        let mut rng = Rng::for_item(64, i as u64);
        let kind = if i.is_multiple_of(2) { Kind::VertexFace } else { Kind::EdgeEdge };
        let touching = touching(&mut rng, kind);
        let Touching { points, t, perpendicular, along, motion } = touching;
        let found = contact_point(kind, &points, t);
        let context = || format!("{i}: {kind:?} {points:?} at {t}: {found:?}");
        assert!(exact::distance(kind, &points, t).is_zero(), "{}", context());
        assert_eq!(found.distance, 0.0, "{}", context());
        let is = |expected: [f64; 3]| {
            let size = length(expected);
            assert!(length(sub(found.normal, expected.map(|x| x / size))) < 1e-9, "{}", context());
        };
        let is_unit_across = |v: [f64; 3]| {
            let is_across = dot(found.normal, v).abs() < 1e-9 * length(v);
            assert!(is_across && (length(found.normal) - 1.0).abs() < 1e-9, "{}", context());
        };
        let across = cross(along, cross(motion, along));
        if perpendicular != [0.0; 3] {
            let side = dot(perpendicular, motion);
            if side == 0.0 {
                n_at_rest += 1;
                let lengths = length(perpendicular) * length(found.normal);
                assert!(
                    (dot(found.normal, perpendicular).abs() / lengths - 1.0).abs() < 1e-9,
                    "{}",
                    context()
                );
            } else {
                n_sides += 1;
                is(perpendicular.map(|x| -side * x));
            }
        } else if across != [0.0; 3] {
            n_degenerate[0] += 1;
            is(across.map(|x| -x));
        } else if motion != [0.0; 3] {
            // Motion along the features is not rounded with weights of few digits.
            if found.weights.iter().any(|w| (8.0 * w).fract() != 0.0) {
                continue;
            }
            n_degenerate[1] += 1;
            is(motion.map(|x| -x));
        } else if along != [0.0; 3] {
            n_degenerate[2] += 1;
            is_unit_across(along);
        } else {
            n_degenerate[3] += 1;
            assert_eq!(found.normal, [0.0; 3], "{}", context());
        }
    }
    assert!(20_000 < n_sides && 1000 < n_at_rest, "{n_sides} {n_at_rest}");
    assert!(n_degenerate.iter().all(|&n| 200 < n), "{n_degenerate:?}");
}

/// A hit is within d (1 + 1/64) and not late; nothing within d is missed. The first time within d
/// is found exactly, by other means than the search.
#[test]
fn separations_are_decided_as_promised() {
    let (mut n_hits, mut n_misses, mut n_between) = (0, 0, 0);
    let mut stats = Stats::default();
    for i in 0..12_000_usize {
        let mut rng = Rng::for_item(62, i as u64);
        let kind = if i.is_multiple_of(2) { Kind::VertexFace } else { Kind::EdgeEdge };
        let points = close_pair(&mut rng, kind, i / 2);
        if !is_ordinary(&points) {
            continue;
        }
        let t = rng.unit();
        // Often just what their distance is at some time.
        let here = contact_point(kind, &points, t).distance;
        let separation = if here == 0.0 { 0.1 } else { here * rng.pick(&[0.5, 0.99, 1.0, 1.001, 1.01, 2.0]) };
        let settings = Settings { min_separation: separation, ..Settings::default() };
        let outcome = decide(kind, &points, &settings, &mut stats).unwrap();
        let context = || format!("{i}: {kind:?} {points:?} within {separation}: {outcome:?}");
        match outcome {
            Outcome::Miss => n_misses += 1,
            Outcome::Hit { lo, hi } => {
                n_hits += 1;
                assert!(hi - lo <= settings.time_width, "{}", context());
                n_between += usize::from(!exact::distance(kind, &points, lo).is_at_most(separation));
            }
        }
        check_promise(kind, &points, separation, outcome, context);
        // The exact decision takes long.
        if i.is_multiple_of(40) {
            match (stages::exact_separation(kind, &points, separation, settings.time_width), outcome) {
                (Outcome::Hit { hi, .. }, Outcome::Hit { lo, .. }) => assert!(lo <= hi, "{}", context()),
                (Outcome::Hit { .. }, Outcome::Miss) => panic!("{}", context()),
                (Outcome::Miss, _) => {}
            }
        }
    }
    assert!(2000 < n_hits && 1000 < n_misses && 100 < n_between, "{n_hits} {n_misses} {n_between}");
    assert!(stats.exact_separations < 500, "{stats:?}");
}

/// Parallel edges that slide along each other, and features that rotate at a constant distance: no
/// hit farther than promised.
#[test]
fn edges_that_slide_past_each_other() {
    let direction = [0.48, 0.6, 0.64];
    let across = [0.780_868_809_443_030_3, -0.624_695_047_554_424_3, 0.0];
    let at = |s: f64, o: f64| -> [f64; 3] { std::array::from_fn(|i| s * direction[i] + o * across[i]) };
    for separation in [1e-1, 1e-3, 1e-5, 1e-8, 1e-12] {
        for (factor, is_hit) in [(0.9, true), (1.02, false), (1.1, false), (4.0, false), (16.0, false)] {
            let o = factor * separation;
            let points = [
                MovingPoint::fixed(at(0.0, 0.0)),
                MovingPoint::fixed(at(1.0, 0.0)),
                MovingPoint::new(at(-0.3, o), at(0.4, o)),
                MovingPoint::new(at(0.7, o), at(1.4, o)),
            ];
            let settings = Settings { min_separation: separation, ..Settings::default() };
            let outcome = decide(Kind::EdgeEdge, &points, &settings, &mut Stats::default()).unwrap();
            assert_eq!(outcome != Outcome::Miss, is_hit, "{separation} {factor}: {outcome:?}");
        }
    }
}

/// Separations far below the resolution of f64 are decided exactly.
#[test]
fn tiny_separations() {
    let face = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(MovingPoint::fixed);
    let check = |p: [f64; 3], separation: f64, is_hit: bool| {
        let points = [MovingPoint::fixed(p), face[0], face[1], face[2]];
        let settings = Settings { min_separation: separation, ..Settings::default() };
        let mut stats = Stats::default();
        let outcome = decide(Kind::VertexFace, &points, &settings, &mut stats).unwrap();
        assert_eq!(outcome != Outcome::Miss, is_hit, "{p:?} {separation}");
    };
    // x + y + z - 1 is exactly 2^-54: the distance is 2^-54 / sqrt 3.
    let p = [0.25, 0.25, 0.5 + 1.0 / (1u64 << 53) as f64];
    let distance = 1.0 / ((1u64 << 53) as f64 * 3.0_f64.sqrt());
    check(p, distance * 0.99, false);
    check(p, distance * 1.01, true);
    check([0.25, 0.25, 0.5], 1e-300, true);
    check(p, 1e-300, false);
    let s = 1e-170;
    let small = [[0.2 * s, 0.2 * s, s], [0.0; 3], [s, 0.0, 0.0], [0.0, s, 0.0]].map(MovingPoint::fixed);
    for (separation, is_hit) in [(1e-200, false), (0.999e-170, false), (1.001e-170, true), (1e-100, true)] {
        let settings = Settings { min_separation: separation, ..Settings::default() };
        let outcome = decide(Kind::VertexFace, &small, &settings, &mut Stats::default()).unwrap();
        assert_eq!(outcome != Outcome::Miss, is_hit, "{separation}");
    }
}

fn body(world: &mut World, triangle: [[f64; 3]; 3]) -> osculate::BodyId {
    let model = Model::new(Mesh::new(vec![[0, 1, 2]], 3).unwrap(), &triangle).unwrap();
    world.add(Arc::new(model), &triangle).unwrap()
}

/// The first contact of a kind between two triangles of which the second moves.
fn contact(
    first: [[f64; 3]; 3],
    second: [[f64; 3]; 3],
    next: [[f64; 3]; 3],
    d: f64,
    kind: Kind,
) -> ContactPoint {
    let mut world = World::new();
    body(&mut world, first);
    let moving = body(&mut world, second);
    let query = Query::all().min_separation(d);
    let report = world.contacts(&[(moving, &next)], &query).unwrap();
    report.found.iter().find(|contact| contact.key.kind == kind).expect("a contact").at
}

const FLOOR: [[f64; 3]; 3] = [[-2.0, -2.0, 0.0], [4.0, -2.0, 0.0], [-2.0, 4.0, 0.0]];

/// A triangle that stands on a corner.
fn above(height: f64) -> [[f64; 3]; 3] {
    [[0.0, 0.0, height], [0.5, 0.0, height + 1.0], [-0.5, 0.0, height + 1.0]]
}

#[test]
fn normals_push_apart() {
    let up = [0.0, 0.0, 1.0];
    // A vertex above a floor that moves up.
    let rising = FLOOR.map(|[x, y, _]| [x, y, 0.03]);
    let at = contact(above(0.05), FLOOR, rising, 0.1, Kind::VertexFace);
    assert_eq!((at.normal, at.distance), (up, 0.05));
    // At rest above a face of either winding, and behind it.
    let reversed = [FLOOR[0], FLOOR[2], FLOOR[1]];
    for floor in [FLOOR, reversed] {
        let at = contact(above(0.05), floor, floor, 0.1, Kind::VertexFace);
        assert_eq!((at.normal, at.distance), (up, 0.05));
        let below = above(0.05).map(|[x, y, z]| [x, y, -z]);
        assert_eq!(contact(below, floor, floor, 0.1, Kind::VertexFace).normal, [0.0, 0.0, -1.0]);
    }
    // Beside a rim, in the plane of the face and above it: away from the rim.
    let beside = |y: f64, z: f64| [[0.0, -2.0 - y, z], [0.5, -3.0, z], [-0.5, -3.0, z]];
    assert_eq!(contact(beside(0.05, 0.0), FLOOR, FLOOR, 0.1, Kind::VertexFace).normal, [0.0, -1.0, 0.0]);
    let at = contact(beside(0.03, 0.04), FLOOR, FLOOR, 0.1, Kind::VertexFace);
    assert!(length(sub(at.normal, [0.0, -0.6, 0.8])) < 1e-12 && (at.distance - 0.05).abs() < 1e-12);
    // An edge above an edge, whichever of them moves.
    let lower = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -2.0]];
    let upper = [[0.0, -1.0, 0.05], [0.0, 1.0, 0.05], [0.0, 0.0, 2.0]];
    for rise in [-0.02, 0.0, 0.02] {
        let next = lower.map(|[x, y, z]| [x, y, z + rise]);
        let at = contact(upper, lower, next, 0.1, Kind::EdgeEdge);
        assert_eq!((at.normal, at.distance), (up, 0.05), "{rise}");
    }
}

#[test]
fn normals_of_features_that_touch_and_of_degenerate_ones() {
    // From above onto the floor, without a separation: at `lo` the corner is still above.
    let down = above(-0.5);
    let falls = |from: [[f64; 3]; 3], to: [[f64; 3]; 3]| {
        let mut world = World::new();
        body(&mut world, FLOOR);
        let moving = body(&mut world, from);
        let found = world.contacts(&[(moving, &to)], &Query::all()).unwrap().found;
        found.into_iter().find(|contact| contact.key.kind == Kind::VertexFace).unwrap().at
    };
    let at = falls(above(0.5), down);
    assert!(at.normal == [0.0, 0.0, 1.0] && at.distance < 1e-5, "{at:?}");
    // It starts on the floor: the side that it comes from is that opposite to its motion.
    let at = falls(above(0.0), down);
    assert_eq!((at.normal, at.distance), ([0.0, 0.0, 1.0], 0.0));
    // On the floor at rest: perpendicular to it.
    let at = falls(above(0.0), above(0.0));
    assert!(at.normal[2].abs() == 1.0 && at.distance == 0.0);
    // Features without extent.
    let still = |kind, points: [[f64; 3]; 4]| contact_point(kind, &points.map(MovingPoint::fixed), 0.0);
    let point = [1.0, 0.0, 0.0];
    let at = still(Kind::VertexFace, [[0.0; 3], point, point, point]);
    assert_eq!((at.normal, at.distance), ([-1.0, 0.0, 0.0], 1.0));
    let at = still(Kind::EdgeEdge, [[0.0; 3], [0.0; 3], point, point]);
    assert_eq!((at.normal, at.distance), ([-1.0, 0.0, 0.0], 1.0));
    let at = still(Kind::EdgeEdge, [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [0.5, 0.0, 0.0], [1.5, 0.0, 0.0]]);
    assert_eq!((at.normal, at.distance), ([0.0, 0.0, 1.0], 1.0));
    let at = still(Kind::VertexFace, [point; 4]);
    assert_eq!((at.normal, at.distance), ([0.0; 3], 0.0));
}

/// The closest points of two edges at rest, or moving, at the start.
fn of_edges(points: [[f64; 3]; 4], first_moves: [f64; 3]) -> ContactPoint {
    let motions = [first_moves, first_moves, [0.0; 3], [0.0; 3]];
    let moving =
        |k: usize| MovingPoint::new(points[k], std::array::from_fn(|i| points[k][i] + motions[k][i]));
    contact_point(Kind::EdgeEdge, &[0, 1, 2, 3].map(moving), 0.0)
}

#[test]
fn normals_past_the_end_of_an_edge() {
    // The second edge is beyond the end of the first, at (1, 0, 0), and above it; at rest, and
    // whichever way the first one moves.
    let edges = [[0.0; 3], [1.0, 0.0, 0.0], [1.3, -1.0, 0.4], [1.3, 1.0, 0.4]];
    for motion in [[0.0; 3], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 2.0]] {
        let at = of_edges(edges, motion);
        assert!(length(sub(at.normal, [-0.6, 0.0, -0.8])) < 1e-12, "{at:?}");
        assert!((at.distance - 0.5).abs() < 1e-12 && at.weights == [0.0, 1.0, 0.5, 0.5], "{at:?}");
    }
    // End to end, on one line.
    let line = [0.0, 1.0, 1.25, 2.0].map(|x| [x, 0.0, 0.0]);
    let at = of_edges(line, [0.0; 3]);
    assert_eq!((at.normal, at.distance), ([-1.0, 0.0, 0.0], 0.25));
}

#[test]
fn normals_of_edges_that_touch_at_rest() {
    let at = of_edges([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -2.0, 0.0], [0.0, 1.0, 0.0]], [0.0; 3]);
    assert_eq!((at.normal.map(f64::abs), at.distance), ([0.0, 0.0, 1.0], 0.0));
}

#[test]
fn normals_of_degenerate_features_that_touch() {
    // Edges that overlap on a line: against the motion across it.
    let line = [0.0, 2.0, 1.0, 4.0].map(|x| [x, 0.0, 0.0]);
    let at = of_edges(line, [5.0, 0.0, -1.0]);
    assert_eq!((at.normal, at.distance), ([0.0, 0.0, 1.0], 0.0));
    // A vertex on a face that is a line, of which the longest edge is not one from its first
    // corner, moving: against its motion across the line.
    let face = [[1.0, 0.0, 0.0], [0.0; 3], [3.0, 0.0, 0.0]].map(MovingPoint::fixed);
    let vertex = MovingPoint::new([2.0, 0.0, 0.0], [7.0, -3.0, 0.0]);
    let at = contact_point(Kind::VertexFace, &[vertex, face[0], face[1], face[2]], 0.0);
    assert_eq!((at.normal, at.distance), ([0.0, 1.0, 0.0], 0.0));
    // Moving along the line only: against the motion.
    let at = of_edges(line, [5.0, 0.0, 0.0]);
    assert_eq!((at.normal, at.distance), ([-1.0, 0.0, 0.0], 0.0));
    // The same along a line on which quotients are rounded.
    let slanted = [0.0, 49.0, 49.0, 60.0].map(|x| [x, 3.0 * x, 7.0 * x]);
    let at = of_edges(slanted, [-1.0, -3.0, -7.0]);
    let expected = [1.0, 3.0, 7.0].map(|x| x / 59.0f64.sqrt());
    assert!(length(sub(at.normal, expected)) < 1e-9, "{at:?}");
    // At rest: perpendicular to the line, any way.
    let at = of_edges(line, [0.0; 3]);
    assert_eq!((at.normal[0], length(at.normal), at.distance), (0.0, 1.0, 0.0));
    // In one point: against the motion, and zero at rest.
    let point = [[1.0, 2.0, 3.0]; 4];
    assert_eq!(of_edges(point, [0.0, 2.0, 0.0]).normal, [0.0, -1.0, 0.0]);
    let at = of_edges(point, [0.0; 3]);
    assert_eq!((at.normal, at.distance), ([0.0; 3], 0.0));
}

/// Worlds of a few triangles: all complete methods return the same bits, and each pair of features
/// is a hit as it is on its own. By exact arithmetic, no pair within d is missed and none beyond
/// d (1 + 1/64) is a hit, nor late; of pairs that move, at dense times and where they are closest.
#[test]
fn thick_queries_do_not_depend_on_the_method() {
    let methods: Vec<Method> = complete_methods().collect();
    let (mut n_between, mut n_moving_hits) = (0, 0);
    for i in 0..5_000 {
        let mut rng = Rng::for_item(63, i);
        let is_at_rest = !i.is_multiple_of(3);
        let d = rng.pick(&[0.02, 0.1, 0.5]) * (0.5 + rng.unit());
        let spread = rng.pick(&[0.2, 1.0]);
        let center = vector(&mut rng);
        let triangles: Vec<[[f64; 3]; 3]> = (0..3)
            .map(|k| {
                // Next to each other at a distance of about d (1 + 1/128), along some direction.
                let offset: [f64; 3] = if k == 0 { [0.0; 3] } else { vector(&mut rng) };
                let length = length(offset).max(1e-3);
                let offset = offset.map(|x| x / length * d * (1.0 + rng.unit() / 40.0));
                let corner: [f64; 3] = std::array::from_fn(|a| center[a] + offset[a]);
                [
                    corner,
                    std::array::from_fn(|a| corner[a] + spread * offset[a] / d + 0.1 * rng.signed()),
                    std::array::from_fn(|a| corner[a] + spread * offset[a] / d + 0.1 * rng.signed()),
                ]
            })
            .collect();
        let mut world = World::new();
        let ids: Vec<_> = triangles.iter().map(|&triangle| body(&mut world, triangle)).collect();
        let ends: Vec<[[f64; 3]; 3]> = triangles
            .iter()
            .map(|triangle| {
                let motion = if is_at_rest { [0.0; 3] } else { vector(&mut rng).map(|x| 2.0 * d * x) };
                triangle.map(|p| std::array::from_fn(|a| p[a] + motion[a]))
            })
            .collect();
        let next: Vec<_> = ids.iter().copied().zip(ends.iter().map(|end| &end[..])).collect();
        let query = Query::all().min_separation(d);
        let brute = world.contacts(&next, &query.method(Method::Brute)).unwrap().found;
        let earliest =
            world.contacts(&next, &query.method(Method::Brute).results(osculate::Results::Earliest));
        let earliest = earliest.unwrap().found;
        let some =
            [i as usize % methods.len(), (i as usize / 7) % methods.len(), (i as usize / 3) % methods.len()];
        for method in some.map(|k| methods[k]) {
            let found = world.contacts(&next, &query.method(method)).unwrap().found;
            assert_eq!(found, brute, "{i} {method:?}");
            let first = query.method(method).results(osculate::Results::Earliest);
            assert_eq!(world.contacts(&next, &first).unwrap().found, earliest, "{i} {method:?}");
        }
        // All pairs of features, one by one.
        let point = |k: usize, v: usize| MovingPoint::new(triangles[k][v], ends[k][v]);
        let mut n_hits = 0;
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let mut pairs: Vec<(Kind, Points)> = Vec::new();
            for (f, s) in [(a, b), (b, a)] {
                for v in 0..3 {
                    pairs.push((Kind::VertexFace, [point(f, v), point(s, 0), point(s, 1), point(s, 2)]));
                }
            }
            for e in 0..9 {
                let (e, f) = (e / 3, e % 3);
                let edge = |k: usize, e: usize| {
                    let (x, y) = (e.min((e + 1) % 3), e.max((e + 1) % 3));
                    [point(k, x), point(k, y)]
                };
                let ([p, q], [r, s]) = (edge(a, e), edge(b, f));
                pairs.push((Kind::EdgeEdge, [p, q, r, s]));
            }
            for (kind, points) in pairs {
                let outcome = decide(kind, &points, &query.narrow, &mut Stats::default()).unwrap();
                n_hits += usize::from(outcome != Outcome::Miss);
                if is_at_rest {
                    let distance = exact::distance(kind, &points, 0.0);
                    assert!(outcome != Outcome::Miss || !distance.is_at_most(d), "{i}");
                    let is_far = !distance.is_at_most(d * (1.0 + 1.0 / 64.0));
                    assert!(outcome == Outcome::Miss || !is_far, "{i}");
                    n_between += usize::from(!is_far && !distance.is_at_most(d));
                    continue;
                }
                n_moving_hits += usize::from(outcome != Outcome::Miss);
                check_promise(kind, &points, d, outcome, || format!("{i}: {kind:?} {points:?} {outcome:?}"));
            }
        }
        assert_eq!(n_hits, brute.len(), "{i}");
    }
    assert!(1000 < n_between && 10_000 < n_moving_hits, "{n_between} {n_moving_hits}");
}

/// A sheet that is wavy, in two bodies on top of each other.
fn sheets(n: usize) -> (World, [osculate::BodyId; 2]) {
    let vertex = |i: usize, z: f64| {
        let (x, y) = ((i / (n + 1)) as f64 / n as f64, (i % (n + 1)) as f64 / n as f64);
        [x, y, z + 0.02 * (9.0 * x + 7.0 * y).sin()]
    };
    let m = n as u32;
    let quads = (0..m * m).map(|i| (i / m) * (m + 1) + i % m);
    let faces: Vec<[u32; 3]> =
        quads.flat_map(|v| [[v, v + 1, v + m + 1], [v + 1, v + m + 2, v + m + 1]]).collect();
    let mut world = World::new();
    let ids = [0.0, 0.013].map(|z| {
        let pose: Vec<[f64; 3]> = (0..(n + 1) * (n + 1)).map(|i| vertex(i, z)).collect();
        let mesh = Mesh::new(faces.clone(), pose.len()).unwrap();
        world.add(Arc::new(Model::new(mesh, &pose).unwrap()), &pose).unwrap()
    });
    (world, ids)
}

/// All results and the earliest one, with bodies that are large enough to be shared out.
#[test]
fn thick_contacts_do_not_depend_on_the_number_of_threads() {
    let (mut world, [_, upper]) = sheets(24);
    let mut end = world.vertices(upper).unwrap();
    end.iter_mut().for_each(|[x, _, z]| *z -= 0.006 + 0.004 * *x);
    for results in [osculate::Results::All, osculate::Results::Earliest] {
        let mut expected = None;
        for n_threads in [1, 2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| {
                for method in complete_methods().filter(|&method| method != Method::Brute) {
                    let query = Query::all().results(results).min_separation(0.01).method(method);
                    let found = world.contacts(&[(upper, &end)], &query).unwrap().found;
                    let expected = expected.get_or_insert_with(|| found.clone());
                    assert!(found == *expected, "{method:?}, {n_threads} threads");
                }
            });
        }
        let n = expected.unwrap().len();
        assert!(n == 1 || results == osculate::Results::All && 1000 < n, "{n}");
    }
}

#[test]
fn proximities_are_all_pairs_within_the_radius() {
    let (mut world, ids) = sheets(7);
    let radius = 0.05;
    let all = world.proximities(radius, &Query::all().method(Method::Brute)).unwrap();
    assert!(500 < all.count && all.count == all.found.len() as u64);
    assert!(all.found.is_sorted_by_key(|proximity| proximity.key));
    // Each is within the radius, by exact arithmetic, and so is none that is left out: there are as
    // many as features one by one.
    for n_threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            for method in complete_methods() {
                let found = world.proximities(radius, &Query::all().method(method)).unwrap();
                assert!(found.found == all.found, "{method:?}");
            }
        });
    }
    let poses = ids.map(|id| world.vertices(id).unwrap());
    let models: Vec<Mesh> = poses.iter().map(|_| mesh_of_sheet(7)).collect();
    let (mut n_within, mut n_edges_within) = (0, 0);
    for (a, b) in [(0, 0), (0, 1), (1, 1)] {
        for (i, e) in models[a].edges().iter().enumerate() {
            for (j, f) in models[b].edges().iter().enumerate() {
                if a == b && (j <= i || e.iter().any(|v| f.contains(v))) {
                    continue;
                }
                let point = |k: usize, v: u32| poses[k][v as usize];
                let points = [point(a, e[0]), point(a, e[1]), point(b, f[0]), point(b, f[1])];
                let side = |k: usize, axis: usize| (points[k][axis], points[k + 1][axis]);
                let is_far = (0..3).any(|axis| {
                    let ((p, q), (r, s)) = (side(0, axis), side(2, axis));
                    radius < p.min(q) - r.max(s) || radius < r.min(s) - p.max(q)
                });
                let points = points.map(MovingPoint::fixed);
                let is_within = || exact::distance(Kind::EdgeEdge, &points, 0.0).is_at_most(radius);
                n_edges_within += usize::from(!is_far && is_within());
            }
        }
    }
    for (a, b) in [(0, 0), (0, 1), (1, 1), (1, 0)] {
        for v in 0..poses[a].len() as u32 {
            for face in models[b].triangles() {
                if a == b && face.contains(&v) {
                    continue;
                }
                let point = |k: usize, v: u32| MovingPoint::fixed(poses[k][v as usize]);
                let points = [point(a, v), point(b, face[0]), point(b, face[1]), point(b, face[2])];
                n_within += usize::from(exact::distance(Kind::VertexFace, &points, 0.0).is_at_most(radius));
            }
        }
    }
    let n_found = all.found.iter().filter(|found| found.key.kind == Kind::VertexFace).count();
    assert_eq!((n_found, all.found.len() - n_found), (n_within, n_edges_within));
    for found in &all.found {
        let [first, second] = found.at.closest_points();
        assert!((length(sub(first, second)) - found.at.distance).abs() < 1e-12);
        assert!(found.at.distance <= radius);
    }
    // Rings, filters and sinks.
    let between = world.proximities(radius, &Query::all().filter(&|a, b| a != b)).unwrap();
    assert!(between.found.iter().all(|found| found.key.bodies[0] != found.key.bodies[1]));
    let outside_rings = world.proximities(radius, &Query::all().exclude_rings(9)).unwrap();
    assert_eq!(outside_rings.found, between.found);
    let count = world.proximities(radius, &Query::count()).unwrap();
    assert_eq!((count.count, count.found.len()), (all.count, 0));
    assert_eq!(world.proximities(radius, &Query::any()).unwrap().count, 1);
    let streamed = Mutex::new(Vec::new());
    let sink = |found: &Proximity| {
        streamed.lock().unwrap().push(*found);
        SinkFlow::Continue
    };
    world.proximities_into(radius, &Query::all(), &sink).unwrap();
    let mut streamed = streamed.into_inner().unwrap();
    streamed.sort_by_key(|found| found.key);
    assert_eq!(streamed, all.found);
}

fn mesh_of_sheet(n: u32) -> Mesh {
    let quads = (0..n * n).map(|i| (i / n) * (n + 1) + i % n);
    let faces = quads.flat_map(|v| [[v, v + 1, v + n + 1], [v + 1, v + n + 2, v + n + 1]]).collect();
    Mesh::new(faces, ((n + 1) * (n + 1)) as usize).unwrap()
}

#[test]
fn lengths_out_of_range_are_errors() {
    let mut world = World::new();
    body(&mut world, FLOOR);
    for value in [-1.0, -f64::MIN_POSITIVE, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = world.proximities(value, &Query::all()).unwrap_err();
        assert!(matches!(error, Error::Setting { name: "radius", .. }), "{value}: {error}");
        let error = world.contacts((), &Query::all().min_separation(value)).unwrap_err();
        assert!(matches!(error, Error::Setting { name: "min_separation", .. }), "{value}: {error}");
    }
    for value in [0.0, f64::MAX, f64::from_bits(1)] {
        assert_eq!(world.proximities(value, &Query::all()).unwrap().count, 0);
        assert_eq!(world.contacts((), &Query::all().min_separation(value)).unwrap().count, 0);
    }
}

/// A fine sheet at a thickness larger than its triangles: neighbors are close at rest and do not
/// count; layers that come close do.
#[test]
fn features_close_at_rest_can_be_excluded() {
    let n = 12;
    let (d, mesh) = (0.2, mesh_of_sheet(n));
    let flat: Vec<[f64; 3]> = (0..=n * (n + 2))
        .map(|i| [f64::from(i / (n + 1)) / 12.0, f64::from(i % (n + 1)) / 12.0, 0.0])
        .collect();
    // Folded over: the two halves are 0.1 apart.
    let folded: Vec<[f64; 3]> =
        flat.iter().map(|&[x, y, _]| if x < 0.5 { [x, y, 0.0] } else { [1.0 - x, y, 0.1] }).collect();
    let mut world = World::new();
    let sheet = world.add(Arc::new(Model::new(mesh, &flat).unwrap()), &flat).unwrap();
    let plain = Query::all().min_separation(d);
    let query = plain.exclude_close_at_rest(true);
    assert!(0 < world.contacts((), &plain).unwrap().count);
    assert_eq!(world.contacts((), &query).unwrap().count, 0);
    let all = world.contacts(&[(sheet, &folded)], &plain).unwrap().found;
    let report = world.contacts(&[(sheet, &folded)], &query).unwrap();
    let rest = |v: u32| MovingPoint::fixed(flat[v as usize]);
    let expected: Vec<_> = all
        .into_iter()
        .filter(|contact| {
            let points = contact.vertices.map(rest);
            decide(contact.key.kind, &points, &plain.narrow, &mut Stats::default()).unwrap() == Outcome::Miss
        })
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(report.found, expected);
    assert_eq!(report.stats.found, report.count + report.stats.excluded);
    // Rings are excluded the same, before and after a search.
    let rings = world.contacts(&[(sheet, &folded)], &plain.exclude_rings(2)).unwrap();
    let brute = plain.exclude_rings(2).method(Method::Brute);
    assert_eq!(rings.found, world.contacts(&[(sheet, &folded)], &brute).unwrap().found);
    assert!(!rings.found.is_empty());
    // The same for what is close at an instant.
    world.set_pose(sheet, &folded).unwrap();
    let all = world.proximities(d, &Query::all()).unwrap();
    let query = Query::all().exclude_close_at_rest(true);
    let is_close_at_rest = |found: &Proximity| {
        let points = found.vertices.map(rest);
        decide(found.key.kind, &points, &plain.narrow, &mut Stats::default()).unwrap() != Outcome::Miss
    };
    let expected: Vec<_> = all.found.iter().copied().filter(|found| !is_close_at_rest(found)).collect();
    assert!(!expected.is_empty() && expected.len() < all.found.len());
    for method in complete_methods() {
        assert_eq!(world.proximities(d, &query.method(method)).unwrap().found, expected, "{method:?}");
    }
    assert_eq!(
        world.proximities(d, &Query::count().exclude_close_at_rest(true)).unwrap().count,
        expected.len() as u64
    );
    world.set_pose(sheet, &flat).unwrap();
    assert_eq!(world.proximities(d, &query).unwrap().count, 0);
    assert!(0 < world.proximities(d, &Query::all()).unwrap().count);
}

/// Two sheets, one above the other: what is close at rest does not count if they were modeled
/// together.
#[test]
fn features_of_bodies_modeled_together_can_be_excluded() {
    let n = 5;
    let mesh = mesh_of_sheet(n);
    let at = |x: f64, z: f64| -> Vec<[f64; 3]> {
        let place = |i: u32| [f64::from(i / (n + 1)) + x, f64::from(i % (n + 1)), z];
        (0..(n + 1) * (n + 1)).map(place).collect()
    };
    let count = |groups: [Option<u32>; 2], x: f64, method: Method| {
        let mut world = World::new();
        let ids = [0.0, 0.1].map(|z| {
            let rest = at(0.0, z);
            let model = Arc::new(Model::new(mesh.clone(), &rest).unwrap());
            let settings = BodySettings::new().rest_group(groups[usize::from(0.0 < z)]);
            world.add_with(model, &rest, settings).unwrap()
        });
        world.set_pose(ids[1], &at(x, 0.1)).unwrap();
        let query = Query::count().exclude_close_at_rest(true).method(method);
        let close = world.proximities(0.2, &query).unwrap().count;
        assert_eq!(world.contacts((), &query.min_separation(0.2)).unwrap().count, close);
        close
    };
    for method in complete_methods() {
        let together = |x: f64| count([Some(3), Some(3)], x, method);
        let apart = |groups, x: f64| count(groups, x, method);
        assert_eq!(together(0.0), 0, "{method:?}");
        for groups in [[None, None], [Some(3), None], [Some(3), Some(4)]] {
            assert!(100 < apart(groups, 0.0), "{method:?} {groups:?}");
        }
        // Moved by the width of a quad, other features are close, and some are those at rest.
        let (left, all) = (together(1.0), apart([None, None], 1.0));
        assert!(0 < left && left < all, "{method:?} {left} {all}");
    }
    // Far apart at rest, and close now: all of it counts.
    let mut world = World::new();
    for z in [0.0, 9.0] {
        let model = Arc::new(Model::new(mesh.clone(), &at(0.0, z)).unwrap());
        world.add_with(model, &at(0.0, 0.01 * z), BodySettings::new().rest_group(Some(3))).unwrap();
    }
    let query = Query::count().filter(&|a, b| a != b);
    let all = world.proximities(0.2, &query).unwrap().count;
    assert_eq!(world.proximities(0.2, &query.exclude_close_at_rest(true)).unwrap().count, all);
    assert!(100 < all);
}
