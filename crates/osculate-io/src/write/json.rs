//! Reports as JSON. The JSON Schema `docs/report.schema.json` describes the members.
//!
//! Numbers are the shortest that read back as the same f64. Every clip, pair, episode and frame is
//! one line. The same content gives the same bytes.

use std::io::{Result, Write};

use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeStruct as _, Serializer};

use super::episodes::{ClipReport, Episode, File, Measure, Pair, Report};
use super::report::{Contact, Crossing, FORMAT, Frame, Header, Model};
use super::spool::Spool;

/// Writes a report as JSON.
///
/// `out` should be buffered, as [`AtomicFile`](super::AtomicFile) is, since it receives many small
/// writes. Frames are kept, in a temporary file if they are many, until [`finish`](Self::finish)
/// writes everything: what was found stands first.
#[derive(Debug)]
pub struct JsonWriter<W> {
    out: W,
    /// The frames so far, if there are to be any.
    frames: Option<Spool>,
    is_first: bool,
}

impl<W: Write> JsonWriter<W> {
    /// A report with or without the contacts and crossings of its frames.
    #[must_use]
    pub fn new(out: W, with_frames: bool) -> Self {
        Self { out, frames: with_frames.then(Spool::default), is_first: true }
    }

    /// Adds a frame, if the report has frames.
    pub fn frame(&mut self, frame: &Frame) -> Result<()> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        frames.write_all(if self.is_first { b"\n" } else { b",\n" })?;
        self.is_first = false;
        serde_json::to_writer(frames, frame)?;
        Ok(())
    }

    /// Writes the report and returns the writer.
    pub fn finish(mut self, report: &Report) -> Result<W> {
        let out = &mut self.out;
        let text = serde_json::to_string(&report.header)?;
        // Further members replace the closing brace.
        out.write_all(&text.as_bytes()[..text.len() - 1])?;
        write!(out, ",\n\"partial\":{},\n\"baseline\":", report.partial)?;
        serde_json::to_writer(&mut *out, &report.baseline)?;
        write_list(out, "files", report.files.iter().map(FileRow))?;
        let problems = report.ranked(true);
        let known = report.ranked(false);
        let n_frames = |clip: &ClipReport| u64::from(clip.frames[1] - clip.frames[0]) + 1;
        let n_episodes: usize =
            report.clips.iter().flat_map(|clip| &clip.pairs).map(|pair| pair.episodes.len()).sum();
        out.write_all(b",\n\"totals\":")?;
        let totals = Totals {
            clips: report.clips.len(),
            frames: report.clips.iter().map(n_frames).sum(),
            overlapping_frames: report.clips.iter().map(|clip| clip.overlapping).sum(),
            problems: problems.len(),
            known: known.len(),
            ignored: report.clips.iter().map(|clip| clip.ignored).sum(),
            episodes: n_episodes,
        };
        serde_json::to_writer(&mut *out, &totals)?;
        let number = |of: &ClipReport| {
            report.clips.iter().position(|clip| std::ptr::eq(clip, of)).unwrap_or(report.clips.len())
        };
        write_list(out, "clips", report.clips.iter().map(|clip| ClipRow::new(report, clip)))?;
        let ranked: Vec<_> =
            problems.into_iter().chain(known).map(|(clip, pair)| (number(clip), pair)).collect();
        let mut first = 0;
        let pairs = ranked.iter().map(|&(clip, pair)| {
            first += pair.episodes.len();
            PairRow::new(report, clip, pair, first - pair.episodes.len())
        });
        write_list(out, "pairs", pairs)?;
        let episodes = ranked.iter().enumerate().flat_map(|(i, &(clip, pair))| {
            pair.episodes.iter().map(move |episode| EpisodeRow::new(report, clip, i, pair, episode))
        });
        write_list(out, "episodes", episodes)?;
        if let Some(frames) = self.frames {
            self.out.write_all(b",\n\"frames\":[")?;
            frames.copy_to(&mut self.out)?;
            self.out.write_all(b"\n]")?;
        }
        self.out.write_all(b"}\n")?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Writes a member that is a list, with one item per line.
fn write_list<T: Serialize>(out: &mut impl Write, name: &str, items: impl Iterator<Item = T>) -> Result<()> {
    write!(out, ",\n\"{name}\":[")?;
    for (i, item) in items.enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &item)?;
    }
    out.write_all(b"\n]")
}

