//! Queries with a minimum separation: they never miss a pair that comes within it, are never late,
//! and not much too conservative.

use crate::common::{FAMILIES, Rng};
use crate::distance::distance;
use crate::methods::complete_methods;
use osculate::narrow::{Kind, Outcome, Settings, Stats, decide};
use osculate::{Mesh, Model, MovingPoint, Query, World};
use std::sync::Arc;

/// Relative slack of the f64 distances that answers are compared with.
const ROUNDING: f64 = 1e-9;

fn check(kind: Kind, points: &[MovingPoint; 4], separation: f64, context: &str) -> Stats {
    let settings = Settings { min_separation: separation, ..Settings::default() };
    let mut stats = Stats::default();
    let outcome = decide(kind, points, &settings, &mut stats).unwrap();
    let end = match outcome {
        Outcome::Miss => 1.0,
        Outcome::Hit { lo, hi } => {
            assert_eq!(lo, hi, "{context}");
            if stats.exact_separations == 0 {
                let here = distance(kind, points, lo);
                let allowed = separation * (1.0 + 1.0 / 64.0) * (1.0 + ROUNDING) + 1e-12;
                assert!(here <= allowed, "{context}: {here} at {lo} is farther than {separation}");
            }
            lo
        }
    };
    // Before the hit, or throughout when there is none, the features stay farther apart.
    for i in 0..=200 {
        let t = end * f64::from(i) / 200.0;
        if t < end || outcome == Outcome::Miss {
            let here = distance(kind, points, t);
            assert!(
                separation * (1.0 - ROUNDING) - 1e-12 < here,
                "{context}: {here} at {t}, but {outcome:?}"
            );
        }
    }
    // Contact is within any separation, and not before it.
    if let Outcome::Hit { hi: contact, .. } = decide(kind, points, &Settings::default(), &mut stats).unwrap()
    {
        let Outcome::Hit { lo, .. } = outcome else { panic!("{context}: a contact at {contact} was missed") };
        assert!(lo <= contact, "{context}");
    }
    stats
}

#[test]
fn nothing_within_the_separation_is_missed() {
    let mut rng = Rng::for_item(11, 0);
    let mut stats = Stats::default();
    for i in 0..1500_u32 {
        let kind = if i.is_multiple_of(2) { Kind::VertexFace } else { Kind::EdgeEdge };
        let motion = [1.0, 0.3, 0.01][(i % 3) as usize];
        let points: [MovingPoint; 4] = std::array::from_fn(|_| {
            let t0: [f64; 3] = std::array::from_fn(|_| rng.signed());
            MovingPoint::new(t0, t0.map(|x| x + motion * rng.signed()))
        });
        for separation in [0.2, 0.03, 1e-4] {
            stats += check(kind, &points, separation, &format!("query {i}, separation {separation}"));
        }
    }
    assert!(
        100 < stats.separation_hits && 100 < stats.separation_misses && 100 < stats.box_misses,
        "{stats:?}"
    );
    assert!(stats.exact_separations <= 5, "{stats:?}");
}

#[test]
fn degenerate_families() {
    for (i, family) in FAMILIES.iter().enumerate() {
        for index in 0..12 {
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                let points = (family.generate)(&mut Rng::for_item(5, (i * 100 + index) as u64), kind);
                let size =
                    points.iter().flat_map(|p| [p.t0, p.t1]).flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
                // Lengths in f64 are only comparable where the coordinates are of ordinary size.
                if (1e-2..1e2).contains(&size) {
                    check(kind, &points, 0.05, &format!("family {}, index {index}, {kind:?}", family.name));
                }
            }
        }
    }
}

#[test]
fn huge_and_tiny_coordinates() {
    let triangle = [[-1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]];
    for exponent in [-1000, -300, 0, 300, 1000] {
        let scale = 2f64.powi(exponent);
        let place = |p: [f64; 3]| p.map(|x| x * scale);
        let [a, b, c] = triangle.map(|p| MovingPoint::fixed(place(p)));
        let point = MovingPoint::new(place([0.0, 0.0, 2.0]), place([0.0, 0.0, 0.5]));
        for (separation, is_hit) in [(1.0, true), (0.49, false), (0.5, true)] {
            let settings = Settings { min_separation: separation * scale, ..Settings::default() };
            let outcome =
                decide(Kind::VertexFace, &[point, a, b, c], &settings, &mut Stats::default()).unwrap();
            assert_eq!(outcome != Outcome::Miss, is_hit, "2^{exponent}, {separation}: {outcome:?}");
        }
    }
}

