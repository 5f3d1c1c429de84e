//! The rasterizer for processors: tile by tile, in parallel, in the widest vectors.
//!
//! In a tile with few primitives, the depths of each are computed for all 64 pixels, and pairs are
//! compared in vectors over pixels. In a tile with many, primitives are taken in order, and each
//! pixel has, for each set, the two nearest and the two farthest primitives so far: if the nearest
//! is the neighbor of the one being tested, the second counts. That takes time linear in the number
//! of primitives. Answers are the same.

use super::{Frame, Hidden, MAX_SETS, NONE, Primitive, Raster, RasterFault, TILE, Tile};
use crate::math::dispatch::dispatch;
use crate::threads;
use fearless_simd::Level;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The rasterizer for processors.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuRaster;

impl Raster for CpuRaster {
    fn hidden(&mut self, frame: &Frame) -> Result<Vec<Hidden>, RasterFault> {
        let answers: Vec<[AtomicU32; 4]> = frame.primitives.iter().map(|_| Default::default()).collect();
        threads::for_each(frame.tiles.chunks(CHUNK), |tiles| {
            let mut scratch = Scratch::default();
            for tile in tiles {
                dispatch!(Level::new(), _simd => compare(frame, tile, &mut scratch, &answers));
            }
        });
        Ok(answers
            .into_iter()
            .map(|words| {
                let [first_front, first_back, second_front, second_back] = words.map(AtomicU32::into_inner);
                Hidden { first_front, first_back, second_front, second_back }
            })
            .collect())
    }
}

/// Tiles of a task.
const CHUNK: usize = 64;

/// Pixels of a tile.
const PIXELS: usize = (TILE * TILE) as usize;

/// In tiles with more primitives, each is compared with sets.
const MOST_PAIRED: usize = 192;

/// A primitive in a tile.
#[derive(Clone, Copy)]
struct Entry {
    /// The depths in each pixel; if it is not covered, no range.
    lower: [i32; PIXELS],
    upper: [i32; PIXELS],
    covered: u64,
    p: u32,
    set: u32,
    renders: u32,
    tests: u32,
}

/// Scratch memory of a task.
#[derive(Default)]
struct Scratch {
    entries: Vec<Entry>,
    layers: Vec<Layers>,
}

/// Compares the primitives of a tile.
#[inline(always)]
fn compare(frame: &Frame, tile: &Tile, scratch: &mut Scratch, answers: &[[AtomicU32; 4]]) {
    let list = &frame.lists[tile.first as usize..][..tile.len as usize];
    if MOST_PAIRED < list.len() {
        let layers = &mut scratch.layers;
        layers.resize(PIXELS, Layers::default());
        compare_layers(frame, tile, list, layers, 1, answers);
        compare_layers(frame, tile, list, layers, 2, answers);
        return;
    }
    let entries = &mut scratch.entries;
    entries.clear();
    for &p in list {
        let entry = enter(&frame.primitives[p as usize], p, tile);
        if entry.covered != 0 {
            entries.push(entry);
        }
    }
    for (i, low) in entries.iter().enumerate() {
        let neighbors = &frame.neighbors[low.p as usize * frame.n_sets..][..frame.n_sets];
        let of_low = &answers[low.p as usize];
        let mut known = [of_low[0].load(Relaxed), of_low[1].load(Relaxed)];
        for high in &entries[i + 1..] {
            if low.covered & high.covered == 0 || neighbors[high.set as usize] == high.p {
                continue;
            }
            let (bit, of_high) = (1 << high.set, &answers[high.p as usize]);
            let known_high = of_high[2].load(Relaxed) & of_high[3].load(Relaxed);
            let first = low.tests & high.renders & 1 != 0 && known[0] & known[1] & bit == 0;
            let second = high.tests & low.renders & 2 != 0 && known_high >> low.set & 1 == 0;
            if !first && !second {
                continue;
            }
            // Some pixel in which the higher is not behind the lower, or not in front of it.
            let (mut front, mut back) = (0, 0);
            for k in 0..PIXELS {
                front |= i32::from(high.lower[k] <= low.upper[k]);
                back |= i32::from(low.lower[k] <= high.upper[k]);
            }
            if first {
                known[0] |= if front != 0 { bit } else { 0 };
                known[1] |= if back != 0 { bit } else { 0 };
            }
            if second {
                add(&of_high[2], if back != 0 { 1 << low.set } else { 0 });
                add(&of_high[3], if front != 0 { 1 << low.set } else { 0 });
            }
        }
        add(&of_low[0], known[0]);
        add(&of_low[1], known[1]);
    }
}

/// Adds bits to an answer.
#[inline(always)]
fn add(word: &AtomicU32, bits: u32) {
    if bits & !word.load(Relaxed) != 0 {
        word.fetch_or(bits, Relaxed);
    }
}

