//! `osculate check` answers in episodes: which parts overlap, in which frames, how deep, and what
//! is set aside. On small models, made here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{self, complete_methods, fails, json, osculate, succeeds};
use crate::gltf::gltf_at;
use crate::schema::validate;
use serde_json::Value;

fn folder(test: &str) -> PathBuf {
    common::folder("episodes", test)
}

/// Writes frames of two boxes as OBJ files. The lower one, of half size 1, rests; the upper one, of
/// half size 0.5, is at the given heights, where below 1.5 it overlaps.
fn boxes(folder: &Path, heights: &[f64]) {
    for (i, &z) in heights.iter().enumerate() {
        let mut text = String::new();
        for (half, [x, y], z) in [(1.0, [0.0, 0.0], 0.0), (0.5, [0.2, 0.1], z)] {
            for k in 0..8 {
                let side = |bit: i32| if k >> bit & 1 == 1 { half } else { -half };
                text.push_str(&format!("v {} {} {}\n", x + side(0), y + side(1), z + side(2)));
            }
        }
        for first in [1, 9] {
            for [a, b, c, d] in
                [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
            {
                for face in [[a, b, c], [a, c, d]] {
                    let [a, b, c] = face.map(|v| v + first);
                    text.push_str(&format!("f {a} {b} {c}\n"));
                }
            }
        }
        fs::write(folder.join(format!("f{i:02}.obj")), text).unwrap();
    }
}

/// Checks the frames in a folder, and returns the printed text and the report, which is valid.
fn check(folder: &Path, more: &[&str]) -> (String, Value) {
    let text = succeeds(folder, &[&["check", ".", "--json", "r.json"], more].concat());
    let report = json(&folder.join("r.json"));
    validate(&report);
    (text, report)
}

/// Frames and times of all episodes, in order of time.
fn episodes(report: &Value) -> Vec<(Option<[u64; 2]>, f64, f64)> {
    let one = |episode: &Value| {
        let frames = episode["first_frame"].as_u64().zip(episode["last_frame"].as_u64());
        let time = |key: &str| (episode[key].as_f64().unwrap() * 1e4).round() / 1e4;
        (frames.map(<[u64; 2]>::from), time("enter"), time("leave"))
    };
    let mut all: Vec<_> = report["episodes"].as_array().unwrap().iter().map(one).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all
}

#[test]
fn a_box_that_enters_stays_and_leaves_makes_one_episode_each_time() {
    // It starts overlapping and separates.
    let start = folder("separates");
    boxes(&start, &[1.0, 1.25, 1.75, 2.0]);
    let (text, report) = check(&start, &[]);
    assert_eq!(episodes(&report), [(Some([0, 1]), 0.0, 1.5)]);
    let pair = &report["pairs"][0];
    assert_eq!([&pair["parts"][0], &pair["parts"][1]], ["component 0", "component 1"]);
    assert_eq!([&pair["status"], &pair["worst_frame"]], [&Value::from("new"), &0.into()]);
    assert!((pair["depth"].as_f64().unwrap() - 0.5).abs() < 0.01, "{pair}");
    assert!(text.contains("1 problem, worst: component 0 and component 1, depth 0.5"), "{text}");

    // It enters and stays to the end; nothing happens any more, but the gate sees it.
    let stays = folder("stays");
    boxes(&stays, &[2.0, 1.75, 1.25, 1.25, 1.25]);
    assert_eq!(episodes(&check(&stays, &[]).1), [(Some([2, 4]), 1.5, 4.0)]);
    for (more, code) in
        [(&["--frames", "3..4"][..], 1), (&["--frames", "0..1"], 0), (&["--frames", "2..2"], 1)]
    {
        let ran = osculate(&stays, &[&["check", ".", "--fail-on-contact"], more].concat());
        assert_eq!(ran.code, Some(code), "{more:?}: {}", ran.stderr);
    }

    // It comes and goes.
    let alternates = folder("alternates");
    boxes(&alternates, &[1.25, 1.75, 1.25, 1.75, 1.25]);
    let expected = [(Some([0, 0]), 0.0, 0.5), (Some([2, 2]), 1.5, 2.5), (Some([4, 4]), 3.5, 4.0)];
    assert_eq!(episodes(&check(&alternates, &[]).1), expected);

    // It is never seen to overlap: it passes the lower box between two frames.
    let passes = folder("passes");
    boxes(&passes, &[4.0, 2.0, -2.0, -4.0]);
    let (text, report) = check(&passes, &[]);
    assert_eq!(episodes(&report), [(None, 1.125, 1.875)]);
    assert!(text.contains("between frames, after frame 1"), "{text}");
    assert!(text.contains("| component 0 | component 1 | between frames |"), "{text}");
    assert_eq!(osculate(&passes, &["check", ".", "--fail-on", "new"]).code, Some(1));
    assert_eq!(osculate(&passes, &["check", ".", "--fail-on", "new", "--discrete"]).code, Some(0));

    // Faces that touch have a depth of zero.
    let touches = folder("touches");
    boxes(&touches, &[1.5, 1.5, 2.0]);
    let (_, report) = check(&touches, &[]);
    assert_eq!((&report["pairs"][0]["depth"], report["pairs"].as_array().unwrap().len()), (&0.0.into(), 1));
}

/// The worst frame is found among all, and measured as if it were asked for alone.
#[test]
fn the_depth_of_a_clip_is_that_of_its_deepest_frame() {
    let folder = folder("deepest");
    let depths = |frames: &str| -> BTreeMap<String, f64> {
        let scene = ["check", "--scene", "figure", "--baseline", "none", "--json", "r.json"];
        succeeds(&folder, &[&scene[..], &["--frames", frames]].concat());
        let report = json(&folder.join("r.json"));
        let pairs = report["pairs"].as_array().unwrap().iter();
        pairs.map(|pair| (pair["parts"].to_string(), pair["depth"].as_f64().unwrap())).collect()
    };
    let mut largest = BTreeMap::new();
    for frame in 43..=48 {
        for (parts, depth) in depths(&format!("{frame}..{frame}")) {
            let so_far = largest.entry(parts).or_insert(0.0_f64);
            *so_far = so_far.max(depth);
        }
    }
    assert!(3 < largest.len(), "{largest:?}");
    assert_eq!(depths("43..48"), largest);
}

/// Exactly the frames with crossings are in episodes, whatever the method and the threads.
#[test]
fn episodes_are_the_same_for_every_method_and_any_number_of_threads() {
    let folder = folder("same");
    let figure = |more: &[&str]| {
        let all = ["check", "--frames", "38..60", "--baseline", "none", "--json", "r.json"];
        succeeds(&folder, &[&all[..], more].concat());
        let report = json(&folder.join("r.json"));
        validate(&report);
        report
    };
    let expected = figure(&["--contacts"]);
    assert_ne!(expected["episodes"].as_array().unwrap().len(), 0);
    let mut crossed: Vec<(u64, Vec<Value>)> = Vec::new();
    for frame in expected["frames"].as_array().unwrap() {
        for crossing in frame["crossings"].as_array().unwrap() {
            let mut bones = crossing["bones"].as_array().unwrap().clone();
            bones.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
            crossed.push((frame["frame"].as_u64().unwrap(), bones));
        }
    }
    crossed.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
    crossed.dedup();
    let mut covered: Vec<(u64, Vec<Value>)> = Vec::new();
    for episode in expected["episodes"].as_array().unwrap() {
        let [Some(first), Some(last)] = ["first_frame", "last_frame"].map(|key| episode[key].as_u64()) else {
            continue;
        };
        let mut parts = episode["parts"].as_array().unwrap().clone();
        parts.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
        covered.extend((first..=last).map(|frame| (frame, parts.clone())));
    }
    covered.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
    assert_eq!(covered, crossed);
    for threads in ["1", "3"] {
        let more = ["--threads", threads];
        assert_eq!(figure(&more)["episodes"], expected["episodes"], "{threads} threads");
    }
    // One body of many bones, one with spikes, and two bodies that come and go.
    let heights = [2.0, 1.25, 1.75, -2.0, -1.25, -1.75, 1.4];
    fs::create_dir(folder.join("boxes")).unwrap();
    boxes(&folder.join("boxes"), &heights);
    for name in ["dwarf", "urchin"] {
        succeeds(&folder, &["scene", name, "-o", &format!("{name}.npz")]);
    }
    let scenes: [(&[&str], usize); 3] = [
        (&["dwarf.npz", "--frames", "21..26"], 4),
        (&["urchin.npz", "--frames", "36..40"], 3),
        (&["boxes"], 4),
    ];
    for (scene, least) in scenes {
        let of = |more: &[&str]| {
            let all = ["check", "--baseline", "none", "--json", "r.json"];
            succeeds(&folder, &[&all[..], scene, more].concat());
            json(&folder.join("r.json"))["episodes"].clone()
        };
        let expected = of(&["--threads", "1"]);
        assert!(least <= expected.as_array().unwrap().len(), "{scene:?}: {expected}");
        for method in complete_methods() {
            assert_eq!(of(&["--method", &method]), expected, "{scene:?}, {method}");
        }
        assert_eq!(of(&["--threads", "3"]), expected, "{scene:?}, 3 threads");
        assert_eq!(of(&["--front"]), expected, "{scene:?}, front");
    }
}

#[test]
fn what_is_there_from_the_start_or_throughout_is_set_aside() {
    let folder = folder("aside");
    boxes(&folder, &[1.25, 1.25, 1.25, 1.25]);
    let status = |more: &[&str]| check(&folder, more).1["pairs"][0]["status"].as_str().unwrap().to_owned();
    // The frames of a sequence have no bind pose; but the overlap is always the same.
    assert_eq!(status(&[]), "throughout");
    assert_eq!(status(&["--baseline", "first"]), "baseline");
    assert_eq!(status(&["--baseline", "none"]), "new");
    // In a part of the clip, nobody knows.
    assert_eq!(status(&["--frames", "1..2"]), "new");
    let (text, _) = check(&folder, &[]);
    assert!(text.contains("4 frames; clean; 1 overlap set aside"), "{text}");
    let words = "set aside: 1 overlap that is there in the baseline (rest) or throughout a clip: \
                 component 0 and component 1, depth 0.2500 (6.34 % of its size); --all lists it";
    assert!(text.contains(words), "{text}");
    assert!(!text.contains("| component 0"), "{text}");
    let (text, _) = check(&folder, &["--all"]);
    assert!(text.contains("| component 0 | component 1 |"), "{text}");
    for (condition, code) in [("new", 0), ("any", 1), ("depth=0.1", 0)] {
        assert_eq!(
            osculate(&folder, &["check", ".", "--fail-on", condition]).code,
            Some(code),
            "{condition}"
        );
    }
    for (depth, code) in [("depth=0.2", 1), ("depth=0.3", 0)] {
        let arguments = ["check", ".", "--baseline", "none", "--fail-on", depth];
        assert_eq!(osculate(&folder, &arguments).code, Some(code), "{depth}");
    }
    assert!(fails(&folder, &["check", ".", "--fail-on", "deep"]).contains("new, any or depth=D"));
}

#[test]
fn a_baseline_is_written_and_read_and_goes_stale() {
    let folder = folder("baseline");
    boxes(&folder, &[2.0, 1.4, 2.0]);
    check(&folder, &["--write-baseline", "known.toml"]);
    let text = fs::read_to_string(folder.join("known.toml")).unwrap();
    assert!(text.contains("parts = [\"component 0\", \"component 1\"]"), "{text}");
    let with = |more: &[&str]| check(&folder, &[&["--baseline", "known.toml"], more].concat()).1;
    assert_eq!(with(&[])["pairs"][0]["status"], "baseline");
    assert_eq!(
        osculate(&folder, &["check", ".", "--baseline", "known.toml", "--fail-on", "new"]).code,
        Some(0)
    );
    // It becomes deeper.
    boxes(&folder, &[2.0, 1.1, 2.0]);
    assert_eq!(with(&[])["pairs"][0]["status"], "new");
    // It is gone: the entry is reported.
    boxes(&folder, &[2.0, 1.9, 2.0]);
    let ran = osculate(&folder, &["check", ".", "--baseline", "known.toml"]);
    assert!(ran.stderr.contains("known.toml: overlaps that do not occur (any more): line"), "{}", ran.stderr);
    // Damaged ones are named by line and key.
    for (damaged, words) in [
        (text.replace("depth = ", "depth = x"), "known.toml, line 7, key 'depth': 'x"),
        (text.replace("parts = [", "parts = [["), "key 'parts'"),
        (text.replace("clip =", "clap ="), "line 6, key 'clap': there is no such key"),
        (text.replace("[[pair]]", "[[pears]]"), "line 4: there is no table 'pears'"),
        ("[[pair]]\ndepth = 1\n".to_owned(), "line 1, key 'parts': it is missing"),
    ] {
        fs::write(folder.join("known.toml"), damaged).unwrap();
        let sentence = fails(&folder, &["check", ".", "--baseline", "known.toml"]);
        assert!(sentence.contains(words), "{sentence}");
    }
    assert!(fails(&folder, &["check", ".", "--baseline", "missing.toml"]).contains("missing.toml"));
}

/// An overlap in the bind pose is known in every clip, up to its depth.
#[test]
fn what_overlaps_in_the_bind_pose_is_set_aside() {
    let folder = folder("rest");
    let clips = [
        ("leaves", vec![[0.0, 0.0], [0.2, 2.0]]),
        ("returns", vec![[0.0, 2.0], [0.1, 0.0], [0.2, 2.0]]),
        ("sinks", vec![[0.0, 0.0], [0.1, -0.15], [0.2, 2.0]]),
    ];
    let statuses = |rest: f32, more: &[&str]| {
        gltf_at(&folder, "a", ["sheet", "body"], rest, &clips);
        let all = [&["check", "a.gltf", "--json", "r.json"], more].concat();
        let text = succeeds(&folder, &all);
        let report = json(&folder.join("r.json"));
        validate(&report);
        let mut statuses = vec![Value::Null; 3];
        for pair in report["pairs"].as_array().unwrap() {
            statuses[pair["clip"].as_u64().unwrap() as usize] = pair["status"].clone();
        }
        (text, statuses)
    };
    let (text, found) = statuses(0.0, &[]);
    assert_eq!(found, ["baseline", "baseline", "new"], "{text}");
    assert!(text.contains("clip 'leaves': 7 frames; clean; 1 overlap set aside\n"), "{text}");
    assert!(text.contains("clip 'sinks': 7 frames; 1 problem, worst: sheet and body, depth"), "{text}");
    assert!(text.contains("set aside: 2 overlaps that are there in the baseline (rest) or"), "{text}");
    // It is the bind pose that counts, not the first frame.
    assert_eq!(statuses(2.0, &[]).1, ["new"; 3]);
    assert_eq!(statuses(0.0, &["--baseline", "none"]).1, ["new"; 3]);
    assert_eq!(statuses(0.0, &["--baseline", "first"]).1, ["baseline", "new", "new"]);
}

/// Heights of a body above a sheet: through it, and always above.
const THROUGH: [[f32; 2]; 2] = [[0.0, 2.0], [0.2, -2.0]];
const ABOVE: [[f32; 2]; 2] = [[0.0, 2.0], [0.2, 1.0]];

/// Only entries about what was checked can be out of date.
#[test]
fn entries_about_other_clips_and_frames_are_not_out_of_date() {
    let folder = folder("other-clips");
    let write = |fall: [[f32; 2]; 2], jump: [[f32; 2]; 2]| {
        let clips = [("fall", fall.to_vec()), ("jump", jump.to_vec())];
        gltf_at(&folder, "a", ["sheet", "body"], 2.0, &clips);
    };
    let stale = |more: &[&str]| {
        let ran = osculate(&folder, &[&["check", "a.gltf", "--baseline", "k.toml"], more].concat());
        assert_eq!(ran.code, Some(0), "{more:?}: {}", ran.stderr);
        let mut lines = ran.stderr.lines().filter(|line| line.contains("do not occur"));
        let line = lines.next().map(|line| line.split("(any more): ").nth(1).unwrap().to_owned());
        assert_eq!(lines.next(), None, "{more:?}: said once");
        line
    };
    write(THROUGH, THROUGH);
    succeeds(&folder, &["check", "a.gltf", "--write-baseline", "k.toml"]);
    for more in [&[][..], &["--clip", "fall"], &["--clip", "jump"], &["--frames", "0..1"]] {
        assert_eq!(stale(more), None, "{more:?}");
    }
    write(THROUGH, ABOVE);
    let words = Some("line 9, body and sheet in clip 'jump'".to_owned());
    assert_eq!([stale(&[]), stale(&["--clip", "jump"])], [words.clone(), words]);
    for more in [
        &["--clip", "fall"][..],
        &["--frames", "0..1"],
        &["--ignore", "sheet:body"],
        &["--ignore", "body:*"],
        &["--between", "x:y"],
    ] {
        assert_eq!(stale(more), None, "{more:?}");
    }
    // What is not deep enough to be reported is there.
    write(THROUGH, THROUGH);
    assert_eq!(stale(&["--min-depth", "100"]), None);
    // An entry without a clip is about all of them.
    fs::write(folder.join("k.toml"), "[[pair]]\nparts = [\"body\", \"sheet\"]\ndepth = 9\n").unwrap();
    write(THROUGH, ABOVE);
    assert_eq!([stale(&[]), stale(&["--clip", "jump"])], [None, None]);
    write(ABOVE, ABOVE);
    assert_eq!(stale(&[]), Some("line 1, body and sheet".to_owned()));
    assert_eq!([stale(&["--clip", "jump"]), stale(&["--frames", "0..5"])], [None, None]);
    // What may be between frames is not missed by looking at frames only.
    fs::write(folder.join("k.toml"), "[[pair]]\nparts = [\"body\", \"sheet\"]\ndepth = 0\n").unwrap();
    assert_eq!(stale(&["--discrete"]), None);
    assert!(stale(&[]).is_some());
}

/// Clips of the same name in two files are told apart by the names of the files; where these are
/// the same, too, the deepest overlap is accepted.
#[test]
fn a_baseline_of_several_files_names_them() {
    let folder = folder("files");
    for name in ["x", "y"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
    let write = |path: &str, height: f32| {
        let (sub, name) = path.split_once('/').unwrap_or((".", path));
        let clip = ("idle", vec![[0.0, 2.0], [0.2, height]]);
        gltf_at(&folder.join(sub), name, ["sheet", "body"], 2.0, &[clip]);
    };
    let run = |inputs: &[&str], more: &[&str]| {
        let all = [&["check"], inputs, &["--json", "r.json"], more].concat();
        let ran = osculate(&folder, &all);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(!ran.stderr.contains("do not occur"), "{}", ran.stderr);
        let report = json(&folder.join("r.json"));
        let mut statuses = vec![Value::Null; inputs.len()];
        for pair in report["pairs"].as_array().unwrap() {
            statuses[pair["clip"].as_u64().unwrap() as usize] = pair["status"].clone();
        }
        statuses
    };
    let both = ["a.gltf", "b.gltf"];
    write("a", 0.3);
    write("b", -0.1);
    assert_eq!(run(&both, &["--write-baseline", "k.toml"]), ["new"; 2]);
    let text = fs::read_to_string(folder.join("k.toml")).unwrap();
    assert!(both.iter().all(|name| text.contains(&format!("file = \"{name}\""))), "{text}");
    let with_file = ["--baseline", "k.toml"];
    assert_eq!(run(&both, &with_file), ["baseline"; 2]);
    assert_eq!([run(&both[..1], &with_file), run(&["./b.gltf"], &with_file)], [["baseline"], ["baseline"]]);
    // As deep as in the other file.
    write("a", -0.1);
    assert_eq!(run(&both, &with_file), ["new", "baseline"]);
    // One file is not named, so that it may be renamed, and is the same for `check_frames`.
    run(&both[..1], &["--write-baseline", "one.toml"]);
    assert!(!fs::read_to_string(folder.join("one.toml")).unwrap().contains("file ="));
    assert_eq!(run(&both, &["--baseline", "one.toml"]), ["baseline"; 2]);
    // Of the same name: the order does not matter.
    write("x/c", 0.3);
    write("y/c", -0.1);
    for inputs in [["x/c.gltf", "y/c.gltf"], ["y/c.gltf", "x/c.gltf"]] {
        run(&inputs, &["--write-baseline", "k.toml"]);
        let text = fs::read_to_string(folder.join("k.toml")).unwrap();
        assert_eq!(text.matches("[[pair]]").count(), 1, "{text}");
        assert_eq!(run(&inputs, &with_file), ["baseline"; 2], "{inputs:?}");
    }
    fs::write(folder.join("k.toml"), "[[pair]]\nparts = [\"a\", \"b\"]\nfile = 1\ndepth = 1\n").unwrap();
    let sentence = fails(&folder, &["check", "a.gltf", "--baseline", "k.toml"]);
    assert!(sentence.contains("k.toml, line 3, key 'file': a name is expected"), "{sentence}");
}

#[test]
fn pairs_are_selected_by_names_depth_and_bones() {
    let folder = folder("selected");
    boxes(&folder, &[2.0, 1.25, 2.0]);
    let n = |more: &[&str]| {
        let report = check(&folder, more).1;
        let ignored = report["totals"]["ignored"].as_u64().unwrap();
        (report["pairs"].as_array().unwrap().len(), ignored)
    };
    assert_eq!(n(&[]), (1, 0));
    assert_eq!(n(&["--ignore", "component 0:component 1"]).0, 0);
    assert_eq!(n(&["--ignore", "*1:*0"]).0, 0);
    assert_eq!(n(&["--ignore", "other:*"]), (1, 0));
    assert_eq!(n(&["--between", "*0:*1"]), (1, 0));
    assert_eq!(n(&["--between", "*0:*0"]).0, 0);
    assert_eq!(n(&["--min-depth", "0.2"]), (1, 0));
    assert_eq!(n(&["--min-depth", "0.3"]), (0, 1));
    assert!(fails(&folder, &["check", ".", "--ignore", "box"]).contains("not a pair of parts"));
    assert!(fails(&folder, &["check", ".", "--min-depth", "-1"]).contains("min-depth"));
    // Adjacent bones.
    let figure = |more: &[&str]| {
        let all = ["check", "--frames", "42..44", "--baseline", "none", "--json", "r.json"];
        succeeds(&folder, &[&all[..], more].concat());
        let pairs = json(&folder.join("r.json"))["pairs"].clone();
        pairs.as_array().unwrap().iter().map(|pair| pair["parts"].to_string()).collect::<Vec<_>>()
    };
    let (all, apart) = (figure(&[]), figure(&["--ignore-adjacent-bones"]));
    assert!(apart.iter().all(|parts| all.contains(parts)));
    assert!(!apart.iter().any(|parts| parts.contains("\"LowerArm.R\",\"Hand.R\"")), "{apart:?}");
}

/// Writes a strip along a profile as an OBJ file.
fn strip(path: &Path, profile: &[[f64; 2]]) {
    let (faces, vertices) = common::strip(profile);
    let mut text = String::new();
    for [x, y, z] in vertices {
        text.push_str(&format!("v {x} {y} {z}\n"));
    }
    for [a, b, c] in faces {
        text.push_str(&format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    }
    fs::write(path, text).unwrap();
}

/// Triangles of one body that cross within the rings are left out, and only they.
#[test]
fn what_crosses_within_the_rings_is_left_out() {
    let folder = folder("rings");
    let found = |rings: &str| {
        let options = ["--baseline", "none", "--exclude-rings", rings, "--contacts"];
        let (text, report) = check(&folder, &options);
        let n = report["clips"][0]["crossings"].as_u64().unwrap();
        assert_eq!(report["frames"][0]["crossings"].as_array().unwrap().len() as u64, n);
        assert_eq!(report["pairs"].as_array().unwrap().len(), usize::from(0 < n));
        let words = format!("not reported: features of one body at most {rings} edges apart");
        assert_eq!(text.contains(&words), !["0", "1"].contains(&rings), "{text}");
        n
    };
    strip(&folder.join("f.obj"), &common::FOLDED[..7]);
    let near = found("0");
    assert!(0 < near && found("1") == near);
    assert!(0 < found("2") && found("2") < near);
    assert_eq!(found("3"), 0);
    strip(&folder.join("f.obj"), &common::FOLDED);
    let both = found("0");
    assert!(near < both && found("1") == both);
    assert_eq!([found("3"), found("7"), found("9")], [both - near, both - near, 0]);
    let gate = ["check", ".", "--fail-on", "any", "--exclude-rings"];
    for (rings, code) in [("7", 1), ("9", 0)] {
        assert_eq!(osculate(&folder, &[&gate[..], &[rings]].concat()).code, Some(code), "{rings}");
    }
}

/// Where nothing is enclosed, a quarter of the extent counts; what is seen at no frame has no
/// depth, and stays.
#[test]
fn a_least_depth_is_compared_with_what_ranks() {
    let folder = folder("least");
    let n = |more: &[&str]| {
        let report = check(&folder, &[&["--baseline", "none"], more].concat()).1;
        (report["pairs"].as_array().unwrap().len(), report["totals"]["ignored"].as_u64().unwrap())
    };
    // The curve is 1 long.
    strip(&folder.join("f00.obj"), &common::FOLDED[..7]);
    assert_eq!(n(&["--min-depth", "0.24"]), (1, 0));
    assert_eq!(n(&["--min-depth", "0.26"]), (0, 1));
    boxes(&folder, &[4.0, 2.0, -2.0, -4.0]);
    assert_eq!(n(&["--min-depth", "10"]), (1, 0));
    // The pair also overlaps at a frame, not deep.
    boxes(&folder, &[4.0, 2.0, -2.0, -1.4]);
    assert_eq!(n(&["--min-depth", "10"]), (1, 0));
    assert_eq!(n(&["--min-depth", "10", "--discrete"]), (0, 1));
}

/// On a mesh finer than the thickness, each feature is close to its neighbors.
#[test]
fn a_thickness_leaves_out_what_is_as_close_at_rest() {
    let folder = folder("thickness");
    let n = 10;
    // Flat, then folded, with a gap.
    for (i, gap) in [None, None, Some(0.1), Some(0.11)].into_iter().enumerate() {
        let mut text = String::new();
        for k in 0..(n + 1) * (n + 1) {
            let [x, y] = [k / (n + 1), k % (n + 1)].map(|k| f64::from(k) / f64::from(n));
            let [x, z] = gap.filter(|_| 0.5 < x).map_or([x, 0.0], |gap| [1.0 - x, gap]);
            text.push_str(&format!("v {x} {y} {z}\n"));
        }
        for k in 0..n * n {
            let a = (k / n) * (n + 1) + k % n + 1;
            let (b, c, d) = (a + 1, a + n + 1, a + n + 2);
            text.push_str(&format!("f {a} {b} {c}\nf {b} {d} {c}\n"));
        }
        fs::write(folder.join(format!("f{i}.obj")), text).unwrap();
    }
    let contacts = |more: &[&str]| {
        let all = [&["check", ".", "--thickness", "0.15", "--contacts", "--json", "r.json"], more].concat();
        let text = succeeds(&folder, &all);
        let report = json(&folder.join("r.json"));
        let n = |frame: &Value| frame["contacts"].as_array().map_or(0, Vec::len);
        (text, report["frames"].as_array().unwrap().iter().map(n).collect::<Vec<_>>())
    };
    let (text, n) = contacts(&[]);
    let words = "not reported: features within 0.15 of each other in the bind pose or first frame";
    assert!(text.contains(words), "{text}");
    assert!(n[0] == 0 && 0 < n[1] && 0 < n[2], "{n:?}");
    // In a part of the clip, too, what counts is the first frame of the clip.
    assert_eq!(contacts(&["--frames", "2..3"]).1, n[2..]);
    assert_eq!(contacts(&["--frames", "1..3"]).1, n[1..]);
    let (text, n_all) = contacts(&["--no-rest-exclusion"]);
    assert!(!text.contains("not reported"), "{text}");
    assert!(0 < n_all[0] && n[1] < n_all[1], "{n:?} {n_all:?}");
    let (text, n_outside) = contacts(&["--no-rest-exclusion", "--exclude-rings", "3"]);
    assert!(text.contains("not reported: features of one body at most 3 edges apart"), "{text}");
    assert!(n_outside[0] == 0 && 0 < n_outside[1] && n_outside[1] < n_all[1], "{n_all:?} {n_outside:?}");
}

/// Parts that come closer than a thickness, and never cross, are said to be just that.
#[test]
fn parts_that_come_closer_than_a_thickness_do_not_pass() {
    let folder = folder("closer");
    boxes(&folder, &[2.0, 1.6, 2.0]);
    let (text, report) = check(&folder, &[]);
    assert!(text.contains("; clean") && report["thickness"] == 0.0, "{text}");
    let more = ["--thickness", "0.2", "--junit", "r.xml", "--sarif", "r.sarif", "--report", "r.html"];
    let (text, report) = check(&folder, &more);
    assert_eq!(report["thickness"], 0.2);
    // 0.5 apart at frame 0, and 0.1 at frame 1, after which nothing comes closer.
    assert_eq!(episodes(&report), [(None, 0.75, 1.0)]);
    let line = "1 problem, worst: component 0 and component 1, closer than 0.2, after frame 0";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("| component 0 | component 1 | closer than 0.2 |"), "{text}");
    assert!(!text.contains("between frames") && !text.contains("passes"), "{text}");
    for file in ["r.xml", "r.sarif", "r.html"] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains("closer than 0.2"), "{file}");
        assert!(!text.contains("extent 0.0000"), "{file}");
    }
    let gate = ["check", ".", "--fail-on", "new"];
    assert_eq!(osculate(&folder, &gate).code, Some(0));
    assert_eq!(osculate(&folder, &[&gate[..], &more[..2]].concat()).code, Some(1));
    // What crosses keeps its depth.
    boxes(&folder, &[2.0, 1.25, 2.0]);
    let (text, report) = check(&folder, &more);
    assert_eq!(report["pairs"][0]["frames"], serde_json::json!([[1, 1]]));
    assert!(text.contains("component 0 and component 1, depth 0.2500"), "{text}");
}

