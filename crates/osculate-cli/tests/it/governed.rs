//! Runs `osculate` on surfaces that few parameters move, and for the tables of the paper on them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{self, agree, check, fails, json, succeeds};
use osculate::deformer::{LoopSurface, Modes, Particle, Particles};
use osculate_io::write::{Animation, save};
use osculate_io::{Clip, Deformer, Surface};
use serde_json::Value;

fn folder(test: &str) -> PathBuf {
    common::folder("governed", test)
}

/// Checks that bounded normal trees, and trees of spheres, find what `bvh` finds on evaluated
/// vertices, and that bodies are posed as said.
fn agrees(folder: &Path, arguments: &[&str], words: &str) {
    agree(folder, arguments, &["bn-tree", "sphere-tree"], |_| words.to_owned());
}

#[test]
fn scenes_are_written_and_checked_by_their_parameters() {
    let folder = folder("scenes");
    for (name, frames, words, arrays) in [
        ("reduced-cloth-2", "42..45", "posed by control points", &["control_vertices", "control_faces"]),
        ("particles", "27..29", "posed by particles", &["particle_matrices", "particle_radii"]),
        ("modal", "26..28", "posed by modes", &["modes", "amplitudes"]),
    ] {
        let file = format!("{name}.npz");
        succeeds(&folder, &["scene", name, "-o", &file]);
        let bytes = fs::read(folder.join(&file)).unwrap();
        for array in arrays {
            let member = format!("{array}.npy");
            assert!(bytes.windows(member.len()).any(|part| part == member.as_bytes()), "{file}: {array}");
        }
        agrees(&folder, &[&file, "--frames", frames], words);
        agrees(&folder, &["--scene", name, "--frames", frames], words);
        agrees(&folder, &[&file, "--frames", frames, "--discrete"], words);
        // The scene and its file have the same contacts, bit by bit.
        let [of_file, of_scene] =
            [&[&file, "--frames", frames] as &[&str], &["--scene", name, "--frames", frames]]
                .map(|arguments| check(&folder, arguments, "bn-tree").1);
        assert!(of_file == of_scene, "{name}");
    }
}

/// Two squares, one above the other, that pass through each other: two bodies with one deformer.
#[test]
fn bodies_share_what_moves_them() {
    let folder = folder("parts");
    let square = |z: f64| [[0.0, 0.0, z], [1.0, 0.0, z], [1.1, 1.0, z], [0.0, 1.2, z]];
    let rest = [square(0.0), square(1.0)].concat();
    let faces: Vec<[u32; 3]> = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let up: Vec<[f64; 3]> = (0..8).map(|v| [0.0, 0.03, if v < 4 { 1.0 } else { 0.0 }]).collect();
    let modes = Modes::new(&rest, &[up]).unwrap();
    let amplitudes = vec![vec![0.0], vec![0.25], vec![1.75]];
    let near = [0.0, 1.0].map(|z| Particle { center: [0.5, 0.5, z], radius: 0.95 });
    let particles = Particles::new(&near, &rest).unwrap();
    let at = |z: f64, y: f64| [1.0, y, 0.0, 0.5, 0.0, 1.0, 0.0, 0.5, 0.0, 0.0, 1.0, z];
    let maps = vec![[at(0.0, 0.0), at(1.0, 0.0)].concat(), [at(2.0, 0.1), at(1.0, 0.0)].concat()];
    let control = LoopSurface::new(&faces, &rest, 2).unwrap();
    let points = |z: f64| [square(z), square(1.0).map(|[x, y, z]| [x + 0.2, y, z])].concat();
    let points = [0.0, 2.0].map(|z| points(z).as_flattened().to_vec()).to_vec();
    let fine = control.triangles().to_vec();
    for (name, faces, deformer, frames) in [
        ("modes", faces.clone(), Deformer::Modes(modes), amplitudes),
        ("particles", faces.clone(), Deformer::Particles(particles), maps),
        ("control points", fine, Deformer::Control(control), points),
    ] {
        let n_vertices = deformer.n_vertices();
        let half = |v: u32| faces[faces.len() / 2..].as_flattened().contains(&v);
        let surface = Surface {
            n_vertices,
            objects: vec!["below".to_owned(), "above".to_owned()],
            static_objects: Vec::new(),
            vertex_object: (0..n_vertices as u32).map(|v| u32::from(half(v))).collect(),
            skin: None,
            welding: None,
            skipped: 0,
            notes: Vec::new(),
            faces,
        };
        let clip = Clip::from_deformer("parts", 30.0, surface, deformer, frames).unwrap();
        save(&Animation::of_clip(&clip).unwrap(), &folder.join("p.npz")).unwrap();
        for bodies in ["whole", "components", "objects"] {
            agrees(&folder, &["p.npz", "--bodies", bodies], &format!("posed by {name}"));
        }
    }
}

