//! Cases for the referee itself whose answer is plain to see.

use std::cmp::Ordering;

use super::{Kind, MovingPoint, first_contact, touch_at};
use crate::common::{Rng, exact_contact};

const VF: Kind = Kind::VertexFace;
const EE: Kind = Kind::EdgeEdge;
const TRIANGLE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

fn still(p: [f64; 3]) -> MovingPoint {
    MovingPoint::new(p, p)
}

/// A point that moves from `t0` to `t1` against the fixed triangle (0,0,0), (4,0,0), (0,4,0).
fn against_triangle(t0: [f64; 3], t1: [f64; 3]) -> [MovingPoint; 4] {
    [MovingPoint::new(t0, t1), still(TRIANGLE[0]), still(TRIANGLE[1]), still(TRIANGLE[2])]
}

/// An edge from (x, y, -1) to (x, y, 1), with y from `y[0]` to `y[1]`, against the fixed edge from
/// (-1, 0, 0) to (1, 0, 0).
fn against_edge(x: f64, y: [f64; 2]) -> [MovingPoint; 4] {
    [
        MovingPoint::new([x, y[0], -1.0], [x, y[1], -1.0]),
        MovingPoint::new([x, y[0], 1.0], [x, y[1], 1.0]),
        still([-1.0, 0.0, 0.0]),
        still([1.0, 0.0, 0.0]),
    ]
}

#[track_caller]
fn check(kind: Kind, points: [MovingPoint; 4], expected: Option<f64>) {
    let found = first_contact(kind, &points);
    match (&found, expected) {
        (None, None) => {}
        (Some(found), Some(t)) => assert_eq!(found.compare_f64(t), Ordering::Equal, "{found:?} is not {t}"),
        _ => panic!("found {found:?}, expected {expected:?}"),
    }
    if let Some(t) = expected {
        assert!(touch_at(kind, &points, t));
    }
}

#[test]
fn point_through_triangle() {
    check(VF, against_triangle([1.0, 1.0, 1.0], [1.0, 1.0, -1.0]), Some(0.5));
    check(VF, against_triangle([1.0, 1.0, 3.0], [1.0, 1.0, -1.0]), Some(0.75));
    check(VF, against_triangle([1.0, 1.0, 3.0], [1.0, 1.0, 1.0]), None);
    check(VF, against_triangle([3.0, 3.0, 1.0], [3.0, 3.0, -1.0]), None);
    check(VF, against_triangle([-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]), None);
}

#[test]
fn point_on_sides_and_corners() {
    check(VF, against_triangle([2.0, 2.0, 1.0], [2.0, 2.0, -1.0]), Some(0.5));
    check(VF, against_triangle([2.0, 0.0, 1.0], [2.0, 0.0, -1.0]), Some(0.5));
    check(VF, against_triangle([0.0, 4.0, 1.0], [0.0, 4.0, -1.0]), Some(0.5));
    check(VF, against_triangle([0.0, 4.0f64.next_up(), 1.0], [0.0, 4.0f64.next_up(), -1.0]), None);
    check(VF, against_triangle([2.0, -f64::from_bits(1), 1.0], [2.0, -f64::from_bits(1), -1.0]), None);
    check(VF, against_triangle([2.0, -f64::from_bits(1), 1.0], [2.0, f64::from_bits(1), -1.0]), Some(0.5));
}

#[test]
fn contact_at_the_ends_of_the_step() {
    check(VF, against_triangle([1.0, 1.0, 0.0], [1.0, 1.0, 5.0]), Some(0.0));
    check(VF, against_triangle([1.0, 1.0, 5.0], [1.0, 1.0, 0.0]), Some(1.0));
    check(VF, against_triangle([1.0, 1.0, 5.0], [1.0, 1.0, f64::from_bits(1)]), None);
    check(EE, against_edge(0.0, [0.0, 1.0]), Some(0.0));
    check(EE, against_edge(0.0, [1.0, 0.0]), Some(1.0));
}

#[test]
fn edge_through_edge() {
    check(EE, against_edge(0.5, [-1.0, 1.0]), Some(0.5));
    check(EE, against_edge(1.0, [-1.0, 3.0]), Some(0.25));
    check(EE, against_edge(1.0f64.next_up(), [-1.0, 1.0]), None);
    check(EE, against_edge(0.0, [2.0, 1.0]), None);
}

#[test]
fn point_slides_in_the_plane() {
    check(VF, against_triangle([-4.0, 1.0, 0.0], [4.0, 1.0, 0.0]), Some(0.5));
    check(VF, against_triangle([-4.0, 4.0, 0.0], [4.0, 4.0, 0.0]), Some(0.5));
    check(VF, against_triangle([-4.0, 5.0, 0.0], [4.0, 5.0, 0.0]), None);
    check(VF, against_triangle([1.0, 1.0, 0.0], [9.0, 9.0, 0.0]), Some(0.0));
    check(VF, against_triangle([9.0, 1.0, 0.0], [1.0, 1.0, 0.0]), Some(0.75));
    // The triangle is pulled over a point at rest: the side x + y = 4 becomes x + y = 8, through
    // (3, 3) at 1/2.
    let grown = [
        still([3.0, 3.0, 0.0]),
        still(TRIANGLE[0]),
        MovingPoint::new(TRIANGLE[1], [8.0, 0.0, 0.0]),
        MovingPoint::new(TRIANGLE[2], [0.0, 8.0, 0.0]),
    ];
    check(VF, grown, Some(0.5));
}

