//! Periodic colors of regular grids, in linear time (paper 001, section 4.2).
//!
//! A grid is found by its connectivity alone: vertices get coordinates modulo the period, from one
//! face to the next across their edges. Where coordinates contradict each other, or colors do not
//! satisfy the constraints, the component is not a grid, or its circumference does not fit the
//! period; then it gets no colors here.
//!
//! * Quads: color `(i mod 3) + 3 (j mod 3)` for the quad at `(i, j)`; 9 colors, as many as a quad
//!   and its neighbors need.
//! * Triangles, two for each `(i, j)`, with six around each vertex: color `(i + 3 j) mod 14` for
//!   the triangle `(i, j), (i + 1, j), (i, j + 1)` and `(i + 3 j + 8) mod 14` for the other one,
//!   `(i + 1, j), (i, j + 1), (i + 1, j + 1)`; 14 colors. A triangle and its neighbors need 13, but
//!   no pattern `(a i + b j + c s) mod 13` satisfies the constraints.
//! * Triangles of quads that are split in any way: two colors for each color of a quad, 18 colors.

use super::coloring::Checker;
use super::graph::Graph;
use super::primitives::Primitives;
use super::{NONE, Size};
use crate::Mesh;

/// The period of the pattern of triangles, and its number of colors.
const PERIOD: i32 = 14;

/// The largest number of colors of a pattern.
const N_COLORS: usize = 18;

/// Coordinates of a vertex modulo the period; those of the pattern of triangles are `[i + 3 j, 0]`.
type Label = [i32; 2];

/// No coordinates yet.
const UNKNOWN: Label = [-1; 2];

/// Returns the colors of the primitives in components that are regular grids, and [`NONE`]
/// elsewhere. `rest` chooses between pairs of triangles.
pub(super) fn color(
    mesh: &Mesh,
    rest: &[[f64; 3]],
    primitives: &Primitives,
    graph: &Graph,
    size: Size,
) -> Vec<u32> {
    match size {
        Size::One => {
            let mut colors = checked(mesh, primitives, graph, triangles(mesh, primitives));
            if colors.contains(&NONE) {
                let pairs = Primitives::of(mesh, rest, Size::Two);
                let quads = quads(mesh, &pairs);
                let halves = pairs.of_triangle().iter().zip(0..).map(|(&p, t)| match quads[p as usize] {
                    NONE => NONE,
                    color => 2 * color + u32::from(pairs.triangles(p)[0] != t),
                });
                let halves = checked(mesh, primitives, graph, halves.collect());
                for (color, half) in colors.iter_mut().zip(halves).filter(|(color, _)| **color == NONE) {
                    *color = half;
                }
            }
            colors
        }
        Size::Two => checked(mesh, primitives, graph, quads(mesh, primitives)),
        Size::Four => vec![NONE; primitives.len()],
    }
}

/// Returns the colors in components where they are valid, and [`NONE`] elsewhere. All primitives of
/// a component have a color, or none has.
fn checked(mesh: &Mesh, primitives: &Primitives, graph: &Graph, mut colors: Vec<u32>) -> Vec<u32> {
    let mut is_valid = vec![true; mesh.n_components()];
    let mut checker = Checker::new(graph, N_COLORS);
    for p in 0..colors.len() as u32 {
        let is_valid = &mut is_valid[component(mesh, primitives, p)];
        *is_valid = *is_valid && colors[p as usize] != NONE && checker.is_valid(&colors, p);
    }
    for (color, p) in colors.iter_mut().zip(0..) {
        if !is_valid[component(mesh, primitives, p)] {
            *color = NONE;
        }
    }
    colors
}

/// The component of a primitive.
fn component(mesh: &Mesh, primitives: &Primitives, p: u32) -> usize {
    mesh.components()[primitives.triangles(p)[0] as usize] as usize
}

/// The colors of triangles by their pattern, or [`NONE`].
fn triangles(mesh: &Mesh, primitives: &Primitives) -> Vec<u32> {
    let (corners, sides) = (mesh.triangles().to_vec(), mesh.triangle_edges().to_vec());
    let faces = Faces { corners, sides, period: PERIOD, first: [[0, 0], [1, 0], [3, 0]] };
    let mut is_grid = vec![true; mesh.n_components()];
    let labels = faces.spread(mesh, primitives, &mut is_grid);
    faces.colors(mesh, primitives, &is_grid, |corners| triangle_color(corners.map(|v| labels[v as usize])))
}

/// The colors of quads by their pattern, or [`NONE`].
fn quads(mesh: &Mesh, primitives: &Primitives) -> Vec<u32> {
    let quads: Vec<_> = (0..primitives.len() as u32).map(|p| quad(mesh, primitives.triangles(p))).collect();
    let mut is_grid = vec![true; mesh.n_components()];
    for (_, p) in quads.iter().zip(0..).filter(|(quad, _)| quad.is_none()) {
        is_grid[component(mesh, primitives, p)] = false;
    }
    let (corners, sides) = quads.into_iter().map(Option::unwrap_or_default).unzip();
    let faces = Faces { corners, sides, period: 3, first: [[0, 0], [1, 0], [1, 1], [0, 1]] };
    let labels = faces.spread(mesh, primitives, &mut is_grid);
    faces.colors(mesh, primitives, &is_grid, |corners| quad_color(corners.map(|v| labels[v as usize])))
}

