//! Reports as comma-separated values, a row for each contact and each crossing.
//!
//! The first row has the column names. Numbers are the shortest that read back as the same f64.
//! Texts with a comma, a quote or a line break are quoted. Lines end with a line feed.

use std::io::{Result, Write};

use super::columns::{COLUMNS, Cell, rows};
use super::report::Frame;

/// Writes the contacts and crossings of a report as CSV, with these
/// [columns](crate::write#the-columns-of-a-table).
///
/// `out` should be buffered, as [`AtomicFile`](super::AtomicFile) is, since it receives many small
/// writes.
#[derive(Debug)]
pub struct CsvWriter<W> {
    out: W,
}

impl<W: Write> CsvWriter<W> {
    /// Writes the names of the columns.
    pub fn new(mut out: W) -> Result<Self> {
        writeln!(out, "{}", COLUMNS.map(|(name, _)| name).join(","))?;
        Ok(Self { out })
    }

    /// Writes the rows of a frame.
    pub fn frame(&mut self, frame: &Frame) -> Result<()> {
        for row in rows(frame) {
            for (i, cell) in row.iter().enumerate() {
                if 0 < i {
                    self.out.write_all(b",")?;
                }
                match cell {
                    Cell::U32(Some(value)) => write!(self.out, "{value}")?,
                    // Unlike `{}`, this uses an exponent where that is shorter.
                    Cell::F64(Some(value)) => write!(self.out, "{value:?}")?,
                    Cell::Text(Some(text)) => write_text(&mut self.out, text)?,
                    _ => {}
                }
            }
            self.out.write_all(b"\n")?;
        }
        Ok(())
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
