//! Runs `osculate check` on small animations: what it prints and writes, and its exit code.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{self, Ran, complete_methods, osculate};
use serde_json::Value;

fn folder(test: &str) -> PathBuf {
    common::folder("check", test)
}

fn check(folder: &Path, arguments: &[&str]) -> Ran {
    osculate(folder, &[&["check"], arguments].concat())
}

/// Writes the frames of an animation as PLY files: a resting sheet of two triangles, and a
/// tetrahedron that falls through it along the given heights.
fn falling(folder: &Path, heights: &[f64]) {
    for (i, z) in heights.iter().enumerate() {
        let mut text = String::from(
            "ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\nproperty double y\nproperty double z\n",
        );
        text.push_str("element face 6\nproperty list uchar int vertex_indices\nend_header\n");
        text.push_str("-2 -2 0\n2 -2 0\n2 2 0\n-2 2 0\n");
        for [x, y, dz] in [[0.3, 0.1, -0.5], [0.8, -0.4, 0.5], [-0.2, 0.9, 0.5], [-0.7, -0.6, 0.5]] {
            text.push_str(&format!("{x} {y} {}\n", z + dz));
        }
        text.push_str("3 0 1 2\n3 0 2 3\n3 4 5 6\n3 4 6 7\n3 4 7 5\n3 5 7 6\n");
        fs::write(folder.join(format!("f{i}.ply")), text).unwrap();
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The same report without the fields that may differ between two runs.
fn without_times(mut report: Value) -> Value {
    for frame in report["frames"].as_array_mut().unwrap() {
        assert!(frame["ms"].is_number());
        frame["ms"] = Value::Null;
    }
    report
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_built_in_figure_touches_itself_in_a_part_of_its_clip() {
    let folder = folder("figure");
    let mut outputs = vec!["--contacts", "--json", "figure.json", "--csv", "figure.csv"];
    let mut written = vec!["figure.csv", "figure.json"];
    if cfg!(feature = "parquet") {
        outputs.extend(["--parquet", "figure.parquet"]);
        written.push("figure.parquet");
    }
    let ran = check(&folder, &outputs);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("bones") && ran.stdout.contains("| Hand.L"), "{}", ran.stdout);
    assert_eq!(names(&folder), written);

    let report = json(&folder.join("figure.json"));
    let frames = report["frames"].as_array().unwrap();
    let touching: Vec<u64> = frames
        .iter()
        .filter(|frame| !frame["contacts"].as_array().unwrap().is_empty())
        .map(|frame| frame["frame"].as_u64().unwrap())
        .collect();
    assert!(!touching.is_empty() && touching.len() < frames.len());
    let n_of = |key: &str| -> usize { frames.iter().map(|frame| frame[key].as_array().unwrap().len()).sum() };
    let n_rows = n_of("contacts") + n_of("crossings");
    let csv = fs::read_to_string(folder.join("figure.csv")).unwrap();
    assert_eq!(csv.lines().count(), n_rows + 1);

    // Free of contact at the start, which a build can rely on.
    let before = format!("0..{}", touching[0]);
    assert_eq!(check(&folder, &["--fail-on-contact", "--frames", &before]).code, Some(0));
    let ran = check(&folder, &["--fail-on-contact", "--frames", &format!("{}..", touching[0])]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
}

#[test]
fn a_report_keeps_its_contract() {
    let folder = folder("contract");
    falling(&folder, &[2.0, 1.0, 0.0, -3.0]);
    let ran = check(
        &folder,
        &["f0.ply", "f1.ply", "f2.ply", "f3.ply", "--continuous", "--contacts", "--json", "r.json"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report = json(&folder.join("r.json"));
    assert_eq!(report["format"], "osculate-report/2");
    assert_eq!(report["guarantee"], "complete");
    assert_eq!(report["method"], "auto");
    let model = &report["model"];
    for (key, value) in [("vertices", 8), ("triangles", 6), ("edges", 11), ("components", 2)] {
        assert_eq!(model[key], value, "{key}");
    }
    for (key, value) in [("boundary_edges", 4), ("non_manifold_edges", 0), ("welded", 0)] {
        assert_eq!(model[key], value, "{key}");
    }
    assert_eq!(model["closed"], false);
    let frames = report["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 3);
    // The tip starts half below the height, so it reaches the sheet half-way through the second
    // step.
    assert_eq!(frames[0]["contacts"], Value::Array(vec![]));
    assert_eq!(frames[0]["earliest"], Value::Null);
    let first = &frames[1]["contacts"][0];
    assert_eq!([&frames[1]["frame"], &frames[1]["from"], &frames[1]["to"]], [1, 1, 2]);
    assert_eq!(first["kind"], "vf");
    assert_eq!(first["a"], serde_json::json!([4]));
    assert_eq!(first["b"].as_array().unwrap().len(), 3);
    let [lo, hi] = [0, 1].map(|i| first["toi"][i].as_f64().unwrap());
    assert!(lo <= 0.5 && 0.5 <= hi && hi - lo < 1e-5);
    assert_eq!(frames[1]["earliest"], first["toi"][0]);
    let point: Vec<f64> = (0..3).map(|i| first["point"][i].as_f64().unwrap()).collect();
    assert!((point[0] - 0.3).abs() < 1e-5 && (point[1] - 0.1).abs() < 1e-5 && point[2].abs() < 1e-5);
    assert!(first["normal"][2].as_f64().unwrap() > 0.99);
    assert_eq!(first["weights"].as_array().unwrap().len(), 4);
    assert_eq!(first["bodies"].as_array().unwrap().len(), 2);
    assert!(frames[1]["stats"]["feature_tests"].as_u64().unwrap() > 0);

    let ran = check(&folder, &["f0.ply", "f1.ply", "f2.ply", "--discrete", "--contacts", "--json", "d.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report = json(&folder.join("d.json"));
    let frames = report["frames"].as_array().unwrap();
    let counts: Vec<usize> =
        frames.iter().map(|frame| frame["crossings"].as_array().unwrap().len()).collect();
    assert_eq!((counts[0], counts[1]), (0, 0));
    assert!(0 < counts[2]);
    let crossing = &frames[2]["crossings"][0];
    assert_eq!(crossing["triangles"].as_array().unwrap().len(), 2);
    assert_eq!(crossing["segment"][0].as_array().unwrap().len(), 3);
}

#[test]
fn nothing_changes_the_answer() {
    let folder = folder("same");
    falling(&folder, &[2.0, 0.5, 0.2, -3.0]);
    let report = |arguments: &[&str]| {
        let mut all = vec![".", "--contacts", "--json", "r.json"];
        all.extend(arguments);
        // The report itself must not become a frame.
        let ran = check(&folder, &all);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        without_times(json(&folder.join("r.json")))
    };
    let first = report(&[]);
    assert_eq!(report(&[]), first, "a second run");
    let contacts = |report: &Value| -> Vec<Value> {
        report["frames"].as_array().unwrap().iter().map(|frame| frame["contacts"].clone()).collect()
    };
    for method in complete_methods() {
        assert_eq!(contacts(&report(&["--method", &method, "--verify"])), contacts(&first), "{method}");
    }
    assert_eq!(contacts(&report(&["--front", "--verify"])), contacts(&first), "front");
    for threads in ["1", "3"] {
        assert_eq!(contacts(&report(&["--threads", threads])), contacts(&first), "{threads} threads");
    }
    let without_bodies = |report: &Value| -> Vec<Value> {
        let mut all = contacts(report);
        for contact in all.iter_mut().flat_map(|frame| frame.as_array_mut().unwrap()) {
            contact["bodies"] = Value::Null;
        }
        all
    };
    for bodies in ["whole", "components", "objects"] {
        let report = report(&["--bodies", bodies]);
        // Three steps, and the last frame.
        assert_eq!(without_bodies(&report).len(), 4);
        let n = |report: &Value| {
            without_bodies(report).iter().map(|f| f.as_array().unwrap().len()).sum::<usize>()
        };
        assert_eq!(n(&report), n(&first), "{bodies}");
    }
    let earliest = report(&["--earliest"]);
    for (one, all) in earliest["frames"].as_array().unwrap().iter().zip(first["frames"].as_array().unwrap()) {
        assert_eq!(one["earliest"], all["earliest"]);
    }
}

/// Bad input: exit code 2, one sentence that names the place, and no output.
#[test]
fn bad_input_is_named() {
    let folder = folder("bad");
    falling(&folder, &[2.0, 1.0]);
    let good = fs::read_to_string(folder.join("f0.ply")).unwrap();
    fs::write(folder.join("nan.ply"), good.replacen("-2 -2 0", "-2 nan 0", 1)).unwrap();
    fs::write(folder.join("index.ply"), good.replacen("3 0 1 2", "3 0 1 99", 1)).unwrap();
    fs::write(folder.join("short.ply"), &good[..good.len() / 2]).unwrap();
    fs::write(folder.join("x.abc"), "what is this").unwrap();
    fs::write(folder.join("x.max"), "what is this").unwrap();
    fs::write(folder.join("old.json"), "keep me").unwrap();
    let cases: &[(&[&str], &[&str])] = &[
        (&["missing.glb"], &["missing.glb"]),
        (&["x.abc"], &["x.abc", "Ogawa"]),
        (&["x.max"], &["x.max", ".glb"]),
        (&["nan.ply"], &["nan.ply", "frame 0", "vertex 0", "NaN"]),
        (&["index.ply"], &["index.ply", "99"]),
        (&["short.ply"], &["short.ply"]),
        (&["f0.ply", "f1.ply", "--frames", "0..7"], &["--frames", "0 to 1"]),
        (&["f0.ply", "f1.ply", "--frames", "abc"], &["abc", "A..B"]),
        (&["f0.ply", "f1.ply", "--thickness", "-1"], &["thickness"]),
        (&["f0.ply", "f1.ply", "--method", "magic"], &["magic"]),
        (&["f0.ply", "f1.ply", "--fps", "0"], &["fps"]),
        (&["f0.ply", "f1.ply", "--threads", "0"], &["--threads"]),
        (&["f0.ply", "f1.ply", "--csv", "f0.ply"], &["f0.ply", "input"]),
        (&["f0.ply", "f1.ply", "--csv", "no/such/folder/a.csv"], &["no/such/folder"]),
        (&["--scene", "nowhere"], &["nowhere", "figure"]),
        (&["f0.ply", "--scene", "figure"], &["--scene"]),
    ];
    let before = names(&folder);
    for (arguments, words) in cases {
        let mut all = arguments.to_vec();
        all.extend(["--json", "old.json"]);
        let ran = check(&folder, &all);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{arguments:?}");
        for word in *words {
            assert!(ran.stderr.contains(word), "{arguments:?} should say {word}: {}", ran.stderr);
        }
        assert_eq!(fs::read_to_string(folder.join("old.json")).unwrap(), "keep me", "{arguments:?}");
        assert_eq!(names(&folder), before, "{arguments:?} left something behind");
    }
}

/// A triangle that repeats a vertex has no area, which is no reason to reject a file.
#[test]
fn degenerate_triangles_are_skipped_and_counted() {
    let folder = folder("corner");
    falling(&folder, &[0.0]);
    let good = fs::read_to_string(folder.join("f0.ply")).unwrap();
    fs::write(folder.join("corner.ply"), good.replacen("3 0 1 2", "3 0 1 1", 1)).unwrap();
    let ran = check(&folder, &["corner.ply"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("note: 1 triangle"), "{}", ran.stdout);
}

#[test]
fn one_frame_is_looked_at_as_it_is() {
    let folder = folder("still");
    falling(&folder, &[0.0]);
    let ran = check(&folder, &["f0.ply"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("clip 'f0': 1 frame, ")
            && ran.stdout.contains("1 problem, worst: component 0 and component 1"),
        "{}",
        ran.stdout
    );
}

#[test]
fn auto_is_the_default_method() {
    let folder = folder("auto");
    let ran = check(&folder, &["--frames", "0..5", "--threads", "1", "--json", "r.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("method auto, complete"), "{}", ran.stdout);
    assert_eq!(json(&folder.join("r.json"))["method"], "auto");
    // The user's choice takes precedence.
    let ran = check(&folder, &["--frames", "0..5", "--method", "box-tree"]);
    assert!(ran.stdout.contains("method box-tree, complete"), "{}", ran.stdout);
    let ran = check(&folder, &["--frames", "0..5", "--front"]);
    assert!(ran.stdout.contains("method normal-cone:front, complete"), "{}", ran.stdout);
}
