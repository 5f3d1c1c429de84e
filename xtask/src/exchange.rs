//! Files that animators exchange: the poses of files that Blender writes are compared with its own
//! evaluation, and `check` must find the same episodes in all of them.

use std::process::Command;

use anyhow::Context as _;

use crate::blender;
use crate::shell::{self, cargo};

/// The files that are compared, by their extensions.
const EXTENSIONS: [&str; 6] = ["glb", "fbx", "abc", "usda", "usdc", "usdz"];

/// Builds the readers, and runs the comparison; ignored where there is no Blender.
pub(crate) fn run() -> anyhow::Result<()> {
    let Some(python) = blender::interpreter("files that Blender writes")? else { return Ok(()) };
    let all = ["--workspace", "--all-features", "--locked"];
    shell::run(cargo(&["build", "--bin", "osculate", "--example", "poses"]).args(all))?;
    let folder = shell::target_dir().join("exchange");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let built = shell::target_dir().join("debug");
    let mut compare = Command::new(python);
    compare.arg(shell::root().join("xtask/exchange/exchange.py"));
    compare.arg(built.join("examples/poses")).arg(built.join("osculate")).arg(&folder).args(EXTENSIONS);
    shell::run(&mut compare)
}

/// Measures a check in Blender, the command on the exported file, and Blender by itself.
pub(crate) fn speed() -> anyhow::Result<()> {
    let Some(python) = blender::interpreter("the time of a check in Blender")? else { return Ok(()) };
    let extension = blender::build()?;
    shell::run(&mut cargo(&["build", "--release", "--locked", "--bin", "osculate"]))?;
    let folder = shell::target_dir().join("exchange-speed");
    let resources = folder.join("resources");
    std::fs::create_dir_all(&resources).with_context(|| format!("cannot create {}", resources.display()))?;
    let mut measure = Command::new(python);
    measure.arg(shell::root().join("xtask/exchange/speed.py"));
    measure.arg(shell::target_dir().join("release/osculate")).arg(extension).arg(&folder);
    shell::run(measure.env("BLENDER_USER_RESOURCES", &resources).env("PYTHONDONTWRITEBYTECODE", "1"))
}
