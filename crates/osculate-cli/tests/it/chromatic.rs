//! Chromatic decomposition in the command: sets and survivors as painted surfaces, and the tables
//! of the paper.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{self, fails, json, succeeds};

fn folder(test: &str) -> PathBuf {
    common::folder("chromatic", test)
}

/// The values of the last property of all triangles of a PLY file of this command, and the number
/// of colors among them.
fn values(path: PathBuf, n_triangles: usize) -> (Vec<u32>, usize) {
    let bytes = fs::read(path).unwrap();
    let triangles = bytes[bytes.len() - 20 * n_triangles..].chunks_exact(20);
    let mut colors: Vec<&[u8]> = triangles.clone().map(|triangle| &triangle[13..16]).collect();
    colors.sort_unstable();
    colors.dedup();
    (triangles.map(|t| u32::from_le_bytes(t[16..].try_into().unwrap())).collect(), colors.len())
}

#[test]
fn sets_and_survivors_are_written_as_painted_surfaces() {
    let folder = folder("painted");
    let check =
        ["check", "--scene", "figure", "--frames", "44..46", "--verify", "--method", "chromatic:sets"];
    let text = succeeds(&folder, &[&check[..], &["--colors", "c.ply", "--survivors", "s.ply"]].concat());
    let line = |what: &str| text.lines().find(|line| line.starts_with(what)).unwrap();
    let (colors, n_shown) = values(folder.join("c.ply"), 8000);
    let n_colors = *colors.iter().max().unwrap() as usize + 1;
    assert_eq!(n_shown, n_colors);
    assert!(line("colors written to c.ply, frame 45: ").contains(&format!("{n_colors} colors (at least ")));
    let (stages, n_shown) = values(folder.join("s.ply"), 8000);
    let n = |least: u32| stages.iter().filter(|&&stage| least <= stage).count();
    assert!(n_shown == 3 && 100 < n(2) && n(2) < n(1) && n(1) < 8000, "{} {}", n(1), n(2));
    let grouped = |n: usize| format!("{},{:03}", n / 1000, n % 1000);
    assert!(1000 <= n(1));
    let counts = format!("of 8,000 triangles, {} after stage I and ", grouped(n(1)));
    assert!(line("survivors written to s.ply, frame 45: ").contains(&counts), "{text}");

    // The same as GLB: surfaces that can be read.
    succeeds(&folder, &[&check[..], &["--colors", "c.glb", "--survivors", "s.glb"]].concat());
    for file in ["c.ply", "c.glb", "s.ply", "s.glb"] {
        let text = succeeds(&folder, &["check", file]);
        assert!(text.contains("8,000 triangles"), "{text}");
        fs::remove_file(folder.join(file)).unwrap();
    }

    let of_frame = ["check", "--scene", "figure", "--frames", "0..1", "--method"];
    for (more, part) in [
        (
            &["chromatic", "--colors", "c.obj"],
            "c.obj: --colors writes a file whose name ends in .ply or .glb",
        ),
        (&["bvh", "--colors", "c.ply"], "--colors is for the method chromatic, not for bvh"),
        (&["auto", "--survivors", "c.ply"], "--survivors is for the method chromatic, not for auto"),
        (&["chromatic:no-sets", "--survivors", "c.ply"], "--survivors: no sets were tested in frame 0"),
    ] {
        let message = fails(&folder, &[&of_frame[..], more].concat());
        assert!(message.contains(part), "{message}");
    }
    let message = fails(&folder, &[&check[..], &["--colors", "c.ply", "--survivors", "c.ply"]].concat());
    assert!(message.contains("c.ply: cannot hold two outputs"), "{message}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn the_tables_of_the_paper() {
    let folder = folder("paper");
    let arguments = ["bench", "--paper", "001", "--scene", "catheter", "--steps", "3", "--repeat", "2"];
    let all = [&arguments as &[&str], &["--json", "p.json", "--markdown", "p.md"]].concat();
    let text = succeeds(&folder, &all);
    for words in ["bvh:aabb", "chromatic:no-sets", "sphere-tree:bottom-up", "lower bound", "after II"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(fs::read_to_string(folder.join("p.md")).unwrap().contains(text.lines().next().unwrap()));
    let page = json(&folder.join("p.json"));
    assert_eq!([&page["format"], &page["threads"]], [&Value::from("osculate-paper-001/1"), &Value::from(1)]);
    let scene = &page["scenes"][0];
    let methods = scene["methods"].as_array().unwrap();
    assert_eq!((methods.len(), scene["contacts_of_steps"].as_array().unwrap().len()), (6, 3));
    let number = |row: &Value, key: &str| row[key].as_u64().unwrap();
    for row in methods {
        assert!(row["agrees"] == true && row["contacts"] == methods[0]["contacts"], "{row}");
        let stages = ["refit", "traversal", "sets", "narrow"].map(|stage| format!("ms_{stage}"));
        let sum: f64 = stages.iter().map(|stage| row[stage].as_f64().unwrap()).sum();
        assert!(0.0 < row["ms"].as_f64().unwrap() && 0.0 < sum, "{row}");
        let has_sets = row["method"] == "chromatic:sets";
        assert_eq!(number(row, "steps_with_sets") == 3, has_sets, "{row}");
        let [first, second] = [1, 2].map(|stage| number(row, &format!("triangles_after_stage_{stage}")));
        assert!(if has_sets { 0 < second && second < first } else { first == 0 }, "{row}");
    }
    let tests = |method: usize| number(&methods[method], "elementary_tests");
    assert!(tests(4) < tests(3) && 5 * tests(3) < tests(0));
    // Three sizes of primitives of the catheter, the vessels and the large mesh.
    let colorings = page["colorings"].as_array().unwrap();
    assert_eq!(colorings.len(), 9);
    assert!(colorings.iter().all(|row| number(row, "lower_bound") <= number(row, "colors")));
    assert_eq!(page["goals"].as_array().unwrap().len(), 4);

    for (arguments, words) in [
        (&["--methods", "bvh"] as &[&str], "--methods cannot be used"),
        (&["--discrete"], "--discrete cannot be used"),
        (&["--scene", "rope"], "no scene 'rope' in the paper"),
    ] {
        let sentence = fails(&folder, &[&["bench", "--paper", "001"], arguments].concat());
        assert!(sentence.contains(words), "{arguments:?}: {sentence}");
    }
}
