//! Random frames, on which a rasterizer must answer as [`AllPairs`] does.

use crate::common::Rng;
use osculate::raster::{AllPairs, Footprint, Frame, Hidden, MAX_SETS, NONE, Primitive, Raster, TILE, Tile};
use std::ops::Range;

/// What a frame borrows.
struct Content {
    n_sets: usize,
    primitives: Vec<Primitive>,
    neighbors: Vec<u32>,
    tiles: Vec<Tile>,
    lists: Vec<u32>,
}

impl Content {
    /// `n` primitives with rectangles of up to 9 by 9 pixels, which begin in an image of `image` by
    /// `image` pixels. Depths are few, so that many are equal, and in some frames they are at
    /// either end of their range. In some, the sums of edges exceed the range of integers outside
    /// of rectangles.
    fn random(rng: &mut Rng, n: u64, image: u64) -> Content {
        let n_sets = 1 + rng.below(MAX_SETS as u64) as usize;
        let base = rng.pick(&[0, 0, i32::MAX - 200, i32::MIN + 200]);
        let scale = rng.pick(&[1, 1, 1 << 24]);
        let mut integer = |n: u64| rng.below(n) as i32;
        let mut primitives = Vec::new();
        for _ in 0..n {
            let (x0, y0) = (integer(image), integer(image));
            let (x1, y1) = (x0 + integer(9), y0 + integer(9));
            let edges = [0; 3].map(|_| [integer(9) - 4, integer(9) - 4, integer(40) - 10].map(|x| x * scale));
            let (gx, gy) = (integer(5) - 2, integer(5) - 2);
            let (c_min, z_min) = (base + integer(30), base + integer(30));
            let (c_max, z_max) = (c_min + integer(12), z_min + integer(12));
            let footprint = Footprint { x0, x1, y0, y1, edges, gx, gy, c_min, c_max, z_min, z_max };
            let set = integer(n_sets as u64) as u32;
            let (renders, tests) = ((integer(8) as u32).min(3), (integer(8) as u32).min(3));
            primitives.push(Primitive { footprint, set, renders, tests });
        }
        let mut neighbors = vec![NONE; primitives.len() * n_sets];
        for (p, primitive) in (0..).zip(&primitives) {
            neighbors[p as usize * n_sets + primitive.set as usize] = p;
        }
        for _ in 0..4 * n {
            let [p, q] = [0; 2].map(|_| rng.below(n) as usize);
            let at = [[p, q], [q, p]].map(|[p, q]| p * n_sets + primitives[q].set as usize);
            if at.iter().all(|&at| neighbors[at] == NONE) {
                (neighbors[at[0]], neighbors[at[1]]) = (q as u32, p as u32);
            }
        }
        let (tiles, lists) = tiles(rng, &primitives);
        Content { n_sets, primitives, neighbors, tiles, lists }
    }

    fn frame(&self) -> Frame<'_> {
        let Content { n_sets, primitives, neighbors, tiles, lists } = self;
        Frame { n_sets: *n_sets, primitives, neighbors, tiles, lists }
    }

    /// Compares the answers of a rasterizer with those of all pairs, and returns these.
    fn check(&self, raster: &mut dyn Raster, name: &str) -> Vec<Hidden> {
        let expected = AllPairs.hidden(&self.frame()).unwrap();
        let answers = raster.hidden(&self.frame()).unwrap();
        assert!(answers == expected, "{name}");
        expected
    }
}

/// The tiles of an image. Each has the primitives whose rectangles meet it, and some others.
fn tiles(rng: &mut Rng, primitives: &[Primitive]) -> (Vec<Tile>, Vec<u32>) {
    let (mut tiles, mut lists) = (Vec::new(), Vec::new());
    let last = primitives.iter().map(|p| p.footprint.x1.max(p.footprint.y1)).max().unwrap_or(-1);
    let n = (last + TILE) / TILE;
    for (x, y) in (0..n * n).map(|i| (i % n * TILE, i / n * TILE)) {
        let first = lists.len();
        for (p, Primitive { footprint: shape, .. }) in (0..).zip(primitives) {
            let meets = x <= shape.x1 && shape.x0 < x + TILE && y <= shape.y1 && shape.y0 < y + TILE;
            if meets || rng.below(50) == 0 {
                lists.push(p);
            }
        }
        // The library makes no tiles with a single primitive.
        if lists.len() < first + 2 && rng.below(2) == 0 {
            lists.truncate(first);
        } else {
            tiles.push(Tile { x, y, first: first as u32, len: (lists.len() - first) as u32 });
        }
    }
    (tiles, lists)
}

