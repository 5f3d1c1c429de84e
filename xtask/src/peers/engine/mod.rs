//! `cargo xtask peers engine`: whole queries on the cloth-ball meshes, compared with other tools.
//!
//! All contacts and the earliest contact of the step from frame 92 to frame 93 are compared with
//! ipc-toolkit (candidates from its LBVH, decided by Tight-Inclusion); the self-crossings of frame
//! 93 with MeshLib, Blender and ipc-toolkit. A peer that cannot be installed is skipped, except
//! ipc-toolkit.

mod pairs;
mod report;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use super::server::{self, Server};
use super::{Folders, OUR_RUNS, THREADS, python_command};
use crate::python::{self, Environment};
use crate::shell;
use pairs::Difference;

/// A tool to compare with.
struct Peer {
    name: &'static str,
    /// Its name in the script.
    id: &'static str,
    environment: Environment,
    /// Whether it lists the crossing pairs, rather than only whether there are any.
    lists: bool,
}

const IPCTK: Peer = Peer { name: "ipc-toolkit", id: "ipctk", environment: python::IPCTK, lists: false };

/// Peers that list the crossing pairs.
const LISTING: [Peer; 2] = [
    Peer { name: "MeshLib", id: "meshlib", environment: python::MESHLIB, lists: true },
    Peer { name: "Blender", id: "blender", environment: python::BLENDER, lists: true },
];

