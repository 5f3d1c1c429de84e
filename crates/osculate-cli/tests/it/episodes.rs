//! `osculate check` answers in episodes: which parts overlap, in which frames, how deep, and what
//! is set aside. On small models, made here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{self, fails, json, osculate, succeeds};
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
    for more in [
        &["--threads", "1"][..],
        &["--threads", "3"],
        &["--method", "bvh"],
        &["--method", "spatial-hash"],
        &["--method", "bn-tree"],
        &["--method", "sphere-tree"],
    ] {
        assert_eq!(figure(more)["episodes"], expected["episodes"], "{more:?}");
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
    assert!(text.contains("set aside: 1 overlap that are") || text.contains("--all lists them"), "{text}");
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
    assert_eq!(n(&["--exclude-rings", "3"]), (1, 0));
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
        let files = ["--json", "r.json", "--csv", "r.csv", "--junit", "r.xml", "--sarif", "r.sarif"];
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
        assert_eq!(csv.lines().count(), 1 + report["episodes"].as_array().unwrap().len());
        return;
    }
    panic!("every run was done before it was interrupted");
}
