//! Loop subdivision surfaces, whose control points are the parameters of a pose.

use super::governors::SUM_TOLERANCE;
use super::loop_rules::{Fine, check_manifold};
use super::{Affine, Deformer, Governors, Pose, check_finite};
use crate::Error;
use crate::fault::check_triangles;
use std::borrow::Cow;

/// Number of parameters of a control point.
const PER_POINT: usize = 3;

/// A Loop subdivision surface: a fine mesh whose vertices are convex combinations of the control
/// points of a coarse one.
///
/// Any number of levels, also none. At inner vertices the weights are those of Warren; on the rim,
/// subdivision is that of cubic B-splines, also at corners, which are rounded. Control points
/// without triangles stay loose vertices.
///
/// The position of a vertex is defined by the f64 operations that compute it: the sum of its
/// weighted control points, in the order of the control points.
///
/// ```
/// use osculate::deformer::LoopSurface;
/// use osculate::{Mesh, Model, Query, World};
/// use std::sync::Arc;
///
/// let control = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// let surface = LoopSurface::new(&[[0, 1, 2], [0, 2, 3]], &control, 3)?;
/// let mesh = Mesh::new(surface.triangles().to_vec(), surface.rest().len())?;
/// let model = Arc::new(Model::new(mesh, surface.rest())?.with_deformer(surface.clone())?);
///
/// let mut world = World::new();
/// let lower = world.add(model.clone(), surface.pose(&control))?;
/// let upper = world.add(model, surface.pose(&control.map(|[x, y, _]| [x, y, 1.0])))?;
/// let below = control.map(|[x, y, _]| [x + 0.1, y + 0.1, -1.0]);
/// let report = world.contacts(&[(upper, surface.pose(&below))], &Query::all())?;
/// assert!(report.found.iter().all(|contact| contact.lo <= 0.5 && 0.5 <= contact.hi));
/// assert_ne!(report.count, 0);
/// # Ok::<(), osculate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LoopSurface {
    control_triangles: Vec<[u32; 3]>,
    levels: usize,
    triangles: Vec<[u32; 3]>,
    /// Their anchors are the control points at rest.
    governors: Governors,
}

impl LoopSurface {
    /// Returns the surface of a control mesh after some levels of subdivision, each of which splits
    /// every triangle into four.
    ///
    /// Fails if a triangle has a corner that does not exist or is repeated, with the first edge or
    /// control point at which the triangles are not a manifold, with the first control point that
    /// is not finite, and if there would be more than 2^28 weights.
    pub fn new(triangles: &[[u32; 3]], control: &[[f64; 3]], levels: usize) -> Result<LoopSurface, Error> {
        check_triangles(triangles, control.len())?;
        check_finite(control.iter().zip(control))?;
        check_manifold(triangles, control.len())?;
        check_range(control)?;
        let mut fine = Fine::control(triangles, control.len());
        for level in 1..=levels {
            if fine.triangles.is_empty() {
                break;
            }
            fine = fine.subdivided(level)?;
        }
        let rest: Vec<[f64; 3]> = fine.rows.iter().map(|row| combined(row, |k| control[k])).collect();
        let governors = Governors::new(control.len(), &rest, fine.rows)?.with_anchors(control.to_vec());
        let control_triangles = triangles.to_vec();
        Ok(LoopSurface { control_triangles, levels, triangles: fine.triangles, governors })
    }

    /// The triangles of the control mesh.
    #[must_use]
    pub fn control_triangles(&self) -> &[[u32; 3]] {
        &self.control_triangles
    }

    /// Number of levels of subdivision.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// The triangles of the fine mesh. Each level replaces a triangle in its place by four: those
    /// at its three corners, in order, and the middle one.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The vertices of the fine mesh at rest.
    #[must_use]
    pub fn rest(&self) -> &[[f64; 3]] {
        self.governors.rest()
    }

    /// The control points at rest.
    #[must_use]
    pub fn control(&self) -> &[[f64; 3]] {
        self.governors.anchors().unwrap_or_default()
    }

    /// The control points of a vertex, ascending, with their weights, which are positive and sum to
    /// one up to rounding.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn influences(&self, vertex: usize) -> &[(u32, f64)] {
        self.governors.influences(vertex)
    }

    /// The pose with the given control points.
    #[must_use]
    pub fn pose<'a>(&self, control: &'a [[f64; 3]]) -> Pose<'a> {
        Pose::parameters(control.as_flattened())
    }

    /// Returns the positions of all vertices for the given control points.
    ///
    /// # Panics
    ///
    /// If there are too few.
    #[must_use]
    pub fn vertices(&self, control: &[[f64; 3]]) -> Vec<[f64; 3]> {
        (0..self.rest().len()).map(|vertex| self.position(vertex, control)).collect()
    }

    #[inline(always)]
    fn position(&self, vertex: usize, control: &[[f64; 3]]) -> [f64; 3] {
        combined(self.influences(vertex), |k| control[k])
    }
}

/// The sum of weighted points, in order.
#[inline(always)]
fn combined(row: &[(u32, f64)], point: impl Fn(usize) -> [f64; 3]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for &(k, weight) in row {
        let point = point(k as usize);
        for i in 0..3 {
            sum[i] += weight * point[i];
        }
    }
    sum
}

/// The control points, whose coordinates are the parameters of a pose.
#[inline(always)]
fn points_of(parameters: &[f64]) -> &[[f64; 3]] {
    parameters.as_chunks().0
}

/// Returns a bound of the magnitude of all coordinates. Fails with the first control point for
/// which positions may not be finite.
fn check_range(control: &[[f64; 3]]) -> Result<f64, Error> {
    let mut largest: f64 = 0.0;
    for (point, position) in control.iter().enumerate() {
        for x in position {
            // Half of the range is reserved for rounding. A NaN is in no range.
            if !(0.0..=0.5 * f64::MAX).contains(&x.abs()) {
                return Err(Error::ControlRange { point });
            }
            largest = largest.max(x.abs());
        }
    }
    Ok(largest * (1.0 + 2.0 * SUM_TOLERANCE))
}

/// The parameters are the coordinates of the control points.
impl Deformer for LoopSurface {
    fn n_vertices(&self) -> usize {
        self.rest().len()
    }

    fn check(&self, parameters: &[f64]) -> Result<f64, Error> {
        let n_parameters = PER_POINT * self.governors.n_maps();
        if parameters.len() != n_parameters {
            return Err(Error::ParameterCount { given: parameters.len(), parameters: n_parameters });
        }
        check_range(points_of(parameters))
    }

    #[inline(always)]
    fn position_at(&self, vertex: usize, parameters: &[f64]) -> [f64; 3] {
        self.position(vertex, points_of(parameters))
    }

    fn governors(&self) -> Option<&Governors> {
        Some(&self.governors)
    }

    fn maps<'a>(&self, parameters: &'a [f64]) -> Cow<'a, [Affine]> {
        points_of(parameters).iter().map(|point| point.map(|x| [0.0, 0.0, 0.0, x])).collect()
    }

    fn memory_bytes(&self) -> usize {
        self.governors.memory_bytes()
            + size_of_val(self.triangles.as_slice())
            + size_of_val(self.control_triangles.as_slice())
    }
}
