//! The deepest point of an enclosed surface, by branch and bound.
//!
//! Triangles are divided into four until their bounds are tight. Three things bound the depth in a
//! piece of a triangle. The depth changes by at most the distance moved, and where the surface is
//! not enclosed, minus the distance to the intersection takes its place; so with the value f at a
//! corner, no point at the distance r from it is deeper than f + r. The distance to the surface is
//! at most that to one of its triangles, which is convex, so that it is largest at a corner of the
//! piece: near the deepest point, this bound is as good as the square of the size of the piece. The
//! same holds for one of the intersections of a crossed triangle.
//!
//! Whether a piece is divided depends on nothing but the piece. So the depth is the maximum over a
//! set of points that does not depend on the order of the search, and leaving out pieces that
//! cannot be deeper than what is known does not change it.

use super::enclosed::{Enclosed, Field, Item};
use super::outside::is_outside;
use super::{SHALLOW, Spot, TOLERANCE};
use crate::hash::OfNumbers;
use crate::math::orient::Point;
use crate::math::vector::{dot, minus};
use crate::segment::closest_on_segment;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// Bounds are larger by this part, and by this part of the size of the surface, which is more than
/// the rounding of distances. Larger values take more samples.
pub(super) const ROUNDING: f64 = 1e-9;

/// Number of closest triangles that are kept for bounds of other triangles. With more, bounds take
/// longer; with fewer, more closest triangles are searched for.
pub(super) const EXITS: usize = 4;

/// The corners of a triangle, as weights.
const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The quarters of a triangle, by numbers of its corners a, b and c, then of the middles of ab, bc
/// and ca.
const QUARTERS: [[usize; 3]; 4] = [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]];

/// A point of an item.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// Its depth; if it is not enclosed, minus its distance to the intersections of its triangle.
    /// If it is open which of the two, its depth as if it were enclosed, which is not less.
    pub(super) depth: f64,
    pub(super) is_open: bool,
    /// The closest triangle of the surface that its item has passed through.
    pub(super) exit: Option<u32>,
}

/// A part of the triangle of an item.
#[derive(Clone, Copy)]
struct Piece {
    /// No point of it is deeper.
    bound: f64,
    item: u32,
    /// The weights of its corners.
    weights: [[f64; 3]; 3],
    /// Its corners, if they were sampled.
    samples: Option<[Sample; 3]>,
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

/// By bounds, then earlier items first, then by weights.
impl Ord for Piece {
    fn cmp(&self, other: &Piece) -> Ordering {
        let weights = |piece: &Piece| piece.weights.map(|weights| weights.map(f64::to_bits));
        let by_bound = self.bound.total_cmp(&other.bound).then(other.item.cmp(&self.item));
        by_bound.then_with(|| weights(self).cmp(&weights(other)))
    }
}

/// What an item has passed through (see [`Field::target`]), and a vertex.
type OfVertex = ([u32; 4], u32);

/// A search for the deepest point.
pub(super) struct Search<'f> {
    field: &'f Field<'f>,
    items: &'f [Item],
    heap: BinaryHeap<Piece>,
    /// Vertices of crossed triangles by what these have passed through: their depths as if they
    /// were enclosed, and whether they are, if that is the same for all triangles.
    of_crossed: HashMap<OfVertex, (Sample, Option<bool>), OfNumbers>,
    /// For items that have passed through the same surface, triangles of it that were the closest
    /// ones of points before.
    exits: HashMap<[u32; 4], [u32; EXITS], OfNumbers>,
    /// What is known from elsewhere; it counts once a point has been found.
    above: f64,
    /// The largest depth that is known, and where it is, if it was found in this search.
    best: (f64, Option<Spot>),
}

