//! The arguments of `osculate check`.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args as Arguments;
use osculate::method::NormalCone;
use osculate::{Method, Query, Results};

use super::painting;
use crate::destination::{self, is_stdout};
use crate::features::Feature;
use crate::frames::Frames;
use crate::options::{Bodies, MethodName};
use crate::source::InputArgs;
use crate::words::counted;

/// Find the frames and places in which an animated surface touches or passes through itself.
///
/// Without an input, the built-in scene `figure` is checked.
#[derive(Arguments, Clone)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) source: InputArgs,
    /// Only frames A to B, inclusive
    #[arg(long, value_name = "A..B")]
    pub(super) frames: Option<Frames>,
    /// Find crossings at each frame
    #[arg(long, conflicts_with = "continuous")]
    pub(super) discrete: bool,
    /// Find contacts between frames, with their times [default]
    #[arg(long)]
    pub(super) continuous: bool,
    /// How candidates are found; every complete method gives the same answer
    #[arg(long, value_name = "NAME", default_value_t)]
    method: MethodName,
    /// With normal cones, start each traversal where the last one stopped
    #[arg(long)]
    front: bool,
    /// With chromatic decomposition, compare sets on a GPU (in builds with the feature `gpu`); NAME
    /// is a part of its name
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) gpu: Option<String>,
    /// With radial view culling, guarantee only the first contact of a step
    #[arg(long)]
    first_contact: bool,
    /// With radial view culling, read the clusters from this file, or write it if it does not exist
    #[arg(long, value_name = "FILE")]
    pub(super) clusters: Option<PathBuf>,
    /// How the input is divided into bodies
    #[arg(long, value_enum, default_value_t)]
    pub(super) bodies: Bodies,
    /// Also report features that come closer than this distance, in units of the input, unless they
    /// belong to one body and are as close in its first pose
    #[arg(long, value_name = "D", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(super) thickness: f64,
    /// With --thickness, report features that are as close in the first pose, too
    #[arg(long)]
    pub(super) no_rest_exclusion: bool,
    /// Do not report features of one body that are at most N edges apart
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "discrete")]
    pub(super) exclude_rings: u32,
    /// Report only the earliest contact of each step
    #[arg(long, conflicts_with = "discrete")]
    pub(super) earliest: bool,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<usize>,
    /// Compare every answer with brute force, or with another complete method where that takes too
    /// long
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
    /// Write the surface as PLY or GLB, colored by the patches that were proven free of
    /// self-collisions in the last step: blue where they are large, red where there is none
    #[arg(long, value_name = "FILE")]
    pub(super) cleared: Option<PathBuf>,
    /// With chromatic decomposition, write the surface as PLY or GLB, with a color for each set
    #[arg(long, value_name = "FILE")]
    pub(super) colors: Option<PathBuf>,
    /// With chromatic decomposition, write the surface as PLY or GLB, colored by the stages of the
    /// last step: blue what sets culled, orange what they left, gray all else
    #[arg(long, value_name = "FILE")]
    pub(super) survivors: Option<PathBuf>,
    /// Exit with code 1 if there are contacts
    #[arg(long)]
    pub(super) fail_on_contact: bool,
}

impl Args {
    /// The method; `auto` until it is [resolved](Self::with_method).
    pub(super) fn method(&self) -> MethodName {
        let option = match (self.front, self.first_contact) {
            (true, _) => "front",
            (_, true) => "first",
            _ => return self.method,
        };
        let method = match self.method {
            MethodName::Auto => Method::NormalCone(NormalCone::new()),
            MethodName::Of(method) => method,
        };
        // Checked by `validate`: the method has the option.
        MethodName::Of(method.with_option(option).unwrap_or(method))
    }

    /// The same arguments with `auto` replaced by a method.
    pub(super) fn with_method(&self, method: MethodName) -> Args {
        Args { method, ..self.clone() }
    }

