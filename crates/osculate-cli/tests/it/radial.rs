//! Runs `osculate` with radial view culling: on bodies with a skeleton and without, with clusters
//! from a file, and the tables of the paper.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{self, osculate};
use serde_json::Value;

/// Steps of the scene `figure` before, at the beginning of, and during contact.
const FRAMES: &str = "36..48";

fn folder(test: &str) -> PathBuf {
    common::folder("radial", test)
}

/// Runs the command, which must succeed.
fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let ran = osculate(folder, arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

/// Runs the command, which must fail with one sentence, and returns it.
fn fails(folder: &Path, arguments: &[&str]) -> String {
    let ran = osculate(folder, arguments);
    assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{arguments:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{arguments:?}: {}", ran.stderr);
    ran.stderr
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The contacts of all steps.
fn contacts(report: &Value) -> Vec<Value> {
    report["frames"].as_array().unwrap().iter().map(|frame| frame["contacts"].clone()).collect()
}

/// Writes the frames of a tetrahedron that falls through a sheet, without a skeleton.
fn falling(folder: &Path) {
    for (i, z) in [2.0, 0.4, -3.0].iter().enumerate() {
        let mut text = String::from("v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\n");
        for [x, y, dz] in [[0.3, 0.1, -0.5], [0.8, -0.4, 0.5], [-0.2, 0.9, 0.5], [-0.7, -0.6, 0.5]] {
            text.push_str(&format!("v {x} {y} {}\n", z + dz));
        }
        text.push_str("f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\nf 5 8 6\nf 6 8 7\n");
        fs::write(folder.join(format!("f{i}.obj")), text).unwrap();
    }
}

#[test]
fn the_figure_has_the_same_contacts_of_the_same_bones() {
    let folder = folder("figure");
    let check = |method: &[&str]| {
        let mut all = vec!["check", "--frames", FRAMES, "--contacts", "--json", "r.json"];
        all.extend(method);
        let text = succeeds(&folder, &all);
        (text, json(&folder.join("r.json")))
    };
    let (_, expected) = check(&[]);
    let (text, found) = check(&["--method", "radial", "--verify"]);
    let words = if cfg!(feature = "rig") { " clusters; every" } else { ", grown along the surface; every" };
    assert!(text.contains("method radial, complete; ") && text.contains(words), "{text}");
    assert!(text.contains("| Hand.L"), "{text}");
    assert_eq!(found["guarantee"], "complete");
    assert_eq!(contacts(&found), contacts(&expected));
    let n_contacts: usize = contacts(&found).iter().map(|step| step.as_array().unwrap().len()).sum();
    assert_ne!(n_contacts, 0);
    assert!(contacts(&found).iter().flat_map(|step| step.as_array().unwrap()).all(|c| c["bones"].is_array()));

    let (text, first) = check(&["--method", "radial", "--first-contact", "--verify"]);
    assert!(text.contains("method radial:first, complete up to the first contact; "), "{text}");
    assert!(text.contains("every first contact agrees"), "{text}");
    assert_eq!([&first["guarantee"], &first["method"]], ["first-contact", "radial:first"]);
    let (_, named) = check(&["--method", "radial:first"]);
    assert_eq!(contacts(&named), contacts(&first));
}

#[test]
fn a_surface_without_a_skeleton_is_looked_at_too() {
    let folder = folder("plain");
    falling(&folder);
    let inputs = ["check", "f0.obj", "f1.obj", "f2.obj"];
    let check = |more: &[&str]| {
        let mut all = inputs.to_vec();
        all.extend(more);
        succeeds(&folder, &all)
    };
    for bodies in ["whole", "components", "objects"] {
        check(&["--method", "radial", "--verify", "--bodies", bodies]);
        check(&["--method", "radial:first", "--verify", "--bodies", bodies]);
    }
    let made = check(&["--method", "radial", "--clusters", "c.bin", "--bodies", "components"]);
    assert!(made.contains("written to c.bin"), "{made}");
    // A file for the whole surface fits any division into bodies.
    for bodies in ["whole", "components"] {
        let read = check(&["--method", "radial", "--clusters", "c.bin", "--bodies", bodies, "--verify"]);
        assert!(read.contains("read from c.bin"), "{read}");
    }
}

#[test]
#[cfg_attr(not(feature = "rig"), ignore = "needs clusters from skeletons (--features rig)")]
fn clusters_are_kept_in_a_file() {
    let folder = folder("clusters");
    let check = |scene: &str, frames: &str| {
        ["check", "--scene", scene, "--frames", frames, "--method", "radial", "--clusters", "c.bin"]
            .map(str::to_owned)
    };
    let figure = check("figure", "40..44");
    let figure: Vec<&str> =
        figure.iter().map(String::as_str).chain(["--contacts", "--json", "r.json"]).collect();
    let text = succeeds(&folder, &figure);
    assert!(text.contains("written to c.bin"), "{text}");
    let (bytes, made) = (fs::read(folder.join("c.bin")).unwrap(), json(&folder.join("r.json")));
    let text = succeeds(&folder, &figure);
    assert!(text.contains("read from c.bin"), "{text}");
    assert_eq!(fs::read(folder.join("c.bin")).unwrap(), bytes);
    assert_eq!(contacts(&json(&folder.join("r.json"))), contacts(&made));

    // From another model.
    let urchin = check("urchin", "0..2");
    let urchin: Vec<&str> = urchin.iter().map(String::as_str).collect();
    let problem = fails(&folder, &urchin);
    assert!(problem.contains("c.bin") && problem.contains("another mesh"), "{problem}");
    // The same triangles on another skeleton: one coordinate of a joint differs, and the checksum
    // is correct.
    let mut other = bytes[..bytes.len() - 8].to_vec();
    *other.last_mut().unwrap() ^= 0x80;
    let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let sum = other.iter().fold(0xcbf2_9ce4_8422_2325_u64, step);
    other.extend(sum.to_le_bytes());
    // Damaged, truncated, and something else.
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 4;
    let cases: [(&[u8], &str); 5] = [
        (&other, "another skeleton"),
        (&damaged, "damaged"),
        (&bytes[..bytes.len() / 2], "cut off"),
        (&[], "cut off"),
        (b"something else", "something else"),
    ];
    for (content, word) in cases {
        fs::write(folder.join("c.bin"), content).unwrap();
        let problem = fails(&folder, &figure);
        assert!(problem.contains("c.bin") && problem.contains(word), "{problem}");
        assert_eq!(fs::read(folder.join("c.bin")).unwrap(), content, "{word}: changed");
    }
    let names = fs::read_dir(&folder).unwrap().count();
    assert_eq!(names, 2, "c.bin and r.json, and nothing half done");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let folder = folder("options");
    falling(&folder);
    let cases: [(&[&str], &str); 9] = [
        (&["check", "--first-contact"], "--first-contact is for the method radial, not for auto"),
        (&["check", "--first-contact", "--method", "bvh"], "not for bvh"),
        (&["check", "--front", "--method", "radial"], "--front is for the method normal-cone"),
        (&["check", "--clusters", "c.bin", "--method", "brute"], "--clusters is for the method radial"),
        (&["check", "f0.obj", "--method", "radial", "--clusters", "f0.obj"], "f0.obj: is an input"),
        (
            &["check", "--method", "radial", "--clusters", "no/such/c.bin", "--frames", "0..1"],
            "no/such/c.bin",
        ),
        (&["bench", "--paper", "000", "--methods", "bvh"], "--methods cannot be used"),
        (&["bench", "--paper", "000", "--discrete"], "--discrete cannot be used"),
        (
            &["bench", "--paper", "000", "--scene", "nowhere"],
            if cfg!(feature = "rig") { "nowhere" } else { "--features rig" },
        ),
    ];
    for (arguments, words) in cases {
        let problem = fails(&folder, arguments);
        assert!(problem.contains(words), "{arguments:?}: {problem}");
    }
    assert!(!folder.join("c.bin").exists());
}

#[test]
fn compare_shows_what_a_method_promises() {
    let folder = folder("compare");
    let methods = "bvh,radial,radial:first";
    let arguments = ["compare", "--frames", FRAMES, "--steps", "4", "--repeat", "1", "--json", "c.json"];
    let mut all = arguments.to_vec();
    all.extend(["--methods", methods]);
    succeeds(&folder, &all);
    let page = json(&folder.join("c.json"));
    let rows = page["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    for (row, guarantee) in rows.iter().zip(["complete", "complete", "first-contact"]) {
        assert_eq!(row["guarantee"], guarantee);
    }
    assert_eq!([&rows[1]["agrees"], &rows[1]["missed"]], [&Value::from(true), &Value::from(0)]);
}

#[test]
#[cfg_attr(not(feature = "rig"), ignore = "needs clusters from skeletons (--features rig)")]
fn the_tables_of_the_paper() {
    let folder = folder("paper");
    let arguments = ["bench", "--paper", "000", "--scene", "urchin", "--steps", "2", "--repeat", "1"];
    let mut all = arguments.to_vec();
    all.extend(["--json", "p.json", "--markdown", "p.md"]);
    let text = succeeds(&folder, &all);
    for table in 1..=5 {
        assert!(text.contains(&format!("Table {table}. ")), "{text}");
    }
    for words in
        ["Base", "MCD", "ours, 16-DOPs", "first contact, moving boxes", "(7.57)", "20 % of the joints by 1.4"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(fs::read_to_string(folder.join("p.md")).unwrap().contains("Table 5. "));
    let page = json(&folder.join("p.json"));
    assert_eq!(page["format"], "osculate-paper-000/1");
    assert_eq!(page["threads"], 1);
    let scene = &page["scenes"][0];
    assert_eq!([&scene["triangles"], &scene["steps"]], [2840, 2]);
    let [methods, disturbed] = ["methods", "disturbed"].map(|key| scene[key].as_array().unwrap());
    assert_eq!((methods.len(), disturbed.len()), (6, 5));
    for row in methods.iter().chain(disturbed).filter(|row| row["guarantee"] == "complete") {
        assert_eq!(row["agrees"], true, "{row}");
        assert_eq!(row["contacts"], methods[0]["contacts"], "{row}");
    }
}
