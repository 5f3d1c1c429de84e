//! Products with control normals, for gradients and normals anywhere within their bounds.

use super::*;
use crate::random::random;

type Matrix = [[f64; 3]; 3];

/// The product of an axis with the control normal of the gradients j and k: half of
/// `l . (j u x k v + k u x j v)`, for `u x v = n`.
fn product(l: [f64; 3], [j, k]: [&Matrix; 2], [u, v]: [[f64; 3]; 2]) -> f64 {
    let of = |m: &Matrix, x: [f64; 3]| m.map(|row| dot(row, x));
    0.5 * (dot(l, cross(of(j, u), of(k, v))) + dot(l, cross(of(k, u), of(j, v))))
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    scale(1.0 / dot(v, v).sqrt(), v)
}

/// Two unit vectors perpendicular to n and to each other, with `u x v = n`.
fn frame(n: [f64; 3]) -> [[f64; 3]; 2] {
    let least = (1..3).fold(0, |best, i| if n[i].abs() < n[best].abs() { i } else { best });
    let u = unit(cross(n, std::array::from_fn(|i| f64::from(u8::from(i == least)))));
    [u, cross(n, u)]
}

/// The worst gradients are at corners of their bounds: the product is linear in each entry of
/// either one. From random corners, entries are moved to their other end as long as that helps.
#[test]
fn products_are_above_their_bounds_for_the_worst_gradients() {
    let mut next = random(41);
    let mut signed = || 2.0 * next() - 1.0;
    // How near the worst products come to their bounds.
    let mut nearest = [f64::INFINITY; 3];
    for round in 0..3000 {
        let wide = [0.0, 0.02, 0.2, 1.0][round % 4];
        let mut matrix = |size: f64| -> Matrix { [0; 3].map(|_| [0; 3].map(|_| size * signed())) };
        let [start, end] = [0, 1]
            .map(|_| Gradient { middle: matrix(1.0), radius: matrix(wide).map(|row| row.map(f64::abs)) });
        let axis = unit(matrix(1.0)[0]);
        let sin: f64 = [0.0, 0.1, 0.7][round / 4 % 3];
        let cone = Cone { axis, cos: (1.0 - sin * sin).sqrt(), sin };
        let facing = Facing::new(cone, start, Some(end));
        let l = unit(matrix(1.0)[0]).map(|x| x as f32);
        let bounds = facing.products(l);
        let l = l.map(f64::from);
        for _ in 0..4 {
            // On the rim of the cone.
            let aside = unit(cross(axis, matrix(1.0)[0]));
            let n = unit(std::array::from_fn(|i| cone.cos * axis[i] + sin * aside[i]));
            let uv = frame(n);
            let ends = [start, end];
            let mut at: [Matrix; 2] = [0, 1].map(|_| matrix(1.0).map(|row| row.map(f64::signum)));
            for k in 0..3 {
                let value = |at: &[Matrix; 2]| {
                    let [j0, j1]: [Matrix; 2] = std::array::from_fn(|end| {
                        let Gradient { middle, radius } = ends[end];
                        std::array::from_fn(|b| {
                            std::array::from_fn(|d| middle[b][d] + at[end][b][d] * radius[b][d])
                        })
                    });
                    product(l, [[&j0, &j0], [&j0, &j1], [&j1, &j1]][k], uv)
                };
                for entry in 0..54 {
                    let (end, b, d) = (entry % 2, entry / 2 % 3, entry / 6 % 3);
                    let before = value(&at);
                    at[end][b][d] = -at[end][b][d];
                    if before < value(&at) {
                        at[end][b][d] = -at[end][b][d];
                    }
                }
                let worst = value(&at);
                assert!(bounds[k] <= worst + 1e-12, "round {round}, control {k}: {bounds:?} {worst}");
                nearest[k] = nearest[k].min(worst - bounds[k]);
            }
        }
    }
    assert!(nearest.iter().all(|&above| above < 0.01), "{nearest:?}");
}

/// Triangles that nearly fold over: what faces an axis faces any other within 2^-40 of it, exactly.
#[test]
fn axes_may_be_off() {
    const PARTS: i128 = 1 << 40;
    let mut next = random(42);
    let mut whole = |size: f64| ((2.0 * next() - 1.0) * size) as i64;
    let cone = Cone { axis: [0.0, 0.0, 1.0], cos: 1.0, sin: 0.0 };
    let [mut n_faces, mut n_near] = [0; 2];
    for round in 0..20_000 {
        // Seen along the axis, the second column is nearly a multiple of the first.
        let size = [1e3, 1e5, 1e6, 1e7][round % 4];
        let (x, by) = (whole(size), whole([2.0, 60.0, 1e4][round / 4 % 3]));
        let (u, v) = ([x, x - by, whole(size)], [3 * x + 1, 3 * (x - by) + 1, whole(size)]);
        let middle = std::array::from_fn(|i| [u[i] as f64, v[i] as f64, 0.0]);
        let facing = Facing::new(cone, Gradient { middle, radius: [[0.0; 3]; 3] }, None);
        let det =
            |i: usize, j: usize| i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i]);
        // The product with the axis, and the most that the others differ from it.
        let (product, others) = (det(0, 1) * PARTS, det(1, 2).abs() + det(2, 0).abs());
        let faces = facing.faces([0.0, 0.0, 1.0]);
        assert!(!faces || others < product, "round {round}: {u:?} {v:?}");
        n_faces += u32::from(faces);
        n_near += u32::from(0 < product && product <= others);
    }
    assert!(1000 < n_faces && 20 < n_near, "{n_faces} {n_near}");
}
