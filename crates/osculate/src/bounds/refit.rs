//! Bounds of every node of a hierarchy for one step, from the leaves up.

use super::{Slabs, Sweep, Wide};
use crate::hierarchy::{Child, Hierarchy, WIDTH};
use crate::motion::Line;
use rayon::prelude::*;

/// Nodes below this number are not worth a task of their own.
const PARALLEL: usize = 2048;

/// The bounds of the nodes of one body; kept between steps so that nothing is allocated again.
#[derive(Clone, Debug)]
pub(crate) struct Bounds<const N: usize> {
    vertices: Vec<Slabs<N>>,
    nodes: Vec<Wide<N>>,
    root: Slabs<N>,
}

impl<const N: usize> Default for Bounds<N> {
    fn default() -> Self {
        Bounds { vertices: Vec::new(), nodes: Vec::new(), root: Slabs::EMPTY }
    }
}

impl<const N: usize> Bounds<N> {
    /// Bounds of the whole body.
    pub(crate) fn root(&self) -> &Slabs<N> {
        &self.root
    }

    #[inline(always)]
    pub(crate) fn node(&self, node: u32) -> &Wide<N> {
        &self.nodes[node as usize]
    }

    /// Makes the bounds those of the given part of the step, widened by `margin`.
    ///
    /// `lines` are the vertices of the body. A triangle is bounded by its vertices, as each of its points is a
    /// combination of them at every t.
    pub(crate) fn refit(
        &mut self,
        hierarchy: &Hierarchy,
        triangles: &[[u32; 3]],
        lines: &[Line],
        sweep: Sweep,
        margin: f64,
    ) {
        self.vertices.resize(lines.len(), Slabs::EMPTY);
        self.vertices.par_iter_mut().with_min_len(PARALLEL).zip(lines).for_each(|(slabs, line)| {
            *slabs = sweep.of_vertex(line.ends(), margin);
        });
        self.nodes.resize(hierarchy.n_nodes(), Wide::EMPTY);
        self.root = if self.nodes.is_empty() {
            Slabs::EMPTY
        } else {
            refit_below(hierarchy, triangles, &self.vertices, 0, &mut self.nodes)
        };
    }
}

/// Sets the bounds of `node` and all nodes below it, `nodes`, and returns the bounds of them all.
fn refit_below<const N: usize>(
    hierarchy: &Hierarchy,
    triangles: &[[u32; 3]],
    vertices: &[Slabs<N>],
    node: u32,
    nodes: &mut [Wide<N>],
) -> Slabs<N> {
    if nodes.len() < PARALLEL {
        // Children stand behind their parents, so a walk from the end meets them first.
        for i in (0..nodes.len()).rev() {
            let mut wide = Wide::EMPTY;
            for lane in 0..WIDTH {
                match hierarchy.child(node + i as u32, lane) {
                    Child::None => {}
                    Child::Triangle(t) => wide.set_lane(lane, &of_triangle(triangles, vertices, t)),
                    Child::Node(child) => wide.set_lane(lane, &joined(&nodes[(child - node) as usize])),
                }
            }
            nodes[i] = wide;
        }
        return joined(&nodes[0]);
    }
    let (wide, mut below) = nodes.split_first_mut().expect("a node has itself below it");
    let mut parts = Vec::with_capacity(WIDTH);
    for lane in 0..WIDTH {
        if let Child::Node(child) = hierarchy.child(node, lane) {
            let (part, rest) = below.split_at_mut((hierarchy.end(child) - child) as usize);
            parts.push((lane, child, part));
            below = rest;
        }
    }
    let of_parts: Vec<(usize, Slabs<N>)> = parts
        .into_par_iter()
        .map(|(lane, child, part)| (lane, refit_below(hierarchy, triangles, vertices, child, part)))
        .collect();
    *wide = Wide::EMPTY;
    for (lane, slabs) in of_parts {
        wide.set_lane(lane, &slabs);
    }
    for lane in 0..WIDTH {
        if let Child::Triangle(t) = hierarchy.child(node, lane) {
            wide.set_lane(lane, &of_triangle(triangles, vertices, t));
        }
    }
    joined(wide)
}

#[inline(always)]
fn of_triangle<const N: usize>(triangles: &[[u32; 3]], vertices: &[Slabs<N>], triangle: u32) -> Slabs<N> {
    let [a, b, c] = triangles[triangle as usize];
    vertices[a as usize].join(&vertices[b as usize]).join(&vertices[c as usize])
}

#[inline(always)]
fn joined<const N: usize>(wide: &Wide<N>) -> Slabs<N> {
    let mut all = Slabs::EMPTY;
    for i in 0..N {
        for lane in 0..WIDTH {
            all.lo[i] = if wide.lo[i][lane] < all.lo[i] { wide.lo[i][lane] } else { all.lo[i] };
            all.hi[i] = if all.hi[i] < wide.hi[i][lane] { wide.hi[i][lane] } else { all.hi[i] };
        }
    }
    all
}
