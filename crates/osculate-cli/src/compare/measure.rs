//! The measurement: methods on steps of a clip.

use std::ops::RangeInclusive;

use anyhow::Result;
use osculate::Clusters;
use osculate_io::Clip;

use super::runner::{BoneEnds, Ends, Row, Runner, take_turns};
use crate::auto::{Facts, choose};
use crate::bodies::{JointEnds, Parts, Wanted, are_grown_instead};
use crate::options::{Bodies, MethodName};
use crate::skin;

/// Triangles up to which brute force is among the methods by default.
const BRUTE_LIMIT: usize = 3000;

/// What is measured.
pub(super) struct Plan<'a> {
    /// None for all.
    pub(super) methods: &'a [MethodName],
    pub(super) repeat: usize,
    pub(super) frames: RangeInclusive<usize>,
    pub(super) steps: usize,
    pub(super) is_discrete: bool,
    pub(super) bodies: Bodies,
}

/// A clip and what was measured on it.
pub(super) struct Measured {
    pub(super) input: String,
    pub(super) clip: String,
    pub(super) triangles: usize,
    pub(super) frames: usize,
    pub(super) is_discrete: bool,
    pub(super) rows: Vec<Row>,
}

pub(super) fn measure(input: &str, clip: &Clip, plan: &Plan) -> Result<Measured> {
    let is_discrete = plan.is_discrete || plan.frames.start() == plan.frames.end();
    let starts = spread(plan, is_discrete);
    let steps = poses(clip, is_discrete, &starts)?;
    let methods = methods(plan, clip, steps.len());
    let skin = match methods.iter().any(|name| name.refits_from_bones()) {
        true => skin::of_clip(clip, starts[0], &steps[0][0])?.ok().map(|(skin, _)| skin),
        false => None,
    };
    let mut clusters: Option<Clusters> = None;
    let mut runners = Vec::new();
    for name in methods {
        let wanted = match (&clusters, &skin) {
            (Some(clusters), _) if name.is_radial() => Wanted::GivenClusters(clusters),
            (None, _) if name.is_radial() => Wanted::Clusters,
            (_, Some(skin)) if name.refits_from_bones() => Wanted::Skin(skin),
            _ => Wanted::Nothing,
        };
        let parts = Parts::new(input, &clip.surface, &steps[0][0], plan.bodies, wanted)?;
        let (mut joints, mut bones) = (Vec::new(), Vec::new());
        if matches!(wanted, Wanted::Skin(_)) {
            bones = bones_of_steps(clip, is_discrete, &starts)?;
        }
        if name.is_radial() {
            if clusters.is_none() {
                are_grown_instead(&clip.surface);
                clusters = Some(parts.clusters()?);
            }
            if !is_discrete {
                joints = joints_of_steps(&parts, clip, &starts)?;
            }
        }
        runners.push(Runner::new(name.name(), name.method(), parts, joints).with_bones(bones));
    }
    take_turns(&mut runners, &steps, plan.repeat)?;
    Ok(Measured {
        input: input.to_owned(),
        clip: clip.name.clone(),
        triangles: clip.surface.faces.len(),
        frames: steps.len(),
        is_discrete,
        rows: runners.iter().map(|runner| runner.row(steps.len())).collect(),
    })
}

/// The methods that are asked for, each once; `auto` is the one that it would take for so many
/// steps.
fn methods(plan: &Plan, clip: &Clip, steps: usize) -> Vec<MethodName> {
    if plan.methods.is_empty() {
        let is_small = clip.surface.faces.len() <= BRUTE_LIMIT;
        return MethodName::COMPLETE.into_iter().filter(|&m| m != MethodName::Brute || is_small).collect();
    }
    let mut methods = Vec::new();
    for &name in plan.methods {
        let method = match name {
            MethodName::Auto => choose(&Facts::of(&clip.surface, steps, "step")).method,
            name => name,
        };
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    methods
}

/// The frames at which steps start, evenly spread over those that are asked for.
fn spread(plan: &Plan, is_discrete: bool) -> Vec<usize> {
    let first = *plan.frames.start();
    let n = plan.frames.end() - first + usize::from(is_discrete);
    let taken = plan.steps.min(n);
    (0..taken).map(|i| first + i * n / taken).collect()
}

/// For each step, the poses at its start and, unless crossings are asked for, at its end.
pub(super) fn poses(clip: &Clip, is_discrete: bool, starts: &[usize]) -> Result<Vec<Ends>> {
    let pose = |frame: usize| -> Result<Vec<[f64; 3]>> {
        let mut pose = Vec::new();
        clip.pose(frame, &mut pose)?;
        Ok(pose)
    };
    starts.iter().map(|&frame| frames(frame, is_discrete).map(pose).collect()).collect()
}

/// For each step, where the bones are at its start and, unless crossings are asked for, at its end;
/// nowhere, if the clip has none.
fn bones_of_steps(clip: &Clip, is_discrete: bool, starts: &[usize]) -> Result<Vec<BoneEnds>> {
    let bones = |frame: usize| Ok(clip.bone_matrices(frame)?.unwrap_or_default());
    starts.iter().map(|&frame| frames(frame, is_discrete).map(bones).collect()).collect()
}

/// The frames of a step.
fn frames(start: usize, is_discrete: bool) -> RangeInclusive<usize> {
    start..=start + usize::from(!is_discrete)
}

/// For each step, where the joints are at both of its ends, if that is known.
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
