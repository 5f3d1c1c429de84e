use super::*;
use crate::random::random;

#[test]
fn tiles_have_the_primitives_whose_rectangles_meet_them() {
    for seed in 0..500 {
        let mut random = random(seed);
        let mut integer = |n: i32| (random() * f64::from(n)) as i32;
        let (n, image) = (integer(40), 1 + integer(60));
        let mut rectangle = || {
            let (x0, y0) = (integer(image), integer(image));
            let footprint =
                Footprint { x0, x1: x0 + integer(20), y0, y1: y0 + integer(20), ..Footprint::default() };
            Primitive { footprint, ..Primitive::default() }
        };
        let primitives: Vec<Primitive> = (0..n).map(|_| rectangle()).collect();
        let tiles::Tiles { tiles, lists } = tiles::Tiles::of(&primitives);
        let mut expected = Vec::new();
        for (x, y) in (0..15 * 15).map(|i| (i % 15 * TILE, i / 15 * TILE)) {
            let meets = |&p: &u32| {
                let shape = &primitives[p as usize].footprint;
                x <= shape.x1 && shape.x0 < x + TILE && y <= shape.y1 && shape.y0 < y + TILE
            };
            let list: Vec<u32> = (0..n as u32).filter(meets).collect();
            if 2 <= list.len() {
                expected.push((x, y, list));
            }
        }
        let of_tile =
            |tile: &Tile| (tile.x, tile.y, lists[tile.first as usize..][..tile.len as usize].to_vec());
        assert!(tiles.iter().map(of_tile).eq(expected), "seed {seed}");
    }
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
