//! How far parts of a surface pass through each other: depth, enclosed area, and the curves in
//! which they intersect, from the exact crossings of an instant.
//!
//! A part is a set of triangles: what follows a bone, an object, a component. For each pair of
//! parts that cross, an [`Overlap`] tells:
//!
//! * its **depth**, if one of the two surfaces encloses a volume where they cross. A point of the
//!   surface is *enclosed* if it is inside of another closed component, or if the winding number of
//!   its own closed component just outside of it is 1 or more. Its depth is its distance to the
//!   surface that it has passed through: to the other component, or, within one component, to the
//!   outer shell, whose outside has winding number 0, to enclosed patches that are not connected
//!   with its own, and to parts that its own part crosses. The depth of the pair is that of the
//!   deepest enclosed point. Two boxes, balls or capsules of which one was pushed
//!   into the other by d have the depth d.
//! * the enclosed **area**;
//! * the **length** and the **extent** of the intersection curve, which also open surfaces have.
//!
//! Whether a point is enclosed is decided by exact winding numbers. Depths are maxima of a function
//! that changes by at most the distance moved, over the whole enclosed surface and not only at its
//! vertices; so a surface that is divided more finely has the same depth, within [`TOLERANCE`].
//! Enclosed points count for the pair of parts whose crossing is next to them along the surface.

mod area;
mod chain;
mod deepest;
mod enclosed;
mod outside;
mod vertices;

pub use chain::{Curves, chain};
pub use vertices::VertexDepth;

use crate::contact::Crossing;
use crate::math::vector::{dot, minus, plus, scale};
use crate::segment::Segments;
use crate::{Error, Mesh, Model};
use deepest::Search;
use enclosed::{Field, Side};
use std::collections::{BTreeMap, BTreeSet};

/// The depth of a pair is at most this part of itself too small, or [`SHALLOW`] of the size of the
/// surface if that is more. Smaller values take more samples; larger ones let the depth depend on
/// where the vertices are.
pub const TOLERANCE: f64 = 0.01;

/// Depths below this part of the size of the surface are not searched for between vertices and
/// crossings: surfaces that touch in an area have no depth, but points of it everywhere; nor are
/// pieces of this size divided. Smaller values take more samples; with larger ones, shallow
/// overlaps of coarse meshes get no depth.
pub const SHALLOW: f64 = 1e-4;

/// What is measured of a pair of parts, besides its curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// The depth, if it is larger than `above`; it is the same then for all values of these two. If
    /// it is not, any number between `least` and it, without `least`; zero if there is none. Of
    /// many poses, the deepest one is found sooner this way.
    Depth {
        /// Smaller depths do not matter.
        least: f64,
        /// Depths up to this are not measured exactly; it is not less than `least`.
        above: f64,
    },
    /// The enclosed area.
    Area,
    /// The depth and the enclosed area.
    All,
}

/// Two triangles of the surface that cross, with their intersection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pierced {
    /// The triangles.
    pub triangles: [u32; 2],
    /// The intersection segment; `None` if the triangles are coplanar.
    pub segment: Option<[[f64; 3]; 2]>,
}

impl Pierced {
    /// A crossing of a world whose bodies are numbered by `triangle` in the surface.
    pub fn of(crossing: &Crossing, triangle: impl Fn(usize) -> u32) -> Pierced {
        Pierced { triangles: [triangle(0), triangle(1)], segment: crossing.segment }
    }
}

/// How far two parts pass through each other at an instant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Overlap {
    /// The two parts, in ascending order; a part may cross itself.
    pub parts: [u32; 2],
    /// Number of pairs of triangles that cross.
    pub crossings: u32,
    /// The depth, in units of the pose; `None` if neither surface encloses a volume here. Zero if
    /// they only touch, or if it is not so deep as is wanted.
    pub depth: Option<f64>,
    /// The enclosed area of both surfaces; `None` if neither encloses a volume here.
    pub area: Option<f64>,
    /// The length of the intersection curve.
    pub length: f64,
    /// The distance of two points of the curve that are far apart: no two are farther than √3 times
    /// this.
    pub extent: f64,
    /// The deepest point; without a depth, the point of the curve nearest to its center.
    pub point: [f64; 3],
    /// The deepest point on the surface; `None` without a depth, or if that is zero.
    pub deepest: Option<Spot>,
}

/// A point of a surface that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Its triangle.
    pub triangle: u32,
    /// The weights of the corners, which sum to one.
    pub weights: [f64; 3],
}

impl Spot {
    /// Where it is at a pose of the surface with these triangles.
    ///
    /// # Panics
    ///
    /// If it is a point of another surface.
    #[must_use]
    pub fn position(&self, triangles: &[[u32; 3]], pose: &[[f64; 3]]) -> [f64; 3] {
        let [a, b, c] = triangles[self.triangle as usize].map(|v| pose[v as usize]);
        let [u, v, w] = self.weights;
        plus(plus(scale(u, a), scale(v, b)), scale(w, c))
    }
}

