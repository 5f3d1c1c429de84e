//! Remeshes the zero set of a field with well-shaped triangles, in an exact number.
//!
//! The usual loop: split long edges, collapse short ones, flip toward valence six, relax, project
//! back onto the field. Botsch and Kobbelt, "A remeshing approach to multiresolution
//! modeling", 2004. At the end single splits and collapses, which change the number of triangles by
//! two, make the count exact.

use crate::field::Field;
use crate::march::march;
use crate::surface::{Surface, next, previous};
use crate::vector::{Vector, add, area_normal, distance, dot, length, lerp, normalize, scale, sub};

/// Rounds of the loop at the target size; shapes settle after some five.
const ROUNDS: usize = 6;
/// Minimum cosine between the normals of a triangle before and after a vertex moves or an edge is
/// flipped.
const LEAST_COSINE: f64 = 0.3;

/// How a field is meshed.
pub(crate) struct Meshing {
    /// Cube size of the first lattice; must be below the least thickness of the shape, or parts are
    /// lost.
    pub(crate) cube: f64,
    /// Edge lengths are the radius of the shape plus this, times a common factor.
    pub(crate) evenness: f64,
    /// Exact number of triangles; even.
    pub(crate) n_faces: usize,
}

/// Returns the zero set of a field as a closed surface with exactly the requested number of
/// triangles.
pub(crate) fn mesh(field: &Field, how: &Meshing) -> (Vec<[u32; 3]>, Vec<Vector>) {
    let (faces, points) = march(field, how.cube);
    let mut surface = Surface::new(&faces, points);
    let first_sizes = sizes(&surface, field, how.evenness);
    let mut factor = factor_for(&surface, &first_sizes, surface.n_faces());
    let mut target = factor_for(&surface, &first_sizes, how.n_faces);
    for round in 0..ROUNDS {
        // Half of the way at first: large triangles at once would cut off thin parts.
        factor = if round < 3 { (factor * target).sqrt() } else { target };
        let mut sizes = sizes(&surface, field, how.evenness);
        split_long(&mut surface, &mut sizes, factor);
        collapse_short(&mut surface, field, &sizes, factor);
        flip_all(&mut surface);
        relax(&mut surface, field);
        if 3 <= round {
            target *= (surface.n_faces() as f64 / how.n_faces as f64).sqrt();
        }
    }
    let sizes = sizes(&surface, field, how.evenness);
    match_count(&mut surface, field, sizes, how.n_faces);
    for _ in 0..3 {
        flip_all(&mut surface);
        relax(&mut surface, field);
    }
    surface.compact()
}

/// The target edge length at each vertex, up to a common factor. Between vertices the mean is used,
/// since fields are slow.
fn sizes(surface: &Surface, field: &Field, evenness: f64) -> Vec<f64> {
    surface.points.iter().map(|&point| field.sample(point).radius + evenness).collect()
}

/// The factor at which equilateral triangles of these sizes cover the surface with the requested
/// number.
fn factor_for(surface: &Surface, sizes: &[f64], n_faces: usize) -> f64 {
    let weighted: f64 = surface
        .faces()
        .map(|face| {
            let area = 0.5 * length(area_normal(face.map(|vertex| surface.point(vertex))));
            area / (sizes[face[0] as usize] * sizes[face[0] as usize])
        })
        .sum();
    (weighted * 4.0 / 3.0_f64.sqrt() / n_faces as f64).sqrt()
}

/// The length of an edge relative to its target.
fn relative_length(surface: &Surface, h: u32, sizes: &[f64]) -> f64 {
    let [p, q] = surface.end_points(h);
    distance(p, q) / mean_size(surface, h, sizes)
}

fn mean_size(surface: &Surface, h: u32, sizes: &[f64]) -> f64 {
    let [a, b] = surface.ends(h);
    0.5 * (sizes[a as usize] + sizes[b as usize])
}

fn split(surface: &mut Surface, h: u32, sizes: &mut Vec<f64>) {
    sizes.push(mean_size(surface, h, sizes));
    surface.split(h, middle(surface, h));
}

fn middle(surface: &Surface, h: u32) -> Vector {
    let [p, q] = surface.end_points(h);
    lerp(p, q, 0.5)
}

fn split_long(surface: &mut Surface, sizes: &mut Vec<f64>, factor: f64) {
    // Edges created by a split are handled in the next round.
    for h in surface.half_edges() {
        if surface.is_edge(h) && 4.0 / 3.0 * factor < relative_length(surface, h, sizes) {
            split(surface, h, sizes);
        }
    }
}

fn collapse_short(surface: &mut Surface, field: &Field, sizes: &[f64], factor: f64) {
    for h in surface.half_edges() {
        if surface.is_edge(h) && relative_length(surface, h, sizes) < 4.0 / 5.0 * factor {
            let point = project(field, middle(surface, h));
            let longest = 4.0 / 3.0 * factor * mean_size(surface, h, sizes);
            let makes_long = surface.ends(h).into_iter().any(|end| {
                surface.neighbors(end).any(|vertex| longest < distance(point, surface.point(vertex)))
            });
            if !makes_long && is_harmless(surface, h, point) {
                surface.collapse(h, point);
            }
        }
    }
}