#[test]
fn edges_slide_in_a_plane() {
    let fixed = [still([0.0, 0.0, 0.0]), still([2.0, 0.0, 0.0])];
    let slide = |t0: [f64; 2], t1: [f64; 2], along: [f64; 2]| {
        let end = |p: [f64; 2]| [p[0] + along[0], p[1] + along[1], 0.0];
        [
            fixed[0],
            fixed[1],
            MovingPoint::new([t0[0], t0[1], 0.0], [t1[0], t1[1], 0.0]),
            MovingPoint::new(end(t0), end(t1)),
        ]
    };
    // Across, by an end, at the end of the fixed edge, past it.
    check(EE, slide([1.0, 1.0], [1.0, -1.0], [0.0, 1.0]), Some(0.5));
    check(EE, slide([4.0, 1.0], [0.0, 1.0], [0.0, -2.0]), Some(0.5));
    check(EE, slide([4.0, 1.0], [3.0, 1.0], [0.0, -2.0]), None);
    // On one line, toward each other; parallel, from the side; parallel, passing by.
    check(EE, slide([5.0, 0.0], [1.0, 0.0], [1.0, 0.0]), Some(0.75));
    check(EE, slide([1.0, 1.0], [1.0, -1.0], [5.0, 0.0]), Some(0.5));
    check(EE, slide([3.0, 1.0], [3.0, -1.0], [5.0, 0.0]), None);
    check(EE, slide([2.0, 1.0], [2.0, -1.0], [5.0, 0.0]), Some(0.5));
}

#[test]
fn features_without_extent() {
    // A triangle that is the segment from (0,0,0) to (4,0,0), one that is the point (1,1,0).
    let segment = |p| [p, still([0.0; 3]), still([4.0, 0.0, 0.0]), still([1.0, 0.0, 0.0])];
    check(VF, segment(MovingPoint::new([3.0, 0.0, 1.0], [3.0, 0.0, -1.0])), Some(0.5));
    check(VF, segment(MovingPoint::new([3.0, 1.0, 1.0], [3.0, 1.0, -1.0])), None);
    check(VF, segment(MovingPoint::new([8.0, 0.0, 0.0], [0.0, 0.0, 0.0])), Some(0.5));
    let corner = still([1.0, 1.0, 0.0]);
    check(VF, [MovingPoint::new([0.0; 3], [2.0, 2.0, 0.0]), corner, corner, corner], Some(0.5));
    check(VF, [MovingPoint::new([0.0; 3], [2.0, 1.0, 0.0]), corner, corner, corner], None);
    // An edge of length zero against an edge, and two of them.
    let moving = MovingPoint::new([0.0, 0.0, 1.0], [2.0, 0.0, -1.0]);
    check(EE, [moving, moving, still([-1.0, 0.0, 0.0]), still([1.0, 0.0, 0.0])], Some(0.5));
    check(EE, [still([-1.0, 0.0, 0.0]), still([0.5, 0.0, 0.0]), moving, moving], None);
    check(EE, [moving, moving, still([1.0, 0.0, 0.0]), still([1.0, 0.0, 0.0])], Some(0.5));
    check(EE, [moving, moving, still([1.0, 0.0, 0.5]), still([1.0, 0.0, 0.5])], None);
}

#[test]
fn triangle_collapses_on_the_point() {
    // The corners are collinear at t = 1/2 only, when the point lies on the line of the corners:
    // inside, then outside.
    let flat = |x| {
        [
            still([x, 0.0, 0.0]),
            MovingPoint::new([-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0]),
            MovingPoint::new([1.0, 0.0, -1.0], [1.0, 0.0, 1.0]),
            MovingPoint::new([0.0, 1.0, 0.0], [0.0, -1.0, 0.0]),
        ]
    };
    check(VF, flat(0.5), Some(0.5));
    check(VF, flat(1.0), Some(0.5));
    check(VF, flat(1.5), None);
}

#[test]
fn tangential_contact() {
    // With d = 2t - 1 and x measured from d: corners (-1,0,d), (1,0,-d), (0,4,0), so the plane z =
    // -d x. The point is at x = -d, z = 0, where the plane is at z = d^2: it touches at d = 0 and
    // stays on its side.
    let touch = |y: f64| {
        [
            still([0.0, y, 0.0]),
            MovingPoint::new([-2.0, 0.0, -1.0], [0.0, 0.0, 1.0]),
            MovingPoint::new([0.0, 0.0, 1.0], [2.0, 0.0, -1.0]),
            MovingPoint::new([-1.0, 4.0, 0.0], [1.0, 4.0, 0.0]),
        ]
    };
    check(VF, touch(1.0), Some(0.5));
    check(VF, touch(0.0), Some(0.5));
    check(VF, touch(-1.0), None);
}

