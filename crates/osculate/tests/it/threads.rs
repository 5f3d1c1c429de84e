//! Many threads, and unused models: every part of a model that is computed on first use is needed
//! by several threads at once.

use crate::common::ball;
use crate::methods::complete_methods;
use osculate::{Mesh, Method, Model, Query, World};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time limit of a round before it counts as hung: hundreds of times its duration.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs `round` in a pool of this many threads, and ends the process if it hangs: a deadlock must
/// not block all other tests.
fn under_a_watchdog(name: &'static str, n_threads: usize, n_rounds: usize, round: impl Fn() + Sync) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
    for k in 0..n_rounds {
        let is_done = Arc::new(AtomicBool::new(false));
        let (watched, start) = (is_done.clone(), Instant::now());
        let watchdog = std::thread::spawn(move || {
            while !watched.load(Ordering::Acquire) {
                if PATIENCE < start.elapsed() {
                    eprintln!("{name}: round {k} with {n_threads} threads hangs");
                    std::process::exit(101);
                }
                std::thread::park_timeout(Duration::from_millis(500));
            }
        });
        pool.install(&round);
        is_done.store(true, Ordering::Release);
        watchdog.thread().unpark();
        watchdog.join().unwrap();
    }
}

/// The complete methods that compute something for a model, without options: with them, they need
/// the same of it.
fn methods_with_models() -> impl Iterator<Item = Method> {
    complete_methods().filter(|&method| method != Method::Brute && method == method.facts().method)
}

/// A world of bodies side by side that share a model.
fn side_by_side(model: &Arc<Model>, rest: &[[f64; 3]], n_bodies: usize) -> World {
    let mut world = World::new();
    for i in 0..n_bodies {
        let pose: Vec<[f64; 3]> = rest.iter().map(|p| [p[0] + 3.0 * i as f64, p[1], p[2]]).collect();
        world.add(model.clone(), &pose).unwrap();
    }
    world
}

#[test]
fn bodies_that_share_a_fresh_model() {
    let (faces, rest) = ball(5);
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    for n_threads in [8, 16] {
        for method in methods_with_models() {
            under_a_watchdog("bodies", n_threads, 8, || {
                let model = Arc::new(Model::new(mesh.clone(), &rest).unwrap());
                let mut world = side_by_side(&model, &rest, 8);
                let report = world.contacts((), &Query::all().method(method)).unwrap();
                assert_eq!(report.count, 0);
            });
        }
    }
}

#[test]
fn worlds_that_share_a_fresh_model_in_a_parallel_loop() {
    let (faces, rest) = ball(5);
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    for n_threads in [8, 16] {
        for method in methods_with_models() {
            under_a_watchdog("worlds", n_threads, 3, || {
                let model = Arc::new(Model::new(mesh.clone(), &rest).unwrap());
                (0..16).into_par_iter().for_each(|_| {
                    let mut world = side_by_side(&model, &rest, 2);
                    let report = world.contacts((), &Query::all().method(method)).unwrap();
                    assert_eq!(report.count, 0);
                });
            });
        }
    }
}

#[test]
fn the_parts_of_a_model_that_users_ask_for() {
    let (faces, rest) = ball(5);
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    for n_threads in [8, 16] {
        under_a_watchdog("clusters", n_threads, 8, || {
            let model = Model::new(mesh.clone(), &rest).unwrap();
            let n_clusters: Vec<usize> = (0..32).into_par_iter().map(|_| model.clusters().len()).collect();
            assert!(n_clusters.iter().all(|&n| n == n_clusters[0]));
        });
    }
}
