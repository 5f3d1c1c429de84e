//! Loops that are accepted as two monotone chains have no winding number above one at any time.

use super::super::super::polygons::{Motion, PARTS, SHAPES, at, polygon};
use super::super::tests::{UP, assert_proven, at_rest, jagged, most_often_around, moved};
use super::super::{Contour, Proof};
use super::*;
use crate::motion::Line;
use crate::random::random;
use std::array::from_fn;

fn points_of(motion: &Motion) -> Vec<Point> {
    motion.iter().map(|[p, q]| [p[0], p[1], q[0], q[1]].map(|x| x as f64)).collect()
}

fn are_monotone(motion: &Motion) -> bool {
    let points = points_of(motion);
    let reach = points.as_flattened().iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    Chains::default().are_monotone(&points, reach)
}

/// A long band: its lower side from left to right, and its upper side back. Vertices are shifted at
/// random, some of them so far that a side turns back, or crosses the other one.
fn band(next: &mut impl FnMut() -> f64, n: usize) -> Vec<[i64; 2]> {
    let (apart, shift) = (600.0 + 2000.0 * next(), 3000.0 * next());
    let mut vertex = |i: usize, y: f64| {
        let x = 12_000.0 * (i as f64 / n as f64 - 0.5);
        let by = if next() < 0.3 { shift } else { 100.0 };
        [(x + by * (2.0 * next() - 1.0)) as i64, (y + by * (next() - 0.5)) as i64]
    };
    let lower: Vec<_> = (0..n).map(|i| vertex(i, 0.0)).collect();
    lower.into_iter().chain((1..=n).rev().map(|i| vertex(i, apart))).collect()
}

/// Makes the polygon of a round.
type Make<'a> = dyn Fn(&mut dyn FnMut() -> f64, usize) -> Vec<[i64; 2]> + 'a;

#[test]
fn what_is_accepted_covers_no_point_twice() {
    let mut next = random(31);
    let mut check = |n_rounds: usize, make: &Make<'_>| {
        let [mut n_accepted, mut n_covered_twice] = [0; 2];
        for round in 0..n_rounds {
            let start = make(&mut next, round);
            let motion = moved(&mut next, &start, [0.0, 100.0, 600.0, 2000.0][round % 4]);
            let reversed: Motion = motion.iter().map(|[p, q]| [*q, *p]).collect();
            for motion in [motion, reversed] {
                if are_monotone(&motion) {
                    n_accepted += 1;
                    assert_proven(&[motion], Proof::Monotone);
                } else {
                    n_covered_twice += u32::from(1 < most_often_around(&[at(&motion, PARTS)]));
                }
            }
        }
        (n_accepted, n_covered_twice)
    };
    for shape in SHAPES {
        check(800, &|mut next, round| polygon(&mut next, shape, 3 + round % 18));
    }
    check(1000, &|mut next, round| jagged(&mut next, 5 + round % 24));
    let (n_accepted, n_covered_twice) = check(3000, &|mut next, round| band(&mut next, 2 + round % 9));
    assert!(1000 < n_accepted && 100 < n_covered_twice, "{n_accepted} {n_covered_twice}");
}

/// A band whose lower side is straight, and the same with a curl inside of the band, around which
/// the loop goes twice.
const STRAIGHT: [[i64; 2]; 8] = [[0, 0], [10, -1], [18, -2], [24, -3], [30, -4], [40, -6], [40, 20], [0, 20]];
const CURLED: [[i64; 2]; 8] = [[0, 0], [10, 0], [26, 2], [20, 10], [14, -6], [40, -6], [40, 20], [0, 20]];

/// A curl of either chain is found at rest, and if it is there at one end of the step only.
#[test]
fn curls_are_found_at_both_ends_of_the_step() {
    let turned =
        |points: [[i64; 2]; 8], quarters: usize| points.map(|p| (0..quarters).fold(p, |[x, y], _| [-y, x]));
    for quarters in 0..4 {
        let [straight, curled] = [STRAIGHT, CURLED].map(|points| turned(points, quarters));
        assert!(are_monotone(&at_rest(&straight)), "{quarters}");
        assert!(!are_monotone(&at_rest(&curled)), "{quarters}");
        let motion = |from: [[i64; 2]; 8], to: [[i64; 2]; 8]| -> Motion {
            from.into_iter().zip(to).map(|(p, q)| [p, q]).collect()
        };
        let curls_up = motion(straight, curled);
        assert_eq!(most_often_around(&[at(&curls_up, 0)]), 1);
        assert_eq!(most_often_around(&[at(&curls_up, PARTS)]), 2);
        assert!(!are_monotone(&curls_up), "{quarters}");
        assert!(!are_monotone(&motion(curled, straight)), "{quarters}");
    }
}

