//! `cargo xtask peers`: the narrow phase beside Tight-Inclusion, on the same queries, in one run.
//!
//! Both sides are processes that load everything first and then answer `run THREADS` with the seconds they took
//! (see [`server`]). They take turns, so that whatever else the machine does falls on both, and only the ratio is
//! worth remembering. The queries are the vertex-face and edge-edge candidates of the step from frame 92 to frame 93
//! of the cloth-ball benchmark.

mod python;
mod report;
mod server;

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::shell::{self, cargo};
use server::Server;

/// Measurements of each side at each number of threads, unless the caller says otherwise.
pub(crate) const DEFAULT_REPEAT: usize = 3;

const THREADS: [usize; 2] = [1, 2];

/// How often the library runs in each of its turns: it is done so soon that a single run may hit a quiet moment
/// of a busy machine, or a busy one of a quiet machine.
const OUR_RUNS: usize = 5;

/// All that was measured.
struct Comparison {
    /// Version of ipc-toolkit.
    version: String,
    n_vertex_face: u64,
    n_edge_edge: u64,
    rows: Vec<Row>,
    /// The last answer of the library: hits, earliest contact and counts are the same in all.
    ours: Value,
    /// Earliest time of impact that Tight-Inclusion finds without its safety factor.
    peer_earliest: f64,
}

/// Seconds for all queries at one number of threads, one entry for each run.
struct Row {
    threads: usize,
    peer: Vec<f64>,
    ours: Vec<f64>,
    /// Processor time that Tight-Inclusion got, as a share of its threads' time; well below 1 on a busy machine.
    peer_share: Vec<f64>,
}

pub(crate) fn run(repeat: usize) -> anyhow::Result<()> {
    let data = match std::env::var_os("OSCULATE_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => shell::root().join("../shared/data"),
    };
    ensure!(
        data.join("cloth-ball").is_dir(),
        "{} has no folder cloth-ball; set OSCULATE_DATA to a folder that has it",
        data.display()
    );
    let out = shell::target_dir().join("peers");
    std::fs::create_dir_all(&out).with_context(|| format!("cannot create {}", out.display()))?;
    let bench = build_bench()?;
    let python = python::prepare(&out)?;

    println!("building the queries");
    let script = shell::root().join("xtask/peers/tight_inclusion.py");
    let (mut peer, peer_hello) =
        Server::start("Tight-Inclusion", std::process::Command::new(python).args([&script, &data, &out]))?;
    let (mut ours, our_hello) = Server::start("Osculate", std::process::Command::new(bench).arg(&out))?;
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
    let markdown = report::markdown(&comparison)?;
    println!("\n{markdown}");
    let path = out.join("narrow.md");
    std::fs::write(&path, markdown).with_context(|| format!("cannot write {}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

/// Lets both sides take turns.
fn measure(
    mut comparison: Comparison,
    peer: &mut Server,
    ours: &mut Server,
    repeat: usize,
) -> anyhow::Result<Comparison> {
    for threads in THREADS {
        let request = format!("run {threads}");
        let mut row = Row { threads, peer: Vec::new(), ours: Vec::new(), peer_share: Vec::new() };
        for _ in 0..repeat {
            let answer = peer.ask(&request)?;
            let seconds = server::number(&answer, "seconds")?;
            print!("threads {threads}: Tight-Inclusion {seconds:.3} s, Osculate");
            row.peer.push(seconds);
            row.peer_share.push(server::number(&answer, "cpu_seconds")? / (threads as f64 * seconds));
            for _ in 0..OUR_RUNS {
                comparison.ours = ours.ask(&request)?;
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

/// Builds the bench and returns where it is.
fn build_bench() -> anyhow::Result<PathBuf> {
    let mut command = cargo(&[
        "bench",
        "--package",
        "osculate",
        "--bench",
        "narrow_peers",
        "--no-run",
        "--message-format",
        "json-render-diagnostics",
    ]);
    println!("$ {}", shell::describe(&command));
    let output = command.stderr(std::process::Stdio::inherit()).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "the bench does not build");
    let messages = String::from_utf8(output.stdout).context("cargo printed no text")?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == "narrow_peers")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .context("cargo did not say where the bench is")
}

pub(crate) fn parse_repeat(text: &str) -> anyhow::Result<usize> {
    let repeat = text.parse().with_context(|| format!("--repeat is `{text}`"))?;
    ensure!(0 < repeat, "--repeat is 0; it must be at least 1");
    Ok(repeat)
}
