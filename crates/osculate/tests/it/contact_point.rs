//! The contact point, normal and weights of hits.

use crate::common::{FAMILIES, Rng};
use crate::distance::{at, dot, length, sub};
use osculate::MovingPoint;
use osculate::narrow::{Kind, Outcome, Settings, Stats, contact_point, decide};

/// The weighted sums of the first and of the second feature's points.
fn ends(kind: Kind, weights: [f64; 4], points: [[f64; 3]; 4]) -> [[f64; 3]; 2] {
    let n_first = if kind == Kind::VertexFace { 1 } else { 2 };
    [0..n_first, n_first..4].map(|range| {
        let sum: f64 = weights[range.clone()].iter().sum();
        assert!((sum - 1.0).abs() < 1e-12, "weights {weights:?}");
        std::array::from_fn(|i| range.clone().map(|k| weights[k] * points[k][i]).sum())
    })
}

#[test]
fn hits_have_a_point_a_normal_and_weights() {
    let mut n_hits = 0;
    for index in 0..4000_u64 {
        let family = &FAMILIES[index as usize % FAMILIES.len()];
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            let points = (family.generate)(&mut Rng::for_item(3, index), kind);
            let Outcome::Hit { lo, .. } =
                decide(kind, &points, &Settings::default(), &mut Stats::default()).unwrap()
            else {
                continue;
            };
            let contact = contact_point(kind, &points, lo);
            assert!(contact.weights.iter().all(|w| (0.0..=1.0).contains(w)), "{}: {contact:?}", family.name);
            let size =
                points.iter().flat_map(|p| [p.t0, p.t1]).flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
            let [first, second] = ends(kind, contact.weights, at(&points, lo));
            if size < 1e100 {
                // At `lo` the features are apart by at most the motion of the rest of the bracket.
                assert!(
                    length(sub(first, second)) <= 1e-5 * size,
                    "{} {index} {kind:?}: {contact:?}",
                    family.name
                );
                assert!(length(sub(contact.point, first)) <= 1e-5 * size, "{}: {contact:?}", family.name);
                let motion = points.map(|p| sub(p.t1, p.t0));
                let [first, second] = ends(kind, contact.weights, motion);
                let relative = sub(first, second);
                let unit = length(contact.normal);
                assert!(unit == 0.0 || (unit - 1.0).abs() < 1e-12, "{}: {contact:?}", family.name);
                // Motion decides where they touch.
                assert!(
                    contact.distance != 0.0 || dot(contact.normal, relative) <= 1e-12 * length(relative),
                    "{}: {contact:?}",
                    family.name
                );
            }
            n_hits += 1;
        }
    }
    assert!(1000 < n_hits);
}

#[test]
fn a_point_falling_on_a_triangle() {
    let [a, b, c] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(MovingPoint::fixed);
    // From above the normal points up, from below it points down: toward the side that the vertex
    // comes from.
    for side in [1.0, -1.0] {
        let p = MovingPoint::new([1.0, 2.0, side], [1.0, 2.0, -side]);
        for corners in [[a, b, c], [a, c, b]] {
            let points = [p, corners[0], corners[1], corners[2]];
            let contact = contact_point(Kind::VertexFace, &points, 0.5);
            assert_eq!(contact.normal, [0.0, 0.0, side]);
            assert_eq!(contact.point, [1.0, 2.0, 0.0]);
            let weights = if corners[1] == b { [1.0, 0.25, 0.25, 0.5] } else { [1.0, 0.25, 0.5, 0.25] };
            assert_eq!(contact.weights, weights);
        }
    }
}

#[test]
fn crossing_and_parallel_edges() {
    let fixed = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]].map(MovingPoint::fixed);
    let falling = |a: [f64; 2], b: [f64; 2]| [a, b].map(|[x, y]| MovingPoint::new([x, y, 1.0], [x, y, -1.0]));
    let [c, d] = falling([1.0, -1.0], [1.0, 3.0]);
    let contact = contact_point(Kind::EdgeEdge, &[c, d, fixed[0], fixed[1]], 0.5);
    assert_eq!((contact.normal, contact.point), ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]));
    assert_eq!(contact.weights, [0.75, 0.25, 0.75, 0.25]);
    // Parallel edges have no unique common perpendicular: the motion across them decides.
    let [c, d] = falling([1.0, 0.0], [2.0, 0.0]);
    let contact = contact_point(Kind::EdgeEdge, &[c, d, fixed[0], fixed[1]], 0.5);
    assert_eq!(contact.normal, [0.0, 0.0, 1.0]);
}
