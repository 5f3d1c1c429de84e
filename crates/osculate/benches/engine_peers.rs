//! Times whole queries on meshes, on request, for comparison with other tools.
//!
//! `cargo xtask peers engine` starts this, feeds it and compares; see there. The one argument is
//! the folder with the meshes: `positions.f64` (rows of x0 y0 z0 x1 y1 z1) and `faces.u32` (rows of
//! three vertices), little-endian. Each of these lines on standard input is answered by one line of
//! JSON:
//!
//! - `contacts THREADS`: all contacts of the step
//! - `earliest THREADS`: the earliest contact of the step
//! - `thick THREADS DISTANCE`: all contacts of the step with this minimum separation
//! - `thick-earliest THREADS DISTANCE`: the earliest of them
//! - `proximities THREADS DISTANCE`: features at the end of the step within this distance
//! - `closest THREADS`: the points at the end of the step that are closest to the first points of
//!   `probes.f64`; writes their distances to `closest-osculate.f64`
//! - `rays THREADS`: where the segments of `probes.f64` first meet the surface at the end of the
//!   step; writes which parts of them are free to `rays-osculate.f64`
//! - `crossings THREADS`: pairs of triangles that cross at the end of the step
//! - `any THREADS`: whether there are such pairs
//! - `once THREADS`: the same as `crossings` for a mesh that has not been seen before, with the
//!   time of its preparation
//! - `pairs THREADS`: the same as `crossings`, and writes the pairs to `crossings-osculate.u32`
//!
//! `flat` as a last word means without proofs, by boxes alone. Reading the files and the one-time
//! preparation of a mesh are not part of the time, and for probes neither is that of the pose.

mod rows;

use rows::{read_rows, write_numbers};
use std::error::Error;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use osculate::segment::Segments;
use osculate::{BodyId, Contact, Crossing, Mesh, Method, Model, Query, Report, World};

/// The meshes at both ends of the step.
struct Scene {
    faces: Vec<[u32; 3]>,
    t0: Vec<[f64; 3]>,
    t1: Vec<[f64; 3]>,
}

/// A bracket of the earliest contact, if there is one.
type Earliest = Option<[f64; 2]>;

