//! Interleaves methods on the same steps, and compares their answers with those of a reference.

use anyhow::Result;
use osculate::Stats;

use crate::agreement::Answer;

/// A method with its own world.
pub(super) trait Racer {
    /// The input of a step, which all methods share.
    type Step;

    /// Answers a step.
    fn run(&mut self, step: &Self::Step) -> Result<Run>;
}

/// The answer of a method to a step.
pub(super) struct Run {
    pub(super) answer: Answer,
    pub(super) stats: Stats,
    pub(super) ms: f64,
}

/// The measurements of a method.
#[derive(Default)]
pub(super) struct Timed {
    /// For each step, the median of its milliseconds over all repetitions.
    pub(super) ms: Vec<f64>,
    /// For each step, its counts.
    pub(super) of_steps: Vec<Stats>,
    /// The sum of these counts.
    pub(super) stats: Stats,
    /// Mean milliseconds of a step, for queries with a clock: refit, traversal, proofs or tests of
    /// sets, elementary tests. Those of the last are the time of all workers divided by their
    /// number; the traversal is the rest.
    pub(super) stages: [f64; 4],
    /// Contacts or crossings found.
    pub(super) found: u64,
    /// Results of the reference that are missing, and others.
    pub(super) missed: usize,
    pub(super) extra: usize,
}

impl Timed {
    /// The median time of a step.
    pub(super) fn median(&self) -> f64 {
        median(&self.ms)
    }

    /// The mean time of a step.
    pub(super) fn mean(&self) -> f64 {
        self.ms.iter().sum::<f64>() / self.ms.len() as f64
    }

    /// Whether all answers equal those of the reference, bit by bit.
    pub(super) fn agrees(&self) -> bool {
        self.missed == 0 && self.extra == 0
    }
}

/// Lets every method answer every step, `repeat` times, and compares with the reference in the
/// first repetition. Returns the number of results of each step, and the measurements in the order
/// of the methods.
pub(super) fn race<R: Racer>(
    racers: &mut [R],
    reference: usize,
    steps: &[usize],
    repeat: usize,
    step: impl Fn(usize) -> R::Step,
) -> Result<(Vec<u64>, Vec<Timed>)> {
    let mut rows: Vec<Timed> = racers.iter().map(|_| Timed::default()).collect();
    let mut times = vec![vec![Vec::new(); steps.len()]; racers.len()];
    let mut totals = vec![Stats::default(); racers.len()];
    let mut found = Vec::new();
    for repetition in 0..repeat {
        for (k, &number) in steps.iter().enumerate() {
            let input = step(number);
            let mut answers: Vec<Answer> = racers.iter().map(|_| Answer::default()).collect();
            for turn in 0..racers.len() {
                // A different method starts each time.
                let i = (turn + k + repetition) % racers.len();
                let Run { answer, stats, ms } = racers[i].run(&input)?;
                times[i][k].push(ms);
                totals[i] += stats;
                if repetition == 0 {
                    rows[i].of_steps.push(stats);
                    answers[i] = answer;
                }
            }
            if repetition == 0 {
                found.push(answers[reference].n_results());
                for (row, answer) in rows.iter_mut().zip(&answers) {
                    let difference = answers[reference].difference(answer);
                    row.missed += difference.missed;
                    row.extra += difference.extra;
                    row.found += answer.n_results();
                }
            }
        }
    }
    for ((row, times), total) in rows.iter_mut().zip(&times).zip(&totals) {
        row.of_steps.iter().for_each(|&stats| row.stats += stats);
        row.stages = stages(times, total);
        row.ms = times.iter().map(|times| median(times)).collect();
    }
    Ok((found, rows))
}

/// The means of the stages, from the milliseconds of all runs and the sum of their counts.
fn stages(times: &[Vec<f64>], total: &Stats) -> [f64; 4] {
    let n_runs: usize = times.iter().map(Vec::len).sum();
    let per_run = |nanoseconds: u64| 1e-6 * nanoseconds as f64 / n_runs as f64;
    let all = times.iter().flatten().sum::<f64>() / n_runs as f64;
    let [refit, proofs] = [total.times.refit, total.times.certify].map(per_run);
    let narrow = per_run(total.times.narrow) / rayon::current_num_threads() as f64;
    [refit, (all - refit - proofs - narrow).max(0.0), proofs, narrow]
}

/// The median of some numbers; the upper one of the middle two.
pub(super) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