/// The number of contacts of two triangles of which the first moves, which must be the same by all
/// complete methods, and whether exact arithmetic was needed.
fn n_contacts(first: [[f64; 3]; 3], end: [[f64; 3]; 3], second: [[f64; 3]; 3], d: f64) -> (u64, bool) {
    let one_by_one = |method| {
        let mut world = World::new();
        let [moving, _] = [first, second].map(|triangle| {
            let model = Model::new(Mesh::new(vec![[0, 1, 2]], 3).unwrap(), &triangle).unwrap();
            world.add(Arc::new(model), &triangle).unwrap()
        });
        let query = Query::all().min_separation(d).method(method);
        let report = world.contacts(&[(moving, &end)], &query).unwrap();
        (report.count, report.stats.narrow.exact_separations != 0)
    };
    let mut expected = None;
    for method in complete_methods() {
        let found = one_by_one(method);
        assert_eq!(*expected.get_or_insert(found), found, "{method:?}: {first:?} {second:?} {d}");
    }
    expected.unwrap()
}

/// The corner of a small triangle at up to a 64th more than the separation from the edge of another
/// one, along directions in which the bounds of some methods are looser than those of others.
#[test]
fn all_bounds_reach_as_far_as_hits_may_be() {
    for direction in [[1.0, 1.0, -1.0], [1.0; 3], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [3.0, 2.0, 1.0]] {
        let length = f64::sqrt(direction.iter().map(|x| x * x).sum());
        let along = direction.map(|x: f64| x / length);
        let least = [1.0, 0.0, 0.0].map(|x| if along[0].abs() < 0.9 { x } else { 1.0 - x });
        let dot: f64 = (0..3).map(|i| least[i] * along[i]).sum();
        let across: [f64; 3] = std::array::from_fn(|i| least[i] - dot * along[i]);
        let at = |s: f64, t: f64| std::array::from_fn(|i| s * along[i] + t * across[i]);
        let corner = [[0.0; 3], at(-0.5, 0.001), at(-0.5, -0.001)];
        for far in [0.99, 1.002, 1.008, 1.011, 1.013, 1.015, 1.016, 1.02] {
            let edge = [at(far + 0.02, 0.0), at(far, 0.001), at(far, -0.001)];
            let (n, is_exact) = n_contacts(edge, edge, corner, 1.0);
            assert!(
                !is_exact && (far < 1.0) == (0 < n) || (1.0..1.0 + 1.0 / 64.0).contains(&far),
                "{far} {n}"
            );
            // The same while it turns about the edge, and comes as close as this in between.
            let turned = [at(far + 0.02, 0.01), at(far, 0.011), at(far, 0.009)];
            let (n, is_exact) = n_contacts(edge, turned, corner, 1.0);
            assert!(!is_exact && (0 < n || 1.0 < far) && (n == 0 || far < 1.0 + 1.0 / 64.0), "{far} {n}");
        }
    }
}

/// Parallel edges of two triangles that slide past each other.
#[test]
fn edges_that_slide_are_hits_within_a_64th_only() {
    let d = 1e-3;
    let mut n_between = 0;
    for far in [0.99, 1.002, 1.008, 1.013, 1.015, 1.016, 1.2, 2.0, 4.0, 16.0] {
        let offset = far * d / f64::sqrt(2.0);
        let still = [[0.0, 0.0, 0.0], [1.0, -1.0, 0.0], [0.0, -1.0, 0.0]];
        let at = |x: f64, y: f64| [offset + x, offset + y, 0.0];
        let (start, end) =
            ([at(-0.3, 0.3), at(0.7, -0.7), at(0.7, 0.3)], [at(0.2, -0.2), at(1.2, -1.2), at(1.2, -0.2)]);
        let (n, is_exact) = n_contacts(start, end, still, d);
        assert!(!is_exact && (0 < n || 1.0 < far) && (n == 0 || far < 1.0 + 1.0 / 64.0), "{far} {n}");
        n_between += u64::from(1.0 < far) * n;
    }
    assert!(0 < n_between);
}