/// All measurements.
#[derive(Default)]
struct Comparison {
    n_vertices: u64,
    n_faces: u64,
    /// Names and versions of the peers.
    versions: Vec<String>,
    rows: Vec<Row>,
    /// Seconds that each side takes once to prepare the mesh, not included in any other time.
    prepare: Vec<(&'static str, f64)>,
    /// Earliest time of impact that Tight-Inclusion finds without its safety factor.
    peer_earliest: f64,
    differences: Vec<Difference>,
}

/// Measurements at one number of threads.
#[derive(Default)]
struct Row {
    threads: usize,
    /// Seconds of ipc-toolkit for its candidates, for deciding them, and for both.
    broad: Vec<f64>,
    narrow: Vec<f64>,
    step: Vec<f64>,
    /// Processor time that Tight-Inclusion got, as a share of its threads' time; well below 1 on a
    /// busy machine.
    share: Vec<f64>,
    all: Ours,
    earliest: Ours,
    crossings: Ours,
    /// Whether there are crossings.
    any: Ours,
    peers: Vec<Crossings>,
}

/// Runs of the library.
#[derive(Default)]
struct Ours {
    seconds: Vec<f64>,
    /// The last answer: only the times differ between runs.
    last: Value,
}

/// Runs of a peer that finds crossings.
struct Crossings {
    name: &'static str,
    /// Whether it lists the pairs, rather than only whether there are any.
    lists: bool,
    seconds: Vec<f64>,
    /// Whether it found any.
    any: bool,
}

/// A peer and its process.
struct Rival {
    peer: &'static Peer,
    server: Server,
    hello: Value,
}

pub(super) fn run(folders: &Folders, repeat: usize) -> anyhow::Result<()> {
    folders.check_data()?;
    let bench = shell::build_bench("osculate", "engine_peers")?;
    let ipctk = python::prepare(&folders.out, &IPCTK.environment)?;
    let listing: Vec<(&'static Peer, PathBuf)> = LISTING
        .iter()
        .filter_map(|peer| match python::prepare(&folders.out, &peer.environment) {
            Ok(python) => Some((peer, python)),
            Err(error) => {
                println!("{} is left out: {error:#}", peer.name);
                None
            }
        })
        .collect();

    println!("reading the meshes");
    let mut comparison = Comparison::default();
    // The library reads the files that this peer writes.
    let mut first = Rival::start(&IPCTK, &ipctk, THREADS[0], folders)?;
    first.server.ask("scene")?;
    comparison.n_vertices = server::number(&first.hello, "vertices")? as u64;
    comparison.n_faces = server::number(&first.hello, "faces")? as u64;
    comparison.versions.push(first.version());
    comparison.prepare.push((IPCTK.name, server::number(&first.hello, "prepare_seconds")?));
    drop(first);
    let (mut ours, _) = Server::start("Osculate", Command::new(bench).arg(&folders.out))?;
    for threads in THREADS {
        let mut ipctk = Rival::start(&IPCTK, &ipctk, threads, folders)?;
        let mut rivals = Vec::new();
        for (peer, python) in &listing {
            match Rival::start(peer, python, threads, folders) {
                Ok(rival) => rivals.push(rival),
                Err(error) => println!("{} is left out at threads = {threads}: {error:#}", peer.name),
            }
        }
        let row = measure(threads, repeat, &mut ipctk, &mut rivals, &mut ours)?;
        comparison.peer_earliest = server::number(&ipctk.server.ask("check")?, "earliest")?;
        for rival in &mut rivals {
            comparison.compare(rival, &folders.out, &mut ours, threads)?;
        }
        if comparison.rows.is_empty() {
            comparison.prepare.push(("Osculate", server::number(&row.all.last, "prepare_seconds")?));
        }
        comparison.rows.push(row);
    }
    folders.publish("engine.md", &report::markdown(&comparison)?)
}

impl Rival {
    fn start(peer: &'static Peer, python: &Path, threads: usize, folders: &Folders) -> anyhow::Result<Rival> {
        let mut command = python_command(python, "engine.py");
        command.args([peer.id, &threads.to_string()]).args([&folders.data, &folders.out]);
        let (server, hello) = Server::start(peer.name, &mut command)?;
        Ok(Rival { peer, server, hello })
    }

    fn version(&self) -> String {
        format!("{} {}", self.peer.name, self.hello["version"].as_str().unwrap_or("unknown"))
    }
}

impl Comparison {
    /// Compares the pairs that a peer found with ours, once.
    fn compare(
        &mut self,
        rival: &mut Rival,
        out: &Path,
        ours: &mut Server,
        threads: usize,
    ) -> anyhow::Result<()> {
        let name = rival.peer.name;
        if self.differences.iter().any(|difference| difference.name == name) {
            return Ok(());
        }
        self.versions.push(rival.version());
        self.prepare.push((name, server::number(&rival.hello, "prepare_seconds")?));
        let n_reported = server::number(&rival.server.ask("pairs")?, "pairs")? as u64;
        ours.ask(&format!("pairs {threads}"))?;
        let theirs = pairs::read(&out.join(format!("crossings-{}.u32", rival.peer.id)))?;
        let ours = pairs::read(&out.join("crossings-osculate.u32"))?;
        self.differences.push(Difference::new(name, n_reported, &theirs, &ours));
        Ok(())
    }
}

/// Interleaves all sides.
fn measure(
    threads: usize,
    repeat: usize,
    ipctk: &mut Rival,
    listing: &mut [Rival],
    ours: &mut Server,
) -> anyhow::Result<Row> {
    let mut row = Row { threads, ..Row::default() };
    for _ in 0..repeat {
        row.all.run(ours, "contacts", threads)?;
        row.earliest.run(ours, "earliest", threads)?;
        let answer = ipctk.server.ask("step")?;
        let narrow = server::number(&answer, "narrow_seconds")?;
        row.broad.push(server::number(&answer, "broad_seconds")?);
        row.narrow.push(narrow);
        row.step.push(server::number(&answer, "seconds")?);
        row.share.push(server::number(&answer, "narrow_cpu_seconds")? / (threads as f64 * narrow));
        row.print("ipc-toolkit step", &row.step, &[("all contacts", &row.all), ("earliest", &row.earliest)]);

        row.crossings.run(ours, "crossings", threads)?;
        row.any.run(ours, "any", threads)?;
        for (index, rival) in listing.iter_mut().chain(std::iter::once(&mut *ipctk)).enumerate() {
            let answer = rival.server.ask("crossings")?;
            if index == row.peers.len() {
                let Peer { name, lists, .. } = *rival.peer;
                row.peers.push(Crossings { name, lists, seconds: Vec::new(), any: false });
            }
            let peer = &mut row.peers[index];
            peer.seconds.push(server::number(&answer, "seconds")?);
            peer.any = answer["any"].as_bool().context("a peer does not say whether there are crossings")?;
        }
        for peer in &row.peers {
            row.print(peer.name, &peer.seconds, &[("crossings", &row.crossings), ("any", &row.any)]);
        }
    }
    Ok(row)
}

impl Row {
    /// Prints the latest times as progress.
    fn print(&self, peer: &str, seconds: &[f64], ours: &[(&str, &Ours)]) {
        let last = |seconds: &[f64]| seconds.last().copied().unwrap_or(f64::NAN);
        print!("threads {}: {peer} {:.3} s, Osculate", self.threads, last(seconds));
        for (query, ours) in ours {
            print!(" {query} {:.4} s", last(&ours.seconds));
        }
        println!();
    }
}

impl Ours {
    /// One turn of the library.
    fn run(&mut self, server: &mut Server, query: &str, threads: usize) -> anyhow::Result<()> {
        for _ in 0..OUR_RUNS {
            self.last = server.ask(&format!("{query} {threads}"))?;
            self.seconds.push(server::number(&self.last, "seconds")?);
        }
        Ok(())
    }
}
