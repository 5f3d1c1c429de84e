//! Measures the contour test: how many contours it accepts, compared with the rule of the paper
//! that it comes from, and how long it takes, compared with a test of all pairs of edges.
//!
//! Without arguments it prints a table. `cargo xtask figures` asks for one figure in each run, and
//! gets a line of JSON:
//!
//! - `accepted`: random moving contours, and how many of them the paper's rule accepts, ours as
//!   they are, and ours with ears
//! - `times`: for contours of 16 to 256 vertices, nanoseconds of our test, of that of all pairs,
//!   and of the projection that both start from

use std::array::from_fn;
use std::hint::black_box;
use std::time::Instant;

use osculate::MovingContour;

/// Contours of the first figure.
const LOOPS: usize = 5000;

/// Contours of each length of the second.
const OF_LENGTH: usize = 100;

/// How often each is measured.
const REPEAT: usize = 9;

const UP: [f32; 3] = [0.0, 0.0, 1.0];

type Ends = Vec<[[f64; 3]; 2]>;

fn main() {
    // Cargo adds `--bench`.
    let figure = std::env::args().skip(1).find(|argument| argument != "--bench");
    match figure.as_deref() {
        Some("accepted") => {
            let [paper, star, ears] = accepted();
            println!(r#"{{"loops": {LOOPS}, "paper": {paper}, "star": {star}, "ears": {ears}}}"#);
        }
        Some("times") => {
            let level = |n: usize| {
                let [ours, pairs, projection] = times(n);
                format!("[{n}, {ours:.1}, {pairs:.1}, {projection:.1}]")
            };
            println!(r#"{{"levels": [{}]}}"#, LENGTHS.map(level).join(", "));
        }
        Some(_) | None => table(),
    }
}

const LENGTHS: [usize; 5] = [16, 32, 64, 128, 256];

fn table() {
    let [paper, star, ears] = accepted();
    let ratio = |count: usize| count as f64 / paper as f64;
    println!(
        "of {LOOPS} random moving contours accepted: {paper} by the rule of the paper, {star} by ours ({:.1} x), \
              {ears} by ours with ears ({:.1} x)",
        ratio(star),
        ratio(ears)
    );
    println!("| vertices | ours, ns | all pairs, ns | ratio | both with projection |");
    println!("|--:|--:|--:|--:|--:|");
    for n in LENGTHS {
        let [ours, pairs, projection] = times(n);
        let whole = (pairs + projection) / (ours + projection);
        println!("| {n} | {ours:.0} | {pairs:.0} | {:.1} | {whole:.1} |", pairs / ours);
    }
}

/// Numbers in [0, 1).
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// About normal: of mean 0 and variance 1.
fn normal(next: &mut impl FnMut() -> f64) -> f64 {
    (0..12).map(|_| next()).sum::<f64>() - 6.0
}

/// A loop around the origin that is turned, shifted and deformed.
fn contour(
    next: &mut impl FnMut() -> f64,
    n: usize,
    angles: impl Fn(&mut dyn FnMut() -> f64, usize) -> f64,
    noise: f64,
) -> Ends {
    let mut around: Vec<f64> = (0..n).map(|i| angles(next, i)).collect();
    around.sort_by(f64::total_cmp);
    let (sin, cos) = (1.2 * next() - 0.6).sin_cos();
    let shift: [f64; 3] = from_fn(|_| 0.3 * normal(next));
    let to = |next: &mut dyn FnMut() -> f64, angle: f64| {
        let r = 1.0 + 8.0 * noise * (next() - 0.5);
        [r * angle.cos(), r * angle.sin()]
    };
    around
        .into_iter()
        .map(|angle| {
            let [x, y] = to(next, angle);
            let p = [x, y, 0.2 * normal(next)];
            let turned = [cos * x - sin * y, sin * x + cos * y, p[2]];
            [p, from_fn(|k| turned[k] + shift[k] + noise * normal(next))]
        })
        .collect()
}

/// How many are accepted by the paper, by ours, and by ours with ears.
fn accepted() -> [usize; 3] {
    let mut next = random(5);
    let mut counts = [0; 3];
    for _ in 0..LOOPS {
        let ends = contour(&mut next, 12, |next, _| std::f64::consts::TAU * next(), 0.05);
        let [star, ears] = MovingContour::new(&ends, UP).proven();
        for (count, accepts) in counts.iter_mut().zip([is_accepted_by_the_paper(&ends), star, ears]) {
            *count += usize::from(accepts);
        }
    }
    counts
}

/// The rule of the paper, with its last coefficient corrected: the mean of the vertices at t = 0 is
/// the kernel point throughout; all three coefficients of the turn of every edge around it are
/// positive; every vertex stays on its side of a line through it, and the loop crosses the line
/// upward once.
fn is_accepted_by_the_paper(ends: &Ends) -> bool {
    let n = ends.len();
    let mean: [f64; 2] = from_fn(|k| ends.iter().map(|[p, _]| p[k]).sum::<f64>() / n as f64);
    let from = |p: [f64; 3]| [p[0] - mean[0], p[1] - mean[1]];
    let det = |v: [f64; 2], w: [f64; 2]| v[0] * w[1] - v[1] * w[0];
    let turns = (0..n).all(|i| {
        let ([b0, b1], [c0, c1]) = (ends[i].map(from), ends[(i + 1) % n].map(from));
        0.0 < det(b0, c0) && 0.0 < det(b0, c1) + det(b1, c0) && 0.0 < det(b1, c1)
    });
    let stays = ends.iter().all(|&[p, q]| 0.0 < from(p)[1] * from(q)[1]);
    let is_left = |i: usize| 0.0 < from(ends[i % n][0])[1];
    turns && stays && (0..n).filter(|&i| !is_left(i) && is_left(i + 1)).count() == 1
}

/// Nanoseconds of our test, of all pairs, and of the projection before both, for a contour of this
/// length that both accept.
fn times(n: usize) -> [f64; 3] {
    let mut next = random(n as u64);
    let mut contours = Vec::new();
    while contours.len() < OF_LENGTH {
        let angle = |next: &mut dyn FnMut() -> f64, i: usize| {
            std::f64::consts::TAU * (i as f64 + 0.5 * next()) / n as f64
        };
        // A jagged contour: ears are needed in some.
        let ends = contour(&mut next, n, angle, 0.3 / n as f64);
        let mut contour = MovingContour::new(&ends, UP);
        if contour.proven()[1] && contour.is_simple() {
            contours.push(contour);
        }
    }
    [
        nanoseconds(&mut contours, |contour| contour.proven()[1]),
        nanoseconds(&mut contours, |contour| contour.is_simple()),
        nanoseconds(&mut contours, |contour| {
            contour.project(UP);
            true
        }),
    ]
}

fn nanoseconds(contours: &mut [MovingContour], test: impl Fn(&mut MovingContour) -> bool) -> f64 {
    let mut times: Vec<f64> = (0..REPEAT)
        .map(|_| {
            let start = Instant::now();
            let all = contours.iter_mut().all(|contour| black_box(test(contour)));
            assert!(all, "a contour was proven before");
            1e9 * start.elapsed().as_secs_f64() / contours.len() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[REPEAT / 2]
}
