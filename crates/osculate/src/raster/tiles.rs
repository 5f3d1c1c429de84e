//! Which primitives are in which tiles of an image.

use super::{Primitive, TILE, Tile};

/// The tiles of an image with at least two primitives, and the primitives of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiles {
    pub(crate) tiles: Vec<Tile>,
    pub(crate) lists: Vec<u32>,
}

impl Tiles {
    /// Sorts primitives into tiles, by their rectangles.
    pub(crate) fn of(primitives: &[Primitive]) -> Tiles {
        let last = |at: fn(&Primitive) -> i32| primitives.iter().map(at).max().unwrap_or(0) / TILE;
        let n_columns = last(|p| p.footprint.x1) as usize + 1;
        let n_rows = last(|p| p.footprint.y1) as usize + 1;
        let range = |first: i32, last: i32| (first / TILE) as usize..=(last / TILE) as usize;
        let each = |f: &mut dyn FnMut(usize, u32)| {
            for (p, primitive) in (0..).zip(primitives) {
                let shape = &primitive.footprint;
                for row in range(shape.y0, shape.y1) {
                    range(shape.x0, shape.x1).for_each(|column| f(n_columns * row + column, p));
                }
            }
        };
        let mut counts = vec![0u32; n_columns * n_rows];
        each(&mut |tile, _| counts[tile] += 1);
        let (mut tiles, mut first) = (Vec::new(), 0);
        for (i, count) in counts.iter_mut().enumerate() {
            let len = std::mem::replace(count, u32::MAX);
            if 2 <= len {
                let (x, y) = ((i % n_columns) as i32 * TILE, (i / n_columns) as i32 * TILE);
                tiles.push(Tile { x, y, first, len });
                *count = first;
                first += len;
            }
        }
        let mut lists = vec![0; first as usize];
        each(&mut |tile, p| {
            if counts[tile] != u32::MAX {
                lists[counts[tile] as usize] = p;
                counts[tile] += 1;
            }
        });
        Tiles { tiles, lists }
    }
}
