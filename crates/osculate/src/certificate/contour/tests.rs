use super::super::bilinear::is_positive;
use super::super::polygons::{self, Motion, PARTS, SHAPES, Shape, at, polygon};
use super::ring::*;
use super::*;
use crate::random::random;
use num_bigint::BigInt;
use std::array::from_fn;

pub(super) const UP: [f32; 3] = [0.0, 0.0, 1.0];

/// A contour of moving loops in the plane z = 0, or with their own heights, projected along an
/// axis.
fn contour(loops: &[Motion], axis: [f32; 3], place: impl Fn([i64; 2]) -> [f64; 3]) -> Contour {
    let mut contour = Contour::default();
    contour.clear();
    for motion in loops {
        let lines: Vec<Line> = motion.iter().map(|[p, q]| Line::new(&place(*p), &place(*q))).collect();
        let vertices: Vec<u32> = (0..motion.len() as u32).collect();
        contour.push(&lines, &vertices);
    }
    contour.project(axis);
    contour
}

/// Heights that carry no information about the plane.
fn uneven([x, y]: [i64; 2]) -> [f64; 3] {
    [x as f64, y as f64, ((37 * x + 91 * y) % 4001) as f64]
}

fn prove(loops: &[Motion], second_kernel: bool) -> Option<Proof> {
    contour(loops, UP, uneven).prove(second_kernel)
}

pub(super) fn at_rest(points: &[[i64; 2]]) -> Motion {
    points.iter().map(|&p| [p; 2]).collect()
}

/// The winding number of a closed polygon around a point; `None` if the point is on it.
fn winding(points: &[[i64; 2]], q: [i64; 2]) -> Option<i64> {
    let mut sum = 0;
    for i in 0..points.len() {
        let [a, b] = [points[i], points[(i + 1) % points.len()]];
        let turn = (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]);
        let is_between = |k: usize| a[k].min(b[k]) <= q[k] && q[k] <= a[k].max(b[k]);
        if turn == 0 && is_between(0) && is_between(1) {
            return None;
        }
        sum += i64::from(a[1] <= q[1] && q[1] < b[1] && 0 < turn);
        sum -= i64::from(b[1] <= q[1] && q[1] < a[1] && turn < 0);
    }
    Some(sum)
}

/// Approximately where two edges cross; `None` if they do not.
fn crossing([a, b]: [[i64; 2]; 2], [c, d]: [[i64; 2]; 2]) -> Option<[i64; 2]> {
    let det = |v: [i64; 2], w: [i64; 2]| (v[0] * w[1] - v[1] * w[0]) as f64;
    let from = |p: [i64; 2], q: [i64; 2]| [q[0] - p[0], q[1] - p[1]];
    let whole = det(from(a, b), from(c, d));
    let (s, t) = (det(from(a, c), from(c, d)) / whole, det(from(a, c), from(a, b)) / whole);
    let is_inside = |s: f64| 0.0 < s && s < 1.0;
    (is_inside(s) && is_inside(t)).then(|| from_fn(|k| a[k] + (s * (b[k] - a[k]) as f64) as i64))
}

/// The largest total winding number of loops around many points: beside every vertex, the middle of
/// every edge, and every crossing of two edges, where the largest number changes.
pub(super) fn most_often_around(loops: &[Vec<[i64; 2]>]) -> i64 {
    let loops: Vec<Vec<[i64; 2]>> =
        loops.iter().map(|l| l.iter().map(|p| p.map(|x| 64 * x)).collect()).collect();
    let edges = |l: &Vec<[i64; 2]>| -> Vec<[[i64; 2]; 2]> {
        (0..l.len()).map(|i| [l[i], l[(i + 1) % l.len()]]).collect()
    };
    let edges: Vec<[[i64; 2]; 2]> = loops.iter().flat_map(edges).collect();
    let mut places: Vec<[i64; 2]> =
        edges.iter().flat_map(|&[a, b]| [a, from_fn(|k| (a[k] + b[k]) / 2)]).collect();
    for (i, &p) in edges.iter().enumerate() {
        places.extend(edges[..i].iter().filter_map(|&q| crossing(p, q)));
    }
    let mut most = 0;
    for place in places {
        for (x, y) in [(1, 5), (-5, 1), (-1, -5), (5, -1), (4, 4), (-4, 4), (-4, -4), (4, -4)] {
            let all: Option<i64> = loops.iter().map(|l| winding(l, [place[0] + x, place[1] + y])).sum();
            most = most.max(all.unwrap_or(0));
        }
    }
    most
}

