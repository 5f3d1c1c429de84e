//! What is drawn on the model at a frame: intersection curves, depths of vertices, contacts.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use osculate::penetration::{Anatomy, Curves, Pierced, chain};
use osculate::{BodyId, Crossing, Mesh, Query};
use osculate_io::{Clip, Surface};

use super::pack::Bytes;
use crate::bodies::{Parts, Wanted};
use crate::options::Bodies;

/// The largest number of contacts that are drawn for a problem.
const CONTACTS: usize = 200;

/// What is drawn of a problem at a frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mark {
    pub(crate) problem: u32,
    pub(crate) curves: Curves,
    /// The triangles that cross, ascending.
    pub(crate) triangles: Vec<u32>,
    /// Vertices with their depths; negative outside, see `VertexDepth`.
    pub(crate) depths: Vec<(u32, f64)>,
    /// Points with their normals.
    pub(crate) contacts: Vec<[[f64; 3]; 2]>,
}

impl Mark {
    /// Writes the mark as `page/src/data.js` reads it.
    pub(super) fn encode(&self, bytes: &mut Bytes) {
        bytes.u32(self.problem);
        bytes.u32(self.curves.len() as u32);
        for curve in &self.curves {
            bytes.u32(curve.len() as u32);
            curve.iter().for_each(|&point| bytes.point(point));
        }
        bytes.u32(self.depths.len() as u32);
        self.depths.iter().for_each(|&(vertex, _)| bytes.u32(vertex));
        self.depths.iter().for_each(|&(_, depth)| bytes.f32(depth));
        bytes.u32(self.contacts.len() as u32);
        self.contacts.as_flattened().iter().for_each(|&point| bytes.point(point));
    }

    /// The largest depth of a vertex; 0 if none is enclosed.
    pub(super) fn most(&self) -> f64 {
        self.depths.iter().map(|&(_, depth)| depth).fold(0.0, f64::max)
    }
}

/// A surface that can be asked for marks.
pub(super) struct Tracer {
    parts: Parts,
    anatomy: Anatomy,
    /// The parts of the triangles of each body, ascending.
    parts_of_bodies: Vec<Vec<u32>>,
    query: Query<'static>,
    pose: Vec<[f64; 3]>,
}

