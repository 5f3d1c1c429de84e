//! Output files, written atomically.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};
use osculate::narrow::Kind;
use osculate::{BodyId, Contact, Crossing, Description, Stats};
use osculate_io::Clip;
#[cfg(feature = "parquet")]
use osculate_io::write::ParquetWriter;
use osculate_io::write::{self, CsvWriter, Header, JsonWriter, Model};

use super::args::Args;
use super::sides::Sides;
use crate::destination::Destination;
use crate::source::Source;

/// A contact or a crossing, with the numbers of its features in the surface and its sides.
pub(super) enum Found {
    Contact { contact: Contact, vertices: [u32; 4], sides: [u32; 2] },
    Crossing { crossing: Crossing, triangles: [u32; 2], sides: [u32; 2] },
}

impl Found {
    /// Sort key of results.
    pub(super) fn order(&self) -> (u8, [u32; 4]) {
        match self {
            Found::Contact { contact, vertices, .. } => (contact.key.kind as u8, *vertices),
            Found::Crossing { triangles: [a, b], .. } => (0, [*a, *b, 0, 0]),
        }
    }

    pub(super) fn sides(&self) -> [u32; 2] {
        match self {
            Found::Contact { sides, .. } | Found::Crossing { sides, .. } => *sides,
        }
    }
}

/// Results of a step or of a frame.
pub(super) struct Frame {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) found: Vec<Found>,
    pub(super) stats: Stats,
    pub(super) ms: f64,
}

impl Frame {
    /// The lower end of the earliest bracket.
    pub(super) fn earliest(&self) -> Option<f64> {
        let times = self.found.iter().filter_map(|found| match found {
            Found::Contact { contact, .. } => Some(contact.lo),
            Found::Crossing { .. } => None,
        });
        times.reduce(f64::min)
    }
}

/// The requested files.
#[derive(Default)]
pub(super) struct Output {
    json: Option<JsonWriter<Destination>>,
    csv: Option<CsvWriter<Destination>>,
    #[cfg(feature = "parquet")]
    parquet: Option<ParquetWriter<Destination>>,
    paths: Vec<PathBuf>,
}

impl Output {
    /// Fails if a report would cover several models.
    pub(super) fn check(args: &Args, source: &Source) -> Result<()> {
        let first = &source.clips[0].surface;
        let is_one = source.clips.iter().all(|clip| Arc::ptr_eq(&clip.surface, first));
        let is_asked_for = [&args.json, &args.csv, &args.parquet].into_iter().any(|path| path.is_some());
        ensure!(
            is_one || !is_asked_for,
            "a report is about one model, and these are {} files; check one at a time to write one",
            source.inputs.len()
        );
        Ok(())
    }

    /// Opens the files; existing files of the same names are not touched yet.
    pub(super) fn create(args: &Args, source: &Source, description: &Description) -> Result<Output> {
        let mut output = Output::default();
        let files = [&args.json, &args.csv, &args.parquet];
        output.paths = files.into_iter().flatten().cloned().collect();
        if output.paths.is_empty() {
            return Ok(output);
        }
        let header = header(args, source, description);
        if let Some(path) = &args.json {
            output.json = Some(JsonWriter::new(Destination::create(path)?, &header)?);
        }
        if let Some(path) = &args.csv {
            output.csv = Some(CsvWriter::new(Destination::create(path)?)?);
        }
        #[cfg(feature = "parquet")]
        if let Some(path) = &args.parquet {
            output.parquet = Some(ParquetWriter::new(Destination::create(path)?, &header)?);
        }
        Ok(output)
    }

    pub(super) fn frame(&mut self, clip: &Clip, frame: &Frame, sides: &Sides) -> Result<()> {
        if self.paths.is_empty() {
            return Ok(());
        }
        let record = record(clip, frame, sides);
        if let Some(json) = &mut self.json {
            json.frame(&record)?;
        }
        if let Some(csv) = &mut self.csv {
            csv.frame(&record)?;
        }
        #[cfg(feature = "parquet")]
        if let Some(parquet) = &mut self.parquet {
            parquet.frame(&record)?;
        }
        Ok(())
    }

