//! Interleaves methods on the same steps, and compares their answers.

use anyhow::Result;
use osculate::method::Guarantee;
use osculate::{Method, Query, Stats};

use super::busy::Timer;
use super::figures::{Figure, elementary_tests};
use crate::agreement::Answer;
use crate::bodies::{JointEnds, Parts};
use crate::clock::now;

/// The poses at the start and the end of a step; or one pose at an instant.
pub(super) type Ends = Vec<Vec<[f64; 3]>>;

/// The same as parameters of a deformer.
pub(super) type ParameterEnds = Vec<Vec<f64>>;

/// A method and its measurements.
pub(super) struct Row {
    pub(super) method: String,
    /// Milliseconds per frame: median, least and greatest over the repetitions.
    pub(super) ms: [f64; 3],
    pub(super) guarantee: Guarantee,
    /// Milliseconds per frame of the stages, of the median repetition: refit, proofs, culling,
    /// narrow phase. The narrow phase is the time of all workers divided by their number; culling
    /// is the rest.
    pub(super) stages: [f64; 4],
    /// Sums over all frames.
    pub(super) stats: Stats,
    pub(super) found: u64,
    /// Number of results of the first complete method that are missing, and of extra results.
    pub(super) missed: usize,
    pub(super) extra: usize,
    /// Steps whose earliest contact is missing.
    pub(super) firsts_missed: usize,
    pub(super) memory_bytes: usize,
}

impl Row {
    /// Whether the answers agree with the first complete method; up to the first contact, if no
    /// more is guaranteed.
    pub(super) fn agrees(&self) -> bool {
        let n_missed =
            if self.guarantee == Guarantee::FirstContact { self.firsts_missed } else { self.missed };
        self.extra == 0 && n_missed == 0
    }

    /// Whether the answers satisfy the guarantee of the method.
    pub(super) fn keeps_its_word(&self) -> bool {
        self.agrees() || self.guarantee == Guarantee::Nothing && self.extra == 0
    }

    /// The figure of the method for a question about a scene.
    pub(super) fn figure(&self, scene: &str, query: &'static str, triangles: usize, steps: usize) -> Figure {
        Figure {
            scene: scene.to_owned(),
            query,
            method: self.method.clone(),
            triangles,
            steps,
            ms: self.ms[0],
            bounds_tests: self.stats.bounds_tests,
            pairs: self.stats.pairs,
            elementary_tests: elementary_tests(&self.stats),
            found: self.found,
            agrees: self.keeps_its_word(),
        }
    }

    /// Short verdict for the table.
    pub(super) fn verdict(&self) -> String {
        let missed = crate::words::grouped(self.missed as u64);
        match (self.agrees(), self.keeps_its_word()) {
            (true, _) if self.missed == 0 => "yes".to_owned(),
            (true, _) => format!("first; missed {missed}"),
            (false, true) => format!("missed {missed}"),
            (false, false) => "NO".to_owned(),
        }
    }
}

/// A method with its own world, and so its own state from step to step.
pub(super) struct Runner {
    label: String,
    method: Method,
    parts: Parts,
    /// For each step, the positions of the joints of the clusters; empty if not needed.
    joints: Vec<Option<JointEnds>>,
    /// For each step, the parameters; empty if bodies are posed by vertices.
    parameters: Vec<ParameterEnds>,
    /// For each repetition, nanoseconds and counts of all frames.
    runs: Vec<(u64, Stats)>,
    found: u64,
    missed: usize,
    extra: usize,
    firsts_missed: usize,
    /// Nanoseconds that are added to the next repetition.
    charged: u64,
}

impl Runner {
    pub(super) fn new(label: String, method: Method, parts: Parts, joints: Vec<Option<JointEnds>>) -> Runner {
        let (parameters, runs) = (Vec::new(), Vec::new());
        let (found, missed, extra, firsts_missed) = (0, 0, 0, 0);
        let charged = 0;
        Runner {
            label,
            method,
            parts,
            joints,
            parameters,
            runs,
            found,
            missed,
            extra,
            firsts_missed,
            charged,
        }
    }

    /// The same with bodies posed by parameters in each step.
    pub(super) fn with_parameters(self, parameters: Vec<ParameterEnds>) -> Runner {
        Runner { parameters, ..self }
    }

