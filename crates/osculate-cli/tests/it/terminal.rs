//! Terminal output: streams that cannot be written, names with control characters, and error
//! sentences.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{self, osculate};
use crate::gltf::gltf;

fn folder(test: &str) -> PathBuf {
    common::folder("terminal", test)
}

/// A query that is a hit: a point that falls through a triangle.
const QUERY: &str = "1,4,1,4,1,1,1\n0,1,0,1,0,1,1\n1,1,0,1,0,1,1\n0,1,1,1,0,1,1\n\
                     1,4,1,4,-1,1,1\n0,1,0,1,0,1,1\n1,1,0,1,0,1,1\n0,1,1,1,0,1,1\n";

/// Every subcommand, with some output.
const COMMANDS: [&[&str]; 8] = [
    &["check", "a.gltf"],
    &["compare", "a.gltf", "--methods", "bvh", "--repeat", "1"],
    &["bench", "--scene", "figure", "--methods", "bvh", "--repeat", "1", "--steps", "1"],
    &["queries", "vertex-face.csv"],
    &["scene"],
    &["scene", "urchin", "-o", "u.npz"],
    &["--help"],
    &["check", "--help"],
];

fn prepare(folder: &Path) {
    gltf(folder, "a", ["sheet", "body"], &[("fall", 0.2)]);
    fs::write(folder.join("vertex-face.csv"), QUERY).unwrap();
}

/// A device that is always full, where there is one.
fn full() -> Option<Stdio> {
    OpenOptions::new().write(true).open("/dev/full").ok().map(Stdio::from)
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
    command.current_dir(folder).args(arguments);
    command
}

