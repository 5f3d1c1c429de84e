//! The triangles of a surface at rest: unit normals, and gradients of hat functions.

use crate::hierarchy::Hierarchy;
use crate::math::bernstein::U;
use crate::math::vector::{cross, dot, minus, scale};
use crate::threads;

/// A triangle at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// The unit normal, off by at most 2^-22.
    pub(super) normal: [f64; 3],
    /// The gradient of the hat function of each corner: one there, zero at the others.
    pub(super) gradients: [[f64; 3]; 3],
    /// Upper bound of the error of a gradient, and of three more roundings, as a multiple of its
    /// length; infinite if the triangle is too thin.
    pub(super) error: f64,
}

/// Triangles with a greater product of two edges, relative to twice their area, are too thin.
const THINNEST: f64 = 67_108_864.0; // 2^26

/// Triangles of a smaller area are not used: for larger ones, underflow is negligible.
const LEAST_AREA: f64 = 1e-100;

/// Triangles per task.
const PARALLEL: usize = 4096;

impl Facet {
    /// The facet of a triangle.
    ///
    /// With edges of at most E and F in each coordinate, each component of `N = e x f` is off by at
    /// most `8 u E F`, and N by `14 u k |N|`, with `k = E F / |N|`. A gradient is
    /// `g = N x edge / |N|^2`; it contains N three times, so it is off by at most
    /// `(42 k + 20) u |g|`.
    fn new([a, b, c]: [[f64; 3]; 3]) -> Facet {
        let (e, f) = (minus(b, a), minus(c, a));
        let normal = cross(e, f);
        let area = dot(normal, normal).sqrt();
        let largest = |v: [f64; 3]| v[0].abs().max(v[1].abs()).max(v[2].abs());
        let thinness = largest(e) * largest(f) / area;
        let gradient = |edge: [f64; 3]| scale(1.0 / (area * area), cross(normal, edge));
        let gradients = [gradient(minus(c, b)), gradient(minus(a, c)), gradient(minus(b, a))];
        let is_known = thinness <= THINNEST && (LEAST_AREA..1.0 / LEAST_AREA).contains(&area);
        let error = if is_known { (64.0 * thinness + 64.0) * U } else { f64::INFINITY };
        Facet { normal: scale(1.0 / area, normal), gradients, error }
    }

    /// Whether the triangle is not too thin.
    pub(super) fn is_known(&self) -> bool {
        self.error.is_finite()
    }

    /// The lengths of the gradients.
    #[inline(always)]
    pub(super) fn lengths(&self) -> [f64; 3] {
        self.gradients.map(|g| dot(g, g).sqrt())
    }
}

/// The triangles of a hierarchy at rest, in depth-first order.
pub(super) fn facets(hierarchy: &Hierarchy, rest: &[[f64; 3]]) -> Vec<Facet> {
    let corner = |v: u32| rest[hierarchy.vertices()[v as usize] as usize];
    let facet = |corners: &[u32; 3]| Facet::new(corners.map(corner));
    let chunks = hierarchy.corners().chunks(PARALLEL);
    threads::map(chunks, |corners| corners.iter().map(facet).collect::<Vec<Facet>>()).concat()
}
