//! Refits the bounds of every node of a hierarchy for one step, bottom-up.
//!
//! Refitting also measures the looseness of the bounds: the sum of the surface areas of all slots
//! with nodes, over that of the slots with triangles. By the surface-area heuristic the first is
//! the cost of a traversal; the second does not depend on the tree and makes the ratio
//! dimensionless. It grows as a body deforms away from the pose of the build.

use super::{Projection, Reach, Row, Slabs, Sweep, Wide};
use crate::hierarchy::{Child, Hierarchy, WIDTH};
use crate::motion::Line;
use crate::threads;

/// Subtrees of fewer nodes are not refitted in parallel.
const PARALLEL: usize = 2048;

/// The bounds of the nodes of one body; kept between steps to avoid allocation.
#[derive(Clone, Debug)]
pub(crate) struct Bounds<const N: usize> {
    vertices: Vertices<N>,
    nodes: Vec<Wide<N>>,
    /// For each node, the union of its children.
    joined: Vec<Slabs<N>>,
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
        self.joined.first().copied().unwrap_or(Slabs::EMPTY)
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
        self.joined.resize(n_nodes, Slabs::EMPTY);
        if n_nodes == 0 {
            return f64::NAN;
        }
        let part = Part { first: 0, nodes: &mut self.nodes, joined: &mut self.joined };
        let areas = part.refit(hierarchy, &self.vertices, &projection);
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
    joined: &'a mut [Slabs<N>],
}

impl<const N: usize> Part<'_, N> {
    /// Refits the bounds; returns the areas of the slots.
    fn refit(mut self, hierarchy: &Hierarchy, vertices: &Vertices<N>, projection: &Projection<N>) -> Areas {
        let mut areas = Areas::default();
        if self.nodes.len() < PARALLEL {
            // Children come after their parents, so a pass from the end meets them first.
            for i in (0..self.nodes.len()).rev() {
                self.refit_node(hierarchy, vertices, projection, i, &mut areas);
            }
            return areas;
        }
        let (mut nodes, mut joined) = (&mut self.nodes[1..], &mut self.joined[1..]);
        let mut parts = Vec::with_capacity(WIDTH);
        for lane in 0..WIDTH {
            if let Child::Node(child) = hierarchy.child(self.first, lane) {
                let n = (hierarchy.end(child) - child) as usize;
                let ((part, rest), (joined_part, joined_rest)) =
                    (nodes.split_at_mut(n), joined.split_at_mut(n));
                parts.push(Part { first: child, nodes: part, joined: joined_part });
                (nodes, joined) = (rest, joined_rest);
            }
        }
        // In the order of the lanes, whichever finishes first: f64 sums depend on their order.
        for below in threads::map(parts, |part| part.refit(hierarchy, vertices, projection)) {
            areas.nodes += below.nodes;
            areas.triangles += below.triangles;
        }
        self.refit_node(hierarchy, vertices, projection, 0, &mut areas);
        areas
    }

    /// Sets the bounds of the `i`th node of the part from those of its children, and adds the areas
    /// of its slots.
    #[inline(always)]
    fn refit_node(
        &mut self,
        hierarchy: &Hierarchy,
        vertices: &Vertices<N>,
        projection: &Projection<N>,
        i: usize,
        areas: &mut Areas,
    ) {
        let node = self.first + i as u32;
        let mut corners = hierarchy.corners_below(node);
        let (wide, mut all) = (&mut self.nodes[i], Slabs::EMPTY);
        let (mut holds_node, mut holds_triangle) = ([false; WIDTH], [false; WIDTH]);
        for lane in 0..WIDTH {
            let slabs = match hierarchy.child(node, lane) {
                Child::None => Slabs::EMPTY,
                Child::Triangle(_) => {
                    let (&triangle, rest) = corners.split_first().expect("a leaf has a triangle");
                    corners = rest;
                    holds_triangle[lane] = true;
                    let (lo, hi) = (vertices.lo(triangle), vertices.hi(triangle));
                    projection.join(lo, hi)
                }
                Child::Node(child) => {
                    corners = &corners[hierarchy.triangles_below(child).len()..];
                    holds_node[lane] = true;
                    self.joined[(child - self.first) as usize]
                }
            };
            wide.set_lane(lane, &slabs);
            all = all.join(&slabs);
        }
        self.joined[i] = all;
        for (lane, area) in wide.half_areas().into_iter().enumerate() {
            areas.nodes += if holds_node[lane] { f64::from(area) } else { 0.0 };
            areas.triangles += if holds_triangle[lane] { f64::from(area) } else { 0.0 };
        }
    }
}

/// The bounds of the vertices, in the order of the hierarchy.
#[derive(Clone, Debug, Default)]
struct Vertices<const N: usize> {
    lo: Vec<Row<N>>,
    /// Empty if equal to `lo`.
    hi: Vec<Row<N>>,
}

impl<const N: usize> Vertices<N> {
    fn set(&mut self, order: &[u32], lines: &[Line], projection: &Projection<N>) {
        let rows = |v: u32| projection.rows(lines[v as usize].ends());
        self.lo.resize(order.len(), Row([0.0; N]));
        self.hi.resize(if projection.is_single() { 0 } else { order.len() }, Row([0.0; N]));
        let his = self.hi.chunks_mut(PARALLEL).map(Some).chain(std::iter::repeat_with(|| None));
        let chunks = self.lo.chunks_mut(PARALLEL).zip(his).zip(order.chunks(PARALLEL));
        threads::for_each(chunks, |((lo, hi), order)| match hi {
            None => lo.iter_mut().zip(order).for_each(|(lo, &v)| [*lo, _] = rows(v)),
            Some(hi) => {
                lo.iter_mut().zip(hi).zip(order).for_each(|((lo, hi), &v)| [*lo, *hi] = rows(v));
            }
        });
    }

    #[inline(always)]
    fn lo(&self, [a, b, c]: [u32; 3]) -> [&Row<N>; 3] {
        [&self.lo[a as usize], &self.lo[b as usize], &self.lo[c as usize]]
    }

    #[inline(always)]
    fn hi(&self, [a, b, c]: [u32; 3]) -> [&Row<N>; 3] {
        let hi = if self.hi.is_empty() { &self.lo } else { &self.hi };
        [&hi[a as usize], &hi[b as usize], &hi[c as usize]]
    }
}
