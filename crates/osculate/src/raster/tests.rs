use super::*;
use crate::random::random;

/// A random frame, whose primitives are in all tiles that their rectangles meet. Depths are few, so
/// that many are equal.
fn random_frame(seed: u64) -> (usize, Vec<Primitive>, Vec<u32>) {
    let mut random = random(seed);
    let mut integer = |n: i32| (random() * f64::from(n)) as i32;
    let n_sets = 1 + integer(MAX_SETS as i32) as usize;
    // In some frames, tiles have more primitives than are compared in pairs.
    let (n, image) = if seed % 16 == 0 { (400, 12) } else { (integer(60), 1 + integer(40)) };
    let mut primitives = Vec::new();
    for _ in 0..n {
        let (x0, y0) = (integer(image), integer(image));
        let (x1, y1) = (x0 + integer(9), y0 + integer(9));
        let edges = [0; 3].map(|_| [integer(9) - 4, integer(9) - 4, integer(40) - 10]);
        let (gx, gy) = (integer(5) - 2, integer(5) - 2);
        let (c_min, z_min) = (integer(30), integer(30));
        let (c_max, z_max) = (c_min + integer(12), z_min + integer(12));
        let footprint = Footprint { x0, x1, y0, y1, edges, gx, gy, c_min, c_max, z_min, z_max };
        let (renders, tests) = ((integer(8) as u32).min(3), (integer(8) as u32).min(3));
        primitives.push(Primitive { footprint, set: integer(n_sets as i32) as u32, renders, tests });
    }
    let mut neighbors = vec![NONE; primitives.len() * n_sets];
    for _ in 0..4 * primitives.len() {
        let [p, q] = [0; 2].map(|_| integer(primitives.len() as i32) as usize);
        let at = [[p, q], [q, p]].map(|[p, q]| p * n_sets + primitives[q].set as usize);
        if primitives[p].set != primitives[q].set && at.iter().all(|&at| neighbors[at] == NONE) {
            (neighbors[at[0]], neighbors[at[1]]) = (q as u32, p as u32);
        }
    }
    (n_sets, primitives, neighbors)
}

#[test]
fn the_rasterizer_gives_the_answers_of_all_pairs() {
    let mut n_hidden = [0; 4];
    for seed in 0..3000 {
        let (n_sets, primitives, neighbors) = random_frame(seed);
        let tiles::Tiles { tiles, lists } = tiles::Tiles::of(&primitives);
        let frame =
            Frame { n_sets, primitives: &primitives, neighbors: &neighbors, tiles: &tiles, lists: &lists };
        let expected = AllPairs.hidden(&frame).unwrap();
        assert!(CpuRaster.hidden(&frame).unwrap() == expected, "seed {seed}");
        for answer in &expected {
            let words = [answer.first_front, answer.first_back, answer.second_front, answer.second_back];
            (0..4).for_each(|k| n_hidden[k] += words[k].count_ones());
        }
    }
    assert!(n_hidden.iter().all(|&n| 10_000 < n), "{n_hidden:?}");
}

/// Points whose coordinates and convex combinations are exact.
fn exact_point(random: &mut impl FnMut() -> f64, offset: f64, size: f64) -> [f64; 3] {
    [0; 3].map(|_| offset + (random() * size * 1024.0).round() / 1024.0)
}

#[test]
fn footprints_cover_their_primitives() {
    for seed in 0..4000 {
        let mut random = random(seed);
        let offset = [0.0, -512.0, 4096.0][(random() * 3.0) as usize];
        let size = [1.0, 0.125, 20.0][(random() * 3.0) as usize];
        let n = [3, 6, 8][(random() * 3.0) as usize];
        let center = exact_point(&mut random, offset, 8.0);
        let mut point = || {
            let p = exact_point(&mut random, 0.0, size);
            [0, 1, 2].map(|k| center[k] + p[k])
        };
        let points: Vec<[f64; 3]> = (0..n).map(|_| point()).collect();
        let all = [[offset; 3], [offset + 32.0; 3]];
        let margin = if seed % 3 == 0 { 0.03125 } else { 0.0 };
        let pixel = 32.0 / f64::from(1 << (random() * 12.0) as u32);
        let (axis, [a, b, c]) = (seed as usize % 3, [points[0], points[1], points[2]]);
        let view = View::new(axis, all, pixel, margin).unwrap();
        let shape = view.footprint(&points, [a, b, c], [[a, b], [b, c], [c, a]]);
        for _ in 0..60 {
            // Weights of quarters.
            let at = |random: &mut dyn FnMut() -> f64| (random() * n as f64) as usize;
            let of: [usize; 4] = [0; 4].map(|_| at(&mut random));
            let shift = [0; 3].map(|_| margin * ((random() * 5.0).floor() * 0.5 - 1.0));
            let p = [0, 1, 2].map(|k| of.iter().map(|&i| 0.25 * points[i][k]).sum::<f64>() + shift[k]);
            let [x, y, z] = view.place(p);
            let depths = shape.depths(x.floor() as i32, y.floor() as i32);
            let is_in =
                |first: i32, last: i32, x: f64| f64::from(first) <= x.floor() && x.floor() <= f64::from(last);
            assert!(is_in(shape.x0, shape.x1, x) && is_in(shape.y0, shape.y1, y), "seed {seed}");
            let [lower, upper] = depths.unwrap_or_else(|| panic!("seed {seed}: {x} {y} is not covered"));
            assert!(f64::from(lower) <= z && z <= f64::from(upper), "seed {seed}: {lower} {z} {upper}");
        }
    }
}
