//! Refits the bounds of every node of a hierarchy for one step, bottom-up.
//!
//! Refitting also measures the looseness of the bounds: the sum of the surface areas of all slots
//! with nodes, over that of the slots with triangles. By the surface-area heuristic the first is
//! the cost of a traversal; the second does not depend on the tree and makes the ratio
//! dimensionless. It grows as a body deforms away from the pose of the build.

use super::quads::{MOST, Quad, Sides, n_quads, pack, set_lanes, unpack};
use super::{Projection, Reach, Slabs, Sweep, Wide};
use crate::hierarchy::{Child, Hierarchy, WIDTH};
use crate::math::dispatch::dispatch;
use crate::motion::Line;
use crate::threads;
use fearless_simd::{Level, Simd};

/// Subtrees of fewer nodes are not refitted in parallel.
const PARALLEL: usize = 2048;

/// The bounds of the nodes of one body; kept between steps to avoid allocation.
#[derive(Clone, Debug)]
pub(crate) struct Bounds<const N: usize> {
    vertices: Vertices<N>,
    nodes: Vec<Wide<N>>,
    /// For each node, the union of its children: the quads of its lower sides, then of its upper
    /// ones.
    joined: Vec<Quad>,
    /// What they were made for, if the body rests, and their looseness.
    made_for: Option<(AtRest, f64)>,
}

/// A body that rests at a pose: its version, the margin and the largest coordinate. Its bounds are
/// valid for every part of every step in which it rests there, whichever part they were made for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AtRest(u64, f64, f64);

impl<const N: usize> Default for Bounds<N> {
    fn default() -> Self {
        Bounds { vertices: Vertices::default(), nodes: Vec::new(), joined: Vec::new(), made_for: None }
    }
}

impl<const N: usize> Bounds<N> {
    /// Heap memory of the bounds in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.vertices.lo.as_slice())
            + size_of_val(self.vertices.hi.as_slice())
            + size_of_val(self.nodes.as_slice())
            + size_of_val(self.joined.as_slice())
    }

    /// Bounds of the whole body.
    pub(crate) fn root(&self) -> Slabs<N> {
        match self.joined.get(..2 * n_quads(N)) {
            Some(of_root) => unpack(&of_root[..n_quads(N)], &of_root[n_quads(N)..]),
            None => Slabs::EMPTY,
        }
    }

    #[inline(always)]
    pub(crate) fn node(&self, node: u32) -> &Wide<N> {
        &self.nodes[node as usize]
    }

    /// Refits all bounds and returns their looseness: NaN or infinite if triangles have no area. It
    /// does not depend on the number of threads.
    ///
    /// `lines` are the vertices of the body. A triangle is bounded by its vertices, since each of
    /// its points is a convex combination of them at every t.
    pub(crate) fn refit(&mut self, hierarchy: &Hierarchy, lines: &[Line], reach: Reach) -> f64 {
        self.made_for = None;
        let projection = Projection::new(reach);
        self.vertices.set(hierarchy.vertices(), lines, &projection);
        let n_nodes = hierarchy.n_nodes();
        self.nodes.resize(n_nodes, Wide::EMPTY);
        self.joined.resize(2 * n_quads(N) * n_nodes, Quad::ZERO);
        if n_nodes == 0 {
            return f64::NAN;
        }
        let part = Part { first: 0, nodes: &mut self.nodes, joined: &mut self.joined };
        let mut widen = [Quad::ZERO; MOST];
        pack(&projection.widening(), &mut widen);
        let areas = part.refit(hierarchy, &self.vertices, &widen);
        areas.nodes / areas.triangles
    }

    /// The same, but if the body rests, and these are its bounds at this version of its pose,
    /// nothing is done. The hierarchy must be the same in all calls.
    pub(crate) fn refit_if_changed(
        &mut self,
        hierarchy: &Hierarchy,
        lines: &[Line],
        reach: Reach,
        resting: Option<u64>,
    ) -> f64 {
        let made_for = resting.map(|version| AtRest(version, reach.margin, reach.largest));
        if let Some((known, looseness)) = self.made_for
            && made_for == Some(known)
        {
            return looseness;
        }
        let looseness = self.refit(hierarchy, lines, reach);
        self.made_for = made_for.map(|made_for| (made_for, looseness));
        looseness
    }
}