/// Whether an edge can be collapsed to a point without turning a triangle around it too far.
fn is_harmless(surface: &Surface, h: u32, point: Vector) -> bool {
    let [a, b] = surface.ends(h);
    surface.can_collapse(h)
        && [(a, b), (b, a)].into_iter().all(|(end, other)| {
            surface.around(end).all(|e| {
                let corners = [surface.ends(e)[1], surface.apex(e)];
                corners.contains(&other) || keeps_facing(surface, e, point)
            })
        })
}

/// Whether the triangle of a half-edge keeps its orientation approximately if the start of the
/// half-edge moves to a point.
fn keeps_facing(surface: &Surface, e: u32, point: Vector) -> bool {
    let [start, q] = surface.end_points(e);
    let r = surface.point(surface.apex(e));
    faces_alike(area_normal([start, q, r]), area_normal([point, q, r]))
}

fn faces_alike(a: Vector, b: Vector) -> bool {
    LEAST_COSINE * length(a) * length(b) < dot(a, b)
}

/// Flips edges where that brings the four vertices nearer to valence six, or removes a sliver.
fn flip_all(surface: &mut Surface) {
    for h in surface.half_edges() {
        if !surface.is_edge(h) {
            continue;
        }
        let g = surface.twin(h);
        let ([a, b], c, d) = (surface.ends(h), surface.apex(h), surface.apex(g));
        let [va, vb, vc, vd] = [a, b, c, d].map(|vertex| surface.valence(vertex) as i64 - 6);
        let change = (va - 1).pow(2) + (vb - 1).pow(2) + (vc + 1).pow(2) + (vd + 1).pow(2)
            - (va.pow(2) + vb.pow(2) + vc.pow(2) + vd.pow(2));
        let [pa, pb, pc, pd] = [a, b, c, d].map(|vertex| surface.point(vertex));
        let old = add(normalize(area_normal([pa, pb, pc])), normalize(area_normal([pb, pa, pd])));
        let keeps =
            faces_alike(old, area_normal([pc, pd, pb])) && faces_alike(old, area_normal([pd, pc, pa]));
        let is_flat =
            distance(pc, pd) < distance(pa, pb) && (is_blunt([pa, pc, pb]) || is_blunt([pa, pd, pb]));
        if (change < 0 || is_flat) && keeps {
            surface.flip(h);
        }
    }
}

/// Whether the angle at the second point is very obtuse.
fn is_blunt([a, b, c]: [Vector; 3]) -> bool {
    let (u, v) = (sub(a, b), sub(c, b));
    dot(u, v) < -0.7 * length(u) * length(v)
}

/// Moves every vertex toward the centroid of its triangles, along the surface, and then onto the
/// field.
fn relax(surface: &mut Surface, field: &Field) {
    let targets: Vec<(u32, Vector)> = surface
        .vertices()
        .map(|vertex| {
            let here = surface.point(vertex);
            let (mut sum, mut weight) = ([0.0; 3], 0.0);
            for h in surface.around(vertex) {
                let corners = [h, next(h), previous(h)].map(|e| surface.point(surface.ends(e)[0]));
                let area = length(area_normal(corners));
                let center = scale(corners.into_iter().fold([0.0; 3], add), 1.0 / 3.0);
                sum = add(sum, scale(center, area));
                weight += area;
            }
            let shift = sub(scale(sum, 1.0 / weight.max(f64::MIN_POSITIVE)), here);
            let normal = normalize(field.sample(here).gradient);
            (vertex, add(here, sub(shift, scale(normal, dot(shift, normal)))))
        })
        .collect();
    for (vertex, target) in targets {
        let point = project(field, target);
        if surface.around(vertex).all(|e| keeps_facing(surface, e, point)) {
            surface.points[vertex as usize] = point;
        }
    }
}

/// The zero of a field near a point, by Newton's method along its gradient.
fn project(field: &Field, mut point: Vector) -> Vector {
    for _ in 0..2 {
        let sample = field.sample(point);
        let slope_sq = dot(sample.gradient, sample.gradient).max(0.25);
        point = sub(point, scale(sample.gradient, sample.distance / slope_sq));
    }
    point
}

/// Splits the longest edges or collapses the shortest until there are exactly that many triangles.
fn match_count(surface: &mut Surface, field: &Field, mut sizes: Vec<f64>, n_faces: usize) {
    assert!(n_faces.is_multiple_of(2), "a closed surface has an even number of triangles");
    while surface.n_faces() != n_faces {
        let edges = surface.half_edges().filter(|&h| surface.is_edge(h));
        let mut order: Vec<(f64, u32)> = edges.map(|h| (relative_length(surface, h, &sizes), h)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // A tenth of the edges at a time, since each change affects the lengths around it.
        let most = (n_faces.abs_diff(surface.n_faces()) / 2).min(order.len() / 10 + 1);
        if surface.n_faces() < n_faces {
            order.iter().rev().take(most).for_each(|&(_, h)| split(surface, h, &mut sizes));
            continue;
        }
        let mut n_done = 0;
        for (_, h) in order {
            if n_done == most || !surface.is_edge(h) {
                continue;
            }
            let point = project(field, middle(surface, h));
            if is_harmless(surface, h, point) {
                surface.collapse(h, point);
                n_done += 1;
            }
        }
        assert!(0 < n_done, "some edge can be collapsed");
    }
}