#[test]
fn irrational_time() {
    let points = [
        MovingPoint::new([0.0, 0.0, 1.0], [2.0, 0.0, 1.0]),
        still([0.0, -1.0, 0.0]),
        still([0.0, 1.0, 0.0]),
        MovingPoint::new([1.0, 0.0, 0.0], [1.0, 0.0, 1.0]),
    ];
    // Two corners on the y axis and one at (1, 0, t): the plane z = t x. The point (2t, 0, 1) is in
    // it when 2 t^2 = 1, with x = sqrt 2: outside. With the third corner at (2, 0, 2t) it is
    // inside.
    check(VF, points, None);
    let mut wide = points;
    wide[3] = MovingPoint::new([2.0, 0.0, 0.0], [2.0, 0.0, 2.0]);
    let found = first_contact(VF, &wide).expect("contact at the square root of 1/2");
    let nearest = std::f64::consts::FRAC_1_SQRT_2;
    assert_eq!(found.compare_f64(nearest.next_down()), Ordering::Greater);
    assert_eq!(found.compare_f64(nearest.next_up()), Ordering::Less);
    assert_ne!(found.compare_f64(nearest), Ordering::Equal);
}

#[test]
fn later_root_when_the_first_is_outside() {
    // With d = 2t - 1 the plane is z = d x - 1 and the point is at x = 4d, z = 0: in the plane when
    // 4 d^2 = 1, at t = 1/4 with x = -2 and at t = 3/4 with x = 2. The triangle covers one of these
    // places.
    let points = |near: f64, far: f64| {
        let corner = |x: f64, y: f64| MovingPoint::new([x, y, -x - 1.0], [x, y, x - 1.0]);
        [
            MovingPoint::new([-4.0, 0.0, 0.0], [4.0, 0.0, 0.0]),
            corner(near, -1.0),
            corner(near, 1.0),
            corner(far, 0.0),
        ]
    };
    check(VF, points(1.0, 4.0), Some(0.75));
    check(VF, points(2.0, 4.0), Some(0.75));
    check(VF, points(3.0, 4.0), None);
    check(VF, points(-1.0, 4.0), Some(0.75));
    check(VF, points(-1.0, -4.0), Some(0.25));
}

#[test]
fn tilted_triangle_sinks_past_the_point() {
    let points = |y: f64| {
        [
            still([0.0, y, 0.0]),
            MovingPoint::new([-1.0, 0.0, 3.0], [-1.0, 0.0, -1.0]),
            MovingPoint::new([1.0, 0.0, 3.0], [1.0, 0.0, -1.0]),
            MovingPoint::new([0.0, 4.0, 1.0], [0.0, 4.0, -3.0]),
        ]
    };
    check(VF, points(0.0), Some(0.75));
    check(VF, points(2.0), Some(0.5));
    check(VF, points(4.0), Some(0.25));
    check(VF, points(5.0), None);
}

#[test]
fn extreme_exponents() {
    let (big, small) = (f64::MAX, f64::from_bits(1));
    let shape = |p| [p, still([-big, -big, 0.0]), still([big, -big, 0.0]), still([0.0, big, 0.0])];
    check(VF, shape(MovingPoint::new([small, small, -small], [small, small, small])), Some(0.5));
    check(VF, shape(MovingPoint::new([small, -big, small], [small, -big, -small])), Some(0.5));
    check(VF, shape(MovingPoint::new([small, big, small], [small, big, -small])), None);
    check(VF, shape(MovingPoint::new([0.0, 0.0, small], [0.0, 0.0, small])), None);
}

#[test]
fn planted_contacts_are_found() {
    let mut rng = Rng::new(0x0de5_c0de);
    for _ in 0..500 {
        for kind in [VF, EE] {
            let (points, t) = exact_contact(&mut rng, kind);
            assert!(touch_at(kind, &points, t), "{kind:?} {points:?} at {t}");
            let first = first_contact(kind, &points).expect("a contact was planted");
            assert!(first.compare_f64(t).is_le(), "{kind:?} {points:?} at {t}");
        }
    }
}

#[test]
fn no_contact_before_the_first() {
    let mut rng = Rng::new(0x5eed);
    for family in crate::common::FAMILIES {
        for _ in 0..10 {
            for kind in [VF, EE] {
                let points = (family.generate)(&mut rng, kind);
                let first = first_contact(kind, &points);
                for i in 0..=8 {
                    let t = f64::from(i) / 8.0;
                    let is_after = first.as_ref().is_some_and(|first| first.compare_f64(t).is_le());
                    assert!(
                        is_after || !touch_at(kind, &points, t),
                        "{} {kind:?} {points:?} at {t}",
                        family.name
                    );
                }
            }
        }
    }
}
