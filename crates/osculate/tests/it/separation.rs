//! Queries with a minimum separation: they never miss a pair that comes within it, are never late,
//! and not much too conservative.

use crate::common::{FAMILIES, Rng};
use crate::distance::distance;
use osculate::MovingPoint;
use osculate::narrow::{Kind, Outcome, Settings, Stats, decide};

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
