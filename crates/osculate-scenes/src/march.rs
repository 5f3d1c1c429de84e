//! Meshes a field: marching tetrahedra on a body-centered lattice.
//!
//! Every tetrahedron cut by the surface gives one or two triangles. Marching cubes has ambiguous
//! cells that leave holes or edges with four triangles; tetrahedra have none, so the result is
//! always a closed 2-manifold.

use crate::field::Field;
use crate::vector::{Vector, add, area_normal, dot, lerp, scale, sub};
use std::collections::HashMap;

/// Minimum distance of a cut vertex from the ends of its edge, relative to the edge length, to
/// avoid triangles without area.
const END: f64 = 0.1;

/// Points of the lattice: all coordinates odd, or all even.
type Node = [i32; 3];

/// The field may change faster than the distance by this factor, where cones taper or are flat.
const STEEPEST: f64 = 1.5;

/// A field on a lattice.
struct Lattice<'a> {
    field: &'a Field,
    low: Vector,
    cube: f64,
}

impl Lattice<'_> {
    fn place(&self, node: Node) -> Vector {
        add(self.low, scale(node.map(f64::from), 0.5 * self.cube))
    }

    fn value(&self, node: Node) -> f64 {
        self.field.sample(self.place(node)).distance
    }

    /// Adds the centers of cubes near the surface, in a block whose side is a power of two of
    /// cubes.
    fn near_centers(&self, first: Node, n: i32, centers: &mut Vec<Node>) {
        // Tetrahedra reach a cube from their center, and the corners of the block some 7/8 of its
        // side from its middle.
        let reach = self.cube * (1.0 + 0.875 * f64::from(n - 1));
        if STEEPEST * reach < self.value(first.map(|x| x + n - 1)).abs() {
            return;
        }
        if n == 1 {
            centers.push(first);
            return;
        }
        for octant in 0..8 {
            let part = std::array::from_fn(|axis| first[axis] + if octant >> axis & 1 == 1 { n } else { 0 });
            self.near_centers(part, n / 2, centers);
        }
    }
}

/// Returns the zero set of a field, on a lattice whose cubes have the given size.
pub(crate) fn march(field: &Field, cube: f64) -> (Vec<[u32; 3]>, Vec<Vector>) {
    let (low, high) = field.bounds();
    let lattice = Lattice { field, low, cube };
    let widest = sub(high, low).into_iter().fold(0.0, f64::max);
    let mut centers = Vec::new();
    lattice.near_centers(
        [-1; 3],
        ((widest / cube) as i32 + 3).cast_unsigned().next_power_of_two() as i32,
        &mut centers,
    );
    let mut values: HashMap<Node, f64> = HashMap::new();
    let mut cuts: HashMap<[Node; 2], u32> = HashMap::new();
    let (mut faces, mut points) = (Vec::new(), Vec::new());
    for tetrahedron in centers.into_iter().flat_map(tetrahedra) {
        let value = tetrahedron.map(|node| *values.entry(node).or_insert_with(|| lattice.value(node)));
        for triangle in cut(tetrahedron, value) {
            faces.push(triangle.map(|edge| {
                *cuts.entry(edge.map(|i| tetrahedron[i])).or_insert_with(|| {
                    let [a, b] = edge.map(|i| value[i]);
                    let [p, q] = edge.map(|i| lattice.place(tetrahedron[i]));
                    points.push(lerp(p, q, (a / (a - b)).clamp(END, 1.0 - END)));
                    points.len() as u32 - 1
                })
            }));
        }
    }
    (faces, points)
}

/// The twelve tetrahedra between a center and its next center on each axis: those two, and an edge
/// of the face between their cubes.
fn tetrahedra(center: Node) -> impl Iterator<Item = [Node; 4]> {
    (0..3).flat_map(move |axis| {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut other = center;
        other[axis] += 2;
        let corner = move |i: usize| {
            let mut node = center;
            node[axis] += 1;
            node[u] += [1, -1, -1, 1][i % 4];
            node[v] += [1, 1, -1, -1][i % 4];
            node
        };
        (0..4).map(move |i| [center, other, corner(i), corner(i + 1)])
    })
}

/// The triangles in which a tetrahedron is cut, as edges from a corner inside to one outside,
/// counterclockwise seen from outside.
fn cut(nodes: [Node; 4], value: [f64; 4]) -> impl Iterator<Item = [[usize; 2]; 3]> {
    let inside: Vec<usize> = (0..4).filter(|&i| value[i] < 0.0).collect();
    let outside: Vec<usize> = (0..4).filter(|&i| 0.0 <= value[i]).collect();
    let triangles = match (&inside[..], &outside[..]) {
        (&[a], &[b, c, d]) => vec![[[a, b], [a, c], [a, d]]],
        (&[b, c, d], &[a]) => vec![[[b, a], [c, a], [d, a]]],
        (&[a, b], &[c, d]) => vec![[[a, c], [a, d], [b, d]], [[a, c], [b, d], [b, c]]],
        _ => Vec::new(),
    };
    // The orientation of a triangle does not depend on where its edges are cut, so midpoints
    // suffice.
    let middle = move |[i, j]: [usize; 2]| add(nodes[i].map(f64::from), nodes[j].map(f64::from));
    triangles.into_iter().map(move |[p, q, r]| {
        let outward = sub(nodes[p[1]].map(f64::from), nodes[p[0]].map(f64::from));
        let faces_out = 0.0 < dot(area_normal([middle(p), middle(q), middle(r)]), outward);
        if faces_out { [p, q, r] } else { [p, r, q] }
    })
}
