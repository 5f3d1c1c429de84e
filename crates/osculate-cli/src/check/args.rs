//! The arguments of `osculate check`.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args as Arguments;
use osculate::method::NormalCone;
use osculate::{Method, Query, Results};

use super::many::ManyArgs;
use super::painting;
use super::rules::{FailOn, Rules};
use crate::destination::{self, is_stdout};
use crate::features::Feature;
use crate::frames::Frames;
use crate::options::{Bodies, MethodName};
use crate::source::InputArgs;
use crate::terminal::Audience;
use crate::words::counted;

/// Find the frames and places in which an animated surface passes through itself, worst first.
///
/// For each pair of parts (bones, objects or components), the runs of frames in which they overlap
/// are reported with their depth. A crossing is a pair of triangles that intersect at a frame; a
/// contact is a vertex and a face, or two edges, that touch on the way from one frame to the next.
/// Overlaps that are also there in the bind pose are set aside. Settings may stand in osculate.toml
/// beside the input or above it. Without an input, the built-in scene `figure` is checked.
#[derive(Arguments, Clone)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) source: InputArgs,
    /// Only frames A to B, inclusive
    #[arg(long, value_name = "A..B")]
    pub(super) frames: Option<Frames>,
    /// Look at each frame only, not in between
    #[arg(long, conflicts_with = "continuous")]
    pub(super) discrete: bool,
    /// Look at each frame and in between [default]; with --contacts, list what touches in between
    /// only
    #[arg(long)]
    pub(super) continuous: bool,
    /// How candidates are found; every complete method gives the same answer
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(super) method: MethodName,
    /// With normal cones, start each traversal where the last one stopped
    #[arg(long)]
    pub(super) front: bool,
    /// With chromatic decomposition, compare sets on a GPU (in builds with the feature `gpu`); NAME
    /// is a part of its name
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) gpu: Option<String>,
    /// With radial view culling, guarantee only the first contact of a step
    #[arg(long)]
    pub(super) first_contact: bool,
    /// With radial view culling, read the clusters from this file, or write it if it does not exist
    #[arg(long, value_name = "FILE")]
    pub(super) clusters: Option<PathBuf>,
    /// How the input is divided into bodies
    #[arg(long, value_enum, default_value_t)]
    pub(super) bodies: Bodies,
    /// Also report features that come closer than this distance, in units of the input, unless they
    /// are as close in the bind pose, or in the first frame of the clip if it has none
    #[arg(long, value_name = "D", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(super) thickness: f64,
    /// With --thickness, report features that are as close in the bind pose, too
    #[arg(long)]
    pub(super) no_rest_exclusion: bool,
    /// Of what touches between two frames, find the earliest contact only
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
    /// Write one row for each episode as CSV: two parts that overlap in a run of frames
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
    /// Write one row for each episode as Parquet (in builds with the feature `parquet`)
    #[arg(long, value_name = "FILE")]
    pub(super) parquet: Option<PathBuf>,
    /// Write a test case for each clip as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Write a result for each problem as SARIF
    #[arg(long, value_name = "FILE")]
    pub(super) sarif: Option<PathBuf>,
    /// Write a page that shows the model over time with what is wrong on it, in one file
    #[arg(long, value_name = "F.html")]
    pub(super) report: Option<PathBuf>,
    /// Write a picture of the three worst problems, each at its worst frame, as PNG
    #[arg(long, value_name = "F.png")]
    pub(super) picture: Option<PathBuf>,
    /// Write the worst frames as glTF, colored by depth
    #[arg(long, value_name = "F.glb")]
    pub(super) colored: Option<PathBuf>,
    /// Write every contact and crossing into the JSON, CSV and Parquet files, which become large
    #[arg(long)]
    pub(super) contacts: bool,
    /// Write the overlaps that were found as a baseline, for --baseline
    #[arg(long, value_name = "FILE")]
    pub(super) write_baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(super) rules: Rules,
    /// Do not read osculate.toml
    #[arg(long)]
    pub(super) no_config: bool,
    /// Also list the overlaps that are set aside
    #[arg(long)]
    pub(super) all: bool,
    /// List the N worst problems
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(super) top: usize,
    /// List the clips of the input, and check nothing
    #[arg(long)]
    pub(super) list_clips: bool,
    /// Print problems only
    #[arg(long, short)]
    pub(super) quiet: bool,
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
    /// Exit with code 1 if anything touches or overlaps; the same as --fail-on any
    #[arg(long, conflicts_with = "fail_on")]
    pub(super) fail_on_contact: bool,
    #[command(flatten)]
    pub(super) many: ManyArgs,
    /// Whether a program wants to know where episodes are.
    #[arg(skip)]
    pub(super) places: bool,
    /// Who hears about the run.
    #[arg(skip)]
    pub(super) audience: Audience,
}

