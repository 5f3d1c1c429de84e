//! Runs `osculate` with trees of spheres and boxes: on bodies posed by bones and by vertices, and
//! for the tables of the paper.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{self, agree, fails, json, osculate, succeeds};
use osculate_io::write::{Animation, save};
use osculate_io::{Bone, Clip, Influence, Skin, Surface};
use serde_json::Value;

const METHODS: [&str; 3] = ["sphere-tree", "sphere-tree:bottom-up", "box-tree"];

fn folder(test: &str) -> PathBuf {
    common::folder("spheres", test)
}

/// Checks with a method, which brute force or `bvh` must agree with.
fn check(folder: &Path, arguments: &[&str], method: &str) -> (String, Vec<[Value; 2]>) {
    common::check(folder, &[arguments, &["--verify"]].concat(), method)
}

/// Checks that every method finds what `bvh` finds, and prints how bodies are posed.
fn agrees(folder: &Path, arguments: &[&str], words: &str) {
    let arguments = [arguments, &["--verify"]].concat();
    agree(folder, &arguments, &METHODS, |method| format!("method {method}, complete; {words}"));
}

/// A tetrahedron that follows two bones and falls through a sheet that follows a third.
fn falling(weights: [f64; 2], heights: &[f64]) -> Clip {
    let bone = |name: &str| Bone { name: name.to_owned(), parent: None, head: [0.0; 3], tail: None };
    let sheet = [[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0], [-2.0, 2.0, 0.0]];
    let body = [[0.3, 0.1, -0.5], [0.8, -0.4, 0.5], [-0.2, 0.9, 0.5], [-0.7, -0.6, 0.5]];
    let influence = |(bone, &weight): (usize, &f64)| Influence { bone: bone as u32, weight };
    let vertices = sheet
        .map(|place| (place, vec![Influence { bone: 2, weight: 1.0 }]))
        .into_iter()
        .chain(body.map(|place| (place, weights.iter().enumerate().map(influence).collect())));
    let skin = Skin::from_vertices("falling", ["a", "b", "c"].map(bone).to_vec(), vertices).unwrap();
    let surface = Surface {
        n_vertices: 8,
        faces: vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7], [4, 7, 5], [5, 7, 6]],
        objects: vec!["falling".to_owned()],
        static_objects: Vec::new(),
        vertex_object: vec![0; 8],
        skin: Some(skin),
        welding: None,
        skipped: 0,
        notes: Vec::new(),
    };
    let at = |z: f64| [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, z]];
    let frames = heights.iter().map(|&z| vec![at(z), at(z + 0.25), at(0.0)]).collect();
    Clip::from_matrices("falling", 30.0, surface, frames).unwrap()
}

#[test]
fn a_built_in_scene_has_the_same_contacts_and_crossings() {
    let folder = folder("scene");
    agrees(&folder, &["--scene", "dwarf", "--frames", "20..24"], "posed by bones");
    agrees(&folder, &["--scene", "dwarf", "--frames", "22..24", "--discrete"], "posed by bones");
    agrees(&folder, &["--scene", "dwarf", "--frames", "22..23", "--earliest"], "posed by bones");
    let frame = &json(&folder.join("r.json"))["frames"][0];
    assert!(frame["stats"]["bounds_refitted"].is_u64() && frame["stats"]["vertices_moved"].is_u64());
}

#[test]
fn a_skin_in_a_file_has_them_too() {
    let folder = folder("npz");
    succeeds(&folder, &["scene", "dwarf", "-o", "dwarf.npz"]);
    agrees(&folder, &["dwarf.npz", "--frames", "21..24"], "posed by bones");
    save(&Animation::of_clip(&falling([0.5, 0.5], &[2.0, 0.2, -3.0])).unwrap(), &folder.join("f.npz"))
        .unwrap();
    for bodies in ["whole", "components", "objects"] {
        agrees(&folder, &["f.npz", "--bodies", bodies], "posed by bones");
        agrees(&folder, &["f.npz", "--bodies", bodies, "--discrete"], "posed by bones");
    }
    agrees(&folder, &["f.npz", "--thickness", "0.01"], "posed by bones");
}

/// Invalid weights are repaired when a file is read, with a note, and then bones determine the
/// vertices.
#[test]
fn mended_weights_are_as_good_as_others() {
    let folder = folder("mended");
    for (weights, note) in [([1.5, -0.5], "with negative weights"), ([0.6, 0.1], "whose sum is not 1")] {
        let clip = falling(weights, &[2.0, 0.2, -3.0]);
        save(&Animation::of_clip(&clip).unwrap(), &folder.join("f.npz")).unwrap();
        agrees(&folder, &["f.npz"], "posed by bones");
        let (text, _) = check(&folder, &["f.npz", "--bodies", "components"], "sphere-tree");
        assert!(text.contains("note: 4 vertices ") && text.contains(note), "{text}");
    }
}

