//! Counts add up: every pair is decided by one stage, and every result is reported or excluded. And
//! few bodies are compared where few are near each other.

use crate::common::Rng;
use osculate::method::Volume;
use osculate::narrow::Stats as NarrowStats;
use osculate::{BodyId, BodySettings, Mesh, Method, Model, Query, World};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const METHODS: [Method; 4] =
    [Method::Brute, Method::Bvh(Volume::MovingAabb), Method::Bvh(Volume::Dop16), Method::SpatialHash];

/// A body and its next pose.
type Next = (BodyId, Vec<[f64; 3]>);

/// Sheets of n by n squares, crumpled and tangled, and where they move.
fn tangle(n: usize, n_bodies: usize) -> (World, Vec<Next>) {
    let quads = (0..n * n).map(|i| ((i / n) * (n + 1) + i % n) as u32);
    let m = n as u32;
    let faces = quads.flat_map(|v| [[v, v + 1, v + m + 1], [v + 1, v + m + 2, v + m + 1]]).collect();
    let mut rng = Rng::for_item(11, 0);
    let mut pose = || -> Vec<[f64; 3]> {
        let vertex = |i: usize| [(i / (n + 1)) as f64, (i % (n + 1)) as f64, 0.0];
        (0..(n + 1) * (n + 1)).map(vertex).map(|p| p.map(|x| x + 0.6 * rng.signed())).collect()
    };
    let rest = pose();
    let model = Arc::new(Model::new(Mesh::new(faces, rest.len()).unwrap(), &rest).unwrap());
    let mut world = World::new();
    let next = (0..n_bodies).map(|_| (world.add(model.clone(), &pose()).unwrap(), pose())).collect();
    (world, next)
}

/// The sum over the stages that decide.
fn decided(stats: &NarrowStats) -> u64 {
    let misses = stats.box_misses + stats.cubic_misses + stats.root_misses + stats.split_misses;
    misses + stats.exact_misses + stats.separation_misses + stats.hits()
}

#[test]
fn contacts_add_up() {
    let (mut world, next) = tangle(6, 2);
    let next: Vec<_> = next.iter().map(|(body, pose)| (*body, &pose[..])).collect();
    let all = world.contacts(&next, &Query::all()).unwrap();
    let known: HashSet<_> = all.found.iter().step_by(3).map(|contact| contact.key).collect();
    for method in METHODS {
        for min_separation in [0.0, 0.05] {
            for exclude_rings in [0, 2] {
                let query = Query::all().method(method).min_separation(min_separation);
                let query = query.exclude_rings(exclude_rings).known(&known);
                let report = world.contacts(&next, &query).unwrap();
                let stats = report.stats;
                assert_eq!(stats.narrow.queries, decided(&stats.narrow), "{method:?}");
                assert_eq!(stats.found, stats.narrow.hits(), "{method:?}");
                assert_eq!(stats.found, report.count + stats.excluded, "{method:?}");
                assert_eq!(report.count, report.found.len() as u64);
                assert!(0 < stats.excluded && 0 < report.count && 0 < stats.pairs);
            }
        }
    }
}

#[test]
fn crossings_add_up() {
    let (mut world, _) = tangle(6, 2);
    for method in METHODS {
        for exclude_rings in [0, 2] {
            let query = Query::all().method(method).exclude_rings(exclude_rings);
            let report = world.crossings(&query).unwrap();
            let triangles = report.stats.triangles;
            let decided =
                triangles.plane_misses + triangles.box_misses + triangles.filtered + triangles.exact;
            assert_eq!((report.stats.pairs, triangles.pairs), (decided, decided), "{method:?}");
            assert_eq!(report.stats.found, report.count + report.stats.excluded, "{method:?}");
            assert_eq!(report.count, report.found.len() as u64);
            assert!(0 < report.count && (0 < report.stats.excluded) == (0 < exclude_rings));
        }
    }
}

/// One triangle.
fn chip() -> (Arc<Model>, [[f64; 3]; 3]) {
    let rest = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]];
    (Arc::new(Model::new(Mesh::new(vec![[0, 1, 2]], 3).unwrap(), &rest).unwrap()), rest)
}

#[test]
fn far_bodies_are_not_compared() {
    let n = 2000;
    let (model, rest) = chip();
    for axis in 0..3 {
        let mut world = World::new();
        let settings = BodySettings::default().self_contact(false);
        for i in 0..n {
            let pose = rest.map(|mut p| {
                p[axis] += 2.0 * f64::from(i);
                p
            });
            world.add_with(model.clone(), &pose, settings).unwrap();
        }
        let n_asked = AtomicU64::new(0);
        let filter = |_, _| {
            n_asked.fetch_add(1, Relaxed);
            true
        };
        for method in [Method::Bvh(Volume::MovingAabb), Method::Bvh(Volume::Dop18)] {
            let report = world.contacts((), &Query::all().method(method).filter(&filter)).unwrap();
            assert_eq!((report.count, report.stats.bounds_tests), (0, 0));
        }
        assert_eq!(n_asked.into_inner(), 0);
    }
}

#[test]
fn the_filter_is_asked_in_order_about_bodies_that_are_near() {
    let (model, rest) = chip();
    let mut world = World::new();
    // Bodies 0 and 2 touch in a single point at x = 1; body 1 is far away.
    let ids =
        [0.0, 50.0, 1.0].map(|x| world.add(model.clone(), &rest.map(|[a, b, c]| [a + x, b, c])).unwrap());
    let asked = std::sync::Mutex::new(Vec::new());
    let filter = |a: BodyId, b: BodyId| {
        asked.lock().unwrap().push([a, b]);
        a != b
    };
    let report = world.crossings(&Query::all().filter(&filter)).unwrap();
    assert_eq!(asked.lock().unwrap()[..], [[ids[0]; 2], [ids[0], ids[2]], [ids[1]; 2], [ids[2]; 2]]);
    assert_eq!(report.found[0].bodies, [ids[0], ids[2]]);
}
