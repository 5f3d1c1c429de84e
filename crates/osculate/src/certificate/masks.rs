//! Bit masks of directions with a positive product with all normals of a node (Volino and
//! Magnenat-Thalmann 1994).
//!
//! As in the paper, signs are those of f64, a step is tested only at its ends, and a common
//! direction alone, without a contour test, does not exclude contact: a heuristic. For proofs,
//! there are masks of directions that all normals are proven to face throughout the step.

use super::fold::fold;
use crate::hierarchy::Hierarchy;
use crate::math::bernstein::U;
use crate::math::vector::{cross, minus, plus, scale};
use crate::motion::Line;
use crate::threads;

/// Triangles per task.
const PARALLEL: usize = 4096;

/// Number of directions: both along each of the axes, and to the eight corners of a cube.
const DIRECTIONS: u32 = 14;

/// Error of `n . d` for a control normal n and a direction d, as a multiple of the largest
/// coordinates of two edges. Each component of n is off by at most 18 u, so n . d by 54 u and by 12
/// u for the sum; and an axis that is off by 2^-50 adds 48 u.
const SIGN_ERROR: f64 = 256.0 * U;

/// Smaller products are not proven either: for larger ones, underflow is negligible.
const LEAST_PRODUCT: f64 = 1e-145;

/// The times at which normals are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instants {
    /// The pose at t = 0.
    Start,
    /// The poses at t = 0 and at t = 1; nothing in between.
    Ends,
}

/// The masks of the nodes of one body; kept between steps to avoid allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Masks {
    /// In depth-first order.
    triangles: Vec<u16>,
    nodes: Vec<u16>,
}

impl Masks {
    /// Computes the masks of all nodes at these instants, bottom-up. They do not depend on the
    /// number of threads.
    pub(crate) fn refit(&mut self, hierarchy: &Hierarchy, lines: &[Line], instants: Instants) {
        self.refit_by(hierarchy, lines, |corners| of_triangle(corners, instants));
    }

    /// The same with directions that are proven to be in front of all triangles throughout the
    /// step, or at its start. `lines` have coordinates in the range of the filters.
    pub(crate) fn refit_proven(&mut self, hierarchy: &Hierarchy, lines: &[Line], is_instant: bool) {
        self.refit_by(hierarchy, lines, |corners| proven_of_triangle(corners, is_instant));
    }

    fn refit_by(
        &mut self,
        hierarchy: &Hierarchy,
        lines: &[Line],
        of_triangle: impl Fn([&Line; 3]) -> u16 + Sync,
    ) {
        let corners = hierarchy.corners();
        let line = |place: u32| &lines[hierarchy.vertices()[place as usize] as usize];
        self.triangles.resize(corners.len(), 0);
        let chunks = self.triangles.chunks_mut(PARALLEL).zip(corners.chunks(PARALLEL));
        threads::for_each(chunks, |(masks, corners)| {
            for (mask, &corners) in masks.iter_mut().zip(corners) {
                *mask = of_triangle(corners.map(line));
            }
        });
        let join = |children: &[u16]| children.iter().fold(u16::MAX, |all, mask| all & mask);
        fold(hierarchy, &mut self.nodes, 0, &self.triangles, &join);
    }

    /// Returns the directions d with `n . d > 0` for the normals n of all triangles below a node:
    /// bits 0 to 2 for +x, +y, +z, 3 to 5 for their opposites, 6 to 13 for the corners of a cube. A
    /// triangle without area has none.
    #[inline(always)]
    pub(crate) fn mask(&self, node: u32) -> u16 {
        self.nodes[node as usize]
    }

    /// Heap memory of the masks in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.triangles.as_slice()) + size_of_val(self.nodes.as_slice())
    }
}

/// Returns the mask of one triangle.
#[inline(always)]
pub(crate) fn of_triangle(corners: [&Line; 3], instants: Instants) -> u16 {
    let [[a0, a1], [b0, b1], [c0, c1]] = corners.map(Line::ends);
    match instants {
        Instants::Start => of_normal(normal(a0, b0, c0), 0.0),
        Instants::Ends => of_normal(normal(a0, b0, c0), 0.0) & of_normal(normal(a1, b1, c1), 0.0),
    }
}

