//! Queries with a time budget: their verdicts for a cast, frame by frame, and whether these are
//! right.

use anyhow::Result;
use osculate::{Budget, Query, Results};

use super::cast::Cast;
use super::race::{METHODS, ON_DEMAND, REFEREE};
use crate::agreement::Answer;
use crate::clock::now;

/// Time budget of a query in nanoseconds.
pub(super) const BUDGET: u64 = 200_000;

/// Totals over the queries of all frames.
pub(super) struct Timely {
    /// Whether the query is for all crossings, or for whether there is any.
    pub(super) wants_all: bool,
    pub(super) queries: usize,
    /// Mean milliseconds of posing all bodies.
    pub(super) posing: f64,
    /// Milliseconds of the query: the mean and the maximum.
    pub(super) mean: f64,
    pub(super) longest: f64,
    /// Number of queries that answered yes, no, and undecided.
    pub(super) verdicts: [usize; 3],
    /// Crossings found, and all that exist, for queries for all.
    pub(super) found: u64,
    pub(super) all: u64,
    /// Queries with a wrong verdict.
    pub(super) wrong: usize,
}

/// Asks in every frame, as often as said.
pub(super) fn ask_in_time(cast: &Cast, results: Results, repeat: usize) -> Result<Timely> {
    let (mut world, bodies) = cast.world()?;
    let (mut referee, _) = cast.world()?;
    let query = Query::all().results(results).method(METHODS[ON_DEMAND].1).clock(now);
    // What is built at the first query counts for nobody.
    world.crossings_within(&query, Budget::Nanoseconds(BUDGET))?;
    let wants_all = results == Results::All;
    let (queries, verdicts) = (repeat * cast.frames.len(), [0; 3]);
    let (posing, mean, longest, found, all, wrong) = (0.0, 0.0, 0.0, 0, 0, 0);
    let mut timely = Timely { wants_all, queries, posing, mean, longest, verdicts, found, all, wrong };
    for [poses, _] in &cast.frames {
        for (&body, bones) in bodies.iter().zip(poses) {
            referee.set_pose(body, bones)?;
        }
        let right = referee.crossings(&Query::all().method(REFEREE))?.found;
        let right = Answer { crossings: right, ..Answer::default() };
        for _ in 0..repeat {
            let before = now();
            for (&body, bones) in bodies.iter().zip(poses) {
                world.set_pose(body, bones)?;
            }
            let start = now();
            let partial = world.crossings_within(&query, Budget::Nanoseconds(BUDGET))?;
            let [posing, time] = [start - before, now() - start].map(|time| 1e-6 * time as f64);
            timely.posing += posing / queries as f64;
            timely.mean += time / queries as f64;
            timely.longest = timely.longest.max(time);

            let (verdict, mut is_wrong) = match partial.answer() {
                Some(true) => (0, right.crossings.is_empty()),
                Some(false) => (1, !right.crossings.is_empty()),
                None => (2, false),
            };
            timely.verdicts[verdict] += 1;
            if wants_all {
                timely.found += partial.report.count;
                timely.all += right.crossings.len() as u64;
                let is_whole = partial.left.is_empty();
                let found = Answer { crossings: partial.report.found, ..Answer::default() };
                let difference = right.difference(&found);
                is_wrong |= difference.extra != 0 || (is_whole && difference.missed != 0);
            }
            timely.wrong += usize::from(is_wrong);
        }
    }
    Ok(timely)
}
