//! The peers, each in an environment of its own, and how their processes are started.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use super::super::server::Server;
use super::super::{Folders, python_command, script};
use super::pairs::Finds;
use crate::python::{self, Environment};
use crate::{debian, shell};

/// A tool to compare with.
pub(super) struct Peer {
    pub(super) name: &'static str,
    /// Its name in scripts and files.
    pub(super) id: &'static str,
    source: Source,
    pub(super) finds: Finds,
}

/// Where a peer comes from.
enum Source {
    Python(Environment),
    /// A program in C++ that uses the headers of Debian's package.
    Cgal,
    /// A program in Rust.
    Parry,
}

pub(super) const IPCTK: Peer = Peer::python("ipc-toolkit", "ipctk", python::IPCTK, Finds::Any);

/// Peers that find crossing triangles, and need nothing from each other.
pub(super) const CROSSERS: [Peer; 9] = [
    Peer::python("MeshLib", "meshlib", python::MESHLIB, Finds::Pairs),
    Peer::python("Blender", "blender", python::BLENDER, Finds::Pairs),
    Peer::python("libigl", "libigl", python::LIBIGL, Finds::Pairs),
    Peer::python("libigl with CGAL", "libigl-cgal", python::LIBIGL, Finds::Pairs),
    Peer { name: "CGAL", id: "cgal", source: Source::Cgal, finds: Finds::Pairs },
    Peer::python("Newton", "newton", python::NEWTON, Finds::Pairs),
    Peer::python("coal", "coal", python::COAL, Finds::Pairs),
    Peer { name: "parry", id: "parry", source: Source::Parry, finds: Finds::Pairs },
    Peer::python("pymeshlab", "pymeshlab", python::PYMESHLAB, Finds::Triangles),
];

impl Peer {
    const fn python(name: &'static str, id: &'static str, environment: Environment, finds: Finds) -> Peer {
        Peer { name, id, source: Source::Python(environment), finds }
    }

    /// Installs or builds the peer, and returns its interpreter or program.
    pub(super) fn prepare(&self, folders: &Folders) -> anyhow::Result<PathBuf> {
        match &self.source {
            Source::Python(environment) => python::prepare(&folders.out, environment),
            Source::Cgal => build_cgal(&folders.out),
            Source::Parry => shell::build_apart(
                &script("parry/Cargo.toml"),
                "osculate-peers-parry",
                &folders.out.join("parry"),
            ),
        }
    }
}

/// Compiles the program that uses CGAL, after installing what it needs if that is allowed.
fn build_cgal(out: &Path) -> anyhow::Result<PathBuf> {
    let program = out.join("cgal-self-intersections");
    let compile = || {
        let mut command = Command::new("g++");
        command.args(["-std=c++17", "-O3", "-DNDEBUG", "-DCGAL_LINKED_WITH_TBB"]);
        command.arg(script("cgal/self_intersections.cpp")).arg("-o").arg(&program);
        shell::run(command.args(["-ltbb", "-lgmp", "-lmpfr"]))
    };
    let has_headers = || {
        let mut probe = Command::new("g++");
        probe.args(["-fsyntax-only", "-include", "CGAL/version.h", "-include", "tbb/global_control.h"]);
        probe.args(["-x", "c++", "/dev/null"]).output().is_ok_and(|output| output.status.success())
    };
    if !has_headers() {
        debian::install("libcgal-dev");
        debian::install("libtbb-dev");
    }
    compile().context("libcgal-dev and libtbb-dev are needed")?;
    Ok(program)
}

/// A peer and its process.
pub(super) struct Rival {
    pub(super) peer: &'static Peer,
    pub(super) server: Server,
    pub(super) hello: Value,
}

impl Rival {
    /// Starts a peer; those that are no scripts read the files in the output folder.
    pub(super) fn start(
        peer: &'static Peer,
        program: &Path,
        threads: usize,
        folders: &Folders,
    ) -> anyhow::Result<Rival> {
        let threads = threads.to_string();
        let mut command = match peer.source {
            Source::Python(_) => {
                let mut command = python_command(program, "engine.py");
                command.args([peer.id, &threads]).args([&folders.data, &folders.out]);
                command
            }
            Source::Cgal => {
                let mut command = Command::new(program);
                command.arg(&threads).arg(&folders.out);
                command
            }
            Source::Parry => {
                let mut command = Command::new(program);
                command.arg("crossings").arg(&folders.out);
                command
            }
        };
        let (server, hello) = Server::start(peer.name, &mut command)?;
        Ok(Rival { peer, server, hello })
    }

    pub(super) fn version(&self) -> String {
        format!("{} {}", self.peer.name, self.hello["version"].as_str().unwrap_or("unknown"))
    }

    /// The number of threads that it uses, of those that it may use.
    pub(super) fn threads(&self, threads: usize) -> usize {
        self.hello["threads"].as_u64().map_or(threads, |used| used as usize)
    }
}
