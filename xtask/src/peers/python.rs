//! `cargo xtask peers python`: a step of the cloth-ball meshes as users of two Python packages
//! write it, Osculate's and ipc-toolkit, in one process.
//!
//! The largest step from frame 92 to frame 93 that is free of contacts is compared with both CCD
//! methods of ipc-toolkit, with candidates by its default; all contacts with the same, as it has to
//! decide all candidates for that step; and a step with what is prepared once for a mesh.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::page::median;
use super::server::{self, Server};
use super::{Folders, OUR_RUNS, THREADS, python_command};
use crate::python;
use crate::{shell, wheel};

/// A request about Osculate, and requests that ask ipc-toolkit the same.
const QUERIES: [(&str, &str, &[&str]); 3] = [
    ("largest free step", "ours free", &["additive", "tight-inclusion"]),
    ("all contacts", "ours contacts", &["additive", "tight-inclusion"]),
    ("free step, with preparation", "ours anew", &["tight-inclusion anew"]),
];

pub(super) fn run(folders: &Folders, repeat: usize) -> anyhow::Result<()> {
    folders.check_data()?;
    let builder = python::prepare(&folders.out, &python::MATURIN)?;
    let wheel = wheel::build(&builder, &folders.out.join("dist"), &["--release"])?;
    let python = python::prepare(&folders.out, &python::IPCTK_BESIDE)?;
    install(&python, &wheel)?;
    let mut page = String::new();
    for threads in THREADS {
        let mut command = python_command(&python, "python.py");
        let (mut both, hello) = Server::start("Python", command.arg(threads.to_string()).arg(&folders.data))?;
        let check = both.ask("check")?;
        let [theirs, lo, hi] = ["size", "lo", "hi"].map(|name| server::number(&check, name));
        let (theirs, lo, hi) = (theirs?, lo?, hi?);
        // Tight-Inclusion is never late: a later time would be a contact that one side has missed.
        ensure!(theirs <= hi, "ipc-toolkit finds the first contact at {theirs}, after {hi}");
        if page.is_empty() {
            let (version, of_python) = (hello["version"].as_str(), hello["python"].as_str());
            let _ = writeln!(
                page,
                "# A step in Python\n\n{} triangles, Python {}, ipc-toolkit {}; medians. The first contact \
                 is between {lo:.3e} and {hi:.3e} of the step, by Tight-Inclusion at {theirs:.3e}.\n\n\
                 | threads | query | Osculate | ipc-toolkit | ratio | of CPU time |\n|---|---|---|---|---|---|",
                server::number(&hello, "faces")?,
                of_python.context("no version of Python")?,
                version.context("no version of ipc-toolkit")?,
            );
        }
        for (name, query, requests) in QUERIES {
            let mut own = Times::default();
            let mut theirs: Vec<Times> = requests.iter().map(|_| Times::default()).collect();
            for _ in 0..repeat {
                for _ in 0..OUR_RUNS {
                    own.take(&mut both, query)?;
                }
                for (request, times) in requests.iter().zip(&mut theirs) {
                    times.take(&mut both, request)?;
                }
            }
            let own = own.medians();
            for (request, times) in requests.iter().zip(theirs) {
                let times = times.medians();
                let [wall, cpu] = [times[0] / own[0], times[1] / own[1]];
                let (own, seconds) = (own[0], times[0]);
                let _ = writeln!(
                    page,
                    "| {threads} | {name} | {own:.3} s | {request}: {seconds:.3} s | {wall:.1} | {cpu:.1} |"
                );
            }
        }
    }
    folders.publish("python.md", &page)
}

/// Puts a wheel into an environment, in place of an older one.
fn install(python: &Path, wheel: &Path) -> anyhow::Result<()> {
    let pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"];
    shell::run(Command::new(python).args(pip).arg(wheel))
}

/// Seconds by the clock, and of processor time.
#[derive(Default)]
struct Times([Vec<f64>; 2]);

impl Times {
    fn take(&mut self, server: &mut Server, request: &str) -> anyhow::Result<()> {
        let answer = server.ask(request)?;
        for (times, name) in self.0.iter_mut().zip(["seconds", "cpu_seconds"]) {
            times.push(server::number(&answer, name)?);
        }
        Ok(())
    }

    fn medians(self) -> [f64; 2] {
        self.0.map(|times| median(&times))
    }
}