/// Seconds that parts of a query took, if known.
type Stages = Vec<(&'static str, f64)>;

type Timed<T> = Result<(T, Stages), Box<dyn Error>>;

/// The state of the library that outlives a query.
struct Engine {
    scene: Scene,
    threads: usize,
    /// Seconds it took to make the engine.
    prepare_seconds: f64,
    pool: rayon::ThreadPool,
    world: World,
    body: BodyId,
}

impl Engine {
    fn new(scene: Scene, threads: usize) -> Result<Engine, Box<dyn Error>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let start = Instant::now();
        let mesh = Mesh::new(scene.faces.clone(), scene.t0.len())?;
        let model = Arc::new(Model::new(mesh, &scene.t0)?);
        let mut world = World::new();
        let body = world.add(model, &scene.t0)?;
        Ok(Engine { prepare_seconds: start.elapsed().as_secs_f64(), scene, threads, pool, world, body })
    }

    /// The meshes, for another engine.
    fn into_scene(self) -> Scene {
        self.scene
    }

    fn contacts(&mut self, query: &Query) -> Timed<Report<Contact>> {
        let Engine { scene, pool, world, body, .. } = self;
        pool.install(|| {
            let start = Instant::now();
            world.set_pose(*body, &scene.t0)?;
            let pose = start.elapsed().as_secs_f64();
            let report = world.contacts(&[(*body, &scene.t1)], query)?;
            Ok((report, vec![("pose", pose), ("query", start.elapsed().as_secs_f64() - pose)]))
        })
        .map_err(|error: osculate::Error| error.into())
    }

    fn contacts_all(&mut self) -> Timed<(usize, Earliest)> {
        let (report, stages) = self.contacts(&Query::all())?;
        Ok(((report.found.len(), earliest(&report)), stages))
    }

    fn contacts_earliest(&mut self) -> Timed<Earliest> {
        let (report, stages) = self.contacts(&Query::earliest())?;
        Ok((report.found.first().map(|contact| [contact.lo, contact.hi]), stages))
    }

    fn proximities(&mut self, radius: f64) -> Timed<usize> {
        let Engine { scene, pool, world, body, .. } = self;
        pool.install(|| {
            let start = Instant::now();
            world.set_pose(*body, &scene.t1)?;
            let pose = start.elapsed().as_secs_f64();
            let report = world.proximities(radius, &Query::all())?;
            Ok((report.found.len(), vec![("pose", pose), ("query", start.elapsed().as_secs_f64() - pose)]))
        })
        .map_err(|error: osculate::Error| error.into())
    }

    /// Asks the surface at the end of the step about each probe, from one thread.
    fn probe(&mut self, probes: &[[f64; 6]], ask: fn(&Segments, [[f64; 3]; 2]) -> f64) -> Timed<Vec<f64>> {
        self.world.set_pose(self.body, &self.scene.t1)?;
        let start = Instant::now();
        let surface = self.world.surface(self.body)?;
        let pose = start.elapsed().as_secs_f64();
        let answers =
            probes.iter().map(|&[a, b, c, d, e, f]| ask(&surface, [[a, b, c], [d, e, f]])).collect();
        Ok((answers, vec![("pose", pose), ("query", start.elapsed().as_secs_f64() - pose)]))
    }

    fn crossings(&mut self, query: &Query) -> Timed<Report<Crossing>> {
        let Engine { scene, pool, world, body, .. } = self;
        pool.install(|| {
            let start = Instant::now();
            world.set_pose(*body, &scene.t1)?;
            let pose = start.elapsed().as_secs_f64();
            let report = world.crossings(query)?;
            Ok((report, vec![("pose", pose), ("query", start.elapsed().as_secs_f64() - pose)]))
        })
        .map_err(|error: osculate::Error| error.into())
    }

    fn crossings_all(&mut self) -> Timed<Vec<[u32; 2]>> {
        let (report, stages) = self.crossings(&Query::all())?;
        Ok((triangles(&report), stages))
    }

    /// The crossings of the mesh at the end of the step as that of a new model in a new world.
    fn crossings_once(&self) -> Timed<Vec<[u32; 2]>> {
        let Scene { faces, t1, .. } = &self.scene;
        self.pool
            .install(|| {
                let start = Instant::now();
                let model = Arc::new(Model::new(Mesh::new(faces.clone(), t1.len())?, t1)?);
                let mut world = World::new();
                world.add(model, t1)?;
                let prepare = start.elapsed().as_secs_f64();
                let report = world.crossings(&Query::all())?;
                let query = start.elapsed().as_secs_f64() - prepare;
                Ok((triangles(&report), vec![("prepare", prepare), ("query", query)]))
            })
            .map_err(|error: osculate::Error| error.into())
    }

    fn crossings_any(&mut self) -> Timed<bool> {
        let (report, stages) = self.crossings(&Query::any())?;
        Ok((report.count != 0, stages))
    }
}

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let Some(folder) = std::env::args_os().skip(1).find(|argument| argument != "--bench").map(PathBuf::from)
    else {
        println!("nothing to time: `cargo xtask peers engine` prepares the meshes");
        return ExitCode::SUCCESS;
    };
    let Err(error) = serve(&folder) else { return ExitCode::SUCCESS };
    // The caller reports it; if nobody listens any more, the exit code tells.
    let sentence = error.to_string().replace(['"', '\\', '\n'], "'");
    let _ = send(&format!(r#"{{"error": "{sentence}"}}"#));
    ExitCode::FAILURE
}

/// Answers requests until there are no more.
fn serve(folder: &Path) -> Result<(), Box<dyn Error>> {
    let scene = Scene::read(folder)?;
    send(&format!(r#"{{"vertices": {}, "faces": {}}}"#, scene.t0.len(), scene.faces.len()))?;
    let mut engine = Engine::new(scene, 1)?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let [query, threads, distance @ ..] = &words[..] else {
            return Err(format!("unknown command: {line}").into());
        };
        let (distance, method) = match distance {
            [distance, "flat"] => (distance.parse()?, Method::Bvh(Default::default())),
            [distance] => (distance.parse()?, Method::Auto),
            _ => (0.0, Method::Auto),
        };
        let threads: usize =
            threads.parse().map_err(|_| format!("`{threads}` is not a number of threads"))?;
        if threads != engine.threads {
            engine = Engine::new(engine.into_scene(), threads)?;
        }
        send(&answer(&mut engine, query, distance, method, folder)?)?;
    }
    Ok(())
}

/// Answers one request.
fn answer(
    engine: &mut Engine,
    query: &str,
    distance: f64,
    method: Method,
    folder: &Path,
) -> Result<String, Box<dyn Error>> {
    let start = Instant::now();
    // The members of the answer besides the times.
    let (seconds, members, stages) = match query {
        "contacts" => {
            let ((contacts, earliest), stages) = engine.contacts_all()?;
            let seconds = start.elapsed().as_secs_f64();
            (seconds, format!(r#""contacts": {contacts}, "earliest": {}"#, bracket(earliest)), stages)
        }
        "earliest" => {
            let (earliest, stages) = engine.contacts_earliest()?;
            (start.elapsed().as_secs_f64(), format!(r#""earliest": {}"#, bracket(earliest)), stages)
        }
        "thick" | "thick-earliest" => {
            let query = if query == "thick" { Query::all() } else { Query::earliest() };
            let (report, stages) = engine.contacts(&query.min_separation(distance).method(method))?;
            let seconds = start.elapsed().as_secs_f64();
            let members =
                format!(r#""contacts": {}, "earliest": {}"#, report.found.len(), bracket(earliest(&report)));
            (seconds, members, stages)
        }
        "proximities" => {
            let (found, stages) = engine.proximities(distance)?;
            (start.elapsed().as_secs_f64(), format!(r#""found": {found}"#), stages)
        }
        "closest" | "rays" => {
            let probes: Vec<[f64; 6]> = read_rows(&folder.join("probes.f64"), f64::from_le_bytes)?;
            let ask: fn(&Segments, [[f64; 3]; 2]) -> f64 = match query {
                "closest" => |surface, [p, _]| {
                    surface.closest_point(p, f64::INFINITY).map_or(f64::NAN, |at| at.distance)
                },
                _ => |surface, [p, q]| surface.ray_cast(p, q).map_or(1.0, |hit| hit.fraction),
            };
            let (answers, stages) = engine.probe(&probes, ask)?;
            write_numbers(&folder.join(format!("{query}-osculate.f64")), &answers)?;
            (stages[1].1, format!(r#""probes": {}"#, probes.len()), stages)
        }
        "any" => {
            let (any, stages) = engine.crossings_any()?;
            (start.elapsed().as_secs_f64(), format!(r#""any": {any}"#), stages)
        }
        "crossings" | "pairs" | "once" => {
            let (pairs, stages) =
                if query == "once" { engine.crossings_once()? } else { engine.crossings_all()? };
            let seconds = start.elapsed().as_secs_f64();
            if query == "pairs" {
                let bytes: Vec<u8> = pairs.iter().flatten().flat_map(|face| face.to_le_bytes()).collect();
                let path = folder.join("crossings-osculate.u32");
                std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
            }
            (seconds, format!(r#""pairs": {}"#, pairs.len()), stages)
        }
        _ => return Err(format!("unknown command: {query}").into()),
    };
    // A list of pairs, since the order of an object's members means nothing.
    let stages: Vec<String> =
        stages.iter().map(|(stage, seconds)| format!(r#"["{stage}", {seconds}]"#)).collect();
    Ok(format!(
        r#"{{"threads": {}, "prepare_seconds": {}, "seconds": {seconds}, {members}, "stages": [{}]}}"#,
        engine.threads,
        engine.prepare_seconds,
        stages.join(", ")
    ))
}

fn triangles(report: &Report<Crossing>) -> Vec<[u32; 2]> {
    report.found.iter().map(|crossing| crossing.triangles).collect()
}

/// The least `lo` and the least `hi` of all contacts, not always of the same one.
fn earliest(report: &Report<Contact>) -> Earliest {
    let brackets = report.found.iter().map(|contact| [contact.lo, contact.hi]);
    brackets.reduce(|[lo, hi], [other_lo, other_hi]| [lo.min(other_lo), hi.min(other_hi)])
}

fn bracket(earliest: Earliest) -> String {
    earliest.map_or_else(|| "null".to_owned(), |[lo, hi]| format!("[{lo:e}, {hi:e}]"))
}

fn send(json: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{json}")?;
    stdout.flush()
}

impl Scene {
    fn read(folder: &Path) -> Result<Scene, Box<dyn Error>> {
        let positions: Vec<[f64; 6]> = read_rows(&folder.join("positions.f64"), f64::from_le_bytes)?;
        Ok(Scene {
            faces: read_rows(&folder.join("faces.u32"), u32::from_le_bytes)?,
            t0: positions.iter().map(|&[x, y, z, ..]| [x, y, z]).collect(),
            t1: positions.iter().map(|&[.., x, y, z]| [x, y, z]).collect(),
        })
    }
}
