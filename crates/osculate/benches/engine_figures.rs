//! Measures the performance targets of the engine, one per run, and answers with a line of JSON.
//!
//! `cargo xtask figures` starts this; see there. The arguments are the name of a figure and, for
//! the first three, the folder with the cloth-ball frames:
//!
//! - `refit FOLDER`: seconds to refit the hierarchy to the step, and to stream as many bytes as
//!   that touches
//! - `threads FOLDER`: seconds of all contacts of the step, with one thread and with two
//! - `memory FOLDER`: peak growth of the process in bytes, for all contacts of the step
//! - `memory TRIANGLES`: the same for a generated surface of this many triangles
//! - `growth`: triangles and seconds of the same surface, subdivided three times, in a step without
//!   contacts
//! - `surface TRIANGLES`: seconds of one thread to make a model of that surface, for the first
//!   step, and for the next ones, and bytes of the model and of the whole process above its input
//! - `bodies COUNT`: the same for this many small bodies in a row, in one world

mod ply;

use ply::read_ply;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use osculate::{BodyId, Mesh, Model, Query, World};

/// How often each side is measured.
const REPEAT: usize = 15;

type Answer = Result<String, Box<dyn Error>>;

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = match arguments[..] {
        [] => {
            println!("nothing to measure: `cargo xtask figures` says what");
            return ExitCode::SUCCESS;
        }
        ["refit", folder] => Scene::read(Path::new(folder)).and_then(|scene| refit(&scene)),
        ["threads", folder] => Scene::read(Path::new(folder)).and_then(|scene| threads(&scene)),
        ["memory", size] => match size.parse() {
            Ok(n_triangles) => memory(|| Ok(Scene::of_at_least(n_triangles))),
            Err(_) => memory(|| Scene::read(Path::new(size))),
        },
        ["growth"] => growth(),
        ["surface", size] => parsed(size).and_then(|n_triangles| scale(&Scene::of_at_least(n_triangles), 1)),
        ["bodies", count] => parsed(count).and_then(|count| scale(&Scene::sheet(8), count)),
        _ => Err(format!("unknown figure: {}", arguments.join(" ")).into()),
    };
    match answer {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// A surface at both ends of a step.
struct Scene {
    faces: Vec<[u32; 3]>,
    t0: Vec<[f64; 3]>,
    t1: Vec<[f64; 3]>,
}

impl Scene {
    /// The step from frame 92 to frame 93 of the cloth ball.
    fn read(folder: &Path) -> Result<Scene, Box<dyn Error>> {
        let (t0, faces) = read_ply(&folder.join("cloth_ball92.ply"))?;
        let (t1, _) = read_ply(&folder.join("cloth_ball93.ply"))?;
        Ok(Scene { faces, t0, t1 })
    }

    /// A bumpy sheet of n by n squares; the bumps travel a little, and nothing touches.
    fn sheet(n: u32) -> Scene {
        let pose = |time: f64| -> Vec<[f64; 3]> {
            let at = |i: u32| f64::from(i) / f64::from(n);
            let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| (at(i), at(j))));
            let height = |x: f64, y: f64| 0.05 * (9.0 * x + 0.2 * time).sin() * (7.0 * y - 0.3 * time).cos();
            vertices.map(|(x, y)| [x + 0.01 * time, y, height(x, y)]).collect()
        };
        let squares = (0..n).flat_map(|i| (0..n).map(move |j| i * (n + 1) + j));
        let faces = squares.flat_map(|v| [[v, v + 1, v + n + 1], [v + 1, v + n + 2, v + n + 1]]).collect();
        Scene { faces, t0: pose(0.0), t1: pose(1.0) }
    }

    fn of_at_least(n_triangles: u32) -> Scene {
        Scene::sheet((f64::from(n_triangles) / 2.0).sqrt().ceil() as u32)
    }

    fn world(&self) -> Result<(World, BodyId), Box<dyn Error>> {
        let mesh = Mesh::new(self.faces.clone(), self.t0.len())?;
        let mut world = World::new();
        let body = world.add(Arc::new(Model::new(mesh, &self.t0)?), &self.t0)?;
        Ok((world, body))
    }

    /// Seconds of a query about the step, and the number of contacts.
    fn time(&self, world: &mut World, body: BodyId, query: &Query) -> Result<(f64, u64), Box<dyn Error>> {
        let start = Instant::now();
        let report = world.contacts(&[(body, &self.t1)], query)?;
        Ok((start.elapsed().as_secs_f64(), report.count))
    }
}

/// One thread: a query for no pair of bodies sets the step and refits, and nothing else.
fn refit(scene: &Scene) -> Answer {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let (mut world, body) = scene.world()?;
    let query = Query::all().filter(&|_, _| false);
    let (n_vertices, n_triangles) = (scene.t0.len(), scene.faces.len());
    // A tree of nodes with four children has at least a third as many nodes as triangles.
    let n_nodes = n_triangles / 3;
    let lines = vec![1u64; 8 * n_vertices];
    let triangles = vec![1u32; 3 * n_triangles];
    let slots = vec![1u32; 4 * n_nodes];
    let mut bounds = vec![0f32; 48 * n_nodes];
    let bytes = 64 * n_vertices + 12 * n_triangles + (16 + 192) * n_nodes;
    let (mut refit, mut stream) = (Vec::new(), Vec::new());
    for round in 0..REPEAT {
        refit.push(scene.time(&mut world, body, &query)?.0);
        let start = Instant::now();
        black_box(lines.iter().fold(0u64, |sum, x| sum.wrapping_add(*x)));
        black_box(triangles.iter().fold(0u32, |sum, x| sum.wrapping_add(*x)));
        black_box(slots.iter().fold(0u32, |sum, x| sum.wrapping_add(*x)));
        bounds.fill(round as f32);
        black_box(&mut bounds);
        stream.push(start.elapsed().as_secs_f64());
    }
    let (refit, stream) = (median(refit), median(stream));
    Ok(format!(
        r#"{{"triangles": {n_triangles}, "bytes": {bytes}, "seconds": {refit}, "stream_seconds": {stream}}}"#
    ))
}

