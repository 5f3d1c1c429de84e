//! `osculate compare` and `osculate bench`: all methods on the same frames, side by side.

mod busy;
mod chart;
mod figures;
mod goals;
mod machine;
mod measure;
mod objects;
mod paper;
mod paper_chromatic;
mod paper_cones;
mod paper_normals;
mod paper_radial;
mod paper_spheres;
mod race;
mod runner;
mod table;

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args as Arguments, ValueEnum};

use self::busy::watched;
use self::figures::Figures;
use self::measure::{Measured, Plan, measure};
use self::runner::Row;
use crate::destination::{self, is_stdout};
use crate::features::Feature;
use crate::frames::{Beyond, Frames};
use crate::gpu::Gpu;
use crate::options::{Bodies, MethodName};
use crate::source::{InputArgs, Source};
use crate::terminal::Audience;
use crate::{Report, terminal, threads};

/// Default number of steps.
const STEPS: usize = 12;

/// Run all methods on the same frames of an animation, and compare answers, work and time.
#[derive(Arguments)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    source: InputArgs,
    #[command(flatten)]
    how: HowArgs,
}

/// Run all methods on the built-in scenes, and compare answers, work and time.
#[derive(Arguments)]
pub(crate) struct BenchArgs {
    /// A scene, or several separated by commas [default: all that build quickly; `osculate scene`
    /// lists all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    scene: Vec<String>,
    /// Reproduce the tables of a paper: its methods, on similar scenes, with one thread unless
    /// --threads is given, and with all steps unless --steps is given (12 with 000, 64 with 002).
    /// With 000 and 004, the steps are consecutive, from the middle
    #[arg(long, value_enum, value_name = "NUMBER")]
    paper: Option<Paper>,
    #[command(flatten)]
    how: HowArgs,
}

/// Papers whose tables can be reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// Radial view culling
    #[value(name = "000")]
    RadialView,
    /// Chromatic decomposition
    #[value(name = "001")]
    Chromatic,
    /// Sphere trees refitted on demand
    #[value(name = "002")]
    SphereTree,
    /// Bounded normal trees
    #[value(name = "003")]
    BoundedNormals,
    /// Normal cones with an unprojected contour test
    #[value(name = "004")]
    NormalCones,
}

/// Options of the measurement.
#[derive(Arguments)]
struct HowArgs {
    /// The methods, separated by commas, each with its options behind a colon and separated by plus
    /// signs [default: all complete ones; brute force up to 3,000 triangles]
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    methods: Vec<MethodName>,
    /// Repetitions; methods are interleaved in each
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeat: usize,
    /// Only frames A to B, inclusive
    #[arg(long, value_name = "A..B")]
    frames: Option<Frames>,
    /// Maximum number of steps, evenly spread [default: 12]
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Find crossings at frames instead of contacts between them
    #[arg(long)]
    discrete: bool,
    /// Start each repetition with new bodies, and include their preparation in the time of its
    /// steps
    #[arg(long)]
    anew: bool,
    /// How the input is divided into bodies
    #[arg(long, value_enum, default_value_t)]
    bodies: Bodies,
    /// With chromatic decomposition, compare sets on a GPU (in builds with the feature `gpu`); NAME
    /// is a part of its name
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    gpu: Option<String>,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Write the rows as JSON; `-` is standard output, here and below
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables as Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write a row for each method on each scene as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write charts of the times as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The command as typed, for pages.
    #[arg(skip)]
    command: String,
}

/// Runs `osculate compare`; `command` is the command as typed.
pub(crate) fn compare(mut args: CompareArgs, command: String) -> Result<Report> {
    args.how.command = command;
    args.how.validate()?;
    args.how.run(1, |_| Source::open(&args.source))
}

/// Runs `osculate bench`; `command` is the command as typed.
pub(crate) fn bench(mut args: BenchArgs, command: String) -> Result<Report> {
    args.how.command = command;
    let all = match args.paper {
        None => osculate_scenes::names(),
        Some(Paper::RadialView) => paper_radial::SCENES.to_vec(),
        Some(Paper::Chromatic) => paper_chromatic::SCENES.to_vec(),
        Some(Paper::SphereTree) => paper_spheres::SCENES.to_vec(),
        Some(Paper::BoundedNormals) => paper_normals::SCENES.to_vec(),
        Some(Paper::NormalCones) => paper_cones::SCENES.to_vec(),
    };
    let names: Vec<&str> =
        if args.scene.is_empty() { all } else { args.scene.iter().map(String::as_str).collect() };
    args.how.validate()?;
    ensure!(args.paper.is_none() || args.how.gpu.is_none(), "--gpu cannot be used with --paper");
    match args.paper {
        // One at a time: together they would exhaust memory.
        None => args.how.run(names.len(), |i| Source::of_scene(names[i])),
        Some(Paper::RadialView) => paper_radial::run(&args.how, &names),
        Some(Paper::Chromatic) => paper_chromatic::run(&args.how, &names),
        Some(Paper::SphereTree) => paper_spheres::run(&args.how, &names),
        Some(Paper::BoundedNormals) => paper_normals::run(&args.how, &names),
        Some(Paper::NormalCones) => paper_cones::run(&args.how, &names),
    }
}