/// What must be true of an accepted contour.
///
/// As it is: one loop that is simple and counterclockwise. With ears and caps, all of which add to
/// the patch: no winding number exceeds one, so that a patch whose triangles all face the axis
/// covers no point twice. (A loop with winding number -1 around a point passes; no such patch has
/// it.)
pub(super) fn assert_proven(loops: &[Motion], proof: Proof) {
    for k in 0..=PARTS {
        let now: Vec<Vec<[i64; 2]>> = loops.iter().map(|motion| at(motion, k)).collect();
        if proof == Proof::Star {
            assert!(now.len() == 1 && polygons::is_simple(&now[0]), "{k}: {loops:?}");
            assert!(polygons::is_counterclockwise(&now[0]), "{k}: {loops:?}");
        }
        assert!(most_often_around(&now) <= 1, "{k}: {loops:?}");
    }
}

/// Rotates, shifts and deforms a polygon.
pub(super) fn moved(next: &mut impl FnMut() -> f64, points: &[[i64; 2]], speed: f64) -> Motion {
    let mut signed = || 2.0 * next() - 1.0;
    let (angle, shift) = (0.6 * signed(), [5000.0 * signed(), 5000.0 * signed()]);
    let (cos, sin) = (angle.cos(), angle.sin());
    let to = |[x, y]: [i64; 2]| [cos * x as f64 - sin * y as f64, sin * x as f64 + cos * y as f64];
    let go = |&p: &[i64; 2]| [p, from_fn(|k| (to(p)[k] + shift[k] + speed * signed()) as i64)];
    points.iter().map(go).collect()
}

/// A round polygon with notches and bumps: every third vertex or so leans over its neighbors.
pub(super) fn jagged(next: &mut impl FnMut() -> f64, n: usize) -> Vec<[i64; 2]> {
    (0..n)
        .map(|i| {
            let leans = next() < 0.3;
            let angle =
                std::f64::consts::TAU * (i as f64 + if leans { 3.0 * next() - 1.5 } else { 0.0 }) / n as f64;
            let r = 4000.0 * if leans { 0.6 + 0.5 * next() } else { 0.95 + 0.05 * next() };
            [(r * angle.cos()) as i64, (r * angle.sin()) as i64]
        })
        .collect()
}

#[test]
fn what_is_accepted_is_proven_at_all_times() {
    let mut next = random(11);
    let mut n_proofs = [0; 4];
    let mut count = |loops: &[Motion], proof: Option<Proof>| {
        if let Some(proof) = proof {
            assert_proven(loops, proof);
            n_proofs[proof as usize] += 1;
        }
        usize::from(proof.is_some())
    };
    for shape in SHAPES {
        let mut n_accepted = 0;
        for round in 0..1600 {
            let start = polygon(&mut next, shape, 3 + round % 18);
            let loops = [moved(&mut next, &start, [0.0, 100.0, 600.0, 2000.0][round % 4])];
            n_accepted += count(&loops, prove(&loops, round % 2 == 0));
            // Clockwise.
            let reversed = [loops[0].iter().rev().copied().collect()];
            count(&reversed, prove(&reversed, true));
        }
        println!("{shape:?}: {n_accepted} of 1600 accepted");
        assert!(shape != Shape::Round || 800 < n_accepted);
        // Loops of few vertices that would go around twice do not, or go around the other way.
        assert!(shape != Shape::Double || n_accepted < 160);
    }
    let mut n_accepted = 0;
    for round in 0..4000 {
        let start = jagged(&mut next, 5 + round % 24);
        let loops = [moved(&mut next, &start, [0.0, 100.0, 400.0, 1500.0][round % 4])];
        n_accepted += count(&loops, prove(&loops, round % 2 == 0));
    }
    println!(
        "jagged: {n_accepted} of 4000 accepted; {n_proofs:?} as they are, with ears, around a second kernel point, as two chains"
    );
    assert!(400 < n_accepted && n_proofs.iter().all(|&n| 15 < n), "{n_accepted} {n_proofs:?}");
}