#[test]
fn compare_runs_bounded_normals_on_parameters() {
    let folder = folder("compare");
    let arguments = ["compare", "--scene", "reduced-cloth-2", "--methods", "bvh,bn-tree,hsc"];
    let how = ["--frames", "40..46", "--steps", "3", "--repeat", "1", "--json", "c.json"];
    succeeds(&folder, &[&arguments as &[&str], &how].concat());
    let page = json(&folder.join("c.json"));
    let rows = page["rows"].as_array().unwrap();
    for (method, is_moved) in [("bvh", false), ("bn-tree", true), ("hsc", false)] {
        let row = rows.iter().find(|row| row["method"] == method).unwrap();
        assert_eq!([&row["agrees"], &row["missed"]], [&Value::from(true), &Value::from(0)], "{row}");
        assert_eq!(row["vertices_moved"] != 0, is_moved, "{row}");
    }
}

#[test]
fn broken_parameters_are_named() {
    let folder = folder("broken");
    succeeds(&folder, &["scene", "modal", "-o", "m.npz"]);
    let bytes = fs::read(folder.join("m.npz")).unwrap();
    // In the header of the member, and in the directory.
    let mut other = bytes.clone();
    let names = (0..bytes.len()).filter(|&i| bytes[i..].starts_with(b"modes.npy"));
    names.for_each(|i| other[i] = b'n');
    fs::write(folder.join("n.npz"), other).unwrap();
    let sentence = fails(&folder, &["check", "n.npz", "--method", "bn-tree"]);
    assert!(sentence.contains("the array 'modes' is missing"), "{sentence}");
}

