//! `cargo xtask peers closeness`: steps with a minimum separation, and features that are close at
//! an instant, on the cloth-ball meshes, compared with ipc-toolkit.
//!
//! The separation is a thousandth of the diagonal of the mesh. The largest step from frame 92 to
//! frame 93 that keeps it is compared with both CCD methods of ipc-toolkit, the features of frame
//! 93 within it with the set of collisions that ipc-toolkit builds.

use std::fmt::Write as _;
use std::process::Command;

use super::server::{self, Server};
use super::{Folders, OUR_RUNS, THREADS, median, python_command};
use crate::python;
use crate::shell;

/// A query of the library and the requests that ask a peer the same.
const QUERIES: [(&str, &str, &[&str]); 3] = [
    ("earliest contact", "thick-earliest", &["thick additive", "thick tight-inclusion"]),
    ("all contacts", "thick", &["thick additive", "thick tight-inclusion"]),
    ("proximities", "proximities", &["collisions"]),
];

pub(super) fn run(folders: &Folders, repeat: usize) -> anyhow::Result<()> {
    folders.check_data()?;
    let bench = shell::build_bench("osculate", "engine_peers")?;
    let python = python::prepare(&folders.out, &python::IPCTK)?;
    let start = |threads: usize| {
        let mut command = python_command(&python, "engine.py");
        command.args(["ipctk", &threads.to_string()]).args([&folders.data, &folders.out]);
        Server::start("ipc-toolkit", &mut command)
    };
    // The library reads the files that the peer writes.
    start(1)?.0.ask("scene")?;
    let (mut ours, _) = Server::start("Osculate", Command::new(bench).arg(&folders.out))?;
    let mut page = "# Closeness\n\nThe separation is 1e-3 of the diagonal of the mesh; medians.\n\n\
                    | threads | query | Osculate | ipc-toolkit | ratio |\n|---|---|---|---|---|\n"
        .to_owned();
    for threads in THREADS {
        let (mut peer, _) = start(threads)?;
        for (name, query, requests) in QUERIES {
            let (mut own, mut theirs) = (Vec::new(), vec![Vec::new(); requests.len()]);
            for _ in 0..repeat {
                for _ in 0..OUR_RUNS {
                    own.push(server::number(&ours.ask(&format!("{query} {threads}"))?, "seconds")?);
                }
                for (request, seconds) in requests.iter().zip(&mut theirs) {
                    seconds.push(server::number(&peer.ask(request)?, "seconds")?);
                }
            }
            let own = median(&mut own);
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
    folders.publish("closeness.md", &page)
}