impl HowArgs {
    /// Fails if a value is invalid.
    fn validate(&self) -> Result<()> {
        ensure!(self.repeat != 0, "--repeat is 0; it must be at least 1");
        ensure!(self.steps != Some(0), "--steps is 0; it must be at least 1");
        ensure!(self.threads != Some(0), "--threads is 0; it must be at least 1");
        if self.gpu.is_some() {
            let is_meant = self.methods.is_empty() || self.methods.iter().any(|name| name.is("chromatic"));
            ensure!(is_meant, "--gpu is for the method chromatic, which is not among the methods");
            Feature::Gpu.require("--gpu", "compare --gpu …")?;
        }
        let outputs: Vec<&PathBuf> =
            [&self.json, &self.markdown, &self.csv, &self.svg].into_iter().flatten().collect();
        destination::check(&outputs, None)
    }

    /// Measures `n` sources, each opened when it is its turn.
    fn run(&self, n: usize, open: impl Fn(usize) -> Result<Source> + Sync) -> Result<Report> {
        let pool = threads::pool(self.threads)?;
        let clips = watched(&pool, || self.measure_all(n, &open))?;
        let agrees = clips.iter().all(|clip| clip.rows.iter().all(Row::keeps_its_word));
        let charts = self.svg.as_ref().filter(|path| !is_stdout(path)).and_then(|path| path.file_name());
        let charts = charts.map(|name| name.to_string_lossy().into_owned());
        let n_threads = pool.current_num_threads();
        let markdown = || table::markdown(&self.command, self.repeat, n_threads, charts.as_deref(), &clips);
        self.report(table::text(&clips), || table::json(&clips), markdown, || table::figures(&clips), agrees)
    }

    /// Writes the requested outputs; `text` is for the terminal. Answers that do not agree are a
    /// problem.
    fn report(
        &self,
        mut text: String,
        json: impl FnOnce() -> Result<String>,
        markdown: impl FnOnce() -> String,
        figures: impl FnOnce() -> Figures,
        agrees: bool,
    ) -> Result<Report> {
        let mut is_stdout_taken = false;
        let mut write = |path: &PathBuf, content: &str| {
            is_stdout_taken |= is_stdout(path);
            if !is_stdout(path) {
                let _ = writeln!(text, "written to {}", terminal::shown(path));
            }
            destination::write(path, content)
        };
        if let Some(path) = &self.json {
            write(path, &json()?)?;
        }
        if let Some(path) = &self.markdown {
            write(path, &markdown())?;
        }
        let figures = figures();
        if let Some(path) = &self.csv {
            write(path, &figures.csv())?;
        }
        if let Some(path) = &self.svg {
            write(path, &figures.svg())?;
        }
        let problem = "the answers differ; this is a defect of the program, please report it";
        let problem = (!agrees).then(|| problem.to_owned());
        Ok(Report { text, is_stdout_taken, problem, ..Report::default() })
    }

    fn measure_all(&self, n: usize, open: &dyn Fn(usize) -> Result<Source>) -> Result<Vec<Measured>> {
        let mut all = Vec::new();
        let gpu = Gpu::open(self.gpu.as_deref());
        for i in 0..n {
            let source = open(i)?;
            // With several sources, the next one may be longer.
            let beyond = if n == 1 { Beyond::Fails } else { Beyond::IsCut };
            let selected = self.frames.unwrap_or_default().select(&source, beyond, &Audience::People)?;
            paper::announce(source.title(0), i, n);
            for (k, ((input, clip), frames)) in source.iter().zip(selected).enumerate() {
                let Some(frames) = frames else { continue };
                if frames.start() == frames.end() && !self.discrete {
                    terminal::note(&format!(
                        "{} is measured at one frame: there is no step, so crossings are compared, as with --discrete",
                        source.title(k)
                    ));
                }
                let plan = Plan {
                    methods: &self.methods,
                    repeat: self.repeat,
                    frames,
                    steps: self.steps.unwrap_or(STEPS),
                    is_discrete: self.discrete,
                    is_anew: self.anew,
                    bodies: self.bodies,
                    gpu: &gpu,
                };
                all.push(measure(input, clip, &plan)?);
            }
        }
        gpu.tell();
        ensure!(!all.is_empty(), "--frames: no clip has any of these frames");
        Ok(all)
    }
}
