//! The narrow phase: whether and when two features of moving triangles touch.
//!
//! A query has four points that move along straight lines during the step: a vertex and a face, or
//! two edges ([`Kind`]). [`decide`] answers one query, [`decide_batch`] many at once, with the same
//! answers. For contact itself (no minimum separation) the answer is exact for the given f64
//! coordinates: filters with certified signs decide nearly all queries, exact integer arithmetic
//! the rest. [`triangle_triangle()`] is the exact test at an instant.
//!
//! The stages, each of which decides or passes on, are counted in [`Stats`]:
//!
//! 1. boxes: the moving boxes are separated on an axis (exact);
//! 2. cubic: the four points are never coplanar (certified sign of the coplanarity cubic);
//! 3. roots: each time at which they are coplanar is enclosed in a narrow bracket, on which a
//!    projection decides;
//! 4. split: the step is bisected until one of these applies;
//! 5. exact: roots and signs in integers, which decides every degenerate case.
//!
//! Filters cannot prove contacts at t = 0, nor most at t = 1. Those that are easily detected are
//! removed before stages 3 and 4, and count as exact.
//!
//! Not covered: features that share a vertex are never a query, since they always touch; and two
//! triangles that already intersect, and continue to without any of their features meeting, have no
//! contact during the step.

mod batch;
mod closest;
mod contact_point;
mod contact_points;
mod exact;
mod features;
mod filter;
mod gather;
mod near_pairs;
mod outcome;
mod separation;
mod settings;
mod stats;
mod triangle_triangle;

pub use batch::decide_batch;
pub(crate) use batch::{Boxes, Hits, decide_batch_until};
#[cfg(test)]
pub(crate) use closest::closest_on_triangle;
pub(crate) use closest::{closest_on_triangles, distances_to_triangles};
pub use contact_point::{ContactPoint, contact_point};
pub(crate) use contact_points::contact_points;
pub(crate) use features::{Ends, cubic as coplanarity, triple, triple_at};
pub(crate) use near_pairs::{Near, drop_far_pairs};
pub use outcome::{Kind, Outcome};
pub(crate) use separation::reach;
pub use settings::Settings;
pub use stats::Stats;
pub(crate) use triangle_triangle::{Open, TrianglePairs, crossing, decide_pairs};
pub use triangle_triangle::{Relation, Shared, TriangleStats, intersection_segment, triangle_triangle};

use crate::math::bernstein::FILTER_RANGE;
use crate::motion::check_finite;
use crate::{Error, MovingPoint};
use filter::Cuts;

/// Decides whether, and when, the two features of a query touch during the step; see [`Outcome`].
///
/// With [`Settings::min_separation`] `d > 0`: whether they come within d of each other. A miss is
/// proven: their distance is larger than d throughout the step. So is a hit: their distance is
/// larger than d at every time before `lo`, and at most `d (1 + 1/64)` at some time in `[lo, hi]`.
/// Features that are never within d but at some time within `d (1 + 1/64)` may be either; which one
/// depends on the coordinates of their points alone. Features that are within d at the start have
/// `lo = hi = 0`.
///
/// Fails if a coordinate is not finite, naming the point, or if a setting is out of range.
pub fn decide(
    kind: Kind,
    points: &[MovingPoint; 4],
    settings: &Settings,
    stats: &mut Stats,
) -> Result<Outcome, Error> {
    settings.validate()?;
    check_finite(points.iter().map(|p| (&p.t0, &p.t1)))?;
    Ok(decide_checked(kind, &points.map(|p| [p.t0, p.t1]), settings, stats))
}

/// The exact stage alone, for tests and benchmarks that compare its two arithmetics. Not public
/// API.
#[doc(hidden)]
pub mod stages {
    use super::{Kind, MovingPoint, Outcome, exact, separation};

    /// The decision for queries that no filter decides.
    pub fn exact(kind: Kind, points: &[MovingPoint; 4], time_width: f64) -> Outcome {
        exact::decide(kind, &points.map(|p| [p.t0, p.t1]), time_width)
    }

    /// In fixed-width integers; `None` if these do not suffice.
    #[must_use]
    pub fn exact_in_words(kind: Kind, points: &[MovingPoint; 4], time_width: f64) -> Option<Outcome> {
        exact::decide_in_words(kind, &points.map(|p| [p.t0, p.t1]), time_width)
    }

    /// Whether features come within a separation, exactly.
    pub fn exact_separation(
        kind: Kind,
        points: &[MovingPoint; 4],
        separation: f64,
        time_width: f64,
    ) -> Outcome {
        separation::exact::decide(kind, &points.map(|p| [p.t0, p.t1]), separation, time_width)
    }

