//! The cost of an exact decision, in fixed-width integers and in big integers, interleaved in one
//! run.
//!
//! `cargo bench --bench exact_figures`. First by family of random queries, counting those that no
//! filter decides. Then for the steps in which exactness is needed most: a part of a surface of
//! 19,008 triangles shrinks to almost nothing, or to nothing, with the rounding of f32; and a small
//! surface that is one point throughout.

#[allow(dead_code, unused_imports, reason = "a part of what tests share")]
#[path = "../tests/it/common/mod.rs"]
mod common;

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use common::{DEGENERATE, FAMILIES, Rng};
use osculate::narrow::{Kind, Settings, Stats, decide, stages};
use osculate::{Mesh, Model, MovingPoint, Query, World};

/// Queries of a family, and how often each side is measured; the best counts, since the machine may
/// be shared.
const QUERIES: usize = 400;
const REPEAT: usize = 5;
const WIDTH: f64 = 1.0 / (1u32 << 20) as f64;

type Points = [MovingPoint; 4];

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:32} {:>9} {:>11} {:>7}   (ns for each exact decision)",
        "family", "words", "integers", "ratio"
    );
    for family in FAMILIES.iter().chain(DEGENERATE) {
        let queries: Vec<_> = (0..20 * QUERIES as u64)
            .map(|index| {
                let mut rng = Rng::for_item(1, index);
                let kind = if rng.one_in(2) { Kind::VertexFace } else { Kind::EdgeEdge };
                (kind, (family.generate)(&mut rng, kind))
            })
            .filter(|(kind, points)| is_exact(*kind, points))
            .take(QUERIES)
            .collect();
        compare(family.name, &queries);
    }
    for scale in [1e-6, 1e-8, 0.0] {
        shrinking_part(scale)?;
    }
    one_point()
}

/// Whether no filter decides the query.
fn is_exact(kind: Kind, points: &Points) -> bool {
    let mut stats = Stats::default();
    decide(kind, points, &Settings::default(), &mut stats).is_ok() && stats.exact() == 1
}

/// Prints and returns the mean nanoseconds of both arithmetics.
fn compare(name: &str, queries: &[(Kind, Points)]) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    if queries.is_empty() {
        println!("{name:32} {:>9}", "none");
        return [0.0; 2];
    }
    for _ in 0..REPEAT {
        let start = Instant::now();
        for (kind, points) in queries {
            let _ = black_box(stages::exact(*kind, points, WIDTH));
        }
        let middle = Instant::now();
        for (kind, points) in queries {
            let _ = black_box(stages::exact_in_big_integers(*kind, points, WIDTH));
        }
        let seconds = [(middle - start).as_secs_f64(), middle.elapsed().as_secs_f64()];
        best = [best[0].min(seconds[0]), best[1].min(seconds[1])];
    }
    let [words, big] = best.map(|seconds| seconds * 1e9 / queries.len() as f64);
    println!("{name:32} {words:9.0} {big:11.0} {:7.1}", big / words);
    [words, big]
}

/// A torus of `2 n_around n_across` triangles.
fn torus(n_around: u32, n_across: u32) -> (Vec<[u32; 3]>, Vec<[f64; 3]>) {
    let vertex = |i: u32, j: u32| i % n_around * n_across + j % n_across;
    let (mut triangles, mut places) = (Vec::new(), Vec::new());
    for i in 0..n_around {
        for j in 0..n_across {
            let angle = |i: u32, n: u32| f64::from(i) / f64::from(n) * std::f64::consts::TAU;
            let ((sin, cos), (sin_across, cos_across)) =
                (angle(i, n_around).sin_cos(), angle(j, n_across).sin_cos());
            let radius = 2.0 + 0.7 * cos_across;
            places.push([radius * cos, radius * sin, 0.7 * sin_across]);
            triangles.push([vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)]);
            triangles.push([vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
        }
    }
    (triangles, places)
}

fn to_f32(p: [f64; 3]) -> [f64; 3] {
    p.map(|x| f64::from(x as f32))
}

/// All contacts of a step in which 144 vertices contract to this fraction of their size.
fn shrinking_part(scale: f64) -> Result<(), Box<dyn Error>> {
    const AROUND: u32 = 99;
    const ACROSS: u32 = 96;
    let (triangles, places) = torus(AROUND, ACROSS);
    let part: Vec<u32> = (0..AROUND * ACROSS)
        .filter(|v| (10..22).contains(&(v / ACROSS)) && (10..22).contains(&(v % ACROSS)))
        .collect();
    let center: [f64; 3] =
        std::array::from_fn(|k| part.iter().map(|&v| places[v as usize][k]).sum::<f64>() / part.len() as f64);
    let t0: Vec<_> = places.iter().map(|p| to_f32(*p)).collect();
    let mut t1 = places;
    for &v in &part {
        let p = &mut t1[v as usize];
        *p = std::array::from_fn(|k| center[k] + scale * (p[k] - center[k]));
    }
    let t1: Vec<_> =
        t1.into_iter().map(|p| to_f32(std::array::from_fn(|k| p[k] + [0.01, 0.003, 0.0][k]))).collect();
    step(&format!("a part shrinks to {scale:e}"), triangles, &t0, &t1, &part)
}

/// A surface of 180 triangles with all vertices in the same place.
fn one_point() -> Result<(), Box<dyn Error>> {
    let (triangles, places) = torus(10, 9);
    let part: Vec<u32> = (0..places.len() as u32).collect();
    let same = vec![[0.1, 0.7, -0.3]; places.len()];
    step("all in one point", triangles, &same, &same, &part)
}

/// Prints the time of all contacts of a step, and the time that its exact decisions would take in
/// big integers.
fn step(
    name: &str,
    triangles: Vec<[u32; 3]>,
    t0: &[[f64; 3]],
    t1: &[[f64; 3]],
    part: &[u32],
) -> Result<(), Box<dyn Error>> {
    // A sample of the exact queries: any four vertices of the part.
    let mut rng = Rng::new(3);
    let queries: Vec<_> = (0..40 * QUERIES)
        .map(|_| {
            let kind = if rng.one_in(2) { Kind::VertexFace } else { Kind::EdgeEdge };
            let points = std::array::from_fn(|_| {
                let v = rng.pick(part) as usize;
                MovingPoint::new(t0[v], t1[v])
            });
            (kind, points)
        })
        .filter(|(kind, points)| is_exact(*kind, points))
        .take(QUERIES)
        .collect();
    let [words, big] = compare(name, &queries);
    let mesh = Mesh::new(triangles, t0.len())?;
    let mut best = f64::INFINITY;
    let mut stats = osculate::Stats::default();
    for _ in 0..REPEAT {
        let mut world = World::new();
        let body = world.add(Arc::new(Model::new(mesh.clone(), t0)?), t0)?;
        let start = Instant::now();
        let report = world.contacts(&[(body, t1)], &Query::all())?;
        best = best.min(start.elapsed().as_secs_f64());
        stats = report.stats;
    }
    let n = stats.narrow.exact() as f64;
    println!(
        "  {n} exact decisions in a step of {best:.3} s of {} threads; in big integers they alone take {:.3} s of one, in words {:.3} s",
        rayon::current_num_threads(),
        n * big * 1e-9,
        n * words * 1e-9
    );
    Ok(())
}
