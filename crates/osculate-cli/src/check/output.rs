//! Output files, written atomically.

use std::path::PathBuf;

use anyhow::Result;
use osculate::Description;
use osculate_io::Surface;
use osculate_io::write::{self, CsvWriter, Header, JsonWriter, Model, Report};
#[cfg(feature = "parquet")]
use osculate_io::write::{AtomicFile, ParquetWriter};

use super::args::Args;
use super::known;
use crate::destination::{self, Destination};
use crate::source::Source;

/// The requested files.
#[derive(Default)]
pub(super) struct Output {
    json: Option<JsonWriter<Destination>>,
    csv: Option<CsvWriter<Destination>>,
    #[cfg(feature = "parquet")]
    parquet: Option<ParquetWriter<Destination>>,
    /// The contacts of a clip in a data set; whoever opened it finishes it.
    #[cfg(feature = "parquet")]
    pub(super) of_dataset: Option<ParquetWriter<AtomicFile>>,
    /// The frames so far, for a program.
    kept: Option<Vec<write::Frame>>,
    /// Whether there are rows of contacts, not of episodes.
    are_contacts: bool,
}

impl Output {
    /// The contacts of a clip in a data set, if they are wanted, and no other file.
    #[cfg(feature = "parquet")]
    pub(super) fn of_dataset(contacts: Option<ParquetWriter<AtomicFile>>) -> Output {
        Output { of_dataset: contacts, ..Output::default() }
    }

    /// Whether the contacts of a data set are written.
    fn is_of_dataset(&self) -> bool {
        #[cfg(feature = "parquet")]
        return self.of_dataset.is_some();
        #[cfg(not(feature = "parquet"))]
        return false;
    }

    /// Opens the files; existing files of the same names are not touched yet.
    pub(super) fn open(&mut self, args: &Args, header: &Header) -> Result<()> {
        let output = self;
        output.are_contacts = args.contacts;
        // Those of a data set are written at once.
        if !args.audience.is_people() && !output.is_of_dataset() {
            output.kept = Some(Vec::new());
        }
        if let Some(path) = &args.json {
            output.json = Some(JsonWriter::new(Destination::create(path)?, args.contacts));
        }
        if let Some(path) = &args.csv {
            let out = Destination::create(path)?;
            output.csv =
                Some(if args.contacts { CsvWriter::new(out)? } else { CsvWriter::of_episodes(out)? });
        }
        #[cfg(feature = "parquet")]
        if let Some(path) = &args.parquet {
            let out = Destination::create(path)?;
            output.parquet = Some(match args.contacts {
                true => ParquetWriter::new(out, header)?,
                false => ParquetWriter::of_episodes(out, header)?,
            });
        }
        #[cfg(not(feature = "parquet"))]
        let _ = header;
        // Those that are written at once fail now rather than at the end.
        for path in [&args.junit, &args.sarif, &args.write_baseline].into_iter().flatten() {
            drop(Destination::create(path)?);
        }
        Ok(())
    }

    /// Adds the contacts and crossings of a frame.
    pub(super) fn frame(&mut self, record: &write::Frame) -> Result<()> {
        if let Some(kept) = &mut self.kept {
            kept.push(record.clone());
        }
        if let Some(json) = &mut self.json {
            json.frame(record)?;
        }
        if let Some(csv) = &mut self.csv {
            csv.frame(record)?;
        }
        #[cfg(feature = "parquet")]
        if let Some(parquet) = &mut self.parquet {
            parquet.frame(record)?;
        }
        #[cfg(feature = "parquet")]
        if let Some(contacts) = &mut self.of_dataset {
            contacts.frame(record)?;
        }
        Ok(())
    }

    /// Takes the frames that were kept for a program.
    pub(super) fn take_kept(&mut self) -> Vec<write::Frame> {
        self.kept.take().unwrap_or_default()
    }

    /// Writes the rest, and renames the files to their final names, which are returned.
    pub(super) fn finish(mut self, args: &Args, report: &Report) -> Result<Vec<PathBuf>> {
        let are_episodes = !self.are_contacts;
        if are_episodes && let Some(csv) = &mut self.csv {
            csv.episodes(report)?;
        }
        #[cfg(feature = "parquet")]
        if are_episodes && let Some(parquet) = &mut self.parquet {
            parquet.episodes(report)?;
        }
        let files = [
            self.json.map(|json| json.finish(report)).transpose()?,
            self.csv.map(CsvWriter::finish).transpose()?,
            #[cfg(feature = "parquet")]
            self.parquet.map(ParquetWriter::finish).transpose()?,
        ];
        files.into_iter().flatten().try_for_each(Destination::finish)?;
        if let Some(path) = &args.junit {
            destination::write(path, &write::junit(report))?;
        }
        if let Some(path) = &args.sarif {
            destination::write(path, &write::sarif(report))?;
        }
        if let Some(path) = &args.write_baseline {
            destination::write(path, &known::text_of(report))?;
        }
        Ok(args.reports().cloned().collect())
    }
}

/// The surface of a file, in numbers.
pub(super) fn model(surface: &Surface, description: &Description) -> Model {
    let welding = surface.welding.as_ref();
    Model {
        vertices: description.vertices,
        triangles: description.triangles,
        edges: description.edges,
        components: description.components,
        boundary_edges: description.boundary_edges,
        non_manifold_edges: description.non_manifold_edges,
        closed: description.is_closed(),
        welded: welding.map_or(0, |welding| welding.welded),
        source: welding.map(|welding| welding.source.clone()),
    }
}

/// What is known before the first clip is done.
pub(super) fn header(args: &Args, source: &Source, model: Model) -> Header {
    Header {
        input: source.inputs.clone(),
        model,
        method: args.method().to_string(),
        guarantee: args.method().guarantee(),
        threads: rayon::current_num_threads(),
        thickness: args.thickness,
    }
}