    /// The first given option that requires steps.
    pub(super) fn needs_steps(&self) -> Option<&'static str> {
        let given = [
            ("--continuous", self.continuous),
            ("--thickness", self.thickness != 0.0),
            ("--earliest", self.earliest),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }

    /// The painted surfaces that are wanted, by their options.
    pub(super) fn paintings(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let all =
            [("--cleared", &self.cleared), ("--colors", &self.colors), ("--survivors", &self.survivors)];
        all.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)))
    }

    /// Whether a report goes to standard output.
    pub(super) fn takes_stdout(&self) -> bool {
        [&self.json, &self.csv, &self.parquet].into_iter().flatten().any(|path| is_stdout(path))
    }

    /// The query for the library.
    pub(super) fn query(&self) -> Query<'static> {
        Query::default()
            .results(if self.earliest { Results::Earliest } else { Results::All })
            .method(self.method().method())
            .min_separation(self.thickness)
            .exclude_close_at_rest(!self.no_rest_exclusion)
            .exclude_rings(self.exclude_rings)
    }

    /// A line about features that are not reported; empty if there is none.
    pub(super) fn exclusions(&self) -> String {
        let (rings, d) = (self.exclude_rings, self.thickness);
        let mut words = Vec::new();
        if 0 < rings {
            words.push(format!("features of one body at most {} apart", counted(rings as usize, "edge")));
        }
        if d != 0.0 && !self.no_rest_exclusion {
            words.push(format!("features of one body within {d} of each other in its first pose"));
        }
        if words.is_empty() { String::new() } else { format!("not reported: {}\n", words.join("; ")) }
    }

    /// Fails if a value is invalid, before any file is read or written.
    pub(super) fn validate(&self) -> Result<()> {
        let is_length = self.thickness.is_finite() && 0.0 <= self.thickness;
        ensure!(is_length, "--thickness is {}; it must be a length, 0 or more", self.thickness);
        ensure!(self.thickness == 0.0 || !self.discrete, "--thickness cannot be used with --discrete");
        let has_front = self.method == MethodName::Auto || self.method.is("normal-cone");
        ensure!(!self.front || has_front, "--front is for the method normal-cone, not for {}", self.method);
        if self.gpu.is_some() {
            let method = self.method;
            ensure!(method.is("chromatic"), "--gpu is for the method chromatic, not for {method}");
            Feature::Gpu.require("--gpu", "check --gpu --method chromatic …")?;
        }
        let is_radial = self.method.is("radial");
        ensure!(
            !self.first_contact || is_radial,
            "--first-contact is for the method radial, not for {}",
            self.method
        );
        ensure!(
            self.clusters.is_none() || is_radial,
            "--clusters is for the method radial, not for {}",
            self.method
        );
        ensure!(self.threads != Some(0), "--threads is 0; it must be at least 1");
        if self.parquet.is_some() {
            Feature::Parquet.require("--parquet", "check --parquet FILE …")?;
        }
        let outputs = [&self.json, &self.csv, &self.parquet, &self.clusters];
        let paintings = self.paintings().map(|(_, path)| path);
        let outputs: Vec<&PathBuf> = outputs.into_iter().flatten().chain(paintings).collect();
        destination::check(&outputs, self.parquet.as_ref())?;
        let is_kept = self.clusters.as_ref().is_none_or(|path| !is_stdout(path));
        ensure!(is_kept, "--clusters needs a file, not standard output");
        ensure!(
            self.cleared.is_none() || self.thickness == 0.0,
            "--cleared cannot be used with --thickness, as nothing is proven about thick surfaces"
        );
        for (option, path) in self.paintings() {
            painting::check_name(option, path)?;
            let is_chromatic = option == "--cleared" || self.method.is("chromatic");
            ensure!(is_chromatic, "{option} is for the method chromatic, not for {}", self.method);
        }
        for output in outputs {
            ensure!(
                !self.source.input.contains(output),
                "{}: is an input, and would be overwritten",
                output.display()
            );
        }
        Ok(())
    }
}
