//! Whether moving features come within a distance: looked for in f64, judged in exact arithmetic.

use super::{distance, exact, sub};
use osculate::MovingPoint;
use osculate::narrow::Kind;

/// Number of equal parts into which an interval of time is divided.
const N: u32 = 64;

/// Returns a time in a closed interval at which two features are at most `d` apart, by exact
/// arithmetic, if one is found: at dense times, denser toward the end of the interval, and at the
/// local minima between them.
pub(crate) fn time_within(
    kind: Kind,
    points: &[MovingPoint; 4],
    [from, to]: [f64; 2],
    d: f64,
) -> Option<f64> {
    // Common motion, and a place far away, would be rounded.
    let relative = points.map(|p| MovingPoint::new(sub(p.t0, points[0].t0), sub(p.t1, points[0].t1)));
    // Distances in f64 are off by far less than this.
    let size = relative.iter().flat_map(|p| [p.t0, p.t1]).flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    let clearly_far = d * 1.001 + 1e-8 * size;
    let is_within = |&(t, distance): &(f64, f64)| {
        distance <= clearly_far && exact::distance(kind, points, t).is_at_most(d)
    };
    let look = |t: f64| (t, distance(kind, &relative, t));
    let mut times: Vec<f64> = (0..N).map(|k| f64::from(k) / f64::from(N)).collect();
    times.extend((7..=50).map(|k| 1.0 - 0.5f64.powi(k)));
    let inside = times.into_iter().map(|part| (from + part * (to - from)).clamp(from, to));
    let samples: Vec<(f64, f64)> = inside.chain([to]).map(look).collect();
    if let Some(&(t, _)) = samples.iter().find(|sample| is_within(sample)) {
        return Some(t);
    }
    let least = |i: usize| {
        let (before, after) = (samples[i.saturating_sub(1)], samples[(i + 1).min(samples.len() - 1)]);
        let is_least = samples[i].1 <= before.1 && samples[i].1 <= after.1;
        is_least.then(|| golden_section(look, [before.0, after.0]))
    };
    (0..samples.len()).filter_map(least).find(is_within).map(|(t, _)| t)
}

/// The least value, with its argument, of a function with one local minimum in an interval.
fn golden_section(look: impl Fn(f64) -> (f64, f64), [mut a, mut b]: [f64; 2]) -> (f64, f64) {
    let ratio = 0.5 * (5.0f64.sqrt() - 1.0);
    let (mut low, mut high) = (look(b - ratio * (b - a)), look(a + ratio * (b - a)));
    for _ in 0..56 {
        if low.1 <= high.1 {
            (b, high) = (high.0, low);
            low = look(b - ratio * (b - a));
        } else {
            (a, low) = (low.0, high);
            high = look(a + ratio * (b - a));
        }
    }
    if low.1 <= high.1 { low } else { high }
}

/// A vertex that passes a face: the time and the distance are known.
#[test]
fn the_least_distance_between_samples_is_found() {
    let face = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(MovingPoint::fixed);
    let passing = |y: f64| MovingPoint::new([-900.0, y, 0.125], [1100.0, y, 0.125]);
    for (y, is_near) in [(1.0, true), (-0.5, true), (-0.75, false)] {
        // Over the face, or at a distance of 0.5 or 0.75 beside it, between two samples.
        let points = [passing(y), face[0], face[1], face[2]];
        let found = time_within(Kind::VertexFace, &points, [0.0, 1.0], 0.52);
        assert_eq!(found.is_some(), is_near, "{y}");
        assert!(found.is_none_or(|t| (0.449..0.453).contains(&t)), "{y} {found:?}");
        assert_eq!(time_within(Kind::VertexFace, &points, [0.5, 1.0], 0.52), None);
    }
}