/// Any plane: projected obliquely, in coordinates of which one is along the axis.
#[test]
fn the_plane_does_not_matter() {
    let mut next = random(12);
    let (mut n_accepted, mut n_same) = (0, 0);
    for round in 0..1500 {
        let start =
            if round % 2 == 0 { jagged(&mut next, 9) } else { polygon(&mut next, SHAPES[round % 5], 9) };
        let loops = [moved(&mut next, &start, [0.0, 200.0, 1000.0][round % 3])];
        let mut signed = || 2.0 * next() - 1.0;
        let l: [f64; 3] = from_fn(|_| signed());
        // Two vectors that make a positive frame with the axis.
        let [a, b]: [[f64; 3]; 2] = from_fn(|_| from_fn(|_| (8.0 * signed()).round()));
        let sign = if 0.0 < cross(a, b).iter().zip(l).map(|(x, l)| x * l).sum::<f64>() { 1.0 } else { -1.0 };
        let place = |[x, y]: [i64; 2]| from_fn(|i| x as f64 * a[i] + sign * y as f64 * b[i]);
        let proof = contour(&loops, unit(l).map(|x| x as f32), place).prove(true);
        if let Some(proof) = proof {
            n_accepted += 1;
            assert_proven(&loops, proof);
        }
        n_same += usize::from(proof.is_some() == prove(&loops, true).is_some());
    }
    println!("{n_accepted} accepted, {n_same} as from above");
    assert!(200 < n_accepted && 1350 < n_same, "{n_accepted} {n_same}");
}

#[test]
fn degenerate_loops() {
    let square = [[4, -4], [4, 4], [-4, 4], [-4, -4]];
    assert_eq!(prove(&[at_rest(&square)], true), Some(Proof::Star));
    for (what, points) in [
        ("a point", vec![[3, 3]; 5]),
        ("twice around", [square, square].concat()),
        ("three times around", [square, square, square].concat()),
        ("a repeated vertex", vec![[4, -4], [4, 4], [4, 4], [-4, 4], [-4, -4]]),
    ] {
        let proof = prove(&[at_rest(&points)], true);
        assert_eq!(proof, None, "{what}");
    }
    // Two monotone chains that no patch has whose triangles all face the axis: no winding number is
    // positive around all points inside.
    let clockwise = vec![[0, 0], [0, 4], [4, 0]];
    let (bow_tie, no_area) = (vec![[0, 0], [4, 4], [4, 0], [0, 4]], vec![[0, 0], [4, 0], [8, 0], [4, 0]]);
    for points in [clockwise, bow_tie, no_area, vec![[0, 0], [1, 1], [2, 2]]] {
        let loops = [at_rest(&points)];
        prove(&loops, true).into_iter().for_each(|proof| assert_proven(&loops, proof));
    }
    assert_eq!(prove(&[at_rest(&[[0, 0], [4, 0], [0, 4]])], false), Some(Proof::Star));
    // A vertex on an edge is no fault.
    assert!(prove(&[at_rest(&[[4, -4], [4, 0], [4, 4], [-4, 4], [-4, -4]])], false).is_some());
    // The triangle that collapses at the very end, or in the middle for an instant only.
    for to in [[2, 2], [4, 4]] {
        let loops = [vec![[[0, 0]; 2], [[4, 0]; 2], [[0, 4], [4, 4 - 2 * to[0]]]]];
        prove(&loops, true).into_iter().for_each(|proof| assert_proven(&loops, proof));
    }
    // Half a turn takes a square through a point; a quarter does not, but the middle is only half
    // as large.
    for (quarters, expected) in [(0, true), (1, true), (2, false), (3, true)] {
        let motion: Motion = (0..4).map(|i| [square[i], square[(i + quarters) % 4]]).collect();
        assert_eq!(prove(&[motion], true).is_some(), expected, "{quarters}");
    }
}

#[test]
fn huge_and_tiny_loops() {
    let square = at_rest(&[[4, -4], [4, 4], [-4, 4], [-4, -4]]);
    let hook = at_rest(&[[4, -4], [4, 1], [2, 3], [4, 3], [4, 4], [-4, 4], [-4, -4]]);
    let twice = at_rest(&[[4, -4], [4, 4], [-4, 4], [-4, -4], [4, -5], [5, 4], [-4, 5], [-5, -4]]);
    for (loops, expected) in [(square, Some(Proof::Star)), (hook, Some(Proof::Monotone)), (twice, None)] {
        for exponent in [97, 60, 1, -60, -400, -500, -530, -600, -1060] {
            let scale = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
            let place = |p: [i64; 2]| uneven(p).map(|x| x * scale);
            let proof = contour(std::slice::from_ref(&loops), UP, place).prove(true);
            // Squares of coordinates below 2^-482 are below the underflow bound. Chains without
            // ears need no squares.
            let proof = proof.filter(|&proof| -482 < exponent || proof != Proof::Monotone);
            assert_eq!(proof, if -482 < exponent { expected } else { None }, "2^{exponent}");
        }
        // Far away from the origin compared with its size.
        for (away, is_lost) in [(2f64.powi(20), false), (2f64.powi(45), false), (2f64.powi(99), true)] {
            let place = |p: [i64; 2]| uneven(p).map(|x| (x + away).min(2f64.powi(99)));
            let proof = contour(std::slice::from_ref(&loops), UP, place).prove(true);
            assert_eq!(proof, if is_lost { None } else { expected }, "{away}");
        }
    }
}