/// The looseness of the bounds of a hierarchy at a pose.
pub(crate) fn looseness(hierarchy: &Hierarchy, pose: &[[f64; 3]]) -> f64 {
    let lines: Vec<Line> = pose.iter().map(|p| Line::new(p, p)).collect();
    Bounds::<3>::default().refit(hierarchy, &lines, Reach { sweep: Sweep::Start, margin: 0.0, largest: 0.0 })
}

/// Sums of half surface areas of slots.
#[derive(Clone, Copy, Default)]
struct Areas {
    /// Slots with nodes.
    nodes: f64,
    /// Slots with triangles.
    triangles: f64,
}

/// A node and all nodes below it.
struct Part<'a, const N: usize> {
    first: u32,
    nodes: &'a mut [Wide<N>],
    joined: &'a mut [Quad],
}

impl<const N: usize> Part<'_, N> {
    /// Refits the bounds, widened on each axis; returns the areas of the slots.
    fn refit(mut self, hierarchy: &Hierarchy, vertices: &Vertices<N>, widen: &[Quad; MOST]) -> Areas {
        if self.nodes.len() < PARALLEL {
            return dispatch!(Level::new(), simd => {
                let mut areas = Areas::default();
                // Children come after their parents, so a pass from the end meets them first.
                for i in (0..self.nodes.len()).rev() {
                    self.refit_node(simd, hierarchy, vertices, widen, i, &mut areas);
                }
                areas
            });
        }
        let mut areas = Areas::default();
        let (mut nodes, mut joined) = (&mut self.nodes[1..], &mut self.joined[2 * n_quads(N)..]);
        let mut parts = Vec::with_capacity(WIDTH);
        for lane in 0..WIDTH {
            if let Child::Node(child) = hierarchy.child(self.first, lane) {
                let n = (hierarchy.end(child) - child) as usize;
                let ((part, rest), (joined_part, joined_rest)) =
                    (nodes.split_at_mut(n), joined.split_at_mut(2 * n_quads(N) * n));
                parts.push(Part { first: child, nodes: part, joined: joined_part });
                (nodes, joined) = (rest, joined_rest);
            }
        }
        // In the order of the lanes, whichever finishes first: f64 sums depend on their order.
        for below in threads::map(parts, |part| part.refit(hierarchy, vertices, widen)) {
            areas.nodes += below.nodes;
            areas.triangles += below.triangles;
        }
        dispatch!(Level::new(), simd => self.refit_node(simd, hierarchy, vertices, widen, 0, &mut areas));
        areas
    }

    /// Sets the bounds of the `i`th node of the part from those of its children, and adds the areas
    /// of its slots.
    #[inline(always)]
    fn refit_node<S: Simd>(
        &mut self,
        simd: S,
        hierarchy: &Hierarchy,
        vertices: &Vertices<N>,
        widen: &[Quad; MOST],
        i: usize,
        areas: &mut Areas,
    ) {
        let (node, n) = (self.first + i as u32, n_quads(N));
        let mut corners = hierarchy.corners_below(node);
        let mut all = Sides::empty(simd);
        let mut children = [all; WIDTH];
        let (mut holds_node, mut holds_triangle) = ([false; WIDTH], [false; WIDTH]);
        for lane in 0..WIDTH {
            children[lane] = match hierarchy.child(node, lane) {
                Child::None => continue,
                Child::Triangle(_) => {
                    let (&triangle, rest) = corners.split_first().expect("a leaf has a triangle");
                    corners = rest;
                    holds_triangle[lane] = true;
                    vertices.around(simd, triangle).widen::<N>(simd, widen)
                }
                Child::Node(child) => {
                    corners = &corners[hierarchy.range(child).len()..];
                    holds_node[lane] = true;
                    let (lo, hi) = self.joined[2 * n * (child - self.first) as usize..][..2 * n].split_at(n);
                    Sides::load::<N>(simd, lo, hi)
                }
            };
            all = all.join::<N>(&children[lane]);
        }
        let (lo, hi) = self.joined[2 * n * i..][..2 * n].split_at_mut(n);
        all.store::<N>(lo, hi);
        let of_lanes = set_lanes(simd, &children, &mut self.nodes[i]);
        areas.nodes += sum(holds_node, of_lanes);
        areas.triangles += sum(holds_triangle, of_lanes);
    }
}

