use super::super::polygons::{self, Motion, PARTS, SHAPES, Shape, at, blurred, polygon};
use super::*;
use crate::random::random;

fn float(motion: &Motion) -> Vec<[f64; 4]> {
    motion.iter().map(|[p, q]| [p[0], p[1], q[0], q[1]].map(|x| x as f64)).collect()
}

fn is_simple_throughout(motion: &Motion) -> bool {
    (0..=PARTS).all(|k| polygons::is_simple(&at(motion, k)))
}

/// How a polygon moves.
fn moved(next: &mut impl FnMut() -> f64, points: &[[i64; 2]], speed: f64) -> Motion {
    let mut signed = || 2.0 * next() - 1.0;
    let (angle, shift) = (0.5 * signed(), [5000.0 * signed(), 5000.0 * signed()]);
    let (cos, sin) = (angle.cos(), angle.sin());
    points
        .iter()
        .map(|&[x, y]| {
            let to = [cos * x as f64 - sin * y as f64, sin * x as f64 + cos * y as f64];
            [[x, y], [0, 1].map(|k: usize| (to[k] + shift[k] + speed * signed()) as i64)]
        })
        .collect()
}

#[test]
fn what_is_accepted_is_simple_at_all_times() {
    let mut next = random(1);
    for shape in SHAPES {
        let (mut n_accepted, mut n_simple, mut n_tangled) = (0, 0, 0);
        for round in 0..1500 {
            let n = 3 + round % 14;
            let start = polygon(&mut next, shape, n);
            let motion = moved(&mut next, &start, [0.0, 100.0, 1000.0][round % 3]);
            // The blur is a multiple of 2^-23 and independent of the true numbers, which must be
            // simple.
            let error = [0.0, 0.5, 4.0][round / 3 % 3];
            let mut points = float(&motion);
            for (point, ends) in points.iter_mut().zip(&motion) {
                for (k, &x) in ends.as_flattened().iter().enumerate() {
                    point[k] = blurred(&mut next, x, error);
                }
            }
            let (accepted, simple) = (stays_simple(&points, error), is_simple_throughout(&motion));
            assert!(simple || !accepted, "{shape:?}: {motion:?}");
            n_accepted += u32::from(accepted);
            n_simple += u32::from(simple);
            n_tangled += u32::from(!simple);
            // For polygons that are not simple, too, the area is the sum of turns.
            let counterclockwise = polygons::is_counterclockwise(&at(&motion, 0));
            assert!(counterclockwise || !is_counterclockwise(&points, error));
        }
        println!("{shape:?}: {n_accepted} of {n_simple} accepted, {n_tangled} not simple");
        // Simple at the tested times is not simple at all times, and coarse polygons are often
        // within the error.
        assert!(n_simple * 9 / 10 <= n_accepted, "{shape:?}: {n_accepted} of {n_simple}");
        assert!(shape == Shape::Double || 20 < n_simple, "{shape:?}: {n_simple}");
    }
}

/// At rest the exact answer is known.
#[test]
fn integer_polygons_at_rest_are_decided_but_for_touching_ones() {
    let mut next = random(2);
    for round in 0..5000 {
        let points = polygon(&mut next, SHAPES[round % SHAPES.len()], 3 + round % 9);
        let motion: Motion = points.iter().map(|&p| [p; 2]).collect();
        assert_eq!(stays_simple(&float(&motion), 0.0), polygons::is_simple(&points), "{points:?}");
        assert_eq!(is_counterclockwise(&float(&motion), 0.0), polygons::is_counterclockwise(&points));
        let reversed: Motion = motion.iter().rev().copied().collect();
        assert_eq!(stays_simple(&float(&reversed), 0.0), polygons::is_simple(&points), "{points:?}");
    }
}

#[test]
fn touching_for_an_instant_is_found() {
    let square = [[0, 0], [8, 0], [8, 8], [0, 8]];
    let still = |p: [i64; 2]| [p, p];
    let with = |extra: [[i64; 2]; 2]| -> Motion { square.map(still).into_iter().chain([extra]).collect() };
    // A dent from the left side reaches the opposite side, stops short of it, or goes beyond.
    for (end, expected) in [([7, 4], true), ([8, 4], false), ([9, 4], false)] {
        let motion = with([[4, 4], end]);
        assert_eq!(stays_simple(&float(&motion), 0.0), expected, "{end:?}");
        assert_eq!(is_simple_throughout(&motion), expected);
    }
    // There is not more room than the error.
    assert!(stays_simple(&float(&with([[4, 4], [7, 4]])), 0.1));
    assert!(!stays_simple(&float(&with([[4, 4], [7, 4]])), 0.6));
    // The vertex (0, 8) folds back for an instant: the dent comes to lie on the upper side.
    assert!(!stays_simple(&float(&with([[4, 4], [4, 8]])), 0.0));
    assert!(stays_simple(&float(&with([[4, 4], [4, 7]])), 0.0));
    // A straight angle is not a fold, and may last.
    assert!(stays_simple(&float(&with([[-3, 4], [0, 4]])), 0.0));
    assert!(stays_simple(&float(&with([[0, 4], [0, 6]])), 0.0));
    // A vertex runs into its neighbor.
    assert!(!stays_simple(&float(&with([[0, 4], [0, 8]])), 0.0));
    assert!(!stays_simple(&float(&with([[0, 4], [0, 9]])), 0.0));
}

/// A quarter turn on straight lines shrinks a square, and keeps it simple; half a turn takes it
/// through a point.
#[test]
fn turning_squares() {
    let square = [[4, 4], [-4, 4], [-4, -4], [4, -4]];
    for (quarters, expected) in [(0, true), (1, true), (2, false), (3, true)] {
        let motion: Motion = (0..4).map(|i| [square[i], square[(i + quarters) % 4]]).collect();
        assert_eq!(stays_simple(&float(&motion), 0.0), expected, "{quarters} quarters");
        assert!(is_counterclockwise(&float(&motion), 0.0));
    }
}

#[test]
fn input_that_proves_nothing() {
    let triangle = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]];
    assert!(stays_simple(&triangle, 0.0) && is_counterclockwise(&triangle, 0.0));
    for n in 0..3 {
        assert!(!stays_simple(&triangle[..n], 0.0) && !is_counterclockwise(&triangle[..n], 0.0));
    }
    for error in [f64::NAN, f64::INFINITY, -1.0, 1.0, 1e40] {
        assert!(!stays_simple(&triangle, error) && !is_counterclockwise(&triangle, error), "{error}");
    }
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        for k in 0..4 {
            let mut points = triangle;
            points[1][k] = x;
            assert!(!stays_simple(&points, 0.0), "{x}");
        }
    }
    let scaled = |factor: f64| triangle.map(|p| p.map(|x| x * factor));
    assert!(stays_simple(&scaled(1e29), 0.0) && stays_simple(&scaled(1e-70), 0.0));
    assert!(!stays_simple(&scaled(1e-160), 0.0), "too small to tell");
}
