use super::*;
use crate::random::random;

/// Two corners, one of each feature, that coincide at a time t, on each axis `(k - j) a0 + j a1 =
/// (k - j) b0 + j b1` with `t = j / k`: no proof that they are apart may follow, however small the
/// separation.
#[test]
fn features_that_touch_are_not_apart() {
    let mut next = random(51);
    let mut whole = |size: f64| (next() * size).floor();
    for round in 0..4000 {
        let (k, j) = (1024.0, 1.0 + whole(1023.0));
        let axes = [(); 3].map(|()| {
            let (m, gap) = (2f64.powi(40) + whole(2f64.powi(24)) * 65_537.0, 1.0 + whole(2f64.powi(42)));
            let b = [j * m + whole(100.0), -(k - j) * m + whole(100.0)];
            [[b[0] - j * gap, b[1] + (k - j) * gap], b]
        });
        let [a, b] = [0, 1].map(|corner| [0, 1].map(|end| axes.map(|on_axis| on_axis[corner][end])));
        let far = [[0; 3].map(|_| whole(2f64.powi(50))); 2];
        let kind = [Kind::VertexFace, Kind::EdgeEdge][round % 2];
        let points = if kind == Kind::VertexFace { [a, b, far, far] } else { [a, far, b, far] };
        let separation = [1e-3, 1e-90][round / 2 % 2];
        assert!(!at_ends(kind, &points, separation, 1.0).miss, "{kind:?} {points:?}");
        match search(kind, &points, separation, 1.0) {
            Found::Proven(Outcome::Miss) => panic!("{kind:?} {points:?}"),
            Found::Proven(Outcome::Hit { lo, .. }) | Found::Open { from: lo } => assert!(lo <= j / k),
        }
        let motion = motion(&points);
        let t = j / k;
        let at = |p: usize, i: usize| (1.0 - t) * motion[0][p][i] + t * motion[1][p][i];
        let look = Look::new(kind, &[0, 1, 2].map(|p| [0, 1, 2].map(|i| at(p, i))));
        let limits = Limits::new(largest(&motion), separation);
        assert!(!look.is_apart_until(&look, &limits), "{kind:?} {points:?}");
    }
}

/// Edges that turn about each other at a distance of a little more than d, far out of line: many
/// directions in one step. The answer is proven nevertheless.
#[test]
fn a_search_that_ends_early_is_decided_exactly() {
    let mut n_exact = 0;
    for step in 0..40 {
        let height = 1.0 + f64::from(step) / 1000.0;
        // A long edge rocks over the end of another one.
        let (d, long) = (1e-3, 1.0);
        let rocking = |angle: f64| [-long * angle, long * angle];
        let [l0, r0] = rocking(-1e-2);
        let [l1, r1] = rocking(1e-2);
        let points = [
            [[0.0, -1.0, 0.0], [0.0, -1.0, 0.0]],
            [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            [[-long, 0.0, height * d + l0], [-long, 0.0, height * d + l1]],
            [[long, 0.0, height * d + r0], [long, 0.0, height * d + r1]],
        ];
        let (outcome, is_exact) = decide(Kind::EdgeEdge, &points, d, 1e-6, 1.0, || Outcome::Miss);
        n_exact += usize::from(is_exact);
        // The distance is height d cos(angle), least at the ends.
        let least = height * d / (1.0f64 + 1e-4).sqrt();
        if least < d {
            assert_ne!(outcome, Outcome::Miss, "{height}");
        }
        if d * (1.0 + SLACK) < least {
            assert_eq!(outcome, Outcome::Miss, "{height}");
        }
        let exact = exact::decide(Kind::EdgeEdge, &points, d, 1e-6);
        assert_eq!(exact != Outcome::Miss, least <= d, "{height}: {exact:?}");
    }
    assert!(n_exact < 40, "{n_exact}");
}
