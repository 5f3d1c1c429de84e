//! Two halves of a set of faces: cut at a value of a field, made connected, and smoothed.

use super::{Face, NONE, Pieces, fields, neighbors};

/// Each half gets at least one in this number of the faces when a field is cut. Cuts nearer to the
/// middle make contours longer: on the cloth step 3.1 sqrt(m) edges with a share of 0.45, 2.9 with
/// 0.2 and hardly less with 0.15.
const SHARE: usize = 5;

/// Which faces are in the second half.
#[derive(Default)]
pub(super) struct Halves {
    second: Vec<bool>,
    pub(super) n_second: usize,
    /// Sides of faces whose neighbor is in the other half.
    pub(super) n_cut: usize,
    keys: Vec<u64>,
}

impl Halves {
    #[inline(always)]
    pub(super) fn is_second(&self, face: u32) -> bool {
        self.second[face as usize]
    }

    /// Number of faces of the smaller half.
    pub(super) fn smaller(&self) -> usize {
        self.n_second.min(self.second.len() - self.n_second)
    }

    /// The length of the cut relative to the product of the sizes: small for short contours and
    /// equal halves.
    fn cost(&self) -> f64 {
        cost(self.n_cut, self.n_second, self.second.len())
    }

    /// Takes the other halves if they cost less.
    pub(super) fn keep_better(&mut self, other: &mut Halves) {
        if other.cost() < self.cost() {
            std::mem::swap(self, other);
        }
    }

    /// Cuts the faces at the value of the field that costs least, among those that leave each half
    /// its share.
    pub(super) fn divide(&mut self, faces: &[Face], field: &fields::Scratch) {
        let n = faces.len();
        self.keys.clear();
        self.keys.extend(field.values.iter().zip(0u64..).map(|(&x, i)| u64::from(ordered(x)) << 32 | i));
        let lo = (n / SHARE).max(1);
        let hi = n - lo;
        self.keys.select_nth_unstable(lo);
        self.keys[lo..].select_nth_unstable(hi - lo);
        self.keys[lo..hi].sort_unstable();

        self.second.clear();
        self.second.resize(n, true);
        self.keys[..lo].iter().for_each(|&key| self.second[key as u32 as usize] = false);
        let mut n_cut = self.count_cut(faces);
        let mut best = (cost(n_cut, lo, n), lo, n_cut);
        for i in lo..hi {
            let face = self.keys[i] as u32;
            self.second[face as usize] = false;
            for other in neighbors(faces, face) {
                if self.second[other as usize] {
                    n_cut += 2;
                } else {
                    n_cut = n_cut.saturating_sub(2);
                }
            }
            let cost = cost(n_cut, i + 1, n);
            if cost < best.0 || cost == best.0 && (i + 1).abs_diff(n / 2) < best.1.abs_diff(n / 2) {
                best = (cost, i + 1, n_cut);
            }
        }
        self.keys[best.1..hi].iter().for_each(|&key| self.second[key as u32 as usize] = true);
        self.n_second = n - best.1;
        self.n_cut = best.2;
    }

    fn count_cut(&self, faces: &[Face]) -> usize {
        let is_cut = |face: u32| {
            neighbors(faces, face).filter(|&other| self.is_second(other) != self.is_second(face)).count()
        };
        (0..faces.len() as u32).map(is_cut).sum()
    }

    /// Moves all but the largest piece of each half to the other, after which both are connected if
    /// the set is. Returns whether there was nothing to move.
    pub(super) fn connect(&mut self, faces: &[Face], pieces: &mut Pieces) -> bool {
        pieces.find(faces, |a, b| self.is_second(a) == self.is_second(b));
        if pieces.len() == 2 {
            return true;
        }
        // A small piece has no neighbors in its own half, so in the end all its neighbors are in
        // the largest piece of the other half.
        for half in [false, true] {
            if half {
                pieces.find(faces, |a, b| self.is_second(a) == self.is_second(b));
            }
            let mut largest = NONE;
            for (face, &piece) in pieces.of_face.iter().enumerate() {
                let is_larger = |than: u32| pieces.sizes[than as usize] < pieces.sizes[piece as usize];
                if self.second[face] == half && (largest == NONE || is_larger(largest)) {
                    largest = piece;
                }
            }
            for (second, &piece) in self.second.iter_mut().zip(&pieces.of_face) {
                *second ^= *second == half && piece != largest;
            }
        }
        self.n_second = self.second.iter().filter(|&&second| second).count();
        self.n_cut = self.count_cut(faces);
        false
    }