impl Tracer {
    /// Prepares a surface at a pose. `part_of_triangle` are the parts of the report, and features
    /// within `rings` of each other are left out.
    pub(super) fn new(
        input: &str,
        surface: &Surface,
        pose: &[[f64; 3]],
        bodies: Bodies,
        part_of_triangle: Vec<u32>,
        rings: u32,
    ) -> Result<Tracer> {
        let parts = Parts::new(input, surface, pose, bodies, Wanted::Nothing)?;
        let mesh = Mesh::new(surface.faces.clone(), surface.n_vertices).with_context(|| input.to_owned())?;
        let anatomy = Anatomy::new(mesh, pose, part_of_triangle)?;
        let parts_of_bodies = parts.triangles().map(|triangles| {
            let mut all: Vec<u32> = triangles.iter().map(|&t| anatomy.parts()[t as usize]).collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        let parts_of_bodies = parts_of_bodies.collect();
        let query = Query::all().exclude_rings(rings);
        Ok(Tracer { parts, anatomy, parts_of_bodies, query, pose: Vec::new() })
    }

    /// The marks of some problems, given by their parts, at a pose.
    pub(super) fn at(&mut self, pose: &[[f64; 3]], wanted: &BTreeMap<[u32; 2], u32>) -> Result<Vec<Mark>> {
        let Tracer { parts, anatomy, query, .. } = self;
        parts.set_next(pose);
        parts.advance()?;
        let of_bodies = &self.parts_of_bodies;
        let is_near = |a: BodyId, b: BodyId| {
            let [a, b] = [a, b].map(|body| &of_bodies[body.index()]);
            let has = |of_body: &Vec<u32>, part: u32| of_body.binary_search(&part).is_ok();
            wanted.keys().any(|&[p, q]| has(a, p) && has(b, q) || has(a, q) && has(b, p))
        };
        let query = (*query).filter(&is_near);
        let found = parts.world.crossings(&query)?.found;
        let part = |t: u32| anatomy.parts()[t as usize];
        let mut marks: BTreeMap<[u32; 2], Mark> = BTreeMap::new();
        let mut segments: BTreeMap<[u32; 2], Vec<[[f64; 3]; 2]>> = BTreeMap::new();
        let mut crossings = Vec::with_capacity(found.len());
        for crossing in &found {
            let pierced = pierced(parts, crossing);
            let mut pair = pierced.triangles.map(part);
            pair.sort_unstable();
            if let Some(&problem) = wanted.get(&pair) {
                segments.entry(pair).or_default().extend(pierced.segment);
                let mark = marks.entry(pair).or_insert_with(|| Mark { problem, ..Mark::default() });
                mark.triangles.extend(pierced.triangles);
            }
            crossings.push(pierced);
        }
        for (pair, mark) in &mut marks {
            mark.curves = chain(&segments[pair]);
            mark.triangles.sort_unstable();
            mark.triangles.dedup();
        }
        for depth in anatomy.vertex_depths(pose, &crossings, |pair| wanted.contains_key(&pair))? {
            if let Some(mark) = marks.get_mut(&depth.parts) {
                mark.depths.push((depth.vertex, depth.depth));
            }
        }
        Ok(marks.into_values().collect())
    }

    /// The contacts of some problems in the step from a frame to the next one.
    pub(super) fn between(
        &mut self,
        clip: &Clip,
        from: usize,
        wanted: &BTreeMap<[u32; 2], u32>,
    ) -> Result<Vec<Mark>> {
        let Tracer { parts, anatomy, query, pose, .. } = self;
        clip.pose(from, pose)?;
        parts.set_next(pose);
        parts.advance()?;
        clip.pose(from + 1, pose)?;
        parts.set_next(pose);
        let (world, next) = parts.step();
        let found = world.contacts(&next, query)?.found;
        let mut marks: BTreeMap<u32, Mark> = BTreeMap::new();
        let of_vertex = parts_of_vertices(anatomy);
        for contact in &found {
            let [first, second] = contact.key.bodies;
            let n_first = contact.key.kind.n_first();
            let [a, b] =
                [(first, 0), (second, n_first)].map(|(body, k)| parts.vertex(body, contact.vertices[k]));
            for [p, q] in pairs(&of_vertex[a as usize], &of_vertex[b as usize]) {
                let Some(&problem) = wanted.get(&[p.min(q), p.max(q)]) else { continue };
                let mark = marks.entry(problem).or_insert_with(|| Mark { problem, ..Mark::default() });
                if mark.contacts.len() < CONTACTS {
                    mark.contacts.push([contact.at.point, contact.at.normal]);
                }
                break;
            }
        }
        Ok(marks.into_values().collect())
    }
}

fn pierced(parts: &Parts, crossing: &Crossing) -> Pierced {
    Pierced::of(crossing, |k| parts.triangle(crossing.bodies[k], crossing.triangles[k]))
}

/// The parts of the triangles around each vertex.
fn parts_of_vertices(anatomy: &Anatomy) -> Vec<Vec<u32>> {
    let mut of_vertex: Vec<Vec<u32>> = vec![Vec::new(); anatomy.mesh().n_vertices()];
    for (face, &part) in anatomy.mesh().triangles().iter().zip(anatomy.parts()) {
        for &v in face {
            if !of_vertex[v as usize].contains(&part) {
                of_vertex[v as usize].push(part);
            }
        }
    }
    of_vertex
}

fn pairs<'a>(a: &'a [u32], b: &'a [u32]) -> impl Iterator<Item = [u32; 2]> + 'a {
    a.iter().flat_map(move |&p| b.iter().map(move |&q| [p, q]))
}
