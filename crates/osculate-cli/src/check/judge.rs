//! Tells problems from overlaps that are known, and measures areas in the worst frame of each
//! episode.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use anyhow::Result;
use osculate::penetration::Wanted;
use osculate_io::Clip;
use osculate_io::write::{ClipReport, Pair, Status};
use rayon::prelude::*;

use super::join::{Draft, measure};
use super::known::{Known, Scope, is_same};
use super::rules::{Baseline, FailOn, Rules};
use super::scan::{Instant, Scan, evaluate};

/// Returns episodes with the enclosed areas of their worst frames.
pub(super) fn measured(scan: &Scan, mut drafts: Vec<Draft>) -> Result<Vec<Draft>> {
    let mut by_frame: BTreeMap<usize, (Arc<Instant>, Vec<usize>)> = BTreeMap::new();
    for (i, draft) in drafts.iter_mut().enumerate() {
        if let Some(worst) = draft.worst.take() {
            by_frame.entry(worst.frame).or_insert_with(|| (worst, Vec::new())).1.push(i);
        }
    }
    let frames: Vec<(Arc<Instant>, Vec<usize>)> = by_frame.into_values().collect();
    let one = |(instant, of_frame): &(Arc<Instant>, Vec<usize>)| -> Result<_> {
        let wanted: HashSet<[u32; 2]> = of_frame.iter().map(|&i| drafts[i].parts).collect();
        let mut pose = Vec::new();
        evaluate(scan.clip, scan.input, instant.frame, &mut pose)?;
        let known = |parts: [u32; 2]| scan.rigid.measured(parts, &pose);
        let area = |parts| (wanted.contains(&parts) && known(parts).is_none()).then_some(Wanted::Area);
        let overlaps = scan.anatomy.overlaps(&pose, &instant.crossings, area)?;
        let areas = overlaps.iter().map(|found| known(found.parts).unwrap_or(found).area);
        Ok(overlaps.iter().map(|found| found.parts).zip(areas).collect())
    };
    let found: Vec<BTreeMap<[u32; 2], Option<f64>>> = frames.par_iter().map(one).collect::<Result<_>>()?;
    for ((_, of_frame), areas) in frames.iter().zip(found) {
        for &i in of_frame {
            drafts[i].episode.worst.area = areas.get(&drafts[i].parts).copied().flatten();
        }
    }
    Ok(drafts)
}

/// The overlaps of a frame as a baseline.
pub(super) fn known_in(scan: &Scan, instant: &Instant) -> Result<Known> {
    let mut pose = Vec::new();
    evaluate(scan.clip, scan.input, instant.frame, &mut pose)?;
    let overlaps = scan.anatomy.overlaps(&pose, &instant.crossings, |_| Some(Wanted::All))?;
    let names: Vec<[Arc<str>; 2]> =
        overlaps.iter().map(|overlap| overlap.parts.map(|part| scan.sides.name(part))).collect();
    let all = names.iter().zip(&overlaps);
    Ok(Known::of_pose(all.map(|(names, overlap)| (names.each_ref().map(|name| &**name), measure(overlap)))))
}

/// What the judgment depends on.
pub(super) struct Facts<'a> {
    pub(super) input: &'a str,
    pub(super) clip: &'a Clip,
    pub(super) names: &'a [Arc<str>],
    pub(super) size: f64,
    /// Whether all frames of the clip were looked at.
    pub(super) is_whole: bool,
    pub(super) n_frames: usize,
    pub(super) rules: &'a Rules,
}

/// Adds the pairs of a clip to its report, the worst problems first.
pub(super) fn judge(
    report: &mut ClipReport,
    drafts: Vec<Draft>,
    facts: &Facts,
    mut known: Option<&mut Known>,
) {
    let mut by_parts: BTreeMap<[u32; 2], Vec<Draft>> = BTreeMap::new();
    for draft in drafts {
        by_parts.entry(draft.parts).or_default().push(draft);
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for (parts, mut drafts) in by_parts {
        drafts.sort_by(|a, b| a.episode.enter.total_cmp(&b.episode.enter));
        let parts = parts.map(|part| facts.names[part as usize].clone());
        let seconds = |at: f64| {
            let (frame, rest) = (at.floor(), at.fract());
            let frame = frame as usize;
            let next = (frame + 1).min(facts.clip.n_frames() - 1);
            let [from, to] = [frame, next].map(|frame| facts.clip.time(frame));
            from + rest * (to - from)
        };
        let [is_steady, is_single] = [drafts[0].least.is_some(), drafts.len() == 1];
        let first = drafts[0].first;
        let episodes = drafts.into_iter().map(|draft| {
            let mut episode = draft.episode;
            episode.seconds = [seconds(episode.enter), seconds(episode.leave)];
            episode
        });
        let mut pair = Pair { parts, status: Status::New, episodes: episodes.collect() };
        let worst = pair.worst().worst;
        let severity = worst.severity();
        let names = pair.parts.each_ref().map(|name| &**name);
        let scope = Scope { input: facts.input, clip: &facts.clip.name };
        let is_known = known.as_mut().is_some_and(|known| known.has(names, scope, severity, facts.size));
        // What crosses at no frame has no depth, which might be any.
        let has_depth = pair.episodes.iter().all(|episode| episode.frames.is_some());
        if has_depth && facts.rules.min_depth.is_some_and(|depth| severity < depth) {
            report.ignored += 1;
            continue;
        }
        if is_known {
            pair.status = Status::Baseline;
        } else if matches!(facts.rules.baseline(), Baseline::Rest | Baseline::First)
            && facts.is_whole
            && 1 < facts.n_frames
            && is_single
            && is_steady
            && pair.episodes[0].frames == Some([0, facts.n_frames as u32 - 1])
            && is_same(severity, first, facts.size)
        {
            pair.status = Status::Throughout;
        }
        pairs.push(pair);
    }
    let rank = |pair: &Pair| (!pair.is_new(), pair.worst().worst.severity());
    pairs.sort_by(|a, b| rank(a).0.cmp(&rank(b).0).then(rank(b).1.total_cmp(&rank(a).1)));
    report.pairs = pairs;
}

/// Whether a clip fulfills the condition of the exit code.
pub(super) fn fails(clip: &ClipReport, condition: FailOn) -> bool {
    match condition {
        FailOn::Any => !clip.pairs.is_empty(),
        FailOn::New => clip.problems().next().is_some(),
        FailOn::Depth(depth) => clip.problems().any(|pair| depth <= pair.worst().worst.severity()),
    }
}
