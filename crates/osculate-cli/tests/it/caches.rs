//! Point caches with an OBJ file: the same report as for the same frames in an NPZ file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{self, fails, json, succeeds};
use osculate_io::write::{Animation, Motion, save};
use serde_json::Value;

const N_COLUMNS: usize = 9;
const N_FRAMES: usize = 6;

/// A strip of three rows whose second half is folded over the first one, and sinks through it. The
/// coordinates are f32.
fn frame(i: usize) -> Vec<[f32; 3]> {
    let slope = 0.5 - 0.3 * i as f32;
    let position = |v: usize| {
        let (column, y) = (v % N_COLUMNS, (v / N_COLUMNS) as f32);
        match column {
            0..4 => [column as f32, y, 0.0],
            _ => [8.1 - column as f32, y + 0.05, 1.0 + slope * (column - 4) as f32],
        }
    };
    (0..3 * N_COLUMNS).map(position).collect()
}

fn quads() -> impl Iterator<Item = [u32; 4]> {
    let n = N_COLUMNS as u32;
    (0..2 * n).filter(move |v| v % n != n - 1).map(move |v| [v, v + 1, v + n + 1, v + n])
}

/// Writes the strip as `strip.obj`, `.pc2`, `.mdd` and `.npz`, at 24 frames per second.
fn folder(test: &str) -> PathBuf {
    let folder = common::folder("caches", test);
    let path = |extension: &str| folder.join("strip").with_extension(extension);
    // The positions of the OBJ file are not used.
    let lines = frame(0).into_iter().map(|[x, y, _]| format!("v {x} {y} 7\n"));
    let lines = lines.chain(quads().map(|corners| {
        let [a, b, c, d] = corners.map(|corner| corner + 1);
        format!("f {a} {b} {c} {d}\n")
    }));
    fs::write(path("obj"), lines.collect::<String>()).unwrap();

    let (n_frames, n_points) = (N_FRAMES as i32, 3 * N_COLUMNS as i32);
    let mut pc2 = b"POINTCACHE2\0".to_vec();
    pc2.extend([1, n_points].map(i32::to_le_bytes).as_flattened());
    pc2.extend([1f32, 1.25].map(f32::to_le_bytes).as_flattened());
    pc2.extend(n_frames.to_le_bytes());
    let mut mdd = [n_frames, n_points].map(i32::to_be_bytes).as_flattened().to_vec();
    mdd.extend((0..N_FRAMES).flat_map(|i| (i as f32 / 24.0).to_be_bytes()));
    for coordinate in (0..N_FRAMES).flat_map(frame).flatten() {
        pc2.extend(coordinate.to_le_bytes());
        mdd.extend(coordinate.to_be_bytes());
    }
    fs::write(path("pc2"), pc2).unwrap();
    fs::write(path("mdd"), mdd).unwrap();

    let poses: Vec<Vec<[f64; 3]>> =
        (0..N_FRAMES).map(|i| frame(i).iter().map(|position| position.map(f64::from)).collect()).collect();
    let animation = Animation {
        name: "strip",
        fps: 24.0,
        faces: &quads().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect::<Vec<_>>(),
        objects: &["strip".to_owned()],
        vertex_object: &[0; 3 * N_COLUMNS],
        motion: Motion::Frames(poses.as_slice().into()),
    };
    save(&animation, &path("npz")).unwrap();
    folder
}

/// The report on an input, without the name of the input and without times.
fn report(folder: &Path, input: &str) -> Value {
    succeeds(folder, &["check", input, "--contacts", "--json", "r.json"]);
    let mut report = json(&folder.join("r.json"));
    assert_eq!(report["input"].take(), Value::from(vec![input]));
    assert_eq!(report["files"][0]["name"].take(), input);
    report["frames"].as_array_mut().unwrap().iter_mut().for_each(|frame| frame["ms"] = Value::Null);
    report
}

#[test]
fn the_report_is_that_of_the_same_frames() {
    let folder = folder("report");
    let expected = report(&folder, "strip.npz");
    assert_eq!(expected["frames"].as_array().unwrap().len(), N_FRAMES);
    assert_eq!(expected["episodes"].as_array().unwrap().len(), 1);
    for input in ["strip.pc2", "strip.mdd"] {
        assert!(report(&folder, input) == expected, "{input}");
    }
}

#[test]
fn a_cache_without_its_mesh_is_refused() {
    let folder = folder("mesh");
    let sentence = fails(&folder, &["check", "strip.obj", "strip.pc2"]);
    assert!(sentence.ends_with("a point cache is given without its .obj file"), "{sentence}");
    let text = fs::read_to_string(folder.join("strip.obj")).unwrap();
    fs::write(folder.join("strip.obj"), format!("{text}v 0 0 0\n")).unwrap();
    let sentence = fails(&folder, &["check", "strip.mdd"]);
    let expected = "error: strip.mdd: header: the cache has 27 points, but strip.obj has 28 vertices";
    assert_eq!(sentence, expected);
    fs::remove_file(folder.join("strip.obj")).unwrap();
    let sentence = fails(&folder, &["check", "strip.pc2"]);
    let expected =
        "error: strip.pc2: the triangles of a point cache are read from strip.obj, which is missing";
    assert_eq!(sentence, expected);
}
