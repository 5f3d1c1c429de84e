//! Queries with a time budget: their verdicts for a cast, frame by frame, whether these are right,
//! and how many of the bodies that touch are found.

use std::collections::BTreeSet;

use anyhow::Result;
use osculate::{BodyId, Budget, Pose, Query, Results, World};

use super::cast::{Cast, Poses};
use super::race::{METHODS, ON_DEMAND, Question, REFEREE};
use crate::agreement::Answer;
use crate::clock::now;

/// Time budget of a query in nanoseconds.
pub(super) const BUDGET: u64 = 200_000;

/// Totals over the queries of all frames.
pub(super) struct Timely {
    pub(super) question: Question,
    pub(super) queries: usize,
    /// Mean milliseconds of posing all bodies.
    pub(super) posing: f64,
    /// Milliseconds of the query: the mean and the maximum.
    pub(super) mean: f64,
    pub(super) longest: f64,
    /// Number of queries that answered yes, no, and undecided.
    pub(super) verdicts: [usize; 3],
    /// Results found, and all that exist, for queries for all.
    pub(super) found: u64,
    pub(super) all: u64,
    /// Pairs of bodies that were found to touch, and all that do.
    pub(super) pairs: u64,
    pub(super) all_pairs: u64,
    /// Queries with a wrong verdict.
    pub(super) wrong: usize,
}

/// Asks in every frame, as often as said.
pub(super) fn ask_in_time(cast: &Cast, question: Question, repeat: usize) -> Result<Timely> {
    let (mut world, bodies) = cast.world()?;
    let (mut referee, _) = cast.world()?;
    let results = if question == Question::AnyCrossing { Results::Any } else { Results::All };
    let query = Query::all().results(results).method(METHODS[ON_DEMAND].1).clock(now);
    let budget = Some(Budget::Nanoseconds(BUDGET));
    // What is built at the first query counts for nobody.
    ask(&mut world, &bodies, &cast.frames[0], question, &query, budget)?;
    let queries = repeat * cast.frames.len();
    let mut timely = Timely {
        question,
        queries,
        posing: 0.0,
        mean: 0.0,
        longest: 0.0,
        verdicts: [0; 3],
        found: 0,
        all: 0,
        pairs: 0,
        all_pairs: 0,
        wrong: 0,
    };
    for frame in &cast.frames {
        pose(&mut referee, &bodies, &frame[0])?;
        let whole = Query::all().method(REFEREE);
        let (right, _) = ask(&mut referee, &bodies, frame, question, &whole, None)?;
        let right_pairs = pairs(&right);
        let exists = !right_pairs.is_empty();
        for _ in 0..repeat {
            let before = now();
            pose(&mut world, &bodies, &frame[0])?;
            let start = now();
            let (found, left) = ask(&mut world, &bodies, frame, question, &query, budget)?;
            let [posing, time] = [start - before, now() - start].map(|time| 1e-6 * time as f64);
            timely.posing += posing / queries as f64;
            timely.mean += time / queries as f64;
            timely.longest = timely.longest.max(time);

            let (verdict, mut is_wrong) = match left.answer {
                Some(true) => (0, !exists),
                Some(false) => (1, exists),
                None => (2, false),
            };
            timely.verdicts[verdict] += 1;
            if results == Results::All {
                timely.found += left.count;
                timely.all += (right.crossings.len() + right.contacts.len()) as u64;
                timely.pairs += pairs(&found).len() as u64;
                timely.all_pairs += right_pairs.len() as u64;
                let difference = right.difference(&found);
                is_wrong |= difference.extra != 0 || (left.is_whole && difference.missed != 0);
            }
            timely.wrong += usize::from(is_wrong);
        }
    }
    Ok(timely)
}

/// What a query has answered besides its results.
struct Left {
    answer: Option<bool>,
    count: u64,
    is_whole: bool,
}

fn pose(world: &mut World, bodies: &[BodyId], poses: &Poses) -> Result<()> {
    for (&body, bones) in bodies.iter().zip(poses) {
        world.set_pose(body, bones)?;
    }
    Ok(())
}

/// Asks about the poses of a world, or about the step to the next frame; with a budget, or without.
fn ask(
    world: &mut World,
    bodies: &[BodyId],
    [_, next]: &[Poses; 2],
    question: Question,
    query: &Query,
    budget: Option<Budget>,
) -> Result<(Answer, Left)> {
    if question == Question::Contacts {
        let next: Vec<_> = bodies.iter().zip(next).map(|(&body, bones)| (body, Pose::from(bones))).collect();
        let (answer, is_whole, report) = match budget {
            Some(budget) => {
                let partial = world.contacts_within(&next, query, budget)?;
                (partial.answer(), partial.left.is_empty(), partial.report)
            }
            None => (None, true, world.contacts(&next, query)?),
        };
        let left = Left { answer, count: report.count, is_whole };
        return Ok((Answer { contacts: report.found, ..Answer::default() }, left));
    }
    let (answer, is_whole, report) = match budget {
        Some(budget) => {
            let partial = world.crossings_within(query, budget)?;
            (partial.answer(), partial.left.is_empty(), partial.report)
        }
        None => (None, true, world.crossings(query)?),
    };
    let left = Left { answer, count: report.count, is_whole };
    Ok((Answer { crossings: report.found, ..Answer::default() }, left))
}

/// The pairs of bodies that touch.
fn pairs(answer: &Answer) -> BTreeSet<[BodyId; 2]> {
    let ordered = |[a, b]: [BodyId; 2]| if a < b { [a, b] } else { [b, a] };
    let of_crossings = answer.crossings.iter().map(|crossing| crossing.bodies);
    of_crossings.chain(answer.contacts.iter().map(|contact| contact.key.bodies)).map(ordered).collect()
}