/// Two notches, on the right and at the top, need ears. They become bumps that overlap outside the
/// corner: the ears are valid at t = 0 only.
#[test]
fn ears_hold_throughout_or_not_at_all() {
    let loops = |b: [[i64; 2]; 2], d: [[i64; 2]; 2]| -> Motion {
        let still = |p: [i64; 2]| [p; 2];
        let corners = [[4, -4], [4, 1], [4, 3], [4, 4], [1, 4], [-1, 4], [-4, 4], [-4, -4]].map(still);
        let [v0, v1, v2, v3, v4, v5, v6, v7] = corners;
        vec![v0, v1, b, v2, v3, v4, d, v5, v6, v7]
    };
    let (b, d) = ([[2, 3], [5, 7]], [[1, 3], [7, 5]]);
    assert_eq!(prove(&[loops([b[0]; 2], [d[0]; 2])], false), Some(Proof::Monotone));
    let motion = loops(b, d);
    assert!(polygons::is_simple(&at(&motion, 0)));
    assert_eq!(most_often_around(&[at(&motion, PARTS)]), 2);
    assert_eq!(prove(std::slice::from_ref(&motion), true), None);
    let reversed = motion.iter().map(|[p, q]| [*q, *p]).collect();
    assert_eq!(prove(&[reversed], true), None);
    // Only in the middle of the step: each vertex goes there and on to where the other started.
    let through = |[p, q]: [[i64; 2]; 2]| [p, from_fn(|k| 2 * q[k] - p[k])];
    assert_eq!(prove(&[loops(through(b), through(d))], true), None);
}

/// Rings: an outer loop, and holes with or against the direction that they must have.
#[test]
fn holes_are_capped() {
    let mut next = random(13);
    let (mut n_accepted, mut n_wrong) = (0, 0);
    for round in 0..3000 {
        let outer = polygon(&mut next, Shape::Round, 8 + round % 7);
        let n_holes = 1 + round % 3;
        let mut loops = vec![outer];
        for hole in 0..n_holes {
            let center: [f64; 2] = from_fn(|_| 3600.0 * (next() - 0.5));
            let shape = [Shape::Round, Shape::Star, Shape::Coarse, Shape::Double][(round / 3 + hole) % 4];
            let shrunk = polygon(&mut next, shape, 3 + (round + hole) % 6);
            let mut shrunk: Vec<[i64; 2]> =
                shrunk.iter().map(|p| from_fn(|k| (center[k] + 0.2 * p[k] as f64) as i64)).collect();
            if next() < 0.8 {
                shrunk.reverse();
            }
            loops.push(shrunk);
        }
        // The loops move together, so that many proofs last.
        let together = moved(&mut next, &loops.concat(), [0.0, 50.0, 400.0][round % 3]);
        let mut rest = together.into_iter();
        let loops: Vec<Motion> = loops.iter().map(|l| rest.by_ref().take(l.len()).collect()).collect();
        if let Some(proof) = prove(&loops, true) {
            n_accepted += 1;
            assert_ne!(proof, Proof::Star);
            assert_proven(&loops, proof);
        }
        // A counterclockwise hole is no hole.
        let mut wrong = loops.clone();
        if wrong[1..]
            .iter()
            .all(|l| polygons::is_simple(&at(l, 0)) && !polygons::is_counterclockwise(&at(l, 0)))
        {
            wrong[1].reverse();
            assert_eq!(prove(&wrong, true), None);
            n_wrong += 1;
        }
    }
    println!("{n_accepted} of 3000 accepted, {n_wrong} turned around");
    assert!(200 < n_accepted && 200 < n_wrong, "{n_accepted} {n_wrong}");
}

