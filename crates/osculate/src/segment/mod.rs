//! The surface of a model at a pose: intersections with segments, and winding numbers, decided by
//! exact signs; closest points and ray casts.

mod nearest;
mod passage;
mod ray;
mod winding;

pub use nearest::SurfacePoint;
pub(crate) use nearest::closest_on_segment;
pub use passage::Passage;
pub use ray::RayHit;

use crate::Mesh;
use crate::bounds::{Bounds, Projection, Reach, Slabs, Sweep};
use crate::hierarchy::{Child, Hierarchy, WIDTH};
use crate::math::orient::Point;
use crate::math::vector::minus;
use crate::motion::Line;
use std::borrow::Cow;
use std::ops::ControlFlow;

/// The reach of bounds at one pose. Nothing is widened, since every step from a point to its bound
/// is monotone.
const AT_REST: Reach = Reach { sweep: Sweep::Start, margin: 0.0, largest: 0.0 };

/// A model at a pose, prepared for segment intersections and winding numbers.
///
/// ```
/// use osculate::segment::Passage;
/// use osculate::{Mesh, Model};
/// use std::ops::ControlFlow;
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let model = Model::new(Mesh::new(faces, 4)?, &corners)?;
///
/// let segments = model.segments(&corners)?;
/// let mut met = Vec::new();
/// let _ = segments.crossings([0.1, 0.1, -1.0], [0.1, 0.1, 0.2], |triangle, passage| {
///     met.push((triangle, passage));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(met, [(0, Passage::Inward)]);
/// assert_eq!(segments.winding_outside(3, |_| true), Some(0));
/// # Ok::<(), osculate::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Segments<'a> {
    mesh: &'a Mesh,
    hierarchy: &'a Hierarchy,
    posed: Cow<'a, Posed>,
}

/// A pose, its bounds, and its bounding box.
#[derive(Clone, Debug)]
pub(crate) struct Posed {
    pose: Vec<Point>,
    bounds: Bounds<3>,
    extent: [Point; 2],
}

impl Posed {
    pub(crate) fn new(hierarchy: &Hierarchy, pose: Vec<Point>) -> Posed {
        let lines: Vec<Line> = pose.iter().map(|p| Line::new(p, p)).collect();
        let mut bounds = Bounds::default();
        bounds.refit(hierarchy, &lines, AT_REST);
        let mut extent = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for p in &pose {
            for i in 0..3 {
                extent[0][i] = extent[0][i].min(p[i]);
                extent[1][i] = extent[1][i].max(p[i]);
            }
        }
        Posed { pose, bounds, extent }
    }

    /// By how much the bounds of nodes must be enlarged to contain the surface, and to allow for
    /// the rounding of their distances from a point on each axis: a coordinate is rounded to f32,
    /// which moves it by 2^-24 of its magnitude at most, and distances to f64. Infinite, so that
    /// all bounds are met, if a coordinate may be beyond the range of f32.
    #[inline(always)]
    fn slack(&self, point: Point) -> f64 {
        let mut largest = 0.0_f64;
        for x in self.extent.as_flattened() {
            largest = largest.max(x.abs());
        }
        for x in point {
            largest = largest.max(x.abs() * (4.0 * f64::EPSILON / f64::from(f32::EPSILON)));
        }
        if f64::from(f32::MAX) <= largest {
            return f64::INFINITY;
        }
        f64::from(f32::EPSILON) * largest + f64::from(f32::MIN_POSITIVE)
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.pose.as_slice()) + self.bounds.memory_bytes()
    }
}

