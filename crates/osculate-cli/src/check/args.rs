//! What the user typed, and what it means.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args as Arguments;
use osculate::narrow::Settings;
use osculate::{Query, Want};

use crate::destination::{self, is_stdout};
use crate::features::Feature;
use crate::frames::Frames;
use crate::options::{Bodies, MethodName};
use crate::source::InputArgs;

/// Find the frames in which an animated surface touches or passes through itself, and where.
///
/// Without an input the built-in scene `figure` is checked.
#[derive(Arguments, Clone)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) source: InputArgs,
    /// Only from frame A to frame B, both included
    #[arg(long, value_name = "A..B")]
    pub(super) frames: Option<Frames>,
    /// Crossings at each frame
    #[arg(long, conflicts_with = "continuous")]
    pub(super) discrete: bool,
    /// Contacts between frames, with their times [default]
    #[arg(long)]
    pub(super) continuous: bool,
    /// How candidates are found; every complete method gives the same answer
    #[arg(long, value_enum, default_value_t)]
    method: MethodName,
    /// With normal cones, start each walk where the last one stopped
    #[arg(long)]
    front: bool,
    /// With radial view culling, look no further than the first contact of a step
    #[arg(long)]
    first_contact: bool,
    /// With radial view culling, take the clusters from this file; if there is none, write it
    #[arg(long, value_name = "FILE")]
    pub(super) clusters: Option<PathBuf>,
    /// What counts as one body
    #[arg(long, value_enum, default_value_t)]
    pub(super) bodies: Bodies,
    /// Also report what comes closer than this, in units of the input
    #[arg(long, value_name = "D", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(super) thickness: f64,
    /// Only the earliest contact of each step
    #[arg(long, conflicts_with = "discrete")]
    pub(super) earliest: bool,
    /// Threads to work with [default: as many as the machine has]
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<usize>,
    /// Compare every answer with that of brute force, or of another complete method where that
    /// takes too long
    #[arg(long)]
    pub(super) verify: bool,
    /// Write the report as JSON; `-` is standard output, here and below
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write one row for each contact or crossing as CSV
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
    /// Write one row for each contact or crossing as Parquet (in builds with the feature `parquet`)
    #[arg(long, value_name = "FILE")]
    pub(super) parquet: Option<PathBuf>,
    /// Exit with 1 if there are contacts
    #[arg(long)]
    pub(super) fail_on_contact: bool,
}

impl Args {
    /// The method; `auto` only until it is [decided](Self::with_method).
    pub(super) fn method(&self) -> MethodName {
        match self.method {
            _ if self.front => MethodName::NormalConeFront,
            _ if self.first_contact => MethodName::RadialFirst,
            method => method,
        }
    }

    /// The same with a method in the place of `auto`.
    pub(super) fn with_method(&self, method: MethodName) -> Args {
        Args { method, ..self.clone() }
    }

    /// An option that makes sense for steps only, if one is given.
    pub(super) fn needs_steps(&self) -> Option<&'static str> {
        let given = [
            ("--continuous", self.continuous),
            ("--thickness", self.thickness != 0.0),
            ("--earliest", self.earliest),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }

    /// Whether a report goes to standard output.
    pub(super) fn takes_stdout(&self) -> bool {
        [&self.json, &self.csv, &self.parquet].into_iter().flatten().any(|path| is_stdout(path))
    }

    /// What is asked of the library.
    pub(super) fn query(&self) -> Query<'static> {
        Query {
            want: if self.earliest { Want::Earliest } else { Want::All },
            method: self.method().method(),
            narrow: Settings { min_separation: self.thickness, ..Settings::default() },
            ..Query::default()
        }
    }

    /// Fails if a value makes no sense, before anything is read or written.
    pub(super) fn validate(&self) -> Result<()> {
        let is_length = self.thickness.is_finite() && 0.0 <= self.thickness;
        ensure!(is_length, "--thickness is {}; it must be a length, 0 or more", self.thickness);
        ensure!(self.thickness == 0.0 || !self.discrete, "--thickness has no meaning with --discrete");
        let has_front =
            matches!(self.method, MethodName::Auto | MethodName::NormalCone | MethodName::NormalConeFront);
        ensure!(
            !self.front || has_front,
            "--front is for the method normal-cone, not for {}",
            self.method.name()
        );
        let is_radial = self.method.is_radial();
        ensure!(
            !self.first_contact || is_radial,
            "--first-contact is for the method radial, not for {}",
            self.method.name()
        );
        ensure!(
            self.clusters.is_none() || is_radial,
            "--clusters is for the method radial, not for {}",
            self.method.name()
        );
        ensure!(self.threads != Some(0), "--threads is 0; there must be one at least");
        if self.parquet.is_some() {
            Feature::Parquet.require("--parquet", "check --parquet FILE …")?;
        }
        let outputs = [&self.json, &self.csv, &self.parquet, &self.clusters];
        let outputs: Vec<&PathBuf> = outputs.into_iter().flatten().collect();
        destination::check(&outputs, self.parquet.as_ref())?;
        let is_kept = self.clusters.as_ref().is_none_or(|path| !is_stdout(path));
        ensure!(is_kept, "--clusters needs a file, as it is read again; standard output is none");
        for output in outputs {
            ensure!(
                !self.source.input.contains(output),
                "{}: is an input, and would be lost",
                output.display()
            );
        }
        Ok(())
    }
}
