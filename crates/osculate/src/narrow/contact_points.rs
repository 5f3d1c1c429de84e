//! The contact points of many queries: eight at once in f64, and one by one where that is not
//! precise.

use super::Kind;
use super::contact_point::{ContactPoint, contact_point, in_f64, largest, scale_to_one};
use super::gather::{LANES, gather, one_per_lane};
use crate::Step;
use crate::math::dispatch::dispatch;
use crate::math::real::Lanes;
use crate::motion::Line;
use fearless_simd::{Level, Simd, SimdBase as _, SimdMask as _, f64x8};

/// Calls `each` for each query with its [contact point](contact_point) at its time, in order, with
/// the same bits as for the query alone. `queries` are vertices of the step. Without `times`,
/// nothing must move.
pub(crate) fn contact_points(
    kind: Kind,
    step: &Step,
    queries: &[[u32; 4]],
    times: Option<&[f64]>,
    each: &mut dyn FnMut(usize, ContactPoint),
) {
    let level = Level::new();
    // The kind is a constant in each call, so that its tables fold away.
    match (kind, times) {
        (Kind::VertexFace, Some(times)) => {
            dispatch!(level, simd => run::<2, _>(simd, Kind::VertexFace, step, queries, times, each));
        }
        (Kind::EdgeEdge, Some(times)) => {
            dispatch!(level, simd => run::<2, _>(simd, Kind::EdgeEdge, step, queries, times, each));
        }
        (Kind::VertexFace, None) => {
            dispatch!(level, simd => run::<1, _>(simd, Kind::VertexFace, step, queries, &[], each));
        }
        (Kind::EdgeEdge, None) => {
            dispatch!(level, simd => run::<1, _>(simd, Kind::EdgeEdge, step, queries, &[], each));
        }
    }
}

#[inline(always)]
fn run<const ENDS: usize, S: Simd>(
    simd: S,
    kind: Kind,
    step: &Step,
    queries: &[[u32; 4]],
    times: &[f64],
    each: &mut dyn FnMut(usize, ContactPoint),
) {
    let lines: &[Line] = step.lines();
    let time = |i: usize| if ENDS == 1 { 0.0 } else { times[i] };
    for first in (0..queries.len()).step_by(LANES) {
        let n = LANES.min(queries.len() - first);
        let queries = &queries[first..first + n];
        let ends = gather::<4, ENDS, S>(simd, lines, &one_per_lane(queries));
        let largest = largest(&ends);
        let factor = Lanes(f64x8::from_fn(simd, |lane| scale_to_one(largest.0[lane])));
        let t = Lanes(f64x8::from_fn(simd, |lane| time(first + lane.min(n - 1))));
        let found = in_f64(kind, &ends, t, factor);
        let precise = found.is_precise.to_bitmask();
        for (lane, query) in queries.iter().enumerate() {
            let contact = if precise >> lane & 1 != 0 {
                let ([x, y, z], [u, v, w], [a, b, c, d]) = (found.point, found.normal, found.weights);
                ContactPoint {
                    point: [x.0[lane], y.0[lane], z.0[lane]],
                    normal: [u.0[lane], v.0[lane], w.0[lane]],
                    weights: [a.0[lane], b.0[lane], c.0[lane], d.0[lane]],
                    distance: found.distance.0[lane],
                }
            } else {
                contact_point(kind, &query.map(|v| step.point(v as usize)), time(first + lane))
            };
            each(first + lane, contact);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;

    /// Small integers make many degenerate features, and large scales leave the range of squares.
    #[test]
    fn lanes_give_the_bits_of_the_single_query() {
        let mut next = random(19);
        let mut n_single = 0;
        for scale in [1.0, 1e-160, 1e150, 3e-5] {
            let mut pose = || -> Vec<[f64; 3]> {
                let point = |i: usize| {
                    let p = [0; 3].map(|_| 4.0 * next() - 2.0);
                    p.map(|x: f64| scale * if i.is_multiple_of(3) { x.round() } else { x })
                };
                (0..60).map(point).collect()
            };
            let (start, end) = (pose(), pose());
            let (step, resting) = (Step::new(&start, &end).unwrap(), Step::new(&start, &start).unwrap());
            let mut next = random(20);
            let queries: Vec<[u32; 4]> = (0..1003).map(|_| [0; 4].map(|_| (next() * 60.0) as u32)).collect();
            let times: Vec<f64> = (0..1003).map(|i| [0.0, next(), 1.0][i % 3]).collect();
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                let mut found = Vec::new();
                let mut push = |i, contact| found.push((i, contact));
                contact_points(kind, &step, &queries, Some(&times), &mut push);
                for (i, query) in queries.iter().enumerate() {
                    let points = query.map(|v| step.point(v as usize));
                    let alone = contact_point(kind, &points, times[i]);
                    assert_eq!(found[i], (i, alone));
                    let (ends, t) = (points.map(|p| [p.t0, p.t1]), times[i]);
                    let factor = scale_to_one(largest(&ends));
                    n_single += usize::from(!in_f64(kind, &ends, t, factor).is_precise);
                }
                assert_eq!(found.len(), queries.len());
                let (mut at_rest, resting) = (Vec::new(), &resting);
                contact_points(kind, resting, &queries, None, &mut |i, contact| at_rest.push((i, contact)));
                for (i, query) in queries.iter().enumerate() {
                    let alone = contact_point(kind, &query.map(|v| resting.point(v as usize)), 0.0);
                    assert_eq!(at_rest[i], (i, alone));
                }
            }
        }
        // Both ways are taken.
        assert!(100 < n_single && n_single < 6000, "{n_single}");
    }
}
