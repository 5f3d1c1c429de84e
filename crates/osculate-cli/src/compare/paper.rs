//! What the tables of papers have in common.

use std::fmt::{Display, Write as _};

use anyhow::{Result, bail, ensure};
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use osculate_io::printable;

use super::HowArgs;
use crate::terminal;

/// Fails if options are given that a paper decides by itself, or scenes that it does not have.
pub(super) fn check(how: &HowArgs, number: &str, names: &[&str], scenes: &[&str]) -> Result<()> {
    ensure!(how.methods.is_empty(), "--methods cannot be used with --paper, which has its own methods");
    ensure!(!how.discrete, "--discrete cannot be used with --paper {number}, which has its own queries");
    ensure!(how.frames.is_none(), "--frames cannot be used with --paper {number}; use --steps");
    if let Some(name) = names.iter().find(|name| !scenes.contains(name)) {
        bail!("there is no scene '{name}' in the paper; its scenes are {}", scenes.join(", "));
    }
    Ok(())
}

/// Prints which of `n` scenes is measured next, if there are several.
pub(super) fn announce(scene: impl Display, i: usize, n: usize) {
    if n == 1 {
        return;
    }
    let scene = printable(&scene.to_string());
    terminal::say(&format!("measuring {scene} ({} of {n})\n", i + 1));
}

/// Some of the first `n` frames, evenly spread.
pub(super) fn spread(n: usize, most: usize) -> Vec<usize> {
    let taken = most.min(n);
    (0..taken).map(|i| i * n / taken).collect()
}

/// A table whose first columns are text, and all others numbers.
pub(super) fn table(n_names: usize, header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header.to_vec());
    for k in n_names..header.len() {
        if let Some(column) = table.column_mut(k) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Adds a table with its title.
pub(super) fn add(text: &mut String, title: &str, table: &Table) {
    let _ = writeln!(text, "{title}\n\n{table}\n");
}

/// Our number, with the paper's in brackets if there is one.
pub(super) fn beside(ours: String, theirs: Option<String>) -> String {
    match theirs {
        Some(theirs) => format!("{ours} ({theirs})"),
        None => ours,
    }
}