/// The depths of a primitive in the pixels of a tile.
#[inline(always)]
fn enter(primitive: &Primitive, p: u32, tile: &Tile) -> Entry {
    let Primitive { footprint: shape, set, renders, tests } = primitive;
    let (dx, dy) = (tile.x - shape.x0, tile.y - shape.y0);
    let (width, height) = (shape.x1 - shape.x0, shape.y1 - shape.y0);
    let mut entry = Entry {
        lower: [0; PIXELS],
        upper: [0; PIXELS],
        covered: 0,
        p,
        set: *set,
        renders: *renders,
        tests: *tests,
    };
    let mut covered = [0i32; PIXELS];
    for (k, covered) in covered.iter_mut().enumerate() {
        // Pixels outside of the rectangle are not covered, whatever the sums are there.
        let (x, y) = (dx + k as i32 % TILE, dy + k as i32 / TILE);
        let is_inside =
            |[a, b, c]: [i32; 3]| 0 <= a.wrapping_mul(x).wrapping_add(b.wrapping_mul(y)).wrapping_add(c);
        let plane = shape.gx.wrapping_mul(x).wrapping_add(shape.gy.wrapping_mul(y));
        let lower = shape.z_min.max(plane.wrapping_add(shape.c_min));
        let upper = shape.z_max.min(plane.wrapping_add(shape.c_max));
        let is_covered = (0 <= x)
            & (x <= width)
            & (0 <= y)
            & (y <= height)
            & is_inside(shape.edges[0])
            & is_inside(shape.edges[1])
            & is_inside(shape.edges[2])
            & (lower <= upper);
        *covered = i32::from(is_covered);
        entry.lower[k] = if is_covered { lower } else { i32::MAX };
        entry.upper[k] = if is_covered { upper } else { i32::MIN };
    }
    for (k, &is_covered) in covered.iter().enumerate() {
        entry.covered |= (is_covered as u64) << k;
    }
    entry
}

/// For each set, the two nearest and the two farthest primitives in a pixel.
#[derive(Clone, Copy)]
struct Layers {
    near: [[i32; MAX_SETS]; 2],
    nearest: [u32; MAX_SETS],
    far: [[i32; MAX_SETS]; 2],
    farthest: [u32; MAX_SETS],
}

impl Default for Layers {
    fn default() -> Layers {
        Layers {
            near: [[i32::MAX; MAX_SETS]; 2],
            nearest: [NONE; MAX_SETS],
            far: [[i32::MIN; MAX_SETS]; 2],
            farthest: [NONE; MAX_SETS],
        }
    }
}

/// Compares the primitives of a tile in one pass, 1 or 2, in order.
#[inline(always)]
fn compare_layers(
    frame: &Frame,
    tile: &Tile,
    list: &[u32],
    layers: &mut [Layers],
    pass: u32,
    answers: &[[AtomicU32; 4]],
) {
    layers.fill(Layers::default());
    let n_sets = frame.n_sets;
    for i in 0..list.len() {
        let p = list[if pass == 1 { list.len() - 1 - i } else { i }];
        let primitive = &frame.primitives[p as usize];
        let shape = &primitive.footprint;
        let mut neighbors = [NONE; MAX_SETS];
        neighbors[..n_sets].copy_from_slice(&frame.neighbors[p as usize * n_sets..][..n_sets]);
        let (mut front, mut back) = ([0i32; MAX_SETS], [0i32; MAX_SETS]);
        let tests = primitive.tests & pass != 0;
        let renders = primitive.renders & pass != 0;
        for y in tile.y.max(shape.y0)..=(tile.y + TILE - 1).min(shape.y1) {
            for x in tile.x.max(shape.x0)..=(tile.x + TILE - 1).min(shape.x1) {
                let Some([lower, upper]) = shape.depths(x, y) else { continue };
                let of_pixel = &mut layers[((y - tile.y) * TILE + x - tile.x) as usize];
                if tests {
                    for s in 0..MAX_SETS {
                        let near = of_pixel.near[usize::from(of_pixel.nearest[s] == neighbors[s])][s];
                        let far = of_pixel.far[usize::from(of_pixel.farthest[s] == neighbors[s])][s];
                        front[s] |= i32::from(near <= upper);
                        back[s] |= i32::from(lower <= far);
                    }
                }
                if renders {
                    of_pixel.add(primitive.set as usize, p, lower, upper);
                }
            }
        }
        if tests {
            // Sets that do not exist have no primitives, but their bounds may equal a depth.
            let bits =
                |hidden: [i32; MAX_SETS]| (0..n_sets).fold(0, |bits, s| bits | (hidden[s] as u32) << s);
            let at = 2 * (pass as usize - 1);
            add(&answers[p as usize][at], bits(front));
            add(&answers[p as usize][at + 1], bits(back));
        }
    }
}

impl Layers {
    #[inline(always)]
    fn add(&mut self, set: usize, p: u32, lower: i32, upper: i32) {
        if lower < self.near[0][set] {
            self.near[1][set] = self.near[0][set];
            self.near[0][set] = lower;
            self.nearest[set] = p;
        } else {
            self.near[1][set] = self.near[1][set].min(lower);
        }
        if self.far[0][set] < upper {
            self.far[1][set] = self.far[0][set];
            self.far[0][set] = upper;
            self.farthest[set] = p;
        } else {
            self.far[1][set] = self.far[1][set].max(upper);
        }
    }
}