    /// The same after the repetitions of another one with the same method; the next repetition is
    /// charged with this number of nanoseconds.
    pub(super) fn after(mut self, before: Option<Runner>, charged: u64) -> Runner {
        if let Some(before) = before {
            self.runs = before.runs;
            (self.missed, self.extra) = (before.missed, before.extra);
            self.firsts_missed = before.firsts_missed;
        }
        Runner { charged, ..self }
    }

    /// Sets the next pose to that at an end of a step.
    fn set_next(&mut self, step: usize, end: usize, pose: &[[f64; 3]]) {
        match self.parameters.get(step) {
            Some(parameters) => self.parts.set_next_parameters(parameters[end].clone()),
            None => self.parts.set_next(pose),
        }
    }

    fn run(&mut self, step: usize, ends: &Ends) -> Result<Answer> {
        let query = Query::all().method(self.method).clock(now);
        self.set_next(step, 0, &ends[0]);
        self.parts.advance()?;
        self.parts.set_joints(self.joints.get(step).and_then(Option::as_ref))?;
        let timer = Timer::start();
        let (answer, stats, found) = if let [_, end] = ends.as_slice() {
            self.set_next(step, 1, end);
            let (world, next) = self.parts.step();
            let report = world.contacts(&next, &query)?;
            (Answer { contacts: report.found, ..Answer::default() }, report.stats, report.count)
        } else {
            let report = self.parts.world.crossings(&query)?;
            (Answer { crossings: report.found, ..Answer::default() }, report.stats, report.count)
        };
        let time = timer.stop();
        self.found += found;
        if let Some((total, sum)) = self.runs.last_mut() {
            *total += time;
            *sum += stats;
        }
        Ok(answer)
    }

    /// The measurements over `n_frames` frames.
    pub(super) fn row(&self, n_frames: usize) -> Row {
        let mut runs: Vec<&(u64, Stats)> = self.runs.iter().collect();
        runs.sort_by_key(|run| run.0);
        let per_frame = |nanoseconds: f64| nanoseconds * 1e-6 / n_frames as f64;
        let (median, stats) = runs[runs.len() / 2];
        let total = per_frame(*median as f64);
        let refit = per_frame(stats.times.refit as f64);
        let proofs = per_frame(stats.times.certify as f64);
        let narrow = per_frame(stats.times.narrow as f64 / rayon::current_num_threads() as f64);
        Row {
            method: self.label.clone(),
            ms: [total, per_frame(runs[0].0 as f64), per_frame(runs[runs.len() - 1].0 as f64)],
            guarantee: self.method.guarantee(),
            stages: [refit, proofs, (total - refit - proofs - narrow).max(0.0), narrow],
            stats: *stats,
            found: self.found,
            missed: self.missed,
            extra: self.extra,
            firsts_missed: self.firsts_missed,
            memory_bytes: self.parts.world.memory_bytes(),
        }
    }
}

/// Lets every method answer one step that is not measured, to exclude structures that are built at
/// the first query.
pub(super) fn warm_up(runners: &mut [Runner], first: &Ends) -> Result<()> {
    runners.iter_mut().try_for_each(|runner| runner.run(0, first).map(drop))
}

/// Lets every method answer every step, `repeat` times, and compares with the first complete one.
pub(super) fn take_turns(runners: &mut [Runner], steps: &[Ends], repeat: usize) -> Result<()> {
    let n = runners.len();
    let is_complete = |runner: &Runner| runner.method.guarantee() == Guarantee::Complete;
    let referee = runners.iter().position(is_complete).unwrap_or(0);
    for repetition in 0..repeat {
        for runner in &mut *runners {
            runner.runs.push((std::mem::take(&mut runner.charged), Stats::default()));
            runner.found = 0;
        }
        for (k, ends) in steps.iter().enumerate() {
            let mut answers: Vec<Answer> = (0..n).map(|_| Answer::default()).collect();
            for turn in 0..n {
                // A different method starts each time.
                let i = (turn + k + repetition) % n;
                answers[i] = runners[i].run(k, ends)?;
            }
            for (runner, answer) in runners.iter_mut().zip(&answers) {
                let difference = answers[referee].difference(answer);
                runner.missed += difference.missed;
                runner.extra += difference.extra;
                runner.firsts_missed += usize::from(difference.is_first_missed);
            }
        }
    }
    Ok(())
}
