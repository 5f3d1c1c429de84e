//! The options that the answer depends on.

use clap::ValueEnum as _;

use super::args::Args;
use super::rules::{Baseline, Rules};
use crate::options::{Bodies, MethodName};
use crate::source::InputArgs;

/// The default of `--fps`.
pub(super) const FPS: f64 = 30.0;

/// An option that the answer depends on.
pub(super) struct Choice {
    /// Without the hyphens.
    pub(super) name: &'static str,
    /// As it is written on a command line; `None` for a flag.
    pub(super) value: Option<String>,
    /// Whether the answer is the same without it.
    pub(super) is_default: bool,
}

/// The options that the answer depends on, with `rules` in place of those of `args`. The answer
/// does not depend on options that are bound to `_`.
///
/// Not among them are the inputs, the scene and the clip, which say what is checked.
pub(super) fn choices(args: &Args, rules: &Rules) -> Vec<Choice> {
    // Without `..`, so that nobody adds an option and forgets it here.
    let Args {
        source,
        frames,
        discrete,
        continuous,
        method: _,
        front: _,
        gpu: _,
        first_contact: _,
        clusters: _,
        bodies,
        thickness,
        no_rest_exclusion,
        earliest,
        threads: _,
        verify,
        json: _,
        csv: _,
        parquet: _,
        junit: _,
        sarif: _,
        report: _,
        picture: _,
        colored: _,
        contacts,
        write_baseline: _,
        rules: _,
        no_config: _,
        all: _,
        top: _,
        list_clips: _,
        quiet: _,
        cleared: _,
        colors: _,
        survivors: _,
        fail_on_contact: _,
        many: _,
        places: _,
        audience: _,
    } = args;
    let InputArgs { input: _, scene: _, clip: _, fps, memory: _ } = source;
    let Rules { baseline: _, ignore, between, ignore_adjacent_bones, exclude_rings, min_depth, fail_on: _ } =
        rules;
    // With the options that have a flag of their own.
    let method = args.method();
    let baseline = rules.baseline();
    let body = bodies.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let valued = |name, value: String, is_default| Choice { name, value: Some(value), is_default };
    let given = |name, value: String| valued(name, value, false);
    let mut all = vec![
        valued("fps", fps.to_string(), fps.to_bits() == FPS.to_bits()),
        valued("method", method.to_string(), method == MethodName::default()),
        valued("bodies", body, *bodies == Bodies::default()),
        valued("baseline", baseline.to_string(), baseline == Baseline::default()),
    ];
    all.extend(frames.map(|frames| given("frames", frames.to_string())));
    all.extend(ignore.iter().map(|pattern| given("ignore", pattern.text.clone())));
    all.extend(between.iter().map(|pattern| given("between", pattern.text.clone())));
    all.extend(exclude_rings.map(|n| given("exclude-rings", n.to_string())));
    all.extend(min_depth.map(|depth| given("min-depth", depth.to_string())));
    if *thickness != 0.0 {
        all.push(given("thickness", thickness.to_string()));
    }
    let flags = [
        ("discrete", discrete),
        ("continuous", continuous),
        ("no-rest-exclusion", no_rest_exclusion),
        ("earliest", earliest),
        ("verify", verify),
        ("contacts", contacts),
        ("ignore-adjacent-bones", ignore_adjacent_bones),
    ];
    let flags = flags.into_iter().filter(|(_, is_on)| **is_on);
    all.extend(flags.map(|(name, _)| Choice { name, value: None, is_default: false }));
    all
}
