//! The patches that the last query cleared: as many as its statistics say, and none of an earlier
//! query.

use osculate::method::{BnTree, NormalCone, Rival, SphereTree, Volume};
use osculate::{Affine, BodyId, BodySettings, Mesh, Method, Model, Pose, Query, Skin, World};
use std::sync::Arc;

const N: u32 = 16;
const N_TRIANGLES: usize = 2 * (N * N) as usize;

/// A square sheet with three bones along one of its sides.
fn model() -> Arc<Model> {
    let side = |i: u32| f64::from(i) / f64::from(N);
    let rest: Vec<[f64; 3]> =
        (0..(N + 1) * (N + 1)).map(|i| [side(i / (N + 1)), side(i % (N + 1)), 0.0]).collect();
    let quads = (0..N * N).map(|i| (i / N) * (N + 1) + i % N);
    let faces = quads.flat_map(|v| [[v, v + N + 1, v + 1], [v + 1, v + N + 1, v + N + 2]]).collect();
    let weights = |x: f64| [(1.0 - 2.0 * x).max(0.0), 1.0 - (1.0 - 2.0 * x).abs(), (2.0 * x - 1.0).max(0.0)];
    let influences =
        rest.iter().map(|p| (0..).zip(weights(p[0])).filter(|(_, w)| *w != 0.0).collect::<Vec<_>>());
    let skin = Skin::new(3, &rest, influences).unwrap();
    Arc::new(Model::new(Mesh::new(faces, rest.len()).unwrap(), &rest).unwrap().with_skin(skin).unwrap())
}

/// The bones turn by an angle more at each one.
fn bones(turn: f64) -> Vec<Affine> {
    let bone = |k: f64| {
        let (s, c) = (k * turn).sin_cos();
        [[c, 0.0, -s, 0.1 * k], [0.0, 1.0, 0.0, 0.0], [s, 0.0, c, 0.2 * k]]
    };
    [0.0, 1.0, 2.0].map(bone).to_vec()
}

fn methods() -> [Method; 5] {
    [
        Method::BnTree(BnTree::new()),
        Method::SphereTree(SphereTree::new()),
        Method::NormalCone(NormalCone::new()),
        Method::Rival(Rival::Hsc { contour: true }, Volume::Dop16),
        Method::Rival(Rival::Cbc, Volume::Aabb),
    ]
}

/// The number of cleared patches, and of triangles in them.
fn counts(sizes: &[u32]) -> [u64; 2] {
    let of_size = |size: u32| sizes.iter().filter(|&&other| other == size).count();
    let mut different: Vec<u32> = sizes.iter().copied().filter(|&size| size != 0).collect();
    different.sort_unstable();
    different.dedup();
    let n_patches = different.iter().map(|&size| {
        assert_eq!(of_size(size) % size as usize, 0, "a part of a patch of {size} triangles");
        of_size(size) / size as usize
    });
    [n_patches.sum::<usize>() as u64, (sizes.len() - of_size(0)) as u64]
}

fn step(world: &mut World, body: BodyId, turns: [f64; 2], query: &Query) -> Option<Vec<u32>> {
    let [start, end] = turns.map(bones);
    world.set_pose(body, &start).unwrap();
    let report = world.contacts(&[(body, Pose::from(&end))], query).unwrap();
    let sizes = world.cleared_patches(body).unwrap();
    if let Some(sizes) = &sizes {
        assert_eq!(sizes.len(), N_TRIANGLES);
        let stats = report.stats.certificates;
        assert_eq!(counts(sizes), [stats.patches_cleared, stats.triangles_cleared]);
    }
    sizes
}

#[test]
fn they_are_those_of_the_statistics() {
    for method in methods() {
        let mut world = World::new();
        let body = world.add(model(), &bones(0.0)).unwrap();
        assert_eq!(world.cleared_patches(body).unwrap(), None);
        let query = Query::all().method(method);
        // A flat sheet is one patch, with any method.
        let flat = step(&mut world, body, [0.0, 0.01], &query).unwrap();
        assert!(flat.iter().all(|&size| size as usize == N_TRIANGLES), "{method:?}");
        // One that bends by more than a half turn is not.
        let bent = step(&mut world, body, [2.0, 2.01], &query).unwrap();
        assert!(bent.iter().all(|&size| (size as usize) < N_TRIANGLES), "{method:?}");
        assert!(bent.iter().any(|&size| 8 <= size), "{method:?}");
        // Crossings at an instant.
        world.set_pose(body, &bones(0.0)).unwrap();
        world.crossings(&query).unwrap();
        assert_eq!(world.cleared_patches(body).unwrap(), Some(flat), "{method:?}");
    }
}

#[test]
fn they_are_those_of_the_last_query() {
    let mut world = World::new();
    let body = world.add(model(), &bones(0.0)).unwrap();
    for method in methods() {
        let query = Query::all().method(method);
        assert!(step(&mut world, body, [0.5, 0.51], &query).is_some(), "{method:?}");
        // Proofs are about surfaces without thickness.
        assert_eq!(step(&mut world, body, [0.5, 0.51], &query.min_separation(0.01)), None, "{method:?}");
        let once_more = step(&mut world, body, [0.5, 0.51], &query);
        for other in [Method::Bvh(Volume::Aabb), Method::Brute, Method::SpatialHash] {
            assert_eq!(step(&mut world, body, [0.5, 0.51], &Query::all().method(other)), None);
        }
        for other in methods() {
            step(&mut world, body, [0.2, 0.21], &Query::all().method(other));
        }
        assert_eq!(step(&mut world, body, [0.5, 0.51], &query), once_more, "{method:?}");
    }
}

#[test]
fn bodies_that_are_not_tested_against_themselves_have_none() {
    let mut world = World::new();
    let settings = BodySettings::default().self_contact(false);
    let body = world.add_with(model(), &bones(0.0), settings).unwrap();
    for method in methods() {
        assert_eq!(step(&mut world, body, [0.0, 0.01], &Query::all().method(method)), None, "{method:?}");
    }
    world.remove(body).unwrap();
    assert!(world.cleared_patches(body).is_err());
}