/// A surface divided into parts, prepared for [`Anatomy::overlaps`].
#[derive(Clone, Debug)]
pub struct Anatomy {
    mesh: Mesh,
    part_of_triangle: Vec<u32>,
    components: Vec<Component>,
    /// The number of each triangle in its component.
    number_of_triangle: Vec<u32>,
}

/// A component of the surface, as a model of its own.
#[derive(Clone, Debug)]
struct Component {
    /// `None` unless it is closed: nothing is enclosed by it then.
    model: Option<Model>,
    /// Its vertices and triangles, by their numbers in the surface.
    vertices: Vec<u32>,
    triangles: Vec<u32>,
}

impl Anatomy {
    /// Returns the surface of a mesh at a pose, with the part of each triangle. Fails if the pose
    /// does not fit.
    ///
    /// # Panics
    ///
    /// If there is not one part for each triangle.
    pub fn new(mesh: Mesh, rest: &[[f64; 3]], part_of_triangle: Vec<u32>) -> Result<Anatomy, Error> {
        assert_eq!(part_of_triangle.len(), mesh.triangles().len(), "one part for each triangle");
        mesh.check_pose(rest)?;
        // Every edge of a closed component has two triangles that traverse it in opposite
        // directions, so that winding numbers are defined.
        let mut is_closed = vec![true; mesh.n_components()];
        for edge in 0..mesh.edges().len() as u32 {
            let triangles = mesh.triangles_of_edge(edge);
            if triangles.len() != 2 || mesh.is_misoriented(edge) {
                is_closed[mesh.components()[triangles[0] as usize] as usize] = false;
            }
        }
        let mut triangles_of = vec![Vec::new(); mesh.n_components()];
        let mut number_of_triangle = Vec::with_capacity(mesh.triangles().len());
        for (t, &component) in (0..).zip(mesh.components()) {
            let triangles: &mut Vec<u32> = &mut triangles_of[component as usize];
            number_of_triangle.push(triangles.len() as u32);
            triangles.push(t);
        }
        let mut components = Vec::new();
        let mut place = vec![0; mesh.n_vertices()];
        for (triangles, is_closed) in triangles_of.into_iter().zip(is_closed) {
            let mut component = Component { model: None, vertices: Vec::new(), triangles };
            if is_closed {
                let corners = |&t: &u32| mesh.triangles()[t as usize];
                component.vertices = component.triangles.iter().flat_map(corners).collect();
                component.vertices.sort_unstable();
                component.vertices.dedup();
                for (i, &v) in (0..).zip(&component.vertices) {
                    place[v as usize] = i;
                }
                let local = |t: &u32| corners(t).map(|v| place[v as usize]);
                let faces = component.triangles.iter().map(local).collect();
                let pose = component.pose(rest);
                component.model = Some(Model::new(Mesh::new(faces, pose.len())?, &pose)?);
            }
            components.push(component);
        }
        Ok(Anatomy { mesh, part_of_triangle, components, number_of_triangle })
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The part of each triangle.
    #[must_use]
    pub fn parts(&self) -> &[u32] {
        &self.part_of_triangle
    }

    /// Whether all components are closed and consistently oriented.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.components.iter().all(|component| component.model.is_some())
    }

    /// Returns how far each pair of parts overlaps at a pose, in ascending order of the pairs, from
    /// the triangles that cross there. Fails if the pose does not fit the mesh.
    ///
    /// `wanted` is asked for each pair; what is not wanted is left out.
    pub fn overlaps(
        &self,
        pose: &[[f64; 3]],
        crossings: &[Pierced],
        wanted: impl Fn([u32; 2]) -> Option<Wanted>,
    ) -> Result<Vec<Overlap>, Error> {
        self.overlaps_of(pose, crossings, &wanted)
    }

