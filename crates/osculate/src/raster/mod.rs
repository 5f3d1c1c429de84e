//! The 2.5-D overlap test (paper 001, section 5.2): is a primitive in front of, or behind, all
//! primitives of a set, as seen along an axis?
//!
//! An image is divided into pixels, and a primitive is bounded in each pixel by a range of depths,
//! its [`Footprint`]. All numbers are integers, and rounded such that a pixel that a primitive
//! touches is covered, and its depths there are in the range. So two primitives with a common point
//! overlap in the pixel of that point, and neither is found in front of or behind the other: an
//! overlap is never missed, at any resolution. Integers also make every [`Raster`] give the same
//! answer, bit for bit, on any processor.

mod cpu;
mod sets;
mod tiles;
mod view;

pub use cpu::CpuRaster;
pub(crate) use sets::{Group, Shapes, prune};
pub(crate) use view::View;

use std::fmt;

/// Marks a missing neighbor.
pub const NONE: u32 = u32::MAX;

/// The largest number of sets in a frame: one bit of a word each.
pub const MAX_SETS: usize = 32;

/// The width and height of a tile, in pixels.
pub const TILE: i32 = 8;

/// Bounds of a primitive in the pixels of an image. With `dx = x - x0` and `dy = y - y0`, pixel
/// `(x, y)` of the rectangle `x0 <= x <= x1`, `y0 <= y <= y1` is covered if
/// `a dx + b dy + c >= 0` for each of the three edges `[a, b, c]` and if `lower <= upper`, where
///
/// ```text
/// lower = max(z_min, gx dx + gy dy + c_min)
/// upper = min(z_max, gx dx + gy dy + c_max)
/// ```
///
/// No expression exceeds the range of `i32` at any pixel of the rectangle, no coordinate is
/// negative, and depths are strictly between `i32::MIN` and `i32::MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Footprint {
    /// The first column.
    pub x0: i32,
    /// The last column.
    pub x1: i32,
    /// The first row.
    pub y0: i32,
    /// The last row.
    pub y1: i32,
    /// Three half-planes that contain the covered pixels.
    pub edges: [[i32; 3]; 3],
    /// The change of depth from a column to the next.
    pub gx: i32,
    /// The change of depth from a row to the next.
    pub gy: i32,
    /// The lower depth at the first column and row.
    pub c_min: i32,
    /// The upper depth at the first column and row.
    pub c_max: i32,
    /// The least depth.
    pub z_min: i32,
    /// The greatest depth.
    pub z_max: i32,
}

impl Footprint {
    /// The lower and the upper depth in a pixel of the rectangle, if it is covered.
    #[inline(always)]
    #[must_use]
    pub fn depths(&self, x: i32, y: i32) -> Option<[i32; 2]> {
        let (dx, dy) = (x - self.x0, y - self.y0);
        let plane = self.gx * dx + self.gy * dy;
        let lower = self.z_min.max(plane + self.c_min);
        let upper = self.z_max.min(plane + self.c_max);
        let is_inside = self.edges.iter().all(|&[a, b, c]| 0 <= a * dx + b * dy + c);
        (is_inside && lower <= upper).then_some([lower, upper])
    }
}

/// A primitive of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Primitive {
    /// The bounds.
    pub footprint: Footprint,
    /// The set that it belongs to.
    pub set: u32,
    /// In which passes others are compared with it: bit 0 for the first, bit 1 for the second.
    pub renders: u32,
    /// In which passes it is compared with others: bit 0 for the first, bit 1 for the second.
    pub tests: u32,
}

/// A tile of the image: the pixels from `(x, y)` on, [`TILE`] in each direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Tile {
    /// The first column.
    pub x: i32,
    /// The first row.
    pub y: i32,
    /// Its primitives are those of [`Frame::lists`] from here on.
    pub first: u32,
    /// The number of its primitives.
    pub len: u32,
}

/// Primitives seen along an axis.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The number of sets, at most [`MAX_SETS`].
    pub n_sets: usize,
    /// The primitives, by their rank.
    pub primitives: &'a [Primitive],
    /// For each primitive and each set, `n_sets` of them in a row: the only primitive of the set
    /// that is adjacent to it, or [`NONE`]; for its own set, itself. If p is the neighbor of q,
    /// then q is that of p.
    pub neighbors: &'a [u32],
    /// The tiles.
    pub tiles: &'a [Tile],
    /// The primitives of each tile, ascending: at least those that cover one of its pixels.
    pub lists: &'a [u32],
}

/// The answer for a primitive: sets that it may overlap. Bit s of a word belongs to set s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Hidden {
    /// First pass: sets with a primitive of higher rank that does not lie behind this one.
    pub first_front: u32,
    /// First pass: sets with a primitive of higher rank that does not lie in front of this one.
    pub first_back: u32,
    /// Second pass: the same for primitives of lower rank.
    pub second_front: u32,
    /// Second pass: the same for primitives of lower rank.
    pub second_back: u32,
}

/// Compares the primitives of a frame.
///
/// The first pass compares every primitive p with those of higher rank, the second with those of
/// lower rank. A set s is in `front` of the answer for p if p takes part in the tests of the pass,
/// and there are a primitive q of set s that is rendered in the pass and is not the neighbor of p
/// in s, and a pixel that both cover in which `lower(q) <= upper(p)`. It is in `back` if there is
/// one with `lower(p) <= upper(q)`.
pub trait Raster: Send {
    /// Returns the answers for all primitives, in their order.
    ///
    /// If it fails, nothing is lost: the library repeats the work by itself, and does not call this
    /// rasterizer again.
    fn hidden(&mut self, frame: &Frame) -> Result<Vec<Hidden>, RasterFault>;
}

/// Why a rasterizer cannot go on: a device that is lost, or has too little memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RasterFault(pub String);

impl fmt::Display for RasterFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RasterFault {}

/// Compares all pairs of primitives in all pixels: the referee of rasterizers.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllPairs;

impl Raster for AllPairs {
    fn hidden(&mut self, frame: &Frame) -> Result<Vec<Hidden>, RasterFault> {
        let primitives = frame.primitives;
        let mut answers = vec![Hidden::default(); primitives.len()];
        for (p, of_p) in primitives.iter().enumerate() {
            for (q, of_q) in primitives.iter().enumerate() {
                let pass = if p < q { 1 } else { 2 };
                let is_neighbor = frame.neighbors[p * frame.n_sets + of_q.set as usize] == q as u32;
                if p == q || is_neighbor || of_p.tests & of_q.renders & pass == 0 {
                    continue;
                }
                let (a, b) = (&of_p.footprint, &of_q.footprint);
                for y in a.y0.max(b.y0)..=a.y1.min(b.y1) {
                    for x in a.x0.max(b.x0)..=a.x1.min(b.x1) {
                        let Some(([p_min, p_max], [q_min, q_max])) = a.depths(x, y).zip(b.depths(x, y))
                        else {
                            continue;
                        };
                        let (front, back) = (u32::from(q_min <= p_max), u32::from(p_min <= q_max));
                        let answer = &mut answers[p];
                        let [of_front, of_back] = if pass == 1 {
                            [&mut answer.first_front, &mut answer.first_back]
                        } else {
                            [&mut answer.second_front, &mut answer.second_back]
                        };
                        *of_front |= front << of_q.set;
                        *of_back |= back << of_q.set;
                    }
                }
            }
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests;
