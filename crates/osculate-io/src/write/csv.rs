//! Reports as comma-separated values: a row for each episode, or for each contact and crossing.
//!
//! The first row has the column names. Numbers are the shortest that read back as the same f64.
//! Texts with a comma, a quote or a line break are quoted. Lines end with a line feed.

use std::io::{Result, Write};

use super::columns::{CONTACTS, Cell, Columns, EPISODES, for_each_episode, rows};
use super::episodes::Report;
use super::report::Frame;

/// Writes the episodes of a report, or its contacts and crossings, as CSV, with these
/// [columns](crate::write#the-columns-of-a-table).
///
/// `out` should be buffered, as [`AtomicFile`](super::AtomicFile) is, since it receives many small
/// writes.
#[derive(Debug)]
pub struct CsvWriter<W> {
    out: W,
}

impl<W: Write> CsvWriter<W> {
    /// Starts a table of contacts and crossings with the names of the columns.
    pub fn new(out: W) -> Result<Self> {
        Self::with_columns(out, CONTACTS)
    }

    /// Starts a table of episodes with the names of the columns.
    pub fn of_episodes(out: W) -> Result<Self> {
        Self::with_columns(out, EPISODES)
    }

    fn with_columns(mut out: W, columns: Columns) -> Result<Self> {
        let names: Vec<&str> = columns.all.iter().map(|(name, _)| *name).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self { out })
    }

    /// Writes the rows of a frame.
    pub fn frame(&mut self, frame: &Frame) -> Result<()> {
        rows(frame).try_for_each(|row| self.row(&row))
    }

    /// Writes the rows of all episodes.
    pub fn episodes(&mut self, report: &Report) -> Result<()> {
        for_each_episode(report, |row| self.row(row))
    }

    fn row(&mut self, row: &[Cell]) -> Result<()> {
        for (i, cell) in row.iter().enumerate() {
            if 0 < i {
                self.out.write_all(b",")?;
            }
            match cell {
                Cell::U32(Some(value)) => write!(self.out, "{value}")?,
                Cell::U64(Some(value)) => write!(self.out, "{value}")?,
                // Unlike `{}`, this uses an exponent where that is shorter.
                Cell::F64(Some(value)) => write!(self.out, "{value:?}")?,
                Cell::Text(Some(text)) => write_text(&mut self.out, text)?,
                _ => {}
            }
        }
        self.out.write_all(b"\n")
    }

    /// Finishes the table and returns the writer.
    pub fn finish(mut self) -> Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

fn write_text(out: &mut impl Write, text: &str) -> Result<()> {
    if text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}
