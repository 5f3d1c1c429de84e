//! The matrix of heat diffusion over a surface with heat sources at some vertices: `L + M H`.

use crate::surface::Surface;
use crate::vector::{Vector, cross, dot, length, minus, scale};
use crate::visibility::Sight;

/// Minimum area of a triangle, relative to the square of its longest side. It makes the entries of
/// triangles without area finite.
const LEAST_AREA: f64 = 1e-6;

/// Minimum distance, relative to the extent of the surface.
const LEAST_DISTANCE: f64 = 1e-4;

/// Minimum area around a vertex, relative to the mean.
const LEAST_SHARE: f64 = 1e-9;

/// The lower half of the matrix by columns, and the data of the right-hand sides.
pub(crate) struct Heated {
    /// Column v is `rows[starts[v]..starts[v + 1]]`, of which the first is v itself.
    pub(crate) starts: Vec<u32>,
    pub(crate) rows: Vec<u32>,
    pub(crate) values: Vec<f64>,
    /// The contribution of each heating bone to the right-hand side of a vertex; 0 for a vertex
    /// without heat.
    pub(crate) heat: Vec<f64>,
}

impl Heated {
    /// Returns `L + M H` for the surface, and `M c / d²`.
    ///
    /// L is the stiffness matrix of linear elements: for corners i and j of a triangle with the
    /// opposite sides e_i and e_j, `e_i . e_j / (4 area)`, which is half the cotangent of the third
    /// angle, negated. For each triangle it is a Gram matrix over a positive number, so it remains
    /// positive semidefinite when the area is replaced by a larger one. M is a third of the areas
    /// around a vertex. H is `k c / d²` at a vertex heated by k bones at the distance d.
    ///
    /// In a component without visible vertices, each vertex is heated by the nearest bones. So the
    /// matrix is positive definite. Everything is dimensionless; lengths are relative to the extent
    /// of the surface, so that nothing overflows.
    pub(crate) fn new(surface: Surface, sights: &[Sight], strength: f64) -> Heated {
        let n_vertices = surface.rest.len();
        let extent = extent(surface.rest);
        let unit = if 0.0 < extent && extent.is_finite() { 1.0 / extent } else { 1.0 };
        let edges = surface.mesh.edges();
        let mut off_diagonal = vec![0.0; edges.len()];
        let mut diagonal = vec![0.0; n_vertices];
        let mut areas = vec![0.0; n_vertices];
        for (t, (corners, of_triangle)) in
            (0..).zip(surface.mesh.triangles().iter().zip(surface.mesh.triangle_edges()))
        {
            // Side k is opposite to corner k.
            let p = surface.facet(t).corners.map(|p| scale(unit, p));
            let sides = [0, 1, 2].map(|k| minus(p[(k + 2) % 3], p[(k + 1) % 3]));
            let longest_squared = sides.iter().map(|&side| dot(side, side)).fold(0.0, f64::max);
            let double_area = length(cross(sides[0], sides[1]));
            let bounded = double_area.max(LEAST_AREA * longest_squared);
            if bounded <= 0.0 {
                continue;
            }
            for k in 0..3 {
                let entry = dot(sides[k], sides[(k + 1) % 3]) / (2.0 * bounded);
                off_diagonal[of_triangle[k] as usize] += entry;
                diagonal[corners[k] as usize] -= entry;
                diagonal[corners[(k + 1) % 3] as usize] -= entry;
                areas[corners[k] as usize] += double_area / 6.0;
            }
        }
        let mean = areas.iter().sum::<f64>() / n_vertices.max(1) as f64;
        let least_area = if 0.0 < mean { LEAST_SHARE * mean } else { 1.0 };
        let is_heated = heated(surface, sights);
        let heat: Vec<f64> = (0..n_vertices)
            .map(|v| {
                let distance_squared = sights[v].distance_squared * unit * unit;
                let bounded = distance_squared.max(LEAST_DISTANCE * LEAST_DISTANCE);
                if is_heated[v] { areas[v].max(least_area) * strength / bounded } else { 0.0 }
            })
            .collect();
        for (entry, (heat, sight)) in diagonal.iter_mut().zip(heat.iter().zip(sights)) {
            *entry += heat * sight.bones.len() as f64;
        }
        let mut matrix = Heated { starts: vec![0], rows: Vec::new(), values: Vec::new(), heat };
        let mut below = edges.iter().zip(&off_diagonal).peekable();
        for (v, &entry) in (0..).zip(&diagonal) {
            matrix.rows.push(v);
            matrix.values.push(entry);
            // Edges are sorted, first by the smaller vertex.
            while let Some((&[_, row], &entry)) = below.next_if(|(ends, _)| ends[0] == v) {
                matrix.rows.push(row);
                matrix.values.push(entry);
            }
            matrix.starts.push(matrix.rows.len() as u32);
        }
        matrix
    }
}