    /// Renames the files to their final names, and returns these.
    pub(super) fn finish(self) -> Result<Vec<PathBuf>> {
        let files = [
            self.json.map(JsonWriter::finish).transpose()?,
            self.csv.map(CsvWriter::finish).transpose()?,
            #[cfg(feature = "parquet")]
            self.parquet.map(ParquetWriter::finish).transpose()?,
        ];
        files.into_iter().flatten().try_for_each(Destination::finish)?;
        Ok(self.paths)
    }
}

fn header(args: &Args, source: &Source, description: &Description) -> Header {
    let welding = source.clips[0].surface.welding.as_ref();
    Header {
        input: source.inputs.clone(),
        model: Model {
            vertices: description.vertices,
            triangles: description.triangles,
            edges: description.edges,
            components: description.components,
            boundary_edges: description.boundary_edges,
            non_manifold_edges: description.non_manifold_edges,
            closed: description.is_closed(),
            welded: welding.map_or(0, |welding| welding.welded),
            source: welding.map(|welding| welding.source.clone()),
        },
        method: args.method().to_string(),
        guarantee: args.method().guarantee(),
        threads: rayon::current_num_threads(),
    }
}

/// Converts a frame to its report record.
fn record(clip: &Clip, frame: &Frame, sides: &Sides) -> write::Frame {
    let mut record = write::Frame {
        clip: clip.name.as_str().into(),
        frame: frame.from as u32,
        from: frame.from as u32,
        to: frame.to as u32,
        earliest: frame.earliest(),
        contacts: Vec::new(),
        crossings: Vec::new(),
        stats: stats(&frame.stats),
        ms: frame.ms,
    };
    let bodies = |bodies: [BodyId; 2]| bodies.map(|body| body.index() as u32);
    for found in &frame.found {
        let bones = sides.skin().map(|_| found.sides().map(|side| sides.name(side)));
        match found {
            Found::Contact { contact, vertices, .. } => record.contacts.push(write::Contact {
                kind: match contact.key.kind {
                    Kind::VertexFace => write::Kind::VertexFace,
                    Kind::EdgeEdge => write::Kind::EdgeEdge,
                },
                vertices: *vertices,
                toi: [contact.lo, contact.hi],
                point: contact.at.point,
                normal: contact.at.normal,
                weights: contact.at.weights,
                distance: contact.at.distance,
                bodies: bodies(contact.key.bodies),
                bones,
            }),
            Found::Crossing { crossing, triangles, .. } => record.crossings.push(write::Crossing {
                triangles: *triangles,
                segment: crossing.segment,
                bodies: bodies(crossing.bodies),
                bones,
            }),
        }
    }
    record
}

/// The counts of a query, by name.
fn stats(stats: &Stats) -> Vec<(&'static str, u64)> {
    let (narrow, triangles) = (&stats.narrow, &stats.triangles);
    vec![
        ("rebuilds", stats.rebuilds),
        ("bv_tests", stats.bounds_tests),
        ("certificate_tests", stats.certificates.patches + stats.certificates.pairs),
        ("contour_tests", stats.certificates.facing),
        ("bounds_refitted", stats.skinning.refits),
        ("vertices_moved", stats.skinning.vertices),
        ("pairs", stats.pairs),
        ("feature_tests", narrow.queries),
        ("box_misses", narrow.box_misses),
        ("cubic_misses", narrow.cubic_misses),
        ("root_misses", narrow.root_misses),
        ("root_hits", narrow.root_hits),
        ("split_misses", narrow.split_misses),
        ("split_hits", narrow.split_hits),
        ("separation_misses", narrow.separation_misses),
        ("separation_hits", narrow.separation_hits),
        ("triangle_tests", triangles.pairs),
        ("plane_misses", triangles.plane_misses),
        ("exact_tests", narrow.exact() + triangles.exact),
        ("found", stats.found),
        ("excluded", stats.excluded),
    ]
}