impl<'a> Segments<'a> {
    /// A mesh with a hierarchy, at a validated pose.
    pub(crate) fn new(mesh: &'a Mesh, hierarchy: &'a Hierarchy, posed: Cow<'a, Posed>) -> Segments<'a> {
        Segments { mesh, hierarchy, posed }
    }

    /// Calls `visit` with each triangle that intersects the closed segment, and how the segment
    /// passes it, until `visit` breaks. Returns whether it did.
    ///
    /// The order depends only on the hierarchy. Guarantee: exactly these triangles, each once,
    /// including degenerate segments and triangles. A segment with a non-finite end intersects
    /// nothing.
    pub fn crossings(
        &self,
        from: [f64; 3],
        to: [f64; 3],
        visit: impl FnMut(u32, Passage) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.crossings_of(from, to, |_| true, visit)
    }

    /// The same, for the triangles for which `only` holds.
    fn crossings_of(
        &self,
        from: [f64; 3],
        to: [f64; 3],
        only: impl Fn(u32) -> bool,
        mut visit: impl FnMut(u32, Passage) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !from.iter().chain(&to).all(|x| x.is_finite()) || self.hierarchy.n_nodes() == 0 {
            return ControlFlow::Continue(());
        }
        let probe = Probe::new(from, to);
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            let wide = self.posed.bounds.node(node);
            let near = wide.overlaps(&probe.bounds);
            for lane in (0..WIDTH).filter(|lane| near >> lane & 1 == 1) {
                if probe.passes(&wide.lane(lane)) {
                    match self.hierarchy.child(node, lane) {
                        Child::None => {}
                        Child::Node(child) => stack.push(child),
                        Child::Triangle(triangle) => {
                            if only(triangle)
                                && let Some(passage) = Passage::of(&from, &to, &self.corners(triangle))
                            {
                                visit(triangle, passage)?;
                            }
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The bounding box of the vertices.
    pub(crate) fn extent(&self) -> [Point; 2] {
        self.posed.extent
    }

    /// The positions of the corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> [Point; 3] {
        self.mesh.triangles()[triangle as usize].map(|v| self.posed.pose[v as usize])
    }
}

/// A segment, prepared for comparison with bounds.
struct Probe {
    from: Point,
    direction: Point,
    bounds: Slabs<3>,
}

impl Probe {
    fn new(from: Point, to: Point) -> Probe {
        // Its ends, as if it were the path of a point.
        let path = Projection::<3>::new(Reach { sweep: Sweep::Until(1.0), ..AT_REST });
        let [lo, hi] = path.rows([from, to]);
        Probe { from, direction: minus(to, from), bounds: Slabs { lo: lo.0, hi: hi.0 } }
    }

    /// Returns `false` only if a plane that contains the direction of the segment and one of the
    /// axes separates the segment from the bounds.
    ///
    /// Along the normal `axis x d` of such a plane, with c from the start to the center of the box
    /// and h its half extents, they are separated if `|c_j d_k - c_k d_j| > h_j |d_k| + h_k |d_j|`.
    /// The box is enlarged by one ulp of f32, since bounds are rounded to nearest. With m the sum
    /// of the magnitudes of all coordinates in c and h, each of the four products passes through at
    /// most 8 roundings, so that 16 u of `m_j |d_k| + m_k |d_j|` exceeds all errors; the last term
    /// covers underflow. On overflow, the comparison fails.
    fn passes(&self, bounds: &Slabs<3>) -> bool {
        let [lo, hi] =
            [bounds.lo.map(|x| f64::from(x.next_down())), bounds.hi.map(|x| f64::from(x.next_up()))];
        let d = self.direction;
        let middle = [0, 1, 2].map(|i| 0.5 * (lo[i] + hi[i]) - self.from[i]);
        let half = [0, 1, 2].map(|i| 0.5 * (hi[i] - lo[i]));
        let sizes = [0, 1, 2].map(|i| lo[i].abs() + hi[i].abs() + self.from[i].abs());
        (0..3).all(|axis| {
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            let offset = (middle[j] * d[k] - middle[k] * d[j]).abs();
            let reach = half[j] * d[k].abs() + half[k] * d[j].abs();
            let error = 8.0 * f64::EPSILON * (sizes[j] * d[k].abs() + sizes[k] * d[j].abs());
            let is_apart = reach + error + f64::MIN_POSITIVE < offset;
            !is_apart
        })
    }
}

#[cfg(test)]
mod tests;
