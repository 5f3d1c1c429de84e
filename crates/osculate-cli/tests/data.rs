//! Runs the built command on real files: the public CCD sample queries, characters, cloth and soft
//! bodies.
//!
//! The files are not part of the project. They are searched in `$OSCULATE_DATA`, by default beside
//! the workspace in `shared/data`; if they are missing, the trials are reported as ignored, not as
//! passed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use osculate_io::Surface;
use referee::Referee;

#[path = "data/referee.rs"]
mod referee;

/// The folders of the data set with the number of queries and of positives in each.
const SETS: [(&str, usize, usize); 5] = [
    ("erleben-cube-cliff-edges", 500, 60),
    ("erleben-spike-hole", 2455, 9),
    ("erleben-spikes", 500, 38),
    ("erleben-wedges", 500, 34),
    ("unit-tests", 324, 160),
];

fn main() -> ExitCode {
    let data = match std::env::var_os("OSCULATE_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let mut trials = animations(&data);
    let data = data.join("ccd-queries");
    let is_missing = !data.is_dir();
    for (set, queries, positives) in SETS {
        let folder = data.join(set);
        trials.push(
            Trial::test(format!("sample_queries::{set}"), move || check(&[folder], queries, positives))
                .with_ignored_flag(is_missing),
        );
    }
    trials.push(
        Trial::test("sample_queries::all", move || check(&SETS.map(|(set, ..)| data.join(set)), 4279, 301))
            .with_ignored_flag(is_missing),
    );
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Replays every file in `folders` in one run of the command and checks the sums and that no answer
/// is wrong.
fn check(folders: &[PathBuf], queries: usize, positives: usize) -> Result<(), Failed> {
    let mut files = Vec::new();
    for folder in folders {
        for kind in ["edge-edge", "vertex-face"] {
            for entry in std::fs::read_dir(folder.join(kind))? {
                files.push(entry?.path());
            }
        }
    }
    files.sort();
    let output = Command::new(env!("CARGO_BIN_EXE_osculate")).arg("queries").args(&files).output()?;
    let text = String::from_utf8(output.stdout)?;
    let printed = format!("{text}{}", String::from_utf8_lossy(&output.stderr));
    let total = text.lines().find(|line| line.contains("total:")).ok_or_else(|| printed.clone())?;
    let cells: Vec<&str> = total.split('|').map(str::trim).collect();
    // The line starts with a border: cells 3 to 7 are queries, positives, missed, invented and
    // rounded.
    let expected = [queries.to_string(), positives.to_string(), "0".into(), "0".into(), "0".into()];
    if cells.get(3..8) != Some(&expected.each_ref().map(String::as_str)[..]) || !output.status.success() {
        return Err(format!("expected {expected:?} and exit code 0, got {}\n{printed}", output.status).into());
    }
    Ok(())
}

/// Files and folders that `check` and `compare` read.
const ANIMATIONS: [&str; 22] = [
    "characters/CesiumMan.glb",
    "characters/Fox.glb",
    "characters/Horse.glb",
    "characters/MorphStressTest.glb",
    "characters/RiggedFigure.glb",
    "characters/Spider.glb",
    "characters/hand_left.glb",
    "skins/cesiumman_loop2_75k_clip0.npz",
    "skins/fox_1k_Run.npz",
    "skins/horse_2k_AnimalArmature_Eating.npz",
    "skins/horse_loop2_35k_AnimalArmature_Gallop_Jump.npz",
    "skins/mh_heavyfemale52_squatbend_107k.npz",
    "skins/mh_male52_dance_27k.npz",
    "skins/mh_pair52_salsa_53k.npz",
    "skins/knight_4k_2H_Melee_Attack_Spin.npz",
    "sequences/blender_clothball_67k_f16-63.npz",
    "sequences/newton_sheets_31k.npz",
    "sequences/newton_softpile_16k.npz",
    "sequences/tshirt_iter0.npz",
    "cloth-ball",
    "thick-cloth",
    "solids",
];

fn animations(data: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut add = |name: String, path: &Path, run: fn(&Path) -> Result<(), Failed>| {
        let (is_missing, path) = (!path.exists(), path.to_owned());
        trials.push(Trial::test(name, move || run(&path)).with_ignored_flag(is_missing));
    };
    for name in ANIMATIONS {
        let path = data.join(name);
        // Different meshes, not an animation: they are checked one by one.
        if path.is_dir() && name == "solids" {
            for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
                let file = entry.file_name().to_string_lossy().into_owned();
                if file.ends_with(".ply") || file.ends_with(".obj") {
                    add(format!("methods_agree::{name}/{file}"), &entry.path(), methods_agree);
                }
            }
        } else {
            add(format!("methods_agree::{name}"), &path, methods_agree);
        }
    }
    for name in SKINNED {
        add(format!("radial::{name}"), &data.join(name), radial_agrees);
    }
    add("crossings::tshirt".into(), &data.join("sequences/tshirt_iter0.npz"), |file| {
        n_crossings(file, &["--frames", "100..140"], 0)
    });
    add("crossings::cloth_ball".into(), &data.join("cloth-ball"), |folder| {
        // The number that MeshLib lists for the second frame.
        n_crossings(folder, &["--frames", "1..1"], 99_872)
    });
    let characters = data.join("characters");
    add("episodes::horse_fails_the_gate".into(), &characters.join("Horse.glb"), horse_fails_the_gate);
    add(
        "episodes::knight_sets_shields_aside".into(),
        &characters.join("Knight.glb"),
        knight_sets_shields_aside,
    );
    add("episodes::seams_are_set_aside".into(), &characters.join("MorphStressTest.glb"), seams_are_set_aside);
    add("episodes::cesium_man_is_ranked".into(), &characters.join("CesiumMan.glb"), cesium_man_is_ranked);
    add(
        "episodes::depths_rank_as_a_referee_says".into(),
        &characters.join("CesiumMan.glb"),
        depths_rank_as_a_referee_says,
    );
    trials
}

/// Runs `check`; returns its exit code and its report.
fn report_of(input: &Path, arguments: &[&str]) -> Result<(Option<i32>, serde_json::Value), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
    let output = command.arg("check").arg(input).args(arguments).args(["--json", "-"]).output()?;
    let report = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    Ok((output.status.code(), report))
}