/// A side that goes back outside of the band has ears. They are none if the same vertices go back
/// inside of it at the start or at the end of the step.
#[test]
fn ears_of_chains_last_throughout_the_step() {
    let loops = |notch: [[i64; 2]; 2]| -> Motion {
        let still = |p: [i64; 2]| [p; 2];
        let [a, b, c, d, e, f] = [[0, 0], [22, 0], [18, 0], [40, 0], [40, 20], [0, 20]].map(still);
        vec![a, b, notch, c, d, e, f]
    };
    // The side goes back below a bump, around whose inside the loop goes twice.
    let inward = loops([[20, 8]; 2]);
    assert!(!are_monotone(&inward) && most_often_around(&[at(&inward, 0)]) == 2);
    let outward = loops([[20, -8]; 2]);
    assert!(are_monotone(&outward));
    assert_proven(std::slice::from_ref(&outward), Proof::Monotone);
    for motion in [[[20, -8], [20, 8]], [[20, 8], [20, -8]]].map(loops) {
        assert!(!are_monotone(&motion), "{motion:?}");
    }
}

/// A curl so thin that rounding hides it: the side turns back by less than the error of f64 along
/// the direction of the loop.
#[test]
fn curls_by_less_than_rounding_are_found() {
    const LONG: f64 = 4_503_599_627_370_496.0; // 2^52
    let mut next = random(32);
    let mut n_cases = 0;
    let place = |[x, y]: [f64; 2], along: f64, up: f64| -> [f64; 2] {
        [(along * x - up * y).round(), (along * y + up * x).round()]
    };
    let points_of = |corners: [[f64; 2]; 7]| corners.map(|[x, y]| [x, y, x, y]);
    for _ in 0..4000 {
        // The side goes up from its fourth vertex, and down again to below it, both nearly
        // perpendicular to the direction of the loop, which depends on all vertices.
        let angle: f64 = 0.5 + 0.5 * next();
        let mut direction = [angle.cos(), angle.sin()];
        let mut still = [[0.0; 2]; 7];
        for (i, along, up) in [(1, -1.0, -0.5), (2, -0.5, -0.705), (6, 1.0, -0.75)] {
            still[i] = place(direction, along * LONG, up * LONG);
        }
        for _ in 0..60 {
            for (i, up) in [(3, -0.7), (4, -0.25), (5, -0.925)] {
                still[i] = place(direction, 0.0, up * LONG);
            }
            direction = longest(&points_of(still));
        }
        for _ in 0..250 {
            let mut corners = still;
            for corner in &mut corners[3..6] {
                *corner = corner.map(|x| x + (5.0 * next()).floor() - 2.0);
            }
            let points = points_of(corners);
            let direction = longest(&points);
            let seems = |i: usize| direction[0] * corners[i][0] + direction[1] * corners[i][1];
            let exactly = |i: usize| -> i128 {
                let [x, y] = direction.map(|x| (x * 72_057_594_037_927_936.0) as i128); // 2^56
                x * corners[i][0] as i128 + y * corners[i][1] as i128
            };
            // It crosses itself at two thirds of the way down.
            let curls = exactly(4) < exactly(3) && exactly(4) + 2 * exactly(5) < 3 * exactly(3);
            if !(curls && seems(3) < seems(4) && seems(4) < seems(5)) {
                continue;
            }
            n_cases += 1;
            assert!(!Chains::default().are_monotone(&points, 2.0 * LONG), "{corners:?}");
            // The plane perpendicular to the axis has the coordinates y and -x.
            let lines = corners.map(|[x, y]| Line::new(&[-y, x, 0.0], &[-y, x, 0.0]));
            let vertices: [u32; 7] = from_fn(|i| i as u32);
            let mut contour = Contour::default();
            assert!(!contour.is_monotone(&lines, &vertices, UP), "{corners:?}");
            assert_eq!(contour.points, points);
        }
    }
    assert!(10 < n_cases, "{n_cases}");
}