#[test]
fn a_full_standard_error_is_no_reason_to_stop() {
    let folder = folder("stderr");
    prepare(&folder);
    for arguments in COMMANDS {
        let Some(full) = full() else { return };
        let output = command(&folder, arguments).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(!output.stdout.is_empty(), "{arguments:?}");
    }
    for arguments in [&["check", "missing.glb"][..], &["check", "--no-such-option"], &[]] {
        let Some(full) = full() else { return };
        let output = command(&folder, arguments).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_full_standard_output_is_an_error() {
    let folder = folder("stdout");
    prepare(&folder);
    for arguments in COMMANDS.into_iter().chain([&["check", "a.gltf", "--json", "-"][..]]) {
        let Some(full) = full() else { return };
        let output = command(&folder, arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.matches("cannot write to standard output").count(), 1, "{arguments:?}: {said}");
        let Some(also) = self::full() else { return };
        let Some(full) = self::full() else { return };
        let output = command(&folder, arguments).stdout(full).stderr(also).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: both");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = folder("pipe");
    prepare(&folder);
    for arguments in COMMANDS.into_iter().chain([&["check", "a.gltf", "--csv", "-"][..]]) {
        let mut child =
            command(&folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        assert!(!said.contains("error") && !said.contains("panic"), "{arguments:?}: {said}");
    }
}

/// Names that clear the screen, ring the bell, break the line and change the writing direction.
const NAMES: [&str; 3] = ["clip\u{1b}[2J\u{7}", "she\net", "bo\u{202e}dy"];

fn is_harmless(text: &str) -> bool {
    !text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}')
}

#[test]
fn names_cannot_act_on_the_terminal() {
    let folder = folder("names");
    let [clip, sheet, body] = NAMES;
    gltf(&folder, "a", [sheet, body], &[(clip, 0.2)]);
    let odd = "x\u{1b}]0;y\u{7}\u{202e}.gltf";
    fs::copy(folder.join("a.gltf"), folder.join(odd)).unwrap();
    let runs: [&[&str]; 7] = [
        &["check", odd, "--contacts", "--json", "r.json", "--csv", "r.csv"],
        &["check", odd, "--csv", "out\u{1b}.csv"],
        &["check", odd, "--method", "radial", "--clusters", "c\u{1b}.bin"],
        &["compare", odd, "--methods", "bvh", "--repeat", "1", "--markdown", "m\u{1b}.md"],
        &["check", odd, "--frames", "0..0"],
        &["scene", "urchin", "-o", "u\u{1b}.npz"],
        &["check", odd, "a.gltf", "--frames", "0..3"],
    ];
    for arguments in runs {
        let ran = osculate(&folder, arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
        assert!(is_harmless(&ran.stdout), "{arguments:?}: {:?}", ran.stdout);
        assert!(is_harmless(&ran.stderr), "{arguments:?}: {:?}", ran.stderr);
    }
    let ran = osculate(&folder, runs[0]);
    assert!(ran.stdout.contains("clip 'clip\\u{1b}[2J\\u{7}'"), "{}", ran.stdout);
    assert!(ran.stdout.contains("| she\\net") && ran.stdout.contains("| bo\\u{202e}dy"), "{}", ran.stdout);
    assert!(ran.stderr.contains("of clip 'clip\\u{1b}[2J\\u{7}'"), "{}", ran.stderr);

    // Files keep the original names.
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("r.json")).unwrap()).unwrap();
    assert_eq!(report["input"][0], odd);
    assert_eq!(report["frames"][0]["clip"], clip);
    let of_contacts =
        report["frames"].as_array().unwrap().iter().flat_map(|f| f["contacts"].as_array().unwrap());
    let mut bones: Vec<&str> =
        of_contacts.flat_map(|c| c["bones"].as_array().unwrap()).filter_map(|b| b.as_str()).collect();
    bones.sort_unstable();
    bones.dedup();
    assert_eq!(bones, [body, sheet]);
    let csv = fs::read_to_string(folder.join("r.csv")).unwrap();
    assert!(csv.contains(clip) && csv.contains("\"she\net\"") && csv.contains(body));
}

#[test]
fn errors_name_names_without_acting_and_in_one_line() {
    let folder = folder("errors");
    let [clip, sheet, body] = NAMES;
    gltf(&folder, "a", [sheet, body], &[(clip, 0.2)]);
    fs::write(folder.join("bad\u{1b}.ply"), "ply\nformat\u{7} ascii").unwrap();
    let cases: [&[&str]; 8] = [
        &["check", "a.gltf", "--clip", "no\u{1b}\nclip"],
        &["check", "a.gltf", "--frames", "0..900"],
        &["check", "missing\u{1b}\n.glb"],
        &["check", "bad\u{1b}.ply"],
        &["check", "--scene", "sc\u{1b}\nene"],
        &["check", "--no-such\u{1b}\noption"],
        &["check", "a.gltf", "--method", "ma\u{1b}\ngic"],
        &["queries", "missing\u{1b}.csv"],
    ];
    for arguments in cases {
        let ran = osculate(&folder, arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
        assert!(is_harmless(&ran.stderr), "{arguments:?}: {:?}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.starts_with("error: "), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn more_threads_than_make_sense_are_not_started() {
    let folder = folder("threads");
    gltf(&folder, "a", ["sheet", "body"], &[("fall", 0.2)]);
    let runs: [&[&str]; 3] = [
        &["check", "a.gltf", "--threads", "100000"],
        &["compare", "a.gltf", "--threads", "100000", "--methods", "bvh", "--repeat", "1"],
        &[
            "bench",
            "--scene",
            "urchin",
            "--steps",
            "1",
            "--repeat",
            "1",
            "--methods",
            "bvh",
            "--threads",
            "100000",
        ],
    ];
    for arguments in runs {
        let ran = osculate(&folder, arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
        let notes: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("note: ")).collect();
        assert_eq!(notes.len(), 1, "{arguments:?}: {}", ran.stderr);
        assert!(notes[0].starts_with("note: asked for 100000 threads; using "), "{}", notes[0]);
        let ran = osculate(&folder, &[&arguments[..1], &["--threads", "0"]].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.stderr.contains("--threads is 0"), "{}", ran.stderr);
    }
    let ran = osculate(&folder, &["check", "a.gltf", "--threads", "3"]);
    assert!(!ran.stderr.contains("threads"), "{}", ran.stderr);
    let output = command(&folder, &["check", "a.gltf"]).env("RAYON_NUM_THREADS", "100000").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("asked for 100000 threads; using "), "{said}");
}

#[test]
fn bad_usage_is_one_sentence() {
    let folder = folder("usage");
    let cases: [(&[&str], &str); 10] = [
        (&["check", "--jsn", "a"], "unexpected argument '--jsn' found; a similar argument exists: '--json'"),
        (&["check", "--method", "magic"], "there is no method `magic`; there are brute, "),
        (&["check", "--method", "bvh:magic"], "the method bvh has no option `magic`; its options: aabb, "),
        (
            &["check", "--frames", "5..3"],
            "invalid value '5..3' for '--frames <A..B>': frame 5 is behind frame 3",
        ),
        (&["check", "--discrete", "--continuous"], "'--discrete' cannot be used with '--continuous'"),
        (&["check", "--fps"], "a value is required for '--fps <FPS>'"),
        (&["scene", "figure"], "required arguments were not provided: --output <FILE>"),
        (&["queries"], "required arguments were not provided: <FILE.csv>"),
        (&["chek"], "unrecognized subcommand 'chek'; a similar subcommand exists: 'check'"),
        (&["compare", "--paper", "000"], "unexpected argument '--paper' found"),
    ];
    for (arguments, words) in cases {
        let ran = osculate(&folder, arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
    let ran = osculate(&folder, &["compare", "--help"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.contains("--steps") && !ran.stdout.contains("--paper"), "{}", ran.stdout);
    // Without any argument, the help itself, as an error.
    let ran = osculate(&folder, &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("Commands:"), "{}", ran.stderr);
}

/// The system's error text occurs once in a message.
#[test]
fn what_the_system_says_is_said_once() {
    let folder = folder("system");
    gltf(&folder, "a", ["sheet", "body"], &[("fall", 0.2)]);
    fs::remove_file(folder.join("a.bin")).unwrap();
    let cases: [&[&str]; 5] = [
        &["check", "missing.glb"],
        &["check", "a.gltf"],
        &["check", "--frames", "0..1", "--json", "no/such/folder/r.json"],
        &["check", "--frames", "0..1", "--method", "radial", "--clusters", "no/such/c.bin"],
        &["queries", "missing-vertex-face.csv"],
    ];
    for arguments in cases {
        let ran = osculate(&folder, arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
        let last = ran.stderr.lines().last().unwrap();
        assert_eq!(last.matches("(os error").count(), 1, "{arguments:?}: {last}");
    }
}
