//! Measures methods on steps of a clip.

use std::ops::RangeInclusive;

use anyhow::Result;
use osculate::Method;
use osculate::method::{Clusters, Guarantee, Input, compared};
use osculate_io::Clip;

use super::busy::Timer;
use super::paper;
use super::runner::{Ends, ParameterEnds, Row, Runner, take_turns};
use crate::bodies::{JointEnds, Parts, Wanted, are_grown_instead};
use crate::governors;
use crate::gpu::Gpu;
use crate::options::{Bodies, MethodName};

/// Triangle count up to which brute force is among the methods by default.
const BRUTE_LIMIT: usize = 3000;

/// What to measure.
pub(super) struct Plan<'a> {
    /// Empty for all.
    pub(super) methods: &'a [MethodName],
    pub(super) repeat: usize,
    pub(super) frames: RangeInclusive<usize>,
    pub(super) steps: usize,
    pub(super) is_discrete: bool,
    /// Whether each repetition starts with new bodies, whose preparation counts.
    pub(super) is_anew: bool,
    pub(super) bodies: Bodies,
    /// The GPU of methods that use one.
    pub(super) gpu: &'a Gpu,
}

/// A clip and its measurements.
pub(super) struct Measured {
    pub(super) input: String,
    pub(super) clip: String,
    pub(super) triangles: usize,
    pub(super) frames: usize,
    pub(super) is_discrete: bool,
    /// Whether times include the preparation.
    pub(super) is_anew: bool,
    pub(super) rows: Vec<Row>,
}

pub(super) fn measure(input: &str, clip: &Clip, plan: &Plan) -> Result<Measured> {
    let is_discrete = plan.is_discrete || plan.frames.start() == plan.frames.end();
    let starts = spread(plan, is_discrete);
    let steps = poses(clip, is_discrete, &starts)?;
    // Either all repetitions with the same bodies, or each with new ones.
    let [n_rounds, repeat] = if plan.is_anew { [plan.repeat, 1] } else { [1, plan.repeat] };
    let mut runners: Vec<Runner> = Vec::new();
    for _ in 0..n_rounds {
        let mut before = std::mem::take(&mut runners).into_iter();
        for (runner, preparation) in prepared(input, clip, plan, is_discrete, &starts, &steps)? {
            let charged = if plan.is_anew { preparation } else { 0 };
            runners.push(runner.after(before.next(), charged));
        }
        take_turns(&mut runners, &steps, repeat)?;
    }
    Ok(Measured {
        input: input.to_owned(),
        clip: clip.name.clone(),
        triangles: clip.surface.faces.len(),
        frames: steps.len(),
        is_discrete,
        is_anew: plan.is_anew,
        rows: runners.iter().map(|runner| runner.row(steps.len())).collect(),
    })
}

/// The methods with their worlds, and the nanoseconds that it took to make these.
fn prepared(
    input: &str,
    clip: &Clip,
    plan: &Plan,
    is_discrete: bool,
    starts: &[usize],
    steps: &[Ends],
) -> Result<Vec<(Runner, u64)>> {
    let methods = methods(plan, clip);
    let governors = match methods.iter().any(|name| name.gains_from(Input::Parameters)) {
        true => governors::of_clip(clip, starts[0], &steps[0][0])?.ok(),
        false => None,
    };
    let mut clusters: Option<Clusters> = None;
    let mut runners = Vec::new();
    for name in methods {
        let wanted = match (&clusters, &governors) {
            (Some(clusters), _) if name.gains_from(Input::Clusters) => Wanted::GivenClusters(clusters),
            (None, _) if name.gains_from(Input::Clusters) => Wanted::Clusters,
            (_, Some(known)) if name.gains_from(Input::Parameters) => Wanted::Deformer(&known.deformer),
            _ => Wanted::Nothing,
        };
        let timer = Timer::start();
        let mut parts = Parts::new(input, &clip.surface, &steps[0][0], plan.bodies, wanted)?;
        let preparation = timer.stop();
        if name.is("chromatic") {
            plan.gpu.give_to(&mut parts.world);
        }
        let (mut joints, mut parameters) = (Vec::new(), Vec::new());
        if matches!(wanted, Wanted::Deformer(_)) {
            parameters = parameters_of_steps(clip, is_discrete, starts)?;
        }
        if name.gains_from(Input::Clusters) {
            if clusters.is_none() {
                are_grown_instead(&clip.surface);
                clusters = Some(parts.clusters()?);
            }
            if !is_discrete {
                joints = joints_of_steps(&parts, clip, starts)?;
            }
        }
        let runner = Runner::new(name.to_string(), name.method(), parts, joints).with_parameters(parameters);
        runners.push((runner, preparation));
    }
    Ok(runners)
}

/// The requested methods without duplicates.
fn methods(plan: &Plan, clip: &Clip) -> Vec<MethodName> {
    if plan.methods.is_empty() {
        let is_small = clip.surface.faces.len() <= BRUTE_LIMIT;
        let is_taken = |&method: &Method| {
            let is_baseline = method.facts().is_baseline && method != Method::Brute;
            let is_complete = method.guarantee() == Guarantee::Complete;
            is_complete && !is_baseline && (method != Method::Brute || is_small)
        };
        return compared().filter(is_taken).map(MethodName).collect();
    }
    let mut methods = Vec::new();
    for &name in plan.methods {
        if !methods.contains(&name) {
            methods.push(name);
        }
    }
    methods
}

/// The frames at which steps start, evenly spread over the requested range.
fn spread(plan: &Plan, is_discrete: bool) -> Vec<usize> {
    let first = *plan.frames.start();
    let n = plan.frames.end() - first + usize::from(is_discrete);
    paper::spread(n, plan.steps).into_iter().map(|frame| first + frame).collect()
}

/// For each step, the poses at its start and, unless for crossings, at its end.
pub(super) fn poses(clip: &Clip, is_discrete: bool, starts: &[usize]) -> Result<Vec<Ends>> {
    let pose = |frame: usize| -> Result<Vec<[f64; 3]>> {
        let mut pose = Vec::new();
        clip.pose(frame, &mut pose)?;
        Ok(pose)
    };
    starts.iter().map(|&frame| frames(frame, is_discrete).map(pose).collect()).collect()
}

/// For each step, the parameters at its start and, unless for crossings, at its end; empty if the
/// clip has none.
fn parameters_of_steps(clip: &Clip, is_discrete: bool, starts: &[usize]) -> Result<Vec<ParameterEnds>> {
    let parameters = |frame: usize| Ok(governors::parameters(clip, frame)?.unwrap_or_default());
    starts.iter().map(|&frame| frames(frame, is_discrete).map(parameters).collect()).collect()
}

/// The frames of a step.
fn frames(start: usize, is_discrete: bool) -> RangeInclusive<usize> {
    start..=start + usize::from(!is_discrete)
}

/// For each step, the positions of the joints at both ends, if known.
pub(super) fn joints_of_steps(
    parts: &Parts,
    clip: &Clip,
    starts: &[usize],
) -> Result<Vec<Option<JointEnds>>> {
    let of_step = |&frame: &usize| -> Result<Option<JointEnds>> {
        let [start, end] = [parts.joints(clip, frame)?, parts.joints(clip, frame + 1)?];
        Ok(start.zip(end).map(<[_; 2]>::from))
    };
    starts.iter().map(of_step).collect()
}