    /// Cuts off the branch of a spanning tree that has nearest to half of the faces of a connected
    /// set. Both halves are connected. A face has at most three branches below it, so the smaller
    /// half has at least a quarter of the faces, up to rounding.
    pub(super) fn cut_tree(&mut self, faces: &[Face], scratch: &mut fields::Scratch) {
        scratch.sweep(faces, 0);
        let n = faces.len();
        let fields::Scratch { queue, steps, .. } = scratch;
        let mut parents = vec![NONE; n];
        for &face in queue.iter() {
            for other in neighbors(faces, face) {
                if steps[other as usize] == steps[face as usize] + 1 && parents[other as usize] == NONE {
                    parents[other as usize] = face;
                }
            }
        }
        let mut sizes = vec![1usize; n];
        for &face in queue[1..].iter().rev() {
            sizes[parents[face as usize] as usize] += sizes[face as usize];
        }
        let branch = queue[1..].iter().copied().min_by_key(|&face| (2 * sizes[face as usize]).abs_diff(n));
        let branch = branch.expect("two faces or more");
        self.second.clear();
        self.second.resize(n, false);
        self.second[branch as usize] = true;
        for &face in &queue[1..] {
            self.second[face as usize] |= self.second[parents[face as usize] as usize];
        }
        self.n_second = sizes[branch as usize];
        self.n_cut = self.count_cut(faces);
    }

    /// Moves faces with two neighbors in the other half and at most one in their own: the contour
    /// becomes shorter and both halves stay connected.
    pub(super) fn shorten(&mut self, faces: &[Face]) {
        let n = faces.len();
        for _ in 0..2 {
            let mut n_moved = 0;
            for face in 0..n as u32 {
                let is_second = self.is_second(face);
                let mut n_other = 0;
                let mut n_own = 0;
                let mut is_manifold = true;
                for (k, side) in faces[face as usize].next.into_iter().enumerate() {
                    if side / 3 == face {
                        continue;
                    }
                    is_manifold &= faces[side as usize / 3].next[side as usize % 3] == 3 * face + k as u32;
                    if self.is_second(side / 3) == is_second {
                        n_own += 1;
                    } else {
                        n_other += 1;
                    }
                }
                let left = if is_second { self.n_second } else { n - self.n_second };
                if is_manifold && n_own <= 1 && 2 <= n_other && 1 < left && n / SHARE < left {
                    self.second[face as usize] = !is_second;
                    self.n_second = if is_second { self.n_second - 1 } else { self.n_second + 1 };
                    n_moved += 1;
                }
            }
            if n_moved == 0 {
                break;
            }
        }
    }

    /// Splits a set of several pieces between pieces: at about half of the faces, in the order of
    /// the centers of the pieces along their longest extent.
    pub(super) fn group(&mut self, faces: &[Face], pieces: &Pieces) {
        let mut centers = vec![[0f64; 3]; pieces.len()];
        for (face, &piece) in faces.iter().zip(&pieces.of_face) {
            let size = f64::from(pieces.sizes[piece as usize]);
            let center = &mut centers[piece as usize];
            center.iter_mut().zip(face.center).for_each(|(sum, x)| *sum += f64::from(x) / size);
        }
        let extent = |axis: usize| {
            let of = |f: fn(f64, f64) -> f64, from| centers.iter().map(|c| c[axis]).fold(from, f);
            of(f64::max, f64::NEG_INFINITY) - of(f64::min, f64::INFINITY)
        };
        let axis = (1..3).fold(0, |best, i| if extent(best) < extent(i) { i } else { best });
        let mut order: Vec<u32> = (0..pieces.len() as u32).collect();
        order.sort_by(|&a, &b| centers[a as usize][axis].total_cmp(&centers[b as usize][axis]));

        let n = faces.len();
        let mut best = (n, 0);
        let mut n_first = 0;
        for (i, &piece) in order[..order.len() - 1].iter().enumerate() {
            n_first += pieces.sizes[piece as usize] as usize;
            best = best.min(((2 * n_first).abs_diff(n), i + 1));
        }
        let mut is_second = vec![false; pieces.len()];
        order[best.1..].iter().for_each(|&piece| is_second[piece as usize] = true);
        self.second.clear();
        self.second.extend(pieces.of_face.iter().map(|&piece| is_second[piece as usize]));
        self.n_second = self.second.iter().filter(|&&second| second).count();
        self.n_cut = 0;
    }
}

fn cost(n_cut: usize, n_part: usize, n: usize) -> f64 {
    n_cut as f64 / (n_part as f64 * (n - n_part) as f64)
}

/// The bits of a number, ordered as integers like the numbers.
fn ordered(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}
