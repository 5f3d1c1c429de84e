//! `cargo xtask peers engine`: whole queries on the cloth-ball meshes, compared with other tools.
//!
//! All contacts and the earliest contact of the step from frame 92 to frame 93 are compared with
//! ipc-toolkit (candidates from its LBVH, decided by Tight-Inclusion and by AdditiveCCD); the
//! self-crossings of frame 93 with all peers, both for a mesh that is known and for one that is
//! seen for the first time. A peer that cannot be installed is named and skipped, except
//! ipc-toolkit.

mod pairs;
mod peer;
mod report;

use std::path::PathBuf;
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use super::server::{self, Server};
use super::{CCDS, Folders, OUR_RUNS, THREADS};
use crate::shell;
use pairs::{Difference, Finds};
use peer::{CROSSERS, IPCTK, Peer, Rival};

/// All measurements.
#[derive(Default)]
struct Comparison {
    n_vertices: u64,
    n_faces: u64,
    /// Names and versions of the peers.
    versions: Vec<String>,
    /// Names of peers that could not be installed or started.
    absent: Vec<&'static str>,
    rows: Vec<Row>,
    /// Seconds that each side takes once to prepare the mesh, not included in any other time but
    /// those of meshes seen for the first time.
    prepare: Vec<(&'static str, f64)>,
    /// Earliest time of impact that Tight-Inclusion finds without its safety factor.
    peer_earliest: f64,
    differences: Vec<Difference>,
}

/// Measurements at one number of threads.
#[derive(Default)]
struct Row {
    threads: usize,
    steps: Vec<Step>,
    all: Ours,
    earliest: Ours,
    crossings: Ours,
    /// Whether there are crossings.
    any: Ours,
    /// The crossings of a mesh that is seen for the first time.
    once: Ours,
    peers: Vec<Crossings>,
}

/// Seconds of ipc-toolkit with one CCD method for its candidates, for deciding them, and for both.
#[derive(Default)]
struct Step {
    ccd: &'static str,
    broad: Vec<f64>,
    narrow: Vec<f64>,
    seconds: Vec<f64>,
    /// Processor time that the CCD method got, as a share of its threads' time; well below 1 on a
    /// busy machine.
    share: Vec<f64>,
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
    finds: Finds,
    /// The number of threads that it uses.
    threads: usize,
    seconds: Vec<f64>,
    /// Seconds for a mesh that is seen for the first time.
    once: Vec<f64>,
    /// Whether it found any.
    any: bool,
}

pub(super) fn run(folders: &Folders, repeat: usize) -> anyhow::Result<()> {
    folders.check_data()?;
    let bench = shell::build_bench("osculate", "engine_peers")?;
    let ipctk = IPCTK.prepare(folders)?;
    let mut comparison = Comparison::default();
    let mut crossers: Vec<(&'static Peer, PathBuf)> = Vec::new();
    for peer in &CROSSERS {
        match peer.prepare(folders) {
            Ok(program) => crossers.push((peer, program)),
            Err(error) => comparison.leave_out(peer, &error),
        }
    }

    println!("reading the meshes");
    // The others read the files that this peer writes.
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
        for (peer, program) in &crossers {
            match Rival::start(peer, program, threads, folders) {
                Ok(rival) => rivals.push(rival),
                Err(error) => comparison.leave_out(peer, &error),
            }
        }
        let row = measure(threads, repeat, &mut ipctk, &mut rivals, &mut ours)?;
        comparison.peer_earliest = server::number(&ipctk.server.ask("check")?, "earliest")?;
        if comparison.rows.is_empty() {
            comparison.prepare.push(("Osculate", server::number(&row.all.last, "prepare_seconds")?));
            comparison.compare(&mut rivals, folders, &mut ours)?;
        }
        comparison.rows.push(row);
    }
    folders.publish("engine.md", &report::markdown(&comparison)?)
}

impl Comparison {
    /// Names a peer that cannot take part.
    fn leave_out(&mut self, peer: &Peer, error: &anyhow::Error) {
        println!("{} is left out: {error:#}", peer.name);
        if !self.absent.contains(&peer.name) {
            self.absent.push(peer.name);
        }
    }

