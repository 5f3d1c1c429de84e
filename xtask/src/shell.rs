//! Runs other programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::Value;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// Cargo's build folder.
pub(crate) fn target_dir() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// A call of the Cargo that runs this program, in the root of the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// The folder of data that is not part of the project.
pub(crate) fn data_dir() -> PathBuf {
    match std::env::var_os("OSCULATE_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/data"),
    }
}

/// Whether Cargo has the subcommand `name` on this machine.
pub(crate) fn has_cargo_command(name: &str) -> bool {
    let probe = cargo(&[name, "--version"]).stdin(Stdio::null()).output();
    probe.is_ok_and(|output| output.status.success())
}

/// Prints the command, runs it, and prints how long it took; fails if it does.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let line = describe(command);
    println!("$ {line}");
    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    ensure!(status.success(), "`{line}` failed ({status})");
    println!("  done in {:.1} s\n", start.elapsed().as_secs_f64());
    Ok(())
}

/// Builds a bench of a package and returns its path.
pub(crate) fn build_bench(package: &str, name: &str) -> anyhow::Result<PathBuf> {
    build(cargo(&["bench", "--package", package, "--bench", name, "--no-run"]), name)
}

/// Builds a program of a package outside the workspace, in its own folder, and returns its path.
pub(crate) fn build_apart(manifest: &Path, name: &str, target_dir: &Path) -> anyhow::Result<PathBuf> {
    let mut command = cargo(&["build", "--release", "--locked", "--bin", name, "--manifest-path"]);
    command.arg(manifest).arg("--target-dir").arg(target_dir);
    build(command, name)
}

/// Runs a Cargo command that builds the target `name`, and returns its path.
fn build(mut command: Command, name: &str) -> anyhow::Result<PathBuf> {
    command.args(["--message-format", "json-render-diagnostics"]);
    println!("$ {}", describe(&command));
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "{name} does not build");
    let messages = String::from_utf8(output.stdout).context("cargo printed no text")?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .with_context(|| format!("cargo did not say where {name} is"))
}

/// The command as typed in a shell, with its environment variables.
pub(crate) fn describe(command: &Command) -> String {
    let mut words = Vec::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            words.push(format!("{}={}", name.to_string_lossy(), quote(&value.to_string_lossy())));
        }
    }
    let program = PathBuf::from(command.get_program());
    words.push(program.file_stem().unwrap_or_default().to_string_lossy().into_owned());
    words.extend(command.get_args().map(|argument| quote(&argument.to_string_lossy())));
    words.join(" ")
}

fn quote(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_owned() }
}
