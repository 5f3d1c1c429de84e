//! Decides the queries of a file, compares with the known answers, and measures the time.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use osculate::narrow::{Kind, Outcome, Settings, Stats, decide};

use super::parse::Query;

/// How often all queries of a file are timed; the best time counts, since noise only adds.
const REPETITIONS: usize = 5;

/// Results of the queries of one file.
pub(super) struct Replay<'a> {
    pub(super) path: &'a Path,
    pub(super) kind: Kind,
    /// Queries decided.
    pub(super) queries: usize,
    /// Queries whose known answer is that the features touch.
    pub(super) positives: usize,
    /// Wrong answers, in the order of the file.
    pub(super) wrong: Vec<Wrong>,
    /// Coordinates that f64 cannot hold; their queries were decided for the nearest f64.
    pub(super) rounded: usize,
    /// How often each stage decided, in one repetition.
    pub(super) stats: Stats,
    /// Time for all queries, best of [`REPETITIONS`].
    pub(super) time: Duration,
}

/// A wrong answer.
pub(super) struct Wrong {
    /// Number of the query in its file, from 1.
    pub(super) query: usize,
    /// Its first row: the line in the file, from 1.
    pub(super) row: usize,
    /// Whether the features are known to touch.
    pub(super) touches: bool,
    /// The answer given.
    pub(super) outcome: Outcome,
}

/// Decides all queries of a file.
pub(super) fn replay<'a>(path: &'a Path, kind: Kind, queries: &[Query]) -> anyhow::Result<Replay<'a>> {
    let settings = Settings::default();
    let mut stats = Stats::default();
    let mut wrong = Vec::new();
    for (index, query) in queries.iter().enumerate() {
        let outcome = decide(kind, &query.points, &settings, &mut stats)
            .with_context(|| format!("{}, row {}: query {}", path.display(), query.row, index + 1))?;
        if matches!(outcome, Outcome::Hit { .. }) != query.touches {
            wrong.push(Wrong { query: index + 1, row: query.row, touches: query.touches, outcome });
        }
    }
    let mut time = Duration::MAX;
    for _ in 0..REPETITIONS {
        let mut ignored = Stats::default();
        let start = Instant::now();
        for query in queries {
            // Every query was decided above, so none is refused here.
            let _ = black_box(decide(kind, black_box(&query.points), &settings, &mut ignored));
        }
        time = time.min(start.elapsed());
        black_box(ignored);
    }
    Ok(Replay {
        path,
        kind,
        queries: queries.len(),
        positives: queries.iter().filter(|query| query.touches).count(),
        wrong,
        rounded: queries.iter().map(|query| query.rounded).sum(),
        stats,
        time,
    })
}
