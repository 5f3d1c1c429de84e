//! `cargo xtask peers`: benchmarks against other tools, on the same data, in one run.
//!
//! [`narrow`] compares the narrow phase on given queries, [`engine`] whole queries on meshes,
//! [`crowd`] queries about many skinned bodies, [`closeness`] thick queries and proximities,
//! [`python`] steps as users of Python packages write them. All sides are processes that load
//! everything first and then answer each request with the seconds it took (see [`server`]). They
//! are interleaved, so that other load on the machine affects all of them, and only ratios are
//! meaningful.

mod closeness;
mod crowd;
mod engine;
mod narrow;
mod page;
mod python;
mod server;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};

use crate::shell;

/// Default number of measurements of each side at each number of threads.
const DEFAULT_REPEAT: usize = 3;

const THREADS: [usize; 2] = [1, 2];

/// Number of runs of the library in each of its turns: a single run is so short that it may hit an
/// unusually quiet or busy moment.
const OUR_RUNS: usize = 5;

/// The CCD methods of ipc-toolkit, and their names in its scripts.
const CCDS: [(&str, &str); 2] = [("Tight-Inclusion", "tight-inclusion"), ("AdditiveCCD", "additive")];

/// Input and output folders.
struct Folders {
    data: PathBuf,
    out: PathBuf,
}

pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    type Comparison = fn(&Folders, usize) -> anyhow::Result<()>;
    let (comparisons, options): (&[Comparison], _) = match arguments {
        ["narrow", options @ ..] => (&[narrow::run], options),
        ["engine", options @ ..] => (&[engine::run], options),
        ["crowd", options @ ..] => (&[crowd::run], options),
        ["closeness", options @ ..] => (&[closeness::run], options),
        ["python", options @ ..] => (&[python::run], options),
        options => (&[narrow::run, engine::run, crowd::run, closeness::run, python::run], options),
    };
    let repeat = match options {
        [] => DEFAULT_REPEAT,
        ["--repeat", repeat] => parse_repeat(repeat)?,
        _ => bail!(
            "unknown arguments of peers: `{}`; `cargo xtask help` lists those there are",
            arguments.join(" ")
        ),
    };
    let folders = Folders::find()?;
    for comparison in comparisons {
        comparison(&folders, repeat)?;
    }
    Ok(())
}

impl Folders {
    fn find() -> anyhow::Result<Folders> {
        let out = shell::target_dir().join("peers");
        std::fs::create_dir_all(&out).with_context(|| format!("cannot create {}", out.display()))?;
        Ok(Folders { data: shell::data_dir(), out })
    }

    /// Fails unless the meshes exist.
    fn check_data(&self) -> anyhow::Result<()> {
        for name in ["cloth-ball/cloth_ball92.ply", "cloth-ball/cloth_ball93.ply"] {
            ensure!(
                self.data.join(name).is_file(),
                "{} has no file {name}; set OSCULATE_DATA to a folder that has it",
                self.data.display()
            );
        }
        Ok(())
    }

    /// Prints a page and writes it to the file `name`.
    fn publish(&self, name: &str, markdown: &str) -> anyhow::Result<()> {
        println!("\n{markdown}");
        let path = self.out.join(name);
        std::fs::write(&path, markdown).with_context(|| format!("cannot write {}", path.display()))?;
        println!("written to {}", path.display());
        Ok(())
    }
}

/// The path of a peer's script.
fn script(name: &str) -> PathBuf {
    shell::root().join("xtask/peers").join(name)
}

/// Runs a script without writing compiled files beside it.
fn python_command(python: &Path, name: &str) -> std::process::Command {
    let mut command = std::process::Command::new(python);
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(script(name));
    command
}

fn parse_repeat(text: &str) -> anyhow::Result<usize> {
    let repeat = text.parse().with_context(|| format!("--repeat is `{text}`"))?;
    ensure!(0 < repeat, "--repeat is 0; it must be at least 1");
    Ok(repeat)
}
