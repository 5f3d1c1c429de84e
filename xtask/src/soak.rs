//! `cargo xtask soak`: the tests against the exact referees, with many more random queries; the
//! large scenes; the extension in other versions of Blender; and the fuzz targets of the file
//! readers.

use anyhow::Context as _;

use crate::blender;
use crate::shell::{self, cargo, has_cargo_command};

/// Default number of random queries of each main test.
pub(crate) const DEFAULT_QUERIES: u64 = 2_000_000;

/// The tests of the library that read the number of queries from the environment.
const WITH_QUERIES: [&str; 3] = ["narrow_vs_referee::", "exact_stage::", "triangle_triangle::"];

pub(crate) fn run(queries: u64) -> anyhow::Result<()> {
    let mut command = cargo(&["test", "--release", "--package", "osculate", "--test", "it", "--"]);
    command.args(WITH_QUERIES).arg("--nocapture");
    shell::run(command.env("OSCULATE_SOAK_QUERIES", queries.to_string()))?;
    scenes()?;
    blender::test_others()?;
    fuzz()
}

/// The example of bodies that rest, with all its steps; and the tests of large or simulated scenes:
/// their properties, and the round trip through files.
fn scenes() -> anyhow::Result<()> {
    shell::run(&mut cargo(&[
        "run",
        "--release",
        "--package",
        "osculate",
        "--example",
        "resting",
        "--",
        "500",
    ]))?;
    for (package, tests) in [("osculate-scenes", "cloth::"), ("osculate-cli", "scene::")] {
        let command = ["test", "--release", "--package", package, "--test", "it", tests, "--", "--ignored"];
        shell::run(&mut cargo(&command))?;
    }
    Ok(())
}

/// The fuzz targets, one for each file format.
const FUZZ_TARGETS: [&str; 12] =
    ["abc", "fbx", "glb", "gltf", "mdd", "npz", "obj", "pc2", "ply", "usda", "usdc", "usdz"];

/// Runs each fuzz target for a minute, from its seeds. A crash, a hang of five seconds, or a single
/// allocation of more than 66 MB fails, and leaves the file in `fuzz/artifacts`.
fn fuzz() -> anyhow::Result<()> {
    if !has_cargo_command("fuzz") {
        shell::run(&mut cargo(&["install", "cargo-fuzz", "--locked"]))?;
    }
    for target in FUZZ_TARGETS {
        let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
        std::fs::create_dir_all(&corpus).with_context(|| corpus.clone())?;
        // Without a sanitizer, which would need a nightly compiler.
        let mut command = cargo(&["fuzz", "run", "--sanitizer", "none", target, &corpus, &seeds, "--"]);
        command.args(["-max_total_time=60", "-max_len=65536", "-timeout=5", "-malloc_limit_mb=66"]);
        shell::run(command.arg("-rss_limit_mb=400"))?;
    }
    Ok(())
}

pub(crate) fn parse_queries(text: &str) -> anyhow::Result<u64> {
    text.parse().with_context(|| format!("the number of queries is `{text}`"))
}
