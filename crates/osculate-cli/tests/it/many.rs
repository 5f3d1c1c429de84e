//! `osculate check --many`: a data set that is complete, has no row twice and no half file, however
//! often the command is run, killed or divided. On small files, made here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use crate::common::{self, fails, osculate, succeeds};
use crate::gltf::gltf;
use osculate_io::write::{Animation, ClipRow, Motion, save};

fn folder(test: &str) -> PathBuf {
    common::folder("many", test)
}

/// Writes two boxes as NPZ: a lower one of half size 1 that rests, and an upper one of half size
/// 0.5 at the given heights, where below 1.5 it overlaps.
fn boxes(path: &Path, heights: &[f64]) {
    let corners = |half: f64, [x, y, z]: [f64; 3]| {
        (0..8).map(move |k| {
            let side = |bit: i32| if k >> bit & 1 == 1 { half } else { -half };
            [x + side(0), y + side(1), z + side(2)]
        })
    };
    let pose = |&z: &f64| corners(1.0, [0.0; 3]).chain(corners(0.5, [0.2, 0.1, z])).collect();
    let mut faces = Vec::new();
    for first in [0, 8] {
        for [a, b, c, d] in
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
        {
            faces.extend([[a, b, c], [a, c, d]].map(|face| face.map(|v: u32| v + first)));
        }
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let poses: Vec<Vec<[f64; 3]>> = heights.iter().map(pose).collect();
    write_npz(path, &faces, &poses);
}

/// Writes frames of a surface.
fn write_npz(path: &Path, faces: &[[u32; 3]], poses: &[Vec<[f64; 3]>]) {
    let animation = Animation {
        name: "boxes",
        fps: 30.0,
        faces,
        objects: &["boxes".to_owned()],
        vertex_object: &vec![0; poses[0].len()],
        motion: Motion::Frames(poses.into()),
    };
    save(&animation, path).unwrap();
}

/// A library of `n` files in folders, in which every second one has a problem.
fn library(folder: &Path, n: usize) {
    for i in 0..n {
        let low = if i % 2 == 0 { 1.4 - 0.01 * i as f64 } else { 1.75 };
        boxes(&folder.join(format!("clips/{}/c{i:03}.npz", i % 3)), &[2.0, low, 2.0]);
    }
}

/// All files of a data set that a reader takes for tables, with their bytes.
fn tables(out: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(folder: &Path, root: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, all);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                assert!(name.ends_with(".parquet"), "{name}");
                all.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut all = BTreeMap::new();
    for table in ["clips", "episodes", "contacts"] {
        if out.join(table).is_dir() {
            walk(&out.join(table), out, &mut all);
        }
    }
    all
}

/// The rows of the clips, by file and clip, which occur once. Clips with episodes have their file.
fn rows(out: &Path) -> BTreeMap<(String, Option<String>), ClipRow> {
    let mut all = BTreeMap::new();
    let files = tables(out);
    for name in files.keys().filter(|name| name.starts_with("clips/") && !name.contains("schema")) {
        let row = ClipRow::read(&out.join(name)).unwrap_or_else(|| panic!("{name} cannot be read"));
        let has_episodes = files.contains_key(&name.replacen("clips", "episodes", 1));
        assert_eq!(has_episodes, row.episodes.is_some_and(|n| 0 < n), "{row:?}");
        let before = all.insert((row.file.clone(), row.clip.clone()), row);
        assert_eq!(before, None, "a row is there twice");
    }
    all
}

const MANY: [&str; 5] = ["check", "--many", "clips/**/*.npz", "--out", "set"];

/// When each file of the clips was written.
fn times(out: &Path) -> BTreeMap<String, SystemTime> {
    let names = tables(out).into_keys().filter(|name| name.starts_with("clips"));
    names.map(|name| (name.clone(), fs::metadata(out.join(name)).unwrap().modified().unwrap())).collect()
}

/// Starts the command.
fn start(folder: &Path, more: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
    command.current_dir(folder).args(MANY).args(more).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// The counts in the summary: checked, there already, failed.
fn counts(text: &str) -> [usize; 3] {
    let line = text.lines().find(|line| line.contains("there already")).unwrap();
    let (_, words) = line.split_once(": ").unwrap();
    let number = |part: &str| part.split_whitespace().next().unwrap().parse().unwrap();
    words.split(", ").map(number).collect::<Vec<_>>().try_into().unwrap()
}

#[test]
fn clips_are_checked_once_and_rows_are_those_of_a_single_check() {
    let folder = folder("once");
    library(&folder, 6);
    let text = succeeds(&folder, &MANY);
    assert_eq!(counts(&text), [6, 0, 0], "{text}");
    assert!(text.contains("3 clips with problems, worst first:") && text.contains("the data set is in set"));
    let first = tables(&folder.join("set"));
    let rows = rows(&folder.join("set"));
    assert_eq!(rows.len(), 6);
    for row in rows.values() {
        succeeds(&folder, &["check", &row.file, "--csv", "r.csv"]);
        let table = fs::read_to_string(folder.join("r.csv")).unwrap();
        let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let depth = lines.next().unwrap().iter().position(|name| *name == "depth").unwrap();
        // One pair of parts, and one episode.
        let found: Vec<f64> = lines.map(|line| line[depth].parse().unwrap()).collect();
        assert_eq!(found.len(), row.episodes.unwrap() as usize);
        assert_eq!(found.first().copied(), row.depth);
        assert_eq!(row.problems, row.episodes);
        assert_eq!(row.file_hash.as_ref().map(String::len), Some(64));
    }
    // Again, in any spelling of the paths: nothing is done, and nothing changes.
    let shell: Vec<String> = rows.keys().map(|(file, _)| format!("./{file}")).collect();
    let expanded: Vec<&str> = shell.iter().map(String::as_str).collect();
    for inputs in [vec!["clips/**/*.npz"], vec!["clips/**"], expanded] {
        let text = succeeds(&folder, &[&["check", "--out", "set", "--many"], &inputs[..]].concat());
        assert_eq!(counts(&text), [0, 6, 0], "{text}");
        assert!(text.contains("3 clips with problems"), "{text}");
        assert!(tables(&folder.join("set")) == first);
    }
    // The number of clips beside each other, threads and methods of reporting change nothing.
    succeeds(&folder, &[&MANY[..4], &["other", "--jobs", "3", "--threads", "1", "--top", "1"]].concat());
    assert!(tables(&folder.join("other")) == first);
}

#[test]
fn shards_are_disjoint_and_complete() {
    let folder = folder("shards");
    library(&folder, 12);
    succeeds(&folder, &[&MANY[..4], &["whole"]].concat());
    let mut total = 0;
    for shard in ["1/3", "2/3", "3/3"] {
        let [checked, there, _] = counts(&succeeds(&folder, &[&MANY[..], &["--shard", shard]].concat()));
        assert_eq!(there, 0, "a file of another part");
        total += checked;
        assert_eq!(rows(&folder.join("set")).len(), total);
    }
    assert_eq!(total, 12);
    assert!(tables(&folder.join("set")) == tables(&folder.join("whole")));
    let sentence = fails(&folder, &[&MANY[..], &["--shard", "0/3"]].concat());
    assert!(sentence.contains("with I from 1 to N"), "{sentence}");
}

#[test]
fn what_cannot_be_checked_is_a_row_with_its_error() {
    let folder = folder("damaged");
    library(&folder, 4);
    let bytes = fs::read(folder.join("clips/0/c000.npz")).unwrap();
    fs::write(folder.join("clips/0/c000.npz"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(folder.join("clips/bad.glb"), "not a model").unwrap();
    // Frames in a folder; the second one has a triangle less.
    let triangles = |n: usize| "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned() + &"f 1 2 3\n".repeat(n);
    fs::create_dir_all(folder.join("takes/a")).unwrap();
    fs::write(folder.join("takes/a/f0.obj"), triangles(2)).unwrap();
    fs::write(folder.join("takes/a/f1.obj"), triangles(1)).unwrap();
    let all = ["check", "--many", "clips/**", "takes/*/", "clips/gone.glb", "--out", "set"];
    for _ in 0..2 {
        let ran = osculate(&folder, &all);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert_eq!(counts(&ran.stdout)[2], 4, "{}", ran.stdout);
        assert!(ran.stderr.contains("error: 4 of 7 clips could not be checked"), "{}", ran.stderr);
        let rows = rows(&folder.join("set"));
        assert_eq!(rows.len(), 7);
        let failed: Vec<&ClipRow> = rows.values().filter(|row| row.error.is_some()).collect();
        let files: Vec<&str> = failed.iter().map(|row| row.file.as_str()).collect();
        assert_eq!(files, ["clips/0/c000.npz", "clips/bad.glb", "clips/gone.glb", "takes/a"]);
        for row in &failed {
            assert!(row.error.as_ref().unwrap().contains(&row.file), "{row:?}");
            assert_eq!((row.episodes, row.clip.is_some()), (None, row.file == "takes/a"));
        }
        assert_eq!(failed[1].error_place.as_deref(), Some("JSON"));
    }
    // An error that is there already is not written again.
    let before = times(&folder.join("set"));
    assert_eq!(osculate(&folder, &all).code, Some(2));
    assert_eq!(times(&folder.join("set")), before);
    // Repaired: the error goes, and the others are still there.
    boxes(&folder.join("clips/0/c000.npz"), &[2.0, 1.25, 2.0]);
    fs::write(folder.join("takes/a/f1.obj"), triangles(2)).unwrap();
    fs::remove_file(folder.join("clips/bad.glb")).unwrap();
    boxes(&folder.join("clips/bad.glb.npz"), &[2.0, 1.75]);
    let ran = osculate(&folder, &["check", "--many", "clips/**", "takes/*/", "--out", "set"]);
    assert_eq!((ran.code, counts(&ran.stdout)), (Some(0), [3, 3, 0]), "{}", ran.stderr);
    let rows = rows(&folder.join("set"));
    let failed: Vec<&str> =
        rows.values().filter(|row| row.error.is_some()).map(|row| row.file.as_str()).collect();
    // Files that are not given any more keep their rows.
    assert_eq!(failed, ["clips/bad.glb", "clips/gone.glb"]);
    // Damaged after it was checked: only the error is left.
    fs::write(folder.join("clips/0/c000.npz"), &bytes[..bytes.len() / 2]).unwrap();
    let ran = osculate(&folder, &["check", "--many", "clips/0/*.npz", "--out", "set"]);
    assert_eq!((ran.code, counts(&ran.stdout)), (Some(2), [0, 1, 1]), "{}", ran.stderr);
    let of_file = |(file, _): &&(String, Option<String>)| file == "clips/0/c000.npz";
    let all = self::rows(&folder.join("set"));
    assert_eq!(all.keys().filter(of_file).map(|(_, clip)| clip.clone()).collect::<Vec<_>>(), [None]);
}

#[test]
fn clips_of_the_same_name_have_a_row_each() {
    let folder = folder("namesakes");
    gltf(&folder, "a", ["sheet", "body"], &[("Fall", 0.1), ("Fall", 0.2), ("Other", 0.1)]);
    let all = ["check", "--many", "a.gltf", "--out", "set"];
    for expected in [[3, 0, 0], [0, 3, 0]] {
        assert_eq!(counts(&succeeds(&folder, &all)), expected);
        let set = folder.join("set");
        let names = tables(&set).into_keys().filter(|name| name.starts_with("clips/part=p"));
        let rows: Vec<ClipRow> = names.map(|name| ClipRow::read(&set.join(name)).unwrap()).collect();
        let mut ends: Vec<_> = rows.iter().map(|row| (row.clip.clone().unwrap(), row.last_frame)).collect();
        ends.sort();
        let end = |clip: &str, frame: u32| (clip.to_owned(), Some(frame));
        assert_eq!(ends, [end("Fall", 3), end("Fall", 6), end("Other", 3)]);
    }
}

#[test]
fn frames_in_a_folder_are_checked_again_when_one_has_changed() {
    let folder = folder("frames");
    fs::create_dir_all(folder.join("take")).unwrap();
    let triangles = |z: f64| {
        format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 {z}\nv 0.3 0.2 {z}\nv 0.2 0.3 2\nf 1 2 3\nf 4 5 6\n")
    };
    for (frame, z) in [1.0, 0.5].into_iter().enumerate() {
        fs::write(folder.join(format!("take/f{frame}.obj")), triangles(z)).unwrap();
    }
    let all = ["check", "--many", "take", "--out", "set"];
    assert_eq!(counts(&succeeds(&folder, &all)), [1, 0, 0]);
    assert_eq!(counts(&succeeds(&folder, &all)), [0, 1, 0]);
    fs::write(folder.join("take/f1.obj"), triangles(-0.5)).unwrap();
    assert_eq!(counts(&succeeds(&folder, &all)), [1, 0, 0]);
    assert_eq!(rows(&folder.join("set")).values().map(|row| row.problems).collect::<Vec<_>>(), [Some(1)]);
}

#[test]
fn remains_of_killed_processes_are_removed_a_day_later() {
    let folder = folder("remains");
    library(&folder, 1);
    let unfinished = folder.join("set/.unfinished");
    fs::create_dir_all(&unfinished).unwrap();
    for (name, hours) in [("old", 25), ("new", 23)] {
        let file = fs::File::create(unfinished.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(hours * 60 * 60)).unwrap();
    }
    succeeds(&folder, &MANY);
    let names = fs::read_dir(&unfinished).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["new"]);
}

/// Two contents of a file; the second one takes the place of the first while that is checked.
#[test]
fn a_file_that_changes_while_it_is_checked_is_read_again() {
    for round in 0..10 {
        let folder = folder(&format!("changing-{round}"));
        let input = folder.join("clips/c.npz");
        // Long enough to be changed meanwhile.
        let heights = |low: f64| [vec![2.0; 4000], vec![low]].concat();
        boxes(&input, &heights(1.75));
        boxes(&folder.join("next.npz"), &heights(1.25));
        let set = folder.join("set");
        let mut child = start(&folder, &["--contacts", "--threads", "1"]);
        // The table of contacts of the clip, which is begun once the file has been read.
        let is_begun = || {
            let all = fs::read_dir(set.join(".unfinished")).into_iter().flatten().flatten();
            all.map(|entry| entry.file_name()).any(|name| !name.to_string_lossy().contains("schema"))
        };
        let n_rows = || if set.join("clips").is_dir() { rows_while_writing(&set) } else { 0 };
        while !is_begun() && n_rows() < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        fs::rename(folder.join("next.npz"), &input).unwrap();
        let is_late = 1 < n_rows();
        assert_eq!(child.wait().unwrap().code(), Some(0));
        if is_late {
            continue;
        }
        let found = rows(&set);
        assert_eq!(found.values().map(|row| row.problems).collect::<Vec<_>>(), [Some(1)]);
        assert_eq!(counts(&succeeds(&folder, &[&MANY[..], &["--contacts"]].concat())), [0, 1, 0]);
        return;
    }
    panic!("the file was always changed too late");
}

#[test]
fn answers_for_old_bytes_and_other_options_are_replaced() {
    let folder = folder("changed");
    library(&folder, 3);
    succeeds(&folder, &MANY);
    let before = rows(&folder.join("set"));
    // One becomes clean, another one gets a problem.
    boxes(&folder.join("clips/0/c000.npz"), &[2.0, 1.75, 2.0]);
    boxes(&folder.join("clips/1/c001.npz"), &[2.0, 1.25, 2.0, 1.2, 2.0]);
    assert_eq!(counts(&succeeds(&folder, &MANY)), [2, 1, 0]);
    let after = rows(&folder.join("set"));
    let episodes: Vec<u32> = after.values().map(|row| row.episodes.unwrap()).collect();
    assert_eq!(episodes, [0, 2, 1]);
    for (clip, row) in &after {
        assert_eq!(row.key == before[clip].key, row.file == "clips/2/c002.npz");
    }
    // The data set is the one that a first run makes.
    succeeds(&folder, &[&MANY[..4], &["fresh"]].concat());
    assert!(tables(&folder.join("set")) == tables(&folder.join("fresh")));
    // Options that the answer depends on, also those in files.
    assert_eq!(counts(&succeeds(&folder, &[&MANY[..], &["--min-depth", "0.26"]].concat())), [3, 0, 0]);
    fs::write(folder.join("osculate.toml"), "min-depth = 0.26\n").unwrap();
    assert_eq!(counts(&succeeds(&folder, &MANY)), [0, 3, 0]);
    fs::write(folder.join("osculate.toml"), "min-depth = 0.2\n").unwrap();
    assert_eq!(counts(&succeeds(&folder, &MANY)), [3, 0, 0]);
    fs::remove_file(folder.join("osculate.toml")).unwrap();
    let pair =
        |depth: &str| format!("[[pair]]\nparts = [\"component 0\", \"component 1\"]\ndepth = {depth}\n");
    let with_file = [&MANY[..], &["--baseline", "b.toml", "--fail-on", "new"]].concat();
    for (depth, code) in [("0.5", 0), ("0.01", 1), ("0.01", 1)] {
        fs::write(folder.join("b.toml"), pair(depth)).unwrap();
        let ran = osculate(&folder, &with_file);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    }
    // With contacts there is a third table, and without them there is none for the clip.
    succeeds(&folder, &[&MANY[..], &["--contacts"]].concat());
    let n = |table: &str| tables(&folder.join("set")).keys().filter(|name| name.starts_with(table)).count();
    assert_eq!([n("clips"), n("contacts")], [4, 4]);
    succeeds(&folder, &MANY);
    assert_eq!([n("clips"), n("contacts")], [4, 1]);
}

/// A setting of a file counts as the option does.
#[test]
fn rings_of_a_settings_file_are_left_out() {
    let folder = folder("rings");
    fs::create_dir(folder.join("clips")).unwrap();
    let (faces, vertices) = common::strip(&common::FOLDED[..7]);
    write_npz(&folder.join("clips/a.npz"), &faces, &[vertices.clone(), vertices]);
    let problems = |more: &[&str]| {
        succeeds(&folder, &[&MANY[..], &["--baseline", "none"], more].concat());
        rows(&folder.join("set")).into_values().map(|row| row.problems.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!([problems(&[]), problems(&["--exclude-rings", "3"])], [[1], [0]]);
    for (rings, n) in [(1, 1), (3, 0)] {
        fs::write(folder.join("osculate.toml"), format!("exclude-rings = {rings}\n")).unwrap();
        assert_eq!(problems(&[]), [n], "{rings} rings");
    }
}

#[test]
fn clips_that_a_file_has_no_more_leave() {
    let folder = folder("renamed");
    let clips = folder.join("clips");
    fs::create_dir_all(&clips).unwrap();
    succeeds(&folder, &["scene", "urchin", "-o", "clips/a.glb"]);
    let all = ["check", "--many", "clips/*.glb", "--out", "set", "--frames", "0..1"];
    succeeds(&folder, &all);
    let before = rows(&folder.join("set"));
    // The same animation under another name of the same length.
    let bytes = fs::read(clips.join("a.glb")).unwrap();
    let name = before.keys().next().unwrap().1.clone().unwrap();
    let new: String = name.chars().rev().collect();
    let text = String::from_utf8_lossy(&bytes).matches(&format!("\"name\":\"{name}\"")).count();
    assert_ne!((text, &new), (0, &name));
    let mut changed = bytes.clone();
    let (old, new_bytes) = (format!("\"name\":\"{name}\""), format!("\"name\":\"{new}\""));
    for i in 0..changed.len() - old.len() {
        if &changed[i..i + old.len()] == old.as_bytes() {
            changed[i..i + old.len()].copy_from_slice(new_bytes.as_bytes());
        }
    }
    fs::write(clips.join("a.glb"), changed).unwrap();
    succeeds(&folder, &all);
    let after = rows(&folder.join("set"));
    assert_eq!(after.keys().map(|(_, clip)| clip.clone()).collect::<Vec<_>>(), [Some(new.clone())]);
    // A run for one clip says nothing about others.
    fs::write(clips.join("a.glb"), bytes).unwrap();
    succeeds(&folder, &[&all[..], &["--clip", &name]].concat());
    assert_eq!(rows(&folder.join("set")).len(), 2);
    succeeds(&folder, &all);
    assert_eq!(rows(&folder.join("set")), before);
}

/// Waits until some clips are in a data set; returns their number.
fn wait_for_rows(out: &Path, n: usize) -> usize {
    loop {
        let found = if out.join("clips").is_dir() { rows_while_writing(out) } else { 0 };
        if n <= found {
            return found;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The number of clips, while another process may write.
fn rows_while_writing(out: &Path) -> usize {
    let mut n = 0;
    for part in fs::read_dir(out.join("clips")).unwrap().flatten() {
        n += fs::read_dir(part.path()).map_or(0, |files| files.flatten().count());
    }
    n
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_whole_files_and_another_one_completes_it() {
    let folder = folder("killed");
    library(&folder, 60);
    succeeds(&folder, &[&MANY[..4], &["whole"]].concat());
    let out = folder.join("set");
    let mut n_partial = 0;
    for round in 0..6 {
        let mut child = start(&folder, &["--jobs", "2", "--contacts"]);
        wait_for_rows(&out, 5 + 8 * round);
        child.kill().unwrap();
        child.wait().unwrap();
        // What is there can be read, and belongs together.
        let n = rows(&out).len();
        n_partial += usize::from(n < 60);
        for row in rows(&out).values() {
            assert!(row.error.is_none());
        }
    }
    assert_ne!(n_partial, 0);
    succeeds(&folder, &[&MANY[..], &["--contacts"]].concat());
    succeeds(&folder, &[&MANY[..4], &["whole-contacts", "--contacts"]].concat());
    assert!(tables(&out) == tables(&folder.join("whole-contacts")));
    // Killed while it replaces answers.
    let mut child = start(&folder, &[]);
    std::thread::sleep(Duration::from_millis(100));
    child.kill().unwrap();
    child.wait().unwrap();
    let left = rows(&out);
    for (name, row) in &left {
        assert_eq!((row.error.as_ref(), row.episodes.is_some()), (None, true), "{name:?}");
    }
    succeeds(&folder, &MANY);
    let (set, mut whole) = (tables(&out), tables(&folder.join("whole")));
    whole.extend(set.get_key_value("contacts/part=none/schema.parquet").map(|(k, v)| (k.clone(), v.clone())));
    assert!(set == whole);
}

#[test]
fn two_processes_may_do_the_same_at_the_same_time() {
    let folder = folder("two");
    library(&folder, 24);
    succeeds(&folder, &[&MANY[..4], &["whole"]].concat());
    for _ in 0..3 {
        let _ = fs::remove_dir_all(folder.join("set"));
        let mut both = [start(&folder, &["--jobs", "1"]), start(&folder, &["--jobs", "2"])];
        for child in &mut both {
            assert_eq!(child.wait().unwrap().code(), Some(0));
        }
        assert!(tables(&folder.join("set")) == tables(&folder.join("whole")));
        assert_eq!(fs::read_dir(folder.join("set/.unfinished")).unwrap().count(), 0);
    }
}

/// An answer is replaced, and a table cannot be: then the clip has no row, neither old nor new.
#[test]
fn a_row_is_not_there_while_its_tables_are_replaced() {
    let folder = folder("replaced");
    library(&folder, 1);
    succeeds(&folder, &MANY);
    let set = folder.join("set");
    let name = tables(&set).into_keys().find(|name| name.starts_with("clips/part=p")).unwrap();
    assert!(set.join(&name).is_file());
    // A folder in the place of the table of contacts.
    fs::create_dir_all(set.join(name.replace("clips", "contacts"))).unwrap();
    boxes(&folder.join("clips/0/c000.npz"), &[2.0, 1.3, 2.0]);
    assert_eq!(osculate(&folder, &MANY).code, Some(2));
    assert!(!set.join(&name).exists());
    fs::remove_dir(set.join(name.replace("clips", "contacts"))).unwrap();
    assert_eq!(counts(&succeeds(&folder, &MANY)), [1, 0, 0]);
    assert!(set.join(&name).is_file());
}

#[test]
fn a_clip_whose_check_was_interrupted_has_no_row() {
    let folder = folder("ended");
    library(&folder, 1);
    let (input, set) = (folder.join("clips/0/c000.npz"), folder.join("set"));
    let words = ["osculate", "check", "--many", "--out"].map(Into::into);
    let words = words.into_iter().chain([set.clone().into_os_string(), input.clone().into_os_string()]);
    let many = osculate_cli::many(words).unwrap();
    assert_eq!(many.check(&input, &AtomicBool::new(true)).unwrap(), []);
    assert_eq!(rows(&set).len(), 0);
    assert_eq!(many.check(&input, &AtomicBool::new(false)).unwrap().len(), 1);
    assert_eq!(rows(&set).len(), 1);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_is_finished() {
    let folder = folder("interrupted");
    library(&folder, 120);
    let mut child = start(&folder, &["--jobs", "1", "--threads", "1"]);
    wait_for_rows(&folder.join("set"), 5);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let code = child.wait().unwrap().code();
    let n = rows(&folder.join("set")).len();
    if code == Some(0) {
        // It was done before the signal came.
        assert_eq!(n, 120);
        return;
    }
    assert_eq!(code, Some(130));
    assert!((4..120).contains(&n), "{n}");
    assert_eq!(counts(&succeeds(&folder, &MANY)), [120 - n, n, 0]);
}

#[test]
fn conditions_of_the_exit_code_hold_for_clips_that_are_there_already() {
    let folder = folder("conditions");
    library(&folder, 3);
    for _ in 0..2 {
        for (condition, code) in [("new", 1), ("any", 1), ("depth=0.11", 1), ("depth=0.13", 0)] {
            let ran = osculate(&folder, &[&MANY[..], &["--fail-on", condition]].concat());
            assert_eq!(ran.code, Some(code), "{condition}: {}", ran.stderr);
        }
    }
    for (arguments, words) in [
        (&["check", "--many", "x/*.npz", "--out", "set"][..], "no file that can be read that matches"),
        (&["check", "--many", "--out", "set"], "--many needs files or patterns"),
        (&["check", "--many", "clips"], "--out"),
        (&["check", "clips", "--out", "set"], "--many"),
        (&["check", "--many", "clips/**", "--out", "set", "--json", "r.json"], "--json cannot be used with"),
        (&["check", "--many", "clips/**", "--out", "set", "--jobs", "0"], "--jobs is 0"),
        (&["check", "--many", "clips/**", "--out", "clips/0/c000.npz"], "c000.npz"),
        (&["check", "--many", "clips/**", "--out", "set", "--baseline", "x.toml"], "x.toml"),
    ] {
        let sentence = fails(&folder, arguments);
        assert!(sentence.contains(words), "{sentence}");
    }
}