/// Both loops of the branched double cover are simple and counterclockwise: the second is no hole.
#[test]
fn two_outer_loops_are_never_accepted() {
    let mut next = random(14);
    for round in 0..500 {
        let outer = polygon(&mut next, Shape::Round, 12);
        let inner = polygon(&mut next, Shape::Round, 12).into_iter().map(|p| p.map(|x| x * 4 / 5)).collect();
        let loops = [outer, inner].map(|l| moved(&mut random(round), &l, 0.0));
        for i in 0..2 {
            assert_eq!(prove(&loops[i..=i], false), Some(Proof::Star), "each is simple");
        }
        assert_eq!(prove(&loops, true), None);
        let [outer, inner] = loops;
        assert_eq!(prove(&[inner, outer], true), None);
    }
}

/// Whether the quadratic is positive on [0, 1].
fn is_positive_exactly(b: [[i64; 2]; 2], c: [[i64; 2]; 2]) -> bool {
    let det =
        |v: [i64; 2], w: [i64; 2]| i128::from(v[0]) * i128::from(w[1]) - i128::from(v[1]) * i128::from(w[0]);
    // Twice the coefficients.
    let (k0, k1, k2) = (2 * det(b[0], c[0]), det(b[0], c[1]) + det(b[1], c[0]), 2 * det(b[1], c[1]));
    0 < k0 && 0 < k2 && (0 <= k1 || k1 * k1 < k0 * k2)
}

fn float([p, q]: [[i64; 2]; 2]) -> Point {
    [p[0], p[1], q[0], q[1]].map(|x| x as f64)
}

/// With coordinates up to 2^25 the coefficients are exact, so that only the comparison of `k1^2`
/// with `k0 k2` remains: tested where it flips.
#[test]
fn claimed_signs_are_true_where_they_turn_over() {
    let mut next = random(15);
    let mut whole = |reach: i64| ((2.0 * next() - 1.0) * reach as f64) as i64;
    let (mut n_turns, mut n_claims, mut n_true) = (0, 0, 0);
    for round in 0..20_000 {
        let reach = 1 << [4, 10, 18, 24][round % 4];
        let mut corner = || [whole(reach), whole(reach)];
        let (b, c0, from, to) = ([corner(), corner()], corner(), corner(), corner());
        let step = |s: i64| [c0, from_fn(|k| ((1024 - s) * from[k] + s * to[k]) / 1024)];
        let (mut lo, mut hi) = (0, 1024);
        if is_positive_exactly(b, step(lo)) == is_positive_exactly(b, step(hi)) {
            continue;
        }
        while 1 < hi - lo {
            let mid = (lo + hi) / 2;
            if is_positive_exactly(b, step(mid)) == is_positive_exactly(b, step(lo)) {
                lo = mid
            } else {
                hi = mid
            }
        }
        n_turns += 1;
        for s in [lo - 1, lo, hi, hi + 1] {
            for dx in -2..=2 {
                let mut c = step(s);
                c[1][0] += dx;
                let claimed = is_positive(turn(float(b), float(c), 1.0), 0.0);
                let known =
                    is_positive(turn(float(b), float(c), 1.0), SIDE_ERROR * (2 * reach * reach) as f64);
                let truly = is_positive_exactly(b, c);
                assert!(truly || !claimed, "{b:?} {c:?}");
                assert!(claimed || !known);
                assert_eq!(is_positive(turn(float(c), float(b), -1.0), 0.0), claimed);
                n_claims += usize::from(claimed);
                n_true += usize::from(truly);
            }
        }
    }
    println!("{n_turns} thresholds, {n_claims} of {n_true} claimed");
    assert!(2000 < n_turns && n_true - n_true / 50 <= n_claims, "{n_turns}: {n_claims} of {n_true}");
    // A double root: b and c are in opposite directions or the same, for an instant.
    for scale in [1.0, 3.0, 1e-60, 1e40] {
        let scaled = |p: [f64; 4]| p.map(|x| x * scale);
        assert!(!is_positive(turn(scaled([1.0, 0.0, 0.0, 1.0]), scaled([0.0, 1.0, 1.0, 0.0]), 1.0), 0.0));
        assert!(
            !is_positive([scale, -scale, scale], 0.0)
                && is_positive([scale, -scale * (1.0 - 1e-14), scale], 0.0)
        );
    }
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(!is_positive([bad, -1.0, 1.0], 0.0) || bad == f64::INFINITY);
        assert!(!is_positive([1.0, 1.0, 1.0], bad) && !is_positive([f64::NAN, 1.0, 1.0], 0.0));
    }
}

