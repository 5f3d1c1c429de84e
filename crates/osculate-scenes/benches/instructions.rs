//! Pieces of work whose instructions `cargo xtask instructions` counts: `instructions NAME` does
//! one of them, and `instructions` prints all names.
//!
//! Everything is done on one thread. What a piece needs is prepared first, and not counted.

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

use osculate::{BodyId, Method, Model, Query, World};
use osculate_scenes::{Scene, build};

/// The scene, and the first of the steps; spikes touch in some of them.
const SCENE: &str = "urchin";
const STEPS: std::ops::Range<usize> = 36..40;

/// A distance within which features of neighboring spikes are close, in units of the scene.
const NEAR: f64 = 0.01;

/// Points and rays for each step.
const ASKED: usize = 200;

/// Work that is not about contacts by one method; all methods of [`METHODS`] come before.
const OTHERS: [&str; 6] = ["prepare", "crossings", "thick", "proximities", "closest-points", "rays"];
const METHODS: [&str; 9] = [
    "bvh",
    "bvh:16dop",
    "normal-cone",
    "normal-cone:front",
    "radial",
    "chromatic",
    "chromatic:sets",
    "sphere-tree",
    "bn-tree",
];

fn main() -> Result<(), Box<dyn Error>> {
    // Without a name, or as run by `cargo bench`.
    let Some(name) = std::env::args().nth(1).filter(|name| !name.starts_with("--")) else {
        METHODS.iter().chain(&OTHERS).for_each(|name| println!("{name}"));
        return Ok(());
    };
    // All loops then run in the calling thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    let scene = build(SCENE).ok_or("there is no such scene")?;
    let n_results = pool.install(|| Piece::new(&scene, &name)?.run(&name))?;
    println!("{n_results}");
    Ok(())
}

/// Calls `work`. `cargo xtask instructions` knows this function by its name.
#[inline(never)]
fn count_instructions_of(
    work: &mut dyn FnMut() -> Result<u64, osculate::Error>,
) -> Result<u64, osculate::Error> {
    black_box(work())
}

/// A body of the scene.
struct Piece<'a> {
    scene: &'a Scene,
    /// For each frame, the vertices.
    poses: Vec<Vec<[f64; 3]>>,
    world: World,
    body: BodyId,
}

impl<'a> Piece<'a> {
    fn new(scene: &'a Scene, name: &str) -> Result<Piece<'a>, osculate::Error> {
        let mut poses = Vec::new();
        for frame in STEPS.start..=STEPS.end {
            let mut pose = Vec::new();
            scene.pose(frame, &mut pose);
            poses.push(pose);
        }
        let mut world = World::new();
        let body = match is_governed(name) {
            true => world.add(Arc::new(scene.model()?), scene.model_pose(STEPS.start))?,
            false => world.add(Arc::new(model(scene)?), &poses[0])?,
        };
        Ok(Piece { scene, poses, world, body })
    }

    fn run(&mut self, name: &str) -> Result<u64, osculate::Error> {
        let query = Query::all();
        let all = 0..self.poses.len() - 1;
        match name {
            "prepare" => {
                let scene = self.scene;
                count_instructions_of(&mut || {
                    let mut world = World::new();
                    world.add(Arc::new(model(scene)?), &self.poses[0])?;
                    Ok(world.crossings(&query)?.count)
                })
            }
            "crossings" => self.count(all, |piece, k| {
                piece.world.set_pose(piece.body, &piece.poses[k])?;
                Ok(piece.world.crossings(&query)?.count)
            }),
            "thick" => {
                let query = query.min_separation(NEAR);
                self.count(all, |piece, k| piece.contacts(k, &query))
            }
            "proximities" => self.count(all, |piece, k| {
                piece.world.set_pose(piece.body, &piece.poses[k])?;
                Ok(piece.world.proximities(NEAR, &query)?.count)
            }),
            "closest-points" => self.count(all, |piece, k| {
                piece.world.set_pose(piece.body, &piece.poses[k])?;
                let mut n = 0;
                for point in piece.near_vertices(k) {
                    n += u64::from(piece.world.closest_point(piece.body, point)?.is_some());
                }
                Ok(n)
            }),
            "rays" => self.count(all, |piece, k| {
                piece.world.set_pose(piece.body, &piece.poses[k])?;
                let mut n = 0;
                for point in piece.near_vertices(k) {
                    let hit = piece.world.ray_cast(piece.body, [0.0; 3], point)?;
                    n += u64::from(hit.is_some());
                }
                Ok(n)
            }),
            method => {
                let query = query.method(method.parse::<Method>()?);
                match is_governed(method) {
                    true => self.count(all, |piece, k| {
                        let [from, to] = [k, k + 1].map(|k| piece.scene.model_pose(STEPS.start + k));
                        piece.world.set_pose(piece.body, from)?;
                        Ok(piece.world.contacts(&[(piece.body, to)], &query)?.count)
                    }),
                    false => self.count(all, |piece, k| piece.contacts(k, &query)),
                }
            }
        }
    }

    /// The sum of what `step` returns for all steps; only the second time is counted, when
    /// everything that is computed once is there.
    fn count(
        &mut self,
        steps: std::ops::Range<usize>,
        step: impl Fn(&mut Piece, usize) -> Result<u64, osculate::Error>,
    ) -> Result<u64, osculate::Error> {
        let mut run = || steps.clone().try_fold(0, |n, k| Ok(n + step(self, k)?));
        run()?;
        count_instructions_of(&mut run)
    }

    /// The number of contacts of a step.
    fn contacts(&mut self, k: usize, query: &Query) -> Result<u64, osculate::Error> {
        self.world.set_pose(self.body, &self.poses[k])?;
        Ok(self.world.contacts(&[(self.body, &self.poses[k + 1])], query)?.count)
    }

    /// Points that are some way off the surface.
    fn near_vertices(&self, k: usize) -> Vec<[f64; 3]> {
        let pose = &self.poses[k];
        let stride = pose.len() / ASKED;
        pose.iter().step_by(stride).map(|p| p.map(|x| 1.25 * x)).collect()
    }
}

/// Whether a method poses bodies by bones.
fn is_governed(name: &str) -> bool {
    ["sphere-tree", "bn-tree"].contains(&name)
}

fn model(scene: &Scene) -> Result<Model, osculate::Error> {
    Model::new(osculate::Mesh::new(scene.faces.clone(), scene.rest.len())?, &scene.rest)
}
