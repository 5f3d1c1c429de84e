//! Interleaves methods on the same frames of a cast, with bodies posed by bones.
//!
//! The measured time is that of posing all bodies and of the query; the bone matrices are computed
//! before.

use anyhow::Result;
use osculate::method::{Refit, Shape, SphereTree, Volume};
use osculate::{BodyId, Method, Pose, Query, Results, Stats, World};

use super::cast::{Cast, Poses};
use crate::agreement::Answer;
use crate::clock::now;

/// The interleaved methods and their labels.
pub(super) const METHODS: [(&str, Method); 3] = [
    ("on demand", tree(Shape::Ball, Refit::OnDemand)),
    ("bottom-up", tree(Shape::Ball, Refit::BottomUp)),
    ("boxes, on demand", tree(Shape::Box, Refit::OnDemand)),
];
pub(super) const ON_DEMAND: usize = 0;
pub(super) const BOTTOM_UP: usize = 1;

/// The reference method.
pub(super) const REFEREE: Method = Method::Bvh(Volume::MovingAabb);

/// Nanoseconds of a turn: a method repeats all frames until this time has passed, then the next
/// method takes its turn.
const TURN: u64 = 20_000_000;

const fn tree(shape: Shape, refit: Refit) -> Method {
    Method::SphereTree(SphereTree::new().shape(shape).refit(refit))
}

/// The query in each frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// All crossings.
    Crossings,
    /// Whether there is a crossing.
    AnyCrossing,
    /// All contacts of the step to the next frame.
    Contacts,
}

impl Question {
    pub(super) fn words(self) -> &'static str {
        match self {
            Question::Crossings => "crossings",
            Question::AnyCrossing => "any crossing",
            Question::Contacts => "contacts",
        }
    }
}

/// A method and its measurements.
pub(super) struct Row {
    pub(super) method: &'static str,
    /// What is asked, in a word or two.
    pub(super) query: &'static str,
    /// Milliseconds per frame: median, least and greatest of the means of all turns.
    pub(super) ms: [f64; 3],
    /// Sums over all frames.
    pub(super) stats: Stats,
    pub(super) found: u64,
    /// Whether all answers agree with the reference.
    pub(super) agrees: bool,
}

/// A method with its own world.
struct Racer {
    world: World,
    bodies: Vec<BodyId>,
    method: Method,
    stats: Stats,
    found: u64,
    agrees: bool,
    /// For each turn, nanoseconds per frame.
    means: Vec<f64>,
}

impl Racer {
    fn new(cast: &Cast, method: Method) -> Result<Racer> {
        let (world, bodies) = cast.world()?;
        let (stats, means) = (Stats::default(), Vec::new());
        Ok(Racer { world, bodies, method, stats, found: 0, agrees: true, means })
    }

    /// Poses all bodies and runs the query; returns the answer, the number of results, and the
    /// stats.
    fn run(&mut self, [poses, next]: &[Poses; 2], question: Question) -> Result<(Answer, u64, Stats)> {
        for (&body, bones) in self.bodies.iter().zip(poses) {
            self.world.set_pose(body, bones)?;
        }
        let want = if question == Question::AnyCrossing { Results::Any } else { Results::All };
        let query = Query::all().results(want).method(self.method);
        if question == Question::Contacts {
            let next = self.bodies.iter().zip(next).map(|(&body, bones)| (body, Pose::from(bones)));
            let report = self.world.contacts(&next.collect::<Vec<_>>(), &query)?;
            let answer = Answer { contacts: report.found, ..Answer::default() };
            return Ok((answer, report.count, report.stats));
        }
        let report = self.world.crossings(&query)?;
        Ok((Answer { crossings: report.found, ..Answer::default() }, report.count, report.stats))
    }

    /// Repeats all frames until the turn is over.
    fn take_turn(&mut self, cast: &Cast, question: Question) -> Result<()> {
        let (start, mut time, mut n_frames) = (now(), 0, 0);
        while time < TURN {
            for poses in &cast.frames {
                self.run(poses, question)?;
            }
            n_frames += cast.frames.len();
            time = now() - start;
        }
        self.means.push(time as f64 / n_frames as f64);
        Ok(())
    }

    fn row(mut self, method: &'static str, question: Question) -> Row {
        self.means.sort_by(f64::total_cmp);
        let ms = [self.means.len() / 2, 0, self.means.len() - 1].map(|i| 1e-6 * self.means[i]);
        Row { method, query: question.words(), ms, stats: self.stats, found: self.found, agrees: self.agrees }
    }
}

/// Lets every method answer every frame and compares with the reference; then measures `repeat`
/// turns of each. The rows are in the order of [`METHODS`].
pub(super) fn race(cast: &Cast, question: Question, repeat: usize) -> Result<Vec<Row>> {
    let mut referee = Racer::new(cast, REFEREE)?;
    let mut racers =
        METHODS.iter().map(|&(_, method)| Racer::new(cast, method)).collect::<Result<Vec<_>>>()?;
    for poses in &cast.frames {
        let (right, n_right, _) = referee.run(poses, question)?;
        for racer in &mut racers {
            let (answer, found, stats) = racer.run(poses, question)?;
            racer.agrees &= answer == right && found == n_right;
            racer.found += found;
            racer.stats += stats;
        }
    }
    for _ in 0..repeat {
        racers.iter_mut().try_for_each(|racer| racer.take_turn(cast, question))?;
    }
    Ok(racers.into_iter().zip(METHODS).map(|(racer, (name, _))| racer.row(name, question)).collect())
}