#[derive(Serialize)]
struct Totals {
    clips: usize,
    frames: u64,
    overlapping_frames: usize,
    problems: usize,
    known: usize,
    ignored: usize,
    episodes: usize,
}

struct FileRow<'a>(&'a File);

impl Serialize for FileRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("File", 4)?;
        fields.serialize_field("name", &self.0.name)?;
        fields.serialize_field("size", &self.0.size)?;
        fields.serialize_field("part_kind", self.0.part_kind)?;
        // The origin of the vertices is in the header, for the first file.
        fields.serialize_field("model", &Model { source: None, ..self.0.model.clone() })?;
        fields.end()
    }
}

#[derive(Serialize)]
struct ClipRow<'a> {
    file: usize,
    name: &'a str,
    fps: f64,
    first_frame: u32,
    last_frame: u32,
    overlapping_frames: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    crossings: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<u64>,
    problems: usize,
    known: usize,
    ignored: usize,
    worst_depth: Option<f64>,
    worst_share: Option<f64>,
}

impl<'a> ClipRow<'a> {
    fn new(report: &Report, clip: &'a ClipReport) -> Self {
        let problems = clip.problems().count();
        let worst = clip.problems().next().map(Pair::worst);
        Self {
            file: clip.file,
            name: &clip.name,
            fps: clip.fps,
            first_frame: clip.frames[0],
            last_frame: clip.frames[1],
            overlapping_frames: clip.overlapping,
            crossings: clip.crossings,
            contacts: clip.contacts,
            problems,
            known: clip.pairs.len() - problems,
            ignored: clip.ignored,
            worst_depth: worst.and_then(|worst| worst.worst.depth),
            worst_share: worst.map(|worst| report.share(clip, worst.worst.severity())),
        }
    }
}

/// How far parts overlap, as members.
#[derive(Serialize)]
struct MeasureFields {
    depth: Option<f64>,
    depth_share: Option<f64>,
    severity_share: f64,
    area: Option<f64>,
    length: f64,
    extent: f64,
    crossings: u32,
    point: [f64; 3],
}

impl MeasureFields {
    fn new(report: &Report, clip: usize, measure: &Measure) -> Self {
        let share = |length: f64| report.share(&report.clips[clip], length);
        Self {
            depth: measure.depth,
            depth_share: measure.depth.map(share),
            severity_share: share(measure.severity()),
            area: measure.area,
            length: measure.length,
            extent: measure.extent,
            crossings: measure.crossings,
            point: measure.point,
        }
    }
}

#[derive(Serialize)]
struct PairRow<'a> {
    clip: usize,
    parts: [&'a str; 2],
    status: &'static str,
    /// The runs of frames in which they cross.
    frames: Vec<[u32; 2]>,
    worst_frame: u32,
    #[serde(flatten)]
    worst: MeasureFields,
    /// The numbers of the first episode and of the one behind the last.
    episodes: [usize; 2],
}

impl<'a> PairRow<'a> {
    fn new(report: &Report, clip: usize, pair: &'a Pair, first: usize) -> Self {
        let worst = pair.worst();
        Self {
            clip,
            parts: pair.parts.each_ref().map(|part| &**part),
            status: pair.status.word(),
            frames: pair.episodes.iter().filter_map(|episode| episode.frames).collect(),
            worst_frame: worst.worst_frame,
            worst: MeasureFields::new(report, clip, &worst.worst),
            episodes: [first, first + pair.episodes.len()],
        }
    }
}

#[derive(Serialize)]
struct EpisodeRow<'a> {
    pair: usize,
    clip: usize,
    parts: [&'a str; 2],
    status: &'static str,
    first_frame: Option<u32>,
    last_frame: Option<u32>,
    enter: f64,
    leave: f64,
    enter_seconds: f64,
    leave_seconds: f64,
    worst_frame: u32,
    #[serde(flatten)]
    worst: MeasureFields,
}

