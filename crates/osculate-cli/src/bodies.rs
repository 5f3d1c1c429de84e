//! Divides a surface into the bodies of a world.

use std::sync::{Arc, Once};

use anyhow::{Context as _, Result};
use osculate::chromatic::Size;
use osculate::deformer::AnyDeformer;
use osculate::method::{Clusters, SetStage};
use osculate::{BodyId, BodySettings, Description, Mesh, Model, Pose, World};
use osculate_io::{Clip, Surface};

use crate::features::Feature;
use crate::options::Bodies;
use crate::rig::{self, Cost, Skeleton};
use crate::{clusters, terminal};

/// What the method needs besides triangles.
#[derive(Clone, Copy)]
pub(crate) enum Wanted<'a> {
    Nothing,
    /// Clusters, computed here: from the skeleton, if there is one and this build can do that.
    Clusters,
    /// Given clusters of the whole surface.
    GivenClusters(&'a Clusters),
    /// What moves the whole surface.
    Deformer(&'a AnyDeformer),
}

/// A part of the surface that is one body.
struct Part {
    /// The vertices of the part, ascending, by their numbers in the surface.
    vertices: Vec<u32>,
    /// The triangles of the part, ascending, by their numbers in the surface.
    triangles: Vec<u32>,
    body: BodyId,
    model: Arc<Model>,
    pose: Vec<[f64; 3]>,
    /// Whether the body never leaves its first pose, and is not tested against itself.
    is_static: bool,
}

impl Part {
    /// All parts of a surface were modeled together.
    fn settings(is_static: bool) -> BodySettings {
        BodySettings::default().is_static(is_static).rest_group(Some(0))
    }

    /// The next pose: parameters, if the part is posed by them.
    fn next<'a>(&'a self, parameters: Option<&'a [f64]>) -> Pose<'a> {
        parameters.map_or_else(|| Pose::from(&self.pose), Pose::parameters)
    }
}

/// A world made of the parts of a surface.
pub(crate) struct Parts {
    pub(crate) world: World,
    pub(crate) description: Description,
    /// The cost of clustering, if clusters were made from the skeleton.
    pub(crate) cost: Cost,
    /// The skeleton that moves the joints of the clusters, if there is one.
    skeleton: Option<Skeleton>,
    /// The parameters of the next pose, such as bones, if the bodies are posed by them.
    parameters: Option<Vec<f64>>,
    parts: Vec<Part>,
}

/// Positions of joints at both ends of a step.
pub(crate) type JointEnds = [Vec<[f64; 3]>; 2];

impl Parts {
    /// Divides the surface, which is at the given pose, into bodies, and clusters them if needed.
    pub(crate) fn new(
        input: &str,
        surface: &Surface,
        pose: &[[f64; 3]],
        bodies: Bodies,
        wanted: Wanted,
    ) -> Result<Parts> {
        Self::with_rest(input, surface, [pose; 2], bodies, wanted)
    }

    /// The same, with models made at a rest pose, and bodies at another pose.
    pub(crate) fn with_rest(
        input: &str,
        surface: &Surface,
        [rest, pose]: [&[[f64; 3]]; 2],
        bodies: Bodies,
        wanted: Wanted,
    ) -> Result<Parts> {
        let mesh = Mesh::new(surface.faces.clone(), surface.n_vertices).with_context(|| input.to_owned())?;
        let part_of_triangle: Vec<u32> = match bodies {
            Bodies::Whole => vec![0; surface.faces.len()],
            Bodies::Components => mesh.components().to_vec(),
            Bodies::Objects => {
                surface.faces.iter().map(|face| surface.vertex_object[face[0] as usize]).collect()
            }
        };
        let mut all = Parts {
            world: World::new(),
            description: mesh.describe(),
            cost: Cost::default(),
            skeleton: skeleton(surface, wanted).with_context(|| input.to_owned())?,
            parameters: None,
            parts: Vec::new(),
        };
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
            let [rest, pose] = [rest, pose]
                .map(|of_surface| vertices.iter().map(|&v| of_surface[v as usize]).collect::<Vec<_>>());
            let mesh = Mesh::new(faces, vertices.len()).with_context(|| input.to_owned())?;
            let mut model = Model::new(mesh, &rest)?;
            if let Wanted::GivenClusters(whole) = wanted {
                model = model.with_clusters(clusters::of_part(whole, &triangles)?)?;
            } else if let Wanted::Deformer(whole) = wanted {
                model = model.with_deformer(whole.part(&vertices)?)?;
            } else if let (Some(skeleton), Some(skin)) = (&all.skeleton, &surface.skin) {
                let rest: Vec<[f64; 3]> = vertices.iter().map(|&v| skin.rest[v as usize]).collect();
                if let Some(made) = rig::cluster(&model, &rest, skeleton).with_context(|| input.to_owned())? {
                    all.cost.add(made.cost);
                    model = model.with_clusters(made.clusters)?;
                }
            }
            let model = Arc::new(model);
            let is_static = bodies != Bodies::Whole && is_static(surface, &vertices);
            let body = all.world.add_with(model.clone(), &pose, Part::settings(is_static))?;
            all.parts.push(Part { vertices, triangles, body, model, pose, is_static });
        }
        Ok(all)
    }

    /// Returns the same models in a new world without any kept state.
    pub(crate) fn twin(&self) -> Result<Parts> {
        let mut twin = Parts {
            world: World::new(),
            description: self.description,
            cost: self.cost,
            skeleton: self.skeleton.clone(),
            parameters: None,
            parts: Vec::new(),
        };
        for part in &self.parts {
            let &Part { is_static, ref vertices, ref triangles, ref model, ref pose, .. } = part;
            let body = twin.world.add_with(model.clone(), pose, Part::settings(is_static))?;
            let (vertices, triangles, pose) = (vertices.clone(), triangles.clone(), pose.clone());
            twin.parts.push(Part { vertices, triangles, body, model: model.clone(), pose, is_static });
        }
        Ok(twin)
    }

    /// The clusters of all bodies, numbered for the whole surface; grown now where there are none.
    pub(crate) fn clusters(&self) -> Result<Clusters> {
        let parts = self.parts.iter().map(|part| (part.model.clusters(), part.triangles.as_slice()));
        clusters::of_whole(self.description.triangles, parts)
    }

    /// The positions of the joints in a frame, if known.
    pub(crate) fn joints(&self, clip: &Clip, frame: usize) -> Result<Option<Vec<[f64; 3]>>> {
        self.skeleton.as_ref().map_or(Ok(None), |skeleton| skeleton.at(clip, frame))
    }

    /// Sets the positions of the joints in the next step; if unknown, observers follow the surface.
    pub(crate) fn set_joints(&mut self, ends: Option<&JointEnds>) -> Result<()> {
        if self.skeleton.is_none() {
            return Ok(());
        }
        let ends = ends.map(|ends| ends.each_ref().map(Vec::as_slice));
        for part in &self.parts {
            self.world.set_joints(part.body, ends)?;
        }
        Ok(())
    }

    /// Number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// Sets the next pose from the vertices of the surface; does not move the world.
    pub(crate) fn set_next(&mut self, pose: &[[f64; 3]]) {
        self.parameters = None;
        for part in self.parts.iter_mut().filter(|part| !part.is_static) {
            part.pose.clear();
            part.pose.extend(part.vertices.iter().map(|&v| pose[v as usize]));
        }
    }

    /// Sets the parameters of the next pose; does not move the world.
    pub(crate) fn set_next_parameters(&mut self, parameters: Vec<f64>) {
        self.parameters = Some(parameters);
    }

    /// The parameters of the next pose, if the bodies are posed by them.
    pub(crate) fn next_parameters(&self) -> Option<&[f64]> {
        self.parameters.as_deref()
    }

    /// Whether the bodies are posed by parameters.
    pub(crate) fn follow_parameters(&self) -> bool {
        self.parameters.is_some()
    }

    /// The world, and the next poses of its bodies that are not static.
    pub(crate) fn step(&mut self) -> (&mut World, Vec<(BodyId, Pose<'_>)>) {
        let parameters = self.parameters.as_deref();
        let moving = self.parts.iter().filter(|part| !part.is_static);
        let next = moving.map(|part| (part.body, part.next(parameters))).collect();
        (&mut self.world, next)
    }

    /// Moves the world to the next pose.
    pub(crate) fn advance(&mut self) -> Result<()> {
        for part in self.parts.iter().filter(|part| !part.is_static) {
            self.world.set_pose(part.body, part.next(self.parameters.as_deref()))?;
        }
        Ok(())
    }

    /// For each triangle of the surface, the size of the largest patch that contains it and that
    /// the last query proved free of self-collisions, and of its body; 0 where there is no such
    /// patch. `None` if no patches were tested.
    pub(crate) fn cleared_patches(&self) -> Result<Option<Vec<[u32; 2]>>> {
        let mut sizes = vec![[0, 1]; self.description.triangles];
        let mut is_tested = false;
        for part in &self.parts {
            let of_part = self.world.cleared_patches(part.body)?;
            is_tested |= of_part.is_some();
            let n_triangles = part.triangles.len() as u32;
            for (&triangle, size) in part.triangles.iter().zip(of_part.unwrap_or_default()) {
                sizes[triangle as usize] = [size, n_triangles];
            }
        }
        Ok(is_tested.then_some(sizes))
    }

    /// For each triangle of the surface, the color of its set among those of its body, in
    /// primitives of the given size.
    pub(crate) fn set_colors(&self, size: Size) -> Vec<u32> {
        let mut colors = vec![0; self.description.triangles];
        for part in &self.parts {
            let coloring = part.model.coloring(size);
            for (&triangle, &primitive) in part.triangles.iter().zip(coloring.primitives()) {
                colors[triangle as usize] = coloring.colors()[primitive as usize];
            }
        }
        colors
    }

    /// For each body, the number of colors, and the least number that it needs.
    pub(crate) fn numbers_of_colors(&self, size: Size) -> Vec<[usize; 2]> {
        let of_part = |part: &Part| {
            let coloring = part.model.coloring(size);
            [coloring.n_colors(), coloring.lower_bound()]
        };
        self.parts.iter().map(of_part).collect()
    }

    /// For each triangle of the surface, how far it got in the tests of sets of the last query.
    /// `None` if no sets were tested.
    pub(crate) fn set_stages(&self) -> Result<Option<Vec<SetStage>>> {
        let mut stages = vec![SetStage::NoPair; self.description.triangles];
        let mut is_tested = false;
        for part in &self.parts {
            let of_part = self.world.set_stages(part.body)?;
            is_tested |= of_part.is_some();
            for (&triangle, stage) in part.triangles.iter().zip(of_part.unwrap_or_default()) {
                stages[triangle as usize] = stage;
            }
        }
        Ok(is_tested.then_some(stages))
    }

    /// The vertices of the surface at the pose of the world; those that are in no triangle at the
    /// origin.
    pub(crate) fn vertices(&mut self, n_vertices: usize) -> Result<Vec<[f64; 3]>> {
        let mut vertices = vec![[0.0; 3]; n_vertices];
        for part in &self.parts {
            for (&v, position) in part.vertices.iter().zip(self.world.vertices(part.body)?) {
                vertices[v as usize] = position;
            }
        }
        Ok(vertices)
    }

    /// Maps a vertex of a body to its number in the surface.
    pub(crate) fn vertex(&self, body: BodyId, vertex: u32) -> u32 {
        self.parts[body.index()].vertices[vertex as usize]
    }

    /// The triangles of each body, by their numbers in the surface.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = &[u32]> {
        self.parts.iter().map(|part| part.triangles.as_slice())
    }

    /// Maps a triangle of a body to its number in the surface.
    pub(crate) fn triangle(&self, body: BodyId, triangle: u32) -> u32 {
        self.parts[body.index()].triangles[triangle as usize]
    }
}