#[test]
fn settings_stand_in_a_file_beside_the_input_or_above_it() {
    let above = folder("settings");
    let folder = above.join("frames");
    fs::create_dir_all(&folder).unwrap();
    boxes(&folder, &[2.0, 1.25, 2.0]);
    let n = |more: &[&str]| check(&folder, more).1["pairs"].as_array().unwrap().len();
    fs::write(above.join("osculate.toml"), "[check]\nignore = [\"*0:*1\"]\n").unwrap();
    assert_eq!((n(&[]), n(&["--no-config"])), (0, 1));
    // The nearest one counts, and options take precedence.
    fs::write(folder.join("osculate.toml"), "min-depth = 0.3\nfail-on = \"new\"\n").unwrap();
    assert_eq!((n(&[]), osculate(&folder, &["check", "."]).code), (0, Some(0)));
    let ran = osculate(&folder, &["check", ".", "--min-depth", "0.1"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    // Every setting does what its option does.
    let of_setting = |text: &str| {
        fs::write(folder.join("osculate.toml"), text).unwrap();
        check(&folder, &[]).1["pairs"].clone()
    };
    let of_option =
        |options: &[&str]| check(&folder, &[&["--no-config"], options].concat()).1["pairs"].clone();
    succeeds(&folder, &["check", ".", "--no-config", "--write-baseline", "../known.toml"]);
    let set_aside = of_option(&["--baseline", "../known.toml"]);
    assert_eq!(set_aside[0]["status"], "baseline");
    // The name of a file is relative to the settings, wherever the command is run.
    assert_eq!(of_setting("baseline = \"../known.toml\"\n"), set_aside);
    fs::remove_file(folder.join("osculate.toml")).unwrap();
    fs::write(above.join("osculate.toml"), "baseline = \"known.toml\"\n").unwrap();
    assert_eq!(check(&folder, &[]).1["pairs"], set_aside);
    assert_eq!(check(&folder, &["--baseline", "none"]).1["pairs"][0]["status"], "new");
    boxes(&folder, &[1.25, 1.3, 2.0]);
    for baseline in ["first", "none", "rest"] {
        assert_eq!(of_setting(&format!("baseline = \"{baseline}\"\n")), of_option(&["--baseline", baseline]));
    }
    assert_ne!(of_option(&["--baseline", "first"]), of_option(&["--baseline", "none"]));
    for (text, n) in [("between = \"*0:*1\"\n", 1), ("between = [\"*1:*1\", \"x:y\"]\n", 0)] {
        assert_eq!(of_setting(text).as_array().unwrap().len(), n, "{text}");
    }
    for (condition, code) in [("depth=0.2", 1), ("depth=0.3", 0), ("any", 1)] {
        fs::write(folder.join("osculate.toml"), format!("fail-on = \"{condition}\"\n")).unwrap();
        assert_eq!(osculate(&folder, &["check", "."]).code, Some(code), "{condition}");
    }
    strip(&folder.join("f00.obj"), &common::FOLDED);
    for name in ["f01.obj", "f02.obj"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let pairs = |text: &str| of_setting(text).as_array().unwrap().len();
    assert_eq!([pairs("exclude-rings = 7\n"), pairs("exclude-rings = 9\n")], [1, 0]);
    assert_eq!(of_setting("exclude-rings = 2\n"), of_option(&["--exclude-rings", "2"]));
    assert_ne!(of_setting("exclude-rings = 2\n"), of_option(&[]));
    // Options take precedence.
    fs::write(folder.join("osculate.toml"), "exclude-rings = 9\n").unwrap();
    assert_eq!(n(&["--exclude-rings", "7"]), 1);
    // Bones.
    succeeds(&above, &["scene", "figure", "-o", "figure.glb"]);
    let figure = |more: &[&str]| {
        let all = ["check", "figure.glb", "--frames", "42..44", "--baseline", "none", "--json", "r.json"];
        succeeds(&above, &[&all[..], more].concat());
        json(&above.join("r.json"))["pairs"].clone()
    };
    let apart = figure(&["--no-config", "--ignore-adjacent-bones"]);
    assert_ne!(figure(&["--no-config"]), apart);
    fs::write(above.join("osculate.toml"), "ignore-adjacent-bones = true\n").unwrap();
    assert_eq!(figure(&[]), apart);
    fs::write(above.join("osculate.toml"), "ignore-adjacent-bones = false\n").unwrap();
    assert_ne!(figure(&[]), apart);
    for (text, words) in [
        ("min-depth = \"deep\"\n", "osculate.toml, line 1, key 'min-depth': a length"),
        ("\nignore = 3\n", "line 2, key 'ignore': a text 'A:B'"),
        ("ignore = [\"box\"]\n", "line 1, key 'ignore': 'box' is not a pair of parts"),
        ("colour = true\n", "line 1, key 'colour': there is no such setting"),
        ("[chek]\n", "line 1: there is no table 'chek'"),
        ("exclude-rings = 1.5\n", "key 'exclude-rings': a whole number"),
        ("ignore-adjacent-bones = 1\n", "key 'ignore-adjacent-bones': true or false"),
        ("fail-on = \"x\"\n", "key 'fail-on': 'x' is no condition"),
        ("baseline = 1\n", "key 'baseline': a text"),
    ] {
        fs::write(folder.join("osculate.toml"), text).unwrap();
        let sentence = fails(&folder, &["check", "."]);
        assert!(sentence.contains(words), "{sentence}");
    }
}

#[test]
fn people_get_short_lists() {
    let folder = folder("people");
    boxes(&folder, &[2.0, 1.25, 2.0]);
    let text = succeeds(&folder, &["check", ".", "--list-clips"]);
    assert!(text.contains(": 3 frames, 0.07 s") && text.lines().count() == 2, "{text}");
    let text = succeeds(&folder, &["check", ".", "--quiet"]);
    assert!(text.starts_with("clip '") && !text.contains("time:") && !text.contains("method"), "{text}");
    assert_eq!(succeeds(&folder, &["check", ".", "-q", "--frames", "0..0"]), "");
    let top = ["check", "--frames", "42..48", "--baseline", "none", "--top", "2"];
    let text = succeeds(&folder, &top);
    assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), 3, "{text}");
    assert!(text.contains("--top N lists more"), "{text}");
    assert!(fails(&folder, &["check", ".", "--top", "0"]).contains("--top is 0"));
    // Tables fit the terminal.
    let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
    let output = command.current_dir(&folder).env("COLUMNS", "60").args(&top[..5]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let widest = text.lines().filter(|line| line.starts_with('|')).map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|width| width <= 60), "{text}");
}

