//! Reports as JSON, a frame at a time.
//!
//! Numbers are the shortest that read back as the same f64. Every frame is one line. The same
//! content gives the same bytes.

use std::io::{Result, Write};

use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeStruct as _, Serializer};

use super::report::{Contact, Crossing, FORMAT, Frame, Header, Model};

/// Writes a report as JSON.
///
/// `out` should be buffered, as [`AtomicFile`](super::AtomicFile) is, since it receives many small
/// writes. Without [`finish`](Self::finish) the text is not valid.
#[derive(Debug)]
pub struct JsonWriter<W> {
    out: W,
    is_first: bool,
}

impl<W: Write> JsonWriter<W> {
    /// Writes the header.
    pub fn new(mut out: W, header: &Header) -> Result<Self> {
        let text = serde_json::to_string(header)?;
        // The list of frames replaces the closing brace.
        out.write_all(&text.as_bytes()[..text.len() - 1])?;
        out.write_all(b",\n\"frames\":[")?;
        Ok(Self { out, is_first: true })
    }

    /// Writes a frame.
    pub fn frame(&mut self, frame: &Frame) -> Result<()> {
        self.out.write_all(if self.is_first { b"\n" } else { b",\n" })?;
        self.is_first = false;
        serde_json::to_writer(&mut self.out, frame)?;
        Ok(())
    }

    /// Finishes the report and returns the writer.
    pub fn finish(mut self) -> Result<W> {
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()?;
        Ok(self.out)
    }
}

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Header", 6)?;
        fields.serialize_field("format", FORMAT)?;
        fields.serialize_field("input", &self.input)?;
        fields.serialize_field("model", &self.model)?;
        fields.serialize_field("method", &self.method)?;
        fields.serialize_field("guarantee", self.guarantee.word())?;
        fields.serialize_field("threads", &self.threads)?;
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
        let mut fields = serializer.serialize_struct("Frame", 9)?;
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