impl<'a> EpisodeRow<'a> {
    fn new(report: &Report, clip: usize, i: usize, pair: &'a Pair, episode: &Episode) -> Self {
        Self {
            pair: i,
            clip,
            parts: pair.parts.each_ref().map(|part| &**part),
            status: pair.status.word(),
            first_frame: episode.frames.map(|[first, _]| first),
            last_frame: episode.frames.map(|[_, last]| last),
            enter: episode.enter,
            leave: episode.leave,
            enter_seconds: episode.seconds[0],
            leave_seconds: episode.seconds[1],
            worst_frame: episode.worst_frame,
            worst: MeasureFields::new(report, clip, &episode.worst),
        }
    }
}

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Header", 7)?;
        fields.serialize_field("format", FORMAT)?;
        fields.serialize_field("input", &self.input)?;
        fields.serialize_field("model", &self.model)?;
        fields.serialize_field("method", &self.method)?;
        fields.serialize_field("guarantee", self.guarantee.word())?;
        fields.serialize_field("threads", &self.threads)?;
        fields.serialize_field("thickness", &self.thickness)?;
        fields.end()
    }
}

impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Model", 9)?;
        fields.serialize_field("vertices", &self.vertices)?;
        fields.serialize_field("triangles", &self.triangles)?;
        fields.serialize_field("edges", &self.edges)?;
        fields.serialize_field("components", &self.components)?;
        fields.serialize_field("boundary_edges", &self.boundary_edges)?;
        fields.serialize_field("non_manifold_edges", &self.non_manifold_edges)?;
        fields.serialize_field("closed", &self.closed)?;
        fields.serialize_field("welded", &self.welded)?;
        if let Some(source) = &self.source {
            // Four numbers for each vertex; with field names they would dominate the report.
            let rows: Vec<[u32; 4]> =
                source.iter().map(|v| [v.node, v.mesh, v.primitive, v.vertex]).collect();
            fields.serialize_field("source", &rows)?;
        }
        fields.end()
    }
}

impl Serialize for Frame {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Frame", 10)?;
        if let Some(file) = self.file {
            fields.serialize_field("file", &file)?;
        }
        fields.serialize_field("clip", &*self.clip)?;
        fields.serialize_field("frame", &self.frame)?;
        fields.serialize_field("from", &self.from)?;
        fields.serialize_field("to", &self.to)?;
        fields.serialize_field("earliest", &self.earliest)?;
        fields.serialize_field("contacts", &self.contacts)?;
        fields.serialize_field("crossings", &self.crossings)?;
        fields.serialize_field("stats", &Counts(&self.stats))?;
        fields.serialize_field("ms", &self.ms)?;
        fields.end()
    }
}

struct Counts<'a>(&'a [(&'static str, u64)]);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, count) in self.0 {
            map.serialize_entry(name, count)?;
        }
        map.end()
    }
}

impl Serialize for Contact {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Contact", 10)?;
        fields.serialize_field("kind", self.kind.word())?;
        fields.serialize_field("a", self.a())?;
        fields.serialize_field("b", self.b())?;
        fields.serialize_field("toi", &self.toi)?;
        fields.serialize_field("point", &self.point)?;
        fields.serialize_field("normal", &self.normal)?;
        fields.serialize_field("weights", &self.weights)?;
        fields.serialize_field("distance", &self.distance)?;
        fields.serialize_field("bodies", &self.bodies)?;
        if let Some([a, b]) = &self.bones {
            fields.serialize_field("bones", &[&**a, &**b])?;
        }
        fields.end()
    }
}

impl Serialize for Crossing {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Crossing", 4)?;
        fields.serialize_field("triangles", &self.triangles)?;
        fields.serialize_field("segment", &self.segment)?;
        fields.serialize_field("bodies", &self.bodies)?;
        if let Some([a, b]) = &self.bones {
            fields.serialize_field("bones", &[&**a, &**b])?;
        }
        fields.end()
    }
}
