//! A traversal with a front finds what a traversal from the root does, over many steps.

use crate::common::Rng;
use osculate::method::{NormalCone, Volume};
use osculate::{BodyId, Mesh, Method, Model, Query, Results, Stats, World};
use std::sync::Arc;

const N: usize = 24;
const STEPS: usize = 104;

const FRONT: NormalCone = NormalCone::new().front(true);

fn sheet() -> Mesh {
    let n = N as u32;
    let squares = (0..n).flat_map(|i| (0..n).map(move |j| i * (n + 1) + j));
    let faces = squares.flat_map(|v| [[v, v + 1, v + n + 1], [v + 1, v + n + 2, v + n + 1]]).collect();
    Mesh::new(faces, (N + 1) * (N + 1)).unwrap()
}

/// A sheet that rolls up and unrolls, with waves on it; `offset` moves it aside.
fn pose(step: usize, offset: f64) -> Vec<[f64; 3]> {
    let time = step as f64 / STEPS as f64;
    let turn = 7.0 * (std::f64::consts::TAU * time).sin() + 0.01;
    let at = |i: usize| i as f64 / N as f64;
    let vertices = (0..=N).flat_map(|i| (0..=N).map(move |j| (at(i), at(j))));
    let place = |(x, y): (f64, f64)| {
        let (angle, radius) = (turn * x, (1.0 + 0.1 * x) / turn);
        let wave = 0.03 * (9.0 * y + 20.0 * time).sin() * (13.0 * x - 9.0 * time).cos();
        [(radius + wave) * angle.sin() + offset, y + 0.3 * offset, (radius + wave) * (1.0 - angle.cos())]
    };
    vertices.map(place).collect()
}

fn world(n_bodies: usize) -> (World, Vec<BodyId>) {
    let model = Arc::new(Model::new(sheet(), &pose(0, 0.0)).unwrap());
    let mut world = World::new();
    let bodies = (0..n_bodies).map(|i| world.add(model.clone(), &pose(0, 0.4 * i as f64)).unwrap()).collect();
    (world, bodies)
}

fn in_pool<T: Send>(n_threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap().install(run)
}

#[test]
fn any_sequence_of_queries() {
    for (n_threads, n_bodies) in [(1, 1), (2, 2), (3, 1), (8, 2)] {
        in_pool(n_threads, || {
            let mut rng = Rng::for_item(17, n_threads as u64);
            let ((mut kept, bodies), (mut other, _)) = (world(n_bodies), world(n_bodies));
            let (mut n_contacts, mut n_crossings) = (0, 0);
            for step in 0..STEPS {
                let poses = |step: usize| -> Vec<Vec<[f64; 3]>> {
                    (0..n_bodies).map(|i| pose(step, 0.4 * i as f64)).collect()
                };
                for (body, pose) in bodies.iter().zip(&poses(step)) {
                    kept.set_pose(*body, pose).unwrap();
                    other.set_pose(*body, pose).unwrap();
                }
                let next = poses(step + 1);
                let next: Vec<(BodyId, &[[f64; 3]])> =
                    bodies.iter().zip(&next).map(|(body, pose)| (*body, &pose[..])).collect();
                let volume = rng.pick(&[Volume::MovingAabb, Volume::MovingAabb, Volume::Dop18]);
                let front = FRONT.volume(volume).pairs(!rng.one_in(9));
                let want =
                    rng.pick(&[Results::All, Results::All, Results::Any, Results::Earliest, Results::Count]);
                let is_apart = rng.one_in(6);
                let filter = |a: BodyId, b: BodyId| a != b || !is_apart;
                let with = |method| Query::default().results(want).method(method).filter(&filter);
                let (front, plain) = (with(Method::NormalCone(front)), with(Method::default()));
                let context = format!("step {step}, {want:?}, {n_threads} threads");
                if rng.one_in(3) {
                    let (found, expected) =
                        (kept.crossings(&front).unwrap(), other.crossings(&plain).unwrap());
                    assert_eq!(found.count, expected.count, "{context}");
                    if want == Results::All {
                        assert_eq!(found.found, expected.found, "{context}");
                    }
                    n_crossings += found.count;
                } else {
                    let found = kept.contacts(&next, &front).unwrap();
                    let expected = other.contacts(&next, &plain).unwrap();
                    assert_eq!(found.count, expected.count, "{context}");
                    if want != Results::Any {
                        assert_eq!(found.found, expected.found, "{context}");
                    }
                    n_contacts += found.count;
                }
            }
            assert!(500 < n_contacts && 100 < n_crossings, "{n_contacts} and {n_crossings}");
        });
    }
}

/// Not only the answers: the same proofs are tried, and the same pairs are stored, for any number
/// of threads.
#[test]
fn fronts_do_not_depend_on_the_number_of_threads() {
    let run = |n_threads: usize, method: Method| {
        in_pool(n_threads, || {
            let (mut world, bodies) = world(1);
            let mut all = Vec::new();
            for step in 0..STEPS {
                world.set_pose(bodies[0], &pose(step, 0.0)).unwrap();
                let query = Query::all().method(method);
                let report = world.contacts(&[(bodies[0], &pose(step + 1, 0.0))], &query).unwrap();
                all.push((report, world.memory_bytes()));
            }
            all
        })
    };
    let expected = run(1, Method::NormalCone(FRONT));
    for n_threads in [2, 3, 8] {
        assert!(run(n_threads, Method::NormalCone(FRONT)) == expected, "{n_threads} threads");
    }
    // What it is good for.
    let plain = run(1, Method::NormalCone(FRONT.front(false)));
    let sum = |of: &[(osculate::Report<osculate::Contact>, usize)], part: fn(&Stats) -> u64| -> u64 {
        of.iter().map(|(report, _)| part(&report.stats)).sum()
    };
    let n_in_vain = |stats: &Stats| stats.certificates.pairs - stats.certificates.pairs_cleared;
    let (with, without) = (sum(&expected, n_in_vain), sum(&plain, n_in_vain));
    assert!(2 * with < without, "{with} of {without} proofs in vain");
    assert_eq!(sum(&plain, |stats| stats.front_pairs), 0);
    let bytes: usize = expected.iter().zip(&plain).map(|(front, plain)| front.1 - plain.1).max().unwrap();
    // All pairs at the cut of a traversal without proofs would take eight bytes each.
    let mut tests =
        run(1, Method::Bvh(Volume::MovingAabb)).into_iter().map(|(report, _)| report.stats.bounds_tests);
    let full = 8 * tests.next_back().unwrap() as usize;
    assert!(0 < bytes && 10 * bytes < full, "{bytes} bytes of {full}");
}