impl<'f> Search<'f> {
    /// A search for the deepest point, if it is deeper than `above`; otherwise, for any that is
    /// deeper than `least`, which is not more.
    pub(super) fn new(field: &'f Field<'f>, enclosed: &Enclosed<'f>, [least, above]: [f64; 2]) -> Search<'f> {
        Search {
            field,
            items: enclosed.items,
            heap: BinaryHeap::new(),
            of_crossed: HashMap::default(),
            exits: HashMap::default(),
            above,
            best: (least.min(above).max(0.0), None),
        }
    }

    /// The largest depth and where it is, if it is larger than `above`. Otherwise those of a point
    /// deeper than `least`, if there is one.
    pub(super) fn run(mut self) -> Option<(f64, Spot)> {
        self.enclosed();
        for (i, item) in (0..).zip(self.items).filter(|(_, item)| item.is_crossed) {
            // What is enclosed of it is near its intersections.
            let corners = self.field.corners(item.triangle);
            let bound = self.raised(self.to_intersections(item, &corners).min(longest(&corners)));
            if self.matters(bound) {
                self.heap.push(Piece { bound, item: i, weights: UNIT, samples: None });
            }
        }
        while let Some(Piece { bound, item: i, weights, samples }) = self.heap.pop() {
            if bound <= self.known() {
                break;
            }
            let item = self.items[i as usize];
            let Some([fa, fb, fc]) = samples else {
                let corners = self.field.corners(item.triangle);
                let (within, bound) = self.to_known_exits(&item, &corners);
                if self.matters(self.raised(bound)) {
                    let samples = [0, 1, 2].map(|k| self.corner(&item, k, within[k]));
                    self.push(i, weights, samples);
                }
                continue;
            };
            self.divide(i, weights, [fa, fb, fc]);
        }
        let (depth, spot) = self.best;
        spot.map(|spot| (depth, spot))
    }

    /// Samples the vertices of enclosed triangles, those far from the crossings first.
    fn enclosed(&mut self) {
        let mut of_vertices: HashMap<([u32; 4], u32), Sample, OfNumbers> = HashMap::default();
        let items = self.items;
        'items: for (i, item) in items.iter().enumerate().rev().filter(|(_, item)| !item.is_crossed) {
            let corners = self.field.corners(item.triangle);
            let target = self.field.target(item);
            let (within, bound) = self.to_known_exits(item, &corners);
            if self.raised(bound) <= self.known() {
                continue;
            }
            let vertices = self.field.vertices(item.triangle);
            // What is so shallow cannot be near a deeper point.
            let enough = self.known() - self.raised(longest(&corners));
            let mut samples = [Sample { depth: 0.0, is_open: false, exit: None }; 3];
            for k in 0..3 {
                let key = (target, vertices[k]);
                samples[k] = match of_vertices.get(&key) {
                    Some(&known) => known,
                    None if within[k] <= enough => continue 'items,
                    None => self.field.depth(item, corners[k], within[k], enough),
                };
                if samples[k].depth <= enough {
                    continue 'items;
                }
                of_vertices.insert(key, samples[k]);
                self.keep_exit(target, samples[k].exit);
                self.take(&mut samples[k], item, UNIT[k]);
            }
            self.push(i as u32, UNIT, samples);
        }
    }

    /// Divides a piece into four. Of those that are no deeper than what is known, by the exits of
    /// the corners of the whole, nothing is sampled: the closest triangle takes longer to find than
    /// all of these bounds.
    fn divide(&mut self, i: u32, weights: [[f64; 3]; 3], samples: [Sample; 3]) {
        let item = self.items[i as usize];
        let [a, b, c] = weights;
        let all = [a, b, c, middle(a, b), middle(b, c), middle(c, a)];
        let points = all.map(|weights| self.point(&item, weights));
        let (exits, n) = distinct_exits(&samples);
        let away = self.field.distances(&item, &exits[..n], &points);
        // No sample is deeper. Within one component, points are decided beside them, and cross what
        // is no way out, so other bounds than those by exits are not good enough to skip samples.
        let within = [0, 1, 2, 3, 4, 5].map(|k| {
            let to_exits = away[..n].iter().map(|away| away[k]).fold(f64::INFINITY, f64::min);
            if k < 3 { samples[k].depth } else { to_exits }
        });
        let is_needed = QUARTERS.map(|quarter| {
            let to_exits = away.map(|away| quarter.map(|k| away[k]));
            let mut bound = to_all(&to_exits[..n]);
            if self.known() < self.raised(bound) && self.field.is_of_another(&item) {
                let corners = quarter.map(|k| points[k]);
                bound = bound.min(by_motion(&corners, quarter.map(|k| within[k])));
                if item.is_crossed {
                    bound = bound.min(self.to_intersections(&item, &corners));
                }
            }
            self.known() < self.raised(bound)
        });
        let [sa, sb, sc] = samples;
        let open = Sample { depth: 0.0, is_open: false, exit: None };
        let mut samples = [sa, sb, sc, open, open, open];
        for k in 3..6 {
            if (0..4).any(|j| is_needed[j] && QUARTERS[j].contains(&k)) {
                samples[k] = self.sample(&item, all[k], points[k], within[k]);
            }
        }
        for (quarter, _) in QUARTERS.into_iter().zip(is_needed).filter(|(_, is_needed)| *is_needed) {
            let decided = self.push(i, quarter.map(|k| all[k]), quarter.map(|k| samples[k]));
            for (k, sample) in quarter.into_iter().zip(decided) {
                samples[k] = sample;
            }
        }
    }

