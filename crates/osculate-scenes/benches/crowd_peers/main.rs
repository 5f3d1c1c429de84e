//! Times queries on a crowd of skinned creatures, on request, for comparison with other tools.
//!
//! `cargo xtask peers crowd` starts this with a folder, a number of bodies and a number of frames,
//! and compares. It writes the crowd to the folder for the other tools, signals that it is ready,
//! and answers; see [`answers`]. The time is that of posing all bodies by their bones and of the
//! query.

mod answers;
mod cast;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use answers::{Found, Question, send, send_error, serve};
use cast::Cast;
use osculate::method::SphereTree;
use osculate::{Affine, BodyId, BodySettings, Crossing, Mesh, Method, Model, Query, Results, World};

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [folder, n_bodies, n_frames] = &arguments[..] else {
        println!("nothing to time: `cargo xtask peers crowd` says what");
        return ExitCode::SUCCESS;
    };
    let Err(error) = run(Path::new(folder), n_bodies, n_frames) else { return ExitCode::SUCCESS };
    send_error(&*error);
    ExitCode::FAILURE
}

fn run(folder: &Path, n_bodies: &str, n_frames: &str) -> Result<(), Box<dyn Error>> {
    let cast = Cast::new(n_bodies.parse()?, n_frames.parse()?)?;
    cast.write(folder)?;
    // A pool of this thread alone.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let mut crowd = Crowd::new(&cast)?;
    // The tree is built on first use.
    crowd.ask(Question::Triangles, &cast.frames[0])?;
    let n_triangles = cast.scene.faces.len() * crowd.bodies.len();
    send(&format!(r#"{{"triangles": {n_triangles}}}"#))?;
    serve(folder, "osculate", cast.frames.len(), |question, frame| {
        Ok(crowd.ask(question, &cast.frames[frame])?)
    })
}

/// All bodies in a world.
struct Crowd {
    world: World,
    bodies: Vec<BodyId>,
}

impl Crowd {
    fn new(cast: &Cast) -> Result<Crowd, osculate::Error> {
        let mesh = Mesh::new(cast.scene.faces.clone(), cast.scene.rest.len())?;
        let model = Arc::new(Model::new(mesh, &cast.scene.rest)?.with_skin(cast.skin.clone())?);
        let mut world = World::new();
        let settings = BodySettings::default().self_contact(false);
        let add = |bones: &Vec<Affine>| world.add_with(model.clone(), bones, settings);
        let bodies = cast.frames[0].iter().map(add).collect::<Result<_, _>>()?;
        Ok(Crowd { world, bodies })
    }

    fn ask(&mut self, question: Question, poses: &[Vec<Affine>]) -> Result<Found, osculate::Error> {
        let start = Instant::now();
        for (&body, bones) in self.bodies.iter().zip(poses) {
            self.world.set_pose(body, bones)?;
        }
        let pose = start.elapsed().as_secs_f64();
        // Which bodies touch is known from all crossings.
        let want = if question == Question::Any { Results::Any } else { Results::All };
        let query = Query::all().results(want).method(Method::SphereTree(SphereTree::new()));
        let report = self.world.crossings(&query)?;
        let pairs = match question {
            Question::Any => vec![[0; 4]; report.count as usize],
            Question::Bodies | Question::Triangles => report.found.iter().map(pair).collect(),
        };
        let stages = vec![("skin", pose), ("query", start.elapsed().as_secs_f64() - pose)];
        Ok(Found { pairs, stages })
    }
}

fn pair(crossing: &Crossing) -> [u32; 4] {
    let [a, b] = crossing.bodies.map(|body| body.index() as u32);
    let [ta, tb] = crossing.triangles;
    [a, b, ta, tb]
}
