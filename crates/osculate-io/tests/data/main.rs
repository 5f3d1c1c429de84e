//! The readers on real files: reference poses, skins evaluated a second time, closed surfaces that
//! stay closed.
//!
//! The files are not part of the project. They are looked for in `$OSCULATE_DATA`, by default
//! beside the workspace in `shared/data`; where they are missing, the trials are reported as
//! ignored, not as passed.

mod arrays;
mod colors;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arrays::Arrays;
use libtest_mimic::{Arguments, Failed, Trial};
use osculate_io::{Clip, Options, open, read_bytes};

type Outcome = Result<(), Failed>;

/// Characters with their welded vertices, triangles and clips, and whether they are closed.
const CHARACTERS: [(&str, usize, usize, usize, bool); 8] = [
    ("CesiumMan", 2338, 4672, 1, true),
    ("Fox", 290, 576, 3, true),
    ("Horse", 1093, 2182, 13, true),
    ("Knight", 0, 0, 76, false),
    ("MorphStressTest", 0, 0, 3, false),
    ("RiggedFigure", 0, 256, 1, false),
    ("Spider", 0, 2712, 5, false),
    ("hand_left", 0, 2314, 1, true),
];

fn main() -> ExitCode {
    let data = match std::env::var_os("OSCULATE_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let is_missing = !data.is_dir();
    let mut trials = Vec::new();
    let mut add = |name: String, run: Box<dyn FnOnce() -> Outcome + Send>| {
        trials.push(Trial::test(name, run).with_ignored_flag(is_missing));
    };
    for character in CHARACTERS {
        let path = data.join(format!("characters/{}.glb", character.0));
        add(format!("characters::{}", character.0), Box::new(move || check_character(path, character)));
    }
    for (folder, check) in
        [("poses", check_poses as fn(&Path) -> Outcome), ("skins", check_skin), ("sequences", check_frames)]
    {
        let Ok(entries) = std::fs::read_dir(data.join(folder)) else {
            add(format!("{folder}::all"), Box::new(|| Err("the folder is missing".into())));
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            add(format!("{folder}::{stem}"), Box::new(move || check(&path)));
        }
    }
    for (folder, frames, vertices, triangles) in
        [("cloth-ball", 2, 46598, 92230), ("thick-cloth", 2, 233, 404)]
    {
        let path = data.join(folder);
        add(format!("meshes::{folder}"), Box::new(move || check_sequence(path, frames, vertices, triangles)));
    }
    let path = data.join("solids/bunny.ply");
    add("meshes::bunny".into(), Box::new(move || check_sequence(path, 1, 2503, 5002)));
    for file in
        ["characters/Fox.glb", "characters/RiggedFigure.glb", "skins/fox_1k_Run.npz", "thick-cloth/t0.ply"]
    {
        let path = data.join(file);
        add(format!("damaged::{file}"), Box::new(move || check_damaged(&path)));
    }
    for folder in ["characters", "skins", "sequences", "solids"] {
        let entries = std::fs::read_dir(data.join(folder)).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        if paths.is_empty() {
            add(format!("colors::{folder}"), Box::new(|| Err("the folder is missing".into())));
        }
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            add(format!("colors::{name}"), Box::new(move || colors::check(&path)));
        }
    }
    for folder in ["cloth-ball", "thick-cloth"] {
        let path = data.join(folder);
        add(format!("colors::{folder}"), Box::new(move || colors::check(&path)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn ensure(condition: bool, message: impl FnOnce() -> String) -> Outcome {
    if condition { Ok(()) } else { Err(message().into()) }
}

fn check_equal<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Outcome {
    ensure(found == expected, || format!("{what}: found {found:?}, expected {expected:?}"))
}

fn pose(clip: &Clip, frame: usize) -> Result<Vec<[f64; 3]>, Failed> {
    let mut out = Vec::new();
    clip.pose(frame, &mut out)?;
    check_equal("positions", out.len(), clip.surface.n_vertices)?;
    ensure(out.iter().flatten().all(|x| x.is_finite()), || format!("frame {frame} is not finite"))?;
    Ok(out)
}

/// A character opens, all its clips have finite poses, and it is closed if it should be. Zeros
/// stand for any number.
fn check_character(
    path: PathBuf,
    (_, vertices, triangles, n_clips, is_closed): (&str, usize, usize, usize, bool),
) -> Outcome {
    let clips = open(&[path], &Options::default())?;
    check_equal("clips", clips.len(), n_clips)?;
    let surface = &clips[0].surface;
    let or_any = |expected: usize, found: usize| if expected == 0 { found } else { expected };
    check_equal("vertices", surface.n_vertices, or_any(vertices, surface.n_vertices))?;
    check_equal("triangles", surface.faces.len(), or_any(triangles, surface.faces.len()))?;
    let welding = surface.welding.as_ref().ok_or("no welding")?;
    check_equal("sources", welding.source.len(), surface.n_vertices)?;
    for clip in &clips {
        for frame in [0, clip.n_frames() / 2, clip.n_frames() - 1] {
            pose(clip, frame)?;
        }
    }
    let mut n_triangles = HashMap::new();
    for face in &surface.faces {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (face[a], face[b]);
            *n_triangles.entry((a.min(b), a.max(b))).or_insert(0) += 1;
        }
    }
    check_equal("closed", n_triangles.values().all(|&n| n == 2) || !is_closed, true)
}

/// The poses of a clip equal those of another implementation, as sets of points.
fn check_poses(path: &Path) -> Outcome {
    let arrays = Arrays::read(path)?;
    let glb =
        path.parent().and_then(Path::parent).ok_or("no folder")?.join("characters").join(arrays.text("glb")?);
    let name = arrays.text("clip")?;
    let clips = open(&[glb], &Options::default())?;
    // A number stands for a clip without a name.
    let by_number = name.parse().ok().and_then(|i: usize| clips.get(i));
    let clip = clips.iter().find(|clip| clip.name == name).or(by_number).ok_or("no such clip")?;
    let surface = &clip.surface;
    let skin = surface.skin.as_ref().ok_or("no skin")?;
    // The references have skinned meshes only. A mesh without a skin follows a bone with its own
    // name.
    let mut is_skinned = vec![false; surface.objects.len()];
    for (vertex, &object) in surface.vertex_object.iter().enumerate() {
        let bone = skin.dominant_bone(vertex).ok_or("no bone")?;
        is_skinned[object as usize] |= skin.bones[bone as usize].name != surface.objects[object as usize];
    }
    let points = arrays.numbers("points")?;
    let times = arrays.numbers("times")?;
    let per_frame = points.len() / times.len();
    for (time, expected) in times.iter().zip(points.chunks_exact(per_frame)) {
        let frame = ((time * 30.0).round() as usize).min(clip.n_frames() - 1);
        ensure((clip.time(frame) - time).abs() < 0.034, || {
            format!("frame {frame} is at {}", clip.time(frame))
        })?;
        let mut found = pose(clip, frame)?;
        let mut objects = surface.vertex_object.iter();
        found.retain(|_| objects.next().is_some_and(|&object| is_skinned[object as usize]));
        let expected: Vec<[f64; 3]> = expected.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        check_equal("points", found.len(), expected.len())?;
        let (low, high) =
            expected.iter().flatten().fold((f64::MAX, f64::MIN), |(l, h), &x| (l.min(x), h.max(x)));
        let far = farthest(&found, &expected).max(farthest(&expected, &found));
        ensure(far <= 1e-5 * (high - low), || format!("at {time} s points are {far} apart"))?;
    }
    Ok(())
}

/// Returns the greatest distance from a point of `a` to the nearest of `b`.
fn farthest(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let distance_sq = |p: &[f64; 3], q: &[f64; 3]| (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>();
    let nearest_sq = |p: &[f64; 3]| b.iter().map(|q| distance_sq(p, q)).fold(f64::MAX, f64::min);
    a.iter().map(nearest_sq).fold(0.0, f64::max).sqrt()
}

/// Poses of a skin equal `Σ w · M · [v, 1]`, evaluated here from the arrays of the file.
fn check_skin(path: &Path) -> Outcome {
    let clips = open(&[path.to_owned()], &Options::default())?;
    let (clip, arrays) = (&clips[0], Arrays::read(path)?);
    let [rest, joints, weights, matrices] =
        ["rest_vertices", "joints", "weights", "bone_matrices"].map(|name| arrays.numbers(name));
    let (rest, joints, weights, matrices) = (rest?, joints?, weights?, matrices?);
    let n = rest.len() / 3;
    let per_vertex = joints.len() / n;
    check_equal("vertices", clip.surface.n_vertices, n)?;
    let skin = clip.surface.skin.as_ref().ok_or("no skin")?;
    check_equal("matrices", skin.bones.len() * clip.n_frames() * 12, matrices.len())?;
    for frame in [0, clip.n_frames() / 3, clip.n_frames() - 1] {
        let found = pose(clip, frame)?;
        for vertex in 0..n {
            let mut expected = [0.0; 3];
            for i in vertex * per_vertex..(vertex + 1) * per_vertex {
                let matrix = &matrices[(frame * skin.bones.len() + joints[i] as usize) * 12..];
                for (axis, sum) in expected.iter_mut().enumerate() {
                    let row = &matrix[4 * axis..];
                    let p = &rest[3 * vertex..];
                    *sum += weights[i] * (row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]);
                }
            }
            let far = (0..3).map(|i| (expected[i] - found[vertex][i]).abs()).fold(0.0, f64::max);
            ensure(far <= 1e-9, || {
                format!("frame {frame}, vertex {vertex}: {expected:?} is {:?}", found[vertex])
            })?;
        }
    }
    Ok(())
}

/// Frames equal the array in the file.
fn check_frames(path: &Path) -> Outcome {
    let clips = open(&[path.to_owned()], &Options::default())?;
    let frames = Arrays::read(path)?.numbers("frames")?;
    check_equal("numbers", clips[0].n_frames() * clips[0].surface.n_vertices * 3, frames.len())?;
    for (frame, expected) in frames.chunks_exact(clips[0].surface.n_vertices * 3).enumerate() {
        ensure(pose(&clips[0], frame)?.concat() == expected, || format!("frame {frame} differs"))?;
    }
    Ok(())
}

fn check_sequence(path: PathBuf, frames: usize, vertices: usize, triangles: usize) -> Outcome {
    let clips = open(&[path], &Options::default())?;
    check_equal("frames", clips[0].n_frames(), frames)?;
    check_equal("triangles", clips[0].surface.faces.len(), triangles)?;
    for frame in 0..frames {
        check_equal("vertices", pose(&clips[0], frame)?.len(), vertices)?;
    }
    Ok(())
}

/// A file that is cut off or damaged gives an error or a clip.
fn check_damaged(path: &Path) -> Outcome {
    let bytes = std::fs::read(path)?;
    let name = path.to_string_lossy();
    let mut out = Vec::new();
    let mut attempt = |bytes: &[u8]| {
        for clip in read_bytes(bytes, &name, &Options::default()).unwrap_or_default() {
            // Whether the pose exists does not matter, only that asking for it ends.
            let _ = clip.pose(clip.n_frames() - 1, &mut out);
        }
    };
    for i in 0..150 {
        attempt(&bytes[..bytes.len() * i / 150]);
    }
    let mut state: u64 = 1;
    for _ in 0..1000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut damaged = bytes.clone();
        // Half of the damage goes to the first bytes, where the headers are.
        let reach = if state >> 63 == 0 { damaged.len() } else { damaged.len().min(20_000) };
        let at = (state >> 20) as usize % reach;
        damaged[at] ^= 1 << (state >> 60 & 7);
        attempt(&damaged);
    }
    Ok(())
}
