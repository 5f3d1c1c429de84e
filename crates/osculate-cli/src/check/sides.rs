//! Names of the two sides of a contact: bones where there is a skeleton, otherwise objects or
//! components.

use std::sync::Arc;

use osculate_io::{Skin, Surface};

use crate::options::Bodies;

/// The names of the sides of contacts.
pub(super) struct Sides<'a> {
    surface: &'a Surface,
    /// The names of the bones, shared.
    bones: Vec<Arc<str>>,
    /// The component of each vertex; only if sides are named by component.
    component_of_vertex: Vec<u32>,
}

impl<'a> Sides<'a> {
    pub(super) fn new(surface: &'a Surface, bodies: Bodies) -> Sides<'a> {
        let mut component_of_vertex = Vec::new();
        if surface.skin.is_none() && (bodies == Bodies::Components || surface.objects.len() == 1) {
            component_of_vertex = components(&surface.faces, surface.n_vertices);
        }
        let bones =
            surface.skin.iter().flat_map(|skin| skin.bones.iter().map(|bone| bone.name.as_str().into()));
        Sides { surface, bones: bones.collect(), component_of_vertex }
    }

    /// The skeleton, if the sides are named after its bones.
    pub(super) fn skin(&self) -> Option<&'a Skin> {
        self.surface.skin.as_ref()
    }

    /// The side of each triangle.
    pub(super) fn of_triangles(&self) -> Vec<u32> {
        self.surface.faces.iter().map(|face| self.side(face, &[1.0; 3])).collect()
    }

    /// Whether two sides are bones of which one is the parent of the other.
    pub(super) fn are_adjacent_bones(&self, [a, b]: [u32; 2]) -> bool {
        let parent = |bone: u32| self.skin()?.bones.get(bone as usize)?.parent;
        parent(a) == Some(b) || parent(b) == Some(a)
    }

    /// The names of all sides.
    pub(super) fn names(&self) -> Vec<Arc<str>> {
        let n = match (self.skin(), self.component_of_vertex.is_empty()) {
            (Some(_), _) => self.bones.len(),
            (None, true) => self.surface.objects.len(),
            (None, false) => self.component_of_vertex.iter().max().map_or(0, |&last| last as usize + 1),
        };
        (0..n as u32).map(|side| self.name(side)).collect()
    }

    /// The kind of a side, in the singular.
    pub(super) fn kind(&self) -> &'static str {
        match self.skin() {
            Some(_) => "bone",
            None if self.component_of_vertex.is_empty() => "object",
            None => "component",
        }
    }

    /// The number of the side that contains a point of the surface, given by vertices and weights:
    /// the bone with the largest total weight, the first one on a tie.
    pub(super) fn side(&self, vertices: &[u32], weights: &[f64]) -> u32 {
        let Some(skin) = self.skin() else {
            let vertex = vertices[0] as usize;
            return *self.component_of_vertex.get(vertex).unwrap_or(&self.surface.vertex_object[vertex]);
        };
        let mut parts: Vec<(u32, f64)> = Vec::new();
        for (&v, &weight) in vertices.iter().zip(weights) {
            for influence in skin.influences(v as usize) {
                let part = weight * influence.weight;
                match parts.iter_mut().find(|(bone, _)| *bone == influence.bone) {
                    Some((_, sum)) => *sum += part,
                    None => parts.push((influence.bone, part)),
                }
            }
        }
        parts.sort_unstable_by_key(|part| part.0);
        parts.into_iter().reduce(|a, b| if a.1 < b.1 { b } else { a }).map_or(0, |part| part.0)
    }

    /// The name of a side.
    pub(super) fn name(&self, side: u32) -> Arc<str> {
        match self.bones.get(side as usize) {
            Some(bone) => bone.clone(),
            None if self.component_of_vertex.is_empty() => {
                self.surface.objects[side as usize].as_str().into()
            }
            None => format!("component {side}").into(),
        }
    }
}

/// The component of each vertex, numbered in the order of their first triangles; vertices without a
/// triangle are in component 0.
fn components(faces: &[[u32; 3]], n_vertices: usize) -> Vec<u32> {
    let Ok(mesh) = osculate::Mesh::new(faces.to_vec(), n_vertices) else { return vec![0; n_vertices] };
    let mut of_vertex = vec![0; n_vertices];
    for (face, &component) in faces.iter().zip(mesh.components()) {
        face.iter().for_each(|&v| of_vertex[v as usize] = component);
    }
    of_vertex
}