    /// In big integers.
    pub fn exact_in_big_integers(kind: Kind, points: &[MovingPoint; 4], time_width: f64) -> Outcome {
        exact::decide_in_big_integers(kind, &points.map(|p| [p.t0, p.t1]), time_width)
    }
}

/// Whether two features at rest are within a separation, or so close to it that they may be a
/// [hit](decide).
pub(crate) fn are_within(kind: Kind, points: [[f64; 3]; 4], separation: f64) -> bool {
    let settings = Settings { min_separation: separation, ..Settings::default() };
    decide_checked(kind, &points.map(|p| [p, p]), &settings, &mut Stats::default()) != Outcome::Miss
}

/// Decides a query whose coordinates are finite.
fn decide_checked(kind: Kind, points: &[Ends<f64>; 4], settings: &Settings, stats: &mut Stats) -> Outcome {
    stats.queries += 1;
    if features::boxes_apart(kind, points, separation::reach(settings.min_separation)) {
        stats.box_misses += 1;
        return Outcome::Miss;
    }
    if !in_filter_range(points) {
        return decide_rest(kind, points, settings, 1.0, stats);
    }
    if 0.0 < settings.min_separation {
        let decided = if separation::LEAST <= settings.min_separation {
            separation::at_ends(kind, points, settings.min_separation, 1.0).verdict()
        } else {
            None
        };
        return match decided {
            Some(outcome) => count(outcome, &mut stats.separation_misses, &mut stats.separation_hits),
            None => decide_rest(kind, points, settings, 1.0, stats),
        };
    }
    let f = features::cubic(kind, points);
    if f.sign().is_known() {
        stats.cubic_misses += 1;
        return Outcome::Miss;
    }
    if features::points_coincide(kind, points) {
        stats.exact_hits += 1;
        return Outcome::Hit { lo: 0.0, hi: 0.0 };
    }
    let at_roots = |cuts| filter::at_roots(kind, points, &f, cuts, settings.time_width).verdict();
    match at_roots(Cuts::None).or_else(|| at_roots(Cuts::Critical)) {
        Some(outcome) => count(outcome, &mut stats.root_misses, &mut stats.root_hits),
        None => decide_rest(kind, points, settings, 1.0, stats),
    }
}

/// Decides a query that the stages common to [`decide`] and [`decide_batch`] left open; with a
/// separation, a hit after `until` may count as a miss.
fn decide_rest(
    kind: Kind,
    points: &[Ends<f64>; 4],
    settings: &Settings,
    until: f64,
    stats: &mut Stats,
) -> Outcome {
    if 0.0 < settings.min_separation {
        let contact = || {
            let settings = Settings { min_separation: 0.0, ..*settings };
            decide_checked(kind, points, &settings, &mut Stats::default())
        };
        let (outcome, is_exact) =
            separation::decide(kind, points, settings.min_separation, settings.time_width, until, contact);
        stats.exact_separations += u64::from(is_exact);
        return count(outcome, &mut stats.separation_misses, &mut stats.separation_hits);
    }
    // Before exact signs: features of a flat sheet are coplanar all the time.
    if features::diagonals_apart(kind, points) {
        stats.box_misses += 1;
        return Outcome::Miss;
    }
    if in_filter_range(points) {
        let f = features::cubic(kind, points);
        if !(f.sign_of(0).is_known() && f.sign_of(3).is_known())
            && let Some(outcome) = exact::decide_at_ends(kind, points)
        {
            return count(outcome, &mut stats.exact_misses, &mut stats.exact_hits);
        }
        if let Some(outcome) = filter::split(kind, points, settings.time_width) {
            return count(outcome, &mut stats.split_misses, &mut stats.split_hits);
        }
    }
    let outcome = exact::decide(kind, points, settings.time_width);
    count(outcome, &mut stats.exact_misses, &mut stats.exact_hits)
}

/// Whether the f64 filters are valid for these points; see [`FILTER_RANGE`].
fn in_filter_range(points: &[Ends<f64>; 4]) -> bool {
    points.as_flattened().as_flattened().iter().all(|x| x.abs() <= FILTER_RANGE)
}

fn count(outcome: Outcome, misses: &mut u64, hits: &mut u64) -> Outcome {
    match outcome {
        Outcome::Miss => *misses += 1,
        Outcome::Hit { .. } => *hits += 1,
    }
    outcome
}