/// The names of the parts of the pairs with a status, in order.
fn pairs_of(report: &serde_json::Value, are_new: bool) -> Vec<[String; 2]> {
    let pairs = report["pairs"].as_array().into_iter().flatten();
    let name = |pair: &serde_json::Value, k: usize| pair["parts"][k].as_str().unwrap_or_default().to_owned();
    pairs
        .filter(|pair| (pair["status"] == "new") == are_new)
        .map(|pair| [0, 1].map(|k| name(pair, k)))
        .collect()
}

/// Parts that are inside of each other, and stay there, touch nothing any more; they fail the gate.
fn horse_fails_the_gate(input: &Path) -> Result<(), Failed> {
    let death = ["--clip", "AnimalArmature|Death", "--frames", "26..30"];
    for gate in [&["--fail-on-contact"][..], &["--fail-on", "new"]] {
        let (code, report) = report_of(input, &[&death[..], gate].concat())?;
        let episodes = report["episodes"].as_array().ok_or("no episodes")?;
        let is_through = |e: &serde_json::Value| e["first_frame"] == 26 && e["last_frame"] == 30;
        if code != Some(1)
            || !episodes.iter().any(is_through)
            || report["clips"][0]["overlapping_frames"] != 5
        {
            return Err(format!("{code:?} {gate:?}: {}", report["clips"]).into());
        }
    }
    Ok(())
}

