//! Spatial hashing: triangles that share a cell of a uniform grid (Teschner et al. 2003; methods
//! 2.3).
//!
//! The box swept by a triangle is entered into every cell it overlaps, and boxes are compared
//! within cells. The entries are sorted by cell instead of hashed, so there are no hash collisions,
//! and no table to size.
//!
//! Guarantee: complete. A cell number is `floor(x / h)`, a monotone function of x even when
//! rounded, so two boxes that overlap share the cell of the componentwise maximum of their lower
//! corners. That is also the one cell in which they are reported.

use super::MethodFacts;
use crate::bounds::{Projection, Reach, Slabs};
use crate::engine::{Culling, Stage};
use crate::options::Method;
use crate::scene::{Scene, Sinks, finish, work_off};
use crate::threads;

/// Maximum average number of entries per triangle (plus a constant): cells are enlarged until it
/// holds, so that a few large triangles among many small ones cannot exhaust memory.
const MAX_ENTRIES: usize = 8;

/// Number of cells that a worker takes at a time.
const JOB: usize = 64;

type Cell = [i32; 3];

/// A triangle of a body, and its box.
struct Item {
    body: usize,
    triangle: u32,
    bounds: Slabs<3>,
}

pub(super) const FACTS: MethodFacts = MethodFacts {
    name: "spatial-hash",
    line: "triangles that share a cell of a uniform grid",
    method: Method::SpatialHash,
    own_options: &[],
    has_volume: false,
    gains_from: None,
    is_baseline: false,
};

/// It has no options.
pub(super) struct SpatialHash;

impl Culling for SpatialHash {
    fn prepare(&self, stage: &mut Stage) {
        stage.place_all();
        stage.take_all_pairs();
    }

    fn stream(&self, stage: &mut Stage, sinks: &Sinks) {
        let scene = Scene::new(stage.parts.bodies, stage.parts.step);
        stream(&scene, &stage.pairs, stage.reach, sinks);
        finish(&scene, sinks);
    }
}

fn stream(scene: &Scene, pairs: &[[usize; 2]], reach: Reach, sinks: &Sinks) {
    let items = items(scene, reach);
    let size = cell_size(&items);
    let mut entries: Vec<(Cell, u32)> = Vec::new();
    for (i, item) in items.iter().enumerate() {
        for_each_cell(&item.bounds, size, |cell| entries.push((cell, i as u32)));
    }
    threads::sort_by_key(&mut entries, |&entry| entry);
    let mut allowed = vec![false; scene.bodies.len() * scene.bodies.len()];
    for &[i, j] in pairs {
        allowed[i * scene.bodies.len() + j] = true;
    }
    let cells: Vec<&[(Cell, u32)]> =
        entries.chunk_by(|a, b| a.0 == b.0).filter(|cell| 1 < cell.len()).collect();
    let jobs: Vec<&[&[(Cell, u32)]]> = cells.chunks(JOB).collect();
    work_off(
        scene,
        &jobs,
        sinks,
        || (),
        |blocks, (), cells| {
            for cell in cells.iter() {
                // Most pairs of a cell are no candidates, and never reach the sink.
                if blocks.sink.is_over() {
                    return;
                }
                let _ = cell.iter().enumerate().try_for_each(|(k, &(at, first))| {
                    let a = &items[first as usize];
                    cell[k + 1..].iter().try_for_each(|&(_, second)| {
                        // Items are ordered by body, and entries by item: a's body does not come
                        // after b's.
                        let b = &items[second as usize];
                        blocks.sink.stats().bounds_tests += 1;
                        let is_here =
                            || cell_of([0, 1, 2].map(|i| a.bounds.lo[i].max(b.bounds.lo[i])), size) == at;
                        if !allowed[a.body * scene.bodies.len() + b.body]
                            || !a.bounds.overlaps(&b.bounds)
                            || !is_here()
                        {
                            return std::ops::ControlFlow::Continue(());
                        }
                        blocks.begin([a.body, b.body]);
                        blocks.pair(a.triangle, b.triangle)
                    })
                });
            }
        },
    );
}

fn items(scene: &Scene, reach: Reach) -> Vec<Item> {
    let projection = Projection::<3>::new(reach);
    let of_body = |body: usize| {
        let (mesh, vertices) = (scene.bodies[body].model.mesh(), scene.bodies[body].vertices.clone());
        let lines = &scene.step.lines()[vertices];
        mesh.triangles().iter().enumerate().map(move |(t, corners)| {
            let bounds = projection.of_triangle(corners.map(|v| lines[v as usize].ends()));
            Item { body, triangle: t as u32, bounds }
        })
    };
    (0..scene.bodies.len()).flat_map(of_body).collect()
}

/// The size of a cell: the mean extent of the boxes, doubled until there are few enough entries.
///
/// If a box is infinite (a separation, or the widening for rounding, can push its sides beyond the
/// range of f32), no finite size is enough. The loop then ends with an infinite size: everything is
/// in cell 0, and all pairs are compared.
fn cell_size(items: &[Item]) -> f32 {
    let extent = |item: &Item| (0..3).map(|i| item.bounds.hi[i] - item.bounds.lo[i]).sum::<f32>() / 3.0;
    let mean = items.iter().map(extent).sum::<f32>() / items.len().max(1) as f32;
    // For empty or infinite extents, the loop finds the size.
    let mut size = if mean.is_finite() && f32::MIN_POSITIVE <= mean { mean } else { 1.0 };
    while size.is_finite() {
        let mut left = MAX_ENTRIES * items.len() + 64;
        let fits = items.iter().all(|item| {
            let cells = n_cells(&item.bounds, size);
            let fits = cells <= left as u64;
            left -= if fits { cells as usize } else { 0 };
            fits
        });
        if fits {
            break;
        }
        size *= 2.0;
    }
    size
}

/// Number of cells that a box overlaps.
fn n_cells(bounds: &Slabs<3>, size: f32) -> u64 {
    let (lo, hi) = (cell_of(bounds.lo, size), cell_of(bounds.hi, size));
    (0..3).map(|i| (i64::from(hi[i]) - i64::from(lo[i])).unsigned_abs() + 1).fold(1, u64::saturating_mul)
}

/// The cell of a point. Any monotone function of each coordinate would do, as boxes that share a
/// point then share its cell; this one makes cells of equal size. The cast saturates, which is
/// monotone too. With cells of infinite size the result is 0 for every point, even an infinite one,
/// as the cast turns NaN into 0.
fn cell_of(point: [f32; 3], size: f32) -> Cell {
    point.map(|x| (x / size).floor() as i32)
}

fn for_each_cell(bounds: &Slabs<3>, size: f32, mut visit: impl FnMut(Cell)) {
    let (lo, hi) = (cell_of(bounds.lo, size), cell_of(bounds.hi, size));
    for x in lo[0]..=hi[0] {
        for y in lo[1]..=hi[1] {
            for z in lo[2]..=hi[2] {
                visit([x, y, z]);
            }
        }
    }
}
