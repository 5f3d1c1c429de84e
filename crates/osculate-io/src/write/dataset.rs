//! The tables of a data set of many clips, as Parquet: `clips`, `episodes` and `contacts`.
//!
//! A clip has one row in `clips`, also if it could not be checked. Its [key](ClipRow::key) is in
//! the rows of all tables and joins them.

use std::io::{Result, Write};
use std::path::Path;

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};

use super::columns::{CONTACTS, Cell, Columns, EPISODES, Type};
use super::episodes::{ClipReport, Report};
use super::parquet::{GROUP_ROWS, ParquetWriter};

/// What is known of a clip: what was found, or why it could not be checked.
///
/// `None` where a value does not apply. The worst problem is the one of the largest severity, see
/// [`Measure`](super::Measure).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipRow {
    /// Names the content of the file, the clip, the options and the version.
    pub key: String,
    /// The file, as given.
    pub file: String,
    /// The version of the program.
    pub version: String,
    /// The options that the answer depends on.
    pub options: String,
    /// Name of the clip; `None` if the file could not be read.
    pub clip: Option<String>,
    /// Why it could not be checked.
    pub error: Option<String>,
    /// The place in the file that is at fault, if it is known.
    pub error_place: Option<String>,
    /// SHA-256 of the content of the file, in hexadecimal digits.
    pub file_hash: Option<String>,
    /// Name of the method.
    pub method: Option<String>,
    /// Number of triangles.
    pub triangles: Option<u32>,
    /// The diagonal of the bounding box at the first frame that was checked.
    pub size: Option<f64>,
    /// Frames per second.
    pub fps: Option<f64>,
    /// The first frame that was checked.
    pub first_frame: Option<u32>,
    /// The last frame that was checked.
    pub last_frame: Option<u32>,
    /// Number of frames in which anything overlaps.
    pub overlapping_frames: Option<u32>,
    /// Number of crossings in all frames, if they were all counted.
    pub crossings: Option<u64>,
    /// Number of contacts in all steps, if they were all counted.
    pub contacts: Option<u64>,
    /// Number of pairs of parts that are problems.
    pub problems: Option<u32>,
    /// Number of pairs of parts that are set aside.
    pub set_aside: Option<u32>,
    /// Number of pairs of parts that are ignored, because the user said so.
    pub ignored: Option<u32>,
    /// Number of episodes: rows in that table.
    pub episodes: Option<u32>,
    /// The first part of the worst problem.
    pub part_a: Option<String>,
    /// The second part of the worst problem.
    pub part_b: Option<String>,
    /// The frame in which it is worst.
    pub worst_frame: Option<u32>,
    /// Its severity, in units of the file.
    pub severity: Option<f64>,
    /// Its severity as a share of the size.
    pub severity_share: Option<f64>,
    /// Its depth, if it has one.
    pub depth: Option<f64>,
    /// Its depth as a share of the size.
    pub depth_share: Option<f64>,
}

/// The columns of clips: the first five are never empty.
const CLIPS: Columns = Columns {
    name: "clips",
    all: &[
        ("key", Type::Text),
        ("file", Type::Text),
        ("status", Type::Text),
        ("version", Type::Text),
        ("options", Type::Text),
        ("clip", Type::Text),
        ("error", Type::Text),
        ("error_place", Type::Text),
        ("file_hash", Type::Text),
        ("method", Type::Text),
        ("triangles", Type::U32),
        ("size", Type::F64),
        ("fps", Type::F64),
        ("first_frame", Type::U32),
        ("last_frame", Type::U32),
        ("overlapping_frames", Type::U32),
        ("crossings", Type::U64),
        ("contacts", Type::U64),
        ("problems", Type::U32),
        ("set_aside", Type::U32),
        ("ignored", Type::U32),
        ("episodes", Type::U32),
        ("part_a", Type::Text),
        ("part_b", Type::Text),
        ("worst_frame", Type::U32),
        ("severity", Type::F64),
        ("severity_share", Type::F64),
        ("depth", Type::F64),
        ("depth_share", Type::F64),
    ],
    required: 5,
};

impl ClipRow {
    /// Takes what was found in a clip.
    pub fn set_results(&mut self, report: &Report, clip: &ClipReport) {
        let file = &report.files[clip.file];
        let n_problems = clip.problems().count();
        self.method = Some(report.header.method.clone());
        self.triangles = Some(file.model.triangles as u32);
        self.size = Some(file.size);
        self.fps = Some(clip.fps);
        [self.first_frame, self.last_frame] = clip.frames.map(Some);
        self.overlapping_frames = Some(clip.overlapping as u32);
        (self.crossings, self.contacts) = (clip.crossings, clip.contacts);
        self.problems = Some(n_problems as u32);
        self.set_aside = Some((clip.pairs.len() - n_problems) as u32);
        self.ignored = Some(clip.ignored as u32);
        self.episodes = Some(clip.pairs.iter().map(|pair| pair.episodes.len()).sum::<usize>() as u32);
        let Some(pair) = clip.problems().next() else { return };
        let worst = pair.worst();
        [self.part_a, self.part_b] = pair.parts.each_ref().map(|part| Some(part.to_string()));
        self.worst_frame = Some(worst.worst_frame);
        self.severity = Some(worst.worst.severity());
        self.severity_share = self.severity.map(|severity| report.share(clip, severity));
        self.depth = worst.worst.depth;
        self.depth_share = self.depth.map(|depth| report.share(clip, depth));
    }