/// A number `m 2^e`, exactly.
#[derive(Clone, Debug)]
struct Exact(BigInt, i32);

impl Exact {
    fn of(x: f64) -> Exact {
        let bits = x.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
        let m = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        Exact(BigInt::from(if x < 0.0 { -m } else { m }), exponent.max(1) - 1075)
    }

    fn plus(&self, other: &Exact, sign: i32) -> Exact {
        let e = self.1.min(other.1);
        let [a, b] = [self, other].map(|x| &x.0 << (x.1 - e) as usize);
        Exact(a + b * sign, e)
    }

    fn times(&self, other: &Exact) -> Exact {
        Exact(&self.0 * &other.0, self.1 + other.1)
    }

    /// The magnitude of the difference from an f64, rounded.
    fn distance(&self, x: f64) -> f64 {
        let Exact(m, e) = self.plus(&Exact::of(x), -1);
        // To 64 bits, so that the power of two is in range.
        let shift = m.bits().saturating_sub(64) as i32;
        let m = num_traits::ToPrimitive::to_f64(&(m >> shift as usize)).unwrap().abs();
        m * 2f64.powi((e + shift) / 2) * 2f64.powi((e + shift) - (e + shift) / 2)
    }
}

/// Points, turns and ears are compared with exact arithmetic, for an axis and vertices of all
/// magnitudes.
#[test]
fn errors_are_within_their_bounds() {
    let mut next = random(16);
    // The largest errors, each as a share of its bound.
    let mut worst = [0f64; 3];
    for round in 0..1200 {
        let mut signed = || 2.0 * next() - 1.0 + (2.0 * next() - 1.0) * 2f64.powi(-24);
        let (away, range) = ([0.0, 1.0, 1e6][round % 3], [0, 3, 30][round / 3 % 3]);
        let mut coordinate = |_| away + signed() * 2f64.powf(f64::from(range) * signed());
        let ends: Vec<[[f64; 3]; 2]> =
            (0..3 + round % 5).map(|_| from_fn(|_| from_fn(&mut coordinate))).collect();
        let lines: Vec<Line> = ends.iter().map(|[p, q]| Line::new(p, q)).collect();
        let vertices: Vec<u32> = (0..lines.len() as u32).collect();
        let axis = unit(from_fn(|i| signed() * if round % 7 == i { 1e-4 } else { 1.0 })).map(|x| x as f32);
        let mut contour = Contour::default();
        contour.push(&lines, &vertices);
        contour.project(axis);
        // The frame of the plane is what `project` computes; it is exact by definition, and so is
        // the kernel point.
        let l = axis.map(f64::from);
        let least = (1..3).fold(0, |best, i| if l[i].abs() < l[best].abs() { i } else { best });
        let u = unit(cross(l, from_fn(|i| if i == least { 1.0 } else { 0.0 })));
        let w = unit(cross(l, u));
        let kernel = projected(&contour.loops[0].mean, &u, &w);
        let normal = cross(u, w);
        assert!((0..3).all(|i| (normal[i] - unit(l)[i]).abs() < 2f64.powi(-48)), "{normal:?} {l:?}");

        let mut points: Vec<[Exact; 4]> = lines
            .iter()
            .map(|line| {
                from_fn(|k| {
                    let (frame, first) = (if k % 2 == 0 { u } else { w }, 4 * (k / 2));
                    let offset =
                        |i: usize| Exact::of(line.0[first + i]).plus(&Exact::of(lines[0].0[first + i]), -1);
                    let sum =
                        (0..3).map(|i| offset(i).times(&Exact::of(frame[i]))).reduce(|a, b| a.plus(&b, 1));
                    sum.unwrap().plus(&Exact::of(kernel[k]), -1)
                })
            })
            .collect();
        let mut reach = 2.0 * contour.reach;
        if round % 2 == 1 {
            // The second kernel point: its displacement is again exact by definition, and found
            // from the first point.
            let before = contour.points.clone();
            if move_kernel(&mut contour.points) {
                // Any number that rounds to the same differences will do; the exact one is
                // recomputed here.
                let shift = centroid(&before);
                points.iter_mut().for_each(|p| *p = from_fn(|k| p[k].plus(&Exact::of(shift[k]), -1)));
                reach *= 2.0;
            }
        }
        let turn_of = |b: &[Exact; 4], c: &[Exact; 4]| -> [Exact; 3] {
            let det = |i: usize, j: usize| b[i].times(&c[j + 1]).plus(&b[i + 1].times(&c[j]), -1);
            let k1 = det(0, 2).plus(&det(2, 0), 1);
            [det(0, 0), Exact(k1.0, k1.1 - 1), det(2, 2)]
        };
        let n = points.len();
        for i in 0..n {
            let (b, c) = (contour.points[i], contour.points[(i + 1) % n]);
            for k in 0..4 {
                worst[0] = worst[0].max(points[i][k].distance(b[k]) / (POINT_ERROR * reach));
                assert!(b[k].hypot(b[k ^ 1]) <= reach * (1.0 + 1e-15));
            }
            let exact = turn_of(&points[i], &points[(i + 1) % n]);
            let a = contour.points[(i + 2) % n];
            let from = |p: Point| from_fn(|k| p[k] - a[k]);
            let exact_from = |j: usize| from_fn(|k| points[j % n][k].plus(&points[(i + 2) % n][k], -1));
            let exact_ear = turn_of(&exact_from(i), &exact_from(i + 1));
            let (side, ear) = (turn(b, c, 1.0), turn(from(b), from(c), 1.0));
            for k in 0..3 {
                worst[1] = worst[1].max(exact[k].distance(side[k]) / (SIDE_ERROR * reach * reach));
                worst[2] = worst[2].max(exact_ear[k].distance(ear[k]) / (EAR_ERROR * reach * reach));
            }
        }
    }
    println!("largest errors of points, turns and ears, as shares of their bounds: {worst:.3?}");
    assert!(worst.iter().all(|&share| 0.0 < share && share <= 1.0), "{worst:?}");
}

