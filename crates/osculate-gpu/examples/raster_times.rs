//! Prints how long a GPU and the processor take for the frames of tests of sets in a scene. They
//! take turns, and must give the same answers.
//!
//! `cargo run --release -p osculate-gpu --example raster_times [SCENE [FIRST [LAST]]]`: the scene
//! `curtains`, and its steps from 60 to 70, if nothing is given.

use osculate::method::{Chromatic, SetTests};
use osculate::raster::{CpuRaster, Frame, Hidden, Raster, RasterFault};
use osculate::{Error, Mesh, Method, Model, Query, World};
use osculate_gpu::GpuRaster;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Sums over frames.
#[derive(Default)]
struct Times {
    frames: usize,
    primitives: usize,
    tiles: usize,
    entries: usize,
    longest: u32,
    cpu: Duration,
    gpu: Duration,
    first: Duration,
}

/// Lets both rasterizers answer.
struct Both {
    gpu: GpuRaster,
    times: Arc<Mutex<Times>>,
}

impl Raster for Both {
    fn hidden(&mut self, frame: &Frame) -> Result<Vec<Hidden>, RasterFault> {
        let start = Instant::now();
        let answers = self.gpu.hidden(frame)?;
        let gpu = start.elapsed();
        let start = Instant::now();
        let expected = CpuRaster.hidden(frame)?;
        let cpu = start.elapsed();
        assert!(answers == expected, "the answers differ");
        if let Ok(mut times) = self.times.lock() {
            if times.frames == 0 {
                times.first = gpu;
            }
            times.frames += 1;
            times.primitives += frame.primitives.len();
            times.tiles += frame.tiles.len();
            times.entries += frame.lists.len();
            times.longest = frame.tiles.iter().map(|tile| tile.len).fold(times.longest, u32::max);
            times.cpu += cpu;
            times.gpu += gpu;
        }
        Ok(answers)
    }
}

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("curtains", String::as_str);
    let number =
        |i: usize, default: usize| arguments.get(i).and_then(|text| text.parse().ok()).unwrap_or(default);
    let Some(scene) = osculate_scenes::build(name) else {
        println!("there is no scene {name}");
        return Ok(());
    };
    let start = Instant::now();
    let gpu = match GpuRaster::new() {
        Ok(gpu) => gpu,
        Err(fault) => {
            println!("{fault}");
            return Ok(());
        }
    };
    println!("{}, opened in {:.0} ms", gpu.adapter_name(), start.elapsed().as_secs_f64() * 1e3);
    let times = Arc::new(Mutex::new(Times::default()));
    let mut world = World::new();
    let mut pose = Vec::new();
    scene.pose(number(1, 60), &mut pose);
    let mut bodies = Vec::new();
    for part in scene.parts() {
        let points = part.pose(&pose);
        let model = Arc::new(Model::new(Mesh::new(part.faces.clone(), points.len())?, &points)?);
        bodies.push((world.add(model, &points)?, part));
    }
    world.set_raster(Some(Box::new(Both { gpu, times: times.clone() })));
    let query = Query::all().method(Method::Chromatic(Chromatic::new().sets(SetTests::Always)));
    for frame in number(1, 60)..number(2, 70) {
        scene.pose(frame + 1, &mut pose);
        let next: Vec<_> = bodies.iter().map(|(body, part)| (*body, part.pose(&pose))).collect();
        let moves: Vec<_> = next.iter().map(|(body, points)| (*body, points)).collect();
        world.contacts(&moves[..], &query)?;
        for (body, points) in &next {
            world.set_pose(*body, points)?;
        }
    }
    if let Some(fault) = world.raster_fault() {
        println!("{fault}");
    }
    let Ok(times) = times.lock() else { return Ok(()) };
    let n = times.frames.max(1);
    let ms = |time: Duration| time.as_secs_f64() * 1e3 / n as f64;
    println!(
        "{name}: {} frames; {} primitives, {} tiles and {} entries each; {} in the longest tile",
        times.frames,
        times.primitives / n,
        times.tiles / n,
        times.entries / n,
        times.longest
    );
    println!(
        "per frame: GPU {:.2} ms (the first frame {:.1} ms), processor {:.2} ms with {} threads",
        ms(times.gpu),
        times.first.as_secs_f64() * 1e3,
        ms(times.cpu),
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    Ok(())
}