    /// Keeps a piece if it may be deeper than what is known, and is not known well enough. Returns
    /// its corners: what was open of them is decided if that matters.
    fn push(&mut self, i: u32, weights: [[f64; 3]; 3], mut samples: [Sample; 3]) -> [Sample; 3] {
        let item = self.items[i as usize];
        let corners = weights.map(|weights| self.point(&item, weights));
        let mut bound = self.raised(by_motion(&corners, samples.map(|sample| sample.depth)));
        if item.is_crossed {
            bound = bound.min(self.raised(self.to_intersections(&item, &corners)));
        }
        let deepest = |samples: &[Sample; 3]| {
            let decided = samples.iter().filter(|sample| !sample.is_open);
            decided.map(|sample| sample.depth).fold(0.0, f64::max)
        };
        let so_far = deepest(&samples);
        let is_small = longest(&corners) <= SHALLOW * self.field.size();
        let is_done = |bound| bound <= so_far * (1.0 + TOLERANCE) || !self.matters(bound);
        if is_small || is_done(bound) {
            return samples;
        }
        let (exits, n) = distinct_exits(&samples);
        let away = self.field.distances(&item, &exits[..n], &corners);
        bound = bound.min(self.raised(to_all(&away[..n])));
        if is_done(bound) {
            return samples;
        }
        if samples.iter().any(|sample| sample.is_open) {
            for (sample, weights) in samples.iter_mut().zip(weights) {
                self.decide(&item, weights, sample);
            }
            bound = bound.min(self.raised(by_motion(&corners, samples.map(|sample| sample.depth))));
        }
        let is_deep = deepest(&samples) * (1.0 + TOLERANCE) < bound && self.matters(bound);
        if is_deep && !(item.is_crossed && is_outside(self.field, &item, &corners, &samples)) {
            self.heap.push(Piece { bound, item: i, weights, samples: Some(samples) });
        }
        samples
    }

    /// Decides whether a point is enclosed, if that is open. A vertex is that for all triangles at
    /// it, but not on both sides of its own surface.
    fn decide(&mut self, item: &Item, weights: [f64; 3], sample: &mut Sample) {
        if !std::mem::take(&mut sample.is_open) {
            return;
        }
        let point = self.point(item, weights);
        let corner = UNIT.iter().position(|corner| *corner == weights);
        let common = corner.filter(|_| self.field.is_of_another(item)).and_then(|k| {
            let vertex = self.field.vertices(item.triangle)[k];
            self.of_crossed.get_mut(&(self.field.target(item), vertex))
        });
        let is_enclosed = match common {
            Some((_, known)) => *known.get_or_insert_with(|| self.field.is_enclosed_at(item, weights, point)),
            None => self.field.is_enclosed_at(item, weights, point),
        };
        if !is_enclosed {
            sample.depth = -self.field.to_intersection(item, point);
        }
    }

    /// Distances of the corners of an item from triangles of the surface that it has passed
    /// through: for each corner, the least one; and a bound of the depth in all of it.
    fn to_known_exits(&self, item: &Item, corners: &[Point; 3]) -> ([f64; 3], f64) {
        let (mut least, mut bound) = ([f64::INFINITY; 3], f64::INFINITY);
        let Some(exits) = self.exits.get(&self.field.target(item)) else { return (least, bound) };
        let n = exits.iter().take_while(|&&exit| exit != u32::MAX).count();
        for away in self.field.distances(item, &exits[..n], corners).into_iter().take(n) {
            least = [0, 1, 2].map(|k| least[k].min(away[k]));
            bound = bound.min(largest(away));
        }
        (least, bound)
    }

    /// Keeps a closest triangle, in place of the oldest one.
    fn keep_exit(&mut self, target: [u32; 4], exit: Option<u32>) {
        let Some(exit) = exit else { return };
        let exits = self.exits.entry(target).or_insert([u32::MAX; EXITS]);
        if !exits.contains(&exit) {
            exits.rotate_right(1);
            exits[0] = exit;
        }
    }

    /// Nothing needs to be found that is not deeper.
    fn known(&self) -> f64 {
        if self.best.1.is_some() { self.best.0.max(self.above) } else { self.best.0 }
    }

    /// Whether a piece with this bound may be deeper than what is known, and is searched.
    fn matters(&self, bound: f64) -> bool {
        self.known() < bound && SHALLOW * self.field.size() < bound
    }

    /// A bound with rounding.
    fn raised(&self, bound: f64) -> f64 {
        bound * (1.0 + ROUNDING) + ROUNDING * self.field.size()
    }

