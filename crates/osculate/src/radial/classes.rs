//! The class of each triangle: its orientation relative to the observer of its cluster, throughout
//! the step (paper 000, section 3).
//!
//! With `phi(t) = n(t) . (p(t) - q(t))` for the normal n and a corner p of a triangle and the
//! observer q, a cubic in t: the triangle faces away if `phi > 0` for every t in [0, 1], and toward
//! the observer if `phi < 0`. All other triangles, including those that the error bounds do not
//! decide, are uncertain, which is safe.

use super::follow::Eye;
use super::segment::Seen;
use super::tree::ClusterTree;
use crate::feature::{Code, MINUS, PLUS, UNCERTAIN};
use crate::math::bernstein::{Bernstein, FILTER_RANGE};
use crate::math::dispatch::dispatch;
use crate::math::real::Lanes;
use crate::motion::{Gathered, LANES, Line, gather};
use crate::narrow::{Kind, coplanarity};
use crate::threads;
use fearless_simd::{Level, Simd, SimdBase, SimdMask, f64x8};

/// Triangles per task.
const PARALLEL: usize = 1024;

/// Maximum bisection depth of the step.
const DEPTH: u32 = 6;

/// A position at both ends of the step, `[t][axis]`.
type Ends = [[f64; 3]; 2];

/// Replaces `classes` by those of all triangles, in depth-first order. `eyes` are the observers of
/// the clusters; `lines` are the vertices of the body, with coordinates in the range of the
/// filters.
pub(super) fn classify(tree: &ClusterTree, eyes: &[Eye], lines: &[Line], classes: &mut Vec<u8>) {
    let (vertices, corners) = (tree.hierarchy.vertices(), tree.hierarchy.corners());
    classes.resize(corners.len(), UNCERTAIN as u8);
    let mut tasks = Vec::with_capacity(tree.clusters.len() + corners.len() / PARALLEL);
    let mut order: Vec<usize> = (0..eyes.len()).collect();
    order.sort_unstable_by_key(|&cluster| tree.clusters[cluster].range.start);
    let mut left = classes.as_mut_slice();
    for cluster in order {
        let range = tree.clusters[cluster].range.clone();
        let (of_cluster, rest) = left.split_at_mut(range.len());
        left = rest;
        let chunks = of_cluster.chunks_mut(PARALLEL).zip(corners[range].chunks(PARALLEL));
        tasks.extend(chunks.map(|(classes, corners)| (eyes[cluster], classes, corners)));
    }
    threads::for_each(tasks, |(eye, classes, corners)| of_part(eye, vertices, corners, lines, classes));
}

/// Sets the classes of the triangles of one cluster.
pub(super) fn classify_cluster(
    tree: &ClusterTree,
    cluster: usize,
    eye: Eye,
    lines: &[Line],
    classes: &mut [u8],
) {
    let corners = &tree.hierarchy.corners()[tree.clusters[cluster].range.clone()];
    of_part(eye, tree.hierarchy.vertices(), corners, lines, classes);
}

fn of_part(eye: Eye, vertices: &[u32], corners: &[[u32; 3]], lines: &[Line], classes: &mut [u8]) {
    if eye.is_in_range() {
        dispatch!(Level::new(), simd => of_chunk(simd, eye, vertices, corners, lines, classes));
    } else {
        classes.fill(UNCERTAIN as u8);
    }
}

impl Eye {
    /// Whether the error bounds are valid for it.
    fn is_in_range(&self) -> bool {
        let is_in_range = |ends: &Ends| ends.as_flattened().iter().all(|x| x.abs() <= FILTER_RANGE);
        match self {
            Eye::Point(point) => is_in_range(point),
            Eye::Segment(ends) => ends.iter().all(is_in_range),
        }
    }
}

#[inline(always)]
fn of_chunk<S: Simd>(
    simd: S,
    eye: Eye,
    vertices: &[u32],
    corners: &[[u32; 3]],
    lines: &[Line],
    classes: &mut [u8],
) {
    for (classes, corners) in classes.chunks_mut(LANES).zip(corners.chunks(LANES)) {
        let gathered = gather(vertices, corners, lines, false);
        let [plus, minus] = match eye {
            Eye::Point(point) => signs(simd, &point, &gathered),
            Eye::Segment([from, to]) => {
                let ([a, b], [c, d]) = (signs(simd, &from, &gathered), signs(simd, &to, &gathered));
                [a & c, b & d]
            }
        };
        for (lane, (class, corners)) in classes.iter_mut().zip(corners).enumerate() {
            let code = match (plus >> lane & 1, minus >> lane & 1) {
                (1, _) => PLUS,
                (_, 1) => MINUS,
                _ => {
                    let corners = corners.map(|v| lines[vertices[v as usize] as usize].ends());
                    finely(eye, &corners)
                }
            };
            *class = code as u8;
        }
    }
}

/// The sets of lanes in which the triangle is proven to face away from a point, and toward it.
#[inline(always)]
fn signs<S: Simd>(simd: S, point: &Ends, gathered: &Gathered) -> [u64; 2] {
    let splat = |x: f64| Lanes(f64x8::splat(simd, x));
    let load = |k: usize, i: usize| Lanes(f64x8::from_slice(simd, &gathered[k][i]));
    let corner = |k: usize| [[load(k, 0), load(k, 1), load(k, 2)], [load(k, 3), load(k, 4), load(k, 5)]];
    let [p, q] = point;
    let point = [[splat(p[0]), splat(p[1]), splat(p[2])], [splat(q[0]), splat(q[1]), splat(q[2])]];
    // The volume of the tetrahedron of the point and the triangle: positive if the point is on the
    // side of the normal.
    let sign = coplanarity(Kind::VertexFace, &[point, corner(0), corner(1), corner(2)]).sign();
    [sign.minus.to_bitmask(), sign.plus.to_bitmask()]
}

/// The class of a triangle that the signs of the coefficients do not decide.
#[inline(never)]
fn finely(eye: Eye, corners: &[Ends; 3]) -> Code {
    match eye {
        Eye::Point(point) => {
            let phi = seen_from(&point, corners);
            match sign_throughout(&phi) {
                1 => PLUS,
                -1 => MINUS,
                _ => UNCERTAIN,
            }
        }
        Eye::Segment(ends) => Seen::new(&ends, corners).class(),
    }
}

/// The cubic phi of a triangle seen from a point.
pub(super) fn seen_from(point: &Ends, [a, b, c]: &[Ends; 3]) -> Bernstein<4> {
    let volume = coplanarity(Kind::VertexFace, &[*point, *a, *b, *c]);
    Bernstein { c: volume.c.map(|c| -c), error: volume.error }
}

/// The sign that is proven on all of [0, 1]; 0 if none is.
fn sign_throughout(p: &Bernstein<4>) -> i8 {
    let [start, end] = [0, 3].map(|i| p.sign_of(i));
    if start.plus && end.plus && is_positive(p, 0.0, 1.0, DEPTH) {
        1
    } else if start.minus && end.minus {
        let opposite = Bernstein { c: p.c.map(|c| -c), error: p.error };
        if is_positive(&opposite, 0.0, 1.0, DEPTH) { -1 } else { 0 }
    } else {
        0
    }
}

fn is_positive(p: &Bernstein<4>, lo: f64, hi: f64, depth: u32) -> bool {
    if p.on(lo, hi).sign().plus {
        return true;
    }
    let middle = 0.5 * (lo + hi);
    depth != 0
        && p.sign_at(middle).plus
        && is_positive(p, lo, middle, depth - 1)
        && is_positive(p, middle, hi, depth - 1)
}
