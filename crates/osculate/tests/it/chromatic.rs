//! Chromatic decomposition: adjacent triangles are not compared, yet nothing is missed.

use crate::common::Rng;
use crate::world::{Shape, shape, world_of};
use osculate::method::{Chromatic, Volume};
use osculate::narrow::{Kind, Settings};
use osculate::{BodyId, Build, Contact, Mesh, Method, Model, Query, Stats, World};
use std::sync::Arc;

const CHROMATIC: Method = Method::Chromatic(Chromatic::new());

/// The contacts of a step of one body, by all pairs and by the method, and the statistics.
fn step(faces: &[[u32; 3]], t0: &[[f64; 3]], t1: &[[f64; 3]]) -> (Vec<Contact>, Stats) {
    let mesh = Mesh::new(faces.to_vec(), t0.len()).unwrap();
    let mut world = World::new();
    let body = world.add(Arc::new(Model::new(mesh, t0).unwrap()), t0).unwrap();
    let brute = world.contacts(&[(body, t1)], &Query::all().method(Method::Brute)).unwrap();
    let report = world.contacts(&[(body, t1)], &Query::all().method(CHROMATIC)).unwrap();
    assert_eq!(report.found, brute.found);
    (report.found, report.stats)
}

fn has_vertex_face(found: &[Contact], features: [u32; 2]) -> bool {
    found.iter().any(|c| c.key.kind == Kind::VertexFace && c.key.features == features)
}

/// Two triangles fold onto each other around their common edge. There are no others: their pairs
/// are orphans.
#[test]
fn a_fold_of_two_triangles_is_found() {
    let faces = [[0, 1, 2], [1, 0, 3]];
    let t0 = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [1.0, 4.0, 0.0], [2.0, -2.0, 1.0]];
    let mut t1 = t0;
    t1[3] = [2.0, 4.0, -2.0];
    let (found, stats) = step(&faces, &t0, &t1);
    assert!(has_vertex_face(&found, [3, 0]), "{found:?}");
    assert_eq!(stats.pairs, 0);
}

/// A vertex inside of a sheet passes through the triangle behind its opposite edge; the two are
/// adjacent, and are tested by a triangle on the far side of the vertex.
#[test]
fn a_fold_inside_of_a_sheet_is_found() {
    let n = 7;
    let faces: Vec<[u32; 3]> = (0..n * n)
        .map(|i| i / n * (n + 1) + i % n)
        .flat_map(|v| [[v, v + 1, v + n + 1], [v + 1, v + n + 2, v + n + 1]])
        .collect();
    let mut t0: Vec<[f64; 3]> =
        (0..(n + 1) * (n + 1)).map(|v| [f64::from(v % (n + 1)), f64::from(v / (n + 1)), 0.0]).collect();
    // The vertex, and the other triangle at the diagonal of the quadrilateral before it.
    let (vertex, face) = (4 * (n + 1) + 4, 2 * (3 * n + 3));
    assert_eq!(faces[face as usize], [3 * (n + 1) + 3, 3 * (n + 1) + 4, 4 * (n + 1) + 3]);
    t0[vertex as usize][2] = 0.5;
    let mut t1 = t0.clone();
    t1[vertex as usize] = [2.6, 2.6, -0.5];
    let (found, stats) = step(&faces, &t0, &t1);
    assert!(has_vertex_face(&found, [vertex, face]), "{found:?}");
    assert!(0 < stats.pairs);
}

/// Few candidate pairs of a smooth sheet are not adjacent.
#[test]
fn adjacent_triangles_are_no_candidates() {
    let n = 30;
    let faces: Vec<[u32; 3]> = (0..n * n)
        .map(|i| i / n * (n + 1) + i % n)
        .flat_map(|v| [[v, v + 1, v + n + 1], [v + 1, v + n + 2, v + n + 1]])
        .collect();
    let place = |time: f64| {
        let place = |v: u32| {
            let [x, y] = [f64::from(v % (n + 1)), f64::from(v / (n + 1))];
            [x, y, (0.3 * x + time).sin() + (0.2 * y - time).cos()]
        };
        (0..(n + 1) * (n + 1)).map(place).collect::<Vec<_>>()
    };
    let (t0, t1) = (place(0.0), place(0.1));
    let (_, stats) = step(&faces, &t0, &t1);
    let mut world = World::new();
    let mesh = Mesh::new(faces, t0.len()).unwrap();
    let body = world.add(Arc::new(Model::new(mesh, &t0).unwrap()), &t0).unwrap();
    let plain = world.contacts(&[(body, &t1[..])], &Query::all()).unwrap().stats;
    assert!(4 * stats.pairs < plain.pairs, "{} and {} pairs", stats.pairs, plain.pairs);
    let [few, many] = [stats, plain].map(|stats| stats.narrow.queries);
    assert!(2 * few < many, "{few} and {many} feature tests");
}

/// Several bodies and steps, a few with a thickness, which takes long.
#[test]
fn random_worlds() {
    let mut n_found = 0;
    for index in 0..600 {
        let mut rng = Rng::for_item(77, index);
        let shapes: Vec<Shape> = (0..1 + rng.below(3)).map(|_| shape(&mut rng)).collect();
        let (mut world, ids): (World, Vec<BodyId>) = world_of(&shapes, &Build::default());
        let volume = rng.pick(&[Volume::MovingAabb, Volume::Aabb, Volume::Dop16]);
        let method = Method::Chromatic(Chromatic::new().volume(volume));
        let thickness = if rng.one_in(20) { 0.2 * rng.unit() } else { 0.0 };
        let narrow = Settings { min_separation: thickness, ..Settings::default() };
        let mut poses: Vec<Vec<[f64; 3]>> = shapes.iter().map(|shape| shape.t1.clone()).collect();
        for step in 0..3 {
            let next: Vec<_> = ids.iter().zip(&poses).map(|(&id, pose)| (id, &pose[..])).collect();
            let [found, expected] = [method, Method::Brute].map(|method| {
                world.contacts(&next, &Query::all().method(method).narrow(narrow)).unwrap().found
            });
            assert_eq!(found, expected, "world {index}, step {step}, {method}");
            n_found += found.len();
            next.iter().for_each(|&(id, pose)| world.set_pose(id, pose).unwrap());
            for x in poses.iter_mut().flatten().flatten() {
                *x += 0.3 * rng.signed();
            }
        }
    }
    assert!(10_000 < n_found, "{n_found} contacts");
}