/// Whether vertices belong to objects that never move.
fn is_static(surface: &Surface, vertices: &[u32]) -> bool {
    vertices.iter().all(|&v| surface.static_objects.contains(&surface.vertex_object[v as usize]))
}

/// Whether clusters that are made for a surface are grown along it although it has a skeleton,
/// because this build makes none from skeletons. If so, a note says it, once.
pub(crate) fn are_grown_instead(surface: &Surface) -> bool {
    let has_bones = surface.skin.as_ref().is_some_and(|skin| !skin.bones.is_empty());
    let is_instead = has_bones && !Feature::Rig.is_there();
    if is_instead {
        static NOTE: Once = Once::new();
        let command = Feature::Rig.command("…");
        NOTE.call_once(|| {
            terminal::note(&format!(
                "clusters are grown along the surface, as this build makes none from skeletons; {command} does"
            ));
        });
    }
    is_instead
}

/// The skeleton that moves the joints of the clusters, if there is one.
fn skeleton(surface: &Surface, wanted: Wanted) -> Result<Option<Skeleton>> {
    let skin = surface.skin.as_ref().filter(|skin| !skin.bones.is_empty());
    Ok(match (wanted, skin) {
        (Wanted::Nothing | Wanted::Deformer(_), _) | (_, None) => None,
        (Wanted::Clusters, Some(_)) if !Feature::Rig.is_there() => None,
        (Wanted::Clusters, Some(skin)) => Some(Skeleton::of(skin)?),
        (Wanted::GivenClusters(whole), Some(skin)) => {
            Some(Skeleton::of(skin)?).filter(|skeleton| skeleton.rest() == whole.joints())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use osculate::Query;

    #[test]
    fn static_objects_are_bodies_that_stay_and_are_not_tested_against_themselves() {
        let mut pose = vec![[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]];
        pose.extend([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
        pose.extend([[0.5, 0.5, -1.0], [0.5, 0.5, 1.0], [0.5, 3.0, 0.0]]);
        let surface = Surface {
            n_vertices: 9,
            faces: vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]],
            objects: vec!["falls".to_owned(), "stays".to_owned()],
            static_objects: vec![1],
            vertex_object: vec![0, 0, 0, 1, 1, 1, 1, 1, 1],
            skin: None,
            welding: None,
            skipped: 0,
            notes: Vec::new(),
        };
        let parts = |bodies| Parts::new("test", &surface, &pose, bodies, Wanted::Nothing).unwrap();
        let below: Vec<[f64; 3]> = pose.iter().map(|&[x, y, z]| [x + 0.1, y + 0.1, z - 5.5]).collect();
        for (bodies, crossings) in [(Bodies::Whole, 1), (Bodies::Components, 0), (Bodies::Objects, 0)] {
            let first = parts(bodies);
            for mut parts in [first.twin().unwrap(), first] {
                assert_eq!(parts.world.crossings(&Query::all()).unwrap().count, crossings);
                parts.set_next(&below);
                assert_eq!(parts.step().1.len(), 1);
                parts.advance().unwrap();
                let end = parts.vertices(9).unwrap();
                assert_eq!(end[..3], below[..3]);
                assert_eq!(end[3..] == pose[3..], bodies != Bodies::Whole);
            }
        }
    }
}
