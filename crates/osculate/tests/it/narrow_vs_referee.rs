//! The narrow phase against the referee, family by family, and the symmetries that every answer
//! must have.
//!
//! The number of queries of the main test is 20,000, or `OSCULATE_SOAK_QUERIES`. `OSCULATE_SEED`
//! sets the seed. A failure prints both with the index of the query; `OSCULATE_INDEX` then runs
//! that query alone.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::common::{N_FAMILIES, Rng, family, map, vector};
use crate::referee::{Algebraic, first_contact};
use osculate::narrow::{Kind, Outcome, Settings, Stats, decide};
use osculate::{Error, MovingPoint};

/// Default number of queries of the main test.
const QUERIES: u64 = 20_000;
/// Queries of each test of a symmetry.
const SYMMETRY_QUERIES: u64 = 4_000;
/// From this many queries on, a test uses every core; below, other tests do.
const QUERIES_FOR_THREADS: u64 = 50_000;
const SEED: u64 = 0x05c1_1a7e;
/// A run stops after this many failures.
const FAILURES_SHOWN: usize = 8;

/// One query of a run, as a function of seed, index and kind.
struct Query {
    family: &'static str,
    seed: u64,
    index: u64,
    kind: Kind,
    points: [MovingPoint; 4],
}

impl Query {
    fn new(seed: u64, index: u64, kind: Kind) -> Query {
        let family = family((index % N_FAMILIES as u64) as usize);
        let points = (family.generate)(&mut Rng::for_item(seed, index), kind);
        Query { family: family.name, seed, index, kind, points }
    }

    fn with_points(&self, points: [MovingPoint; 4]) -> Query {
        Query { points, ..*self }
    }

    fn first_contact(&self) -> Option<Algebraic> {
        first_contact(self.kind, &self.points)
    }

    /// The library's answer.
    fn decide(&self, settings: &Settings) -> Result<Outcome, String> {
        let mut stats = Stats::default();
        let answer = catch_unwind(AssertUnwindSafe(|| decide(self.kind, &self.points, settings, &mut stats)))
            .map_err(|_| format!("decide panicked\n{self}"))?
            .map_err(|error| format!("decide refused: {error}\n{self}"))?;
        if stats.queries != 1 {
            return Err(format!("one query was counted as {}\n{self}", stats.queries));
        }
        Ok(answer)
    }

    /// The library's answer, after checking that it is right: `first` is the first contact.
    fn check(&self, first: &Option<Algebraic>, settings: &Settings) -> Result<Outcome, String> {
        let answer = self.decide(settings)?;
        let fault = match (answer, first) {
            (Outcome::Miss, None) => None,
            (Outcome::Miss, Some(_)) => Some("a contact was missed"),
            (Outcome::Hit { .. }, None) => Some("there is no contact"),
            (Outcome::Hit { lo, hi }, Some(first)) => bracket_fault(lo, hi, first, settings.time_width),
        };
        match fault {
            None => Ok(answer),
            Some(fault) => {
                let width = settings.time_width;
                Err(format!(
                    "{fault}: {answer:?}, time width {width:e}, first contact {}\n{self}",
                    show(first)
                ))
            }
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Query { family, seed, index, kind, points } = self;
        writeln!(f, "family \"{family}\", seed {seed:#x}, index {index}, Kind::{kind:?}")?;
        for p in points {
            writeln!(f, "  {:?} -> {:?}", p.t0, p.t1)?;
        }
        for p in points {
            let [t0, t1] = [p.t0, p.t1].map(|end| end.map(|x| format!("{:#018x}", x.to_bits())).join(", "));
            writeln!(f, "  [{t0}] -> [{t1}]")?;
        }
        Ok(())
    }
}

/// What is wrong with a bracket of the first contact, if anything is.
fn bracket_fault(lo: f64, hi: f64, first: &Algebraic, time_width: f64) -> Option<&'static str> {
    if !(0.0 <= lo && lo <= hi && hi <= 1.0) {
        Some("the bracket is not an interval in [0, 1]")
    } else if time_width < hi - lo {
        Some("the bracket is too wide")
    } else if first.compare_f64(lo).is_lt() {
        Some("the bracket begins after the first contact")
    } else if first.compare_f64(hi).is_gt() {
        Some("the bracket ends before the first contact")
    } else if first.compare_f64(0.0).is_eq() && hi != 0.0 {
        Some("a contact at the start has a bracket that is not zero")
    } else {
        None
    }
}

/// The first contact, to the nearest number below, for messages.
fn show(first: &Option<Algebraic>) -> String {
    let Some(first) = first else { return "none".to_owned() };
    let (mut low, mut high) = (0, 1.0f64.to_bits());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if first.compare_f64(f64::from_bits(middle)).is_ge() { low = middle } else { high = middle - 1 }
    }
    let t = f64::from_bits(low);
    if first.compare_f64(t).is_eq() { format!("at {t:?}") } else { format!("just after {t:?}") }
}

