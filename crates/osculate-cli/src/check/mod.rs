//! `osculate check`: contacts or crossings in every frame of an animation, and where they are.

mod args;
mod cleared;
mod output;
mod painting;
mod paragraph;
mod plan;
mod prepare;
mod progress;
mod sets;
mod sides;
mod summary;
mod verify;

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use osculate::{Contact, Crossing};
use osculate_io::Clip;

use self::cleared::Cleared;
use self::output::{Found, Frame, Output};
use self::paragraph::paragraph;
use self::plan::{Question, Task, tasks};
use self::progress::Progress;
use self::sets::Sets;
use self::sides::Sides;
use self::summary::{Stages, Summary};
use self::verify::Verifier;
use crate::bodies::Parts;
use crate::destination::is_stdout;
use crate::gpu::Gpu;
use crate::source::Source;
use crate::{Report, governors, terminal, threads};

pub(crate) use self::args::Args;

pub(crate) fn run(args: &Args) -> Result<Report> {
    args.validate()?;
    let pool = threads::pool(args.threads)?;
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // A second Ctrl-C ends the process at once.
    ctrlc::set_handler(move || {
        if flag.swap(true, Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    pool.install(|| check(args, &interrupted))
}

fn check(args: &Args, interrupted: &AtomicBool) -> Result<Report> {
    let mut stages = Stages::default();
    let source = timed(&mut stages.read, || Source::open(&args.source))?;
    Output::check(args, &source)?;
    let mut output = None;
    let mut text = String::new();
    let mut any = false;
    let tasks = tasks(args, &source)?;
    let gpu = Gpu::open(args.gpu.as_deref());
    if let Some((option, _)) = args.paintings().next() {
        let n = tasks.len();
        ensure!(n == 1, "{option} shows one clip, and these are {n}; --clip NAME selects one");
    }
    let mut progress = Progress::new(tasks[0].question.words().0, tasks.iter().map(Task::len).sum());
    for task in &tasks {
        progress.enter(&task.clip.name);
        let done = check_clip(task, &source, &gpu, &mut output, &mut stages, &mut progress, interrupted);
        if done.is_err() {
            progress.finish();
        }
        let (summary, paragraph) = done?;
        any |= 0 < summary.found;
        text.push_str(&paragraph);
    }
    progress.finish();
    gpu.tell();
    let written = timed(&mut stages.write, || output.unwrap_or_default().finish())?;
    for path in written.iter().filter(|path| !is_stdout(path)) {
        let _ = writeln!(text, "written to {}", terminal::shown(path));
    }
    let _ = writeln!(text, "time: {}", stages.line());
    Ok(Report {
        text,
        found: any && args.fail_on_contact,
        is_stdout_taken: args.takes_stdout(),
        ..Report::default()
    })
}

/// Checks all frames of a clip; returns the results and a paragraph about them.
fn check_clip(
    task: &Task,
    source: &Source,
    gpu: &Gpu,
    output: &mut Option<Output>,
    stages: &mut Stages,
    progress: &mut Progress,
    interrupted: &AtomicBool,
) -> Result<(Summary, String)> {
    let Task { input, clip, ref frames, question, ref args, .. } = *task;
    let mut pose = Vec::new();
    timed(&mut stages.pose, || evaluate(clip, input, *frames.start(), &mut pose))?;
    let (mut parts, of_bodies) =
        timed(&mut stages.prepare, || prepare::bodies(args, input, clip, *frames.start(), &pose))?;
    gpu.give_to(&mut parts.world);
    let sides = Sides::new(&clip.surface, args.bodies);
    let verifier = Verifier::new(args, &parts);
    if output.is_none() {
        *output = Some(Output::create(args, source, &parts.description)?);
    }

    let query = args.query();
    let mut summary = Summary::default();
    let checked = match question {
        Question::Contacts => *frames.start()..*frames.end(),
        Question::Crossings => *frames.start()..*frames.end() + 1,
    };
    let place = |frame: usize| format!("{input}: clip '{}', frame {frame}", clip.name);
    let (mut cleared, mut sets) = (Cleared::new(args, checked.clone())?, Sets::new(args, checked.clone())?);
    let mut joints = parts.joints(clip, *frames.start())?;
    for frame in checked {
        if interrupted.load(Relaxed) {
            bail!("interrupted; no file was written");
        }
        let before = stages.query;
        let (found, stats) = match question {
            Question::Contacts => {
                timed(&mut stages.pose, || set_next(&mut parts, clip, input, frame + 1, &mut pose))?;
                let next_joints = timed(&mut stages.pose, || parts.joints(clip, frame + 1))?;
                parts.set_joints(joints.zip(next_joints.clone()).map(<[_; 2]>::from).as_ref())?;
                joints = next_joints;
                let (world, next) = parts.step();
                let report = timed(&mut stages.query, || world.contacts(&next, &query))
                    .with_context(|| place(frame + 1))?;
                timed(&mut stages.write, || cleared.look(&mut parts, clip, frame))?;
                timed(&mut stages.write, || sets.look(&mut parts, clip, frame))?;
                timed(&mut stages.verify, || verifier.contacts(&mut parts, frame, &query, &report))?;
                (contacts(&parts, &sides, &report.found), report.stats)
            }
            Question::Crossings => {
                if frame != *frames.start() {
                    timed(&mut stages.pose, || set_next(&mut parts, clip, input, frame, &mut pose))?;
                    parts.advance().with_context(|| place(frame))?;
                }
                let report = timed(&mut stages.query, || parts.world.crossings(&query))?;
                timed(&mut stages.write, || cleared.look(&mut parts, clip, frame))?;
                timed(&mut stages.write, || sets.look(&mut parts, clip, frame))?;
                timed(&mut stages.verify, || verifier.crossings(&mut parts, frame, &query, &report))?;
                (crossings(clip, &parts, &sides, &report.found), report.stats)
            }
        };
        let to = if question == Question::Contacts { frame + 1 } else { frame };
        let ms = (stages.query - before).as_secs_f64() * 1e3;
        let frame = Frame { from: frame, to, found, stats, ms };
        add(&mut summary, &frame);
        if let Some(output) = output {
            timed(&mut stages.write, || output.frame(clip, &frame, &sides))?;
        }
        if question == Question::Contacts {
            parts.advance()?;
        }
        progress.step();
    }
    let mut paragraph = paragraph(task, &parts, &sides, &summary, &(of_bodies + &verifier.words()));
    paragraph.push_str(&timed(&mut stages.write, || cleared.finish())?);
    paragraph.push_str(&timed(&mut stages.write, || sets.finish())?);
    Ok((summary, paragraph))
}

/// Runs `work` and adds its time to `total`.
fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}

/// Sets the next pose of the bodies to that of a frame: its parameters, if they are posed by them.
fn set_next(
    parts: &mut Parts,
    clip: &Clip,
    input: &str,
    frame: usize,
    pose: &mut Vec<[f64; 3]>,
) -> Result<()> {
    if parts.follow_parameters()
        && let Some(parameters) = governors::parameters(clip, frame)?
    {
        parts.set_next_parameters(parameters);
        return Ok(());
    }
    evaluate(clip, input, frame, pose)?;
    parts.set_next(pose);
    Ok(())
}

/// Evaluates the pose of a frame; fails if a coordinate is not finite.
fn evaluate(clip: &Clip, input: &str, frame: usize, pose: &mut Vec<[f64; 3]>) -> Result<()> {
    clip.pose(frame, pose)?;
    if let Some(vertex) = pose.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
        bail!(
            "{input}: clip '{}', frame {frame}, vertex {vertex}: its position is {:?}",
            clip.name,
            pose[vertex]
        );
    }
    Ok(())
}

fn contacts(parts: &Parts, sides: &Sides, found: &[Contact]) -> Vec<Found> {
    let one = |contact: &Contact| {
        let [first, second] = contact.key.bodies;
        let n_first = contact.key.kind.n_first();
        let body = |k: usize| if k < n_first { first } else { second };
        let vertices = [0, 1, 2, 3].map(|k| parts.vertex(body(k), contact.vertices[k]));
        let weights = contact.at.weights;
        let sides = [
            sides.side(&vertices[..n_first], &weights[..n_first]),
            sides.side(&vertices[n_first..], &weights[n_first..]),
        ];
        Found::Contact { contact: *contact, vertices, sides }
    };
    let mut all: Vec<Found> = found.iter().map(one).collect();
    all.sort_unstable_by_key(Found::order);
    all
}

fn crossings(clip: &Clip, parts: &Parts, sides: &Sides, found: &[Crossing]) -> Vec<Found> {
    let one = |crossing: &Crossing| {
        let [a, b] = [0, 1].map(|k| parts.triangle(crossing.bodies[k], crossing.triangles[k]));
        let side = |triangle: u32| sides.side(&clip.surface.faces[triangle as usize], &[1.0; 3]);
        Found::Crossing { crossing: *crossing, triangles: [a, b], sides: [side(a), side(b)] }
    };
    let mut all: Vec<Found> = found.iter().map(one).collect();
    all.sort_unstable_by_key(Found::order);
    all
}

fn add(summary: &mut Summary, frame: &Frame) {
    summary.checked += 1;
    summary.touched += usize::from(!frame.found.is_empty());
    summary.found += frame.found.len() as u64;
    if summary.first.is_none() && !frame.found.is_empty() {
        summary.first = Some((frame.from, frame.earliest().unwrap_or(0.0)));
    }
    for found in &frame.found {
        summary.add(frame.from, found.sides());
    }
}