#[test]
fn build_systems_get_junit_and_sarif() {
    let folder = folder("build");
    boxes(&folder, &[2.0, 1.25, 2.0]);
    check(&folder, &["--junit", "r.xml", "--sarif", "r.sarif", "--csv", "r.csv"]);
    let xml = fs::read_to_string(folder.join("r.xml")).unwrap();
    assert!(xml.contains("tests=\"1\" failures=\"1\"") && xml.contains("<failure message="), "{xml}");
    let log = json(&folder.join("r.sarif"));
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 1);
    let csv = fs::read_to_string(folder.join("r.csv")).unwrap();
    assert_eq!(csv.lines().count(), 2);
    assert!(csv.starts_with("file,clip,part_a,part_b,status,"), "{csv}");
}

/// Ctrl-C in the middle: exit code 130, and files that can be read, marked as partial.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_readable_files() {
    let folder = folder("interrupted");
    // A run may be done before the signal comes; then a longer one is not.
    for fps in ["30", "240", "1920", "15360"] {
        let arguments =
            ["check", "--scene", "octopus", "--fps", fps, "--method", "spatial-hash", "--threads", "1"];
        let mut files = vec!["--json", "r.json", "--csv", "r.csv", "--junit", "r.xml", "--sarif", "r.sarif"];
        if cfg!(feature = "parquet") {
            files.extend(["--parquet", "r.parquet"]);
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
        command.current_dir(&folder).args(arguments).args(files);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // This line tells that frames have been checked; a note about many frames may come before.
        let mut said = std::io::BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("checking") {
            line.clear();
            assert_ne!(std::io::BufRead::read_line(&mut said, &mut line).unwrap(), 0, "it says nothing");
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let status = child.wait().unwrap();
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut said, &mut rest).unwrap();
        if status.code() == Some(0) {
            continue;
        }
        assert_eq!(status.code(), Some(130), "{rest}");
        assert!(rest.contains("interrupted"), "{rest}");
        let report = json(&folder.join("r.json"));
        validate(&report);
        assert_eq!(report["partial"], true);
        let [first, last] = ["first_frame", "last_frame"].map(|key| report["clips"][0][key].as_u64());
        assert!(first == Some(0) && last.is_some(), "{}", report["clips"]);
        assert!(fs::read_to_string(folder.join("r.xml")).unwrap().contains("interrupted"));
        let log = json(&folder.join("r.sarif"));
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
        let csv = fs::read_to_string(folder.join("r.csv")).unwrap();
        let n_episodes = report["episodes"].as_array().unwrap().len();
        assert_eq!(csv.lines().count(), 1 + n_episodes);
        #[cfg(feature = "parquet")]
        {
            use parquet::file::reader::{FileReader as _, SerializedFileReader};
            let file = fs::File::open(folder.join("r.parquet")).unwrap();
            let rows = SerializedFileReader::new(file).unwrap();
            assert_eq!(rows.get_row_iter(None).unwrap().map(Result::unwrap).count(), n_episodes);
        }
        return;
    }
    panic!("every run was done before it was interrupted");
}