    /// The least distance of an intersection of a crossed triangle within which all corners of a
    /// piece of it are.
    fn to_intersections(&self, item: &Item, corners: &[Point; 3]) -> f64 {
        let to_segment = |[from, to]: &[Point; 2]| {
            let away = corners.map(|corner| minus(closest_on_segment(&corner, from, to), corner));
            away.into_iter().map(|away| dot(away, away)).fold(0.0, f64::max)
        };
        let all = self.field.intersections(item).iter().map(to_segment);
        all.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// The point of an item with these weights.
    fn point(&self, item: &Item, weights: [f64; 3]) -> Point {
        self.field.point(Spot { triangle: item.triangle, weights })
    }

    /// A corner of a crossed triangle, which is known to be at most `within` deep.
    fn corner(&mut self, item: &Item, k: usize, within: f64) -> Sample {
        let target = self.field.target(item);
        let key = (target, self.field.vertices(item.triangle)[k]);
        let mut sample = match self.of_crossed.get(&key) {
            Some(&(known, _)) => known,
            None => {
                let found = self.field.depth(item, self.point(item, UNIT[k]), within, 0.0);
                let sample = Sample { is_open: true, ..found };
                self.keep_exit(target, sample.exit);
                self.of_crossed.insert(key, (sample, None));
                sample
            }
        };
        self.take(&mut sample, item, UNIT[k]);
        sample
    }

    /// A point of an item, which is known to be at most `within` deep.
    fn sample(&mut self, item: &Item, weights: [f64; 3], point: Point, within: f64) -> Sample {
        let found = self.field.depth(item, point, within, 0.0);
        let mut sample = Sample { is_open: item.is_crossed, ..found };
        self.take(&mut sample, item, weights);
        sample
    }

    /// Keeps the deepest point; whether it is enclosed is decided only if it may be that.
    fn take(&mut self, sample: &mut Sample, item: &Item, weights: [f64; 3]) {
        if self.known() < sample.depth {
            self.decide(item, weights, sample);
        }
        if !sample.is_open && self.best.0 < sample.depth {
            self.best = (sample.depth, Some(Spot { triangle: item.triangle, weights }));
        }
    }
}

/// No point of a triangle is deeper, given its corners and their depths, or more: every point of it
/// is within its longest side over √3 of some corner, and within the sides at a corner of that
/// corner.
fn by_motion(corners: &[Point; 3], [fa, fb, fc]: [f64; 3]) -> f64 {
    let [a, b, c] = *corners;
    let length = |p: Point, q: Point| dot(minus(p, q), minus(p, q)).sqrt();
    let [ab, bc, ca] = [length(a, b), length(b, c), length(c, a)];
    let near = fa.max(fb).max(fc) + ab.max(bc).max(ca) / 3f64.sqrt();
    [near, fa + ab.max(ca), fb + ab.max(bc), fc + bc.max(ca)].into_iter().fold(f64::INFINITY, f64::min)
}

/// The different exits of three samples, and their number.
fn distinct_exits(samples: &[Sample; 3]) -> ([u32; 3], usize) {
    let (mut exits, mut n) = ([0; 3], 0);
    for exit in samples.iter().filter_map(|sample| sample.exit) {
        if !exits[..n].contains(&exit) {
            exits[n] = exit;
            n += 1;
        }
    }
    (exits, n)
}

/// No point of a piece is farther from the nearest of some triangles, given the distances of its
/// corners from each.
fn to_all(away: &[[f64; 3]]) -> f64 {
    let mut bound = f64::INFINITY;
    for (k, one) in away.iter().enumerate() {
        let mixed = away[..k].iter().map(|other| of_mixtures(one, other));
        bound = bound.min(mixed.fold(largest(*one), f64::min));
    }
    bound
}

/// The least bound of mixtures of two convex functions, given their values at the corners of a
/// piece: the smaller of the two is at most (1 - λ) f + λ g for every λ from 0 to 1. It is good
/// where points of the piece are as far from one triangle as from another.
fn of_mixtures(f: &[f64; 3], g: &[f64; 3]) -> f64 {
    let at = |part: f64| largest([0, 1, 2].map(|j| (1.0 - part) * f[j] + part * g[j]));
    let mut least = f64::INFINITY;
    // The largest of three lines over λ is least at an end, or where two of them meet.
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let part = (f[i] - f[j]) / ((f[i] - f[j]) - (g[i] - g[j]));
        if 0.0 < part && part < 1.0 {
            least = least.min(at(part));
        }
    }
    least
}

fn largest(values: [f64; 3]) -> f64 {
    values.into_iter().fold(0.0, f64::max)
}

/// The length of the longest side.
fn longest(corners: &[Point; 3]) -> f64 {
    let [a, b, c] = *corners;
    [minus(a, b), minus(b, c), minus(c, a)].into_iter().map(|side| dot(side, side)).fold(0.0, f64::max).sqrt()
}

fn middle(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| 0.5 * (a[i] + b[i]))
}