/// Random frames with few primitives, and some with hundreds in a tile.
pub(crate) fn check_frames(raster: &mut dyn Raster, seeds: Range<u64>) {
    let n_frames = seeds.end - seeds.start;
    let mut n_hidden = [0; 4];
    for seed in seeds {
        let mut rng = Rng::for_item(0xf4a3, seed);
        let (n, image) = if seed % 16 == 0 { (400, 12) } else { (rng.below(60), 1 + rng.below(40)) };
        for answer in Content::random(&mut rng, n, image).check(raster, &format!("seed {seed}")) {
            let words = [answer.first_front, answer.first_back, answer.second_front, answer.second_back];
            (0..4).for_each(|k| n_hidden[k] += u64::from(words[k].count_ones()));
        }
    }
    assert!(n_hidden.iter().all(|&n| 5 * n_frames < n), "{n_hidden:?}");
}

/// Frames with these numbers of primitives in a few tiles.
pub(crate) fn check_crowds(raster: &mut dyn Raster, numbers: &[u64]) {
    for &n in numbers {
        let content = Content::random(&mut Rng::for_item(0xc40d, n), n, 9);
        let longest = content.tiles.iter().map(|tile| tile.len).max();
        assert!(longest.is_some_and(|len| 2 * n / 3 < u64::from(len)), "{longest:?} of {n}");
        content.check(raster, &format!("{n} primitives"));
    }
}

/// Frames without primitives or tiles, with one primitive, and with two in one pixel.
pub(crate) fn check_special_frames(raster: &mut dyn Raster) {
    let rng = &mut Rng::new(7);
    let empty = Content::random(rng, 0, 1);
    assert!(empty.tiles.is_empty());
    assert_eq!(empty.check(raster, "no primitives"), []);
    let mut no_tiles = Content::random(rng, 5, 1);
    no_tiles.tiles.clear();
    assert_eq!(raster.hidden(&no_tiles.frame()).unwrap(), [Hidden::default(); 5]);
    let shape = Footprint { c_min: 3, c_max: 3, z_min: 3, z_max: 3, ..Footprint::default() };
    let primitive = |set: u32| Primitive { footprint: shape, set, renders: 3, tests: 3 };
    let content = |primitives: &[Primitive], neighbors: &[u32]| Content {
        n_sets: 32,
        primitives: primitives.to_vec(),
        neighbors: neighbors.to_vec(),
        tiles: vec![Tile { x: 0, y: 0, first: 0, len: primitives.len() as u32 }],
        lists: (0..primitives.len() as u32).collect(),
    };
    let own = |set: usize, p: u32| (0..32).map(move |s| if s == set { p } else { NONE });
    let alone: Vec<u32> = own(31, 0).collect();
    assert_eq!(content(&[primitive(31)], &alone).check(raster, "one"), [Hidden::default()]);
    // They have the same depth, so each is hidden by the other.
    let mut apart: Vec<u32> = own(31, 0).chain(own(0, 1)).collect();
    let [low, high] = [1 << 0, 1 << 31];
    let two = [
        Hidden { first_front: low, first_back: low, ..Hidden::default() },
        Hidden { second_front: high, second_back: high, ..Hidden::default() },
    ];
    assert_eq!(content(&[primitive(31), primitive(0)], &apart).check(raster, "two"), two);
    (apart[0], apart[32 + 31]) = (1, 0);
    let neighbors = content(&[primitive(31), primitive(0)], &apart).check(raster, "two neighbors");
    assert_eq!(neighbors, [Hidden::default(); 2]);
}