/// Where bones do not determine the vertices, bodies are posed by vertices.
#[test]
fn what_cannot_follow_bones_is_posed_by_vertices() {
    let folder = folder("vertices");
    for (i, z) in [2.0, 0.4, -3.0].iter().enumerate() {
        let mut text = String::from("v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\n");
        for [x, y, dz] in [[0.3, 0.1, -0.5], [0.8, -0.4, 0.5], [-0.2, 0.9, 0.5], [-0.7, -0.6, 0.5]] {
            text.push_str(&format!("v {x} {y} {}\n", z + dz));
        }
        text.push_str("f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\nf 5 8 6\nf 6 8 7\n");
        fs::write(folder.join(format!("f{i}.obj")), text).unwrap();
    }
    agrees(
        &folder,
        &["f0.obj", "f1.obj", "f2.obj"],
        "posed by vertices, as no bones or other parameters move them",
    );
}

#[test]
fn a_bone_that_goes_nowhere_is_named() {
    let folder = folder("nowhere");
    let clip = falling([0.5, 0.5], &[2.0, 0.2, f64::MAX]);
    save(&Animation::of_clip(&clip).unwrap(), &folder.join("f.npz")).unwrap();
    for more in [&[] as &[&str], &["--discrete"]] {
        let arguments = [&["check", "f.npz", "--method", "sphere-tree"], more].concat();
        let problem = fails(&folder, &arguments);
        for words in ["f.npz", "frame 2", "bone 0"] {
            assert!(problem.contains(words), "{words}: {problem}");
        }
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let folder = folder("options");
    let cases: [(&[&str], &str); 9] = [
        (&["check", "--method", "sphere"], "sphere-tree"),
        (&["check", "--method", "sphere-tree", "--front"], "not for sphere-tree"),
        (&["check", "--method", "box-tree", "--first-contact"], "not for box-tree"),
        (&["check", "--method", "sphere-tree", "--clusters", "c.bin"], "--clusters is for the method radial"),
        (&["bench", "--paper", "002", "--methods", "bvh"], "--methods cannot be used"),
        (&["bench", "--paper", "002", "--discrete"], "--discrete cannot be used"),
        (&["bench", "--paper", "002", "--frames", "1..2"], "--frames cannot be used"),
        (&["bench", "--paper", "002", "--scene", "rope"], "no scene 'rope' in the paper"),
        (&["bench", "--paper", "002", "--steps", "0"], "--steps is 0"),
    ];
    for (arguments, words) in cases {
        let ran = osculate(&folder, arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn compare_runs_them_on_bones() {
    let folder = folder("compare");
    let arguments = ["compare", "--scene", "dwarf", "--frames", "20..26", "--steps", "3", "--repeat", "1"];
    for question in [&[] as &[&str], &["--discrete"]] {
        let all = [&arguments, question, &["--json", "c.json"]].concat();
        succeeds(&folder, &all);
        let page = json(&folder.join("c.json"));
        let rows = page["rows"].as_array().unwrap();
        for method in METHODS {
            let row = rows.iter().find(|row| row["method"] == method).unwrap();
            assert_eq!([&row["agrees"], &row["missed"]], [&Value::from(true), &Value::from(0)], "{row}");
            assert_ne!(row["vertices_moved"], 0, "{row}");
        }
        let bvh = rows.iter().find(|row| row["method"] == "bvh").unwrap();
        assert_eq!(bvh["vertices_moved"], 0);
    }
}

#[test]
fn the_tables_of_the_paper() {
    let folder = folder("paper");
    let arguments = ["bench", "--paper", "002", "--steps", "2", "--repeat", "1"];
    let all = [&arguments as &[&str], &["--json", "p.json", "--markdown", "p.md"]].concat();
    let text = succeeds(&folder, &all);
    for words in [
        "two men",
        "two creatures, any",
        "crowd, contacts",
        "dwarves apart, 3",
        "(32.34)",
        "200 microseconds",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(fs::read_to_string(folder.join("p.md")).unwrap().contains(text.lines().next().unwrap()));
    let page = json(&folder.join("p.json"));
    assert_eq!([&page["format"], &page["threads"]], [&Value::from("osculate-paper-002/1"), &Value::from(1)]);
    let scenarios = page["scenarios"].as_array().unwrap();
    assert_eq!(scenarios.len(), 17);
    for scenario in scenarios {
        let methods = scenario["methods"].as_array().unwrap();
        assert_eq!(methods.len(), 3);
        for row in methods {
            assert_eq!(row["agrees"], true, "{scenario}");
            assert_eq!(row["found"], methods[0]["found"], "{scenario}");
            assert!(0.0 < row["ms"].as_f64().unwrap(), "{scenario}");
        }
    }
    for timely in page["timely"].as_array().unwrap() {
        assert_eq!([&timely["queries"], &timely["wrong"]], [2, 0]);
    }
}
