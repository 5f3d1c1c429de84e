use super::*;
use crate::random::random;
use std::array::from_fn;

const LO: [f64; 3] = [-1.0; 3];
const HI: [f64; 3] = [1.0; 3];

fn solve(planes: &[([f64; 3], [f64; 3])], lo: [f64; 3], hi: [f64; 3]) -> Option<Kernel> {
    let mut program = Program::default();
    planes.iter().for_each(|&(n, p)| program.push(n, p));
    program.solve(lo, hi)
}

/// The planes of a cube around a center.
fn cube(center: [f64; 3], half: f64) -> Vec<([f64; 3], [f64; 3])> {
    (0..6)
        .map(|i| {
            let mut n = [0.0; 3];
            n[i / 2] = if i % 2 == 0 { 3.0 } else { -3.0 };
            (n, [0, 1, 2].map(|k: usize| center[k] + half * n[k] / 3.0))
        })
        .collect()
}

#[test]
fn the_center_of_a_cube() {
    let mut planes = cube([0.2, -0.1, 0.3], 0.5);
    let near = |kernel: Kernel, point: [f64; 3], delta: f64| {
        let off = minus(kernel.point, point);
        dot(off, off).sqrt() < 1e-6 && (kernel.delta - delta).abs() < 1e-6
    };
    assert!(near(solve(&planes, LO, HI).unwrap(), [0.2, -0.1, 0.3], 0.5));
    // Duplicates, zero normals, and planes that do not matter.
    planes.extend(planes.clone());
    planes.push(([0.0; 3], [0.0; 3]));
    planes.push(([f64::NAN; 3], [0.0; 3]));
    planes.push(([1.0, 1.0, 1.0], [9.0; 3]));
    assert!(near(solve(&planes, LO, HI).unwrap(), [0.2, -0.1, 0.3], 0.5));
    // Inverted: as near to the planes as the box allows.
    let inverted: Vec<_> = cube([0.0; 3], 0.5).into_iter().map(|(n, p)| (n.map(|x| -x), p)).collect();
    assert!(near(solve(&inverted, LO, HI).unwrap(), [0.0; 3], -0.5));
    // A box that is a point, or far off; none at all.
    assert!(near(solve(&planes, [0.25; 3], [0.25; 3]).unwrap(), [0.25; 3], 0.15));
    assert!(near(solve(&cube([1e6; 3], 0.5), [1e6 - 1.0; 3], [1e6 + 1.0; 3]).unwrap(), [1e6; 3], 0.5));
    assert_eq!(solve(&planes, HI, LO), None);
    assert_eq!(solve(&[], LO, HI), None);
    assert_eq!(solve(&planes, [0.0; 3], [f64::INFINITY; 3]), None);
}

/// Solves four equations by elimination with pivots; `None` if there is no unique solution.
fn intersection(mut m: [Row; 4]) -> Option<[f64; 4]> {
    for k in 0..4 {
        let pivot = (k..4).max_by(|&i, &j| m[i][k].abs().total_cmp(&m[j][k].abs()))?;
        m.swap(k, pivot);
        if m[k][k].abs() < 1e-9 {
            return None;
        }
        let row = m[k];
        for other in (0..4).filter(|&i| i != k) {
            let factor = m[other][k] / row[k];
            m[other] = from_fn(|j| m[other][j] - factor * row[j]);
        }
    }
    Some([0, 1, 2, 3].map(|k: usize| m[k][4] / m[k][k]))
}

/// The best of all vertices: four rows, or sides of the box, hold with equality.
fn best_vertex(planes: &[([f64; 3], [f64; 3])]) -> f64 {
    let mut rows: Vec<Row> = planes.iter().map(|(n, p)| [n[0], n[1], n[2], 1.0, dot(*n, *p)]).collect();
    for k in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut row = [0.0; 5];
            (row[k], row[4]) = (sign, 1.0);
            rows.push(row);
        }
    }
    let n = rows.len();
    let mut best = f64::NEG_INFINITY;
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                for d in c + 1..n {
                    let Some(x) = intersection([rows[a], rows[b], rows[c], rows[d]]) else { continue };
                    if rows.iter().all(|row| value(row, &x, 4) <= row[4] + 1e-7) {
                        best = best.max(x[3]);
                    }
                }
            }
        }
    }
    best
}

#[test]
fn as_good_as_the_best_vertex() {
    let mut next = random(11);
    for round in 0..300 {
        let n = 1 + (next() * 9.0) as usize;
        let is_grid = round % 3 == 0;
        let mut number = || {
            let x = 2.0 * next() - 1.0;
            if is_grid { (2.0 * x).round() / 2.0 } else { x }
        };
        let planes: Vec<_> = (0..n)
            .map(|_| ([0; 3].map(|_| number()), [0; 3].map(|_| number())))
            .filter(|(n, _)| *n != [0.0; 3])
            .map(|(n, p): ([f64; 3], [f64; 3])| (scale(1.0 / dot(n, n).sqrt(), n), p))
            .collect();
        if planes.is_empty() {
            continue;
        }
        let kernel = solve(&planes, LO, HI).unwrap();
        let best = best_vertex(&planes);
        assert!((kernel.delta - best).abs() < 1e-5, "round {round}: {} and {best}", kernel.delta);
        assert!(kernel.point.iter().all(|x| x.abs() <= 1.0));
    }
}

/// Thousands of planes around a ball that is off center; and the same result each time.
#[test]
fn a_ball() {
    let mut next = random(13);
    let mut program = Program::default();
    for _ in 0..3000 {
        let n = [0; 3].map(|_| 2.0 * next() - 1.0);
        let unit = scale(1.0 / dot(n, n).sqrt(), n);
        program.push(n, plus([0.1, 0.2, -0.3], scale(0.4, unit)));
    }
    let kernel = program.solve(LO, HI).unwrap();
    let off = minus(kernel.point, [0.1, 0.2, -0.3]);
    assert!(dot(off, off).sqrt() < 1e-6 && (kernel.delta - 0.4).abs() < 1e-6, "{kernel:?}");
    assert_eq!(program.solve(LO, HI), Some(kernel));
}