/// All contacts with one thread and with two, in turn.
fn threads(scene: &Scene) -> Answer {
    let pools = [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build());
    let mut seconds = [Vec::new(), Vec::new()];
    let (mut world, body) = scene.world()?;
    let mut n_contacts = 0;
    for _ in 0..REPEAT {
        for (pool, seconds) in pools.iter().zip(&mut seconds) {
            let pool = pool.as_ref().map_err(ToString::to_string)?;
            let run = || scene.time(&mut world, body, &Query::all()).map_err(|error| error.to_string());
            let (time, count) = pool.install(run)?;
            seconds.push(time);
            n_contacts = count;
        }
    }
    let [one, two] = seconds.map(median);
    Ok(format!(r#"{{"contacts": {n_contacts}, "one": {one}, "two": {two}}}"#))
}

/// Peak memory of the process, minus its memory with only the input.
fn memory(scene: impl FnOnce() -> Result<Scene, Box<dyn Error>>) -> Answer {
    let scene = scene()?;
    let before = kilobytes("VmRSS:")?;
    let (mut world, body) = scene.world()?;
    let built = kilobytes("VmRSS:")?;
    let (_, contacts) = scene.time(&mut world, body, &Query::all())?;
    let peak = kilobytes("VmHWM:")?;
    let (above, model) = (1024 * (peak - before), 1024 * (built - before));
    Ok(format!(
        r#"{{"triangles": {}, "contacts": {contacts}, "bytes": {above}, "model_bytes": {model}}}"#,
        scene.faces.len()
    ))
}

/// A line of the process status on Linux.
fn kilobytes(name: &str) -> Result<i64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("no such line in the status")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// All contacts, of which there are none, of a surface at four levels of detail.
fn growth() -> Answer {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let mut levels = Vec::new();
    for n in [45, 90, 180, 360] {
        let scene = Scene::sheet(n);
        let (world, body) = scene.world()?;
        levels.push((scene, world, body, Vec::new()));
    }
    for _ in 0..REPEAT {
        for (scene, world, body, seconds) in &mut levels {
            let (time, count) = scene.time(world, *body, &Query::all())?;
            if count != 0 {
                return Err("the surface touches itself".into());
            }
            seconds.push(time);
        }
    }
    let level = |(scene, _, _, seconds): (Scene, World, BodyId, Vec<f64>)| {
        format!(r#"[{}, {}]"#, scene.faces.len(), median(seconds))
    };
    let levels: Vec<String> = levels.into_iter().map(level).collect();
    Ok(format!(r#"{{"levels": [{}]}}"#, levels.join(", ")))
}

fn parsed(number: &str) -> Result<u32, Box<dyn Error>> {
    number.parse().map_err(|_| format!("`{number}` is not a number").into())
}

/// What copies of a surface cost that stand side by side in a world, a little closer than they are
/// wide, so that boxes of neighbors overlap. Seconds are those for which this thread ran.
fn scale(scene: &Scene, count: u32) -> Answer {
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let moved = |pose: &[[f64; 3]], k: u32| -> Vec<[f64; 3]> {
        let at = f64::from(k);
        pose.iter().map(|&[x, y, z]| [x + 0.95 * at, y, z + 0.2 * f64::from(k % 2)]).collect()
    };
    let ends: Vec<[Vec<[f64; 3]>; 2]> =
        (0..count).map(|k| [moved(&scene.t0, k), moved(&scene.t1, k)]).collect();
    let before = kilobytes("VmRSS:")?;
    let start = ran()?;
    let mesh = Mesh::new(scene.faces.clone(), scene.t0.len())?;
    let model = Arc::new(Model::new(mesh, &scene.t0)?);
    let mut world = World::new();
    let bodies = ends.iter().map(|[t0, _]| world.add(model.clone(), t0)).collect::<Result<Vec<_>, _>>()?;
    let prepare = ran()? - start;
    let built = kilobytes("VmRSS:")?;
    let (mut first, mut next) = (0.0, Vec::new());
    for step in 0..6 {
        let [from, to] = [step % 2, (step + 1) % 2];
        for (body, ends) in bodies.iter().zip(&ends) {
            world.set_pose(*body, &ends[from])?;
        }
        let moves: Vec<_> = bodies.iter().zip(&ends).map(|(&body, ends)| (body, &ends[to])).collect();
        let start = ran()?;
        let report = world.contacts(&moves, &Query::all())?;
        let seconds = ran()? - start;
        if report.count != 0 {
            return Err("the bodies touch".into());
        }
        if step == 0 { first = seconds } else { next.push(seconds) }
    }
    let peak = kilobytes("VmHWM:")?;
    let (bytes, model_bytes) = (1024 * (peak - before), 1024 * (built - before));
    Ok(format!(
        r#"{{"triangles": {}, "bodies": {count}, "prepare": {prepare}, "first": {first}, "next": {}, "bytes": {bytes}, "model_bytes": {model_bytes}}}"#,
        scene.faces.len() * count as usize,
        median(next)
    ))
}

/// Seconds for which this thread has run, as the scheduler of Linux counts them.
fn ran() -> Result<f64, Box<dyn Error>> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = line.split_whitespace().next().ok_or("the scheduler tells nothing")?.parse()?;
    Ok(1e-9 * nanoseconds)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
