//! Which part of a surface is which body of the world.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use osculate::{BodyId, Description, Mesh, Model, World};
use osculate_io::Surface;

use crate::options::Bodies;

/// A part of the surface as a body of its own.
struct Part {
    /// The vertices of the part, ascending, as numbered in the surface.
    vertices: Vec<u32>,
    /// The triangles of the part, ascending, as numbered in the surface.
    triangles: Vec<u32>,
    body: BodyId,
    pose: Vec<[f64; 3]>,
}

/// A body and its next pose.
type NextPose<'a> = (BodyId, &'a [[f64; 3]]);

/// A world of the parts of a surface.
pub(crate) struct Parts {
    pub(crate) world: World,
    pub(crate) description: Description,
    parts: Vec<Part>,
}

impl Parts {
    /// Cuts up the surface, which is at the given pose.
    pub(crate) fn new(input: &str, surface: &Surface, pose: &[[f64; 3]], bodies: Bodies) -> Result<Parts> {
        let mesh = Mesh::new(surface.faces.clone(), surface.n_vertices).with_context(|| input.to_owned())?;
        let part_of_triangle: Vec<u32> = match bodies {
            Bodies::Whole => vec![0; surface.faces.len()],
            Bodies::Components => mesh.components().to_vec(),
            Bodies::Objects => {
                surface.faces.iter().map(|face| surface.vertex_object[face[0] as usize]).collect()
            }
        };
        let mut all = Parts { world: World::new(), description: mesh.describe(), parts: Vec::new() };
        let n_parts = part_of_triangle.iter().max().map_or(0, |&last| last as usize + 1);
        let mut triangles_of_part = vec![Vec::new(); n_parts];
        for (triangle, &part) in (0..).zip(&part_of_triangle) {
            triangles_of_part[part as usize].push(triangle);
        }
        let mut place = vec![u32::MAX; surface.n_vertices];
        for triangles in triangles_of_part.into_iter().filter(|triangles| !triangles.is_empty()) {
            let mut vertices: Vec<u32> = triangles.iter().flat_map(|&t| surface.faces[t as usize]).collect();
            vertices.sort_unstable();
            vertices.dedup();
            for (i, &v) in (0..).zip(&vertices) {
                place[v as usize] = i;
            }
            let faces =
                triangles.iter().map(|&t| surface.faces[t as usize].map(|v| place[v as usize])).collect();
            let pose: Vec<[f64; 3]> = vertices.iter().map(|&v| pose[v as usize]).collect();
            let mesh = Mesh::new(faces, vertices.len()).with_context(|| input.to_owned())?;
            let model = Arc::new(Model::new(mesh, &pose)?);
            let body = all.world.add(model, &pose)?;
            all.parts.push(Part { vertices, triangles, body, pose });
        }
        Ok(all)
    }

    /// Number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// Takes the next pose of the surface, without moving the world.
    pub(crate) fn set_next(&mut self, pose: &[[f64; 3]]) {
        for part in &mut self.parts {
            part.pose.clear();
            part.pose.extend(part.vertices.iter().map(|&v| pose[v as usize]));
        }
    }

    /// The world, and where its bodies go next.
    pub(crate) fn step(&mut self) -> (&mut World, Vec<NextPose<'_>>) {
        let next = self.parts.iter().map(|part| (part.body, part.pose.as_slice())).collect();
        (&mut self.world, next)
    }

    /// Moves the world to the next pose.
    pub(crate) fn advance(&mut self) -> Result<()> {
        for part in &self.parts {
            self.world.set_pose(part.body, &part.pose)?;
        }
        Ok(())
    }

    /// The number in the surface of a vertex of a body.
    pub(crate) fn vertex(&self, body: BodyId, vertex: u32) -> u32 {
        self.parts[body.index()].vertices[vertex as usize]
    }

    /// The number in the surface of a triangle of a body.
    pub(crate) fn triangle(&self, body: BodyId, triangle: u32) -> u32 {
        self.parts[body.index()].triangles[triangle as usize]
    }
}
