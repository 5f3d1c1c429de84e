//! The cones of all nodes of a hierarchy: of the triangles, eight at once, then bottom-up.

use super::super::fold::fold;
use super::Cone;
use crate::hierarchy::Hierarchy;
use crate::math::dispatch::dispatch;
use crate::math::real::Lanes;
use crate::motion::Line;
use crate::threads;
use fearless_simd::{Level, Simd, SimdBase, f64x8};

/// Triangles per task.
const PARALLEL: usize = 4096;

/// Triangles per vector.
const LANES: usize = 8;

/// The normal cones of the nodes of one body; kept between steps to avoid allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cones {
    /// In depth-first order.
    pub(super) triangles: Vec<Cone>,
    pub(super) nodes: Vec<Cone>,
}

impl Cones {
    /// Computes the cones of all nodes for the motion of the vertices. They do not depend on the
    /// number of threads.
    pub(crate) fn refit(&mut self, hierarchy: &Hierarchy, lines: &[Line]) {
        let corners = hierarchy.corners();
        self.triangles.resize(corners.len(), Cone::FULL);
        let tasks = self.triangles.chunks_mut(PARALLEL).zip(corners.chunks(PARALLEL));
        threads::for_each(tasks, |(cones, corners)| {
            dispatch!(Level::new(), simd => of_triangles(simd, hierarchy.vertices(), lines, corners, cones));
        });
        fold(hierarchy, &mut self.nodes, Cone::FULL, &self.triangles, &merge_all);
    }

    /// Returns the cone of a node, or `None` if none is proven to be below 90 degrees. For every
    /// triangle below the node and every t in [0, 1] the product of normal and axis is positive.
    #[inline(always)]
    pub(crate) fn cone(&self, node: u32) -> Option<Cone> {
        self.nodes[node as usize].narrow()
    }

    /// Heap memory of the cones in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.triangles.as_slice()) + size_of_val(self.nodes.as_slice())
    }
}

/// Computes the cones of triangles whose corners index `vertices`.
#[inline(always)]
fn of_triangles<S: Simd>(
    simd: S,
    vertices: &[u32],
    lines: &[Line],
    corners: &[[u32; 3]],
    cones: &mut [Cone],
) {
    let zero = Lanes(f64x8::<S>::splat(simd, 0.0));
    for (corners, cones) in corners.chunks(LANES).zip(cones.chunks_mut(LANES)) {
        let mut points = [[[zero; 3]; 2]; 3];
        for k in 0..3 {
            // The last vector is padded with copies of the last triangle.
            let mut rows = [&lines[0].0; LANES];
            for lane in 0..LANES {
                let corner = corners[lane.min(corners.len() - 1)][k];
                rows[lane] = &lines[vertices[corner as usize] as usize].0;
            }
            for t in 0..2 {
                for axis in 0..3 {
                    points[k][t][axis] = Lanes(f64x8::<S>::from_fn(simd, |lane| rows[lane][4 * t + axis]));
                }
            }
        }
        let Cone { axis: [x, y, z], cos, sin } = Cone::around_triangle(points);
        let (x, y, z, cos, sin) =
            (x.0.as_slice(), y.0.as_slice(), z.0.as_slice(), cos.0.as_slice(), sin.0.as_slice());
        for (i, cone) in cones.iter_mut().enumerate() {
            *cone = Cone { axis: [x[i], y[i], z[i]], cos: cos[i], sin: sin[i] };
        }
    }
}

/// Returns a cone that contains one to four cones; merges pairs first, so that two merges are
/// independent.
#[inline(always)]
fn merge_all(children: &[Cone]) -> Cone {
    match children {
        [] => Cone::FULL,
        [a] => *a,
        [a, b] => a.merge(b),
        [a, b, c] => a.merge(b).merge(c),
        [a, b, c, d, ..] => a.merge(b).merge(&c.merge(d)),
    }
}
