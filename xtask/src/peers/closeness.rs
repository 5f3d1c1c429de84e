//! `cargo xtask peers closeness`: queries with a minimum separation, and closest points.
//!
//! - The largest step of the cloth ball from frame 92 to frame 93 that keeps a separation of a
//!   thousandth of its diagonal, compared with both CCD methods of ipc-toolkit.
//! - The features of frame 93 within that distance, compared with the set of collisions that
//!   ipc-toolkit builds. It merges pairs whose closest points are the same vertex or edge, so its
//!   set is smaller.
//! - A sheet that rests on a ball, with a separation and without, and steps of sequences: what a
//!   separation costs.
//! - Closest points and ray casts on frame 93, compared with parry, answer by answer.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::page::median;
use super::server::{self, Server};
use super::{Folders, OUR_RUNS, THREADS, python_command};
use crate::python;
use crate::shell;

/// A query of the library and the requests that ask a peer the same.
const QUERIES: [(&str, &str, &[&str]); 3] = [
    ("largest free step", "thick-earliest", &["thick additive", "thick tight-inclusion"]),
    ("all contacts", "thick", &["thick additive", "thick tight-inclusion"]),
    ("proximities", "proximities", &["collisions"]),
];

/// Sequences of cloth.
const SEQUENCES: [&str; 3] = ["blender_clothball_67k_f16-63", "newton_sheets_31k", "tshirt_iter0"];

pub(super) fn run(folders: &Folders, repeat: usize) -> anyhow::Result<()> {
    folders.check_data()?;
    let bench = shell::build_bench("osculate", "engine_peers")?;
    let python = python::prepare(&folders.out, &python::IPCTK)?;
    let start = |threads: usize| {
        let mut command = python_command(&python, "engine.py");
        command.args(["ipctk", &threads.to_string()]).args([&folders.data, &folders.out]);
        Server::start("ipc-toolkit", &mut command)
    };
    let ours = |folder: &Path| Server::start("Osculate", Command::new(&bench).arg(folder));
    let mut page = "# Closeness\n\nMedians of one run, in which the sides take turns.\n".to_owned();
    // The library reads the files that the peer writes.
    let mut writer = start(1)?.0;
    let diagonal = server::number(&writer.ask("scene")?, "diagonal")?;
    writer.ask("probes")?;

    let distance = 1e-3 * diagonal;
    let _ = write!(
        page,
        "\n## cloth-ball 92 -> 93, a separation of 1e-3 of its diagonal\n\n\
         | threads | query | Osculate | ipc-toolkit | ratio |\n|---|---|---|---|---|\n"
    );
    let mut own = ours(&folders.out)?.0;
    for threads in THREADS {
        let (mut peer, _) = start(threads)?;
        for (name, query, requests) in QUERIES {
            let (mut own_seconds, mut theirs) = (Vec::new(), vec![Vec::new(); requests.len()]);
            for _ in 0..repeat {
                for _ in 0..OUR_RUNS {
                    own_seconds.push(seconds(&mut own, &format!("{query} {threads} {distance:e}"))?);
                }
                for (request, seconds) in requests.iter().zip(&mut theirs) {
                    seconds.push(self::seconds(&mut peer, request)?);
                }
            }
            let own = median(&own_seconds);
            for (request, seconds) in requests.iter().zip(&mut theirs) {
                let seconds = median(seconds);
                let ratio = seconds / own;
                let _ = writeln!(
                    page,
                    "| {threads} | {name} | {own:.3} s | {request}: {seconds:.3} s | {ratio:.1} |"
                );
            }
        }
    }

    let _ = write!(page, "\n{}", probes(folders, &mut own, diagonal, repeat)?);
    writer.ask("sheet")?;
    let _ = write!(page, "\n{}", sheet(&mut ours(&folders.out.join("sheet"))?.0, repeat)?);
    let _ = write!(
        page,
        "\n## All contacts of the last step of sequences, a separation of 2e-3 of the diagonal\n\n\
         | sequence | threads | contacts | time | a contact |\n|---|---|---|---|---|\n"
    );
    for name in SEQUENCES {
        if !folders.data.join("sequences").join(name).with_extension("npz").is_file() {
            let _ = writeln!(page, "| {name} | not there |");
            continue;
        }
        let diagonal = server::number(&writer.ask(&format!("sequence {name}"))?, "diagonal")?;
        let mut own = ours(&folders.out.join(name))?.0;
        for threads in THREADS {
            let request = format!("thick {threads} {:e}", 2e-3 * diagonal);
            let contacts = server::number(&own.ask(&request)?, "contacts")?;
            let seconds = median_of(&mut own, &request, repeat * OUR_RUNS)?;
            let each =
                if contacts == 0.0 { "–".into() } else { format!("{:.2} us", 1e6 * seconds / contacts) };
            let _ = writeln!(page, "| {name} | {threads} | {contacts} | {:.1} ms | {each} |", 1e3 * seconds);
        }
    }
    folders.publish("closeness.md", &page)
}