/// Four shields that are modeled in the same place are no problem; arms in the body are.
fn knight_sets_shields_aside(input: &Path) -> Result<(), Failed> {
    let (_, report) = report_of(input, &["--clip", "Idle"])?;
    let (new, known) = (pairs_of(&report, true), pairs_of(&report, false));
    let are_shields = |pair: &[String; 2]| pair.iter().all(|name| name.ends_with("_Shield"));
    let n_shields = known.iter().filter(|pair| are_shields(pair)).count();
    if new.first() != Some(&["spine".to_owned(), "lowerarm.r".to_owned()])
        || new.iter().any(are_shields)
        || n_shields < 6
    {
        return Err(format!("new {new:?}, known {known:?}").into());
    }
    // What is printed names no shield but in the one line about all that is set aside.
    let output = Command::new(env!("CARGO_BIN_EXE_osculate"))
        .arg("check")
        .arg(input)
        .args(["--clip", "Idle"])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let aside: Vec<&str> = text.lines().filter(|line| line.starts_with("set aside: ")).collect();
    let n_aside = format!("set aside: {} overlaps that are there in the baseline (rest)", known.len());
    let of_clip = format!("; {} overlaps set aside", known.len());
    let is_stray = |line: &str| line.contains("_Shield") && !line.starts_with("set aside: ");
    if aside.len() != 1
        || !aside[0].starts_with(&n_aside)
        || !text.contains(&of_clip)
        || !text.contains("| spine")
        || text.lines().any(is_stray)
    {
        return Err(text.into());
    }
    Ok(())
}

/// Seams that touch in the bind pose touch in every frame.
fn seams_are_set_aside(input: &Path) -> Result<(), Failed> {
    let (_, report) = report_of(input, &["--clip", "Individuals"])?;
    let (new, known) = (pairs_of(&report, true), pairs_of(&report, false));
    let first = &report["pairs"][0];
    if !new.is_empty() || known.len() != 1 || first["frames"] != serde_json::json!([[0, 281]]) {
        return Err(format!("new {new:?}, known {known:?}: {first}").into());
    }
    Ok(())
}

/// The right arm in the torso is the deepest.
fn cesium_man_is_ranked(input: &Path) -> Result<(), Failed> {
    let (_, report) = report_of(input, &["--baseline", "none"])?;
    let new = pairs_of(&report, true);
    let worst = new.first().ok_or("no problems")?;
    if worst[1] != "Skeleton_arm_joint_R" || !worst[0].contains("torso") {
        return Err(format!("{new:?}").into());
    }
    Ok(())
}

/// For each triangle, the bone with the largest total weight at its corners.
fn bones_of_triangles(surface: &Surface) -> Result<Vec<u32>, Failed> {
    let skin = surface.skin.as_ref().ok_or("no skin")?;
    let bone = |face: &[u32; 3]| {
        let mut weights = vec![0.0; skin.bones.len()];
        for influence in face.iter().flat_map(|&v| skin.influences(v as usize)) {
            weights[influence.bone as usize] += influence.weight;
        }
        let most = weights.iter().copied().fold(0.0, f64::max);
        weights.iter().position(|&weight| weight == most).unwrap_or(0) as u32
    };
    Ok(surface.faces.iter().map(bone).collect())
}

