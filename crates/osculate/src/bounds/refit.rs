//! Bounds of every node of a hierarchy for one step, from the leaves up.
//!
//! Refitting also tells how loose the bounds are: the sum of the surface areas of all slots that hold nodes, over that of the slots
//! that hold triangles. By the surface-area heuristic the first is what a walk costs; the second does not depend on the tree, and makes
//! a number of it that has no unit. It grows as a body deforms away from the pose that the tree was built at.

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

    /// Makes the bounds those of the given part of the step, widened by `margin`, and returns their looseness: NaN or infinite if triangles
    /// have no area. It is the same at any number of threads.
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
    ) -> f64 {
        self.vertices.resize(lines.len(), Slabs::EMPTY);
        self.vertices.par_iter_mut().with_min_len(PARALLEL).zip(lines).for_each(|(slabs, line)| {
            *slabs = sweep.of_vertex(line.ends(), margin);
        });
        self.nodes.resize(hierarchy.n_nodes(), Wide::EMPTY);
        let (root, areas) = if self.nodes.is_empty() {
            (Slabs::EMPTY, Areas::default())
        } else {
            refit_below(hierarchy, triangles, &self.vertices, 0, &mut self.nodes)
        };
        self.root = root;
        areas.nodes / areas.triangles
    }
}

/// The looseness of the bounds of a hierarchy at a pose.
pub(crate) fn looseness(hierarchy: &Hierarchy, triangles: &[[u32; 3]], pose: &[[f64; 3]]) -> f64 {
    let lines: Vec<Line> = pose.iter().map(|p| Line::new(p, p)).collect();
    Bounds::<3>::default().refit(hierarchy, triangles, &lines, Sweep::Start, 0.0)
}

/// Sums of half surface areas of slots.
#[derive(Clone, Copy, Default)]
struct Areas {
    /// Those that hold nodes.
    nodes: f64,
    /// Those that hold triangles.
    triangles: f64,
}

/// Sets the bounds of `node` and all nodes below it, `nodes`; returns the bounds of them all, and the areas of their slots.
fn refit_below<const N: usize>(
    hierarchy: &Hierarchy,
    triangles: &[[u32; 3]],
    vertices: &[Slabs<N>],
    node: u32,
    nodes: &mut [Wide<N>],
) -> (Slabs<N>, Areas) {
    let mut areas = Areas::default();
    if nodes.len() < PARALLEL {
        // Children stand behind their parents, so a walk from the end meets them first.
        for i in (0..nodes.len()).rev() {
            let mut wide = Wide::EMPTY;
            for lane in 0..WIDTH {
                match hierarchy.child(node + i as u32, lane) {
                    Child::None => {}
                    Child::Triangle(t) => {
                        let slabs = of_triangle(triangles, vertices, t);
                        areas.triangles += f64::from(slabs.half_area());
                        wide.set_lane(lane, &slabs);
                    }
                    Child::Node(child) => {
                        let slabs = joined(&nodes[(child - node) as usize]);
                        areas.nodes += f64::from(slabs.half_area());
                        wide.set_lane(lane, &slabs);
                    }
                }
            }
            nodes[i] = wide;
        }
        return (joined(&nodes[0]), areas);
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
    // In the order of the lanes, whichever is done first: sums of f64 depend on their order.
    let of_parts: Vec<(usize, (Slabs<N>, Areas))> = parts
        .into_par_iter()
        .map(|(lane, child, part)| (lane, refit_below(hierarchy, triangles, vertices, child, part)))
        .collect();
    *wide = Wide::EMPTY;
    for (lane, (slabs, below)) in of_parts {
        areas.nodes += below.nodes + f64::from(slabs.half_area());
        areas.triangles += below.triangles;
        wide.set_lane(lane, &slabs);
    }
    for lane in 0..WIDTH {
        if let Child::Triangle(t) = hierarchy.child(node, lane) {
            let slabs = of_triangle(triangles, vertices, t);
            areas.triangles += f64::from(slabs.half_area());
            wide.set_lane(lane, &slabs);
        }
    }
    (joined(wide), areas)
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