/// The rule of the paper, with its kernel point fixed at the mean of the vertices at t = 0: the
/// three coefficients of every edge are positive. With the last one as printed,
/// `v_b x (c0 - o) + v_c x (b0 - o)`, or corrected, with `(b0 - o) x v_c`. The winding number is
/// counted at t = 0.
fn rule_of_the_paper(motion: &Motion, as_printed: bool) -> bool {
    let n = motion.len() as i64;
    let sum = motion.iter().fold([0, 0], |sum, [p, _]| [sum[0] + p[0], sum[1] + p[1]]);
    // All times n, so that the mean is an integer.
    let from = |p: [i64; 2]| -> [i128; 2] { from_fn(|k| i128::from(n * p[k] - sum[k])) };
    let det = |v: [i128; 2], w: [i128; 2]| v[0] * w[1] - v[1] * w[0];
    let all_turn = (0..motion.len()).all(|i| {
        let [[b0, b1], [c0, c1]] = [motion[i], motion[(i + 1) % motion.len()]].map(|ends| ends.map(from));
        let v_b = from_fn(|k| b1[k] - b0[k]);
        let v_c = from_fn(|k| c1[k] - c0[k]);
        let k0 = det(b0, c0);
        let twice_k1 = det(v_b, c0) + det(b0, v_c) + 2 * k0;
        let sign = if as_printed { -1 } else { 1 };
        let k2 = k0 + det(v_b, c0) + sign * det(b0, v_c) + det(v_b, v_c);
        0 < k0 && 0 < twice_k1 && 0 < k2
    });
    all_turn
        && winding(
            &at(motion, 0).iter().map(|p| p.map(|x| x * n)).collect::<Vec<_>>(),
            sum.map(|x| x * PARTS),
        ) == Some(1)
}

/// With the last coefficient as printed in the paper, loops pass that cross themselves; with the
/// corrected one they do not.
#[test]
fn the_printed_coefficient_is_wrong() {
    let mut next = random(17);
    let [mut n_printed, mut n_wrong, mut n_right, mut n_ours] = [0; 4];
    for round in 0..6000 {
        let start = polygon(&mut next, Shape::Round, 5 + round % 9);
        let motion: Motion =
            start.iter().map(|&p| [p, p.map(|x| x + (2400.0 * (next() + next() - 1.0)) as i64)]).collect();
        let is_simple = (0..=PARTS).all(|k| polygons::is_simple(&at(&motion, k)));
        let [printed, right] = [true, false].map(|as_printed| rule_of_the_paper(&motion, as_printed));
        let ours = prove(std::slice::from_ref(&motion), false);
        n_printed += usize::from(printed);
        n_wrong += usize::from(printed && !is_simple);
        n_right += usize::from(right);
        n_ours += usize::from(ours.is_some());
        assert!(is_simple || !right, "{motion:?}");
        assert!(is_simple || ours != Some(Proof::Star), "{motion:?}");
    }
    println!("printed: {n_printed} accepted, {n_wrong} of them cross; corrected: {n_right}; ours: {n_ours}");
    assert!(20 < n_wrong && 300 < n_right && 300 < n_ours, "{n_wrong} of {n_printed}; {n_right}; {n_ours}");
}

