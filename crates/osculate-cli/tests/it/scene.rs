//! Runs `osculate scene`: the file that it writes is the scene, in every format and whatever the
//! number of threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use osculate_io::{Clip, Options};
use osculate_scenes::Scene;

/// Maximum difference of a coordinate of a GLB file, relative to the largest coordinate: a few f32
/// roundings.
const TOLERANCE: f64 = 1e-6;

/// An empty, separate folder for one scene.
fn folder(scene: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scene").join(scene);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a scene to a file of a folder. Simulations are cached in the folder `cache`.
fn write(scene: &str, folder: &Path, file: &str, cache: &str, n_threads: usize) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
    command.current_dir(folder).args(["scene", scene, "-o", file]);
    command.env("CARGO_TARGET_DIR", folder.join(cache)).env("RAYON_NUM_THREADS", n_threads.to_string());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{scene}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with(&format!("written to {file}\n")), "{text}");
}

fn read(path: &Path, scene: &Scene) -> Clip {
    let options = Options { fps: scene.fps, ..Options::default() };
    let mut clips = osculate_io::open(&[path.to_owned()], &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(clips.len(), 1);
    let clip = clips.remove(0);
    assert_eq!((clip.fps, clip.n_frames()), (scene.fps, scene.n_frames()), "{}", scene.name);
    // Vertices of a scene are numbered object by object, so a GLB file does not change their order.
    assert_eq!(clip.surface.faces, scene.faces, "{}", scene.name);
    assert_eq!(clip.surface.vertex_object, scene.vertex_object, "{}", scene.name);
    clip
}

/// The largest difference of a coordinate from the scene, relative to the largest coordinate.
fn difference(clip: &Clip, scene: &Scene) -> f64 {
    let (mut found, mut wanted) = (Vec::new(), Vec::new());
    let (mut worst, mut size) = (0.0_f64, 0.0_f64);
    for frame in 0..scene.n_frames() {
        clip.pose(frame, &mut found).unwrap();
        scene.pose(frame, &mut wanted);
        assert_eq!(found.len(), wanted.len());
        for (a, b) in found.as_flattened().iter().zip(wanted.as_flattened()) {
            worst = worst.max((a - b).abs());
            size = size.max(b.abs());
        }
    }
    worst / size
}

/// Writes the scene, reads it back, and compares all frames: bit by bit for NPZ, which stores f64,
/// and up to rounding for GLB, which stores f32. Each file is made by a separate process; for the
/// first, simulations are run again, with one thread.
fn check(name: &str) {
    let folder = folder(name);
    write(name, &folder, "scene.npz", "cache", 1);
    write(name, &folder, "scene.glb", "cache", 2);
    let scene = osculate_scenes::build(name).unwrap();
    let clip = read(&folder.join("scene.npz"), &scene);
    let (mut found, mut wanted) = (Vec::new(), Vec::new());
    for frame in 0..scene.n_frames() {
        clip.pose(frame, &mut found).unwrap();
        scene.pose(frame, &mut wanted);
        let is_same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        assert!(found.len() == wanted.len(), "{name}");
        assert!(found.as_flattened().iter().zip(wanted.as_flattened()).all(is_same), "{name}: frame {frame}");
    }
    let worst = difference(&read(&folder.join("scene.glb"), &scene), &scene);
    assert!(worst <= TOLERANCE, "{name}: positions in the GLB file differ by {worst:e} of the size");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn small_scenes_read_back() {
    osculate_scenes::names().into_iter().for_each(check);
}

#[test]
#[ignore = "large scenes take minutes, and gigabytes"]
fn large_scenes_read_back() {
    osculate_scenes::large_names().into_iter().for_each(check);
}

/// The smallest of the simulations.
#[test]
#[ignore = "a minute; the solver has a quick one"]
fn a_simulation_gives_the_same_bytes_with_one_thread_and_with_two() {
    let folder = folder("simulation");
    write("jelly", &folder, "one.npz", "cache-1", 1);
    write("jelly", &folder, "two.npz", "cache-2", 2);
    let [one, two] = ["one.npz", "two.npz"].map(|file| fs::read(folder.join(file)).unwrap());
    assert!(one == two);
    fs::remove_dir_all(&folder).unwrap();
}