fn number_from_env(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?.replace('_', "");
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    Some(number.unwrap_or_else(|_| panic!("{name} is {text:?}; it must be a number")))
}

/// Checks items `0..count` with the seed of this run and panics with the failures.
fn run(count: u64, check: impl Fn(u64, u64) -> Result<(), String> + Sync) {
    let seed = number_from_env("OSCULATE_SEED").unwrap_or(SEED);
    let indices = number_from_env("OSCULATE_INDEX").map_or(0..count, |index| index..index + 1);
    let threads = if count < QUERIES_FOR_THREADS {
        1
    } else {
        std::thread::available_parallelism().map_or(1, usize::from)
    };
    let failed = AtomicUsize::new(0);
    let mut failures: Vec<(u64, String)> = std::thread::scope(|scope| {
        let work = |thread: usize| {
            let mut failures = Vec::new();
            for index in indices.clone().skip(thread).step_by(threads) {
                if FAILURES_SHOWN <= failed.load(Relaxed) {
                    break;
                }
                if let Err(message) = check(seed, index) {
                    failed.fetch_add(1, Relaxed);
                    failures.push((index, message));
                }
            }
            failures
        };
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker that ends")).collect()
    });
    failures.sort_unstable_by_key(|(index, _)| *index);
    let messages: Vec<String> = failures.into_iter().map(|(_, message)| message).collect();
    assert!(messages.is_empty(), "{} failures:\n\n{}", messages.len(), messages.join("\n"));
}

/// Checks `count` queries: every family in turn, with both kinds.
fn run_queries(count: u64, check: impl Fn(&Query) -> Result<(), String> + Sync) {
    let families = N_FAMILIES as u64;
    run(count, |seed, index| {
        let kind = if (index / families).is_multiple_of(2) { Kind::VertexFace } else { Kind::EdgeEdge };
        check(&Query::new(seed, index, kind))
    });
}

/// The default settings in half of the queries, any legal time width in the others.
#[test]
fn agrees_with_the_referee() {
    run_queries(number_from_env("OSCULATE_SOAK_QUERIES").unwrap_or(QUERIES), |query| {
        let mut rng = Rng::for_item(!query.seed, query.index);
        let mut settings = Settings::default();
        if rng.one_in(2) {
            settings.time_width = 0.5f64.powi(rng.integer(0, 52));
        }
        query.check(&query.first_contact(), &settings).map(drop)
    });
}

/// Every family has a fair share of hits: misses are easy to generate.
#[test]
fn families_have_hits() {
    for i in 0..N_FAMILIES {
        let family = family(i);
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            let query = |n| Query::new(SEED, (i + n * N_FAMILIES) as u64, kind);
            let hits = (0..200).filter(|n| query(*n).first_contact().is_some()).count();
            // Contacts just outside are there for their misses.
            let least = if family.name == "exactly outside" { 0 } else { 20 };
            assert!(least <= hits, "{hits} hits in 200 queries of family \"{}\", {kind:?}", family.name);
        }
    }
}

#[test]
fn corner_order_does_not_matter() {
    const ORDERS: [[usize; 3]; 6] = [[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 3, 2], [3, 2, 1], [2, 1, 3]];
    run(SYMMETRY_QUERIES, |seed, index| {
        let query = Query::new(seed, index, Kind::VertexFace);
        let first = query.first_contact();
        let p = query.points;
        ORDERS.iter().try_for_each(|[a, b, c]| {
            query.with_points([p[0], p[*a], p[*b], p[*c]]).check(&first, &Settings::default()).map(drop)
        })
    });
}

#[test]
fn edge_order_does_not_matter() {
    run(SYMMETRY_QUERIES, |seed, index| {
        let query = Query::new(seed, index, Kind::EdgeEdge);
        let first = query.first_contact();
        (0..8).try_for_each(|order| {
            let mut p = query.points;
            if order & 1 != 0 {
                p.swap(0, 1);
            }
            if order & 2 != 0 {
                p.swap(2, 3);
            }
            if order & 4 != 0 {
                p.rotate_left(2);
            }
            query.with_points(p).check(&first, &Settings::default()).map(drop)
        })
    });
}

#[test]
fn time_can_run_backward() {
    run_queries(SYMMETRY_QUERIES, |query| {
        let forward = query.decide(&Settings::default())?;
        let reversed = query.with_points(query.points.map(|p| MovingPoint::new(p.t1, p.t0)));
        let backward = reversed.check(&reversed.first_contact(), &Settings::default())?;
        if (forward == Outcome::Miss) == (backward == Outcome::Miss) {
            Ok(())
        } else {
            Err(format!("{forward:?} forward, {backward:?} backward\n{query}"))
        }
    });
}