    /// The same; compiled once, with the library.
    fn overlaps_of(
        &self,
        pose: &[[f64; 3]],
        crossings: &[Pierced],
        wanted: &dyn Fn([u32; 2]) -> Option<Wanted>,
    ) -> Result<Vec<Overlap>, Error> {
        let part = |t: u32| self.part_of_triangle[t as usize];
        let pair = |crossing: &Pierced| {
            let [a, b] = crossing.triangles.map(part);
            [a.min(b), a.max(b)]
        };
        let mut by_pair: BTreeMap<[u32; 2], Vec<&Pierced>> = BTreeMap::new();
        for same in crossings.chunk_by(|a, b| pair(a) == pair(b)) {
            by_pair.entry(pair(&same[0])).or_default().extend(same);
        }
        by_pair.values_mut().for_each(|group| group.sort_by_key(|crossing| crossing.triangles));
        let wanted: Vec<Option<Wanted>> = by_pair.keys().map(|&pair| wanted(pair)).collect();
        let mut overlaps: Vec<Overlap> = by_pair.iter().map(|(&pair, group)| of_curve(pair, group)).collect();
        if wanted.iter().all(Option::is_none) {
            return Ok(overlaps);
        }
        let pairs = (0..)
            .zip(by_pair.values())
            .flat_map(|(i, group)| group.iter().map(move |crossing| (i, *crossing)));
        let is_wanted = |pair: u32| wanted[pair as usize].is_some();
        self.with_field(pose, pairs, is_wanted, |field| {
            for (i, overlap) in overlaps.iter_mut().enumerate() {
                let Some(wanted) = wanted[i] else { continue };
                let Some(enclosed) = field.of_pair(i as u32) else { continue };
                if let Wanted::Area | Wanted::All = wanted {
                    overlap.area = Some(enclosed.area());
                }
                let above = match wanted {
                    Wanted::Area => continue,
                    Wanted::Depth { least, above } => [least, above],
                    Wanted::All => [0.0; 2],
                };
                overlap.depth = Some(0.0);
                if let Some((depth, spot)) = Search::new(field, &enclosed, above).run() {
                    overlap.depth = Some(depth);
                    overlap.deepest = Some(spot);
                    overlap.point = spot.position(self.mesh.triangles(), pose);
                }
            }
        })?;
        Ok(overlaps)
    }

    /// Calls `look` with what is enclosed at a pose, given the crossings with the numbers of their
    /// pairs of parts. What does not matter for a pair that is wanted is left out.
    fn with_field<'c>(
        &self,
        pose: &[[f64; 3]],
        crossings: impl Iterator<Item = (u32, &'c Pierced)> + Clone,
        is_wanted: impl Fn(u32) -> bool,
        look: impl FnOnce(&Field),
    ) -> Result<(), Error> {
        self.mesh.check_pose(pose)?;
        let component = |t: u32| self.mesh.components()[t as usize];
        // Both ways: each component may enclose the other.
        let key = |crossing: &Pierced| crossing.triangles.map(component);
        let mut wanted: BTreeSet<[u32; 2]> = BTreeSet::new();
        let mut last = None;
        for (pair, crossing) in crossings.clone() {
            let [a, b] = key(crossing);
            if last != Some((pair, [a, b])) && is_wanted(pair) {
                wanted.extend([[a, b], [b, a]]);
            }
            last = Some((pair, [a, b]));
        }
        let is_closed = |component: u32| self.components[component as usize].model.is_some();
        let mut sides: Vec<Side> = Vec::new();
        let mut last = ([u32::MAX; 2], false);
        for (pair, crossing) in crossings {
            let [a, b] = crossing.triangles;
            let [of_a, of_b] = key(crossing);
            if last.0 != [of_a, of_b] {
                last = ([of_a, of_b], wanted.contains(&[of_a, of_b]));
            }
            if !last.1 {
                continue;
            }
            for ([triangle, other], outer) in [([a, b], of_b), ([b, a], of_a)] {
                if is_closed(outer) {
                    sides.push(Side { triangle, other, pair, segment: crossing.segment });
                }
            }
        }
        let mut poses: Vec<Vec<[f64; 3]>> = vec![Vec::new(); self.components.len()];
        for &[_, outer] in &wanted {
            let of_component = &mut poses[outer as usize];
            if of_component.is_empty() {
                *of_component = self.components[outer as usize].pose(pose);
            }
        }
        let mut segments: Vec<Option<Segments>> = Vec::new();
        for (component, pose) in self.components.iter().zip(&poses) {
            segments.push(match &component.model {
                Some(model) if !pose.is_empty() => Some(model.segments(pose)?),
                _ => None,
            });
        }
        look(&Field::new(self, &segments, pose, sides));
        Ok(())
    }
}

impl Component {
    /// The positions of its vertices.
    fn pose(&self, pose: &[[f64; 3]]) -> Vec<[f64; 3]> {
        self.vertices.iter().map(|&v| pose[v as usize]).collect()
    }
}

/// What the intersection curve alone tells.
fn of_curve(parts: [u32; 2], crossings: &[&Pierced]) -> Overlap {
    let segments: Vec<[[f64; 3]; 2]> = crossings.iter().filter_map(|crossing| crossing.segment).collect();
    let length = segments.iter().map(|&[a, b]| dot(minus(b, a), minus(b, a)).sqrt()).sum();
    let (extent, point) = chain::extent(segments.as_flattened());
    let crossings = crossings.len() as u32;
    Overlap { parts, crossings, depth: None, area: None, length, extent, point, deepest: None }
}

#[cfg(test)]
mod tests;