/// Dense samples of the worst frames give the same depths, and the same order of the pairs, except
/// for those that differ by no more than what may be between samples.
fn depths_rank_as_a_referee_says(input: &Path) -> Result<(), Failed> {
    let (_, report) = report_of(input, &["--baseline", "none"])?;
    let clip = osculate_io::open(&[input.to_owned()], &osculate_io::Options::default())?.remove(0);
    let parts = bones_of_triangles(&clip.surface)?;
    let bones = &clip.surface.skin.as_ref().ok_or("no skin")?.bones;
    let size = report["files"][0]["size"].as_f64().ok_or("no size")?;
    let number = |name: &serde_json::Value| bones.iter().position(|bone| bone.name == *name);
    let mut found: Vec<([u32; 2], usize, f64)> = Vec::new();
    for pair in report["pairs"].as_array().ok_or("no pairs")? {
        let [Some(a), Some(b)] = [0, 1].map(|k| number(&pair["parts"][k])) else {
            return Err(format!("no bones: {pair}").into());
        };
        if let (Some(depth), Some(frame)) = (pair["depth"].as_f64(), pair["worst_frame"].as_u64()) {
            found.push(([a.min(b) as u32, a.max(b) as u32], frame as usize, depth));
        }
    }
    let mut of_frames = BTreeMap::new();
    let spacing = 0.0005 * size;
    let error = spacing / 3f64.sqrt();
    for frame in found.iter().map(|(_, frame, _)| *frame).collect::<BTreeSet<_>>() {
        let mut pose = Vec::new();
        clip.pose(frame, &mut pose)?;
        let referee = Referee { faces: &clip.surface.faces, pose: &pose, parts: &parts, spacing };
        let wanted = found.iter().filter(|(_, of, _)| *of == frame).map(|(pair, ..)| *pair).collect();
        of_frames.insert(frame, referee.depths(&wanted));
    }
    let mut sampled = Vec::new();
    let mut faults = Vec::new();
    for &(pair, frame, depth) in &found {
        let [a, b] = pair.map(|bone| &bones[bone as usize].name);
        let of_referee = *of_frames[&frame].get(&pair).unwrap_or(&f64::NAN);
        let words = format!("{a} and {b}, frame {frame}: {depth}, samples {of_referee}");
        // Samples are at most `error` too shallow, the search at most a hundredth.
        let is_right = depth <= of_referee + error && of_referee <= 1.01 * depth + 1e-4 * size;
        if !is_right {
            faults.push(words);
        }
        sampled.push(of_referee);
    }
    // Pairs after a deeper one are not deeper, by more than what either side leaves open.
    for (i, two) in sampled.windows(2).enumerate() {
        if two[0] + error < 0.99 * two[1] {
            faults.push(format!("pair {} is deeper than the one before: {two:?}", i + 1));
        }
    }
    if found.len() < 5 || !faults.is_empty() {
        return Err(format!("{} pairs; {}", found.len(), faults.join("\n")).into());
    }
    Ok(())
}

/// All complete methods give the same answers: for crossings, and for contacts.
///
/// Star contours are for an instant, so they are only queried for crossings.
fn methods_agree(input: &Path) -> Result<(), Failed> {
    for (question, rival) in [(&["--discrete"][..], "sct"), (&[], "cbc")] {
        let methods = format!("bvh,bvh-16dop,spatial-hash,normal-cone,radial,{rival}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
        command.arg("compare").arg(input).args(question);
        command.args(["--repeat", "1", "--steps", "2", "--methods", &methods]);
        let output = command.output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
    }
    Ok(())
}

/// Closed surfaces with a skin.
const SKINNED: [&str; 12] = [
    "characters/CesiumMan.glb",
    "characters/Fox.glb",
    "characters/Horse.glb",
    "skins/cesiumman_5k_clip0.npz",
    "skins/cesiumman_loop2_75k_clip0.npz",
    "skins/fox_1k_Survey.npz",
    "skins/horse_2k_AnimalArmature_Attack_Kick.npz",
    "skins/horse_2k_AnimalArmature_Gallop_Jump.npz",
    "skins/horse_loop2_35k_AnimalArmature_Gallop_Jump.npz",
    "skins/mh_heavyfemale52_squatbend_107k.npz",
    "skins/mh_heavymale31_jumpingjacks_27k.npz",
    "skins/mh_male52_dance_27k.npz",
];

/// Radial view culling finds what bounding volumes find, step after step: its suspects at the start
/// of a step come from the previous one.
fn radial_agrees(input: &Path) -> Result<(), Failed> {
    for extra in [&[][..], &["--first-contact"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
        command
            .arg("check")
            .arg(input)
            .args(["--method", "radial", "--verify", "--frames", "3..11"])
            .args(extra);
        let output = command.output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
    }
    Ok(())
}

fn n_crossings(input: &Path, arguments: &[&str], expected: usize) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_osculate"));
    let output = command.arg("check").arg(input).arg("--discrete").args(arguments).output()?;
    let text = String::from_utf8(output.stdout)?;
    let said =
        text.lines().find(|line| line.starts_with("clip '")).unwrap_or_default().replace("frames,", "frame");
    if !said.replace("frame,", "frame").replace(',', "").contains(&format!("frame {expected} crossings")) {
        return Err(format!(
            "expected {expected} crossings: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    Ok(())
}
