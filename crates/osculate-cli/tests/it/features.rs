//! What the command says about parts that are left out of a build, and that it does without them
//! where it can. `cargo xtask test` runs this with all parts and with none.

use crate::common::{fails, folder, osculate};

/// The sentence that says how to build what is missing.
fn left_out(what: &str, feature: &str, arguments: &str) -> String {
    format!(
        "error: {what} is left out of this build, which is quicker that way; \
         `cargo run --release --features {feature} -- {arguments} …` has it\n"
    )
}

#[test]
fn parquet_is_written_or_said_to_be_left_out() {
    let folder = folder("features", "parquet");
    let ran = osculate(&folder, &["check", "--frames", "0..2", "--parquet", "r.parquet", "--json", "r.json"]);
    let is_there = cfg!(feature = "parquet");
    assert_eq!(ran.code, Some(if is_there { 0 } else { 2 }), "{}", ran.stderr);
    assert_eq!([folder.join("r.parquet").exists(), folder.join("r.json").exists()], [is_there; 2]);
    if !is_there {
        assert_eq!(ran.stderr, left_out("--parquet", "parquet", "check --parquet FILE"));
    }
}

#[test]
fn clusters_come_from_the_skeleton_or_it_is_said_that_they_do_not() {
    let folder = folder("features", "rig");
    let from_skeleton = cfg!(feature = "rig");
    let note = "note: clusters are grown along the surface, as this build makes none from skeletons; \
                `cargo run --release --features rig -- …` does\n";
    let check = ["check", "--frames", "40..43", "--method", "radial", "--verify"];
    let compare = ["compare", "--frames", "40..43", "--methods", "bvh,radial,radial-first", "--repeat", "1"];
    for (arguments, is_check) in [(&check[..], true), (&compare[..], false)] {
        let ran = osculate(&folder, arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stderr.matches(note).count(), usize::from(!from_skeleton), "{}", ran.stderr);
        let is_said = ran.stdout.contains("clusters, grown along the surface; every answer agrees");
        assert_eq!(is_said, is_check && !from_skeleton, "{}", ran.stdout);
    }
    let paper = ["bench", "--paper", "000", "--scene", "urchin", "--steps", "1", "--repeat", "1"];
    let ran = osculate(&folder, &paper);
    assert_eq!(ran.code, Some(if from_skeleton { 0 } else { 2 }), "{}", ran.stderr);
    if !from_skeleton {
        let what = "the subject of --paper 000, clusters from skeletons,";
        assert_eq!(ran.stderr, left_out(what, "rig", "bench --paper 000"));
    }
}

#[test]
fn sets_are_compared_on_a_gpu_or_a_line_says_that_they_are_not() {
    let folder = folder("features", "gpu");
    let has_gpu = cfg!(feature = "gpu");
    let method = ["--methods", "bvh,chromatic:sets,chromatic:sets+clusters-2"];
    let check = ["check", "--frames", "40..42", "--verify", "--method", "chromatic:sets"];
    let compare = [&["compare", "--frames", "40..42", "--repeat", "2"][..], &method].concat();
    // No adapter has this name, so that the answer is the same on any machine.
    let notes: &[&str] =
        &["note: there is no GPU with a driver; ", "note: no GPU has \"no such name\" in its name; "];
    for (arguments, sentence) in [
        (&check[..], left_out("--gpu", "gpu", "check --gpu --method chromatic")),
        (&compare[..], left_out("--gpu", "gpu", "compare --gpu")),
    ] {
        let ran = osculate(&folder, &[arguments, &["--gpu=no such name"]].concat());
        assert_eq!(ran.code, Some(if has_gpu { 0 } else { 2 }), "{}", ran.stderr);
        if has_gpu {
            let said = |line: &&str| notes.iter().any(|note| line.starts_with(note));
            assert_eq!(ran.stderr.lines().filter(said).count(), 1, "{}", ran.stderr);
            assert_eq!(ran.stderr.matches("compared by the processor instead").count(), 1, "{}", ran.stderr);
        } else {
            assert_eq!(ran.stderr, sentence);
        }
    }
    // On any GPU, if there is one.
    if has_gpu {
        let ran = osculate(&folder, &[&check[..], &["--gpu"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("every answer agrees"), "{}", ran.stdout);
    }
}

#[test]
fn a_gpu_is_for_one_method() {
    let folder = folder("features", "gpu_method");
    let sentence = fails(&folder, &["check", "--gpu", "--method", "bvh"]);
    assert_eq!(sentence, "error: --gpu is for the method chromatic, not for bvh");
    let sentence = fails(&folder, &["compare", "--gpu", "--methods", "bvh,radial"]);
    assert_eq!(sentence, "error: --gpu is for the method chromatic, which is not among the methods");
}
