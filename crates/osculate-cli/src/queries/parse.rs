//! Reads a file of queries: 8 rows for each, seven integers in a row.
//!
//! A row is `x,x',y,y',z,z',answer`: three coordinates as numerator and denominator, of any length,
//! and the known answer, the same in all 8 rows of a query. Rows 1 to 4 are the points at t = 0,
//! rows 5 to 8 the same points at t = 1, in the order of [`Kind`](osculate::narrow::Kind):
//! `v,f0,f1,f2` or `ea0,ea1,eb0,eb1`. Blank lines and either line ending are accepted. A row is
//! named by its line in the file, counted from 1, blank lines included.

use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use osculate::MovingPoint;

use super::rational::{self, Nearest};

/// One query with its known answer.
pub(super) struct Query {
    /// The four points, in the order of the query's kind.
    pub(super) points: [MovingPoint; 4],
    /// Whether the features are known to touch.
    pub(super) touches: bool,
    /// First row of the query: its line in the file, from 1.
    pub(super) row: usize,
    /// Number of coordinates that f64 cannot hold and that were rounded to nearest.
    pub(super) rounded: usize,
}

/// One row of a file.
#[derive(Clone, Copy, Default)]
struct Row {
    row: usize,
    position: [f64; 3],
    rounded: usize,
    touches: bool,
}

const ROWS_PER_QUERY: usize = 8;

/// Returns the queries of a file, at least one, or what is wrong with it and where.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Query>> {
    let name = path.display();
    ensure!(!path.is_dir(), "{name} is a folder; name the CSV files in it");
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            let newlines = bytes.iter().take(error.valid_up_to()).filter(|&&byte| byte == b'\n').count();
            bail!("{name}, row {}: not UTF-8 text (byte {} of the file)", newlines + 1, error.valid_up_to());
        }
    };
    // Some spreadsheets mark UTF-8 text with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut queries = Vec::new();
    let mut block = [Row::default(); ROWS_PER_QUERY];
    let mut filled = 0;
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row = index + 1;
        block[filled] = parse_row(line, row).with_context(|| format!("{name}, row {row}"))?;
        let (first, this) = (block[0], block[filled]);
        ensure!(
            this.touches == first.touches,
            "{name}, row {row}: the ground truth is {}, but row {} of the same query says {}",
            u8::from(this.touches),
            first.row,
            u8::from(first.touches)
        );
        filled += 1;
        if filled == ROWS_PER_QUERY {
            queries.push(query(&block));
            filled = 0;
        }
    }
    ensure!(
        filled == 0,
        "{name}, row {}: the file ends after {filled} of the {ROWS_PER_QUERY} rows of the query that starts here",
        block[0].row
    );
    ensure!(!queries.is_empty(), "{name}, row 1: the file is empty; a query has {ROWS_PER_QUERY} rows");
    Ok(queries)
}

fn query(block: &[Row; ROWS_PER_QUERY]) -> Query {
    Query {
        points: std::array::from_fn(|i| MovingPoint::new(block[i].position, block[i + 4].position)),
        touches: block[0].touches,
        row: block[0].row,
        rounded: block.iter().map(|row| row.rounded).sum(),
    }
}

/// Returns one row; errors do not repeat where it is.
fn parse_row(line: &str, row: usize) -> anyhow::Result<Row> {
    let mut fields = [""; 7];
    let mut count = 0;
    for field in line.split(',') {
        if let Some(slot) = fields.get_mut(count) {
            *slot = field.trim();
        }
        count += 1;
    }
    ensure!(count == fields.len(), "found {count} fields; a row has {}", fields.len());
    let mut parsed = Row { row, ..Row::default() };
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        match rational::nearest(fields[2 * axis], fields[2 * axis + 1]).context(name)? {
            Nearest::Exact(value) => parsed.position[axis] = value,
            Nearest::Rounded(value) => {
                parsed.position[axis] = value;
                parsed.rounded += 1;
            }
        }
    }
    parsed.touches = match fields[6] {
        "0" => false,
        "1" => true,
        other => bail!("the ground truth is `{}`; it must be 0 or 1", rational::shorten(other)),
    };
    Ok(parsed)
}