fn seconds(side: &mut Server, request: &str) -> anyhow::Result<f64> {
    server::number(&side.ask(request)?, "seconds")
}

/// The median time of a request.
fn median_of(side: &mut Server, request: &str, n: usize) -> anyhow::Result<f64> {
    let all = (0..n).map(|_| seconds(side, request)).collect::<anyhow::Result<Vec<f64>>>()?;
    Ok(median(&all))
}

/// The sheet on the ball, with a separation and without, in turns. Proofs apply only without one,
/// so there is a row without proofs, too.
fn sheet(own: &mut Server, repeat: usize) -> anyhow::Result<String> {
    let mut page = "## A sheet of 10,082 triangles on a ball, all contacts\n\n\
                    | threads | query | contacts | time | to the first |\n|---|---|---|---|---|\n"
        .to_owned();
    let queries = [("no separation, no proofs", "0 flat"), ("no separation", "0"), ("0.005", "0.005")];
    for threads in THREADS {
        let request = |query: &str| format!("thick {threads} {query}");
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..repeat * OUR_RUNS {
            for ((_, query), times) in queries.iter().zip(&mut times) {
                times.push(seconds(own, &request(query))?);
            }
        }
        let times = times.map(|times| median(&times));
        for ((name, query), time) in queries.iter().zip(times) {
            let contacts = server::number(&own.ask(&request(query))?, "contacts")?;
            let ratio = time / times[0];
            let _ = writeln!(page, "| {threads} | {name} | {contacts} | {:.2} ms | {ratio:.2} |", 1e3 * time);
        }
    }
    Ok(page)
}

/// Closest points and ray casts, compared with parry. Fails if an answer differs.
fn probes(folders: &Folders, own: &mut Server, diagonal: f64, repeat: usize) -> anyhow::Result<String> {
    let manifest = super::script("parry/Cargo.toml");
    let program = shell::build_apart(&manifest, "osculate-peers-parry", &folders.out.join("parry"))?;
    let (mut parry, _) = Server::start("parry", Command::new(program).arg("closeness").arg(&folders.out))?;
    let mut page = "## Probes of frame 93, one thread\n\n\
                    | query | Osculate | parry | ratio | largest difference |\n|---|---|---|---|---|\n"
        .to_owned();
    for (name, query, unit) in [("closest points", "closest", diagonal), ("ray casts", "rays", 1.0)] {
        let (mut own_seconds, mut theirs) = (Vec::new(), Vec::new());
        let mut n_probes = 0.0;
        for _ in 0..repeat * OUR_RUNS {
            let answer = own.ask(&format!("{query} 1"))?;
            n_probes = server::number(&answer, "probes")?;
            own_seconds.push(server::number(&answer, "seconds")?);
            theirs.push(seconds(&mut parry, query)?);
        }
        let [a, b] = ["osculate", "parry"].map(|side| folders.out.join(format!("{query}-{side}.f64")));
        let difference = largest_difference(&a, &b)? / unit;
        ensure!(difference < 1e-9, "{name}: answers differ by {difference:e}");
        let (own_median, their_median) = (median(&own_seconds), median(&theirs));
        let _ = writeln!(
            page,
            "| {n_probes} {name} | {:.2} us | {:.2} us | {:.2} | {difference:.0e} |",
            1e6 * own_median / n_probes,
            1e6 * their_median / n_probes,
            their_median / own_median
        );
    }
    Ok(page)
}

/// The largest difference of two files of numbers.
fn largest_difference(a: &Path, b: &Path) -> anyhow::Result<f64> {
    let read = |path: &Path| std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let (a, b) = (read(a)?, read(b)?);
    ensure!(a.len() == b.len() && !a.is_empty(), "{} and {} bytes of answers", a.len(), b.len());
    let numbers =
        |bytes: &[u8]| bytes.as_chunks().0.iter().map(|&n| f64::from_le_bytes(n)).collect::<Vec<f64>>();
    Ok(numbers(&a)
        .iter()
        .zip(numbers(&b))
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, |m: f64, x| if x <= m { m } else { x }))
}
