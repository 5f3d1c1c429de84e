//! Closed surfaces of few triangles.

use super::Rng;
use std::collections::HashMap;

type Surface = (Vec<[u32; 3]>, Vec<[f64; 3]>);

/// A closed, oriented surface that does not cross itself: a ball, a long ball, or a ring, of radius
/// about 1.
pub(crate) fn closed(rng: &mut Rng) -> Surface {
    match rng.below(4) {
        0 => ball(1),
        1 => ball(2),
        2 => {
            let (faces, points) = ball(2);
            (faces, points.into_iter().map(|[x, y, z]| [x, 0.4 * y, 0.3 * z]).collect())
        }
        _ => ring(9, 5),
    }
}

/// A ball: an octahedron whose triangles are split into four `n_cuts` times.
pub(crate) fn ball(n_cuts: u32) -> Surface {
    let mut faces =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let mut points: Vec<[f64; 3]> = (0..6)
        .map(|i| [0, 1, 2].map(|axis| if i / 2 == axis { if i % 2 == 0 { 1.0 } else { -1.0 } } else { 0.0 }))
        .collect();
    for _ in 0..n_cuts {
        let mut middles = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let [p, q] = [a, b].map(|v| points[v as usize]);
                let sum = [0, 1, 2].map(|i| p[i] + q[i]);
                let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
                points.push(sum.map(|x| x / length));
                points.len() as u32 - 1
            })
        };
        faces = faces
            .iter()
            .flat_map(|&[a, b, c]| {
                let [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
            })
            .collect();
    }
    (faces, points)
}

/// A ring of n times m quadrilaterals.
pub(crate) fn ring(n: u32, m: u32) -> Surface {
    let point = |i: u32, j: u32| {
        let [u, v] = [(i, n), (j, m)].map(|(i, n)| std::f64::consts::TAU * f64::from(i) / f64::from(n));
        let r = 0.8 + 0.3 * v.cos();
        [r * u.cos(), r * u.sin(), 0.3 * v.sin()]
    };
    let points = (0..n * m).map(|k| point(k / m, k % m)).collect();
    let at = |i: u32, j: u32| (i % n) * m + j % m;
    let quads = (0..n * m).map(|k| (k / m, k % m));
    let faces = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (faces.collect(), points)
}