/// The sum of the areas of some slots; those of empty slots are not finite.
#[inline(always)]
fn sum(which: [bool; WIDTH], areas: [f32; WIDTH]) -> f64 {
    let mut counted = [0.0; WIDTH];
    for lane in 0..WIDTH {
        counted[lane] = if which[lane] { f64::from(areas[lane]) } else { 0.0 };
    }
    (counted[0] + counted[1]) + (counted[2] + counted[3])
}

/// The bounds of the vertices in quads, in the order of the hierarchy.
#[derive(Clone, Debug, Default)]
struct Vertices<const N: usize> {
    lo: Vec<Quad>,
    /// Empty if equal to `lo`.
    hi: Vec<Quad>,
}

impl<const N: usize> Vertices<N> {
    fn set(&mut self, order: &[u32], lines: &[Line], projection: &Projection<N>) {
        let n = n_quads(N);
        self.lo.resize(n * order.len(), Quad::ZERO);
        self.hi.resize(if projection.is_single() { 0 } else { n * order.len() }, Quad::ZERO);
        let his = self.hi.chunks_mut(n * PARALLEL).map(Some).chain(std::iter::repeat_with(|| None));
        let chunks = self.lo.chunks_mut(n * PARALLEL).zip(his).zip(order.chunks(PARALLEL));
        threads::for_each(chunks, |((lo, hi), order)| {
            dispatch!(Level::new(), _simd => fill(order, lines, projection, lo, hi));
        });
    }

    /// The bounds of a triangle.
    #[inline(always)]
    fn around<S: Simd>(&self, simd: S, corners: [u32; 3]) -> Sides<S> {
        let n = n_quads(N);
        let hi = if self.hi.is_empty() { &self.lo } else { &self.hi };
        let of = |corner: u32| {
            let at = n * corner as usize..n * (corner as usize + 1);
            Sides::load::<N>(simd, &self.lo[at.clone()], &hi[at])
        };
        let [a, b, c] = corners;
        of(a).join::<N>(&of(b)).join::<N>(&of(c))
    }
}

/// Sets the bounds of vertices. Without `hi`, these are equal to the lower ones.
#[inline(always)]
fn fill<const N: usize>(
    order: &[u32],
    lines: &[Line],
    projection: &Projection<N>,
    lo: &mut [Quad],
    hi: Option<&mut [Quad]>,
) {
    let lo = lo.chunks_exact_mut(n_quads(N));
    match hi {
        None if projection.is_line() => {
            for (lo, &v) in lo.zip(order) {
                let ends = projection.line(&lines[v as usize].0);
                (lo[0], lo[1]) = (Quad(ends[0]), Quad(ends[1]));
            }
        }
        None => {
            for (lo, &v) in lo.zip(order) {
                pack(&projection.rows(lines[v as usize].ends())[0], lo);
            }
        }
        Some(hi) => {
            for ((lo, hi), &v) in lo.zip(hi.chunks_exact_mut(n_quads(N))).zip(order) {
                let [below, above] = projection.rows(lines[v as usize].ends());
                pack(&below, lo);
                pack(&above, hi);
            }
        }
    }
}
