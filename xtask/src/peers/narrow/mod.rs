//! `cargo xtask peers narrow`: the narrow phase compared with those of ipc-toolkit, Tight-Inclusion
//! and AdditiveCCD, on the same queries.
//!
//! The queries are the vertex-face and edge-edge candidates of the step from frame 92 to frame 93
//! of the cloth-ball benchmark.

mod report;

use std::process::Command;

use anyhow::ensure;
use serde_json::Value;

use super::server::{self, Server};
use super::{CCDS, Folders, OUR_RUNS, THREADS, python_command};
use crate::python;
use crate::shell;

/// All measurements.
struct Comparison {
    /// Version of ipc-toolkit.
    version: String,
    n_vertex_face: u64,
    n_edge_edge: u64,
    rows: Vec<Row>,
    /// The last answer of the library: hits, earliest contact and counts are the same in all runs.
    ours: Value,
    /// Earliest time of impact that Tight-Inclusion finds without its safety factor.
    peer_earliest: f64,
}

/// Seconds for all queries at one number of threads, one entry for each run.
struct Row {
    threads: usize,
    ours: Vec<f64>,
    peers: [Peer; 2],
}

/// Runs of a method of ipc-toolkit.
struct Peer {
    name: &'static str,
    seconds: Vec<f64>,
    /// Processor time that it got, as a share of its threads' time; well below 1 on a busy machine.
    share: Vec<f64>,
}

pub(super) fn run(folders: &Folders, repeat: usize) -> anyhow::Result<()> {
    folders.check_data()?;
    let Folders { data, out } = folders;
    let bench = shell::build_bench("osculate", "narrow_peers")?;
    let python = python::prepare(out, &python::IPCTK)?;

    println!("building the queries");
    let mut command = python_command(&python, "tight_inclusion.py");
    let (mut peer, peer_hello) = Server::start("ipc-toolkit", command.args([data, out]))?;
    let (mut ours, our_hello) = Server::start("Osculate", Command::new(bench).arg(out))?;
    let count = |hello: &Value, name| server::number(hello, name).map(|n| n as u64);
    let comparison = Comparison {
        version: peer_hello["version"].as_str().unwrap_or("unknown").to_owned(),
        n_vertex_face: count(&peer_hello, "vertex_face")?,
        n_edge_edge: count(&peer_hello, "edge_edge")?,
        rows: Vec::new(),
        ours: Value::Null,
        peer_earliest: 0.0,
    };
    ensure!(
        (comparison.n_vertex_face, comparison.n_edge_edge)
            == (count(&our_hello, "vertex_face")?, count(&our_hello, "edge_edge")?),
        "the two sides read different numbers of queries; delete {} and try again",
        out.display()
    );
    let comparison = measure(comparison, &mut peer, &mut ours, repeat)?;
    folders.publish("narrow.md", &report::markdown(&comparison)?)
}

/// Interleaves both sides.
fn measure(
    mut comparison: Comparison,
    peer: &mut Server,
    ours: &mut Server,
    repeat: usize,
) -> anyhow::Result<Comparison> {
    for threads in THREADS {
        let peers = CCDS.map(|(name, _)| Peer { name, seconds: Vec::new(), share: Vec::new() });
        let mut row = Row { threads, ours: Vec::new(), peers };
        for _ in 0..repeat {
            print!("threads {threads}:");
            for (of_peer, (name, id)) in row.peers.iter_mut().zip(CCDS) {
                let answer = peer.ask(&format!("run {threads} {id}"))?;
                let seconds = server::number(&answer, "seconds")?;
                print!(" {name} {seconds:.3} s,");
                of_peer.seconds.push(seconds);
                of_peer.share.push(server::number(&answer, "cpu_seconds")? / (threads as f64 * seconds));
            }
            print!(" Osculate");
            for _ in 0..OUR_RUNS {
                comparison.ours = ours.ask(&format!("run {threads}"))?;
                let seconds = server::number(&comparison.ours, "seconds")?;
                print!(" {seconds:.3}");
                row.ours.push(seconds);
            }
            println!(" s");
        }
        comparison.rows.push(row);
    }
    comparison.peer_earliest = server::number(&peer.ask("check")?, "earliest")?;
    Ok(comparison)
}
