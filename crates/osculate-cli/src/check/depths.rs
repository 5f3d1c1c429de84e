//! How deep overlaps are, as far as it matters: of an episode, the worst frame. A frame that cannot
//! be worse than another one of the episode is not measured further. The depth of the worst frame
//! is the same as if it were asked for alone, and does not depend on the order in which frames are
//! measured, or on the number of threads.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use osculate::penetration::{Overlap, Wanted};
use rayon::prelude::*;

use super::join::{Joiner, measure};
use super::known::least_same;
use super::scan::{Instant, Scan, evaluate};

/// A frame is left out in favor of a later one only if its depth is smaller by this part, so that
/// of frames that differ by rounding the first one is found. It is more than `join::SAME`; larger
/// values let more frames be measured.
const LATER: f64 = 1e-5;

/// An episode: the pair of parts, and its first frame.
type Key = ([u32; 2], usize);

/// What is known of an episode.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    /// The largest depth so far, and its frame.
    pub(super) worst: (f64, usize),
    /// What frames must exceed to be as severe as the first one, if that matters.
    pub(super) least: Option<f64>,
}

/// The first frames of the episodes of the pairs of a frame.
type Starts = BTreeMap<[u32; 2], usize>;

/// Measures the overlaps of successive frames that follow those joined so far, given the number of
/// frames in a run.
pub(super) fn depths(scan: &Scan, instants: &mut [Instant], joiner: &Joiner, run: usize) -> Result<()> {
    let Some(first) = instants.first().map(|instant| instant.frame) else { return Ok(()) };
    let mut standings: BTreeMap<Key, Standing> = BTreeMap::new();
    let mut starts: Vec<Starts> = Vec::new();
    for instant in &*instants {
        let mut of_frame = BTreeMap::new();
        for &parts in &instant.pairs {
            let known = match starts.last() {
                Some(before) => before.get(&parts).copied(),
                None => joiner.standing(parts).map(|(start, standing)| {
                    standings.insert((parts, start), standing);
                    start
                }),
            };
            of_frame.insert(parts, known.unwrap_or(instant.frame));
        }
        starts.push(of_frame);
    }
    let mut poses = Vec::new();
    for instant in instants.iter().step_by(run) {
        let mut pose = Vec::new();
        evaluate(scan.clip, scan.input, instant.frame, &mut pose)?;
        poses.push(pose);
    }
    let standings = Mutex::new(standings);
    let one = |(instant, starts): (&mut Instant, &Starts)| -> Result<()> {
        if instant.is_repeated || instant.pairs.is_empty() || scan.interrupted.load(Relaxed) {
            return Ok(());
        }
        let of_run = (instant.frame - first) / run;
        let in_run = (first + of_run * run, &poses[of_run][..]);
        instant.overlaps = measured(scan, instant, in_run, starts, &standings)?;
        Ok(())
    };
    let mut frames: Vec<(&mut Instant, &Starts)> = instants.iter_mut().zip(&starts).collect();
    // Far apart first: where depths grow from frame to frame, few are the largest so far.
    frames.sort_by_key(|(instant, _)| (instant.frame - first).reverse_bits());
    // The others are compared with the first frame of the clip.
    let rest = frames.split_off(usize::from(first == 0));
    frames.into_iter().try_for_each(one)?;
    rest.into_par_iter().try_for_each(one)?;
    for i in 1..instants.len() {
        let (before, after) = instants.split_at_mut(i);
        if after[0].is_repeated {
            after[0].overlaps = before[i - 1].overlaps.clone();
        }
        for overlap in after[0].overlaps.iter_mut().filter(|overlap| overlap.depth == KEPT) {
            let known = before[i / run * run].overlaps.iter().find(|known| known.parts == overlap.parts);
            overlap.depth = known.and_then(|known| known.depth);
        }
    }
    Ok(())
}

/// The depth of an overlap that is the same as in the first frame of the run, until it is known.
const KEPT: Option<f64> = Some(-1.0);

/// The overlaps of a frame, given the first frame of its run and its pose, and the first frames of
/// the episodes of its pairs. Tells the others what is found.
fn measured(
    scan: &Scan,
    instant: &Instant,
    (first, first_pose): (usize, &[[f64; 3]]),
    starts: &Starts,
    standings: &Mutex<BTreeMap<Key, Standing>>,
) -> Result<Vec<Overlap>> {
    let frame = instant.frame;
    let mut pose = Vec::new();
    evaluate(scan.clip, scan.input, frame, &mut pose)?;
    let known = |parts: [u32; 2]| scan.rigid.measured(parts, &pose);
    let keeps = |parts: [u32; 2]| {
        first < frame && starts[&parts] <= first && scan.rigid.keeps(parts, &pose, first_pose)
    };
    let wanted = |parts: [u32; 2]| {
        let standing = locked(standings).get(&(parts, starts[&parts])).copied();
        let wanted = standing.map_or(Wanted::Depth { least: 0.0, above: 0.0 }, |one| wanted(one, frame));
        (known(parts).is_none() && !keeps(parts)).then_some(wanted)
    };
    let mut overlaps = scan.anatomy.overlaps(&pose, &instant.crossings, wanted)?;
    for overlap in &mut overlaps {
        let parts = overlap.parts;
        if let Some(known) = known(parts) {
            (overlap.depth, overlap.deepest) = (known.depth, known.deepest);
            if let Some(spot) = known.deepest {
                overlap.point = spot.position(&scan.clip.surface.faces, &pose);
            }
        } else if keeps(parts) {
            overlap.depth = KEPT;
            continue;
        }
        let severity = measure(overlap).severity();
        let depth = overlap.depth.unwrap_or(0.0);
        let mut standings = locked(standings);
        let standing = standings.entry((parts, starts[&parts])).or_insert_with(|| Standing {
            worst: (depth, frame),
            least: scan.steady.filter(|_| frame == 0).map(|size| least_same(severity, size)),
        });
        standing.least = standing.least.filter(|&least| is_as_severe(severity, least));
        if standing.worst.0 < depth || standing.worst.0 == depth && frame < standing.worst.1 {
            standing.worst = (depth, frame);
        }
    }
    Ok(overlaps)
}

/// Whether a severity exceeds what [`least_same`] returned.
pub(super) fn is_as_severe(severity: f64, least: f64) -> bool {
    least < severity || least == 0.0
}

/// What matters at a frame, given what is known of the episode: depths that are worse, and whether
/// the overlap is as severe as in the first frame.
fn wanted(Standing { worst: (depth, of), least }: Standing, frame: usize) -> Wanted {
    let above = if of < frame { depth } else { depth * (1.0 - LATER) };
    Wanted::Depth { least: least.unwrap_or(above).min(above), above }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