impl Args {
    /// The method, with the options that have a flag of their own. Where `auto` might choose
    /// another method than a flag is about, it is normal cones.
    pub(super) fn method(&self) -> MethodName {
        let method = match self.method.method() {
            Method::Auto if self.front || self.cleared.is_some() => Method::NormalCone(NormalCone::new()),
            method => method,
        };
        let option = match (self.front, self.first_contact) {
            (true, _) => "front",
            (_, true) => "first",
            _ => return MethodName(method),
        };
        // Checked by `validate`: the method has the option.
        MethodName(method.with_option(option).unwrap_or(method))
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

    /// Whether a painted surface is wanted.
    pub(super) fn paints(&self) -> bool {
        self.paintings().next().is_some()
    }

    /// Whether a report goes to standard output.
    pub(super) fn takes_stdout(&self) -> bool {
        self.reports().any(|path| is_stdout(path))
    }

    /// The reports to be written.
    pub(super) fn reports(&self) -> impl Iterator<Item = &PathBuf> {
        let all = [
            &self.json,
            &self.csv,
            &self.parquet,
            &self.junit,
            &self.sarif,
            &self.write_baseline,
            &self.report,
            &self.picture,
            &self.colored,
        ];
        all.into_iter().flatten()
    }

    /// When the exit code is 1.
    pub(super) fn fail_on(&self) -> Option<FailOn> {
        if self.fail_on_contact { Some(FailOn::Any) } else { self.rules.fail_on }
    }

    /// Whether features that are close in the rest pose are left out.
    pub(super) fn excludes_close_at_rest(&self) -> bool {
        self.thickness != 0.0 && !self.no_rest_exclusion
    }

    /// The query for the library.
    pub(super) fn query(&self) -> Query<'static> {
        Query::default()
            .results(if self.earliest { Results::Earliest } else { Results::All })
            .method(self.method().method())
            .min_separation(self.thickness)
            .exclude_close_at_rest(self.excludes_close_at_rest())
            .exclude_rings(self.rules.rings())
    }

    /// A line about features that are not reported; empty if there is none.
    pub(super) fn exclusions(&self) -> String {
        let (rings, d) = (self.rules.rings(), self.thickness);
        let mut words = Vec::new();
        if 0 < rings {
            words.push(format!("features of one body at most {} apart", counted(rings as usize, "edge")));
        }
        if self.excludes_close_at_rest() {
            words.push(format!("features within {d} of each other in the bind pose or first frame"));
        }
        if words.is_empty() { String::new() } else { format!("not reported: {}\n", words.join("; ")) }
    }

    /// Fails if a value is invalid, before any file is read or written.
    pub(super) fn validate(&self) -> Result<()> {
        let is_length = self.thickness.is_finite() && 0.0 <= self.thickness;
        ensure!(is_length, "--thickness is {}; it must be a length, 0 or more", self.thickness);
        ensure!(self.thickness == 0.0 || !self.discrete, "--thickness cannot be used with --discrete");
        let has_front = self.method.is("auto") || self.method.is("normal-cone");
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
        self.rules.validate()?;
        self.many.validate(self)?;
        ensure!(self.top != 0, "--top is 0; it must be at least 1");
        let paintings = self.paintings().map(|(_, path)| path);
        let outputs: Vec<&PathBuf> = self.reports().chain(&self.clusters).chain(paintings).collect();
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

#[cfg(test)]
impl Args {
    /// The arguments of words for a shell, in which quotes are around whole words.
    pub(super) fn of_shell(words: &str) -> Args {
        use clap::Parser as _;

        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            args: Args,
        }
        let quotes = words.split('\'').enumerate();
        let words = quotes.flat_map(|(i, piece)| match i % 2 {
            0 => piece.split_whitespace().collect(),
            _ => vec![piece],
        });
        Line::try_parse_from(std::iter::once("check").chain(words)).unwrap().args
    }
}