    /// Returns `ok`, or `error` if the clip could not be checked.
    #[must_use]
    pub fn status(&self) -> &'static str {
        if self.error.is_none() { "ok" } else { "error" }
    }

    /// The cells in the order of the columns.
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![
            Cell::Text(Some(&self.key)),
            Cell::Text(Some(&self.file)),
            Cell::Text(Some(self.status())),
            Cell::Text(Some(&self.version)),
            Cell::Text(Some(&self.options)),
            Cell::Text(self.clip.as_deref()),
            Cell::Text(self.error.as_deref()),
            Cell::Text(self.error_place.as_deref()),
            Cell::Text(self.file_hash.as_deref()),
            Cell::Text(self.method.as_deref()),
            Cell::U32(self.triangles),
            Cell::F64(self.size),
            Cell::F64(self.fps),
            Cell::U32(self.first_frame),
            Cell::U32(self.last_frame),
            Cell::U32(self.overlapping_frames),
            Cell::U64(self.crossings),
            Cell::U64(self.contacts),
            Cell::U32(self.problems),
            Cell::U32(self.set_aside),
            Cell::U32(self.ignored),
            Cell::U32(self.episodes),
            Cell::Text(self.part_a.as_deref()),
            Cell::Text(self.part_b.as_deref()),
            Cell::U32(self.worst_frame),
            Cell::F64(self.severity),
            Cell::F64(self.severity_share),
            Cell::F64(self.depth),
            Cell::F64(self.depth_share),
        ]
    }

    /// Reads the row of a file of the table of clips; `None` if it is not one of this layout.
    #[must_use]
    pub fn read(path: &Path) -> Option<ClipRow> {
        let reader = SerializedFileReader::new(std::fs::File::open(path).ok()?).ok()?;
        let row = reader.get_row_iter(None).ok()?.next()?.ok()?;
        let names = row.get_column_iter().map(|(name, _)| name.as_str());
        if !names.eq(CLIPS.all.iter().map(|&(name, _)| name)) {
            return None;
        }
        let mut cells = Cells(&row, 0);
        let mut read = ClipRow { key: cells.text()?, file: cells.text()?, ..ClipRow::default() };
        let status = cells.text()?;
        (read.version, read.options) = (cells.text()?, cells.text()?);
        (read.clip, read.error, read.error_place) = (cells.text(), cells.text(), cells.text());
        (read.file_hash, read.method, read.triangles) = (cells.text(), cells.text(), cells.integer());
        (read.size, read.fps) = (cells.number(), cells.number());
        (read.first_frame, read.last_frame) = (cells.integer(), cells.integer());
        read.overlapping_frames = cells.integer();
        (read.crossings, read.contacts) = (cells.long(), cells.long());
        (read.problems, read.set_aside) = (cells.integer(), cells.integer());
        (read.ignored, read.episodes) = (cells.integer(), cells.integer());
        (read.part_a, read.part_b, read.worst_frame) = (cells.text(), cells.text(), cells.integer());
        (read.severity, read.severity_share) = (cells.number(), cells.number());
        (read.depth, read.depth_share) = (cells.number(), cells.number());
        (read.status() == status).then_some(read)
    }
}

/// The cells of a row, one after the other.
struct Cells<'a>(&'a Row, usize);

impl Cells<'_> {
    fn next(&mut self) -> Option<&Field> {
        self.1 += 1;
        self.0.get_column_iter().nth(self.1 - 1).map(|(_, field)| field)
    }

    fn text(&mut self) -> Option<String> {
        match self.next()? {
            Field::Str(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn integer(&mut self) -> Option<u32> {
        match self.next()? {
            Field::UInt(value) => Some(*value),
            _ => None,
        }
    }

    fn long(&mut self) -> Option<u64> {
        match self.next()? {
            Field::ULong(value) => Some(*value),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<f64> {
        match self.next()? {
            Field::Double(value) => Some(*value),
            _ => None,
        }
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Writes the table of clips with these rows.
    pub fn clips(out: W, rows: &[ClipRow]) -> Result<W> {
        let mut writer = Self::with_columns(out, None, GROUP_ROWS, CLIPS, &[])?;
        rows.iter().try_for_each(|row| writer.row(&row.cells()))?;
        writer.finish()
    }

    /// Writes the start of the table of episodes of a data set, for the clip with this key.
    pub fn keyed_episodes(out: W, key: &str) -> Result<Self> {
        Self::with_columns(out, None, GROUP_ROWS, EPISODES, &[("key", key)])
    }

    /// Writes the start of the table of contacts and crossings of a data set, for the clip of
    /// `file` with this key.
    pub fn keyed_contacts(out: W, key: &str, file: &str) -> Result<Self> {
        Self::with_columns(out, None, GROUP_ROWS, CONTACTS, &[("key", key), ("file", file)])
    }
}
