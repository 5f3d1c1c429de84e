//! The contact points of many queries: eight at once in f64, and one by one where that is not
//! precise.

use super::Kind;
use super::batch::{LANES, WHOLE, gather};
use super::contact_point::{ContactPoint, contact_point, in_f64, largest, scale_to_one};
use crate::Step;
use crate::math::dispatch::dispatch;
use crate::math::real::Lanes;
use crate::motion::Line;
use fearless_simd::{Level, Simd, SimdBase as _, SimdMask as _, f64x8};

/// Calls `each` for each query with its [contact point](contact_point) at its time, in order, with
/// the same bits as for the query alone. `queries` are vertices of the step.
pub(crate) fn contact_points(
    kind: Kind,
    step: &Step,
    queries: &[[u32; 4]],
    times: &[f64],
    each: &mut dyn FnMut(usize, ContactPoint),
) {
    let level = Level::new();
    // The kind is a constant in each call, so that its tables fold away.
    match kind {
        Kind::VertexFace => dispatch!(level, simd => run(simd, Kind::VertexFace, step, queries, times, each)),
        Kind::EdgeEdge => dispatch!(level, simd => run(simd, Kind::EdgeEdge, step, queries, times, each)),
    }
}

#[inline(always)]
fn run<S: Simd>(
    simd: S,
    kind: Kind,
    step: &Step,
    queries: &[[u32; 4]],
    times: &[f64],
    each: &mut dyn FnMut(usize, ContactPoint),
) {
    let lines: &[Line] = step.lines();
    for first in (0..queries.len()).step_by(LANES) {
        let n = LANES.min(queries.len() - first);
        let (queries, times) = (&queries[first..first + n], &times[first..first + n]);
        let ends = gather::<WHOLE, S>(simd, lines, queries, &[0, 1, 2, 3, 4, 5, 6, 7][..n]);
        let largest = largest(&ends);
        let factor = f64x8::from_fn(simd, |lane| scale_to_one(largest.0[lane]));
        let t = f64x8::from_fn(simd, |lane| times[lane.min(n - 1)]);
        let found = in_f64(kind, &ends, Lanes(t), Lanes(factor));
        let precise = found.is_precise.to_bitmask();
        for lane in 0..n {
            let contact = if precise >> lane & 1 != 0 {
                let ([x, y, z], [u, v, w], [a, b, c, d]) = (found.point, found.normal, found.weights);
                ContactPoint {
                    point: [x.0[lane], y.0[lane], z.0[lane]],
                    normal: [u.0[lane], v.0[lane], w.0[lane]],
                    weights: [a.0[lane], b.0[lane], c.0[lane], d.0[lane]],
                    distance: found.distance.0[lane],
                }
            } else {
                contact_point(kind, &queries[lane].map(|v| step.point(v as usize)), times[lane])
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
            let step = Step::new(&pose(), &pose()).unwrap();
            let mut next = random(20);
            let queries: Vec<[u32; 4]> = (0..1003).map(|_| [0; 4].map(|_| (next() * 60.0) as u32)).collect();
            let times: Vec<f64> = (0..1003).map(|i| [0.0, next(), 1.0][i % 3]).collect();
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                let mut found = Vec::new();
                contact_points(kind, &step, &queries, &times, &mut |i, contact| found.push((i, contact)));
                for (i, query) in queries.iter().enumerate() {
                    let points = query.map(|v| step.point(v as usize));
                    let alone = contact_point(kind, &points, times[i]);
                    assert_eq!(found[i], (i, alone));
                    let (ends, t) = (points.map(|p| [p.t0, p.t1]), times[i]);
                    let factor = scale_to_one(largest(&ends));
                    n_single += usize::from(!in_f64(kind, &ends, t, factor).is_precise);
                }
                assert_eq!(found.len(), queries.len());
            }
        }
        // Both ways are taken.
        assert!(100 < n_single && n_single < 6000, "{n_single}");
    }
}
