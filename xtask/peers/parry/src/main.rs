//! Times a crowd of skinned creatures in parry, on request; with `closeness`, [`probes`],
//! and with `crossings`, [`crossings`].
//!
//! Arguments and answers are those of the bench `crowd_peers`, with which this is interleaved. The
//! time is that of deforming all vertices, refitting the trees of bodies whose boxes overlap, and
//! testing these pairs.

#[path = "../../../../crates/osculate-scenes/benches/crowd_peers/answers.rs"]
mod answers;
#[path = "../../../../crates/osculate-scenes/benches/crowd_peers/cast.rs"]
mod cast;
mod crossings;
mod probes;
#[path = "../../../../crates/osculate/benches/rows/mod.rs"]
mod rows;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use answers::{Found, Question, send, send_error, serve};
use cast::Cast;
use osculate::{Affine, Skin};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume as _};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::details::intersection_test_support_map_support_map;
use parry3d_f64::shape::{TriMesh, TriMeshBuilderError};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Err(error) = run(&arguments) else { return ExitCode::SUCCESS };
    send_error(&*error);
    ExitCode::FAILURE
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [folder, n_bodies, n_frames] = match arguments {
        [mode, folder] if mode == "closeness" => return probes::run(Path::new(folder)),
        [mode, folder] if mode == "crossings" => return crossings::run(Path::new(folder)),
        [folder, n_bodies, n_frames] => [folder, n_bodies, n_frames],
        _ => return Err("a folder, a number of bodies and a number of frames are needed".into()),
    };
    let cast = Cast::new(n_bodies.parse()?, n_frames.parse()?)?;
    let mut crowd = Crowd::new(&cast)?;
    send("{}")?;
    serve(Path::new(folder), "parry", cast.frames.len(), |question, frame| {
        Ok(crowd.ask(question, &cast.skin, &cast.frames[frame]))
    })
}

/// A mesh for each body.
struct Crowd {
    meshes: Vec<TriMesh>,
}

impl Crowd {
    fn new(cast: &Cast) -> Result<Crowd, TriMeshBuilderError> {
        let mesh = |bones: &Vec<Affine>| TriMesh::new(skinned(&cast.skin, bones), cast.scene.faces.clone());
        Ok(Crowd { meshes: cast.frames[0].iter().map(mesh).collect::<Result<_, _>>()? })
    }

    fn ask(&mut self, question: Question, skin: &Skin, poses: &[Vec<Affine>]) -> Found {
        let start = Instant::now();
        let vertices: Vec<Vec<Vector>> = poses.iter().map(|bones| skinned(skin, bones)).collect();
        let moved = start.elapsed().as_secs_f64();

        let boxes: Vec<Aabb> =
            vertices.iter().map(|vertices| Aabb::from_points(vertices.iter().copied())).collect();
        let overlapping = overlapping(&boxes);
        for (body, mesh) in self.meshes.iter_mut().enumerate() {
            if overlapping.iter().flatten().any(|&other| other == body) {
                mesh.set_vertices(&vertices[body]);
            }
        }
        let refitted = start.elapsed().as_secs_f64();

        let found = overlapping.iter().flat_map(|&[a, b]| {
            let most = if question == Question::Triangles { usize::MAX } else { 1 };
            let touching = touching(&self.meshes[a], &self.meshes[b]).take(most);
            touching.map(move |[ta, tb]| [a as u32, b as u32, ta, tb])
        });
        let pairs: Vec<[u32; 4]> =
            found.take(if question == Question::Any { 1 } else { usize::MAX }).collect();
        let queried = start.elapsed().as_secs_f64();
        Found {
            pairs,
            stages: vec![("skin", moved), ("refit", refitted - moved), ("query", queried - refitted)],
        }
    }
}

fn skinned(skin: &Skin, bones: &[Affine]) -> Vec<Vector> {
    skin.pose(bones).into_iter().map(Vector::from).collect()
}

/// Pairs of bodies whose boxes overlap.
fn overlapping(boxes: &[Aabb]) -> Vec<[usize; 2]> {
    let pairs = (0..boxes.len()).flat_map(|a| (a + 1..boxes.len()).map(move |b| [a, b]));
    pairs.filter(|&[a, b]| boxes[a].intersects(&boxes[b])).collect()
}

/// Pairs of triangles that touch: both trees are traversed at once, since parry's own test of two
/// meshes traverses one of them for each triangle of the other.
fn touching<'a>(a: &'a TriMesh, b: &'a TriMesh) -> impl Iterator<Item = [u32; 2]> + 'a {
    let leaves = a.bvh().leaf_pairs(b.bvh(), |a, b| a.intersects(b));
    leaves.map(|(ta, tb)| [ta, tb]).filter(|&[ta, tb]| {
        intersection_test_support_map_support_map(&Pose::IDENTITY, &a.triangle(ta), &b.triangle(tb))
    })
}