/// Returns the directions that are proven to be in front of a triangle throughout the step, or at
/// its start: those in front of the three control normals of [`normals`](super::normals).
#[inline(always)]
fn proven_of_triangle(corners: [&Line; 3], is_instant: bool) -> u16 {
    let [[a0, a1], [b0, b1], [c0, c1]] = corners.map(Line::ends);
    let (e0, f0) = (minus(b0, a0), minus(c0, a0));
    let (e1, f1) = if is_instant { (e0, f0) } else { (minus(b1, a1), minus(c1, a1)) };
    let least = SIGN_ERROR * largest(e0).max(largest(e1)) * largest(f0).max(largest(f1)) + LEAST_PRODUCT;
    let start = of_normal(cross(e0, f0), least);
    if is_instant {
        return start;
    }
    let m = scale(0.5, plus(cross(e0, f1), cross(e1, f0)));
    start & of_normal(m, least) & of_normal(cross(e1, f1), least)
}

#[inline(always)]
fn largest(v: [f64; 3]) -> f64 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// Returns the direction of a mask that is closest to an axis; `None` if the mask has none.
pub(crate) fn closest(mask: u16, axis: [f32; 3]) -> Option<[f32; 3]> {
    let mut best = (f32::NEG_INFINITY, None);
    for d in (0..DIRECTIONS).filter(|bit| mask >> bit & 1 == 1).map(direction) {
        let product = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
        let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        if best.0 < product / length {
            best = (product / length, Some(d));
        }
    }
    best.1
}

/// The direction of a bit.
fn direction(bit: u32) -> [f32; 3] {
    const HALF: [[f32; 3]; 7] = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [1.0, 1.0, -1.0],
        [1.0, -1.0, 1.0],
        [-1.0, 1.0, 1.0],
    ];
    match bit {
        0..3 => HALF[bit as usize],
        3..6 => HALF[bit as usize - 3].map(|x| -x),
        6..10 => HALF[bit as usize - 3],
        _ => HALF[bit as usize - 7].map(|x| -x),
    }
}

/// Returns the directions whose product with a normal is above `least`; none if it is zero or NaN.
#[inline(always)]
fn of_normal([x, y, z]: [f64; 3], least: f64) -> u16 {
    // n . d for seven directions; the others are their opposites.
    let products = [x, y, z, x + y + z, x + y - z, x - y + z, y - x + z];
    let mut mask = 0;
    for (i, product) in products.into_iter().enumerate() {
        let (plus, minus) = if i < 3 { (i, i + 3) } else { (i + 3, i + 7) };
        mask |= u16::from(least < product) << plus | u16::from(product < -least) << minus;
    }
    mask
}

