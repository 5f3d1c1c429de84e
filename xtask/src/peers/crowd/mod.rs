//! `cargo xtask peers crowd`: fifty skinned creatures that come together, compared with parry and
//! coal.
//!
//! The library is given bones, and deforms the vertices that it needs. The others are given
//! vertices: all are deformed in each frame, then the trees of bodies whose boxes overlap are
//! refitted, then these pairs are tested. A peer that cannot be installed is skipped, and the page
//! says so.

mod difference;
mod report;

use std::path::Path;
use std::process::Command;

use super::server::{self, Server};
use super::{Folders, OUR_RUNS, python_command};
use crate::python;
use crate::shell;
use difference::Difference;

const BODIES: usize = 50;
const FRAMES: usize = 48;

const OURS: &str = "osculate";

/// A query for each frame.
struct Question {
    /// Its name in the processes' protocol.
    id: &'static str,
    text: &'static str,
    /// Numbers in a row of an answer.
    width: usize,
}

const QUESTIONS: [Question; 3] = [
    Question { id: "any", text: "does anything touch", width: 1 },
    Question { id: "bodies", text: "which bodies touch", width: 3 },
    Question { id: "triangles", text: "which triangles touch", width: 5 },
];

/// A running tool.
struct Side {
    name: String,
    /// The name of its files.
    id: &'static str,
    server: Server,
}

/// All measurements.
struct Comparison {
    n_triangles: u64,
    repeat: usize,
    /// For each question and each side, the library first.
    rows: Vec<Row>,
    /// Skipped peers, and why.
    missing: Vec<String>,
}

/// A query answered by a side.
struct Row {
    question: &'static str,
    name: String,
    is_ours: bool,
    /// Seconds for all frames, one entry for each run: total, deforming vertices (or setting
    /// poses), refitting, and testing.
    seconds: Vec<f64>,
    skin: Vec<f64>,
    refit: Vec<f64>,
    query: Vec<f64>,
    difference: Difference,
}

pub(super) fn run(folders: &Folders, repeat: usize) -> anyhow::Result<()> {
    let bench = shell::build_bench("osculate-scenes", "crowd_peers")?;
    // It writes the crowd that coal reads.
    let (server, hello) = Server::start("Osculate", crowd_arguments(&mut Command::new(bench), &folders.out))?;
    let mut sides = vec![Side { name: "Osculate".to_owned(), id: OURS, server }];
    let mut missing = Vec::new();
    for (name, start) in [("parry", start_parry as fn(&Path) -> _), ("coal", start_coal)] {
        match start(&folders.out) {
            Ok(side) => sides.push(side),
            Err(error) => {
                println!("{name} is left out: {error:#}");
                missing.push(format!("{name} was left out: {error:#}"));
            }
        }
    }
    let n_triangles = server::number(&hello, "triangles")? as u64;
    let mut comparison = Comparison { n_triangles, repeat, rows: Vec::new(), missing };
    for question in &QUESTIONS {
        comparison.rows.extend(measure(question, &mut sides, &folders.out, repeat)?);
    }
    folders.publish("crowd.md", &report::markdown(&comparison)?)
}

fn start_parry(out: &Path) -> anyhow::Result<Side> {
    let manifest = super::script("parry/Cargo.toml");
    let program = shell::build_apart(&manifest, "osculate-peers-parry", &out.join("parry"))?;
    let (server, _) = Server::start("parry", crowd_arguments(&mut Command::new(program), out))?;
    Ok(Side { name: "parry".to_owned(), id: "parry", server })
}

fn start_coal(out: &Path) -> anyhow::Result<Side> {
    let python = python::prepare(out, &python::COAL)?;
    let mut command = python_command(&python, "crowd.py");
    // Numpy's matrix products run on one thread too.
    command.env("OPENBLAS_NUM_THREADS", "1");
    let (server, hello) = Server::start("coal", crowd_arguments(&mut command, out))?;
    let name = format!("coal {}", hello["version"].as_str().unwrap_or("unknown"));
    Ok(Side { name, id: "coal", server })
}

fn crowd_arguments<'a>(command: &'a mut Command, out: &Path) -> &'a mut Command {
    command.arg(out).args([BODIES, FRAMES].map(|n| n.to_string()))
}

/// Interleaves all sides on a query.
fn measure(
    question: &'static Question,
    sides: &mut [Side],
    out: &Path,
    repeat: usize,
) -> anyhow::Result<Vec<Row>> {
    let mut rows: Vec<Row> = sides.iter().map(|side| Row::new(question, side)).collect();
    for _ in 0..repeat {
        print!("{}:", question.text);
        for (side, row) in sides.iter_mut().zip(&mut rows) {
            for _ in 0..if row.is_ours { OUR_RUNS } else { 1 } {
                row.ask(question, &mut side.server)?;
            }
            print!(" {} {:.3} s", side.name, row.seconds.last().copied().unwrap_or(f64::NAN));
        }
        println!();
    }
    let read = |side: &Side| difference::read(&out.join(format!("crowd-{}.u32", side.id)), question.width);
    let ours = read(&sides[0])?;
    for (side, row) in sides.iter().zip(&mut rows) {
        row.difference = Difference::new(&read(side)?, &ours);
    }
    Ok(rows)
}

impl Row {
    fn new(question: &Question, side: &Side) -> Row {
        Row {
            question: question.text,
            name: side.name.clone(),
            is_ours: side.id == OURS,
            seconds: Vec::new(),
            skin: Vec::new(),
            refit: Vec::new(),
            query: Vec::new(),
            difference: Difference::default(),
        }
    }

    fn ask(&mut self, question: &Question, server: &mut Server) -> anyhow::Result<()> {
        let answer = server.ask(question.id)?;
        self.seconds.push(server::number(&answer, "seconds")?);
        let stages = &answer["stages"];
        self.skin.push(server::number(stages, "skin")?);
        if !self.is_ours {
            self.refit.push(server::number(stages, "refit")?);
        }
        self.query.push(server::number(stages, "query")?);
        Ok(())
    }
}