/// A point that moves between integers, which f64 hold.
fn point([[x, y], [z, w]]: [[i64; 2]; 2]) -> Point {
    [x as f64, y as f64, z as f64, w as f64]
}

/// Two moving vectors, v and about 3 v, of which the second turns back behind the first during the
/// step, by so little that f64 would prove the opposite.
///
/// With `v = u` at the start and `v = w` at the end, they differ by a few units from multiples of
/// each other. So the coefficients `u x u'`, `(u x w' + w x u') / 2` and `w x w'` are small; and
/// the one in the middle, the only one that is a sum of products, has a wrong sign.
fn turning_by_rounding_alone(next: &mut impl FnMut() -> f64) -> Option<[[[i64; 2]; 2]; 2]> {
    let mut bits = || (next() * 16_777_216.0) as i64;
    let x = ((1 << 48) + (bits() << 24)) / 6 * 6;
    let y = (3 * x / 2 - 3 * ((1 << 46) + (bits() << 22))) / 3 * 3;
    let (u, w) = ([x, x / 2 - 1 - (bits() << 21)], [y, y / 3 - 1 - (bits() << 21)]);
    let thrice = [[3 * u[0] + 2, 3 * u[1] + 1], [3 * w[0] + 3, 3 * w[1] + 1]];
    let det =
        |v: [i64; 2], w: [i64; 2]| i128::from(v[0]) * i128::from(w[1]) - i128::from(v[1]) * i128::from(w[0]);
    let (k0, k2) = (det(u, thrice[0]), det(w, thrice[1]));
    let twice_k1 = det(u, thrice[1]) + det(w, thrice[0]);
    assert!(0 < k0 && 0 < k2);
    let turns_back = twice_k1 < 0 && 4 * k0 * k2 < twice_k1 * twice_k1;
    let seems_to_turn = is_positive(turn(point([u, w]), point(thrice), 1.0), 0.0);
    (turns_back && seems_to_turn).then_some([[u, w], thrice])
}

const FAR: i64 = 1 << 51;

/// An edge that only seems to turn is rejected, both as it is and in a loop with ears.
#[test]
fn edges_that_turn_by_rounding_alone() {
    let mut next = random(18);
    let mut n_cases = 0;
    for [b, c] in (0..4000).filter_map(|_| turning_by_rounding_alone(&mut next)) {
        n_cases += 1;
        let points = [b, c, [[-FAR, FAR]; 2], [[-FAR, -FAR]; 2]].map(point);
        let reach = 4.0 * FAR as f64;
        assert!(!is_star(&points, reach), "{b:?} {c:?}");
        let mut ring = Ring::default();
        if is_star_with_ears(&mut ring, &points, reach, 1.0) {
            let left: Vec<u32> = ring.vertices().collect();
            assert!(!(left.contains(&0) && left.contains(&1)), "{b:?} {c:?}");
        }
    }
    assert!(20 < n_cases, "{n_cases}");
}

/// A spike from a to b and back to c, along nearly one line, is no ear if c gets to its outer side,
/// though it seems to be on the inner one.
#[test]
fn ears_by_rounding_alone() {
    let mut next = random(19);
    let mut n_cases = 0;
    for [v, thrice] in (0..4000).filter_map(|_| turning_by_rounding_alone(&mut next)) {
        n_cases += 1;
        let from_a = |[x, y]: [i64; 2]| [FAR + x, y];
        let (b, c) = (thrice.map(from_a), v.map(from_a));
        let d = b.map(|[x, y]| [x + FAR, y]);
        let points = [[[FAR, 0]; 2], b, c, d, [[-FAR, FAR]; 2], [[-FAR, -FAR]; 2]].map(point);
        assert!(!is_star_with_ears(&mut Ring::default(), &points, 8.0 * FAR as f64, 1.0), "{v:?}");
    }
    assert!(20 < n_cases, "{n_cases}");
}