#[test]
fn scale_does_not_matter() {
    run_queries(SYMMETRY_QUERIES, |query| {
        let first = query.first_contact();
        [-40, -13, 1, 27, 40].into_iter().try_for_each(|exponent| {
            let scale = 2f64.powi(exponent);
            let scaled = map(query.points, |p| p.map(|x| x * scale));
            // Only where nothing overflows or loses bits.
            if map(scaled, |p| p.map(|x| x / scale)) != query.points {
                return Ok(());
            }
            query.with_points(scaled).check(&first, &Settings::default()).map(drop)
        })
    });
}

#[test]
fn place_does_not_matter() {
    let exact = AtomicUsize::new(0);
    run_queries(SYMMETRY_QUERIES, |query| {
        let mut rng = Rng::for_item(!query.seed, query.index);
        let offset = vector(|| rng.whole(-64, 64) * 2f64.powi(rng.integer(-6, 20)));
        let moved = map(query.points, |p| std::array::from_fn(|i| p[i] + offset[i]));
        // Exact sums: what rounding took away (Knuth) is zero.
        let is_exact = std::iter::zip(query.points, moved).all(|(p, q)| {
            (0..3).all(|i| {
                [(p.t0[i], q.t0[i]), (p.t1[i], q.t1[i])].iter().all(|(x, sum)| {
                    let offset_used = sum - x;
                    (x - (sum - offset_used)) + (offset[i] - offset_used) == 0.0
                })
            })
        });
        if !is_exact {
            return Ok(());
        }
        exact.fetch_add(1, Relaxed);
        query.with_points(moved).check(&query.first_contact(), &Settings::default()).map(drop)
    });
    assert!(number_from_env("OSCULATE_INDEX").is_some() || SYMMETRY_QUERIES / 4 < exact.into_inner() as u64);
}

#[test]
fn time_width_only_changes_the_bracket() {
    run_queries(SYMMETRY_QUERIES, |query| {
        let first = query.first_contact();
        [0, 10, 20, 40, 52].into_iter().try_for_each(|bits| {
            let settings = Settings { time_width: 0.5f64.powi(bits), ..Settings::default() };
            query.check(&first, &settings).map(drop)
        })
    });
}

/// Any 64 bits as coordinates: rejected if one is not finite, answered correctly otherwise.
///
/// One query in 24 takes any exponents, which makes 100,000 such coordinates; in the others the
/// exponents lie in a random window. Integers of thousands of bits are slow, so the referee checks
/// only a part of them.
#[test]
fn random_bits() {
    let judged = if number_from_env("OSCULATE_SOAK_QUERIES").is_some() { 24 } else { 600 };
    run(100_000, |seed, index| {
        let mut rng = Rng::for_item(seed, index);
        let any_exponent = index.is_multiple_of(24);
        let window = if any_exponent { 0x7ff } else { rng.pick(&[2, 8, 30]) };
        let lowest = rng.below(0x7ff - window + 1);
        let mut number = || {
            let exponent = lowest + rng.below(window);
            f64::from_bits(rng.next() & !(0x7ff << 52) | exponent << 52)
        };
        let mut points: [MovingPoint; 4] = std::array::from_fn(|_| {
            let t0 = vector(&mut number);
            MovingPoint::new(t0, vector(&mut number))
        });
        let kind = if rng.one_in(2) { Kind::VertexFace } else { Kind::EdgeEdge };
        let is_finite = !rng.one_in(10);
        if !is_finite {
            for _ in 0..rng.integer(1, 2) {
                let point = &mut points[rng.below(4) as usize];
                let end = if rng.one_in(2) { &mut point.t0 } else { &mut point.t1 };
                let fraction = if rng.one_in(2) { 0 } else { rng.next() };
                end[rng.below(3) as usize] = f64::from_bits(fraction | 0x7ff << 52);
            }
        }
        let query = Query { family: "random bits", seed, index, kind, points };
        if !is_finite {
            check_refused(&query)
        } else if index.is_multiple_of(if any_exponent { judged } else { 10 }) {
            query.check(&query.first_contact(), &Settings::default()).map(drop)
        } else {
            query.decide(&Settings::default()).map(drop)
        }
    });
}

/// A query with a coordinate that is not finite must be rejected, and the error must name such a
/// coordinate.
fn check_refused(query: &Query) -> Result<(), String> {
    match decide(query.kind, &query.points, &Settings::default(), &mut Stats::default()) {
        Err(Error::NonFinite { vertex, axis, t, value }) => {
            let point = query.points[vertex];
            let named = [point.t0, point.t1][usize::from(t)][axis];
            if !named.is_finite() && named.to_bits() == value.to_bits() {
                Ok(())
            } else {
                Err(format!("the error names vertex {vertex}, axis {axis}, t = {t}, value {value}\n{query}"))
            }
        }
        answer => Err(format!("not refused: {answer:?}\n{query}")),
    }
}