#[test]
fn the_tables_of_the_paper() {
    let folder = folder("paper");
    let scenes = "reduced-cloth-2,reduced-cloth-3,particles,modal";
    let arguments = ["bench", "--paper", "003", "--scene", scenes, "--steps", "4", "--repeat", "2"];
    let all = [&arguments as &[&str], &["--json", "p.json", "--markdown", "p.md"]].concat();
    let text = succeeds(&folder, &all);
    for words in ["bn-tree:no-contour", "hsc:no-contour", "normal-cone", "Growth", "vertices moved"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(fs::read_to_string(folder.join("p.md")).unwrap().contains(text.lines().next().unwrap()));
    let page = json(&folder.join("p.json"));
    assert_eq!([&page["format"], &page["threads"]], [&Value::from("osculate-paper-003/1"), &Value::from(1)]);
    let scenes = page["scenes"].as_array().unwrap();
    assert_eq!(scenes.len(), 4);
    for scene in scenes {
        let methods = scene["methods"].as_array().unwrap();
        assert_eq!((methods.len(), scene["contacts_of_steps"].as_array().unwrap().len()), (6, 4));
        for row in methods {
            let is_complete = row["guarantee"] == "complete";
            assert!(row["agrees"] == true || !is_complete, "{row}");
            assert_eq!(is_complete, !row["method"].as_str().unwrap().contains("no-contour"), "{row}");
            assert!(0.0 < row["ms"].as_f64().unwrap() && 0.0 < row["ms_mean"].as_f64().unwrap(), "{row}");
            let moved = row["vertices_moved"].as_u64().unwrap();
            let all = 4 * scene["vertices"].as_u64().unwrap();
            let is_few = row["method"].as_str().unwrap().starts_with("bn-tree");
            assert!(if is_few { moved < all } else { moved == all }, "{row}");
        }
    }
    assert!(page["goals"].as_array().unwrap().is_empty(), "they are about other scenes");
}

#[test]
fn the_goals_of_the_paper_are_about_its_cloth() {
    let folder = folder("goals");
    let scenes = "reduced-cloth-2,reduced-cloth-3,reduced-cloth-4";
    let arguments = ["bench", "--paper", "003", "--scene", scenes, "--steps", "1", "--repeat", "1"];
    let text = succeeds(&folder, &[&arguments as &[&str], &["--json", "p.json"]].concat());
    assert!(text.contains("speed-up of bn-tree over hsc at each level"), "{text}");
    let page = json(&folder.join("p.json"));
    let goals = page["goals"].as_array().unwrap();
    assert_eq!(goals.len(), 2);
    assert_eq!(goals[0]["measured"].as_array().unwrap().len(), 3);
}

#[test]
fn options_that_the_paper_decides_are_refused() {
    let folder = folder("refused");
    for (arguments, words) in [
        (&["--methods", "bvh"] as &[&str], "--methods cannot be used"),
        (&["--discrete"], "--discrete cannot be used"),
        (&["--frames", "1..2"], "--frames cannot be used"),
        (&["--scene", "rope"], "no scene 'rope' in the paper"),
    ] {
        let sentence = fails(&folder, &[&["bench", "--paper", "003"], arguments].concat());
        assert!(sentence.contains(words), "{arguments:?}: {sentence}");
    }
}

#[test]
fn cleared_patches_are_written_as_a_painted_surface() {
    let folder = folder("cleared");
    let arguments = ["check", "--scene", "reduced-cloth-2", "--frames", "20..23", "--cleared", "c.ply"];
    for method in ["bn-tree", "hsc", "normal-cone", "sphere-tree"] {
        let text = succeeds(&folder, &[&arguments[..], &["--method", method, "--verify"]].concat());
        let line =
            text.lines().find(|line| line.starts_with("patches written to c.ply, frame 22: ")).unwrap();
        assert!(line.contains("% of 6,400 triangles in ") && !line.contains(" 0.0 %"), "{method}: {line}");
        // It is a surface that can be read.
        let text = succeeds(&folder, &["check", "c.ply"]);
        assert!(text.contains("6,400 triangles"), "{text}");
        fs::remove_file(folder.join("c.ply")).unwrap();
    }
    let text = succeeds(&folder, &[&arguments[..], &["--method", "hsc", "--discrete"]].concat());
    assert!(text.contains("patches written to c.ply, frame 23: 100.0 % of"), "{text}");

    fs::remove_file(folder.join("c.ply")).unwrap();
    let with = |more: &[&'static str]| fails(&folder, &[&arguments[..5], more].concat());
    for (more, part) in [
        (["--cleared", "c.ply", "--method", "bvh"], "--cleared: the method bvh tests no patches"),
        (
            ["--cleared", "c.obj", "--method", "hsc"],
            "c.obj: --cleared writes a file whose name ends in .ply or .glb",
        ),
        (["--cleared", "-", "--method", "hsc"], "-: --cleared writes a file whose name ends in .ply"),
        (["--cleared", "c.ply", "--thickness", "0.1"], "--cleared cannot be used with --thickness"),
        (["--cleared", "no/c.ply", "--method", "hsc"], "no/c.ply: "),
        (["--cleared", "c.ply", "--csv", "c.ply"], "c.ply: cannot hold two outputs"),
    ] {
        let message = with(&more);
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}