/// Whether each vertex is heated: if a bone sees it, if no vertex of its component is seen, or if
/// it has no triangle.
fn heated(surface: Surface, sights: &[Sight]) -> Vec<bool> {
    let mesh = surface.mesh;
    let mut is_seen = vec![false; mesh.n_components()];
    for (corners, &component) in mesh.triangles().iter().zip(mesh.components()) {
        is_seen[component as usize] |= corners.iter().any(|&v| sights[v as usize].is_visible);
    }
    let component_is_seen = |v: u32| {
        let first = mesh.triangles_of_vertex(v).first();
        first.is_some_and(|&t| is_seen[mesh.components()[t as usize] as usize])
    };
    (0..).zip(sights).map(|(v, sight)| sight.is_visible || !component_is_seen(v)).collect()
}

/// The longest side of the box around the points.
fn extent(points: &[Vector]) -> f64 {
    let side = |i: usize| {
        let [lo, hi] = points
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], p| [lo.min(p[i]), hi.max(p[i])]);
        hi - lo
    };
    side(0).max(side(1)).max(side(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{Shape, tube};

    fn matrix_of(shape: &Shape, is_visible: bool) -> Heated {
        let model = shape.model();
        let sight = Sight { bones: vec![0], distance_squared: 1.0, is_visible };
        let sights = vec![sight; shape.points.len()];
        Heated::new(Surface { mesh: model.mesh(), rest: &shape.points }, &sights, 2.0)
    }

    /// The sum of each row of the whole matrix.
    fn row_sums(matrix: &Heated) -> Vec<f64> {
        let mut sums = vec![0.0; matrix.heat.len()];
        for column in 0..sums.len() {
            for k in matrix.starts[column] as usize..matrix.starts[column + 1] as usize {
                let row = matrix.rows[k] as usize;
                sums[row] += matrix.values[k];
                sums[column] += if row == column { 0.0 } else { matrix.values[k] };
            }
        }
        sums
    }

    #[test]
    fn what_is_not_heat_cancels_in_each_row() {
        for is_visible in [true, false] {
            let matrix = matrix_of(&tube(6, 8, 1.0, 3.0), is_visible);
            assert!(matrix.heat.iter().all(|&heat| 0.0 < heat), "unseen bodies are heated as a whole");
            for (sum, heat) in row_sums(&matrix).iter().zip(&matrix.heat) {
                assert!((sum - heat).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_right_angle_has_the_cotangent_0_and_half_of_one_1() {
        let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let matrix = matrix_of(&Shape { faces: vec![[0, 1, 2]], points }, true);
        // Columns 0: itself, 1, 2. Column 1: itself, 2. Column 2: itself.
        assert_eq!(matrix.rows, [0, 1, 2, 1, 2, 2]);
        let off_diagonal = [matrix.values[1], matrix.values[2], matrix.values[4]];
        assert_eq!(off_diagonal, [-0.5, -0.5, 0.0]);
    }

    #[test]
    fn surfaces_without_area_or_extent_have_finite_entries() {
        for points in [vec![[1.0; 3]; 4], vec![[0.0; 3], [1.0; 3], [2.0; 3], [3.0; 3]], vec![[1e300; 3]; 4]] {
            let matrix = matrix_of(&Shape { faces: vec![[0, 1, 2], [2, 1, 3]], points }, true);
            assert!(matrix.values.iter().chain(&matrix.heat).all(|x| x.is_finite()));
            assert!((0..4).all(|v| 0.0 < matrix.values[matrix.starts[v] as usize]));
        }
    }
}