    /// Compares what the peers found with what we find.
    fn compare(&mut self, rivals: &mut [Rival], folders: &Folders, ours: &mut Server) -> anyhow::Result<()> {
        let file = |id: &str| folders.out.join(format!("crossings-{id}.u32"));
        let faces = pairs::read(&folders.out.join("faces.u32"), 3)?;
        ours.ask(&format!("pairs {}", THREADS[0]))?;
        let ours = pairs::read_set(&file("osculate"), 2, faces.len())?;
        for Rival { peer, server, hello } in &mut *rivals {
            self.prepare.push((peer.name, server::number(hello, "prepare_seconds")?));
            server.ask("pairs")?;
            let width = if peer.finds == Finds::Triangles { 1 } else { 2 };
            let theirs = pairs::read_set(&file(peer.id), width, faces.len())?;
            self.differences.push(Difference::new((peer.name, peer.finds), &theirs, &ours, &faces));
        }
        self.versions.extend(rivals.iter().map(Rival::version));
        Ok(())
    }
}

/// Interleaves all sides.
fn measure(
    threads: usize,
    repeat: usize,
    ipctk: &mut Rival,
    crossers: &mut [Rival],
    ours: &mut Server,
) -> anyhow::Result<Row> {
    let mut row = Row { threads, ..Row::default() };
    row.steps = CCDS.map(|(ccd, _)| Step { ccd, ..Step::default() }).into();
    for _ in 0..repeat {
        row.all.run(ours, "contacts", threads)?;
        row.earliest.run(ours, "earliest", threads)?;
        for (step, (_, id)) in row.steps.iter_mut().zip(CCDS) {
            step.run(&mut ipctk.server, id, threads)?;
        }
        for step in &row.steps {
            row.print(step.ccd, &step.seconds, &[("all contacts", &row.all), ("earliest", &row.earliest)]);
        }

        row.crossings.run(ours, "crossings", threads)?;
        row.any.run(ours, "any", threads)?;
        row.once.run(ours, "once", threads)?;
        for (index, rival) in crossers.iter_mut().chain(std::iter::once(&mut *ipctk)).enumerate() {
            if index == row.peers.len() {
                row.peers.push(Crossings::new(rival, threads));
            }
            row.peers[index].run(&mut rival.server)?;
        }
        for peer in &row.peers {
            row.print(peer.name, &peer.seconds, &[("crossings", &row.crossings), ("any", &row.any)]);
        }
    }
    Ok(row)
}

impl Step {
    /// One turn of ipc-toolkit.
    fn run(&mut self, server: &mut Server, id: &str, threads: usize) -> anyhow::Result<()> {
        let answer = server.ask(&format!("step {id}"))?;
        let narrow = server::number(&answer, "narrow_seconds")?;
        self.broad.push(server::number(&answer, "broad_seconds")?);
        self.narrow.push(narrow);
        self.seconds.push(server::number(&answer, "seconds")?);
        self.share.push(server::number(&answer, "narrow_cpu_seconds")? / (threads as f64 * narrow));
        Ok(())
    }
}

impl Crossings {
    fn new(rival: &Rival, threads: usize) -> Crossings {
        let Peer { name, finds, .. } = *rival.peer;
        let threads = rival.threads(threads);
        Crossings { name, finds, threads, seconds: Vec::new(), once: Vec::new(), any: false }
    }

    /// One turn of a peer.
    fn run(&mut self, server: &mut Server) -> anyhow::Result<()> {
        self.once.push(server::number(&server.ask("once")?, "seconds")?);
        let answer = server.ask("crossings")?;
        self.seconds.push(server::number(&answer, "seconds")?);
        self.any = answer["any"].as_bool().context("a peer does not say whether there are crossings")?;
        Ok(())
    }
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
