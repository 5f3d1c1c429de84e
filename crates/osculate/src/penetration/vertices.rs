//! The depth of each vertex, for pictures.

use super::enclosed::Field;
use super::{Anatomy, Pierced};
use crate::Error;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The depth of a vertex at which two parts pass through each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct VertexDepth {
    /// The two parts, in ascending order.
    pub parts: [u32; 2],
    /// The vertex.
    pub vertex: u32,
    /// Its depth if it is enclosed; otherwise it is a corner of a crossed triangle, and this is
    /// minus its distance to the intersections of the triangle. So the zeros of the linear
    /// interpolation over triangles are near the intersection curve.
    pub depth: f64,
}

impl Anatomy {
    /// Returns the depth of the corners of all triangles that are enclosed or crossed, for the
    /// wanted pairs of parts; sorted by parts, then by vertices. Pairs of which neither surface
    /// encloses a volume have none. Fails if the pose does not fit the mesh.
    ///
    /// Depths are those of [`Self::overlaps`] at vertices. The deepest point may lie between them.
    pub fn vertex_depths(
        &self,
        pose: &[[f64; 3]],
        crossings: &[Pierced],
        is_wanted: impl Fn([u32; 2]) -> bool,
    ) -> Result<Vec<VertexDepth>, Error> {
        let pair = |crossing: &Pierced| {
            let mut parts = crossing.triangles.map(|t| self.part_of_triangle[t as usize]);
            parts.sort_unstable();
            parts
        };
        let mut pairs: Vec<[u32; 2]> = crossings.iter().map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut all = Vec::new();
        if !pairs.iter().any(|&parts| is_wanted(parts)) {
            return Ok(all);
        }
        let number: HashMap<[u32; 2], u32> = pairs.iter().copied().zip(0..).collect();
        let numbered = crossings.iter().map(|crossing| (number[&pair(crossing)], crossing));
        self.with_field(
            pose,
            numbered,
            |i| is_wanted(pairs[i as usize]),
            |field| {
                for (parts, i) in pairs.iter().copied().zip(0..).filter(|&(parts, _)| is_wanted(parts)) {
                    let of_vertex = of_pair(field, i, pose);
                    all.extend(of_vertex.into_iter().map(|(vertex, depth)| VertexDepth {
                        parts,
                        vertex,
                        depth,
                    }));
                }
            },
        )?;
        Ok(all)
    }
}

/// The depths of the vertices of a pair of parts, given by its number.
fn of_pair(field: &Field, pair: u32, pose: &[[f64; 3]]) -> BTreeMap<u32, f64> {
    let mut of_vertex: BTreeMap<u32, f64> = BTreeMap::new();
    let Some(enclosed) = field.of_pair(pair) else { return of_vertex };
    let mut is_done = HashSet::new();
    for item in enclosed.items {
        for (k, vertex) in field.vertices(item.triangle).into_iter().enumerate() {
            // A vertex inside of the enclosed surface has one depth for all its triangles.
            if !item.is_crossed && !is_done.insert((vertex, field.target(item))) {
                continue;
            }
            let point = pose[vertex as usize];
            let weights = [0, 1, 2].map(|corner| f64::from(u8::from(corner == k)));
            let depth = if item.is_crossed && !field.is_enclosed_at(item, weights, point) {
                -field.to_intersection(item, point)
            } else {
                field.depth(item, point, f64::INFINITY, 0.0).depth
            };
            of_vertex.entry(vertex).and_modify(|most| *most = most.max(depth)).or_insert(depth);
        }
    }
    of_vertex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mesh, Query, World};
    use std::sync::Arc;

    /// Two boxes; the second is moved along x.
    fn boxes(x: f64) -> (Vec<[u32; 3]>, Vec<[f64; 3]>) {
        let mut faces = Vec::new();
        let mut points = Vec::new();
        for (n, shift) in [(0, 0.0), (8, x)] {
            for i in 0..8 {
                let bit = |k: usize| f64::from(u8::from(i >> k & 1 == 1));
                let narrow = if n == 0 { 0.0 } else { 0.25 };
                let side = |k: usize| narrow + bit(k) * (1.0 - 2.0 * narrow);
                points.push([bit(0) + shift, side(1), side(2)]);
            }
            for [a, b, c, d] in
                [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
            {
                faces.extend([[a, b, c], [a, c, d]].map(|face: [u32; 3]| face.map(|v| v + n)));
            }
        }
        (faces, points)
    }

    #[test]
    fn vertices_of_a_box_in_a_box_are_as_deep_as_it_was_pushed() {
        let (faces, pose) = boxes(0.875);
        let parts = (0..faces.len()).map(|t| u32::from(12 <= t)).collect();
        let mesh = Mesh::new(faces, pose.len()).unwrap();
        let model = Arc::new(crate::Model::new(mesh.clone(), &pose).unwrap());
        let anatomy = Anatomy::new(mesh, &pose, parts).unwrap();
        let mut world = World::new();
        world.add(model, &pose).unwrap();
        let crossings = world.crossings(&Query::all()).unwrap().found;
        let crossings: Vec<Pierced> =
            crossings.iter().map(|crossing| Pierced::of(crossing, |k| crossing.triangles[k])).collect();
        let depths = anatomy.vertex_depths(&pose, &crossings, |_| true).unwrap();
        assert!(depths.iter().all(|one| one.parts == [0, 1]));
        for v in [8, 10, 12, 14] {
            let found = depths.iter().find(|one| one.vertex == v).unwrap();
            assert!((found.depth - 0.125).abs() < 1e-6, "{found:?}");
        }
        assert!(
            depths.iter().filter(|one| ![8, 10, 12, 14].contains(&one.vertex)).all(|one| one.depth < 0.0)
        );
        assert!(depths.len() > 4);
        assert_eq!(anatomy.vertex_depths(&pose, &crossings, |_| false).unwrap(), []);
    }
}