/// Returns `(b - a) x (c - a)`.
#[inline(always)]
fn normal(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let (e, f) = ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
    [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use crate::hierarchy::{Split, build};
    use crate::random::random;

    /// The directions in the order of the bits.
    fn directions() -> [[i64; 3]; DIRECTIONS as usize] {
        let half = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1]];
        let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let mut all = [[0; 3]; DIRECTIONS as usize];
        for i in 0..3 {
            (all[i], all[i + 3]) = (axes[i], axes[i].map(|x| -x));
        }
        for i in 0..4 {
            (all[i + 6], all[i + 10]) = (half[i], half[i].map(|x| -x));
        }
        all
    }

    #[test]
    fn bits_are_the_signs_of_integer_normals_of_all_triangles() {
        let (mut next, mut n_set) = (random(1), 0);
        for round in 0..500 {
            let [n_vertices, n_triangles] = [6, 1 + round % 7];
            let mut integer = || (next() * 9.0) as i64 - 4;
            let poses: Vec<[[i64; 3]; 2]> =
                (0..n_vertices).map(|_| [(); 2].map(|()| [(); 3].map(|()| integer()))).collect();
            let mut triangles = Vec::new();
            while triangles.len() < n_triangles {
                let t = [(); 3].map(|()| ((integer() + 4) % 6) as u32);
                if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
                    triangles.push(t);
                }
            }
            let normals = |end: usize| {
                let poses = &poses;
                triangles.iter().map(move |t: &[u32; 3]| {
                    let [a, b, c] = t.map(|v| poses[v as usize][end]);
                    let (e, f): ([i64; 3], [i64; 3]) =
                        (std::array::from_fn(|k| b[k] - a[k]), std::array::from_fn(|k| c[k] - a[k]));
                    [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]]
                })
            };
            let sees = |d: [i64; 3], n: [i64; 3]| 0 < d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
            let float = |p: [i64; 3]| p.map(|x| x as f64);
            let lines: Vec<Line> = poses.iter().map(|[t0, t1]| Line::new(&float(*t0), &float(*t1))).collect();
            let positions: Vec<[f64; 3]> = poses.iter().map(|p| float(p[0])).collect();
            let mesh = Mesh::new(triangles.clone(), n_vertices).unwrap();
            let hierarchy = build(&mesh, &positions, Split::Median);

            let mut masks = Masks::default();
            for (instants, ends) in [(Instants::Start, 0..1), (Instants::Ends, 0..2)] {
                masks.refit(&hierarchy, &lines, instants);
                let all = masks.mask(0);
                masks.refit_proven(&hierarchy, &lines, instants == Instants::Start);
                // Integers have no errors, so that everything true at an instant is proven.
                let is_proven = instants == Instants::Start && all == masks.mask(0);
                assert!(is_proven || instants == Instants::Ends && masks.mask(0) & !all == 0);
                masks.refit(&hierarchy, &lines, instants);
                for (bit, d) in directions().into_iter().enumerate() {
                    let expected = ends.clone().all(|end| normals(end).all(|n| sees(d, n)));
                    assert_eq!(masks.mask(0) >> bit & 1 == 1, expected, "direction {d:?} of {triangles:?}");
                    n_set += u32::from(expected);
                }
                assert_eq!(masks.mask(0) >> DIRECTIONS, 0);
            }
        }
        assert!(500 < n_set, "{n_set}");
    }

    #[test]
    fn a_triangle_without_area_has_no_direction() {
        let at = |x: f64, y: f64| Line::new(&[x, y, 0.0], &[x, y, 0.0]);
        let (a, b, c, d) = (at(0.0, 0.0), at(1.0, 1.0), at(2.0, 2.0), at(0.0, 1.0));
        assert_eq!(of_triangle([&a, &b, &c], Instants::Ends), 0);
        assert_eq!(of_triangle([&a, &a, &a], Instants::Start), 0);
        let up = of_triangle([&a, &b, &d], Instants::Ends);
        assert_eq!((up.count_ones(), up & 4), (5, 4), "z, and the four corners above");
    }

    #[test]
    fn directions_are_those_of_the_bits() {
        for (bit, d) in (0..).zip(directions()) {
            assert_eq!(direction(bit), d.map(|x| x as f32));
            let axis = d.map(|x| 0.7 * x as f32);
            assert_eq!(closest(u16::MAX >> 2, axis), Some(direction(bit)));
            assert_eq!(closest(1 << bit, [-0.3, 0.9, 0.1]), Some(direction(bit)));
        }
        assert_eq!(closest(0, [1.0, 0.0, 0.0]), None);
    }

    #[test]
    fn a_triangle_that_turns_over_and_back_has_no_proven_direction() {
        // A full turn about x in a step of straight lines: both ends look alike.
        let line = |t0: [f64; 3], t1: [f64; 3]| Line::new(&t0, &t1);
        let a = line([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]);
        let b = line([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]);
        let c = line([0.0, 1.0, 0.0], [0.0, -1.0, 0.0]);
        assert_ne!(of_triangle([&a, &b, &c], Instants::Ends), 0);
        assert_eq!(proven_of_triangle([&a, &b, &c], false), 0);
        assert_ne!(proven_of_triangle([&a, &b, &c], true), 0);
    }

    #[test]
    fn proven_directions_are_in_front_of_normals_at_all_times() {
        let mut next = random(2);
        let mut n_proven = 0;
        for _ in 0..2000 {
            let mut point = || [(); 3].map(|()| 2.0 * next() - 1.0);
            let starts = [(); 3].map(|()| point());
            let ends = starts.map(|p| {
                let moved = point();
                std::array::from_fn(|i| p[i] + 0.4 * moved[i])
            });
            let lines = [0, 1, 2].map(|i| Line::new(&starts[i], &ends[i]));
            let mask = proven_of_triangle(lines.each_ref(), false);
            n_proven += mask.count_ones();
            for d in (0..DIRECTIONS).filter(|bit| mask >> bit & 1 == 1).map(direction) {
                for k in 0..=32 {
                    let t = f64::from(k) / 32.0;
                    let [a, b, c] =
                        [0, 1, 2].map(|i: usize| plus(scale(1.0 - t, starts[i]), scale(t, ends[i])));
                    let [x, y, z] = normal(a, b, c);
                    assert!(0.0 < x * f64::from(d[0]) + y * f64::from(d[1]) + z * f64::from(d[2]));
                }
            }
        }
        assert!(2000 < n_proven, "{n_proven}");
    }
}
