//! Runs `osculate` on surfaces that few parameters move, and for the tables of the paper on them.

use std::fs;
use std::path::PathBuf;

use crate::common::{self, fails, json, succeeds};
use serde_json::Value;

fn folder(test: &str) -> PathBuf {
    common::folder("governed", test)
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
