use super::super::polygons::{self, SHAPES, Shape, blurred, polygon};
use super::*;
use crate::random::random;

fn float(points: &[[i64; 2]]) -> Vec<[f64; 2]> {
    points.iter().map(|p| p.map(|x| x as f64)).collect()
}

#[test]
fn what_is_accepted_is_simple_and_counterclockwise() {
    let mut next = random(1);
    for shape in SHAPES {
        let (mut n_accepted, mut n_simple) = (0, 0);
        for round in 0..4000 {
            let truth = polygon(&mut next, shape, 3 + round % 20);
            let error = [0.0, 0.5, 10.0][round % 3];
            let points: Vec<[f64; 2]> =
                truth.iter().map(|p| p.map(|x| blurred(&mut next, x, error))).collect();
            let simple = polygons::is_simple(&truth);
            let accepted = is_star(&points, error);
            assert!(!accepted || simple && polygons::is_counterclockwise(&truth), "{shape:?}: {truth:?}");
            assert!(!accepted || !is_star(&points.iter().rev().copied().collect::<Vec<_>>(), error));
            n_accepted += u32::from(accepted);
            n_simple += u32::from(simple);
        }
        println!("{shape:?}: {n_accepted} accepted, {n_simple} simple");
        match shape {
            Shape::Round => assert!(n_simple * 95 / 100 < n_accepted, "{n_accepted} of {n_simple}"),
            Shape::Star => assert!(n_simple * 3 / 10 < n_accepted, "{n_accepted} of {n_simple}"),
            Shape::Double | Shape::Spiral | Shape::Coarse => {}
        }
    }
}

/// All edges of these have the center on their left; only the number of turns distinguishes them
/// from simple ones.
#[test]
fn winding_twice_is_not_simple() {
    for n in 5..60_usize {
        for turns in 1..4 {
            let on = |i: usize| {
                let angle = std::f64::consts::TAU * (turns * i) as f64 / n as f64 + 0.1;
                [angle.cos(), angle.sin()]
            };
            let points: Vec<[f64; 2]> = (0..n).map(on).collect();
            assert_eq!(is_star(&points, 1e-12), turns == 1, "{n} vertices, {turns} turns");
            if 2 * turns < n {
                assert!(sees_all(&points, [0.0; 2], 1e-12));
                let counts = ACROSS.map(|across| self::turns(&points, [0.0; 2], across, 1e-12));
                assert!(counts.iter().all(|n| n.is_none_or(|n| n == turns)), "{counts:?}");
            }
        }
    }
}

/// Vertices level with the mean in the directions tried first, with coordinates that are not quite
/// certain.
#[test]
fn contours_of_regular_grids() {
    for n in 1..30_i64 {
        let sides = (0..n).map(|i| [i, 0]).chain((0..n).map(|i| [n, i]));
        let sides = sides.chain((0..n).map(|i| [n - i, n])).chain((0..n).map(|i| [0, n - i]));
        let points = float(&sides.collect::<Vec<_>>());
        assert!(is_star(&points, 0.0) && is_star(&points, 1e-9), "{n}");
    }
}

#[test]
fn kernels_away_from_the_mean() {
    // An L: its kernel is the square at the corner, which the horizontal line passes, though not at
    // the mean.
    let l = float(&[[0, 0], [6, 0], [12, 0], [12, 3], [3, 3], [3, 6], [0, 6]]);
    assert!(!sees_all(&l, [36.0 / 7.0, 18.0 / 7.0], 0.0));
    assert!(is_star(&l, 0.01));
    // With longer arms both lines miss it.
    assert!(!is_star(&float(&[[0, 0], [12, 0], [12, 2], [2, 2], [2, 12], [0, 12]]), 0.0));
    // A U has none.
    let u = [[0, 0], [9, 0], [9, 9], [6, 9], [6, 3], [3, 3], [3, 9], [0, 9]];
    assert!(!is_star(&float(&u), 0.0));
}

#[test]
fn input_that_proves_nothing() {
    let triangle = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    assert!(is_star(&triangle, 0.0) && is_star(&triangle, 0.01));
    for n in 0..3 {
        assert!(!is_star(&triangle[..n], 0.0));
    }
    for error in [f64::NAN, f64::INFINITY, -1.0, 1.0, 1e40] {
        assert!(!is_star(&triangle, error), "{error}");
    }
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        assert!(!is_star(&[[0.0, 0.0], [x, 0.0], [0.0, 1.0]], 0.0), "{x}");
    }
    assert!(!is_star(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], 0.0));
    assert!(!is_star(&[[1.0, 1.0]; 4], 0.0));
    assert!(is_star(&triangle.map(|p| p.map(|x| 1e29 * x)), 0.0));
    assert!(!is_star(&triangle.map(|p| p.map(|x| 1e-160 * x)), 0.0), "too small to tell");
}
