//! The deepest point of an enclosed surface, by branch and bound.
//!
//! The depth of a point changes by at most the distance moved, and where the surface is not
//! enclosed, minus the distance to the intersection takes its place. So with the value f at a
//! corner of a triangle, no point of it at the distance r from the corner is deeper than f + r.
//! Triangles are divided into four, those with the largest bound first, until no bound exceeds the
//! largest depth found by more than the tolerance.

use super::enclosed::{Enclosed, Field, Item};
use super::{Effort, SHALLOW, Spot, TOLERANCE};
use crate::math::orient::Point;
use crate::math::vector::{dot, minus};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// A part of the triangle of an item.
#[derive(Clone, Copy)]
struct Piece {
    /// No point of it is deeper.
    bound: f64,
    item: u32,
    /// The weights of its corners.
    weights: [[f64; 3]; 3],
    /// The depths of its corners, if they are known.
    depths: Option<[f64; 3]>,
}

impl PartialEq for Piece {
    fn eq(&self, other: &Piece) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Piece {}

impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Piece) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By bounds, then earlier items first.
impl Ord for Piece {
    fn cmp(&self, other: &Piece) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.item.cmp(&self.item))
    }
}

/// A search for the deepest point.
pub(super) struct Search<'f> {
    field: &'f Field<'f>,
    items: &'f [Item],
    effort: Effort,
    best: (f64, Option<Spot>),
}

impl<'f> Search<'f> {
    pub(super) fn new(field: &'f Field<'f>, enclosed: &Enclosed<'f>, effort: Effort) -> Search<'f> {
        Search { field, items: enclosed.items, effort, best: (0.0, None) }
    }

    /// The largest depth, and where it is.
    pub(super) fn run(mut self) -> (f64, Option<Spot>) {
        let mut heap = BinaryHeap::new();
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut of_vertices: HashMap<([u32; 4], u32), f64> = HashMap::new();
        for (i, item) in (0..).zip(self.items).filter(|(_, item)| !item.is_crossed) {
            let corners = self.field.corners(item.triangle);
            let target = self.field.target(item);
            let vertices = self.field.vertices(item.triangle);
            // What is so shallow cannot be near the deepest point.
            let reach = longest(&corners);
            let mut depths = [0.0; 3];
            for k in 0..3 {
                let known = of_vertices.get(&(target, vertices[k])).copied();
                depths[k] = known.unwrap_or_else(|| {
                    let enough = self.best.0 - reach;
                    let depth = self.field.depth(item, corners[k], f64::INFINITY, enough);
                    // A bound of a shallow vertex would do for the neighbors of this triangle only.
                    if enough < depth {
                        of_vertices.insert((target, vertices[k]), depth);
                    }
                    depth
                });
                self.take(depths[k], item, unit[k]);
            }
            heap.push(Piece {
                bound: bound(&corners, &depths),
                item: i,
                weights: unit,
                depths: Some(depths),
            });
        }
        for (i, item) in (0..).zip(self.items).filter(|(_, item)| item.is_crossed) {
            // What is enclosed of it is as near to an intersection as its longest side is long.
            let bound = longest(&self.field.corners(item.triangle));
            heap.push(Piece { bound, item: i, weights: unit, depths: None });
        }
        let floor = SHALLOW * self.field.size();
        let mut left: usize = match self.effort {
            // Without an enclosed vertex, crossed triangles are all there is.
            Effort::Quick if 0.0 < self.best.0 => 6,
            Effort::Quick => 24,
            Effort::Full => 1000,
        };
        while let Some(piece) = heap.pop() {
            if piece.bound <= (self.best.0 * (1.0 + TOLERANCE)).max(floor) || left == 0 {
                break;
            }
            let item = self.items[piece.item as usize];
            let Some(depths) = piece.depths else {
                left = left.saturating_sub(3);
                let depths = piece.weights.map(|weights| self.sample(&item, weights, f64::INFINITY));
                let corners = piece.weights.map(|weights| self.point(&item, weights));
                heap.push(Piece { bound: bound(&corners, &depths), depths: Some(depths), ..piece });
                continue;
            };
            left = left.saturating_sub(3);
            let [a, b, c] = piece.weights;
            let middles = [middle(a, b), middle(b, c), middle(c, a)];
            let of_middles = middles.map(|weights| self.sample(&item, weights, piece.bound));
            let [ab, bc, ca] = middles;
            let [fa, fb, fc] = depths;
            let [fab, fbc, fca] = of_middles;
            let children = [
                ([a, ab, ca], [fa, fab, fca]),
                ([ab, b, bc], [fab, fb, fbc]),
                ([ca, bc, c], [fca, fbc, fc]),
                ([ab, bc, ca], [fab, fbc, fca]),
            ];
            for (weights, depths) in children {
                let corners = weights.map(|weights| self.point(&item, weights));
                heap.push(Piece {
                    bound: bound(&corners, &depths),
                    item: piece.item,
                    weights,
                    depths: Some(depths),
                });
            }
        }
        self.best
    }

    /// The point of an item with these weights.
    fn point(&self, item: &Item, weights: [f64; 3]) -> Point {
        self.field.point(Spot { triangle: item.triangle, weights })
    }

    /// The depth of a point of an item, which is at most `within` if the point is enclosed.
    fn sample(&mut self, item: &Item, weights: [f64; 3], within: f64) -> f64 {
        let point = self.point(item, weights);
        let depth = match item.is_crossed {
            true => self.field.signed_depth(item, weights, point),
            false => self.field.depth(item, point, within, 0.0),
        };
        self.take(depth, item, weights);
        depth
    }

    /// Keeps the deepest point.
    fn take(&mut self, depth: f64, item: &Item, weights: [f64; 3]) {
        if self.best.0 < depth {
            self.best = (depth, Some(Spot { triangle: item.triangle, weights }));
        }
    }
}

/// No point of a triangle is deeper, given the depths of its corners: every point of it is within
/// its longest side over √3 of some corner, and within the sides at a corner of that corner.
fn bound(corners: &[Point; 3], depths: &[f64; 3]) -> f64 {
    let [a, b, c] = *corners;
    let length = |p: Point, q: Point| dot(minus(p, q), minus(p, q)).sqrt();
    let [ab, bc, ca] = [length(a, b), length(b, c), length(c, a)];
    let [fa, fb, fc] = *depths;
    let near = fa.max(fb).max(fc) + ab.max(bc).max(ca) / 3f64.sqrt();
    [near, fa + ab.max(ca), fb + ab.max(bc), fc + bc.max(ca)].into_iter().fold(f64::INFINITY, f64::min)
}

/// The length of the longest side.
fn longest(corners: &[Point; 3]) -> f64 {
    let [a, b, c] = *corners;
    [minus(a, b), minus(b, c), minus(c, a)].into_iter().map(|side| dot(side, side)).fold(0.0, f64::max).sqrt()
}

fn middle(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| 0.5 * (a[i] + b[i]))
}
