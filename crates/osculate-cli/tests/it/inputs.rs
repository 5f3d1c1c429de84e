//! Runs `osculate check` and `compare` on files with several clips, on several files, and on single
//! frames; and with reports on standard output.

use std::fs;
use std::path::PathBuf;

use crate::common::{self, osculate};
use crate::gltf::gltf;
use serde_json::Value;

fn folder(test: &str) -> PathBuf {
    let folder = common::folder("inputs", test);
    gltf(&folder, "a", ["sheet", "body"], &[("short", 0.1), ("long", 0.3), ("middle", 0.2)]);
    gltf(&folder, "b", ["sheet", "body"], &[("other", 0.2)]);
    folder
}

fn notes(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("note: ")).collect()
}

#[test]
fn a_range_of_frames_is_cut_at_the_end_of_each_clip() {
    let folder = folder("frames");
    for command in [&["check", "a.gltf"][..], &["compare", "a.gltf", "--methods", "bvh", "--repeat", "1"]] {
        let run = |frames: &str| osculate(&folder, &[command, &["--frames", frames]].concat());
        // The clips have 4, 10 and 7 frames.
        let ran = run("5..8");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let expected = "--frames 5..8: ends at the last frame: clip 'middle' (frame 6); \
                        skipped: clip 'short' (it ends with frame 3)";
        assert_eq!(notes(&ran.stderr), [expected]);
        assert!(!ran.stdout.contains("clip 'short'") && ran.stdout.contains("clip 'long'"), "{}", ran.stdout);
        let units = if command[0] == "check" { ["4 frames", "2 frames"] } else { ["3 steps", "1 step"] };
        assert!(units.iter().all(|words| ran.stdout.contains(words)), "{}", ran.stdout);
        let ran = run("0..9");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stdout.matches("clip '").count(), 3, "{}", ran.stdout);
        // Beyond the end of all: a mistake.
        let ran = run("0..10");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        let expected =
            "error: --frames: no clip has a frame 10; the longest, clip 'long', ends with frame 9\n";
        assert_eq!(ran.stderr, expected);
    }
    let ran = osculate(
        &folder,
        &["check", "a.gltf", "--frames", "1..8", "--continuous", "--contacts", "--json", "r.json"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report: Value = serde_json::from_slice(&fs::read(folder.join("r.json")).unwrap()).unwrap();
    assert_eq!(report["frames"].as_array().unwrap().len(), 2 + 7 + 5);
}

#[test]
fn clips_are_for_files_that_have_some() {
    let folder = folder("clips");
    let ran = osculate(&folder, &["scene", "urchin", "-o", "u.npz"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    fs::write(folder.join("m.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    for (input, name) in [("u.npz", "u.npz: "), ("m.obj", "m.obj: "), ("", "a built-in scene")] {
        let inputs: Vec<&str> = [input].into_iter().filter(|input| !input.is_empty()).collect();
        for command in ["check", "compare"] {
            let ran = osculate(&folder, &[&[command][..], &inputs, &["--clip", "walk"]].concat());
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{input}");
            assert!(ran.stderr.contains(name) && ran.stderr.contains("--clip is for glTF"), "{}", ran.stderr);
        }
    }
    let ran = osculate(&folder, &["check", "a.gltf", "--clip", "long"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("clip '").count(), 1, "{}", ran.stdout);
}

#[test]
fn one_frame_has_no_step() {
    let folder = folder("still");
    fs::write(folder.join("m.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    for input in
        [&["m.obj"][..], &["a.gltf", "--clip", "long", "--frames", "2..2"], &["a.gltf", "--frames", "9..9"]]
    {
        let ran = osculate(&folder, &[&["check"], input].concat());
        assert_eq!(ran.code, Some(0), "{input:?}: {}", ran.stderr);
        let notes = notes(&ran.stderr);
        assert!(notes.iter().any(|note| note.contains("so crossings are reported")), "{notes:?}");
        assert!(ran.stdout.contains(": 1 frame, "), "{}", ran.stdout);
        for option in [&["--continuous"][..], &["--thickness", "0.1"], &["--earliest"]] {
            let ran = osculate(&folder, &[&["check"], input, option].concat());
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{input:?} {option:?}");
            let words = format!("error: {} needs at least two frames, but ", option[0]);
            assert!(ran.stderr.contains(&words), "{}", ran.stderr);
        }
        // Requested: nothing to note.
        let ran = osculate(&folder, &[&["check", "--discrete"], input].concat());
        assert!(!ran.stderr.contains("crossings"), "{}", ran.stderr);
        let ran = osculate(&folder, &[&["compare", "--methods", "bvh", "--repeat", "1"], input].concat());
        assert_eq!(ran.code, Some(0), "{input:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("so crossings are compared"), "{}", ran.stderr);
    }
}

#[test]
fn each_file_has_its_own_name() {
    let folder = folder("names");
    let ran = osculate(&folder, &["check", "a.gltf", "b.gltf"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for title in ["a.gltf, clip 'short': ", "a.gltf, clip 'long': ", "b.gltf, clip 'other': "] {
        assert_eq!(ran.stdout.matches(title).count(), 1, "{title}: {}", ran.stdout);
    }
    let compare =
        ["compare", "a.gltf", "b.gltf", "--methods", "bvh,auto", "--repeat", "1", "--json", "c.json"];
    let ran = osculate(&folder, &compare);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page: Value = serde_json::from_slice(&fs::read(folder.join("c.json")).unwrap()).unwrap();
    for row in page["rows"].as_array().unwrap() {
        let is_other = row["clip"] == "other";
        assert_eq!(row["input"], if is_other { "b.gltf" } else { "a.gltf" }, "{row}");
    }
    // A report covers all files, each under its own name.
    let ran = osculate(&folder, &["check", "a.gltf", "b.gltf", "--contacts", "--json", "r.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report: Value = serde_json::from_slice(&fs::read(folder.join("r.json")).unwrap()).unwrap();
    let names: Vec<&Value> = report["files"].as_array().unwrap().iter().map(|file| &file["name"]).collect();
    assert_eq!(names, ["a.gltf", "b.gltf"]);
    for clip in report["clips"].as_array().unwrap() {
        assert_eq!(clip["file"], u32::from(clip["name"] == "other"), "{clip}");
    }
    for frame in report["frames"].as_array().unwrap() {
        assert_eq!(frame["file"], u32::from(frame["clip"] == "other"));
    }
    // An error of the second file names the second.
    fs::write(folder.join("b.bin"), "short").unwrap();
    let ran = osculate(&folder, &["check", "a.gltf", "b.gltf"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("b.") && !ran.stderr.contains("a.gltf"), "{}", ran.stderr);
    let ran = osculate(&folder, &["check", "a.gltf", "."]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_report_goes_to_standard_output() {
    let folder = folder("stdout");
    let check = |more: &[&str]| osculate(&folder, &[&["check", "b.gltf"], more].concat());
    let ran = check(&["--json", "-", "--csv", "r.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["format"], "osculate-report/2");
    assert!(
        ran.stderr.contains("clip 'other': 7 frames; ") && ran.stderr.contains("written to r.csv"),
        "{}",
        ran.stderr
    );
    let ran = check(&["--csv", "-"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, fs::read_to_string(folder.join("r.csv")).unwrap());
    let mut twice = vec![["--json", "-", "--csv", "-"]];
    if cfg!(feature = "parquet") {
        twice.push(["--json", "-", "--parquet", "-"]);
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_osculate"))
            .current_dir(&folder)
            .args(["check", "b.gltf", "--parquet", "-"])
            .output()
            .unwrap();
        assert!(output.status.success());
        assert!(output.stdout.starts_with(b"PAR1") && output.stdout.ends_with(b"PAR1"));
    }
    for more in &twice {
        let ran = check(more);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{more:?}");
        assert_eq!(ran.stderr, "error: -: standard output cannot hold two outputs\n");
    }
    let ran = check(&["--method", "radial", "--clusters", "-"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--clusters needs a file"), "{}", ran.stderr);

    let compare = ["compare", "b.gltf", "--methods", "bvh", "--repeat", "1"];
    let ran = osculate(&folder, &[&compare[..], &["--json", "-"]].concat());
    let page: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(page["format"], "osculate-compare/1");
    assert!(ran.stderr.contains("ms/frame"), "{}", ran.stderr);
    let ran = osculate(&folder, &[&compare[..], &["--json", "-", "--markdown", "-"]].concat());
    assert_eq!(ran.code, Some(2));
    assert!(!folder.join("-").exists());
    // A file of that name is possible.
    assert_eq!(check(&["--json", "./-"]).code, Some(0));
    assert!(folder.join("-").exists());
}

#[test]
fn much_work_is_announced() {
    let folder = folder("many");
    // 400 seconds at 30 frames per second.
    gltf(&folder, "c", ["sheet", "body"], &[("slow", 400.0)]);
    let ran = osculate(&folder, &["check", "c.gltf"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let first = ran.stderr.lines().next().unwrap();
    assert!(first.starts_with("note: 12,000 steps of clip 'slow' will be checked; "), "{first}");
    assert!(first.contains("--frames") && first.contains("--fps"), "{first}");
    let ran = osculate(&folder, &["check", "c.gltf", "--frames", "0..20"]);
    assert!(notes(&ran.stderr).is_empty(), "{}", ran.stderr);
}