/// The corners of two triangles as a quad, in cyclic order, and its sides; side k joins corners k
/// and k + 1. None if they do not share exactly one edge.
fn quad(mesh: &Mesh, triangles: &[u32]) -> Option<([u32; 4], [u32; 4])> {
    let &[t, u] = triangles else { return None };
    let [corners, others] = [t, u].map(|t| mesh.triangles()[t as usize]);
    let [edges, other_edges] = [t, u].map(|t| mesh.triangle_edges()[t as usize]);
    let k = edges.iter().position(|e| other_edges.contains(e))?;
    let opposite = others.iter().position(|v| !corners.contains(v))?;
    let [a, b, c] = [0, 1, 2].map(|i| corners[(k + i) % 3]);
    // Side k of a triangle joins its corners k and k + 1.
    let [next, last] = [opposite, (opposite + 2) % 3].map(|i| other_edges[i]);
    let [at_a, at_b] = if others[(opposite + 1) % 3] == a { [next, last] } else { [last, next] };
    Some(([a, others[opposite], b, c], [at_a, at_b, edges[(k + 1) % 3], edges[(k + 2) % 3]]))
}

/// Faces with N corners.
struct Faces<const N: usize> {
    corners: Vec<[u32; N]>,
    /// Side k joins corners k and k + 1.
    sides: Vec<[u32; N]>,
    period: i32,
    /// The labels of the first face.
    first: [Label; N],
}

impl<const N: usize> Faces<N> {
    /// Returns labels of the vertices, which are defined in components that remain grids.
    fn spread(&self, mesh: &Mesh, primitives: &Primitives, is_grid: &mut [bool]) -> Vec<Label> {
        let mut labels = vec![UNKNOWN; mesh.n_vertices()];
        let mut is_reached = vec![false; self.corners.len()];
        let mut has_seed = vec![false; is_grid.len()];
        let mut open = Vec::new();
        for seed in 0..self.corners.len() {
            let component = component(mesh, primitives, seed as u32);
            if is_reached[seed] || !is_grid[component] {
                continue;
            }
            if std::mem::replace(&mut has_seed[component], true) {
                is_grid[component] = false; // Connected by a vertex only.
                continue;
            }
            for (&v, label) in self.corners[seed].iter().zip(self.first) {
                labels[v as usize] = label;
            }
            is_reached[seed] = true;
            open.push(seed as u32);
            while let Some(p) = open.pop() {
                for k in 0..N {
                    let &[a, b] = mesh.triangles_of_edge(self.sides[p as usize][k]) else { continue };
                    let [a, b] = [a, b].map(|t| primitives.of_triangle()[t as usize]);
                    let q = a ^ b ^ p;
                    let is_consistent = a != b && self.step(p, k, q, &mut labels);
                    if !is_consistent {
                        is_grid[component] = false;
                        open.clear();
                        break;
                    }
                    if !std::mem::replace(&mut is_reached[q as usize], true) {
                        open.push(q);
                    }
                }
            }
        }
        labels
    }

    /// The colors of the faces in components that are grids, and [`NONE`] elsewhere.
    fn colors(
        &self,
        mesh: &Mesh,
        primitives: &Primitives,
        is_grid: &[bool],
        color: impl Fn([u32; N]) -> u32,
    ) -> Vec<u32> {
        let color =
            |(&corners, p)| if is_grid[component(mesh, primitives, p)] { color(corners) } else { NONE };
        self.corners.iter().zip(0..).map(color).collect()
    }

    /// Labels the corners of face q from those of face p across its side k; returns whether they
    /// agree with labels known before.
    fn step(&self, p: u32, k: usize, q: u32, labels: &mut [Label]) -> bool {
        let [corners, others] = [p, q].map(|face| self.corners[face as usize]);
        let [u, v] = [corners[k], corners[(k + 1) % N]];
        let Some(j) = others.iter().position(|&w| w == u) else { return false };
        // Toward v or away from it.
        let toward = if others[(j + 1) % N] == v { 1 } else { N - 1 };
        if others[(j + toward) % N] != v {
            return false;
        }
        let label = |w: u32| labels[w as usize];
        let next = label(corners[(k + 2) % N]);
        let last = label(corners[(k + N - 1) % N]);
        let [at_u, at_v] = [label(u), label(v)];
        let wrap = |x: i32| x.rem_euclid(self.period);
        let expected = if N == 3 {
            let apex = [0, 1].map(|i| wrap(at_u[i] + at_v[i] - next[i]));
            [apex, apex]
        } else {
            [[0, 1].map(|i| wrap(2 * at_v[i] - next[i])), [0, 1].map(|i| wrap(2 * at_u[i] - last[i]))]
        };
        let beyond = [(j + 2 * toward) % N, (j + (N - 1) * toward) % N];
        beyond.into_iter().zip(expected).all(|(i, expected)| {
            let label = &mut labels[others[i] as usize];
            if *label == UNKNOWN {
                *label = expected;
            }
            *label == expected
        })
    }
}

/// The color of a triangle with these labels, or 0 if they are not those of a grid.
fn triangle_color(labels: [Label; 3]) -> u32 {
    let has = |x: i32| labels.iter().any(|label| label[0] == x % PERIOD);
    let color = labels.iter().find_map(|&[x, _]| match (has(x + 1), has(x + 2), has(x + 3)) {
        (true, _, true) => Some(x),
        (_, true, true) => Some(x + 7), // The corner (i + 1, j).
        _ => None,
    });
    color.map_or(0, |color| color.rem_euclid(PERIOD) as u32)
}

/// The color of a quad with these labels, or 0 if they are not those of a grid.
fn quad_color(labels: [Label; 4]) -> u32 {
    // Of the two values of a coordinate, the one that the other one follows.
    let [i, j] = [0, 1].map(|axis| {
        let has = |x: i32| labels.iter().any(|label| label[axis] == x % 3);
        labels.iter().map(|label| label[axis]).find(|&x| has(x + 1)).unwrap_or(0)
    });
    (i.max(0) + 3 * j.max(0)) as u32
}
